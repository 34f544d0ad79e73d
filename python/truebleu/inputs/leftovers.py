"""Text that is not the text of its author: left-overs of tools, and characters that are not seen.

The core finds the signs (``SIGNS``) in a sample of the segments, and counts those that are no
accident in all. Here is what each means: the registries LEFTOVERS and ODD.
"""

from __future__ import annotations

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Sample = list[tuple[str, list[str]]]

PAGE = "https://truebleu.github.io/truebleu/text.html"
"""Where each warning, and what to do, is explained."""

SHARE = 0.05
"""The share of segments from which on a sign is no accident."""

# The same for what is only odd if nearly all have it.
_NEARLY_ALL = 0.9

# A sign of one side only is at most half as frequent on the other.
_OTHER_SIDE = 0.5

# The least change of a score, on a scale of 100, that is worth a word.
_CHANGE = 0.1

# What follows a label, such as Translation: or [DE], rather than the first word of a sentence.
_LABEL_ENDS = (":", "\uff1a", "]", ">", "|")


class Leftover(Record):
    """What a tool leaves in text, how it is removed, and where it is looked for.

    If `one_side`, both hypotheses and references may have it as part of their text, so that only
    one side with it is odd; `share` is that of the segments which have it.
    """

    what: str
    fix: str
    one_side: bool = False
    share: float = SHARE


_SKIP = "decode with skip_special_tokens=True"
_UNESCAPE = "html.unescape(text) decodes them"
_MISSING = "leave these segments out, or read files with keep_default_na=False"

LEFTOVERS = {
    "subword-nmt": Leftover(
        what="BPE segments", fix="decode with --remove-bpe, or sed -E 's/@@( |$)//g'"
    ),
    "SentencePiece": Leftover(
        what="SentencePiece segments",
        fix="decode with spm_decode or --remove-bpe sentencepiece, or sed 's/ //g; s/▁/ /g'",
    ),
    "WordPiece": Leftover(
        what="WordPiece segments", fix="decode with the tokenizer's decode(), or sed 's/ ##//g'"
    ),
    "byte-level BPE": Leftover(
        what="byte-level BPE segments",
        fix="decode with the tokenizer's decode() instead of joining its tokens",
    ),
    "morphs": Leftover(
        what="segments of words", fix="join them with the tool that has split the words"
    ),
    "special token": Leftover(what="special tokens of a model", fix=_SKIP),
    "unknown word": Leftover(
        what="unknown words of a model",
        fix="its vocabulary lacks words of the text: use byte fallback, or --replace-unk",
    ),
    "reasoning": Leftover(
        what="tags of a model's answer",
        fix="keep the answer only, as re.sub(r'(?s)<think>.*</think>', '', text) does",
    ),
    "template": Leftover(
        what="parts of a chat template",
        fix="decode the new tokens only, output[len(prompt):], with skip_special_tokens=True",
        one_side=True,
    ),
    "code fence": Leftover(what="code fences", fix="keep what is between them", one_side=True),
    "list": Leftover(
        what="the repr of a list",
        fix="take the str out of the list, or ' '.join(it)",
        one_side=True,
    ),
    "dict": Leftover(
        what="the repr of a dict",
        fix="take the text out, as in json.loads(it)['text']",
        one_side=True,
    ),
    "bytes": Leftover(what="the repr of bytes", fix="decode with data.decode(), not str(data)"),
    "nan": Leftover(what="missing values", fix=_MISSING),
    "null": Leftover(what="missing values", fix=_MISSING, one_side=True),
    "XML entity": Leftover(what="escaped characters", fix=_UNESCAPE),
    "entity": Leftover(what="escaped characters", fix=_UNESCAPE),
    "end of sentence": Leftover(
        what="marks between sentences", fix="remove them with sed 's/ *_eos */ /g'"
    ),
    "n-best list": Leftover(
        what="columns, as of an n-best list", fix="keep only the column that is the text"
    ),
    "quotes": Leftover(
        what="quotes round nearly every text",
        fix="""remove them with sed -E 's/^"(.*)"$/\\1/', or read them as CSV""",
        one_side=True,
        share=_NEARLY_ALL,
    ),
    "beginning": Leftover(
        what="the same beginning",
        fix="remove it with text.removeprefix(...), or with sed",
        one_side=True,
        share=_NEARLY_ALL,
    ),
}
"""What stands in text without being part of it, by the name of the sign."""


class Odd(Record):
    """Characters that are not seen, and text without them, which may have another score."""

    what: str
    without: Callable[[str], str]
    fix: str
    one_side: bool = True


def _deleted(characters: Iterable[int]) -> Callable[[str], str]:
    table = dict.fromkeys(characters)
    return lambda text: text.translate(table)


_REMOVE = "remove them from both sides"

ODD = {
    "zero-width": Odd(
        what="characters without width, such as U+200B,",
        without=_deleted([*range(0x200B, 0x200E), 0x2060, 0xFEFF]),
        fix=_REMOVE,
    ),
    "soft hyphen": Odd(
        what="soft hyphens (U+00AD)", without=_deleted([0xAD]), fix=_REMOVE, one_side=False
    ),
    "direction": Odd(
        what="marks of the direction of writing, such as U+200E,",
        without=_deleted([0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
        fix=_REMOVE,
    ),
    "full-width": Odd(
        what="full-width letters or digits",
        without=lambda text: text.translate({c: c - 0xFEE0 for c in range(0xFF01, 0xFF5F)}),
        fix="set unicode_form='NFKC'",
    ),
    "line separator": Odd(
        what="line separators (U+0085, U+2028 or U+2029)",
        without=lambda text: text.translate(dict.fromkeys((0x85, 0x2028, 0x2029), " ")),
        fix="replace them with spaces",
        one_side=False,
    ),
    "outer space": Odd(
        what="spaces at the beginning or end", without=str.strip, fix="strip the texts"
    ),
    "carriage return": Odd(
        what="carriage returns at the end",
        without=lambda text: text.rstrip("\r"),
        fix="strip the texts, or open files with newline=None",
    ),
}
"""What is not seen in text, by the name of the sign."""


def is_odd(counts: tuple[int, int], of: int, share: float, *, one_side: bool) -> bool:
    """Whether enough of so many segments have a sign, on either side or on `one_side` only."""
    least, most = sorted(counts)
    return most >= max(2, share * of) and not (one_side and least > _OTHER_SIDE * most)


def leftovers(
    facts: dict[str, Any], name: str, *, decodes_xml: bool, lines: bool = False
) -> dict[str, str]:
    """Say by sign which left-overs the text of the system called `name` has, in `lines` or not.

    Some tokenizers decode the entities of XML, so that these are none.
    """
    segments, signs = facts["segments"], facts["signs"]
    messages: dict[str, str] = {}
    for sign, rule in LEFTOVERS.items():
        # What has been said is what texts begin with.
        known = (sign == "XML entity" and decodes_xml) or (sign == "beginning" and messages)
        if known or sign not in signs:
            continue
        counts, first, marker = signs[sign]
        label = sign == "beginning" and marker.rstrip().endswith(_LABEL_ENDS)
        one_side = rule.one_side and not label
        if is_odd(counts, segments, rule.share, one_side=one_side):
            who = _who([count >= rule.share * segments for count in counts], name)
            number = max(counts)
            percent = f"{number / segments:{'.0%' if 10 * number >= segments else '.1%'}}"
            share = f"{number:,} of {segments:,} segments ({percent})"
            where = _where(first, lines=lines)
            messages[sign] = _message(who, rule, marker, f"in {share}, first in {where}")
    return messages


def in_single(facts: dict[str, Any]) -> str | None:
    """Say what a segment has, if it has left-overs as others that were scored by themselves."""
    for sign, (_, _, marker) in facts["signs"].items():
        if sign in LEFTOVERS:
            where = "in at least 5% of the segments that were looked at"
            return _message("segments have", LEFTOVERS[sign], marker, where)
    return None


def _message(who: str, rule: Leftover, marker: str, where: str) -> str:
    return (
        f"{who} {rule.what}: {marker!r} {where}; the score is that of the text as it is; "
        f"{rule.fix}; see {PAGE}"
    )


def _who(sides: list[bool], name: str) -> str:
    """Say whose text it is: that of the hypotheses, of the references, or of both."""
    if not sides[0]:
        return "the references have"
    has = "has" if name != "hypotheses" else "have"
    return f"{name} and the references have" if sides[1] else f"{name} {has}"


def _where(segment: int, *, lines: bool) -> str:
    return f"line {segment + 1:,}" if lines else f"segment {segment:,} (counted from 0)"


def odd_characters(
    facts: dict[str, Any], name: str, metric: str, score: Callable[[Sample], float]
) -> dict[str, str]:
    """Say by sign which characters that are not seen change the score of a sample, and how much."""
    sample, messages = facts["sample"], {}
    for sign, (counts, _, _) in facts["signs"].items():
        odd = ODD.get(sign)
        if odd is None or not is_odd(counts, facts["sampled"], SHARE, one_side=odd.one_side):
            continue
        change = changed(sample, odd.without, metric, score)
        if change:
            who = _who([count >= SHARE * facts["sampled"] for count in counts], name)
            messages[sign] = (
                f"{who} {odd.what} that change the score: {change} without them; {odd.fix}; see "
                f"{PAGE}"
            )
    return messages


def changed(
    sample: Sample, without: Callable[[str], str], metric: str, score: Callable[[Sample], float]
) -> str:
    """Say what the score of a sample is, and what it would be; nothing if that makes no odds."""
    clean = [(without(text), [*map(without, others)]) for text, others in sample]
    before, after = score(sample), score(clean)
    # Where there is nothing left to score, a score may be no number.
    if not abs(after - before) >= _CHANGE:
        return ""
    return f"{metric} of {len(sample):,} segments is {before:.2f}, and {after:.2f}"


def empty(facts: dict[str, Any], name: str, *, lines: bool = False) -> dict[str, str]:
    """Say by sign that segments have no text, or that all texts of a system are equal."""
    signs, segments = facts["signs"], facts["segments"]
    have, are = ("have", "are") if name == "hypotheses" else ("has", "is")
    numbers = {sign: counts[0] for sign, (counts, _, _) in signs.items()}
    odd = {sign for sign, n in numbers.items() if is_odd((n, 0), segments, SHARE, one_side=False)}
    messages = {}
    if "empty" in odd:
        messages["empty"] = (
            f"{name} {are} empty in {numbers['empty']:,} of {segments:,} segments, first in "
            f"{_where(signs['empty'][1], lines=lines)}; look for outputs that are missing; see "
            f"{PAGE}"
        )
    # Of text that is indented, such as code, blank lines are part.
    if "blank" in odd and numbers.get("outer space", 0) < SHARE * facts["sampled"]:
        messages["blank"] = (
            f"{name} and the references are both empty in {numbers['blank']:,} of {segments:,} "
            f"segments, first in {_where(signs['blank'][1], lines=lines)}; leave out blank lines "
            f"between documents; see {PAGE}"
        )
    # Where references are equal as well, sources are, and the outputs may be right.
    if numbers.get("equal") == segments and signs["equal"][0][1] < max(2, SHARE * segments):
        messages["equal"] = (
            f"{name} {have} the same text in all {segments:,} segments; look for a column or a "
            f"variable that is not the text; see {PAGE}"
        )
    return messages
