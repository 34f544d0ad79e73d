"""Names of systems beside their lines, in places that do not collide."""

from __future__ import annotations

from truebleu.record import Record
from truebleu.reporting.axes import domain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Row = dict[str, Any]

# Pixels: the least height of a chart, and what a name takes of it.
_HEIGHT, _NAME = 300, 14


class Line(Record):
    """The vertical axis of a chart that has a line for each system.

    Attributes
    ----------
    fields : tuple of str
        The height of its points, and all else that must be on the axis.
    zero : bool
        Whether the axis begins at 0.
    listed : bool
        Whether names are listed from the top, because all lines end at one point.
    """

    fields: tuple[str, ...]
    zero: bool = False
    listed: bool = False

    def ends(self, rows: Sequence[Row], scale: float) -> tuple[float, float]:
        """Return the range of the axis."""
        return domain(rows, self.fields, scale=scale, zero=self.zero)


def height(systems: int) -> int:
    """Return the height of a chart, in pixels, that has room for the names of all systems."""
    return max(_HEIGHT, _NAME * systems)


def spread(points: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move points as little as possible, so that any two have a gap between them.

    The sum of the squares of what they move is the least: without their gaps, points in order are
    an isotonic regression, for which neighbors that are too close are pooled.

    Parameters
    ----------
    points : sequence of float
        In any order; equal points stay in theirs.
    gap : float
    low, high : float
        The points stay between them if there is room for all.
    """
    order = sorted(range(len(points)), key=lambda index: points[index])
    pools: list[list[float]] = []  # The sum and the number of each.
    for place, index in enumerate(order):
        pools.append([points[index] - gap * place, 1])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] >= pools[-1][0] * pools[-2][1]:
            total, size = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += size
    last = high - gap * (len(points) - 1)
    free = [max(low, min(total / size, last)) for total, size in pools for _ in range(int(size))]
    moved = [0.0] * len(points)
    for place, index in enumerate(order):
        moved[index] = free[place] + gap * place
    return moved


def name_lines(rows: list[Row], line: Line, scale: float, ranked: Sequence[str]) -> None:
    """Add to the last row of each of several systems the place of its name, as ``name``.

    Parameters
    ----------
    rows : list of dict
        They are changed.
    line : Line
        What they are drawn as. The last point of it that is defined is as high as the name, unless
        others are in the way.
    scale : float
        Of the metric.
    ranked : sequence of str
        All systems, the best first: the order of a list of names.
    """
    last = {row["system"]: row for row in rows if row[line.fields[0]] is not None}
    if len(last) < 2:
        return
    low, high = line.ends(rows, scale)
    gap = _NAME * (high - low) / height(len(last))
    # Equal points are spread upwards in their order.
    several = [last[system] for system in reversed(ranked) if system in last]
    points = [high if line.listed else row[line.fields[0]] for row in several]
    for row, place in zip(several, spread(points, gap, low + gap / 2, high - gap / 2), strict=True):
        row["name"] = place
