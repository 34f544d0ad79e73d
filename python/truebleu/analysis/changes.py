"""What differs between the texts of two scores: a path of single changes from one to the other."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from functools import reduce
from html import unescape
from itertools import permutations
from typing import Any

from truebleu._core import lowercase, normalize
from truebleu.analysis.dialects.texts import SPLITTERS
from truebleu.display import formatting
from truebleu.metrics.explanation import DifferencePart
from truebleu.metrics.functions import tokenize

Column = list[str | None]
Corpus = tuple[list[str], list[list[str | None]]]
# For each text of a column, the place of the same text in another column.
Places = list[int | None]

BEFORE = "as before"
"""What something was that is now otherwise, if there is no more to say about it."""

# The share of texts that two versions of a column have in common, at least.
_SAME = 0.5

# Texts that are looked at to find out what was done to all.
_LOOKED_AT = 200

# What people do to texts before they score them, by what the texts then are.
_PREPROCESSING: dict[str, Callable[[str], str]] = {
    "lower-cased": lowercase,
    "without spaces at the ends": str.strip,
    "in NFC": lambda text: normalize(text, "NFC"),
    "in NFKC": lambda text: normalize(text, "NFKC"),
    "in NFD": lambda text: normalize(text, "NFD"),
    "without punctuation": SPLITTERS["no punctuation"],
    "tokenized by 13a": lambda text: " ".join(tokenize(text)),
    "tokenized by intl": lambda text: " ".join(tokenize(text, tokenizer="intl")),
    "tokenized by zh": lambda text: " ".join(tokenize(text, tokenizer="zh")),
    "without repeated spaces": lambda text: " ".join(text.split()),
    "cut into characters": SPLITTERS["characters"],
}


def changes(start: Corpus, end: Corpus) -> Iterator[tuple[Corpus, DifferencePart]]:
    """Change one corpus into another, step by step; the shares of the parts are open.

    Segments are aligned by their letters and digits, whatever their case and punctuation. Lines
    are first paired as in `end`; then segments are left out and added, texts preprocessed, other
    texts replaced, and references added and left out.
    """
    path = _Path(start, end)
    if path.found(0, path.target[0])[0] < _SAME <= path.found(0, path.target[1])[0]:
        # Hypotheses are references at the end, and not hypotheses.
        path = _Path(
            ([several[0] or "" for several in start[1]], [[each] for each in start[0]]), end
        )
        yield path.change("files", "swapped")
    yield from path.lines()
    yield from path.preprocessing()
    yield from path.texts()
    yield from path.streams()


class _Path:
    """The columns on the way to others, and in `versions` which of these have the same texts."""

    def __init__(self, start: Corpus, end: Corpus) -> None:
        self.columns, self.target = _columns(*start), _columns(*end)
        self.versions = {0: 0}
        best, self._other = 0.0, _places([], self.target[0])
        for new, stream in enumerate(self.target[1:], 1):
            left = {*range(1, len(self.columns))} - {*self.versions.values()}
            found = [(*self.found(old, stream), old) for old in sorted(left)]
            share, places, old = max(found, key=lambda each: each[0], default=(0.0, [], 0))
            if share >= _SAME:
                self.versions[new] = old
                if share > best:
                    best, self._other = share, places
        share, self._own = self.found(0, self.target[0])
        if share < _SAME:
            self._own = self._other
        elif not best:
            self._other = self._own

    def found(self, old: int, stream: Column) -> tuple[float, Places]:
        """Return the places of a column of the end, and which share of it was found."""
        places = _places(self.columns[old], stream)
        # Of the shorter of the two: a test set may have become longer or shorter.
        return (len(places) - places.count(None)) / min(len(places), len(self.columns[old])), places

    def change(
        self, aspect: str, now: str, was: str = BEFORE, why: str = ""
    ) -> tuple[Corpus, DifferencePart]:
        # A segment needs a reference, if only an empty one until it has its own.
        references: list[Column] = [
            [*several] if any(text is not None for text in several) else [""]
            for several in zip(*self.columns[1:], strict=True)
        ]
        corpus = [text or "" for text in self.columns[0]], references
        return corpus, DifferencePart(name=aspect, share=0.0, one=now, other=was, why=why)

    def lines(self) -> Iterator[tuple[Corpus, DifferencePart]]:
        """Pair lines as in the end, then leave out and add segments."""
        pairs = self._pairs()
        both = [(own, other) for own, other in pairs if own is not None and other is not None]
        moved = Counter(other - own for own, other in both if own != other)
        rows = [own if other is None else other for own, other in pairs]
        if moved:
            found = {place for pair in pairs for place in pair}
            rest = (row for row in range(len(self.columns[0])) if row not in found)
            kept = [*both, *((row, row) for row in rest)]
            self.columns = [
                [column[pair[min(place, 1)]] for pair in kept]
                for place, column in enumerate(self.columns)
            ]
            [(shift, times)] = moved.most_common(1)
            now, count = "moved", sum(moved.values())
            if 2 * times > count:
                lines = formatting.count(abs(shift), "line")
                now = f"moved {'up' if shift > 0 else 'down'} by {lines}"
            said = f"In {count:,} of {len(both):,} segments."
            yield self.change("lines of the references", now, why=said)
            places: dict[Any, int] = {pair: row for row, pair in enumerate(kept)}
            rows = [places.get(pair) for pair in pairs]
        count = len(self.columns[0])
        if rows == list(range(count)):
            return
        if rows.count(None) == len(rows):
            # This is another corpus altogether.
            self.columns = self.columns[:1] * len(self.target)
            self.versions = {new: new for new in range(len(self.target))}
        texts = {old: self.target[new] for new, old in self.versions.items()}
        empty: Column = [None] * len(rows)
        self.columns = [
            [
                texts.get(old, empty)[place] if row is None else column[row]
                for place, row in enumerate(rows)
            ]
            for old, column in enumerate(self.columns)
        ]
        added = rows.count(None)
        said = f"{count - len(rows) + added:,} left out, {added:,} added."
        yield self.change("segments", f"{len(rows):,}", f"{count:,}", said)

    def _pairs(self) -> list[tuple[int | None, int | None]]:
        """Return for each segment of the end where its hypothesis and its references are."""
        keys, target = list(map(_key, self.columns[0])), map(_key, self.target[0])
        pairs = [
            (other if other is not None and keys[other] == text else own, other)
            for own, other, text in zip(self._own, self._other, target, strict=True)
        ]
        shifts = [0 if None in pair else pair[1] - pair[0] for pair in (*pairs, (0, 0))]  # type: ignore[operator]
        # A sentence that another system has elsewhere is no shift: neighbors are shifted together.
        return [
            (None, pair[1])
            if shifts[at] and shifts[at] not in (shifts[at - 1], shifts[at + 1])
            else pair
            for at, pair in enumerate(pairs)
        ]

    def preprocessing(self) -> Iterator[tuple[Corpus, DifferencePart]]:
        """Do what was done to texts beforehand, in one step if it was done to all of them."""
        done: dict[tuple[str, str], list[int]] = {}
        for new, old in self.versions.items():
            words = _preprocessing(self.columns[old], self.target[new])
            if words is not None:
                done.setdefault(words, []).append(new)
        for words, chosen in done.items():
            for place in chosen:
                pairs = zip(self.columns[self.versions[place]], self.target[place], strict=True)
                self.columns[self.versions[place]] = [
                    new
                    if _key(old) == _key(new) or _is_changed(words, old or "", new or "")
                    else old
                    for old, new in pairs
                ]
            aspect = "texts" if len(chosen) > 1 else "references"
            was, now = words
            yield self.change("hypotheses" if chosen == [0] else aspect, now, was)

    def texts(self) -> Iterator[tuple[Corpus, DifferencePart]]:
        """Replace hypotheses, and then references, that are other texts."""
        for aspect, chosen in (("hypotheses", [0]), ("references", [*self.versions][1:])):
            changed = set()
            for new in chosen:
                pairs = zip(self.columns[self.versions[new]], self.target[new], strict=True)
                changed |= {place for place, pair in enumerate(pairs) if pair[0] != pair[1]}
                self.columns[self.versions[new]] = self.target[new]
            if changed:
                of = formatting.count(len(self.target[0]), "segment")
                yield self.change(aspect, f"changed in {len(changed):,} of {of}")

    def streams(self) -> Iterator[tuple[Corpus, DifferencePart]]:
        """Add references one by one, then leave out those that the end lacks."""
        for new, stream in enumerate(self.target[1:], 1):
            if new not in self.versions:
                self.versions[new] = len(self.columns)
                self.columns.append(stream)
                yield self._references(-1, f"Reference {new} is added.")
        for old in range(len(self.columns) - 1, 0, -1):
            if old not in self.versions.values():
                del self.columns[old]
                yield self._references(1, f"Reference {old} is left out.")
        if self.columns != self.target:
            self.columns = self.target
            yield self.change("references", "in another order")

    def _references(self, more: int, why: str) -> tuple[Corpus, DifferencePart]:
        count = len(self.columns) - 1
        return self.change("references", str(count), str(count + more), why)


def _columns(hypotheses: list[str], references: list[list[str | None]]) -> list[Column]:
    """Return hypotheses and streams of references, in which None stands for a missing one."""
    width = max(map(len, references))
    rows = ([*several, *[None] * (width - len(several))] for several in references)
    return [[*hypotheses], *map(list, zip(*rows, strict=True))]


def _key(text: str | None) -> str | None:
    """Return what two versions of a text have in common."""
    if text is None:
        return None
    folded = normalize(unescape(text), "NFKD").casefold()
    return "".join([c for c in folded if c.isalnum()]) or text.strip()


def _places(start: Column, end: Column) -> Places:
    """Find each text of `end` in `start`; of equal ones, the next after the last that was found."""
    known: dict[str, list[int]] = {}
    for place, text in enumerate(map(_key, start)):
        if text:
            known.setdefault(text, []).append(place)
    found: Places = []
    offset = 0
    for place, text in enumerate(map(_key, end)):
        same = known.get(text or "")
        if not same:
            found.append(None)
            continue
        at = same.pop(min(bisect_left(same, place + offset), len(same) - 1))
        found.append(at)
        offset = at - place
    return found


def _preprocessing(start: Column, end: Column) -> tuple[str, str] | None:
    """Say in words what texts are before and after; None if nothing was done to all of them."""
    pairs = [
        (old, new)
        for old, new in zip(start, end, strict=True)
        if old is not None and new is not None and _key(old) == _key(new)
    ]
    if all(old == new for old, new in pairs):
        return None
    looked = pairs[:: 1 + len(pairs) // _LOOKED_AT]
    # Once, or one after the other, such as lower-cased text without punctuation.
    for names in (*((name,) for name in _PREPROCESSING), *permutations(_PREPROCESSING, 2)):
        for words in ((BEFORE, ", ".join(names)), (", ".join(names), "as they are")):
            if _explains(words, looked):
                return words
    return None


def _explains(words: tuple[str, str], pairs: list[tuple[str, str]]) -> bool:
    """Tell whether nine of ten texts were changed in this way."""
    failed = 0
    for pair in pairs:
        failed += not _is_changed(words, *pair)
        if 10 * failed > len(pairs):
            return False
    return True


def _is_changed(words: tuple[str, str], old: str, new: str) -> bool:
    """Tell whether a text was changed in this way; what was done may have to be undone."""
    was, now = words
    names, text, expected = (now, old, new) if was == BEFORE else (was, new, old)
    return (
        reduce(lambda text, name: _PREPROCESSING[name](text), names.split(", "), text) == expected
    )
