"""The words in the figures of the course, in English and in Korean."""

from __future__ import annotations

from typing import Protocol

KOREAN = {
    "{name}: {matches} of {total} tokens match": "{name}: 토큰 {total}개 중 {matches}개 일치",
    "hypothesis": "가설",
    "credited": "인정",
    "clipped": "잘림",
    "reference {number} has {times}": "참조 {number}에는 {times}번",
    "maximum: {credited}, so {credited} of 7 count": (
        "최대 {credited}번이므로 7개 가운데 {credited}개만 센다"
    ),
    "good": "좋은 번역",
    "random order": "섞은 번역",
    "bad": "나쁜 번역",
    "order {number}": "{number}차",
    "precision: matches / n-grams of the hypothesis": "정밀도: 일치 횟수 / 가설의 n-gram 수",
    "{value:.4f} arithmetic mean": "{value:.4f} 산술 평균",
    "{value:.4f} geometric mean = BLEU": "{value:.4f} 기하 평균 = BLEU",
    "length ratio c/r": "길이 비율 c/r",
    "lengths": "길이",
    "matches of orders 1 to 4": "1~4차 일치 횟수",
    "totals of orders 1 to 4": "1~4차 n-gram 수",
    "segment {number}": "세그먼트 {number}",
    "sum": "합",
    "Unigram precision of the corpus: {share} = {value:.2f}%. One division, at the end.": (
        "코퍼스의 유니그램 정밀도: {share} = {value:.2f}%. 나누기는 마지막에 한 번만 한다."
    ),
    "zeros skipped": "0인 차수를 뺌",
    "{value:.2f}, not BLEU": "{value:.2f}, BLEU가 아님",
    "Reference: {reference}": "참조: {reference}",
    "wrong meaning": "뜻이 틀림",
    "right, or nearly": "맞거나 거의 맞음",
    "reference": "참조",
    "Pairs of characters: {matches} match, of {total} in the hypothesis and {ref_total} in the "
    "reference.": (
        "글자 바이그램: 가설의 {total}개, 참조의 {ref_total}개 가운데 {matches}개가 일치한다."
    ),
    "after the shift": "이동한 뒤",
    "95% of samples: {low:.1f} to {high:.1f}": "표본의 95%: {low:.1f}~{high:.1f}",
    "BLEU of the new version minus that of the old one": (
        "새 버전의 BLEU에서 옛 버전의 BLEU를 뺀 값"
    ),
}


class Say(Protocol):
    """What to write, in some language."""

    def __call__(self, text: str, **values: object) -> str:
        """Put values into their places."""


def english(text: str, **values: object) -> str:
    """Say it as it is written here."""
    return text.format(**values)


def korean(text: str, **values: object) -> str:
    """Say it in Korean, with values in their places."""
    return KOREAN[text].format(**values)
