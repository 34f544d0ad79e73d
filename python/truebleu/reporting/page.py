"""One file of HTML that holds everything: data, charts, style, scripts, and no address."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from truebleu._core import __version__
from truebleu.analysis.correlation import Correlation
from truebleu.analysis.decompose import decompose
from truebleu.display import forest
from truebleu.display.formatting import MINUS, decimals, p_value, percent, with_minus
from truebleu.display.markup import hashed, isolated_in, script, stylesheet
from truebleu.display.text import visible
from truebleu.display.words import Words, english
from truebleu.errors import MissingExtraError, TruebleuError
from truebleu.inputs.sequences import check_text
from truebleu.metrics.metric import directions
from truebleu.reporting import chart_data, charts, glossary, payload
from truebleu.reporting.data import Gathered
from truebleu.significance.leads import said
from truebleu.significance.pair import Interval
from truebleu.significance.results import rank_range

_HERE = Path(__file__).parent

# In this order: each uses those before it.
_SCRIPTS = (
    *("data", "state", "scores", "ngrams", "filters", "list"),
    *("chart_rows", "chart_numbers", "findings", "scales", "drawing", "charts", "matches"),
    *("edits", "segment", "pair", "systems", "quotes", "page"),
)


def templates(say: Words = english) -> Any:
    """Return what writes pages in a language, or raise MissingExtraError."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "reports need a package that is not installed: pip install 'truebleu[report]'"
        ) from error
    return _compiled_once(say)


@functools.cache
def _compiled_once(say: Words) -> Any:
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def marked(text: str, /, **values: object) -> Markup:
        """Say it; tags are those of the template, and of values that are marked up, too."""
        return Markup(say.table[text] if say.table else text).format(**values)  # noqa: S704

    drawn = {"cell": forest.cell, "header": forest.header}
    environment.globals["forest"] = {
        name: lambda *how, draw=draw: Markup(draw(*how))  # noqa: S704
        for name, draw in drawn.items()
    }
    environment.globals.update(decimals=_decimals, minus=with_minus, p_value=p_value)
    environment.globals.update(percent=percent)
    environment.globals.update(say=marked, again=say.again, count=say.count)
    return environment


def inert(text: str) -> str:
    """Keep a script from ending the element it is in."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def render(reports: Sequence[Gathered], title: str, command: str = "") -> str:
    """Write a page on each metric, with a menu; `command` is what made it, to be repeated."""
    check_text(command, "command")
    say = reports[0].say
    program = inert(script(_HERE / "assets", _SCRIPTS))
    style = _style("report")
    # What splits texts alike shares them.
    splitters = list(dict.fromkeys(each.splitter for each in reports))
    by_splitter = {each.splitter: each for each in reports}
    policy = (
        "default-src 'none'; img-src blob:; base-uri 'none'; form-action 'none'; "
        f"style-src {hashed(style)}; script-src {hashed(program)}"
    )
    return str(
        templates(say)
        .get_template("report.html.j2")
        .render(
            title=title,
            language=reports[0].language,
            words=payload.packed_json(say.table) if say.table else None,
            version=__version__,
            policy=policy,
            style=style,
            program=program,
            names=reports[0].names,
            together=side_by_side(reports),
            views=[
                _view(each, title, splitters.index(each.splitter), command, reports[0].pair())
                for each in reports
            ],
            texts=[payload.texts(by_splitter[each]) for each in splitters],
            visible=visible,
            isolated=isolated_in(reports[0].names),
            most_groups=chart_data.MOST_GROUPS,
            kinds=charts.KINDS,
        )
    )


def _style(*names: str) -> str:
    files = [_HERE / "assets" / f"{name}.css" for name in names]
    return "".join([stylesheet(figure=True), *(file.read_text("utf-8") for file in files)])


def figure(data: Gathered) -> str:
    """Write the first sentence and the first figure, for a notebook."""
    rows, ticks = _rows(data)
    template = templates(data.say).get_template("notebook.html.j2")
    return str(
        template.render(
            data=data,
            comparison=data.comparison,
            rows=rows,
            ticks=ticks,
            plain=True,
            lead=lead(data),
            style=_style(),
            visible=visible,
            isolated=isolated_in(data.names),
        )
    )


def _decimals(value: float, form: str) -> str:
    return decimals(value, form).replace("-", MINUS)


def _view(
    data: Gathered, title: str, texts: int, command: str, pair: tuple[int, int | None]
) -> dict[str, Any]:
    """Return what the page shows of one of some metrics.

    `texts` is the number of its texts; the `pair` is that of all metrics.
    """
    rows, ticks = _rows(data)
    described, numbers = payload.numbers(data)
    facts = payload.facts(data, title, command, pair) | {"columns": described, "texts": texts}
    return {
        "facts": payload.packed_json(facts),
        "numbers": numbers,
        "steps": payload.steps(data),
        "parts": bool(facts["pairs"] and facts["pairs"]["parts"]),
        "rows": rows,
        "ticks": ticks,
        "lead": lead(data),
        "charts": {name: charts.said(data, name) for name in facts["charts"]},
        "terms": glossary.terms_of(
            data.metric,
            data.say,
            several=len(data.names) > 1,
            ranked=bool(data.comparison and data.comparison.clusters),
            **({} if data.comparison is None else {"alpha": data.comparison.alpha}),
        ),
        "details": data.metric._about.details,
        "data": data,
        "comparison": data.comparison,
        "signature": data.signature,
    }


def _rows(data: Gathered) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return what the table of systems shows, the best first, and the axes of its intervals."""
    comparison = data.comparison
    clusters = () if comparison is None else comparison.clusters or ()
    group = {name: number for number, each in enumerate(clusters, 1) for name in each}
    first = {each[0] for each in clusters[1:]}
    ranks = {} if comparison is None else comparison.rank_ranges or {}
    against = data.names[data.against()]
    rows: list[dict[str, Any]] = []
    for system in data.ranked():
        name, score = data.names[system], data.scores[system]
        rows.append(
            {
                "system": system,
                "name": visible(name),
                "score": score,
                "details": {
                    name: cell
                    for name, cell in score.details().items()
                    if name not in data.metric._about.repeated
                },
                "interval": None if comparison is None else comparison.systems[name].interval,
                "pair": None
                if comparison is None or name == against
                else comparison.pair(name, against),
                "is_baseline": system == data.baseline,
                "rank": rank_range(*ranks[name]) if name in ranks else "",
                "opens": name in first,
                "band": len(clusters) > 1 and group.get(name, 0) % 2 == 1,
            }
        )
    pairs = [row["pair"] for row in rows]
    scores = [_ends(row["score"].score, row["interval"]) for row in rows]
    gaps = [() if pair is None else _ends(pair.delta, pair.interval) for pair in pairs]
    place, ticks = forest.axis([each for several in scores for each in several], data.metric.scale)
    known = [each for several in gaps for each in several]
    place_gap, gap_ticks = forest.axis([0.0, *known], data.metric.scale)
    for row, score, gap in zip(rows, scores, gaps, strict=True):
        row["places"], row["gap_places"] = [*map(place, score)], [*map(place_gap, gap)]
    return rows, {"scores": ticks, "gaps": gap_ticks, "zero": place_gap(0)}


def _ends(value: float, interval: Interval | None) -> tuple[float, ...]:
    """Return the ends of an interval with the value in the middle; nothing if undefined."""
    ends = (value,) * 3 if interval is None else (interval.low, value, interval.high)
    return ends if isfinite(value) and not any(map(isnan, ends)) else ()


def lead(data: Gathered) -> str:
    """Say in one or two sentences what came out."""
    scores = dict(zip(data.names, data.scores, strict=True))
    if len(scores) == 1:
        number = f"{decimals(data.scores[0].score, data.metric._form)} {visible(data.called)}"
        counted = data.say.count(data.segments, "segment")
        name = visible(data.names[0])
        return data.say(
            "{name} has {score} on {segments}.", name=name, score=number, segments=counted
        )
    baseline = None if data.baseline is None else data.names[data.baseline]
    return said(scores, data.comparison, called=data.called, say=data.say, baseline=baseline)


def side_by_side(reports: Sequence[Gathered]) -> dict[str, Any] | None:
    """Return what the page shows of several metrics; None if there is only one."""
    if len(reports) < 2:
        return None
    first = reports[0]
    cells = [_cells(data) for data in reports]
    notes = [(data.called, data.scores[0].note) for data in reports]
    return {
        "metrics": [visible(data.called) for data in reports],
        "rows": [
            (visible(first.names[system]), [of_metric[system] for of_metric in cells])
            for system in first.ranked()
        ],
        "tested": first.comparison is not None and bool(first.comparison.pairs),
        "alpha": None if first.comparison is None else first.comparison.alpha,
        "correlations": correlations(reports),
        "lines": [
            *dict.fromkeys(
                first.say.again(visible(line)) for line in directions(d.metric for d in reports)
            ),
            *(_note(first.say, name, note) for name, note in notes if note),
            *_differences(reports),
        ],
    }


def _differences(reports: Sequence[Gathered]) -> Iterator[str]:
    """Say what makes the difference between two metrics of one kind, for the best system."""
    first = reports[0]
    say, best, count = first.say, first.ranked()[0], first.references
    columns = first.split.texts
    if not first.split.tokens:
        return
    corpus = columns[count + best], list(map(list, zip(*columns[:count], strict=True)))
    for one, other in combinations(reports, 2):
        metrics = one.metric, other.metric
        if type(metrics[0]) is not type(metrics[1]) or any(each.takes_tokens for each in metrics):
            continue
        # Of other metrics, or scores computed elsewhere, no more is known.
        with suppress(TruebleuError):
            found = decompose(other.scores[best], one.scores[best], corpus)
            gap = found.rounded_delta()
            how = "is the same as {first}" if not gap else "is {points} higher than {first}"
            if gap < 0:
                how = "is {points} lower than {first}"
            parts = [
                say(
                    "{aspect} {now} instead of {was} ({points})",
                    aspect=part.name,
                    now=part.one,
                    was=part.other,
                    points=decimals(points, "+.2f"),
                )
                for part, points in found.rounded()
            ]
            yield say(
                "The {metric} of {name} {how}: {parts}",
                metric=visible(other.called),
                name=visible(first.names[best]),
                how=say(how, points=f"{abs(gap):.2f}", first=visible(one.called)),
                parts="; ".join(parts),
            )


def _note(say: Words, name: str, note: str) -> str:
    """Say that scores were not computed here."""
    text = "{metric}: {said}, not by truebleu"
    return say(text, metric=visible(name), said=say.again(note))


def _cells(data: Gathered) -> list[dict[str, Any]]:
    """Return score, interval and test against the best of each system under one metric."""
    best = data.ranked()[0]
    pairs = () if data.comparison is None else data.comparison.pairs
    tested = {(pair.one, pair.other): pair for pair in pairs}
    tested |= {(pair.other, pair.one): pair for pair in pairs}
    cells: list[dict[str, Any]] = []
    for name, score in zip(data.names, data.scores, strict=True):
        interval = data.comparison and data.comparison.systems[name].interval
        pair = tested.get((data.names[best], name))
        p = pair and p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor)
        is_best = score.score == data.scores[best].score
        cells.append(
            {
                "score": decimals(score.score, data.metric._form),
                "interval": interval.ends(data.metric.decimals) if interval else "",
                "best": is_best,
                "test": None
                if is_best or pair is None
                else {"p": p, "significant": pair.significant},
            }
        )
    return cells


def correlations(reports: Sequence[Gathered]) -> tuple[Correlation, ...]:
    """Correlate the segment scores of each two metrics."""
    points = [(data.called, data.sign * data.sentences) for data in reports]
    documents, comparison = reports[0].documents, reports[0].comparison
    level = None if comparison is None else comparison.confidence_level
    return tuple(
        Correlation.of(one, other, first, second, documents=documents, level=level)
        for (one, first), (other, second) in combinations(points, 2)
    )
