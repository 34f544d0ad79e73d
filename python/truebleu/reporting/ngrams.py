"""Which n-grams of the references each system matches, for all systems at once.

The n-grams of the references get whole numbers, order by order: one of order n is the number of
its first n - 1 tokens and that of its last, and no two share a number. So the counts here are
those of the core, n-gram by n-gram.
"""

from __future__ import annotations

from itertools import repeat

import numpy as np

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from truebleu.reporting.tokens import Column

    Ints = NDArray[np.int64]


class Order(Record):
    """The n-grams of one order.

    `matched`, of shape (systems, n-grams), are clipped matches, added up over the segments;
    `expected`, those of a perfect system; `where`, a place in the references where each begins.
    """

    matched: Ints
    expected: Ints
    where: Ints


class Grams(Record):
    """The n-grams of the references, how often each token is in them, and which systems match."""

    frequency: Ints
    orders: list[Order]
    words: list[str]

    def text(self, order: int, number: int) -> list[str]:
        """Return the tokens of one n-gram; orders from 1."""
        start = int(self.orders[order - 1].where[number])
        return self.words[start : start + order]


def count(systems: list[Column], references: list[Column], separator: str, highest: int) -> Grams:
    """Count the matches of every n-gram of the references, up to the `highest` order."""
    split = [_flat(column, separator) for column in references]
    words = [word for tokens, _ in split for word in tokens]
    ids = {word: number for number, word in enumerate(dict.fromkeys(words))}
    segments = len(references[0])
    reference = _numbered(split, ids, segments)
    output = _numbered([_flat(column, separator) for column in systems], ids, segments)
    # For each place in the texts the number of the n-gram that begins there.
    in_reference, in_output = reference.tokens, output.tokens
    orders = []
    for order in range(1, highest + 1):
        if order > 1:
            # A place is worth a look only if its first n - 1 tokens are known.
            in_reference = _longer(reference, in_reference, order, len(ids))
            in_output = _longer(output, in_output, order, len(ids))
            known, where, in_reference = np.unique(
                in_reference, return_index=True, return_inverse=True
            )
            if len(known) and known[0] < 0:
                where, known, in_reference = where[1:], known[1:], in_reference - 1
            in_output = _looked_up(in_output, known)
        else:
            known, where = np.unique(in_reference, return_index=True)
        shape = (len(systems), segments)
        orders.append(_order(reference, output, in_reference, in_output, where, shape))
    frequency = np.bincount(reference.tokens, minlength=len(ids)).astype(np.int64)
    return Grams(frequency=frequency, orders=orders, words=words)


class _Numbered(Record):
    """Texts one after the other, as numbers of tokens; -1 is one that no reference has."""

    tokens: Ints
    row: Ints
    ends: Ints


def _flat(column: Column, separator: str) -> tuple[list[str], list[int]]:
    kept = [text for text in column if text]
    tokens = separator.join(kept).split(separator) if kept else []
    return tokens, [text.count(separator) + 1 if text else 0 for text in column]


def _numbered(
    columns: list[tuple[list[str], list[int]]], ids: dict[str, int], segments: int
) -> _Numbered:
    tokens = np.concatenate(
        [np.fromiter(map(ids.get, words, repeat(-1)), np.int64, len(words)) for words, _ in columns]
    )
    lengths = np.array([length for _, several in columns for length in several], np.int64)
    row = np.repeat(np.arange(len(columns) * segments), lengths)
    # For each token the place behind the text it is in.
    ends = np.repeat(np.cumsum(lengths), lengths)
    return _Numbered(tokens=tokens, row=row, ends=ends)


def _longer(texts: _Numbered, shorter: Ints, order: int, words: int) -> Ints:
    """Join the numbers of n-grams and of the tokens behind them; -1 where there is none."""
    longer = np.full(len(shorter), -1, np.int64)
    places = np.flatnonzero(shorter >= 0)
    last = places + order - 1
    inside = last < texts.ends[places]
    places, last = places[inside], last[inside]
    behind = texts.tokens[last]
    known = behind >= 0
    places = places[known]
    longer[places] = shorter[places] * words + behind[known]
    return longer


def _looked_up(keys: Ints, known: Ints) -> Ints:
    """Return the places of keys among known ones, which are sorted; -1 for all that are unknown."""
    places = np.full(len(keys), -1, np.int64)
    if not len(known):
        return places
    asked = np.flatnonzero(keys >= 0)
    nearest = np.searchsorted(known, keys[asked])
    nearest[nearest == len(known)] = 0
    hit = known[nearest] == keys[asked]
    places[asked[hit]] = nearest[hit]
    return places


def _order(
    reference: _Numbered,
    output: _Numbered,
    in_reference: Ints,
    in_output: Ints,
    where: Ints,
    shape: tuple[int, int],
) -> Order:
    """Clip the counts of all systems in all segments, and add them up by n-gram."""
    systems, segments = shape
    width = max(1, len(where))
    places = np.flatnonzero(in_reference >= 0)
    cells, counts = np.unique(
        reference.row[places] * width + in_reference[places], return_counts=True
    )
    # Of several references the one that has it most often counts.
    limits, group = np.unique(cells % (segments * width), return_inverse=True)
    most = np.zeros(len(limits), np.int64)
    np.maximum.at(most, group, counts)
    expected = np.bincount(limits % width, most, len(where)).astype(np.int64)

    places = np.flatnonzero(in_output >= 0)
    cells, counts = np.unique(output.row[places] * width + in_output[places], return_counts=True)
    limit = _looked_up(cells % (segments * width), limits)
    hit = limit >= 0
    clipped = np.minimum(counts[hit], most[limit[hit]])
    cell = cells[hit] // (segments * width) * width + cells[hit] % width
    matched = np.bincount(cell, clipped, systems * width).astype(np.int64)
    matched = matched.reshape(systems, width)[:, : len(where)]
    return Order(matched=matched, expected=expected, where=where)
