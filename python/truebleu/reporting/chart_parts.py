"""What charts have in common: look, axes, and lines of systems with their names beside them."""

from __future__ import annotations

import re
from math import ceil, floor

from truebleu.display.forest import round_step
from truebleu.display.formatting import decimals
from truebleu.display.markup import stylesheet
from truebleu.display.text import visible
from truebleu.errors import MissingExtraError
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.display.words import Words
    from truebleu.reporting.data import Gathered
    from truebleu.significance.pair import Interval

    Labels = tuple[str, str, str]
    Row = dict[str, Any]

ROLES = ("A", "B", "others")

# What is said of the look of names beside lines, and of the lines that lead to them.
NAME_STYLE = "line-name"

_SHAPES = ["circle", "square", "circle"]

# Parts of an axis, at most.
_PARTS = 8

# Pixels: the height of a chart, and what a name takes of it.
_HEIGHT, _NAME = 300, 14

# Of more systems, only A, B, the best and the worst are named.
MOST_NAMED = 12


def altair() -> Any:
    """Load Altair, or raise MissingExtraError."""
    try:
        import altair as alt
    except ImportError as error:
        raise missing() from error
    return alt


def missing() -> MissingExtraError:
    """Say what reports and charts need."""
    return MissingExtraError(
        "reports and plots need packages that are not installed: pip install 'truebleu[report]'"
    )


def colors() -> dict[str, str]:
    """Return the colors of the style sheet, as they are on paper."""
    return dict(re.findall(r"(?<![\w-])--([\w-]+): light-dark\((#\w+), #\w+\)", stylesheet()))


def config(palette: dict[str, str]) -> dict[str, Any]:
    """Return the look of all charts."""
    ink, faint, line = palette["ink"], palette["faint"], palette["line"]
    axis = {
        "labelColor": faint,
        "titleColor": ink,
        "gridColor": line,
        "domainColor": faint,
        "tickColor": line,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "labelSeparation": 6,
        "titleFontSize": 12,
    }
    return {
        "font": "system-ui, sans-serif",
        "background": None,
        "axis": axis,
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12},
        "point": {"color": palette["one"]},
        "style": {
            "guide-line": {"color": faint, "strokeDash": [2, 3], "strokeWidth": 1.5},
            NAME_STYLE: {
                "align": "left",
                "baseline": "middle",
                "dx": 11,
                "limit": 105,
                "fontSize": 11,
                "strokeWidth": 0.75,
                "strokeDash": [1, 2],
            },
            f"{NAME_STYLE}-faint": {"color": faint, "cursor": "pointer"},
        },
        "range": {"category": [palette["one"], palette["other"], palette["rest"]]},
        "view": {"stroke": None},
    }


def static(spec: dict[str, Any], rows: list[Row], description: str) -> dict[str, Any]:
    """Complete a chart without rows to one that is shown by itself."""
    return {
        **spec,
        "datasets": {**spec.get("datasets", {}), "rows": rows},
        "config": config(colors()) | {"background": "white"},
        "width": spec.get("width", 420),
        "description": description,
    }


def said_again(part: Any, say: Words, name: str = "") -> Any:
    """Say a chart in another language: titles, fields in tooltips, and a role."""
    if isinstance(part, list):
        return [said_again(each, say, name) for each in part]
    if isinstance(part, str):
        return say.again(part) if name == "title" else (say(part) if part == ROLES[2] else part)
    if not isinstance(part, dict):
        return part
    if name == "tooltip" and "field" in part:
        part = {"title": part["field"], **part}
    return {key: said_again(value, say, key) for key, value in part.items()}


def domain(
    rows: Sequence[dict[str, Any]], fields: Sequence[str], *, scale: float, zero: bool = False
) -> tuple[float, float]:
    """Return a range with round ends that holds all fields that are defined, and 0 if `zero`."""
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


class Line(Record):
    """The vertical axis of a chart that has a line for each system.

    `fields` are the height of its points, and all else that must be on the axis, which begins at
    `zero` or not. Names are `listed` from the top where all lines end at one point.
    """

    fields: tuple[str, ...]
    zero: bool = False
    listed: bool = False

    def ends(self, rows: Sequence[Row], scale: float) -> tuple[float, float]:
        """Return the range of the axis."""
        return domain(rows, self.fields, scale=scale, zero=self.zero)


def spread(points: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move points as little as possible, so that any two have a gap between them.

    The sum of the squares of what they move is the least: without their gaps, points in order are
    an isotonic regression, for which neighbors that are too close are pooled. They stay between
    `low` and `high` if there is room for all; equal points stay in their order.
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

    The last point of its line that is defined is as high as the name, unless others are in the way.
    `ranked` are the systems to name, the best first: the order of a list of names.
    """
    last = {row["system"]: row for row in rows if row[line.fields[0]] is not None}
    if len(last) < 2:
        return
    low, high = line.ends(rows, scale)
    gap = _NAME * (high - low) / _HEIGHT
    # Equal points are spread upwards in their order.
    several = [last[system] for system in reversed(ranked) if system in last]
    points = [high if line.listed else row[line.fields[0]] for row in several]
    for row, place in zip(several, spread(points, gap, low + gap / 2, high - gap / 2), strict=True):
        row["name"] = place


def _legend(alt: Any, labels: Labels) -> Any:
    """Return the legend of the systems; the page has one of its own for all charts."""
    if labels is ROLES or not labels[1]:
        return None
    return alt.Legend(orient="top", title=None, labelLimit=300, symbolOpacity=1)


def _roles(labels: Labels) -> list[str]:
    """Return the roles that systems have here; the legend lists them."""
    return [*labels[:2], *filter(str.strip, labels[2:])]


def base(labels: Labels) -> tuple[Any, Any, Any]:
    """Return Altair, a chart without rows, and the colors of the systems."""
    alt = altair()
    scale = alt.Scale(domain=_roles(labels), range="category")
    color = alt.Color("role:N", scale=scale, legend=_legend(alt, labels))
    # Else Vega-Lite would take an empty name for no name.
    rows = alt.NamedData(name="rows", format=alt.DataFormat(parse=None))
    return alt, alt.Chart(rows), color


def shapes(alt: Any, labels: Labels) -> Any:
    """Return the shapes of the systems; shapes and colors share a legend."""
    scale = alt.Scale(domain=_roles(labels), range=_SHAPES)
    return alt.Shape("role:N", scale=scale, legend=_legend(alt, labels))


def pointed_at(alt: Any) -> Any:
    """Return the system under the pointer, which is lifted out of the background."""
    return alt.selection_point(
        name="lifted", fields=["system"], on="pointerover", clear="pointerout", empty=False
    )


def tips(*shown: Any) -> list[Any]:
    """Return what a tooltip shows: columns, or channels that say more about theirs."""
    alt = altair()
    return [alt.Tooltip(each) if isinstance(each, str) else each for each in shown]


def kept(alt: Any, chart: Any, labels: Labels, *, rest: bool) -> Any:
    """Keep the rows of the systems that are highlighted, or of the `rest`."""
    others = alt.FieldEqualPredicate(field="role", equal=labels[2])
    return chart.transform_filter(others if rest else {"not": others})


def with_known(alt: Any, chart: Any, field: str) -> Any:
    """Keep the rows that have a field."""
    return chart.transform_filter(alt.FieldValidPredicate(field=field, valid=True))


def _if(lifted: Any, channel: Any, then: float, otherwise: float) -> Any:
    """Return a channel whose value differs for the system under the pointer.

    Altair takes 20 ms to find out what a plain value or a string stands for.
    """
    alt = altair()
    return channel(**alt.condition(lifted, alt.value(then), alt.value(otherwise)))


def in_background(chart: Any, labels: Labels, *, sizes: tuple[int, int]) -> Any:
    """Draw the points of systems that are not highlighted, and larger those that are pointed at."""
    alt = altair()
    lifted = pointed_at(alt)
    return (
        kept(alt, chart, labels, rest=True)
        .mark_point(filled=True, cursor="pointer")
        .encode(_if(lifted, alt.SizeValue, *sizes[::-1]), _if(lifted, alt.OpacityValue, 1, 0.7))
        .add_params(lifted)
    )


def lines(
    data: Gathered,
    chart: Any,
    color: Any,
    labels: Labels,
    y: Callable[[str], Any],
    *,
    line: Line,
    below: Sequence[Any] = (),
    by_size: bool = False,
) -> Any:
    """Draw a line for each system, with its name beside it, on layers `below`; `y` is the axis."""
    alt = altair()
    chart = chart.encode(y(line.fields[0]))
    area = []
    if by_size:
        scale = alt.Scale(type="sqrt", range=[12, 160], domainMin=0)
        area = [alt.Size("segments:Q", scale=scale, legend=None)]
    dash = alt.Scale(domain=_roles(labels), range=[[1, 0], [6, 3], [1, 0]])
    shape = shapes(alt, labels)
    # Many lines are a background; few can each be followed.
    faint = 0.55 if len(data.names) > MOST_NAMED else 1
    rest, first = (kept(alt, chart, labels, rest=each) for each in (True, False))
    lifted = pointed_at(alt)
    return alt.layer(
        *below,
        rest.mark_line().encode(
            color,
            alt.Detail("system:N"),
            _if(lifted, alt.StrokeWidthValue, 3, 1),
            _if(lifted, alt.OpacityValue, 1, faint),
        ),
        first.mark_line(strokeWidth=2).encode(
            color, alt.StrokeDash("role:N", scale=dash, legend=None), detail=alt.Detail("system:N")
        ),
        rest.mark_point(filled=True, size=22, opacity=0.7, cursor="pointer")
        .encode(color, shape)
        .add_params(lifted),
        first.mark_point(filled=True, size=70, opacity=1, cursor="pointer").encode(
            color, shape, *area
        ),
        *_names(data, chart, color, labels, lifted, y("name"), leaders=not line.listed),
    ).properties(height=_HEIGHT)


def _names(
    data: Gathered, chart: Any, color: Any, labels: Labels, lifted: Any, y: Any, *, leaders: bool
) -> Iterator[Any]:
    """Write the name of each system on the right, with a thin line to its last point.

    In the page, those of many systems are ``shown`` when they are pointed at.
    """
    alt = altair()
    ends = led = with_known(alt, chart, "name")
    shown = []
    if labels is ROLES and len(data.names) > MOST_NAMED:
        led = chart.transform_filter(alt.FieldEqualPredicate(field="shown", equal=1))
        shown = [alt.condition(lifted, alt.value(1), alt.Opacity("shown:Q", scale=None))]
    if leaders:
        yield led.mark_rule(style=NAME_STYLE, x2Offset=8).encode(
            color, alt.Y2("name:Q"), alt.X2Value("width"), alt.TooltipValue(None)
        )
    place = alt.XValue("width"), y, alt.Text("system:N")
    rest, first = (kept(alt, ends, labels, rest=each) for each in (True, False))
    yield rest.mark_text(style=[NAME_STYLE, f"{NAME_STYLE}-faint"]).encode(
        *place, _if(lifted, alt.SizeValue, 13, 11), *shown
    )
    yield first.mark_text(style=NAME_STYLE, fontWeight="bold").encode(color, *place)


def vertical(data: Gathered, line: Line, rows: list[Row], title: str) -> Callable[[str], Any]:
    """Return the vertical axis of a chart of lines, with a known range for names beside them."""
    alt = altair()
    scale = alt.Scale(domain=list(line.ends(rows, data.metric.scale)), nice=False)
    return lambda field: alt.Y(f"{field}:Q", title=title, scale=scale)


def score_tip(alt: Any, data: Gathered) -> Any:
    """Return what a tooltip says of a score."""
    return alt.Tooltip("score:Q", format=data.metric._form)


def with_interval(alt: Any, chart: Any, labels: Labels) -> Any:
    """Keep the rows of the highlighted systems that have an interval."""
    return with_known(alt, kept(alt, chart, labels, rest=False), "low")


def intervals_in_words(
    intervals: Iterable[tuple[str, float, Interval | None]], width: int = 2
) -> str:
    """Write names with their numbers and intervals, with `width` decimals."""
    said = []
    for name, value, interval in intervals:
        between = "" if interval is None else f" {interval.ends(width)}"
        said.append(f"{visible(name)} {decimals(value, f'.{width}f')}{between}")
    return f"{'; '.join(said)}."
