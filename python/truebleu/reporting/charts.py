"""The pictures of a report: what each shows, with which rows, in the page or by itself."""

from __future__ import annotations

import re
from functools import partial

from truebleu.display.render import stylesheet, visible
from truebleu.errors import SettingsError, UnknownNameError
from truebleu.record import Frozen
from truebleu.reporting import chart_data, chart_specs

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.reporting.chart_data import Row
    from truebleu.reporting.data import Gathered

    Draw = Callable[[Gathered, tuple[str, str, str]], Any]


class Picture(Frozen):
    """One kind of picture.

    Parameters
    ----------
    title, about : str
        A heading, and what it shows, in a sentence.
    draw : callable
        Makes the chart, without rows.
    rows : callable
        Makes the rows, of everything or of two systems.
    pair : bool
        Whether the rows are those of two systems.
    """

    __slots__ = ("about", "draw", "pair", "rows", "title")
    about: str
    draw: Draw
    pair: bool
    rows: Callable[..., list[Row]]
    title: str

    def __init__(
        self, title: str, about: str, draw: Draw, rows: Callable[..., list[Row]], *, pair: bool
    ) -> None:
        """Keep the parts."""
        values = {"about": about, "draw": draw, "pair": pair, "rows": rows, "title": title}
        for name, value in values.items():
            object.__setattr__(self, name, value)


def _ngrams(found: Gathered, one: int, other: int | None) -> list[Row]:
    rows = chart_data.Gains(found).rows(one, len(found.names) if other is None else other)
    return [{**row, "ngram": visible(row["ngram"])} for row in rows]


PICTURES = {
    "scores": Picture(
        "BLEU with intervals",
        "The score of each system with its confidence interval.",
        chart_specs.scores,
        chart_data.scores,
        pair=False,
    ),
    "precisions": Picture(
        "Precision by order",
        "How many of the n-grams of each order are in the references.",
        chart_specs.precisions,
        chart_data.precisions,
        pair=False,
    ),
    "penalty": Picture(
        "Length and brevity penalty",
        "Output that is shorter than the references is scored down; the line says how much.",
        chart_specs.penalty,
        chart_data.penalty,
        pair=False,
    ),
    "sentences": Picture(
        "Scores of segments",
        "How many segments have which score by themselves.",
        chart_specs.sentences,
        chart_data.sentences,
        pair=False,
    ),
    "lengths": Picture(
        "BLEU by length",
        "Segments together whose first reference is about as long.",
        chart_specs.buckets,
        partial(chart_data.groups, kind="length"),
        pair=False,
    ),
    "documents": Picture(
        "BLEU by document",
        "The segments of each document together.",
        partial(chart_specs.groups, kind="document"),
        partial(chart_data.groups, kind="document"),
        pair=False,
    ),
    "domains": Picture(
        "BLEU by domain",
        "The segments of each domain together.",
        partial(chart_specs.groups, kind="domain"),
        partial(chart_data.groups, kind="domain"),
        pair=False,
    ),
    "segments": Picture(
        "One system against another",
        "A point is a segment, and a click opens it. Above the line A has the higher score.",
        chart_specs.segments,
        chart_data.segments,
        pair=True,
    ),
    "influence": Picture(
        "Segments that make the difference",
        "By how much the result changes without a segment: those that speak most for A, and for B.",
        chart_specs.influence,
        chart_data.influence,
        pair=True,
    ),
    "ngrams": Picture(
        "N-grams that make the difference",
        "N-grams of the references that one system gets more often than the other.",
        chart_specs.ngrams,
        _ngrams,
        pair=True,
    ),
    "frequency": Picture(
        "Matches by frequency of the word",
        "How many words of the references a system gets: rare ones on the left.",
        chart_specs.frequency,
        chart_data.frequency,
        pair=False,
    ),
}
"""The pictures by name."""

NAMES = tuple(PICTURES)


def available(found: Gathered) -> list[str]:
    """Return the names of the pictures that these data have."""
    lacking = {
        "documents": "document" not in found.groups,
        "domains": "domain" not in found.groups,
        "segments": len(found.names) < 2,
    }
    return [name for name in PICTURES if not lacking.get(name)]


def named(name: str) -> Picture:
    """Return the picture of a name.

    Raises
    ------
    UnknownNameError
        If there is none; the message lists the choices.
    """
    if name not in PICTURES:
        raise UnknownNameError(f"there is no plot {name!r}; choose one of {', '.join(PICTURES)}")
    return PICTURES[name]


def spec(
    found: Gathered, name: str, labels: tuple[str, str, str] = chart_specs.ROLES
) -> dict[str, Any]:
    """Return a picture in Vega-Lite, without rows."""
    chart: dict[str, Any] = PICTURES[name].draw(found, labels).to_dict(validate=False)
    chart.pop("config", None)
    return chart


def rows(found: Gathered, name: str, one: int, other: int | None) -> list[Row]:
    """Return the rows of a picture."""
    picture = PICTURES[name]
    return picture.rows(found, one, other) if picture.pair else picture.rows(found)


def filled(found: Gathered, name: str, one: int, other: int | None) -> dict[str, Any]:
    """Return a static picture in Vega-Lite: rows, colours and names included.

    Raises
    ------
    SettingsError
        If these data do not have that picture.
    """
    if name not in available(found):
        raise SettingsError(
            f"there is no plot {name!r} of these data; there are {', '.join(available(found))}"
        )
    second = "" if other is None else found.names[other]
    labels = (visible(found.names[one]), visible(second), "others" if len(found.names) > 2 else "")
    roles = {found.names[one]: labels[0], second: labels[1]}
    data = rows(found, name, one, other)
    for row in data:
        if "system" in row:
            row["role"] = roles.get(row["system"], labels[2])
            row["system"] = visible(row["system"])
    chart = spec(found, name, labels)
    chart["datasets"] = {**chart.get("datasets", {}), "rows": data}
    chart.update(config=config(colours()), background="white")
    chart.setdefault("width", 420)
    return chart


def colours() -> dict[str, str]:
    """Return the colours of the style sheet, as they are on paper."""
    return dict(re.findall(r"--([\w-]+): light-dark\((#\w+), #\w+\)", stylesheet()))


def config(palette: dict[str, str]) -> dict[str, Any]:
    """Return the look of all pictures."""
    ink, faint, line = palette["ink"], palette["faint"], palette["line"]
    axis = {
        "labelColor": faint,
        "titleColor": ink,
        "gridColor": line,
        "domainColor": faint,
        "tickColor": line,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 12,
    }
    return {
        "font": "system-ui, sans-serif",
        "background": None,
        "axis": axis,
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12},
        "point": {"color": palette["one"]},
        "style": {"guide-line": {"color": faint, "strokeDash": [2, 3], "strokeWidth": 1.5}},
        "range": {"category": [palette["one"], palette["other"], palette["rest"]]},
        "view": {"stroke": None},
    }


def draw(chart: dict[str, Any], form: str) -> bytes:
    """Draw a static picture.

    Parameters
    ----------
    chart : dict
        What :func:`filled` returns.
    form : {"svg", "png"}

    Raises
    ------
    MissingExtraError
        If Vega is not installed.
    SettingsError
        If it is another form.
    """
    try:
        import vl_convert
    except ImportError as error:
        raise chart_specs.missing() from error
    if form == "svg":
        return str(vl_convert.vegalite_to_svg(chart)).encode()
    if form == "png":
        return bytes(vl_convert.vegalite_to_png(chart, scale=2))
    raise SettingsError(f"a plot is svg or png, not {form!r}")
