"""Charts by themselves: their look, sizes and formats, and the text that says what they show."""

from __future__ import annotations

import os
import re
from textwrap import wrap
from typing import Any, Literal

from truebleu.display.formats import json_document
from truebleu.display.markup import stylesheet
from truebleu.display.text import visible
from truebleu.display.text import width as columns_of
from truebleu.errors import MissingExtraError, SettingsError, UnknownNameError, written
from truebleu.inputs.lines import checked_path
from truebleu.record import Record
from truebleu.writing import write_whole

Width = Literal["column", "page"]

FORMS = ("svg", "png", "pdf", "json")
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

# Pixels around a chart, between two, beyond the end of an axis, and of the lines of axes.
_PADDING, _SPACING, _BEYOND, _RULES = 5, 20, 12, 2


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
        **{mark: {"color": palette["one"]} for mark in ("line", "point", "rule")},
        "style": {"guide-line": {"color": faint, "strokeDash": [2, 3], "strokeWidth": 1.5}},
        "range": {"category": [palette["one"], palette["other"], palette["rest"]]},
        "view": {"stroke": None},
    }


def static(spec: dict[str, Any], rows: list[dict[str, Any]], description: str) -> dict[str, Any]:
    """Complete a chart without rows to one that is shown by itself."""
    palette = colors()
    look = config(palette) | {"background": "white"}
    is_zero = {"test": "datum.value === 0", "value": palette["faint"]}
    look["axis"]["gridColor"] = {"condition": is_zero, "value": palette["line"]}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        **spec,
        "datasets": {"rows": rows},
        "config": look,
        "description": description,
        **({} if "hconcat" in spec else {"width": 420}),
    }


class Chart(Record):
    """A chart: a Vega-Lite specification with its data. Made by :meth:`Report.chart`.

    A notebook shows it; ``altair.Chart.from_dict(chart.to_dict())`` goes on with it.
    """

    spec: dict[str, Any]
    width: Width | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the specification, with the rows and a description."""
        return self.spec

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart to a file: all of it, or nothing.

        Parameters
        ----------
        path : str
            Ends in ``.svg``, ``.png``, ``.pdf`` or ``.json`` (Vega-Lite).

        Raises
        ------
        SettingsError
            If the file is of another kind.
        MissingExtraError
            If vl-convert is not installed, which draws files.
        OSError
            If the file cannot be written.
        """
        form = form_of(path)
        write_whole(path, draw(self.spec, form, in_print=self.width is not None))

    def _repr_svg_(self) -> str | None:
        try:
            return draw(self.spec, "svg").decode()
        except MissingExtraError:
            return None

    def __repr__(self) -> str:
        return f"<Chart: {self.spec['description']}>"


def form_of(path: str | os.PathLike[str]) -> str:
    """Return the format of the file that a chart is written to, or raise SettingsError."""
    form = checked_path(path).rpartition(".")[2].lower()
    if form not in FORMS:
        suffixes = ", ".join(f".{name}" for name in FORMS)
        raise SettingsError(f"{os.fspath(path)}: a chart is written as {suffixes}")
    return form


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
    if "hconcat" in chart:
        return _side_by_side(chart, pixels)
    height = chart.get("height", usual)
    # A height in steps follows from the number of rows.
    return {
        **_fitted(chart, {"x": pixels, "y": usual}),
        "width": pixels,
        "height": height if isinstance(height, dict) else min(height, most),
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def _side_by_side(chart: dict[str, Any], pixels: int) -> dict[str, Any]:
    """Fit charts side by side: the first has the labels of all."""
    several = chart["hconcat"]
    names = several[0]["layer"][0]["encoding"]["y"]["scale"]["domain"]
    labels = min(round(_LABELS * pixels), 8 + (_LETTER + 1) * max(map(columns_of, names)))
    around = 2 * _PADDING + _BEYOND + _RULES + _SPACING * (len(several) - 1)
    room = pixels - labels - around
    width = room // len(several)
    panels: list[dict[str, Any]] = []
    for panel in several:
        fitted = _fitted(panel, {"x": pixels})
        title = panel["layer"][0]["encoding"]["x"]["title"]
        for layer in fitted["layer"]:
            layer["encoding"]["x"]["title"] = _lines(title, round(width / _TITLES))
        panels.append({**fitted, "width": width if panels else room - width * (len(several) - 1)})
    text = {"minExtent": labels, "maxExtent": labels, "labelLimit": labels - 8}
    for layer in panels[0]["layer"]:
        layer["encoding"]["y"]["axis"].update(text)
    padding = {"left": _PADDING, "right": _PADDING + _BEYOND, "top": _PADDING, "bottom": _PADDING}
    return {**chart, "hconcat": panels, "spacing": _SPACING, "padding": padding}


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
    or page: a PNG then has 300 dots per inch of it. Raises MissingExtraError without vl-convert.
    """
    if form == "json":
        return json_document(chart).encode()
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError(
            "charts need a package that is not installed: pip install 'truebleu[charts]'"
        ) from error
    if form == "png":
        # The scale is that of points.
        fine = {"scale": _POINTS / _PIXELS, "ppi": _DOTS} if in_print else {"scale": 2}
        return bytes(vl_convert.vegalite_to_png(chart, **fine))
    svg = str(vl_convert.vegalite_to_svg(chart))
    if form == "svg":
        return _labeled(svg, chart).encode()
    # As large in points, which PDF takes pixels for, as it is in pixels.
    sizes = re.compile(' (width|height)="([0-9.]+)"')
    scale = _POINTS / _PIXELS
    return bytes(
        vl_convert.svg_to_pdf(
            sizes.sub(lambda each: f' {each[1]}="{float(each[2]) * scale:g}"', svg, count=2)
        )
    )


def _labeled(svg: str, chart: dict[str, Any]) -> str:
    """Tell screen readers what an SVG shows."""
    from html import escape

    label = escape(visible(chart.get("description", "")))
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1) if label else svg
