"""The first figure of pages: scores and differences of systems, each with its interval."""

from __future__ import annotations

from math import isfinite

from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import decimals, p_value
from truebleu.display.text import visible
from truebleu.display.words import english
from truebleu.significance import leads
from truebleu.significance.means import MeanScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.display.blocks import Line, Row
    from truebleu.display.words import Words
    from truebleu.metrics.score import Score
    from truebleu.significance.pair import Interval, Pair


def figure(
    scores: Mapping[str, Score],
    comparison: Any,
    *,
    called: str,
    say: Words = english,
    baseline: str | None = None,
) -> Block:
    """Draw systems, the best first, and their differences from the baseline, or else the best."""
    metric = next(iter(scores.values())).metric
    sign = -1 if metric.higher_is_better else 1
    ranked = sorted(scores, key=lambda name: sign * scores[name].score)
    against = ranked[0] if baseline is None else baseline
    pairs: dict[str, Pair] = {}
    if comparison is not None:
        pairs = {name: p.mirrored() for name, p in leads.pairs_of(comparison, against).items()}
    header, difference = [say("system"), visible(called)], say("difference")
    rows: list[Row] = []
    styles = {} if comparison is None else _bands(comparison)
    for name in ranked:
        cells: list[Line] = [Cell(name, "name"), decimals(scores[name].score, metric._form)]
        if pairs:
            cells += _tested(pairs[name], metric._form) if name in pairs else ["", ""]
        rows.append((styles.get(name, ""), cells))
    intervals = {header[1]: [_ends(scores[name], comparison, name) for name in ranked]}
    lines: list[Line] = []
    if pairs:
        header += [difference, say("adjusted p")]
        gaps = [pairs.get(name) for name in ranked]
        intervals[difference] = [
            None if pair is None else _three(pair.delta, pair.interval) for pair in gaps
        ]
    if len(scores) > 1:
        lead = leads.said(scores, comparison, called=called, say=say, baseline=baseline)
        lines.append(Cell(lead, "lead"))
    lines += [Cell(" ".join(said), "note")] if (said := [*_notes(comparison, pairs, say)]) else []
    systems = say.count(len(scores), "system")
    return Block(
        say("{metric} of {systems}", metric=visible(called), systems=systems),
        lines,
        header,
        rows,
        intervals=intervals,
        differences=difference,
        is_figure=True,
    )


def _tested(pair: Pair, form: str) -> list[Line]:
    p = p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor)
    return [decimals(pair.delta, f"+{form}"), f"{p} *" if pair.significant else p]


def _bands(comparison: Any) -> dict[str, str]:
    """Return how the rows of systems in clusters look: every other cluster has a ground."""
    clusters = comparison.clusters or ()
    return {
        name: " ".join(["band"] * (place % 2 == 0) + ["opens"] * (place > 0 and name == each[0]))
        for place, each in enumerate(clusters)
        for name in each
        if len(clusters) > 1
    }


def _ends(score: Score, comparison: Any, name: str) -> Sequence[float] | None:
    """Return the interval of a system; of several runs, their scores, too."""
    system = None if comparison is None else comparison.systems[name]
    ends = _three(score.score, None if system is None else system.interval)
    runs = score.scores if isinstance(score, MeanScore) else ()
    return None if ends is None else (*ends, *runs)


def _three(value: float, interval: Interval | None) -> tuple[float, ...] | None:
    """Return what is drawn of a value: its interval, or else a point; nothing if undefined."""
    if not isfinite(value):
        return None
    return (value,) * 3 if interval is None else (interval.low, value, interval.high)


def _notes(comparison: Any, pairs: Mapping[str, Pair], say: Words) -> Iterator[str]:
    """Say what the marks in the figure mean."""
    if comparison is None or not pairs:
        return
    text = "* statistically significant: p < {alpha} ({test} of {units})."
    if comparison.n_tests > 1:
        text = (
            "* statistically significant: p < {alpha} after Holm's correction for {tests} "
            "({test} of {units})."
        )
    yield say(
        text,
        alpha=f"{comparison.alpha:g}",
        tests=say.count(comparison.n_tests, "test"),
        test=say.again(comparison.test_description),
        units=say.again(comparison.units),
    )
    if any(pair.adjusted_at_floor for pair in comparison.pairs):
        yield say("† the smallest p-value that so many trials can give.")
    if comparison.undecided:
        undecided = say.count(len(comparison.undecided), "pair")
        yield say("Too few units differ to decide about {pairs}.", pairs=undecided)
    if len(comparison.clusters or ()) > 1:
        yield say(
            "Each band is a cluster: significantly better than every system in the bands below."
        )
