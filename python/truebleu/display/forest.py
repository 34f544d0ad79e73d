"""Intervals as drawings in a column of a table, with an axis in its header."""

from __future__ import annotations

from math import ceil, floor, isfinite, isnan, log10

from truebleu.display.formatting import MINUS, decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Ticks = Sequence[tuple[str, str]]


def round_step(width: float, most: int) -> float:
    """Return the smallest of ..., 0.5, 1, 2, 5, 10, ... for at most `most` parts of a range."""
    power = floor(log10(width / most))
    # Rounding must not add a part.
    choices = (digit * 10.0**exponent for exponent in (power, power + 1) for digit in (1, 2, 5))
    return next(step for step in choices if width / step <= most * (1 + 1e-9))


def axis(
    points: Iterable[float], scale: float = 0.0, parts: int = 6
) -> tuple[Callable[[float], str], Ticks]:
    """Return where points are on an axis, in percent, and round numbers on it.

    Where an interval has no end, it ends with the axis.
    """
    known = [point for point in points if isfinite(point)] or [0.0, scale]
    room = max(max(known) - min(known), scale / 100) or 1.0
    start, width = min(known) - 0.06 * room, 1.12 * room
    step = round_step(width, parts)
    form = f",.{max(0, -floor(log10(step)))}f"

    def place(value: float) -> str:
        return f"{min(max(100 * (value - start) / width, 0.0), 100.0):.2f}"

    numbers = range(ceil(start / step), floor((start + width) / step) + 1)
    return place, [(place(step * each), decimals(step * each, form)) for each in numbers]


def header(what: str, ticks: Ticks, zero: str | None = None) -> str:
    """Draw the axis; `what` it is of is heard, not seen."""
    labels = "".join(
        f'<text class="{"zero" * (at == zero)}" x="{at}%" y="100%">{said}</text>'
        for at, said in ((at, label.replace("-", MINUS)) for at, label in ticks)
    )
    return f'<span class="hidden">{what}</span><svg aria-hidden="true">{labels}</svg>'


def cell(places: Sequence[str], ticks: Ticks, zero: str | None = None) -> str:
    """Draw an interval with its value in the middle, and points behind it; none without places."""
    full = [(at, "tick") for at, _ in ticks] + [(zero, "zero")] * (zero is not None)
    lines = [(at, at, 0, kind) for at, kind in full]
    marks = ""
    if places:
        low, middle, high, *points = places
        ends = [(end, end, 30, "") for end in (low, high) if end not in ("0.00", "100.00")]
        lines += [(low, high, 50, ""), *ends]
        marks = "".join(f'<circle class="run" cx="{at}%" cy="50%" r="3"/>' for at in points)
        marks += f'<circle cx="{middle}%" cy="50%" r="4.5"/>'
    drawn = "".join(
        f'<line class="{kind}" x1="{left}%" x2="{right}%" y1="{top}%" y2="{100 - top}%"/>'
        for left, right, top, kind in lines
    )
    return f'<svg aria-hidden="true">{drawn}{marks}</svg>'


def column(
    intervals: Iterable[Sequence[float] | None], what: str, *, differences: bool
) -> Iterator[str]:
    """Draw the header of some intervals, then each of them."""
    ends = [() if each is None or any(map(isnan, each)) else each for each in intervals]
    known = [0.0] * differences + [end for each in ends for end in each]
    place, ticks = axis(known)
    zero = place(0.0) if differences else None
    yield header(what, ticks, zero)
    for each in ends:
        yield cell([*map(place, each)], ticks, zero)
