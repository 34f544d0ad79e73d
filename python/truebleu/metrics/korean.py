"""What explanations say in Korean, by what they say in English."""

from __future__ import annotations

KOREAN = {
    # Things that are counted.
    "{number} tokens": "토큰 {number}개",
    "{number} words": "단어 {number}개",
    "{number} edits": "편집 {number}번",
    "{number} shifts": "이동 {number}번",
    "{number} insertions": "삽입 {number}번",
    "{number} deletions": "삭제 {number}번",
    "{number} substitutions": "대체 {number}번",
    "{number} match": "일치 {number}개",
    "{number} matches": "일치 {number}개",
    # The texts.
    "hypothesis": "가설",
    "hypothesis: {length}": "가설: {length}",
    "reference": "참조",
    "reference {number}": "참조 {number}",
    "reference {number}: {length}": "참조 {number}: {length}",
    "reference {number}: {length}, {edits}": "참조 {number}: {length}, {edits}",
    "reference {number}: {length}, {edits} (chosen)": "참조 {number}: {length}, {edits} (선택)",
    "reference {number}: {metric} = {score}": "참조 {number}: {metric} = {score}",
    "reference {number}: {metric} = {score} (chosen)": "참조 {number}: {metric} = {score} (선택)",
    "empty": "비어 있음",
    # The marks of tokens.
    "match of order {order}": "{order}차 일치",
    "match of order {order} to {highest}": "{order}~{highest}차 일치",
    "clipped": "잘림",
    "no match": "불일치",
    "match": "일치",
    "substitution": "대체",
    "deletion": "삭제",
    "insertion": "삽입",
    "shift": "이동",
    # Tables.
    "n-gram": "n-gram",
    "count": "횟수",
    "maximum": "최대 횟수",
    "credited": "인정",
    "result": "결과",
    "matches": "일치",
    "none": "없음",
    "order": "차수",
    "precision": "정밀도",
    "recall": "재현율",
    "weighted logarithm": "가중 로그",
    "left out": "제외",
    "{precision} smoothed": "{precision}(스무딩)",
    "part": "부분",
    "points": "점",
    "missed": "놓침",
    "segment": "세그먼트",
    "text": "글",
    "characters": "글자",
    "longest match": "가장 긴 일치",
    "missing": "모자람",
    "superfluous": "남음",
    "{number} missing": "{number}개 모자람",
    "{number} superfluous": "{number}개 남음",
    "edit": "편집",
    "phrase": "구",
    "from word": "옮기기 전 자리",
    "to word": "옮긴 뒤 자리",
    "other edits saved": "줄어든 다른 편집",
    "share": "비율",
    # BLEU.
    "order {order}": "{order}차",
    "order {order}: precision {fraction}": "{order}차: 정밀도 {fraction}",
    "without clipping: {fraction}": "클리핑하지 않으면: {fraction}",
    "after smoothing {smoothing}: {precision}%": "스무딩 {smoothing} 후: {precision}%",
    "brevity penalty": "간결성 페널티",
    "brevity penalty {penalty}": "간결성 페널티 {penalty}",
    "brevity penalty: {how}": "간결성 페널티: {how}",
    "The hypothesis has {tokens}, the reference has {lengths}; the reference length is {chosen} "
    "({rule}).": (
        "가설은 {tokens}, 참조는 토큰 {lengths}개입니다. {rule} 규칙에 따라 참조 길이는 "
        "{chosen}입니다."
    ),
    "The hypothesis has {tokens}, the references have {lengths}; the reference length is {chosen} "
    "({rule}).": (
        "가설은 {tokens}, 참조는 토큰 {lengths}개입니다. {rule} 규칙에 따라 참조 길이는 "
        "{chosen}입니다."
    ),
    "{hyp_len} ≥ {tokens}: no brevity penalty (BP = 1)": (
        "가설 {hyp_len}개 ≥ 참조 {tokens}: 간결성 페널티 없음(BP = 1)"
    ),
    "0 of {tokens}: the brevity penalty is 0 (BP = 0)": (
        "가설 0개, 참조 {tokens}: 간결성 페널티는 0(BP = 0)"
    ),
    "what keeps the score from 100: {points} points": "100점에서 잃은 점수: {points}점",
    "n-grams that cost most: points gained if all their misses had matched": (
        "점수를 가장 많이 깎은 n-gram: 모두 일치했다면 더 얻었을 점수"
    ),
    "most influential segments: change of the score without them": (
        "영향이 가장 큰 세그먼트: 그 세그먼트를 뺐을 때 점수의 변화"
    ),
    # chrF.
    "where the hypothesis matches": "가설에서 일치하는 곳",
    "where the reference matches": "참조에서 일치하는 곳",
    "character {order}": "글자 {order}",
    "word {order}": "단어 {order}",
    "precision {fraction}": "정밀도 {fraction}",
    "recall {fraction}": "재현율 {fraction}",
    "not counted: the reference has no n-grams of this order": (
        "세지 않음: 참조에 이 차수의 n-gram이 없습니다"
    ),
    "as often in both: {ngrams}": "양쪽에 같은 횟수: {ngrams}",
    "only in the hypothesis: {ngrams}": "가설에만: {ngrams}",
    "only in the reference: {ngrams}": "참조에만: {ngrams}",
    "n-grams that cost most: points gained if the hypotheses had them as often as the references": (
        "점수를 가장 많이 깎은 n-gram: 가설에 참조만큼 나왔다면 더 얻었을 점수"
    ),
    "left out, because one side has no such n-grams: {orders}": (
        "한쪽에 n-gram이 없어 제외한 차수: {orders}"
    ),
    "Precision or recall of an order without n-grams counts as 1e-16.": (
        "n-gram이 없는 차수의 정밀도나 재현율은 1e-16으로 칩니다."
    ),
    # TER.
    "result: {words}": "결과: {words}",
    "alignment: {edits}": "정렬: {edits}",
    "mean length of the references: {mean} words": "참조 길이의 평균: {mean}단어",
    "insertions + deletions + substitutions + shifts = {numbers} = {edits}": (
        "삽입 + 삭제 + 대체 + 이동 = {numbers} = {edits}"
    ),
    "edits": "편집",
    "words that are edited most often": "가장 자주 편집한 단어",
    # Why a score is 0, or undefined.
    "The hypotheses are empty.": "가설이 비어 있습니다.",
    "The references are empty.": "참조가 비어 있습니다.",
    "The hypotheses are empty, or their references are.": "가설이나 그 참조가 비어 있습니다.",
    "No word of the hypotheses occurs in their references.": (
        "참조에 나오는 단어가 가설에 하나도 없습니다."
    ),
    "No character or word of the hypotheses occurs in their references.": (
        "참조에 나오는 글자나 단어가 가설에 하나도 없습니다."
    ),
    "None of the {total} {order}-grams occurs in the references, and smoothing {smoothing} leaves "
    "that precision at 0.": (
        "{order}-gram {total}개 가운데 참조에 나오는 것이 하나도 없고, 스무딩이 {smoothing}이므로 "
        "정밀도가 0입니다."
    ),
    "The only {order}-gram does not occur in the references, and smoothing {smoothing} leaves that "
    "precision at 0.": (
        "하나뿐인 {order}-gram이 참조에 나오지 않고, 스무딩이 {smoothing}이므로 정밀도가 0입니다."
    ),
    "No hypothesis has {order} or more tokens, so BLEU-{orders} is undefined: compute chrF for "
    "segments that are so short, and choose another tokenizer for text without spaces.": (
        "토큰이 {order}개 이상인 가설이 없어 BLEU-{orders} 점수를 정의할 수 없습니다. 이렇게 짧은 "
        "세그먼트는 chrF로 채점하고, 띄어 쓰지 않는 글에는 다른 토크나이저를 고르십시오."
    ),
    "No hypothesis is long enough for the orders with a nonzero weight.": (
        "가중치가 있는 차수의 n-gram이 나올 만큼 긴 가설이 없습니다."
    ),
    "The brevity penalty for {hyp_len} tokens against {ref_len} is too small for a float.": (
        "참조의 토큰 {ref_len}개에 가설의 토큰이 {hyp_len}개뿐이라, 간결성 페널티가 부동 소수점 "
        "수로 나타낼 수 없을 만큼 작습니다."
    ),
    "The references are empty, so the rate is undefined; it is 100 by convention.": (
        "참조가 비어 있어 비율을 정의할 수 없습니다. 관례에 따라 100으로 합니다."
    ),
    "The references are empty, so the rate is undefined; it is 0, because there are no edits.": (
        "참조가 비어 있어 비율을 정의할 수 없습니다. 편집이 없으므로 0으로 합니다."
    ),
}
