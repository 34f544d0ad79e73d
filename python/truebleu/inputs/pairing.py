"""Whether files of hypotheses and references belong together, as a sample of their lines shows."""

from __future__ import annotations

from truebleu.errors import SettingsWarning, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from truebleu.inputs.files import LineFile

    # A file by its name, with its first lines; None for a reference that is left out.
    Lines = tuple[str, Sequence[str | None]]

FIRST_LINES = 400
"""How many lines are looked at for all that may be wrong."""

# How many of them are compared, spread over the whole, and how many are too few.
_SAMPLE = 32
_ENOUGH = 16

_LARGEST_SHIFT = 5

# Farther down, only shifts are looked for: in windows of so many lines, of which every so many is
# compared, with at most so many lines between two, and fewer windows in what follows.
_WINDOW, _STEP = 32, 4
_BETWEEN, _MOST_WINDOWS = 512, 4

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


def check(systems: Sequence[Lines], references: Sequence[Lines]) -> set[str]:
    """Warn of systems that are shifted, or of another language, and of what is no translation.

    Returns the names of the systems of which something is said.
    """
    size = len(references[0][1])
    rows = range(0, size, -(-size // _SAMPLE) or 1)
    sampled = [[lines[row] or "" for row in rows] for _, lines in references]
    texts = [text for lines in sampled for text in lines if text]
    said: set[str] = set()
    if len(texts) < _ENOUGH:
        return said
    spaced = _is_spaced(texts)
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
            by = _shift(parts, rows, its_lines, cut)
            message = f"{_matched(by)}: the file is shifted" if by else ""
            message = message or _language(lines, its_lines, spaced=spaced)
        elif _is_suspicious(own, sampled[best]):
            message = _repeated(lines, its_lines, cut, spaced=spaced)
        if message:
            warn(f"{name} and {reference}: {message}", SettingsWarning)
            said.add(name)
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
    return said


class Watch:
    """Looks at each block of files that are read side by side; of a system, it warns once."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        # The number of blocks, and of their lines.
        self._blocks = self._lines = 0

    def look(self, systems: Sequence[LineFile], references: Sequence[LineFile], count: int) -> None:
        """Look at so many lines that are ready."""

        def texts(file: LineFile, most: int, behind: int) -> Lines:
            return file.name, file.lines.texts(most, behind)

        start = 0
        if not self._blocks:
            start = min(count, FIRST_LINES)
            sides = ([texts(each, start, 0) for each in side] for side in (systems, references))
            self._said |= check(*sides)
        most = _MOST_WINDOWS >> self._blocks or self._blocks % (2 * _MOST_WINDOWS) == 0
        windows = min(most, max(1, (count - start) // _BETWEEN)) if count >= 2 * _WINDOW else 0
        good = dict.fromkeys((file.name for file in systems), 0)
        for number in range(windows, 0, -1):
            # The last one ends with the block.
            last = max(0, count - _WINDOW)
            window = last - (last - start) * (number - 1) // windows
            others = _Window([texts(each, _WINDOW, window) for each in references])
            for file in systems:
                if file.name not in self._said:
                    own = texts(file, _WINDOW, window)
                    found = others.shift_of(own[1])
                    if found is None:
                        good[file.name] = window
                        continue
                    by, reference = found
                    one, other = (each.lines.texts(count) for each in (file, references[reference]))
                    between = good[file.name], window
                    first = self._lines + _first_shifted(one, other, by, *between)
                    self._said.add(file.name)
                    warn(
                        f"{file.name} and {references[reference].name}: from about line "
                        f"{first + 1:,} on, {_matched(by)}: a line is missing or too much there",
                        SettingsWarning,
                    )
        self._blocks += 1
        self._lines += count

    def end(self, files: Sequence[LineFile]) -> None:
        """Warn of a character that ends a line elsewhere, unless all files have it there."""
        places = {file.lines.separator for file in files}
        for file in files if len(places) > 1 else ():
            if message := file.separator():
                warn(message, SettingsWarning)


def _is_spaced(texts: Sequence[str]) -> bool:
    """Whether words are separated by spaces."""
    return sum(map(len, texts)) < _LONG_WORDS * sum(text.count(" ") + 1 for text in texts)


class _Window:
    """Some lines of the references, with which those of systems are compared."""

    def __init__(self, references: Sequence[Lines]) -> None:
        self._references = [lines for _, lines in references]
        self._rows = range(0, len(self._references[0]), _STEP)
        chosen = [[lines[row] or "" for row in self._rows] for lines in self._references]
        texts = [text for lines in chosen for text in lines if text]
        # Of references that are missing, nothing is said.
        self._is_known = 2 * len(texts) >= len(self._rows)
        self._cut = str.split if _is_spaced(texts) else _pairs
        self._parts = [[set(self._cut(text)) for text in lines] for lines in chosen]

    def shift_of(self, lines: Sequence[str | None]) -> tuple[int, int] | None:
        """Return by how many lines a system is shifted, and against which reference."""
        parts = [set(self._cut(lines[row] or "")) for row in self._rows]
        shared = [_mean(list(map(_shared, parts, each))) for each in self._parts]
        best = shared.index(max(shared))
        if shared[best] >= _UNRELATED or not self._is_known:
            return None
        every = [set(self._cut(text or "")) for text in lines]
        by = _shift(every, range(len(every)), self._references[best], self._cut)
        return (by, best) if by else None


def _first_shifted(
    own: Sequence[str | None], reference: Sequence[str | None], by: int, good: int, window: int
) -> int:
    """Return the first line behind a `good` window from which on lines match others better."""
    cut = str.split if _is_spaced([text or "" for text in reference[window:]]) else _pairs

    def shared(row: int, other: int) -> float:
        there = reference[other] or "" if 0 <= other < len(reference) else ""
        return _shared(set(cut(own[row] or "")), set(cut(there)))

    first, gain, most = window, 0.0, 0.0
    for row in range(window, good - 1, -1):
        gain += shared(row, row + by) - shared(row, row)
        if gain >= most:
            first, most = row, gain
    return first


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
) -> int:
    """Return by how many lines hypotheses are shifted; 0 if they are not."""
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
    return by if found[by] >= max(_UNRELATED, 2 * found[0]) else 0


def _matched(by: int) -> str:
    """Say which references hypotheses match that are shifted."""
    lines = f"{abs(by)} line{'s' * (abs(by) > 1)} {'below' if by > 0 else 'above'}"
    return f"hypotheses match references {lines}"


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
