"""Axes of charts: round steps, and ranges with round ends."""

from __future__ import annotations

from math import ceil, floor, log10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Parts of an axis, at most.
_PARTS = 8


def round_step(width: float, most: int) -> float:
    """Return the smallest of ..., 0.5, 1, 2, 5, 10, ... that divides a range into few enough parts.

    Parameters
    ----------
    width : float
        Of the range; finite, above 0.
    most : int
        Parts.
    """
    power = floor(log10(width / most))
    # Rounding must not add a part.
    choices = (digit * 10.0**exponent for exponent in (power, power + 1) for digit in (1, 2, 5))
    return next(step for step in choices if width / step <= most * (1 + 1e-9))


def domain(
    rows: Sequence[dict[str, Any]], fields: Sequence[str], *, scale: float, zero: bool = False
) -> tuple[float, float]:
    """Return a range with round ends that holds some fields of all rows.

    Parameters
    ----------
    rows : sequence of dict
    fields : sequence of str
        Undefined values are None.
    scale : float
        Of the metric: with hardly any width, the range shows a hundredth of it.
    zero : bool, default False
        Whether 0 must be part of it.
    """
    points = [row[field] for row in rows for field in fields if row[field] is not None]
    if zero or not points:
        points.append(0.0)
    low, high = min(points), max(points)
    width = high - low
    step = round_step(width if width > 1e-9 * scale else scale / 100, _PARTS)
    # The inner rounding keeps an error of floats from adding a step.
    first, last = floor(round(low / step, 6)), ceil(round(high / step, 6))
    if first == last:
        first, last = first - (not zero), last + 1
    return round(first * step, 10), round(last * step, 10)
