"""What a meta-evaluation found."""

from __future__ import annotations

from truebleu.display.blocks import Best, Block
from truebleu.display.formatting import count, decimals, p_value, percent
from truebleu.display.shown import Result, Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class MeasuredMetric(Result):
    """A metric under a measure.

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
        ranks: dict[str, list[int]] = {}
        for ranking in self.rankings.values():
            for name, metric in ranking.metrics.items():
                ranks.setdefault(name, []).extend(() if metric.rank is None else (metric.rank,))
        averages = {
            name: sum(each) / len(each)
            for name, each in ranks.items()
            if len(each) == len(self.rankings)
        }
        return dict(sorted(averages.items(), key=lambda item: (item[1], item[0])))

    def blocks(self) -> list[Block]:
        """Return the table of metrics and measures, and what it means."""
        averages = self.average_ranks()
        names = list(averages) or list(next(iter(self.rankings.values())).metrics)
        names += [name for name in next(iter(self.rankings.values())).metrics if name not in names]
        header = ["metric", *(["average rank"] if averages else [])]
        for measure in self.rankings:
            header += [measure, "rank"] if averages else [measure]
        rows = []
        for name in names:
            row = [name]
            if averages:
                row.append(decimals(averages[name], ".2f") if name in averages else "")
            for ranking in self.rankings.values():
                row += _cells(ranking, ranking.metrics[name])[: 2 if averages else 1]
            rows.append(("", row))
        heading = f"agreement with people, {count(len(self.systems), 'system')}, " + count(
            self.judged, "judged output"
        )
        blocks = [Block(heading, list(self._explanations(bool(averages))), header, rows)]
        return [*blocks, self._pairs_block()] if averages else blocks

    def _explanations(self, tested: bool) -> Iterator[str]:
        if self.n_resamples is not None:
            yield (
                f"{percent(1 - self.alpha)} confidence intervals by bootstrap, "
                f"{count(self.n_resamples, 'sample')}"
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
        return Block("pairs of metrics", (), header, rows, align="llrrr")


def _cells(ranking: Ranking, metric: MeasuredMetric) -> list[str]:
    """Return the value with its interval, and the rank."""
    if metric.value is None:
        return ["undefined", ""]
    text = decimals(metric.value, ".4f")
    if metric.interval is not None:
        low, high = (decimals(bound, ".4f") for bound in metric.interval)
        text += f" [{low}, {high}]"
    first = ranking.clusters and metric.name in ranking.clusters[0]
    return [Best(text) if first else text, "" if metric.rank is None else str(metric.rank)]
