"""One file of HTML that holds everything: data, charts, style, scripts, and no address."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from truebleu._core import __version__
from truebleu.analysis.correlation import Correlation
from truebleu.display.blocks import Block, text_of
from truebleu.display.formatting import MINUS, decimals, percent, with_minus
from truebleu.display.markup import hashed, html_table, isolated_in, script, stylesheet
from truebleu.display.text import visible
from truebleu.display.words import Words, english
from truebleu.errors import MissingExtraError
from truebleu.inputs.sequences import check_text
from truebleu.metrics.metric import directions
from truebleu.reporting import chart_data, charts, glossary, payload, quotes
from truebleu.reporting.data import Gathered
from truebleu.significance.figure import figure
from truebleu.significance.leads import pairs_of

_HERE = Path(__file__).parent

# In this order: each uses those before it.
_SCRIPTS = (
    *("data", "state", "scores", "ngrams", "filters", "list"),
    *("chart_rows", "chart_numbers", "findings", "scales", "drawing", "charts", "matches"),
    *("edits", "segment", "pair", "page"),
)


@functools.cache
def templates(say: Words = english) -> Any:
    """Return what writes pages in a language, or raise MissingExtraError."""
    try:
        from jinja2 import Environment, FileSystemLoader
        from markupsafe import Markup
    except ImportError as error:
        raise MissingExtraError(
            "reports need a package that is not installed: pip install 'truebleu[report]'"
        ) from error
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def marked(text: str, /, **values: object) -> Markup:
        """Say it; tags are those of the template, and of values that are marked up, too."""
        return Markup(say.table[text] if say.table else text).format(**values)  # noqa: S704

    environment.globals.update(
        decimals=lambda *number: decimals(*number).replace("-", MINUS),
        minus=with_minus,
        percent=percent,
    )

    def term(key: str, shown: str) -> Markup:
        """Write a term that is explained in one click."""
        button = '<button type="button" class="term" popovertarget="term-{}">{}</button>'
        return Markup(button).format(key.replace(" ", "-"), visible(shown))  # noqa: S704

    def drawn(block: Block, name: str) -> Markup:
        """Draw the first figure, in which `name` is that of the metric."""
        terms = {visible(name): "metric", say("adjusted p"): "adjusted p"}
        heads = {head: term(key, head) for head, key in terms.items()}
        return Markup(html_table(block, heads))  # noqa: S704

    environment.globals.update(drawn=drawn, term=term)
    environment.globals.update(say=marked, again=say.again, count=say.count)
    return environment


def render(reports: Sequence[Gathered], title: str, command: str = "") -> str:
    """Write a page on each metric, with a menu; `command` is what made it, to be repeated."""
    check_text(command, "command")
    say = reports[0].say
    # Nothing in a script ends the element it is in.
    program = script(_HERE / "assets", _SCRIPTS)
    program = program.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    style = stylesheet(figure=True) + (_HERE / "assets" / "report.css").read_text("utf-8")
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
                _view(each, splitters.index(each.splitter), command, reports[0].pair())
                for each in reports
            ],
            texts=[payload.texts(by_splitter[each]) for each in splitters],
            visible=visible,
            isolated=isolated_in(reports[0].names),
            most_groups=chart_data.MOST_GROUPS,
            kinds=charts.KINDS,
        )
    )


def _view(data: Gathered, texts: int, command: str, pair: tuple[int, int | None]) -> dict[str, Any]:
    """Return what the page shows of one of some metrics.

    `texts` is the number of its texts; the `pair` is that of all metrics.
    """
    shown = figure_of(data)
    described, numbers = payload.numbers(data)
    facts = payload.facts(data, pair) | {"columns": described, "texts": texts}
    return {
        "facts": payload.packed_json(facts),
        "numbers": numbers,
        "steps": payload.steps(data),
        "rows": _rows(data),
        "figure": shown,
        "lead": lead(data, shown),
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
        "quotes": quotes.quotes(data, command),
    }


def _rows(data: Gathered) -> list[dict[str, Any]]:
    """Return what the table of numbers shows, the best system first."""
    comparison = data.comparison
    ranks = {} if comparison is None else comparison.shown_ranks()
    pairs = {} if comparison is None else pairs_of(comparison, data.names[data.against()])
    rows: list[dict[str, Any]] = []
    for system in data.ranked():
        name, score = data.names[system], data.scores[system]
        rows.append(
            {
                "name": visible(name),
                "score": score,
                "details": {
                    name: cell
                    for name, cell in score.details().items()
                    if name not in data.metric._about.repeated
                },
                "interval": comparison and comparison.systems[name].interval,
                "gap": pairs[name].mirrored().interval if name in pairs else None,
                "rank": ranks.get(name),
            }
        )
    return rows


def figure_of(data: Gathered) -> Block:
    """Return the first figure, with the first sentences and what its marks mean."""
    scores = dict(zip(data.names, data.scores, strict=True))
    baseline = None if data.baseline is None else data.names[data.baseline]
    return figure(scores, data.comparison, called=data.called, say=data.say, baseline=baseline)


def lead(data: Gathered, shown: Block) -> str:
    """Say in one or two sentences what came out."""
    if len(data.names) > 1:
        return text_of(shown.lines[0])
    number = f"{decimals(data.scores[0].score, data.metric._form)} {visible(data.called)}"
    counted = data.say.count(data.segments, "segment")
    name = visible(data.names[0])
    return data.say("{name} has {score} on {segments}.", name=name, score=number, segments=counted)


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
            *(
                first.say("{metric}: {said}, not by truebleu", metric=visible(name), said=said)
                for name, note in notes
                if note and (said := first.say.again(note))
            ),
        ],
    }


def _cells(data: Gathered) -> list[dict[str, Any]]:
    """Return score, interval and test against the best of each system under one metric."""
    best = data.ranked()[0]
    pairs = () if data.comparison is None else data.comparison.pairs
    worse = {frozenset((pair.one, pair.other)) for pair in pairs if pair.significant}
    cells: list[dict[str, Any]] = []
    for name, score in zip(data.names, data.scores, strict=True):
        interval = data.comparison and data.comparison.systems[name].interval
        is_best = score.score == data.scores[best].score
        cells.append(
            {
                "score": decimals(score.score, data.metric._form),
                "interval": interval.ends(data.metric.decimals) if interval else "",
                "best": is_best,
                "worse": not is_best and {data.names[best], name} in worse,
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
