"""Charts as files: their sizes, their formats, and the text that says what they show."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import Any, Literal

from truebleu.display.formats import json_document
from truebleu.display.text import visible
from truebleu.display.text import width as columns_of
from truebleu.errors import SettingsError, UnknownNameError, written
from truebleu.reporting import chart_parts, page

Width = Literal["column", "page"]

FORMS = ("svg", "png", "pdf", "json", "html")
"""The formats, by the suffixes of their files."""

WIDTHS = {"column": 3.03, "page": 6.3}
"""Widths of a figure in inches: a column, and the text of a page, in the style of ACL."""

# CSS pixels per inch, which SVG has; points per inch, which PDF has; dots per inch in print.
_PIXELS, _POINTS, _DOTS = 96, 72, 300

# Heights in pixels, of charts without one of their own; others are at most so high.
_HEIGHTS = {"column": (160, 240), "page": (240, 340)}

# The shares of the width that labels of an axis and its title may take; about how many pixels a
# letter, and a symbol in the legend, take.
_LABELS, _TITLES = 0.35, 0.62
_LETTER, _SYMBOL = 6, 30


def sized(chart: dict[str, Any], width: Width | None) -> dict[str, Any]:
    """Return a chart in the width of a column or a page, axes and legend included."""
    if width is None:
        return chart
    if not isinstance(width, str) or width not in WIDTHS:
        raise UnknownNameError(
            f"there is no width {written(width)}; choose one of {', '.join(WIDTHS)}"
        )
    pixels = round(WIDTHS[width] * _PIXELS)
    usual, most = _HEIGHTS[width]
    height = chart.get("height", usual)
    if width == "column":
        chart = _without_names(chart)
    if not isinstance(height, dict) and not _has_names(chart):
        # A height in steps follows from the number of rows, and that of names from theirs.
        height = min(height, most)
    return {
        **_fitted(chart, {"x": pixels, "y": usual}),
        "width": pixels,
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def _has_names(chart: dict[str, Any]) -> bool:
    """Whether names of systems are written beside their lines."""
    return len(_without_names(chart).get("layer", ())) < len(chart.get("layer", ()))


def _without_names(chart: dict[str, Any]) -> dict[str, Any]:
    """Leave out names beside lines: a column has room for the lines alone."""
    if "layer" not in chart:
        return chart
    kept = [
        layer
        for layer in chart["layer"]
        if chart_parts.NAME_STYLE not in str(layer["mark"].get("style"))
    ]
    return chart | {"layer": kept}


def _fitted(part: Any, room: dict[str, int]) -> Any:
    """Fit labels, titles and legends into the width and height of a chart, in pixels."""
    if isinstance(part, list):
        return [_fitted(each, room) for each in part]
    if not isinstance(part, dict):
        return part
    fitted = {}
    for name, value in part.items():
        if name == "labelLimit":
            fitted[name] = min(value, round(_LABELS * room["x"]))
        elif name == "legend" and isinstance(value, dict) and "domain" in part.get("scale", {}):
            fitted[name] = _fitted_legend(value, part["scale"]["domain"], room["x"])
        elif name in room and isinstance(value, dict) and isinstance(value.get("title"), str):
            fitted[name] = _fitted(value, room) | {"title": _lines(value["title"], room[name])}
        else:
            # Rows may have any names.
            fitted[name] = value if name == "datasets" else _fitted(value, room)
    return fitted


def _lines(title: str, room: int) -> list[str]:
    """Break a title into lines that fit."""
    # Characters of East Asia take two columns.
    columns = max(1.0, columns_of(title) / max(1, len(title)))
    return wrap(title, round(_TITLES * room / _LETTER / columns)) or [""]


def _fitted_legend(legend: dict[str, Any], labels: list[str], room: int) -> dict[str, Any]:
    """Put labels that do not fit beside each other below each other."""
    limit = round(room / 2)
    widths = [min(limit, _LETTER * columns_of(label)) + _SYMBOL for label in labels]
    column = {"columns": 1} if sum(widths) > 0.7 * room else {}
    return legend | column | {"labelLimit": limit}


def draw(chart: dict[str, Any], form: str, *, in_print: bool = False) -> bytes:
    """Draw a static chart in one of :data:`FORMS`.

    Its ``description`` is the alternative text. `in_print` says that it has the width of a column
    or page: a PNG then has 300 dots per inch of it. Raises MissingExtraError without vl-convert,
    and SettingsError for another form.
    """
    if form not in FORMS:
        raise SettingsError(f"a chart is drawn as {', '.join(FORMS)}, not as {form!r}")
    if form == "json":
        return json_document(chart).encode()
    if form == "html":
        return _page(chart).encode()
    try:
        import vl_convert
    except ImportError as error:
        raise chart_parts.missing() from error
    if form == "png":
        # The scale is that of points.
        fine = {"scale": _POINTS / _PIXELS, "ppi": _DOTS} if in_print else {"scale": 2}
        return bytes(vl_convert.vegalite_to_png(chart, **fine))
    svg = str(vl_convert.vegalite_to_svg(chart))
    if form == "svg":
        return _labeled(svg, chart).encode()
    return bytes(vl_convert.svg_to_pdf(_in_points(svg)))


def _in_points(svg: str) -> str:
    """Make an SVG as large in points, which PDF takes pixels for, as it is in pixels."""
    return re.sub(
        ' (width|height)="([0-9.]+)"',
        lambda size: f' {size[1]}="{float(size[2]) * _POINTS / _PIXELS:g}"',
        svg,
        count=2,
    )


def _labeled(svg: str, chart: dict[str, Any]) -> str:
    """Tell screen readers what an SVG shows."""
    from html import escape

    label = escape(visible(chart.get("description", "")))
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1) if label else svg


def _vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, or raise MissingExtraError."""
    try:
        import vl_convert
    except ImportError as error:
        raise chart_parts.missing() from error
    return page.inert(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def _page(chart: dict[str, Any]) -> str:
    """Write a page that holds all it needs, and asks nothing of a network."""
    import json
    from html import escape

    # Whatever is in the data cannot end the script.
    spec = json.dumps(chart).replace("<", "\\u003c")
    options = json.dumps(
        {
            "renderer": "svg",
            "actions": {"export": True, **dict.fromkeys(("source", "compiled", "editor"), False)},
        }
    )
    policy = (
        "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline' 'unsafe-eval'"
    )
    title = escape(visible(chart.get("description", "")).partition(". ")[0])
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<script>{_vega()}</script></head><body><div id="chart"></div>'
        f'<script>vegaEmbed("#chart", {spec}, {options});</script></body></html>\n'
    )
