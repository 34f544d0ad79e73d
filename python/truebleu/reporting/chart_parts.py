"""What charts have in common: colors, shapes and lines of systems, with their names beside them."""

from __future__ import annotations

from truebleu.errors import MissingExtraError
from truebleu.reporting.line_names import height

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu.reporting.chart_data import Row
    from truebleu.reporting.data import Gathered
    from truebleu.reporting.line_names import Line

    Labels = tuple[str, str, str]

ROLES = ("A", "B", "others")

# What is said of the look of names beside lines, and of the lines that lead to them.
NAME_STYLE = "line-name"

_SHAPES = ["circle", "square", "circle"]


def altair() -> Any:
    """Load Altair.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
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
    return alt, alt.Chart(alt.NamedData(name="rows")), color


def shapes(alt: Any, labels: Labels) -> Any:
    """Return the shapes of the systems; shapes and colors share a legend."""
    scale = alt.Scale(domain=_roles(labels), range=_SHAPES)
    return alt.Shape("role:N", scale=scale, legend=_legend(alt, labels))


def pointed_at(alt: Any) -> Any:
    """Return the system under the pointer, which is lifted out of the background."""
    return alt.selection_point(
        name="lifted", fields=["system"], on="pointerover", clear="pointerout", empty=False
    )


def in_background(chart: Any, labels: Labels, *, sizes: tuple[int, int]) -> Any:
    """Draw the points of systems that are not highlighted, and larger those that are pointed at."""
    alt = altair()
    lifted = pointed_at(alt)
    return (
        chart.transform_filter(alt.datum.role == labels[2])
        .mark_point(filled=True, cursor="pointer")
        .encode(
            size=alt.condition(lifted, alt.value(sizes[1]), alt.value(sizes[0])),
            opacity=alt.condition(lifted, alt.value(1), alt.value(0.7)),
        )
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
    """Draw a line for each system, with its name beside it, on layers `below`.

    Systems that are not highlighted are in the background. `y` is the vertical axis, of any field.
    With `by_size`, the area of a point is that of its number of segments.
    """
    alt = altair()
    chart = chart.encode(y(line.fields[0]))
    area = []
    if by_size:
        scale = alt.Scale(type="sqrt", range=[12, 160], domainMin=0)
        area = [alt.Size("segments:Q", scale=scale, legend=None)]
    dash = alt.Scale(domain=_roles(labels), range=[[1, 0], [6, 3], [1, 0]])
    shape = shapes(alt, labels)
    rest = chart.transform_filter(alt.datum.role == labels[2])
    first = chart.transform_filter(alt.datum.role != labels[2])
    lifted = pointed_at(alt)
    return alt.layer(
        *below,
        rest.mark_line().encode(
            color,
            detail="system:N",
            strokeWidth=alt.condition(lifted, alt.value(3), alt.value(1)),
            opacity=alt.condition(lifted, alt.value(1), alt.value(0.55)),
        ),
        first.mark_line(strokeWidth=2).encode(
            color,
            alt.StrokeDash("role:N", scale=dash, legend=None),
            detail="system:N",
        ),
        rest.mark_point(filled=True, size=22, opacity=0.7, cursor="pointer")
        .encode(color, shape)
        .add_params(lifted),
        first.mark_point(filled=True, size=70, opacity=1, cursor="pointer").encode(
            color, shape, *area
        ),
        *_names(alt, chart, color, labels, lifted, y("name"), leaders=not line.listed),
    ).properties(height=height(len(data.names)))


def _names(
    alt: Any, chart: Any, color: Any, labels: Labels, lifted: Any, y: Any, *, leaders: bool
) -> Iterator[Any]:
    """Write the name of each system on the right, with a thin line to its last point."""
    ends = chart.transform_filter(alt.expr.isValid(alt.datum.name))
    if leaders:
        yield ends.mark_rule(style=NAME_STYLE, x2Offset=8).encode(
            color, alt.Y2("name:Q"), x2=alt.value("width"), tooltip=alt.value(None)
        )
    place = {"x": alt.value("width"), "y": y, "text": alt.Text("system:N")}
    rest = ends.transform_filter(alt.datum.role == labels[2])
    yield rest.mark_text(style=[NAME_STYLE, f"{NAME_STYLE}-faint"]).encode(
        **place, size=alt.condition(lifted, alt.value(13), alt.value(11))
    )
    first = ends.transform_filter(alt.datum.role != labels[2])
    yield first.mark_text(style=NAME_STYLE, fontWeight="bold").encode(color, **place)


def vertical(data: Gathered, line: Line, rows: list[Row], title: str) -> Callable[[str], Any]:
    """Return the vertical axis of a chart of lines, for any of its fields.

    Names beside lines need one whose range is known.
    """
    alt = altair()
    scale = alt.Scale(domain=list(line.ends(rows, data.metric.scale)), nice=False)
    return lambda field: alt.Y(f"{field}:Q", title=title, scale=scale)
