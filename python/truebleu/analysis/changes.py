"""What differs between the texts of two scores: a path of single changes from one to the other."""

from __future__ import annotations

from collections import Counter

from truebleu._core import lowercase, normalize
from truebleu.analysis.dialects.texts import SPLITTERS
from truebleu.display import formatting
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Texts = list[str]
    References = list[list[str | None]]
    # For each text of a column, the place of the same text in another column.
    Places = list[int | None]


BEFORE = "as before"
"""What is not worth a word about how something was before it was changed."""

# Texts that are looked at to find out what was done to all.
_LOOKED_AT = 100


class Change(Record):
    """A corpus after a change, and in words what was changed, from what and to what."""

    hypotheses: Texts
    references: References
    aspect: str
    was: str
    now: str
    why: str = ""


def changes(start: tuple[Texts, References], end: tuple[Texts, References]) -> Iterator[Change]:
    """Change one corpus into another, step by step.

    Segments are aligned by their letters and digits, whatever their case and punctuation. Lines
    are first paired as in `end`; then segments are dropped and added, texts preprocessed, other
    texts replaced, and references left out and added.
    """
    if _is_same(start[0], [several[0] for several in end[1]]) and not _is_same(start[0], end[0]):
        hypotheses = [several[0] or "" for several in start[1]]
        start = hypotheses, [[text] for text in start[0]]
        yield _Path(*start, *end).change("files", BEFORE, "swapped")
    path = _Path(*start, *end)
    yield from path.lines()
    yield from path.preprocessing()
    yield from path.texts()
    yield from path.streams()


def _key(text: str | None) -> str | None:
    """Return what two versions of a text have in common."""
    if text is None or not text.strip():
        return None
    letters = "".join([c for c in normalize(text, "NFKD").casefold() if c.isalnum()])
    return letters or text


def _places(start: Sequence[str | None], end: Sequence[str | None]) -> Places:
    """Find each text of `end` in `start`; of equal ones, the next after the last that was found."""
    from bisect import bisect_left

    known: dict[str, list[int]] = {}
    for place, text in enumerate(map(_key, start)):
        if text is not None:
            known.setdefault(text, []).append(place)
    found: Places = []
    offset = 0
    for place, text in enumerate(map(_key, end)):
        same = known.get(text or "")
        if not same:
            found.append(None)
            continue
        index = min(bisect_left(same, place + offset), len(same) - 1)
        found.append(same.pop(index))
        offset = (found[-1] or 0) - place
    return found


def _share(places: Places, start: Sequence[object]) -> float:
    """Return which share of the shorter column was found."""
    count = sum(place is not None for place in places)
    return count / max(1, min(len(places), len(start)))


def _is_same(start: Sequence[str | None], end: Sequence[str | None]) -> bool:
    """Tell whether two columns are versions of the same texts."""
    return _share(_places(start, end), start) >= 0.5


class _Path:
    """The corpus on its way, as columns: hypotheses and streams of references.

    `known` has the streams of the end that are versions of streams on the way, with their places.
    """

    def __init__(
        self, hypotheses: Texts, references: References, target: Texts, targets: References
    ) -> None:
        self.hypotheses, self.references = hypotheses, references
        self.target, self.targets = target, targets
        columns, wanted = _streams(references), _streams(targets)
        self.known: dict[int, int] = {}
        rows: list[tuple[float, Places]] = []
        for place, stream in enumerate(wanted):
            shares = [
                (_share(found, column), -index, found)
                for index, column in enumerate(columns)
                if index not in self.known.values()
                for found in [_places(column, stream)]
            ]
            if shares and (best := max(shares))[0] >= 0.5:
                self.known[place] = -best[1]
                rows.append((best[0], best[2]))
        by_reference = max(rows)[1] if rows else None
        by_hypothesis: Places | None = _places(hypotheses, target)
        if _share(by_hypothesis or [], hypotheses) < 0.5:
            by_hypothesis = by_reference
        missing: Places = [None] * len(target)
        self._own = by_hypothesis or missing
        self._other = by_reference or self._own

    def _pairs(self) -> list[tuple[int | None, int | None]]:
        """Return for each segment of the end where its hypothesis and its references are."""
        pairs: list[tuple[int | None, int | None]] = []
        for own, other, text in zip(self._own, self._other, self.target, strict=True):
            if other is not None and _key(self.hypotheses[other]) == _key(text):
                own = other
            pairs.append((own, other))
        shifts = [
            0 if own is None or other is None else other - own for own, other in (*pairs, (0, 0))
        ]
        # A sentence that another system has elsewhere is no shift: neighbors are shifted together.
        return [
            (None, other) if shift and shift not in (shifts[place - 1], shifts[place + 1]) else pair
            for place, (pair, shift) in enumerate(zip(pairs, shifts, strict=False))
            for other in pair[1:]
        ]

    def change(self, aspect: str, was: str, now: str, why: str = "") -> Change:
        corpus = {"hypotheses": self.hypotheses, "references": self.references}
        return Change(**corpus, aspect=aspect, was=was, now=now, why=why)

    def _changed(self, count: int) -> str:
        return f"changed in {count:,} of {formatting.count(len(self.target), 'segment')}"

    def lines(self) -> Iterator[Change]:
        """Pair lines as in the end, then drop and add segments."""
        pairs = self._pairs()
        both = [(own, other) for own, other in pairs if own is not None and other is not None]
        moved = Counter(other - own for own, other in both if own != other)
        count = len(self.hypotheses)
        rows = [own if other is None else other for own, other in pairs]
        if moved:
            found = {place for pair in pairs for place in pair}
            rest = [(row, row) for row in range(count) if row not in found]
            kept = [*both, *rest]
            self.hypotheses = [self.hypotheses[own] for own, _ in kept]
            self.references = [self.references[other] for _, other in kept]
            [(shift, times)] = moved.most_common(1)
            now = "moved"
            if 2 * times > sum(moved.values()):
                lines = formatting.count(abs(shift), "line")
                now = f"moved {'up' if shift > 0 else 'down'} by {lines}"
            said = f"In {sum(moved.values()):,} of {len(both):,} segments."
            yield self.change("lines of the references", BEFORE, now, said)
            places = {pair: row for row, pair in enumerate(kept)}
            rows = [places.get(pair) for pair in pairs]  # type: ignore[call-overload]
            count = len(kept)
        dropped, added = count - sum(row is not None for row in rows), rows.count(None)
        # The texts of the start in the order of the end, where they are in both.
        paired = [
            (self.target[place], self._as_before(place))
            if row is None
            else (self.hypotheses[row], self.references[row])
            for place, row in enumerate(rows)
        ]
        self.hypotheses, self.references = (list(column) for column in zip(*paired, strict=True))
        if dropped or added or rows != sorted(rows):  # type: ignore[type-var]
            said = f"{dropped:,} left out, {added:,} added."
            yield self.change("segments", f"{count:,}", f"{len(self.target):,}", said)

    def _as_before(self, place: int) -> list[str | None]:
        """Return the references of a new segment in streams as they are before the change."""
        several = self.targets[place]
        if not self.known:
            return several
        width = max(map(len, self.references), default=1)
        streams = {old: new for new, old in self.known.items()}
        texts = [several[streams[old]] if old in streams else None for old in range(width)]
        if not any(text is not None for text in texts):
            # A segment needs a reference.
            texts[min(streams)] = next(text for text in several if text is not None)
        return texts

    def preprocessing(self) -> Iterator[Change]:
        """Undo and redo what was done to texts beforehand, in one step if it is to all of them."""
        sides = [(self.hypotheses, self.target)]
        for new, old in self.known.items():
            columns = (
                [several[side] for several in each]
                for each, side in ((self.references, old), (self.targets, new))
            )
            sides.append(tuple(columns))  # type: ignore[arg-type]
        done = [_preprocessing(*side) for side in sides]
        own, others = done[0], {each for each in done[1:] if each is not None}
        if own is not None and others == {own}:
            self._take_hypotheses()
            self._take_references()
            yield self.change("texts", *own)
            return
        if own is not None:
            self._take_hypotheses()
            yield self.change("hypotheses", *own)
        if others:
            self._take_references()
            yield self.change("references", *min(others))

    def _take_hypotheses(self) -> None:
        """Take the hypotheses of the end where they are versions of those on the way."""
        pairs = zip(self.hypotheses, self.target, strict=True)
        self.hypotheses = [new if _key(old) == _key(new) else old for old, new in pairs]

    def _take_references(self, *, all_texts: bool = False) -> None:
        """Take the references of the end where they are versions of those on the way, or all."""
        references = []
        for several, target in zip(self.references, self.targets, strict=True):
            several = list(several)
            for new, old in self.known.items():
                if all_texts or _key(several[old]) == _key(target[new]):
                    several[old] = target[new]
            references.append(several)
        self.references = references

    def texts(self) -> Iterator[Change]:
        """Replace hypotheses and references that are other texts."""
        if count := _differing(self.hypotheses, self.target):
            self.hypotheses = self.target
            yield self.change("hypotheses", BEFORE, self._changed(count))
        before = self.references
        self._take_references(all_texts=True)
        if count := _differing(before, self.references):
            yield self.change("references", BEFORE, self._changed(count))

    def streams(self) -> Iterator[Change]:
        """Add references one by one, then leave out those that the end lacks."""
        width = max(map(len, self.references))
        for new in range(len(self.targets[0])) if self.known else ():
            if new not in self.known:
                pairs = zip(self.references, self.targets, strict=True)
                self.references = [[*several, target[new]] for several, target in pairs]
                self.known[new] = width
                width += 1
                said = f"Reference {new + 1} is added."
                yield self.change("references", str(width - 1), str(width), said)
        count = width
        for old in reversed(range(width)) if self.known else ():
            if old not in self.known.values():
                self.references = [[*each[:old], *each[old + 1 :]] for each in self.references]
                count -= 1
                said = f"Reference {old + 1} is left out."
                yield self.change("references", str(count + 1), str(count), said)
        if self.references != self.targets:
            count = _differing(self.references, self.targets)
            self.references = self.targets
            now = "in another order" if self.known else self._changed(count)
            yield self.change("references", BEFORE, now)


def _streams(references: References) -> list[Sequence[str | None]]:
    """Return complete translations; none if segments have different numbers of references."""
    if len(set(map(len, references))) != 1:
        return []
    return list(zip(*references, strict=True))


def _differing(one: Sequence[object], other: Sequence[object]) -> int:
    return sum(first != second for first, second in zip(one, other, strict=True))


def _named() -> dict[str, Callable[[str], str]]:
    """Return what people do to texts before they score them, by what the texts then are."""
    from truebleu.metrics.functions import tokenize

    def tokenized(name: str) -> Callable[[str], str]:
        return lambda text: " ".join(tokenize(text, name))

    return {
        "lower-cased": lowercase,
        "without spaces at the ends": str.strip,
        **{f"in {form}": _in_form(form) for form in ("NFC", "NFKC", "NFD", "NFKD")},
        "without punctuation": SPLITTERS["no punctuation"],
        **{f"tokenized by {name}": tokenized(name) for name in ("13a", "intl", "zh", "none")},
        "cut into characters": SPLITTERS["characters"],
    }


def _in_form(form: str) -> Callable[[str], str]:
    return lambda text: normalize(text, form)


def _preprocessing(
    start: Sequence[str | None], end: Sequence[str | None]
) -> tuple[str, str] | None:
    """Say in words what texts are before and after; None if nothing was done to all of them."""
    pairs = [
        (old, new)
        for old, new in zip(start, end, strict=True)
        if old is not None and new is not None and _key(old) == _key(new)
    ]
    # The others must stay as they are.
    looked = [
        [pair for pair in pairs if (pair[0] == pair[1]) == same][:_LOOKED_AT]
        for same in (False, True)
    ]
    if not looked[0]:
        return None
    named = _named()
    # One after the other, such as lower-cased text without punctuation.
    done: dict[str, Callable[[str], str]] = dict(named)
    for first, one in named.items():
        for second, other in named.items():
            if first != second:
                done[f"{first}, {second}"] = lambda text, one=one, other=other: other(one(text))
    for name, do in done.items():
        if all(_explains(do, part) for part in looked):
            return BEFORE, name
        if all(_explains(do, [(new, old) for old, new in part]) for part in looked):
            return name, "as they are"
    return None


def _explains(do: Callable[[str], str], pairs: list[tuple[str, str]]) -> bool:
    """Tell whether it turns nine of ten texts into the others."""
    allowed = len(pairs) // 10
    for old, new in pairs:
        allowed -= do(old) != new
        if allowed < 0:
            return False
    return True
