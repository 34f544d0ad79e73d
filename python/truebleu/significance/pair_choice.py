"""Which pairs of a comparison are shown, in which order, and as a list or a matrix."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.blocks import Block
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.significance.pair import Pair

_KEYS: dict[str, Callable[[Pair], Any]] = {
    "difference": lambda pair: -abs(pair.delta),
    "p": lambda pair: (pair.p_adjusted, pair.p_value, -abs(pair.delta)),
    "name": lambda pair: (pair.one, pair.other),
}

PAIR_ORDERS = ("rank", *_KEYS)
"""What pairs can be sorted by: the ranks of their systems, the size of the difference, the adjusted
p-value, or the names of their systems."""


class PairChoice(Record):
    """Which pairs to show, and how.

    Parameters
    ----------
    sort_by : str
        One of :data:`PAIR_ORDERS`.
    only_significant : bool
        Leave out pairs whose difference is not significant.
    with_system : str or None
        Leave out pairs without this system.
    as_matrix : bool
        Show the adjusted p-values as a matrix instead of a list of the pairs.
    """

    sort_by: str = "rank"
    only_significant: bool = False
    with_system: str | None = None
    as_matrix: bool = False

    def of(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Return the pairs to show; those given are in the order of the ranking."""
        chosen = [
            pair
            for pair in pairs
            if (pair.significant or not self.only_significant)
            and self.with_system in (None, pair.one, pair.other)
        ]
        return chosen if self.sort_by == "rank" else sorted(chosen, key=_KEYS[self.sort_by])

    def notes(self, tested: int, shown: Sequence[Pair]) -> Iterator[str]:
        """Say how many of the tested pairs are shown, and what the matrix marks."""
        if len(shown) < tested:
            yield f"shown: {len(shown):,} of {formatting.count(tested, 'pair')}"
        if self.as_matrix and any(pair.significant for pair in shown):
            yield "*: the difference is significant"


ALL_PAIRS = PairChoice()
"""All pairs, in the order of the ranking, as a list."""


def p_matrix(pairs: Sequence[Pair], names: Sequence[str], *, both_ways: bool, plain: bool) -> Block:
    """Return a table with the adjusted p-value of each pair where its two systems meet.

    Parameters
    ----------
    pairs : sequence of Pair
        Those that are shown; other cells are empty.
    names : sequence of str
        All systems, the best first.
    both_ways : bool
        Whether the test of a pair is about both systems alike. Otherwise, the first system of a
        pair has a row, and the second a column.
    plain : bool
        For programs: plain numbers, without marks.
    """
    cells: dict[tuple[str, str], str] = {}
    for pair in pairs:
        number = formatting.p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor and not plain)
        cell = number + "*" * (pair.significant and not plain)
        cells[pair.one, pair.other] = cell
        if both_ways:
            cells[pair.other, pair.one] = cell
    rows = [name for name in names if any(name == one for one, _ in cells)]
    columns = [name for name in names if any(name == other for _, other in cells)]
    return Block(
        header=["system", *columns] if cells else [],
        rows=[("", [row, *(cells.get((row, column), "") for column in columns)]) for row in rows],
    )
