"""The charts of a report: what each shows, with which rows, in the page or by itself."""

from __future__ import annotations

import re
from functools import partial

from truebleu.display.formatting import decimals
from truebleu.display.markup import stylesheet
from truebleu.display.text import visible
from truebleu.errors import SettingsError
from truebleu.record import Record
from truebleu.reporting import chart_data, chart_parts, chart_specs
from truebleu.reporting.groups import FEWEST_FOR_INTERVALS
from truebleu.reporting.line_names import name_lines
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from truebleu.reporting.chart_data import Row
    from truebleu.reporting.data import Gathered
    from truebleu.significance.interval import Interval

    Draw = Callable[[Gathered, tuple[str, str, str]], Any]


class Chart(Record):
    """One kind of chart.

    Attributes
    ----------
    title, about : str
        A heading, and what it shows, in a sentence; ``{metric}`` stands for the metric.
    draw : callable
        Makes the chart, without rows.
    rows : callable
        Makes the rows, of everything or of two systems.
    special : bool
        Whether it shows what only some metrics have, whose `about` names it.
    pair : bool
        Whether the rows are those of two systems.
    """

    title: str
    about: str
    draw: Draw
    rows: Callable[..., list[Row]]
    special: bool = False
    pair: bool = False

    def said(self, metric: str) -> tuple[str, str]:
        """Return title and sentence for a metric of that name."""
        return self.title.format(metric=metric), self.about.format(metric=metric)


def _by(kind: str) -> Chart:
    """Make the chart of the groups of one kind."""
    return Chart(
        title=f"{{metric}} by {kind}",
        about=f"Corpus {{metric}} of each {kind}, with the bootstrap interval where there are at "
        f"least {FEWEST_FOR_INTERVALS} segments.",
        draw=partial(chart_specs.groups, kind=kind),
        rows=partial(chart_data.groups, kind=kind),
    )


CHARTS = {
    "scores": Chart(
        title="{metric} with intervals",
        about="The score of each system with its confidence interval.",
        draw=chart_specs.scores,
        rows=chart_data.scores,
    ),
    "precisions": Chart(
        title="Precision by order",
        about="The share of n-grams of each order that occur in the references.",
        draw=chart_specs.precisions,
        rows=chart_data.precisions,
        special=True,
    ),
    "penalty": Chart(
        title="Length and brevity penalty",
        about="Outputs shorter than the references are penalized; the line shows by how much.",
        draw=chart_specs.penalty,
        rows=chart_data.penalty,
        special=True,
    ),
    "sentences": Chart(
        title="Segment scores",
        about="Distribution of segment-level {metric}.",
        draw=chart_specs.sentences,
        rows=chart_data.sentences,
    ),
    "lengths": Chart(
        title="{metric} by length",
        about="Corpus {metric} for segments grouped by length of the first reference. Bands are "
        f"bootstrap intervals of groups with at least {FEWEST_FOR_INTERVALS} segments.",
        draw=chart_specs.buckets,
        rows=partial(chart_data.groups, kind="length"),
    ),
    "documents": _by("document"),
    "domains": _by("domain"),
    "segments": Chart(
        title="A against B, by segment",
        about="Each point is a segment.",
        draw=chart_specs.segments,
        rows=chart_data.segments,
        pair=True,
    ),
    "influence": Chart(
        title="Segments that make the difference",
        about="The segments that contribute most.",
        draw=chart_specs.influence,
        rows=chart_data.influence,
        pair=True,
    ),
    "ngrams": Chart(
        title="N-grams that make the difference",
        about="N-grams of the references that one system matches more often than the other.",
        draw=chart_specs.ngrams,
        rows=chart_data.ngrams,
        special=True,
        pair=True,
    ),
    "frequency": Chart(
        title="Matches by word frequency",
        about="Share of reference words matched, by word frequency.",
        draw=chart_specs.frequency,
        rows=chart_data.frequency,
        special=True,
    ),
}
"""The charts by name."""

NAMES = tuple(CHARTS)


def available(data: Gathered) -> list[str]:
    """Return the names of the charts that these data have."""
    lacking = {
        "documents": "document" not in data.groups,
        "domains": "domain" not in data.groups,
        "segments": len(data.names) < 2,
        "influence": data.segments < 2,
    }
    return [
        name
        for name, chart in CHARTS.items()
        if not lacking.get(name) and (not chart.special or name in data.metric.about.charts)
    ]


def named(name: str) -> Chart:
    """Return the chart of a name.

    Raises
    ------
    UnknownNameError
        If there is none; the message lists the choices.
    """
    if name not in CHARTS:
        raise unknown_name("chart", name, CHARTS)
    return CHARTS[name]


def spec(
    data: Gathered, name: str, labels: tuple[str, str, str] = chart_parts.ROLES
) -> dict[str, Any]:
    """Return a chart in Vega-Lite, without rows."""
    chart: dict[str, Any] = CHARTS[name].draw(data, labels).to_dict(validate=False)
    chart.pop("config", None)
    return chart


def rows(data: Gathered, name: str, one: int, other: int | None) -> list[Row]:
    """Return the rows of a chart."""
    chart = CHARTS[name]
    found = chart.rows(data, one, other) if chart.pair else chart.rows(data)
    if name in chart_data.LINES:
        ranked = [data.names[system] for system in data.ranked()]
        name_lines(found, chart_data.LINES[name], data.metric.scale, ranked)
    return found


def filled(data: Gathered, name: str, one: int, other: int | None) -> dict[str, Any]:
    """Return a static chart in Vega-Lite: rows, colors and names included.

    Raises
    ------
    SettingsError
        If these data do not have that chart.
    """
    if name not in available(data):
        raise SettingsError(
            f"there is no chart {name!r} in this report; choose one of {', '.join(available(data))}"
        )
    second = "" if other is None else data.names[other]
    first, second = visible(data.names[one]), visible(second)
    rest = "others" if len(data.names) > 2 else ""
    while rest in (first, second):
        rest += " "
    labels = (first, second, rest)
    values = rows(data, name, one, other)
    for row in values:
        if "system" in row:
            row["system"] = visible(row["system"])
            row["role"] = row["system"] if row["system"] in labels[:2] else rest
    chart = spec(data, name, labels)
    chart["datasets"] = {**chart.get("datasets", {}), "rows": values}
    chart.update(config=config(colors()) | {"background": "white"})
    chart.setdefault("width", 420)
    chart["description"] = alt_text(data, name, labels)
    return chart


def alt_text(data: Gathered, name: str, labels: tuple[str, str, str]) -> str:
    """Say what a chart shows, for people who do not see it: its subject, and the systems."""
    title, about = CHARTS[name].said(data.metric.name)
    if CHARTS[name].pair and labels[1]:
        return f"{title}. {about} A is {labels[0]}, B is {labels[1]}."
    if name == "scores":
        systems = {} if data.comparison is None else data.comparison.systems
        ranked = [(data.names[system], data.scores[system].score) for system in data.ranked()]
        said = (
            (each, score, getattr(systems.get(each), "interval", None)) for each, score in ranked
        )
        return f"{title}. {about} {intervals_in_words(said, data.metric.decimals)}"
    return f"{title}. {about} Systems: {', '.join(map(visible, data.names))}."


def intervals_in_words(
    intervals: Iterable[tuple[str, float, Interval | None]], width: int = 2
) -> str:
    """Write names with their numbers and intervals, with `width` decimals."""
    said = []
    for name, value, interval in intervals:
        between = "" if interval is None else f" {interval.ends(width)}"
        said.append(f"{visible(name)} {decimals(value, f'.{width}f')}{between}")
    return f"{'; '.join(said)}."


def colors() -> dict[str, str]:
    """Return the colors of the style sheet, as they are on paper."""
    return dict(re.findall(r"--([\w-]+): light-dark\((#\w+), #\w+\)", stylesheet()))


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
            chart_parts.NAME_STYLE: {
                "align": "left",
                "baseline": "middle",
                "dx": 11,
                "limit": 105,
                "fontSize": 11,
                "strokeWidth": 0.75,
                "strokeDash": [1, 2],
            },
            f"{chart_parts.NAME_STYLE}-faint": {"color": faint, "cursor": "pointer"},
        },
        "range": {"category": [palette["one"], palette["other"], palette["rest"]]},
        "view": {"stroke": None},
    }
