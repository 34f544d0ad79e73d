"""Whether files of hypotheses and references belong together, as a sample of their lines shows."""

from __future__ import annotations

from truebleu.errors import SettingsWarning, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    # A file by its name, with its first lines; None for a reference that is left out.
    Lines = tuple[str, Sequence[str | None]]

FIRST_LINES = 400
"""How many lines are looked at."""

# How many of them are compared, spread over the whole, and how many are too few.
_SAMPLE = 32
_ENOUGH = 16

_LARGEST_SHIFT = 5

# Text whose words have more characters than this on average is not separated by spaces.
_LONG_WORDS = 10

# The share of words that two texts have in common. In WMT, the worst system has 0.37; lines that
# are not translations of the same have 0.05 to 0.15. Those of loosely related texts have less, of
# words or, without spaces, of pairs of characters.
_UNRELATED = 0.2
_LOOSELY_RELATED = {True: 0.65, False: 0.4}

# A reference that has less than this share of the words that the best one has is none.
_OF_BEST = 1 / 3

# Cosine of the frequencies of three characters in a row. Systems of WMT have at least 0.7, or 0.48
# without spaces; languages of one script, such as English and German, 0.38 at most.
_SAME_LANGUAGE = {True: 0.5, False: 0.25}

# The share of different texts of some length that may equal their reference, and by how many times
# it may be more than follows from the words that the other segments share.
_EQUAL = 0.2
_TIMES_EXPECTED = 10
_LONG = 20

# The share of segments that begin like their reference, and of beginnings that differ.
_BEGIN_ALIKE = 0.97
_DIFFERENT = 0.2

# What is said of lines that are alike, while their other words are not.
_NOT_TEXT = (
    ", and the others of their words have little in common: sources, numbers, times or tags match "
    "whatever the translation is, so leave them out"
)


def check(systems: Sequence[Lines], references: Sequence[Lines]) -> None:
    """Warn of systems that are shifted, or of another language, and of what is no translation."""
    size = len(references[0][1])
    rows = range(0, size, -(-size // _SAMPLE) or 1)
    sampled = [[lines[row] or "" for row in rows] for _, lines in references]
    texts = [text for lines in sampled for text in lines if text]
    if len(texts) < _ENOUGH:
        return
    spaced = sum(map(len, texts)) < _LONG_WORDS * sum(text.count(" ") + 1 for text in texts)
    cut = str.split if spaced else _pairs
    expected = [[set(cut(text)) for text in lines] for lines in sampled]
    others: dict[str, list[str]] = {}
    for name, lines in systems:
        own = [lines[row] or "" for row in rows]
        parts = [set(cut(text)) for text in own]
        # Of a reference that is missing, nothing is said.
        shared = [
            _mean([_shared(*two) for two in zip(parts, c, strict=True) if two[1]]) for c in expected
        ]
        best = shared.index(max(shared))
        reference, its_lines = references[best]
        message = ""
        if shared[best] < _UNRELATED:
            message = _shift(parts, rows, its_lines, cut) or _language(
                lines, its_lines, spaced=spaced
            )
        elif _is_suspicious(own, sampled[best]):
            message = _repeated(lines, its_lines, cut, spaced=spaced)
        if message:
            warn(f"{name} and {reference}: {message}", SettingsWarning)
        for (other, _), column, each in zip(references, expected, shared, strict=True):
            if each < _OF_BEST * shared[best] and sum(map(bool, column)) >= _ENOUGH:
                others.setdefault(other, []).append(name)
    if others:
        reference, names = next(iter(others.items()))
        more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
        are = f" and {len(others) - 1:,} more references share" if len(others) > 1 else " shares"
        warn(
            f"{reference}{are} almost no words with {names[0]}{more}, which another reference "
            "matches: score each set of systems with the references of its own text and language",
            SettingsWarning,
        )


def _pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(max(1, len(text) - 1))]


def _shared(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other) or 1)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / (len(numbers) or 1)


def _is_suspicious(lines: Sequence[str], reference: Sequence[str]) -> bool:
    """Whether more of some lines are equal, or begin alike, than those of most systems."""
    equal, alike = 0, 0
    for one, other in zip(lines, reference, strict=True):
        equal += one == other
        alike += one.partition(" ")[0] == other.partition(" ")[0]
    return 2 * equal > _EQUAL * len(lines) or alike > 0.9 * len(lines)


def _shift(
    parts: Sequence[set[str]],
    rows: Sequence[int],
    reference: Sequence[str | None],
    cut: Callable[[str], list[str]],
) -> str:
    """Say by how many lines hypotheses are shifted."""
    found = {}
    for by in range(-_LARGEST_SHIFT, _LARGEST_SHIFT + 1):
        there = zip(parts, (row + by for row in rows), strict=True)
        found[by] = _mean(
            [
                _shared(part, set(cut(reference[row] or "")))
                for part, row in there
                if 0 <= row < len(reference)
            ]
        )
    by = max(found, key=lambda each: found[each])
    if found[by] < max(_UNRELATED, 2 * found[0]):
        return ""
    lines = f"{abs(by)} line{'s' * (abs(by) > 1)} {'below' if by > 0 else 'above'}"
    return f"hypotheses match references {lines}: the file is shifted"


def _language(lines: Sequence[str | None], reference: Sequence[str | None], *, spaced: bool) -> str:
    from collections import Counter

    low = [[(text or "").lower() for text in texts[:100]] for texts in (lines, reference)]
    one, other = (
        Counter(text[at : at + 3] for text in texts for at in range(len(text) - 2)) for texts in low
    )
    both = sum(number * other[part] for part, number in one.items())
    squares = [sum(number * number for number in count.values()) for count in (one, other)]
    alike = both >= _SAME_LANGUAGE[spaced] * (squares[0] * squares[1]) ** 0.5
    return "" if alike else "the texts look like different languages"


def _repeated(
    lines: Sequence[str | None],
    reference: Sequence[str | None],
    cut: Callable[[str], list[str]],
    *,
    spaced: bool,
) -> str:
    """Say that lines equal their reference, or begin like it, though the rest of them is unlike."""
    pairs = [(one or "", other or "") for one, other in zip(lines, reference, strict=True)]
    unequal = [(one, other) for one, other in pairs if one != other]

    def rest(texts: Iterable[tuple[str, str]]) -> float:
        return _mean([_shared(set(cut(one)), set(cut(other))) for one, other in texts])

    size, related = len(pairs), _LOOSELY_RELATED[spaced]
    likeness = rest(unequal)
    equal = {other for one, other in pairs if one == other and len(other) >= _LONG}
    expected = sum(likeness ** len(cut(other)) for _, other in pairs if len(other) >= _LONG)
    if likeness < related and len(equal) > max(_EQUAL * size, _TIMES_EXPECTED * expected):
        return f"{size - len(unequal):,} of the first {size:,} lines are equal{_NOT_TEXT}"
    begun = [(one.partition(" "), other.partition(" ")) for one, other in unequal]
    alike = [one[0] for one, other in begun if one[0] == other[0] and one[1]]
    enough = len(alike) >= max(_ENOUGH, _BEGIN_ALIKE * len(begun))
    differ = len({*alike}) > _DIFFERENT * len(alike)
    if enough and differ and rest((one[2], other[2]) for one, other in begun) < related:
        return (
            f"{len(alike):,} of the first {size:,} lines begin alike, each differently{_NOT_TEXT}"
        )
    return ""
