"""The charts of a report: what each shows, with which rows, in the page or by itself.

A function that draws a chart takes the data, for scales and names, and what the two highlighted
systems and the rest are called. It makes Vega-Lite, by Altair, without the rows.

Names from outside, of systems, documents and metrics, are only in rows and domains, and in titles
of more words: Vega, which draws files, makes code of the rest, and takes a name such as
``toString`` there for what every object of JavaScript has. The page draws what `drawing.js` knows
of Vega-Lite: filters are predicates, not expressions.
"""

from __future__ import annotations

from functools import partial

from truebleu._core import brevity_penalty
from truebleu.display.text import visible
from truebleu.errors import SettingsError
from truebleu.record import Record
from truebleu.reporting import chart_data
from truebleu.reporting.chart_data import LINES
from truebleu.reporting.chart_parts import (
    MOST_NAMED,
    ROLES,
    base,
    in_background,
    intervals_in_words,
    kept,
    lines,
    name_lines,
    said_again,
    score_tip,
    shapes,
    static,
    tips,
    vertical,
    with_interval,
)
from truebleu.reporting.groups import FEWEST_FOR_INTERVALS
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.reporting.chart_data import Row
    from truebleu.reporting.chart_parts import Labels
    from truebleu.reporting.data import Gathered

    Draw = Callable[[Gathered, Labels], Any]

# The curve of the brevity penalty: its pieces, and what a point has.
_PIECES, _OF_PENALTY = 120, ("ratio", "penalty")


def scores(data: Gathered, labels: Labels) -> Any:
    """Draw a point with an interval for each system."""
    alt, chart, color = base(labels)
    intervals = {} if data.comparison is None else data.comparison.systems
    has_intervals = any(each.interval is not None for each in intervals.values())
    chart = chart.encode(
        alt.Y("system:N", sort=None, title=None, axis=alt.Axis(labelLimit=230)),
        color,
        tooltip=tips("system:N", score_tip(alt, data), *["interval:N"] * has_intervals),
    )
    x = alt.X("low:Q", title=f"{data.called} score", scale=alt.Scale(zero=False))
    return alt.layer(
        chart.mark_rule(strokeWidth=2).encode(x, alt.X2("high:Q")),
        chart.mark_tick(thickness=2, size=9).encode(alt.X("low:Q")),
        chart.mark_tick(thickness=2, size=9).encode(alt.X("high:Q")),
        chart.mark_point(filled=True, size=80, opacity=1).encode(
            alt.X("score:Q"), shapes(alt, labels)
        ),
    ).properties(height=alt.Step(26))


def precisions(data: Gathered, labels: Labels) -> Any:
    """Draw a line over the orders for each system."""
    alt, chart, color = base(labels)
    y = vertical(data, LINES["precisions"], chart_data.precisions(data), "precision, %")
    chart = chart.encode(
        alt.X("order:O", title="n-gram order", axis=alt.Axis(labelAngle=0)),
        tooltip=tips("system:N", "order:O", alt.Tooltip("precision:Q", format=".2f")),
    )
    return lines(data, chart, color, labels, y, line=LINES["precisions"])


def penalty(data: Gathered, labels: Labels) -> Any:
    """Draw the systems on the curve of the penalty."""
    alt, chart, color = base(labels)
    ratios = [score.ratio for score in data.scores]
    low, high = max(0.0, min(0.8, min(ratios) - 0.05)), max(1.2, max(ratios) + 0.05)
    places = {round(low + (high - low) * piece / _PIECES, 4) for piece in range(_PIECES + 1)}
    # 1 is the corner.
    known = {ratio: round(brevity_penalty(ratio, 1.0), 6) for ratio in sorted({*places, 1.0})}
    rows = [{"ratio": ratio, "penalty": penalty} for ratio, penalty in known.items()]
    curve = alt.Chart(alt.Data(values=rows))
    x = alt.X(
        "ratio:Q",
        title="tokens of the output / tokens of the reference",
        scale=alt.Scale(domain=[low, high], nice=False),
    )
    y = alt.Y("penalty:Q", title="brevity penalty", scale=alt.Scale(zero=False))
    points = chart.encode(
        x,
        y,
        color,
        shapes(alt, labels),
        tooltip=tips("system:N", *(alt.Tooltip(f"{of}:Q", format=".4f") for of in _OF_PENALTY)),
    )
    return alt.layer(
        curve.mark_line(style="guide-line").encode(x, y),
        in_background(points, labels, sizes=(40, 120)),
        kept(alt, points, labels, rest=False).mark_point(filled=True, size=90, opacity=1),
    )


def sentences(data: Gathered, labels: Labels) -> Any:
    """Draw how many segments have a score in each range."""
    alt, chart, color = base(labels)
    rows = chart_data.sentences(data)
    domain = chart_data.score_range(data)
    title = f"{data.called} of a segment"
    outliers = chart_data.outliers_from(data)
    if outliers is not None:
        domain = (domain[0], rows[-1]["middle"])
        title += f" (last point: all above {outliers:g})"
    y = vertical(data, LINES["sentences"], rows, "% of segments")
    chart = chart.encode(
        alt.X("middle:Q", title=title, scale=alt.Scale(domain=list(domain))),
        tooltip=tips(
            "system:N", "from:Q", "to:Q", "segments:Q", alt.Tooltip("share:Q", format=".1f")
        ),
    )
    return lines(data, chart, color, labels, y, line=LINES["sentences"])


def buckets(data: Gathered, labels: Labels) -> Any:
    """Draw a line over the lengths for each system."""
    import json

    alt, chart, color = base(labels)
    grouped = data.groups["length"]
    pairs = zip(grouped.names, grouped.sizes, strict=True)
    sizes = {name: [name, f"n = {size:,}"] for name, size in pairs}
    rows, title = chart_data.groups(data, "length"), f"{data.called} score"
    y = vertical(data, LINES["lengths"], rows, title)
    chart = chart.encode(
        alt.X(
            "group:O",
            sort=data.groups["length"].names,
            title=f"tokens of the {'first ' * bool(data.split.tokens)}reference",
            axis=alt.Axis(labelAngle=0, labelExpr=f"({json.dumps(sizes)})[datum.value]"),
        ),
        tooltip=tips("system:N", "group:O", "segments:Q", score_tip(alt, data), "interval:N"),
    )
    band = (
        with_interval(alt, chart, labels)
        .mark_area(opacity=0.15)
        .encode(y("low"), alt.Y2("high:Q"), color, alt.Detail("system:N"), alt.TooltipValue(None))
    )
    return lines(data, chart, color, labels, y, line=LINES["lengths"], below=[band], by_size=True)


def groups(data: Gathered, labels: Labels, *, kind: str) -> Any:
    """Draw a row of points for each document, or domain."""
    alt, chart, color = base(labels)
    places = chart_data.largest(data, kind)
    order = alt.EncodingSortField("place", op="min")
    chart = chart.transform_filter(alt.FieldOneOfPredicate("place", places))
    chart = chart.encode(
        alt.Y("group:N", sort=order, title=None, axis=alt.Axis(labelLimit=200, grid=True)),
        alt.X("score:Q", title=f"{data.called} score", scale=alt.Scale(zero=False)),
        color,
        tooltip=tips("system:N", "group:N", "segments:Q", score_tip(alt, data), "interval:N"),
    )
    interval = with_interval(alt, chart, labels).mark_rule(strokeWidth=1.5)
    chart = chart.encode(shapes(alt, labels))
    first = kept(alt, chart, labels, rest=False)
    return alt.layer(
        interval.encode(alt.X("low:Q"), alt.X2("high:Q")),
        in_background(chart, labels, sizes=(25, 90)),
        first.mark_point(filled=True, size=80, opacity=1, cursor="pointer"),
    ).properties(height=alt.Step(20))


def segments(data: Gathered, labels: Labels) -> Any:
    """Draw a point for each segment."""
    alt, chart, _ = base(labels)
    domain = list(chart_data.score_range(data))
    ends = [{"one": end, "other": end} for end in domain]
    scale, axis = alt.Scale(domain=domain), alt.Axis()
    if chart_data.outliers_from(data) is not None:
        # Like a logarithm, but also for 0: outliers leave room for the others.
        unit = data.metric.scale / 10
        scale = alt.Scale(domain=domain, type="symlog", constant=unit)
        steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
        axis = alt.Axis(values=[0, *(unit * step for step in steps if unit * step <= domain[1])])
    title = f"{data.called} of a segment"
    x = alt.X("other:Q", title=f"{title}, {labels[1]}", scale=scale, axis=axis)
    y = alt.Y("one:Q", title=f"{title}, {labels[0]}", scale=scale, axis=axis)
    return alt.layer(
        alt.Chart(alt.InlineData(ends)).mark_line(style="guide-line").encode(x, y),
        chart.mark_point(filled=True, size=24, opacity=0.45, cursor="pointer").encode(
            x,
            y,
            tooltip=[
                alt.Tooltip("segment:Q"),
                alt.Tooltip("one:Q", title=ROLES[0], format=data.metric._form),
                alt.Tooltip("other:Q", title=ROLES[1], format=data.metric._form),
            ],
        ),
    ).properties(height=340)


def influence(data: Gathered, labels: Labels) -> Any:
    """Draw a bar for each segment that contributes most."""
    alt, chart, _ = base(labels)
    first, second = labels[:2] if data.metric.higher_is_better else labels[1::-1]
    what = "the score" if len(data.names) == 1 else f"{first} − {second}"  # noqa: RUF001
    scale = alt.Scale(domain=list(ROLES), range="category")
    return (
        chart.mark_bar(cursor="pointer")
        .encode(
            alt.Y("segment:N", sort=None, title="segment"),
            alt.X("contribution:Q", title=f"Contribution to {what} ({data.called})"),
            alt.Color("side:N", scale=scale, legend=None),
            tooltip=[alt.Tooltip("segment:N"), alt.Tooltip("contribution:Q", format=".4f")],
        )
        .properties(height=alt.Step(16))
    )


def ngrams(data: Gathered, labels: Labels) -> Any:
    """Draw a bar for each n-gram that matters most."""
    alt, chart, _ = base(labels)
    axis = alt.Axis(tickMinStep=1)
    x = alt.X("more:Q", title=f"matches of {labels[0]} minus matches of {labels[1]}", axis=axis)
    first, second = ROLES[:2]
    if len(data.names) == 1:
        x = alt.X("missed:Q", title="Reference occurrences that the system missed", axis=axis)
        first, second = "matched", "in the references"
    scale = alt.Scale(domain=list(ROLES[:2]), range="category")
    return (
        chart.mark_bar(cursor="pointer")
        .encode(
            alt.Y("ngram:N", sort=None, title=None, axis=alt.Axis(labelLimit=230)),
            x,
            alt.Color("side:N", scale=scale, legend=None),
            tooltip=tips(
                "ngram:N",
                "order:Q",
                alt.Tooltip("one:Q", title=first),
                alt.Tooltip("other:Q", title=second),
            ),
        )
        .properties(height=alt.Step(16))
    )


def frequency(data: Gathered, labels: Labels) -> Any:
    """Draw a line over the frequencies for each system."""
    alt, chart, color = base(labels)
    y = vertical(data, LINES["frequency"], chart_data.frequency(data), "reference words matched, %")
    chart = chart.encode(
        alt.X(
            "frequency:O",
            sort=chart_data.frequencies(),
            title="occurrences of the word in the references",
            axis=alt.Axis(labelAngle=0),
        ),
        tooltip=tips(
            "system:N",
            "frequency:O",
            "matches:Q",
            "expected:Q",
            alt.Tooltip("share:Q", format=".1f"),
        ),
    )
    return lines(data, chart, color, labels, y, line=LINES["frequency"])


# The questions that the charts of the page answer, about one system and about several.
QUESTIONS = {
    "why": ("What makes the score?", "What makes the difference?"),
    "where": ("Where?", "Where?"),
    "even": ("How evenly is it spread?", "How evenly is it spread?"),
}


class Chart(Record):
    """One kind of chart.

    `about` says what it shows, in a sentence; ``{metric}`` stands for the metric there, and in the
    title. `question` is one of `QUESTIONS`; without one, it is not on the page. `special` says that
    only some metrics have it, whose `about` names it; `pair`, that the rows are of two systems.
    `alone` is the title and the sentence of the only system, if they are others.
    """

    title: str
    about: str
    draw: Draw
    rows: Callable[..., list[Row]]
    question: str | None = None
    special: bool = False
    pair: bool = False
    alone: tuple[str, str] | None = None


def _by(kind: str) -> Chart:
    return Chart(
        title=f"{{metric}} by {kind}",
        about=f"Corpus {{metric}} of each {kind}, with the bootstrap interval where there are at "
        f"least {FEWEST_FOR_INTERVALS} segments.",
        draw=partial(groups, kind=kind),
        rows=partial(chart_data.groups, kind=kind),
        question="where",
    )


CHARTS = {
    "scores": Chart(
        title="{metric} with intervals",
        about="The score of each system with its confidence interval.",
        draw=scores,
        rows=chart_data.scores,
    ),
    "precisions": Chart(
        title="Precision by order",
        about="The share of n-grams of each order that occur in the references.",
        draw=precisions,
        rows=chart_data.precisions,
        question="why",
        special=True,
    ),
    "penalty": Chart(
        title="Length and brevity penalty",
        about="Outputs shorter than the references are penalized; the line shows by how much.",
        draw=penalty,
        rows=chart_data.penalty,
        question="why",
        special=True,
    ),
    "sentences": Chart(
        title="Segment scores",
        about="Distribution of segment-level {metric}.",
        draw=sentences,
        rows=chart_data.sentences,
        question="even",
    ),
    "lengths": Chart(
        title="{metric} by length",
        about="Corpus {metric} for segments grouped by length of the first reference. Bands are "
        f"bootstrap intervals of groups with at least {FEWEST_FOR_INTERVALS} segments.",
        draw=buckets,
        rows=partial(chart_data.groups, kind="length"),
        question="where",
    ),
    "documents": _by("document"),
    "domains": _by("domain"),
    "segments": Chart(
        title="A against B, by segment",
        about="Each point is a segment.",
        draw=segments,
        rows=chart_data.segments,
        question="even",
        pair=True,
    ),
    "influence": Chart(
        title="Segments that make the difference",
        about="The segments that contribute most.",
        alone=("Segments that contribute most", "What the score gains or loses with each."),
        draw=influence,
        rows=chart_data.influence,
        question="even",
        pair=True,
    ),
    "ngrams": Chart(
        title="N-grams that make the difference",
        about="N-grams of the references that one system matches more often than the other.",
        alone=("Missed n-grams", "N-grams that the references have more often than are matched."),
        draw=ngrams,
        rows=chart_data.ngrams,
        question="why",
        special=True,
        pair=True,
    ),
    "frequency": Chart(
        title="Matches by word frequency",
        about="Share of reference words matched, by word frequency.",
        draw=frequency,
        rows=chart_data.frequency,
        question="where",
        special=True,
    ),
}
"""The charts by name."""

NAMES = tuple(CHARTS)


def said(data: Gathered, name: str) -> tuple[str, str]:
    """Return title and sentence of a chart."""
    chart, metric = CHARTS[name], data.called
    title, about = (len(data.names) < 2 and chart.alone) or (chart.title, chart.about)
    if not data.split.tokens:
        about = about.replace("length of the first reference", "reference length")
    return data.say(title, metric=metric), data.say(about, metric=metric)


def available(data: Gathered) -> list[str]:
    """Return the names of the charts that these data have."""
    lacking = {
        "documents": "document" not in data.groups,
        "domains": "domain" not in data.groups,
        "segments": len(data.names) < 2,
        "influence": data.segments < 2,
        "lengths": "length" not in data.groups,
        **dict.fromkeys(("ngrams", "frequency"), data.grams is None),
    }
    return [
        name
        for name, chart in CHARTS.items()
        if not lacking.get(name) and (not chart.special or name in data.metric._about.charts)
    ]


def named(name: str) -> Chart:
    """Return the chart of a name; UnknownNameError lists the choices."""
    if not isinstance(name, str) or name not in CHARTS:
        raise unknown_name("chart", name, CHARTS)
    return CHARTS[name]


def spec(data: Gathered, name: str, labels: Labels = ROLES) -> dict[str, Any]:
    """Return a chart in Vega-Lite, without rows."""
    chart: dict[str, Any] = CHARTS[name].draw(data, labels).to_dict(validate=False)
    chart.pop("config", None)
    return said_again(chart, data.say) if data.say.table else chart


def rows(data: Gathered, name: str, one: int, other: int | None) -> list[Row]:
    """Return the rows of a chart."""
    chart = CHARTS[name]
    found = chart.rows(data, one, other) if chart.pair else chart.rows(data)
    if name in LINES:
        order = data.ranked()
        named = order if len(order) <= MOST_NAMED else {order[0], order[-1], one, other}
        ranked = [data.names[system] for system in order if system in named]
        name_lines(found, LINES[name], data.metric.scale, ranked)
    return found


def filled(data: Gathered, name: str, one: int, other: int | None) -> dict[str, Any]:
    """Return a static chart in Vega-Lite, or raise SettingsError if these data do not have it."""
    if name not in available(data):
        raise SettingsError(
            f"there is no chart {name!r} in this report; choose one of {', '.join(available(data))}"
        )
    second = "" if other is None else data.names[other]
    first, second = visible(data.names[one]), visible(second)
    rest = data.say.again("others") if len(data.names) > 2 else ""
    while rest in (first, second):
        rest += " "
    labels = (first, second, rest)
    values = rows(data, name, one, other)
    for row in values:
        if "system" in row:
            row["system"] = visible(row["system"])
            row["role"] = row["system"] if row["system"] in labels[:2] else rest
    return static(spec(data, name, labels), values, alt_text(data, name, labels))


def alt_text(data: Gathered, name: str, labels: Labels) -> str:
    """Say what a chart shows, for people who do not see it: its subject, and the systems."""
    title, about = said(data, name)
    if CHARTS[name].pair and labels[1]:
        pair = data.say("A is {one}, B is {other}.", one=labels[0], other=labels[1])
        return f"{title}. {about} {pair}"
    if name == "scores":
        systems = {} if data.comparison is None else data.comparison.systems
        points = (
            (name, data.scores[system].score, getattr(systems.get(name), "interval", None))
            for system, name in ((each, data.names[each]) for each in data.ranked())
        )
        return f"{title}. {about} {intervals_in_words(points, data.metric.decimals)}"
    names = data.say("Systems: {names}.", names=", ".join(map(visible, data.names)))
    return f"{title}. {about} {names}"
