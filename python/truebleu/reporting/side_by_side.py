"""What a page says of all metrics together: a table of the systems, and how the metrics agree."""

from __future__ import annotations

from itertools import combinations

from truebleu.analysis.correlation import Correlation
from truebleu.display.formatting import decimals, p_value
from truebleu.display.text import visible
from truebleu.metrics.metric import directions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.reporting.data import Gathered


def side_by_side(reports: Sequence[Gathered]) -> dict[str, Any] | None:
    """Return what the page shows of several metrics; None if there is only one.

    Returns
    -------
    dict or None
        The names of the ``metrics``, the ``alpha`` of tests, a row for each system (the best under
        the first metric first) with a cell for each metric, the ``correlations``, and ``lines``
        that say more of a metric.
    """
    if len(reports) < 2:
        return None
    first = reports[0]
    cells = [_cells(data) for data in reports]
    notes = [(data.metric.name, data.scores[0].note) for data in reports]
    return {
        "metrics": [visible(data.metric.name) for data in reports],
        "rows": [
            (visible(first.names[system]), [of_metric[system] for of_metric in cells])
            for system in first.ranked()
        ],
        "tested": first.comparison is not None and bool(first.comparison.pairs),
        "alpha": None if first.comparison is None else first.comparison.alpha,
        "correlations": correlations(reports),
        "lines": [
            *map(visible, directions(data.metric for data in reports)),
            *(f"{visible(name)}: {note}, not by truebleu" for name, note in notes if note),
        ],
    }


def _cells(data: Gathered) -> list[dict[str, Any]]:
    """Return score, interval and test against the best of each system under one metric."""
    best = data.ranked()[0]
    cells: list[dict[str, Any]] = []
    for system, name in enumerate(data.names):
        interval = None
        if data.comparison is not None:
            interval = data.comparison.systems[name].interval
        is_best = data.scores[system].score == data.scores[best].score
        cells.append(
            {
                "score": decimals(data.scores[system].score, data.metric.form),
                "interval": "" if interval is None else interval.ends(data.metric.decimals),
                "best": is_best,
                "test": None if is_best else _against(data, data.names[best], name),
            }
        )
    return cells


def _against(data: Gathered, best: str, name: str) -> dict[str, Any] | None:
    """Return the test of the best system against another; None if there was none."""
    if data.comparison is None:
        return None
    try:
        pair = data.comparison.pair(best, name)
    except KeyError:
        # With a baseline, or one-sided tests, not all pairs are tested.
        return None
    p = p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor)
    return {"p": p, "significant": pair.significant}


def correlations(reports: Sequence[Gathered]) -> tuple[Correlation, ...]:
    """Correlate the segment scores of each two metrics."""
    points = [(data.metric.name, data.sign * data.sentences) for data in reports]
    return tuple(
        Correlation.of(one, other, first, second)
        for (one, first), (other, second) in combinations(points, 2)
    )
