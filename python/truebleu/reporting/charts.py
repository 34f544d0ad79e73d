"""The charts of a report: what each shows, with which rows, in the page or by itself.

A function that draws a chart takes the data, for scales and names, and what the two highlighted
systems and the rest are called. It returns Vega-Lite without the rows, as plain values: the page
draws what `drawing.js` knows of it, and files are drawn by Vega.

Names from outside, of systems, documents and metrics, are only in rows and domains, and in titles
of more words: Vega makes code of the rest, and takes a name such as ``toString`` there for what
every object of JavaScript has. Filters are predicates, not expressions.
"""

from __future__ import annotations

from functools import partial

from truebleu.display.formatting import decimals
from truebleu.display.text import visible
from truebleu.errors import SettingsError
from truebleu.record import Record
from truebleu.reporting import chart_data
from truebleu.reporting.groups import FEWEST
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from truebleu.reporting.chart_data import Row
    from truebleu.reporting.data import Gathered

    Labels = tuple[str, str, str]
    Spec = dict[str, Any]
    Draw = Callable[[Gathered, Labels], Spec]

ROLES = ("A", "B", "others")

# Systems in the background, and those that are highlighted.
_REST = {"field": "role", "equal": ROLES[2]}

# Of more systems, lines in the background are faint.
_MANY = 12


def _number(field: str, title: str | None = None, **more: Any) -> Spec:
    titled = {} if title is None else {"title": title}
    return {"field": field, "type": "quantitative", **titled, **more}


def _name(field: str, title: str | None = None, **axis: Any) -> Spec:
    """Return a channel of values in the order of the rows."""
    return {"field": field, "type": "nominal", "sort": None, "title": title, "axis": axis}


def _legend(labels: Labels) -> Spec | None:
    """Return the legend of the systems; the page has one of its own for all charts."""
    if not labels[1]:
        return None
    return {"orient": "top", "title": None, "labelLimit": 300, "symbolOpacity": 1}


def _by_role(labels: Labels, values: Any = "category", field: str = "role") -> Spec:
    """Return a channel that tells the systems apart."""
    domain = list(ROLES) if field == "side" else [*labels[:2], *filter(str.strip, labels[2:])]
    legend = None if field == "side" else _legend(labels)
    scale = {"domain": domain, "range": values}
    return {"field": field, "type": "nominal", "scale": scale, "legend": legend}


def _shapes(labels: Labels) -> Spec:
    """Return the shapes of the systems; shapes and colors share a legend."""
    return _by_role(labels, ["circle", "square", "circle"])


def _tips(data: Gathered, **shown: str) -> list[Spec]:
    """Return what a tooltip shows: fields, each with the format of numbers, or none."""
    say = data.say
    return [
        {"field": field, "title": say.again(field), **({"format": form} if form else {})}
        for field, form in shown.items()
    ]


def _layer(mark: str | Spec, encoding: Spec, *filters: Spec) -> Spec:
    made: Spec = {"mark": {"type": mark} if isinstance(mark, str) else mark, "encoding": encoding}
    if filters:
        made["transform"] = [{"filter": each} for each in filters]
    return made


def _layers(*layers: Spec, **more: Any) -> Spec:
    # Else Vega-Lite would take an empty name for no name.
    return {"data": {"name": "rows", "format": {"parse": None}}, "layer": list(layers), **more}


def _with_whiskers(
    y: Spec, value: Spec, ends: tuple[str, str], color: Spec, shape: Spec, tips: list[Spec]
) -> list[Spec]:
    """Return the layers of intervals with their values."""
    known = {"field": ends[0], "valid": True}
    # Vega draws a scale through all fields of its layers.
    low = {**value, "field": ends[0]}
    return [
        _layer(
            {"type": "rule", "strokeWidth": 2},
            {"y": y, "x": low, "x2": {"field": ends[1]}, "color": color},
            known,
        ),
        _layer(
            {"type": "point", "filled": True, "size": 70, "opacity": 1, "cursor": "pointer"},
            {"y": y, "x": value, "color": color, "tooltip": tips, **shape},
            {"field": value["field"], "valid": True},
        ),
    ]


def scores(data: Gathered, labels: Labels) -> Spec:
    """Draw a point with an interval for each system, and for each difference."""
    say, form = data.say, data.metric._form
    color, shape = _by_role(labels), {"shape": _shapes(labels)}
    every = [visible(data.names[system]) for system in data.ranked()]
    names = {**_name("system", labelLimit=230), "scale": {"domain": every}}
    score = _number("score", say("{metric} score", metric=data.called), scale={"zero": False})
    tips = _tips(data, system="", score=form, low=form, high=form)
    panels = [
        _layers(*_with_whiskers(names, score, ("low", "high"), color, shape, tips)),
    ]
    if len(data.names) > 1:
        difference = _number("difference", say("difference"), scale={"zero": True})
        tips = _tips(data, system="", difference=form, least=form, most=form)
        again = {**names, "axis": None}
        layers = _with_whiskers(again, difference, ("least", "most"), color, shape, tips)
        panels.append(_layers(*layers))
    return {"hconcat": [{**panel, "height": {"step": 26}, "width": 220} for panel in panels]}


def checkpoints(data: Gathered, labels: Labels) -> Spec:
    """Draw the scores in the order given."""
    form = data.metric._form
    value = _number("score", data.say("{metric} score", metric=data.called), scale={"zero": False})
    x = _name("system", labelAngle=-45, labelLimit=120)
    known = {"field": "low", "valid": True}
    tips = _tips(data, system="", score=form, low=form, high=form)
    return _layers(
        _layer(
            {"type": "rule", "strokeWidth": 2},
            {"x": x, "y": {**value, "field": "low"}, "y2": {"field": "high"}},
            known,
        ),
        _layer({"type": "line", "strokeWidth": 2}, {"x": x, "y": value}),
        _layer(
            {"type": "point", "filled": True, "size": 60, "opacity": 1},
            {"x": x, "y": value, "tooltip": tips},
        ),
        height=300,
    )


def _lines(data: Gathered, labels: Labels, x: Spec, y: Spec, tips: list[Spec]) -> Spec:
    """Draw a line for each system: those that are highlighted above the others."""
    color, detail = _by_role(labels), {"field": "system"}
    dash = {**_by_role(labels, [[1, 0], [6, 3], [1, 0]]), "legend": None}
    rest = {**_REST, "equal": labels[2]}
    place = {"x": x, "y": y}
    faint = 0.45 if len(data.names) > _MANY else 0.8
    marked = {**place, "color": color, "shape": _shapes(labels), "tooltip": tips}
    known = {"field": y["field"], "valid": True}
    points = {"type": "point", "filled": True}
    return _layers(
        _layer(
            {"type": "line", "strokeWidth": 1, "opacity": faint},
            {**place, "color": color, "detail": detail},
            rest,
        ),
        _layer({**points, "size": 18, "opacity": faint}, marked, rest, known),
        _layer(
            {"type": "line", "strokeWidth": 2},
            {**place, "color": color, "strokeDash": dash, "detail": detail},
            {"not": rest},
        ),
        _layer({**points, "size": 70, "opacity": 1}, marked, {"not": rest}, known),
        height=260,
    )


def precision(data: Gathered, labels: Labels) -> Spec:
    """Draw a line over the orders for each system."""
    x = {"field": "order", "type": "ordinal", "title": data.say("n-gram order")}
    y = _number("precision", data.say("precision, %"), scale={"zero": True})
    tips = _tips(data, system="", order="", precision=".2f")
    return _lines(data, labels, x | {"axis": {"labelAngle": 0}}, y, tips)


def frequency(data: Gathered, labels: Labels) -> Spec:
    """Draw a line over the frequencies for each system."""
    title = data.say("occurrences of the word in the references")
    x = {"field": "frequency", "type": "ordinal", "sort": chart_data.frequencies()}
    y = _number("share", data.say("reference words matched, %"), scale={"zero": False})
    tips = _tips(data, system="", frequency="", matches="", expected="", share=".1f")
    return _lines(data, labels, x | {"title": title, "axis": {"labelAngle": 0}}, y, tips)


def groups(data: Gathered, labels: Labels) -> Spec:
    """Draw the difference with its interval in each group; of one system, its score."""
    say, form = data.say, data.metric._form
    alone = len(data.names) == 1
    title = say("{metric} score", metric=data.called)
    if not alone:
        difference = f"{labels[0]} \u2212 {labels[1]}"
        title = say("{difference} ({metric})", difference=difference, metric=data.called)
    y = _name("group", labelLimit=200)
    value = _number("value", title, scale={"zero": not alone})
    color = _by_role(labels, field="side")
    tips = _tips(data, group="", segments="", value=form, low=form, high=form)
    layers = _with_whiskers(y, value, ("low", "high"), color, {}, tips)
    return _layers(*layers, height={"step": 24})


def segments(data: Gathered, labels: Labels) -> Spec:
    """Draw how many segments have a score in each range."""
    say = data.say
    title = say("{metric} of a segment", metric=data.called)
    end = chart_data.outliers_from(data)
    if end is not None:
        title += f" ({say('last bar: all above {number}', number=f'{end:g}')})"
    tips = _tips(data, system="", **{"from": "", "to": "", "segments": ""})
    x = _number("from", title, bin={"binned": True})
    y = _number("segments", say("segments"), stack=None, axis={"tickMinStep": 1})
    return _layers(
        _layer(
            {"type": "bar", "opacity": 0.5},
            {"x": x, "x2": {"field": "to"}, "y": y, "color": _by_role(labels), "tooltip": tips},
            {"not": {**_REST, "equal": labels[2]}},
        ),
        height=260,
    )


def pair(data: Gathered, labels: Labels) -> Spec:
    """Draw a point for each segment."""
    domain = list(chart_data.score_range(data))
    ends = [{"one": end, "other": end} for end in domain]
    how: Spec = {"scale": {"domain": domain}}
    if chart_data.outliers_from(data) is not None:
        # Like a logarithm, but also for 0: outliers leave room for the others.
        unit = data.metric.scale / 10
        steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
        values = [0, *(unit * step for step in steps if unit * step <= domain[1])]
        scale = {"domain": domain, "type": "symlog", "constant": unit}
        how = {"scale": scale, "axis": {"values": values}}
    title = data.say("{metric} of a segment", metric=data.called)
    x, y = (
        _number(field, f"{title}, {label}", **how)
        for field, label in (("other", labels[1]), ("one", labels[0]))
    )
    form = {"format": data.metric._form}
    tips = [
        *_tips(data, segment=""),
        {"field": "one", "title": ROLES[0], **form},
        {"field": "other", "title": ROLES[1], **form},
    ]
    guide = _layer({"type": "line", "style": "guide-line"}, {"x": x, "y": y})
    points = {"type": "point", "filled": True, "size": 24, "opacity": 0.45, "cursor": "pointer"}
    return _layers(
        {**guide, "data": {"values": ends}},
        _layer(points, {"x": x, "y": y, "tooltip": tips}),
        height=340,
    )


def ngrams(data: Gathered, labels: Labels) -> Spec:
    """Draw a bar for each n-gram that matters most."""
    say = data.say
    title = say("matches of {one} minus matches of {other}", one=labels[0], other=labels[1])
    field, shown = "more", ROLES[:2]
    if len(data.names) == 1:
        title = say("Reference occurrences that the system missed")
        field, shown = "missed", (say("matched"), say("in the references"))
    counts = [
        {"field": name, "title": title} for name, title in zip(("one", "other"), shown, strict=True)
    ]
    return {
        "data": {"name": "rows", "format": {"parse": None}},
        "mark": {"type": "bar", "cursor": "pointer"},
        "encoding": {
            "y": _name("ngram", labelLimit=230),
            "x": _number(field, title, axis={"tickMinStep": 1, "format": "d"}),
            "color": _by_role(labels, field="side"),
            "tooltip": [*_tips(data, ngram="", order=""), *counts],
        },
        "height": {"step": 18},
    }


class Kind(Record):
    """One kind of chart.

    `title` and `about` say what it shows; ``{metric}`` stands for the metric there. `pair` says
    that the rows are of two systems; `on_page`, that the page draws it. `alone` are the title and
    the sentence of the only system, if they are others.
    """

    title: str
    about: str
    draw: Draw
    rows: Callable[..., list[Row]]
    pair: bool = False
    on_page: bool = True
    alone: tuple[str, str] | None = None


def _by(kind: str, about: str) -> Kind:
    return Kind(
        title=f"{{metric}} by {kind}",
        about=f"A \u2212 B in corpus {{metric}} {about}, with its confidence interval.",
        alone=(f"{{metric}} by {kind}", f"Corpus {{metric}} {about}."),
        draw=groups,
        rows=partial(chart_data.groups, kind=kind),
        pair=True,
    )


CHARTS = {
    "scores": Kind(
        title="{metric} with intervals",
        about="The score of each system with its confidence interval.",
        draw=scores,
        rows=chart_data.scores,
        on_page=False,
    ),
    "precision": Kind(
        title="Precision by order",
        about="Percentage of n-grams of each order that occur in the references.",
        draw=precision,
        rows=chart_data.precision,
    ),
    "length": _by("length", f"by tokens of the reference, in groups of at least {FEWEST} segments"),
    "documents": _by("document", "of each document"),
    "domains": _by("domain", "of each domain"),
    "ngrams": Kind(
        title="N-grams that make the difference",
        about="Matches of n-grams, A minus B.",
        alone=("Missed n-grams", "N-grams that the references have more often than are matched."),
        draw=ngrams,
        rows=chart_data.ngrams,
        pair=True,
    ),
    "pair": Kind(
        title="A against B, by segment",
        about="{metric} of each segment.",
        draw=pair,
        rows=chart_data.pair,
        pair=True,
    ),
    "frequency": Kind(
        title="Matches by word frequency",
        about="Share of reference words matched, by word frequency.",
        draw=frequency,
        rows=chart_data.frequency,
    ),
    "segments": Kind(
        title="Segment scores",
        about="Distribution of segment-level {metric}.",
        draw=segments,
        rows=chart_data.segments,
        on_page=False,
    ),
    "checkpoints": Kind(
        title="{metric} of checkpoints",
        about="The score of each system, in the order given, with its confidence interval.",
        draw=checkpoints,
        rows=chart_data.checkpoints,
        on_page=False,
    ),
}
"""The charts by name."""

NAMES = tuple(CHARTS)

# What data lack that do not have a chart.
_NEEDED = {
    "length": f"at least {2 * FEWEST} segments with references of several lengths",
    "documents": "the document of each segment: --units FILE with an ID on each line, or in Python "
    "units=[...]",
    "domains": "the domain of each segment: --domains FILE with one on each line, or in Python "
    "domains=[...]",
    "pair": "a second system",
}

# The groups that charts by group are of.
KINDS = {"length": "length", "documents": "document", "domains": "domain"}


def said(data: Gathered, name: str) -> tuple[str, str]:
    """Return title and sentence of a chart."""
    chart, metric = CHARTS[name], data.called
    title, about = (len(data.names) < 2 and chart.alone) or (chart.title, chart.about)
    return data.say(title, metric=metric), data.say(about, metric=metric)


def available(data: Gathered) -> list[str]:
    """Return the names of the charts that these data have."""
    lacking = {
        **{name: kind not in data.groups for name, kind in KINDS.items()},
        "pair": len(data.names) < 2,
        "precision": "precision" not in data.metric._about.charts,
        **dict.fromkeys(("ngrams", "frequency"), data.grams is None),
    }
    if "length" in data.groups:
        lacking["length"] = len(data.groups["length"].names) < 2
    return [name for name in CHARTS if not lacking.get(name)]


def on_page(data: Gathered) -> list[str]:
    """Return the names of the charts of the page: groups that are given stand for length."""
    names = [name for name in available(data) if CHARTS[name].on_page]
    given = {"documents", "domains"} & {*names}
    return [name for name in names if not (given and name == "length")]


def named(name: str) -> Kind:
    """Return the chart of a name; UnknownNameError lists the choices."""
    if not isinstance(name, str) or name not in CHARTS:
        raise unknown_name("chart", name, CHARTS)
    return CHARTS[name]


def spec(data: Gathered, name: str) -> Spec:
    """Return a chart of the page in Vega-Lite, without rows."""
    return CHARTS[name].draw(data, (*ROLES[:2], data.say(ROLES[2])))


def rows(data: Gathered, name: str, one: int, other: int | None) -> list[Row]:
    """Return the rows of a chart."""
    chart = CHARTS[name]
    return chart.rows(data, one, other) if chart.pair else chart.rows(data)


def filled(data: Gathered, name: str, one: int, other: int | None) -> tuple[Spec, list[Row], str]:
    """Return a static chart without rows, its rows, and what it shows, in words.

    Raises SettingsError if these data do not have it.
    """
    if name not in available(data):
        needed = _NEEDED.get(name, f"another metric than {data.metric.name}")
        if name in data.metric._about.charts:
            needed = "texts, which statistics do not have"
        raise SettingsError(
            f"there is no chart {name!r} in this report: it needs {needed}; choose one of "
            f"{', '.join(available(data))}"
        )
    second = "" if other is None else data.names[other]
    first, second = visible(data.names[one]), visible(second)
    rest = data.say(ROLES[2]) if len(data.names) > 2 else ""
    while rest in (first, second):
        rest += " "
    labels = (first, second, rest)
    values = rows(data, name, one, other)
    for row in values:
        if "system" in row:
            row["system"] = visible(row["system"])
            row["role"] = row["system"] if row["system"] in labels[:2] else rest
    return CHARTS[name].draw(data, labels), values, alt_text(data, name, labels)


def alt_text(data: Gathered, name: str, labels: Labels) -> str:
    """Say what a chart shows, for people who do not see it: its subject, and the systems."""
    title, about = said(data, name)
    if CHARTS[name].pair and labels[1]:
        pair = data.say("A is {one}, B is {other}.", one=labels[0], other=labels[1])
        return f"{title}. {about} {pair}"
    if name in ("scores", "checkpoints"):
        systems = {} if data.comparison is None else data.comparison.systems
        order = data.ranked() if name == "scores" else range(len(data.names))
        said_of = []
        for system in order:
            each, score = data.names[system], data.scores[system].score
            interval = systems[each].interval if each in systems else None
            ends = "" if interval is None else f" {interval.ends(data.metric.decimals)}"
            said_of.append(f"{visible(each)} {decimals(score, data.metric._form)}{ends}")
        return f"{title}. {about} {'; '.join(said_of)}."
    names = data.say("Systems: {names}.", names=", ".join(map(visible, data.names)))
    return f"{title}. {about} {names}"
