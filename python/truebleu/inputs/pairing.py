"""Whether files of hypotheses and references belong together, as a sample of their lines shows."""

from __future__ import annotations

from itertools import starmap

from truebleu.errors import SettingsWarning, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

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

_NOT_TEXT = (
    "if they have sources, numbers, times or tags, which match whatever the translation is, leave "
    "these out"
)


def check(systems: Sequence[Lines], references: Sequence[Lines]) -> None:
    """Warn of systems that are shifted, or of another language, and of what is no translation."""
    texts = [text for _, lines in references for text in lines if text]
    spaced = sum(map(len, texts)) < _LONG_WORDS * sum(text.count(" ") + 1 for text in texts)
    cut = str.split if spaced else _pairs
    columns = [[text or "" for text in lines] for _, lines in references]
    size = len(columns[0])
    rows = [row for row in range(0, size, -(-size // _SAMPLE)) if any(c[row] for c in columns)]
    if len(rows) < _ENOUGH:
        return
    expected = [[set(cut(column[row])) for row in rows] for column in columns]
    others: dict[str, list[str]] = {}
    for name, lines in systems:
        own = [text or "" for text in lines]
        parts = [set(cut(own[row])) for row in rows]
        shared = [_mean(map(_shared, parts, column)) for column in expected]
        best = shared.index(max(shared))
        if shared[best] >= _UNRELATED:
            for (reference, _), column in zip(references, expected, strict=True):
                # Of a reference that is missing, nothing is said.
                both = [(one, other) for one, other in zip(parts, column, strict=True) if other]
                if len(both) >= _ENOUGH and _mean(starmap(_shared, both)) < _OF_BEST * shared[best]:
                    others.setdefault(reference, []).append(name)
            message = _repeated(own, columns[best], cut, spaced=spaced)
        else:
            found = _shift(parts, rows, columns[best], cut)
            message = found or _language(own, columns[best], spaced=spaced)
        if message:
            warn(f"{name} and {references[best][0]}: {message}", SettingsWarning)
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


def _shared(one: Collection[str], other: Collection[str]) -> float:
    if not one and not other:
        return 1.0
    return 2 * len(set(one).intersection(other)) / (len(one) + len(other))


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found) if found else 0.0


def _shift(
    parts: Sequence[set[str]],
    rows: Sequence[int],
    reference: Sequence[str],
    cut: Callable[[str], list[str]],
) -> str:
    """Say by how many lines hypotheses are shifted."""
    found = {}
    for by in range(-_LARGEST_SHIFT, _LARGEST_SHIFT + 1):
        there = [number for number, row in enumerate(rows) if 0 <= row + by < len(reference)]
        found[by] = _mean(_shared(parts[n], set(cut(reference[rows[n] + by]))) for n in there)
    by = max(found, key=lambda each: found[each])
    if found[by] < max(_UNRELATED, 2 * found[0]):
        return ""
    lines = f"{abs(by)} line{'s' * (abs(by) > 1)}"
    return (
        f"hypotheses match references {lines} {'below' if by > 0 else 'above'}: the file is shifted"
    )


def _language(own: Sequence[str], reference: Sequence[str], *, spaced: bool) -> str:
    from collections import Counter

    low = [[text.lower() for text in lines[:100]] for lines in (own, reference)]
    counts = [
        Counter(text[at : at + 3] for text in texts for at in range(len(text) - 2)) for texts in low
    ]
    one, other = counts
    both = sum(number * other[part] for part, number in one.items())
    squares = [sum(number * number for number in count.values()) for count in counts]
    alike = both >= _SAME_LANGUAGE[spaced] * (squares[0] * squares[1]) ** 0.5
    return "" if alike else "the texts look like different languages"


def _repeated(
    own: Sequence[str], reference: Sequence[str], cut: Callable[[str], list[str]], *, spaced: bool
) -> str:
    """Say that segments equal a reference, or begin like it, though the rest of them is unlike."""
    size, pairs = len(own), list(zip(own, reference, strict=True))
    unequal = [(one, other) for one, other in pairs if one != other]
    if size - len(unequal) >= _EQUAL * size:
        rest = _mean(_shared(cut(one), cut(other)) for one, other in unequal)
        long = [(one == other, other) for one, other in pairs if len(other) >= _LONG]
        expected = sum(rest ** len(cut(other)) for _, other in long)
        equal = len({other for same, other in long if same})
        if rest < _LOOSELY_RELATED[spaced] and equal > max(
            _EQUAL * size, _TIMES_EXPECTED * expected
        ):
            return (
                f"{size - len(unequal):,} of the first {size:,} lines are equal, and the others "
                f"have little in common: {_NOT_TEXT}"
            )
    begun = [(one.partition(" "), other.partition(" ")) for one, other in unequal]
    alike = [one for one, other in begun if one[0] == other[0] and one[1]]
    if len(alike) >= max(_ENOUGH, _BEGIN_ALIKE * len(begun)):
        rest = _mean(_shared(cut(one[2]), cut(other[2])) for one, other in begun)
        if rest < _LOOSELY_RELATED[spaced] and len({one[0] for one in alike}) > _DIFFERENT * len(
            alike
        ):
            return (
                f"{len(alike):,} of the first {size:,} lines begin with the same word, a different "
                f"one in each, and the others of their words differ: {_NOT_TEXT}"
            )
    return ""
