"""What a meta-evaluation found."""

from __future__ import annotations

from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import count, decimals, p_value, percent
from truebleu.display.shown import Result, Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from truebleu.display.blocks import Line


class MeasuredMetric(Result):
    """A metric under a measure.

    >>> from truebleu.meta import meta_evaluate
    >>> scores = {"X": {"A": [9, 5], "B": [6, 7]}, "Y": {"A": [1, 2], "B": [3, 4]}}
    >>> found = meta_evaluate({"A": [3, 1], "B": [2, 0]}, scores=scores, n_resamples=None)
    >>> found["spa"]["X"].value
    0.75

    Attributes
    ----------
    name : str
    value : float or None
        None if it is undefined, as for a metric whose scores are all equal.
    interval : tuple of two floats, or None
        Percentile interval by bootstrap; None without samples.
    rank : int or None
        The rank of the first metric of its cluster; None without tests.
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None
    rank: int | None


class MetricPair(Result):
    """A test between two metrics, of which the first has the higher value.

    >>> from truebleu.meta import meta_evaluate
    >>> scores = {"X": {"A": [9, 5], "B": [6, 7]}, "Y": {"A": [1, 2], "B": [3, 4]}}
    >>> found = meta_evaluate({"A": [3, 1], "B": [2, 0]}, scores=scores, n_resamples=None)
    >>> found["spa"].pairs[0].difference
    0.5

    Attributes
    ----------
    one, other : str
    difference : float
        The value of `one` less that of `other`.
    p_value, p_adjusted : float
        The second is adjusted by Holm's method for all pairs of metrics.
    significant : bool
        Whether the adjusted p-value is below alpha.
    exact : bool
        Whether all swaps were enumerated.
    """

    one: str
    other: str
    difference: float
    p_value: float
    p_adjusted: float
    significant: bool
    exact: bool


class Ranking(Result):
    """The metrics under a measure, the best first.

    >>> from truebleu.meta import meta_evaluate
    >>> scores = {"X": {"A": [9, 5], "B": [6, 7]}, "Y": {"A": [1, 2], "B": [3, 4]}}
    >>> found = meta_evaluate({"A": [3, 1], "B": [2, 0]}, scores=scores, n_resamples=None)
    >>> [*found["spa"].metrics]
    ['X', 'Y']

    Attributes
    ----------
    measure : str
    metrics : mapping of str to MeasuredMetric
    pairs : tuple of MetricPair
        Empty without tests.
    clusters : tuple of tuples of str
        Every metric is significantly better than every metric of a later cluster.
    """

    measure: str
    metrics: Mapping[str, MeasuredMetric]
    pairs: tuple[MetricPair, ...]
    clusters: tuple[tuple[str, ...], ...]

    def __getitem__(self, metric: str) -> MeasuredMetric:
        """Return a metric by its name."""
        if metric not in self.metrics:
            raise KeyError(f"there is no metric {metric!r}; there are {', '.join(self.metrics)}")
        return self.metrics[metric]


class MetaEvaluation(Shown):
    """How well metrics agree with people. Made by :func:`meta_evaluate`.

    >>> from truebleu.meta import meta_evaluate
    >>> scores = {"X": {"A": [9, 5], "B": [6, 7]}, "Y": {"A": [1, 2], "B": [3, 4]}}
    >>> found = meta_evaluate({"A": [3, 1], "B": [2, 0]}, scores=scores, n_resamples=None)
    >>> found.average_ranks()
    {'X': 1.0, 'Y': 1.0}

    Attributes
    ----------
    rankings : mapping of str to Ranking
        By measure; ``found["acc-eq"]`` is the same.
    systems : tuple of str
    segments : int
    judged : int
        Outputs with a gold score.
    alpha : float
    n_resamples, n_trials : int or None
    alternative : str
    seed : int
    """

    rankings: Mapping[str, Ranking]
    systems: tuple[str, ...]
    segments: int
    judged: int
    alpha: float
    n_resamples: int | None
    n_trials: int | None
    alternative: str
    seed: int

    def __getitem__(self, measure: str) -> Ranking:
        """Return the ranking under a measure."""
        if measure not in self.rankings:
            raise KeyError(f"there is no measure {measure!r}; there are {', '.join(self.rankings)}")
        return self.rankings[measure]

    def average_ranks(self) -> dict[str, float]:
        """Return the average rank of each metric over the measures, the best first.

        Metrics in a cluster share the rank of its first one. A metric without a value under some
        measure is left out.
        """
        return _average_ranks(list(self.rankings.values()))

    def blocks(self) -> list[Block]:
        """Return the table of metrics and measures, and what it means."""
        heading = f"agreement with people, {count(len(self.systems), 'system')}, " + count(
            self.judged, "judged output"
        )
        tested = any(ranking.clusters for ranking in self.rankings.values())
        notes: list[Line] = [Cell(each, "note") for each in self._explanations(tested)]
        block = _table(heading, notes, self.rankings)
        return [block, self._pairs_block()] if tested else [block]

    def _explanations(self, tested: bool) -> Iterator[str]:
        if self.n_resamples is not None:
            yield (
                f"{percent(1 - self.alpha)} confidence intervals by bootstrap, "
                f"{count(self.n_resamples, 'sample')}"
            )
        if "spa" in self.rankings and any(map(_outside, self["spa"].metrics.values())):
            yield (
                "spa: intervals take p-values from the normal distribution, and values from swaps, "
                "so with few segments a value may lie outside"
            )
        if tested:
            yield (
                "rank: every metric is significantly better than every metric of a later rank "
                f"(PERM-BOTH, {self.alternative}, {count(self.n_trials or 0, 'trial')}, adjusted p "
                f"< {self.alpha:g}; Holm's method, by measure)"
            )

    def _pairs_block(self) -> Block:
        rows = [
            (
                "good" if pair.significant else "",
                [
                    ranking.measure,
                    f"{pair.one} - {pair.other}",
                    decimals(pair.difference, "+.4f"),
                    p_value(pair.p_value),
                    p_value(pair.p_adjusted),
                ],
            )
            for ranking in self.rankings.values()
            for pair in ranking.pairs
        ]
        header = ["measure", "pair", "difference", "p", "p adjusted"]
        return Block("pairs of metrics", (), header, rows, align="llrrr", folded=True)


class MetaEvaluations(Shown):
    """Meta-evaluations of several test sets or language pairs, side by side.

    Attributes
    ----------
    evaluations : mapping of str to MetaEvaluation
        By the name of the test set.

    Examples
    --------
    >>> from truebleu.meta import MetaEvaluations, meta_evaluate
    >>> gold = {"A": [0, -1, -5, 0], "B": [-1, -1, -6, -5]}
    >>> scores = {"X": {"A": [0.9, 0.8, 0.5, 0.9], "B": [0.8, 0.8, 0.4, 0.6]}}
    >>> found = meta_evaluate(gold, scores=scores, measures="acc-eq", n_resamples=None)
    >>> MetaEvaluations(evaluations={"en-de": found, "ja-zh": found}).rankings["ja-zh acc-eq"]["X"]
    MeasuredMetric(name='X', value=1.0, interval=None, rank=None)
    """

    evaluations: Mapping[str, MetaEvaluation]

    @property
    def rankings(self) -> dict[str, Ranking]:
        """All rankings, by the names of set and measure."""
        return {
            f"{name} {measure}": ranking
            for name, evaluation in self.evaluations.items()
            for measure, ranking in evaluation.rankings.items()
        }

    def average_ranks(self) -> dict[str, float]:
        """Return the average rank of each metric over all sets and measures, the best first.

        Metrics that are not ranked everywhere are left out.
        """
        return _average_ranks(list(self.rankings.values()))

    def blocks(self) -> list[Block]:
        """Return a table of all measures, and what each evaluation shows."""
        sets = count(len(self.evaluations), "test set")
        blocks = [_table(f"agreement with people, {sets}", [], self.rankings)]
        for name, evaluation in self.evaluations.items():
            blocks += [
                block.replace(heading=f"{name}: {block.heading}", folded=True)
                for block in evaluation.blocks()
            ]
        return blocks


def _average_ranks(rankings: list[Ranking]) -> dict[str, float]:
    ranks: dict[str, list[int]] = {}
    for ranking in rankings:
        for name, metric in ranking.metrics.items():
            ranks.setdefault(name, []).extend(() if metric.rank is None else (metric.rank,))
    averages = {
        name: sum(each) / len(each) for name, each in ranks.items() if len(each) == len(rankings)
    }
    return dict(sorted(averages.items(), key=lambda item: (item[1], item[0])))


def _table(heading: str, lines: list[Line], rankings: Mapping[str, Ranking]) -> Block:
    """Return a row for each metric, and a value for each ranking."""
    averages = _average_ranks(list(rankings.values()))
    names = dict.fromkeys(averages)
    for ranking in rankings.values():
        names |= dict.fromkeys(ranking.metrics)
    header = ["metric", *(["average rank"] if averages else [])]
    ranked = any(ranking.clusters for ranking in rankings.values())
    for measure in rankings:
        header += [measure, "rank"] if ranked else [measure]
    rows = []
    for name in names:
        row: list[Line] = [name]
        if averages:
            row.append(decimals(averages[name], ".2f") if name in averages else "")
        for ranking in rankings.values():
            row += _cells(ranking, ranking.metrics.get(name))[: 2 if ranked else 1]
        rows.append(("", row))
    return Block(heading, lines, header, rows)


def _outside(metric: MeasuredMetric) -> bool:
    if metric.value is None or metric.interval is None:
        return False
    low, high = metric.interval
    return not low <= metric.value <= high


def _cells(ranking: Ranking, metric: MeasuredMetric | None) -> list[Line]:
    """Return the value with its interval, and the rank."""
    if metric is None:
        return ["", ""]
    if metric.value is None:
        return ["undefined", ""]
    text = decimals(metric.value, ".4f")
    if metric.interval is not None:
        low, high = (decimals(bound, ".4f") for bound in metric.interval)
        text += f" [{low}, {high}]"
    first = ranking.clusters and metric.name in ranking.clusters[0]
    return [Cell(text, "best") if first else text, "" if metric.rank is None else str(metric.rank)]
