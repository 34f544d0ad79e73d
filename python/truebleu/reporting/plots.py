"""Charts of a score and of a comparison, which need no texts, for notebooks and papers."""

from __future__ import annotations

from truebleu.display.formatting import decimals
from truebleu.display.text import visible
from truebleu.errors import InputTypeError, UnknownNameError, written
from truebleu.metrics.chrf.orders import orders_of
from truebleu.metrics.score import Score
from truebleu.reporting import chart_parts, charts, drawing
from truebleu.significance.results import Comparison

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    import altair

    from truebleu.metrics.bleu.score import BleuScore
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.ter.score import TerScore
    from truebleu.reporting.drawing import Width
    from truebleu.significance.pair import Interval

    # From a result, Altair and its chart of the data to a drawing, the data, and what they show.
    Row = dict[str, Any]
    Draw = Callable[[Any, Any, Any], tuple[Any, list[Row], str]]

# Pixels of a row; letters of a long name; what is between the names of a pair.
_STEP, _LONG, _MINUS = 22, 24, " − "  # noqa: RUF001


def plot(
    result: Score | Comparison,
    kind: Literal["scores", "differences", "precisions", "orders", "edits"] | None = None,
    *,
    width: Width | None = None,
) -> altair.Chart | altair.LayerChart:
    """Draw a score or a comparison.

    Parameters
    ----------
    result : BleuScore, ChrfScore, TerScore or Comparison
    kind : str, optional
        Of a comparison, ``scores``: the systems with the confidence intervals of their scores (the
        default), or ``differences``: the pairs with those of their differences. Of BLEU,
        ``precisions``: the precision of each order, and the brevity penalty; of chrF, ``orders``:
        precision and recall of each order; of TER, ``edits``: how many points each kind of edit
        costs, which add up to the score.
    width : {"column", "page"}, optional
        As wide as a column (3.03 inches) or the text of a page (6.3 inches), with all labels.

    Returns
    -------
    altair.Chart or altair.LayerChart
        A chart of Altair, which notebooks show; its ``description`` says in words what it shows.
        ``.save("chart.pdf")`` writes a file, and ``.to_dict()`` is the Vega-Lite specification.

    Raises
    ------
    InputTypeError
        If there is no chart of such a result.
    UnknownNameError
        If it has no chart of that kind, or there is no such width; the message lists the choices.
    MissingExtraError
        If Altair is not installed.

    Examples
    --------
    >>> import truebleu
    >>> score = truebleu.corpus_ter(["The cat sat on mat."], ["The cat sat on a mat."])
    >>> truebleu.plot(score).description.split("; ")[0]
    'TER = 16.67. Edits per 100 reference words: insertions 16.67 (1)'
    """
    kinds = _kinds_of(result)
    if not kinds:
        what = getattr(getattr(result, "metric", None), "name", None) or type(result).__name__
        raise InputTypeError(
            f"there is no chart of {what}; a score of BLEU, chrF or TER, or a "
            "comparison under one metric is needed: plot(corpus_bleu(hypotheses, references)), or "
            "plot(compare(systems, references))"
        )
    name = next(iter(kinds)) if kind is None else kind
    if not isinstance(name, str) or name not in kinds:
        report = ""
        if isinstance(name, str) and name in charts.NAMES:
            chart = f"plot({written(name)}, 'chart.svg')"
            report = f"; a report has it: report(systems, references).{chart}"
        raise UnknownNameError(
            f"there is no chart {written(name)} of a {type(result).__name__}; choose one of "
            f"{', '.join(kinds)}{report}"
        )
    alt = chart_parts.altair()
    data = alt.Chart(alt.NamedData(name="rows"))
    chart, rows, description = kinds[name](result, alt, data)
    spec = chart.to_dict(validate=False)
    spec = drawing.sized(chart_parts.static(spec, rows, description), width)
    drawn: altair.Chart | altair.LayerChart = alt.Chart.from_dict(spec)
    return drawn


def _precisions(score: BleuScore, alt: Any, data: Any) -> tuple[Any, list[Row], str]:
    numbers = zip(score.precisions, score.counts, score.totals, strict=True)
    parts = [
        (f"{order}-grams", precision, f"{decimals(precision, '.1f')}%", f"{count:,}/{total:,}")
        for order, (precision, count, total) in enumerate(numbers, 1)
    ]
    penalty = score.brevity_penalty
    lengths = f"{score.hyp_len:,}/{score.ref_len:,} tokens"
    parts.append(("brevity penalty", 100 * penalty, decimals(penalty, ".3f"), lengths))
    return _bars(score, alt, data, parts, "precision, brevity penalty, %", 100.0)


def _edits(score: TerScore, alt: Any, data: Any) -> tuple[Any, list[Row], str]:
    parts = []
    for kind in ("insertions", "deletions", "substitutions", "shifts"):
        count = getattr(score, kind)
        points = 100 * count / score.ref_len if score.ref_len else 0.0
        parts.append((kind, points, decimals(points), f"{count:,}"))
    most = max(1.0, *(points for _, points, _, _ in parts))
    return _bars(score, alt, data, parts, "edits per 100 reference words", most)


def _bars(
    score: Score,
    alt: Any,
    data: Any,
    parts: list[tuple[str, float, str, str]],
    title: str,
    most: float,
) -> tuple[Any, list[Row], str]:
    """Draw bars from 0 to at most `most`; each part has a name, its length, and two notes."""
    # The longest bar leaves room for its number.
    scale = alt.Scale(domain=[0, 1.25 * most], nice=False)
    ticks = [most * step / 5 for step in range(6)] if most == 100 else alt.Undefined
    chart = data.encode(
        alt.Y("part:N", sort=[name for name, *_ in parts], title=None),
        alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(values=ticks)),
        tooltip=chart_parts.tips("part:N", "number:N", "of:N"),
    )
    colors = chart_parts.colors()
    layers = alt.layer(
        chart.mark_bar(color=colors["one"]),
        chart.mark_text(align="left", dx=4, color=colors["ink"]).encode(text="number:N"),
    )
    rows = [
        {"part": name, "value": value, "number": number, "of": of}
        for name, value, number, of in parts
    ]
    listed = "; ".join(f"{name} {number} ({of})" for name, _, number, of in parts)
    described = f"{_headline(score)}. {title[0].upper()}{title[1:]}: {listed}."
    return layers.properties(height=alt.Step(_STEP), title=_headline(score)), rows, described


def _orders(score: ChrfScore, alt: Any, data: Any) -> tuple[Any, list[Row], str]:
    orders = orders_of(score)
    names = [order.name for order in orders]
    kinds = ["precision", "recall"]
    rows = [
        {"order": order.name, "kind": kind, "value": value}
        for order in orders
        for kind in kinds
        if (value := getattr(order, kind)) is not None
    ]
    legend = alt.Legend(orient="top", title=None)
    chart = data.mark_point(filled=True, size=70, opacity=1).encode(
        alt.Y("order:N", sort=names, title=None, axis=alt.Axis(grid=True)),
        alt.X("value:Q", title="precision and recall, %", scale=alt.Scale(zero=False)),
        alt.Color("kind:N", scale=alt.Scale(domain=kinds, range="category"), legend=legend),
        alt.Shape("kind:N", scale=alt.Scale(domain=kinds), legend=legend),
        tooltip=chart_parts.tips("order:N", "kind:N", alt.Tooltip("value:Q", format=".2f")),
    )
    listed = "; ".join(
        f"{row['order']} {row['kind']} {decimals(row['value'], '.1f')}%" for row in rows
    )
    chart = chart.properties(height=alt.Step(_STEP), title=_headline(score))
    return chart, rows, f"{_headline(score)}. Precision and recall of each order: {listed}."


def _scores(comparison: Comparison, alt: Any, data: Any) -> tuple[Any, list[Row], str]:
    """Draw a point and an interval for each system, the best first."""
    items = [(each.name, each.score.score, each.interval) for each in comparison.ranked()]
    x = alt.X("low:Q", title=f"{comparison.metric.name} score", scale=alt.Scale(zero=False))
    rows = [_interval_row(*item) for item in items]
    chart = _intervals(alt, data, rows, x, alt.ColorValue(chart_parts.colors()["one"]))
    return chart, rows, _in_words(comparison, f"{comparison.metric.name} of each system", items)


def _differences(comparison: Comparison, alt: Any, data: Any) -> tuple[Any, list[Row], str]:
    """Draw a point and an interval for each pair, and a line at 0."""
    pairs = comparison._shown_pairs()
    if not pairs:
        raise UnknownNameError("one system has no differences; choose 'scores'")
    items = [(f"{pair.one}{_MINUS}{pair.other}", pair.delta, pair.interval) for pair in pairs]
    verdicts = [_VERDICTS[0 if pair.significant else 1 + pair.undecided] for pair in pairs]
    rows = [
        _interval_row(*item) | {"verdict": verdict}
        for item, verdict in zip(items, verdicts, strict=True)
    ]
    legend = alt.Legend(orient="top", title=None)
    colors = [chart_parts.colors()[name] for name in ("one", "rest", "rest")]
    color, shape = (alt.Scale(domain=list(_VERDICTS), range=each) for each in (colors, _SHAPES))
    zero = alt.Chart(alt.InlineData([{"zero": 0}])).mark_rule(style="guide-line")
    chart = _intervals(
        alt,
        data,
        rows,
        alt.X("low:Q", title=f"difference in {comparison.metric.name}"),
        alt.Color("verdict:N", scale=color, legend=legend),
        [alt.Shape("verdict:N", scale=shape, legend=legend)],
        [zero.encode(x="zero:Q")],
    )
    said = [
        (f"{name} ({verdict})", *rest)
        for (name, *rest), verdict in zip(items, verdicts, strict=True)
    ]
    what = f"Differences in {comparison.metric.name} and their significance at alpha "
    what += f"{comparison.alpha:g}"
    return chart, rows, _in_words(comparison, what, said)


# Of differences: statistically significant ones, others, and those that no test could decide.
_VERDICTS = ("significant", "not significant", "undecided")
_SHAPES = ["circle", "square", "diamond"]


def _interval_row(name: str, value: float, interval: Interval | None) -> Row:
    low, high = (value, value) if interval is None else (interval.low, interval.high)
    said = f"{decimals(value)} {interval or ''}".rstrip()
    return {"name": visible(name), "value": value, "low": low, "high": high, "said": said}


def _intervals(
    alt: Any,
    data: Any,
    rows: list[Row],
    x: Any,
    color: Any,
    marks: Sequence[Any] = (),
    below: Sequence[Any] = (),
) -> Any:
    """Draw points, with marks of their own, and their intervals, on layers `below`."""
    # The long name of a pair takes a line for each system.
    is_long = max(len(row["name"]) for row in rows) > _LONG and bool(marks)
    split = {"labelExpr": f"split(datum.label, '{_MINUS}')"} if is_long else {}
    chart = data.encode(
        alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=300, **split)),
        color,
        tooltip=chart_parts.tips("name:N", "said:N"),
    )
    return alt.layer(
        *below,
        chart.mark_rule(strokeWidth=2).encode(x, alt.X2("high:Q")),
        chart.mark_point(filled=True, size=80, opacity=1).encode(alt.X("value:Q"), *marks),
    ).properties(height=alt.Step(1.6 * _STEP if is_long else _STEP))


def _in_words(comparison: Comparison, what: str, items: list[Any]) -> str:
    level = f", with {100 * comparison.confidence_level:g}% confidence intervals"
    if all(interval is None for _, _, interval in items):
        level = ""
    return f"{what}{level}: {chart_parts.intervals_in_words(items)}"


def _headline(score: Score) -> str:
    return f"{score.metric.name} = {decimals(score.score)}"


# The charts of scores, one of each metric that has any.
_OF_SCORES: dict[str, Draw] = {"precisions": _precisions, "orders": _orders, "edits": _edits}


def _kinds_of(result: object) -> dict[str, Draw]:
    """Return the charts that there are of a result by name, the default first."""
    if isinstance(result, Comparison):
        return {"scores": _scores, "differences": _differences}
    if not isinstance(result, Score) or not result.metric._about.score_chart:
        return {}
    name = result.metric._about.score_chart
    return {name: _OF_SCORES[name]}
