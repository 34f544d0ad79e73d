"""Measures of all metrics, their intervals, and tests between metrics."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from types import MappingProxyType

import numpy as np

from truebleu.meta_evaluation import legacy as original
from truebleu.meta_evaluation.judged import Outputs, Scores
from truebleu.meta_evaluation.results import MeasuredMetric, MetricPair, Ranking
from truebleu.significance import inference
from truebleu.significance.ranks import clusters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats
    from truebleu.meta_evaluation.measures import Measure

# With so few, all swaps are enumerated.
_FEW_OUTPUTS, _FEW_SEGMENTS = 12, 14

# Numbers of random swaps that are in memory at once.
_AT_ONCE = 1 << 20


class Evaluation:
    """The parts of a meta-evaluation that all measures share."""

    def __init__(
        self,
        outputs: Outputs,
        metrics: Mapping[str, Scores],
        alpha: float,
        seed: int,
        threads: int,
    ) -> None:
        self.outputs = outputs
        self.metrics = metrics
        self.alpha, self.seed, self.threads = alpha, seed, threads

    def ranking(
        self,
        name: str,
        measure: Measure,
        weights: Floats | None,
        trials: int | None,
        alternative: str,
    ) -> Ranking:
        """Return the metrics under a measure, the best first."""
        signs = list(self._signs(trials or 1000))
        values = {
            metric: measure.value(self.outputs, scores, signs)
            for metric, scores in self.metrics.items()
        }
        pairs = []
        order = _ordered(values)
        defined = [metric for metric in order if not np.isnan(values[metric])]
        if trials is not None:
            pairs = self._pairs(measure, values, defined, trials, alternative)
        undecided = [(pair.one, pair.other) for pair in pairs if not pair.significant]
        # A metric that was given alone is not ranked; one whose rivals are undefined is the first.
        several = trials is not None and len(values) > 1 and defined
        clusters = clusters_of(defined, undecided) if several else ()
        places: dict[str, int] = {}
        for cluster in clusters:
            places |= dict.fromkeys(cluster, len(places) + 1)
        return self._ranking(name, measure, values, weights, pairs, clusters, places)

    def ranking_of_original(
        self,
        name: str,
        measure: Measure,
        weights: Floats | None,
        trials: int | None,
        alternative: str,
    ) -> Ranking:
        """Return the metrics as mt-metrics-eval ranks them."""
        del alternative
        task = original.Task(name, measure, self.outputs, self.seed)
        values = {metric: task.value(scores) for metric, scores in self.metrics.items()}
        order = _ordered(values)
        pairs = []
        for one, other in combinations(order, 2) if trials else ():
            p = task.p_value(self.metrics[one], self.metrics[other], trials or 0)
            if p is not None:
                difference = values[one] - values[other]
                pairs.append(_pair(one, other, difference, (p, p), p <= self.alpha, exact=False))
        clusters: tuple[tuple[str, ...], ...] = ()
        if pairs:
            found = {(pair.one, pair.other): pair.p_value for pair in pairs}
            clusters = original.clusters(order, found, self.alpha)
        places = {metric: rank for rank, each in enumerate(clusters, 1) for metric in each}
        return self._ranking(name, measure, values, weights, pairs, clusters, places)

    def _ranking(
        self,
        name: str,
        measure: Measure,
        values: dict[str, float],
        weights: Floats | None,
        pairs: list[MetricPair],
        clusters: tuple[tuple[str, ...], ...],
        places: Mapping[str, int],
    ) -> Ranking:
        measured = {
            metric: MeasuredMetric(
                name=metric,
                value=None if np.isnan(values[metric]) else values[metric],
                interval=self._interval(measure, metric, weights),
                rank=places.get(metric),
            )
            for metric in _ordered(values)
        }
        return Ranking(
            measure=name,
            metrics=MappingProxyType(measured),
            pairs=tuple(pairs),
            clusters=clusters,
        )

    def _interval(
        self, measure: Measure, metric: str, weights: Floats | None
    ) -> tuple[float, float] | None:
        """Return the percentile interval of a value."""
        if weights is None:
            return None
        given = self.outputs.gold.systems, self.metrics[metric].systems
        if measure.of_systems and any(each is not None for each in given):
            return None
        found = measure.values(self.outputs, self.metrics[metric], weights)
        found = found[np.isfinite(found)]
        if len(found) < len(weights) / 2:
            return None
        low, high = np.quantile(found, [self.alpha / 2, 1 - self.alpha / 2])
        # At most 1, also after rounding.
        return float(low), min(float(high), 1.0)

    def _pairs(
        self,
        measure: Measure,
        values: Mapping[str, float],
        order: list[str],
        trials: int,
        alternative: str,
    ) -> list[MetricPair]:
        pairs = list(combinations(order, 2))
        tests = [self._tested(measure, *pair, trials, alternative) for pair in pairs]
        adjusted = inference.holm([p for p, _ in tests])
        alpha = inference.exact(self.alpha)
        return [
            _pair(
                *(one, other, values[one] - values[other], (float(p), float(p_adjusted))),
                p_adjusted < alpha,
                exact=exact,
            )
            for (one, other), (p, exact), p_adjusted in zip(pairs, tests, adjusted, strict=True)
        ]

    def _tested(
        self, measure: Measure, one: str, other: str, trials: int, alternative: str
    ) -> tuple[Fraction, bool]:
        """Return the p-value of a difference, and whether it is of all swaps."""
        outputs = self.outputs
        if measure.of_systems:
            outputs = self._of_systems()
        first, second = (self._standardized(outputs, measure, name) for name in (one, other))
        drawn = None
        outcomes = int(outputs.known.sum())
        exact = outcomes <= _FEW_OUTPUTS
        if not exact:
            drawn = measure.drawn(outputs, first, second, self.seed, trials, self.threads)
        if drawn is None:
            drawn = measure.swapped(outputs, first, second, self._swaps(outputs, trials))
        unchanged = iter([np.zeros((1, *outputs.known.shape), np.bool_)])
        observed = measure.swapped(outputs, first, second, unchanged)[0]
        gaps = drawn[:, 0] - drawn[:, 1]
        # An undefined value is no evidence against chance.
        gaps = np.where(np.isnan(gaps), np.inf, gaps)
        gap = observed[0] - observed[1]
        if alternative == "two-sided":
            gap, gaps = abs(gap), np.abs(gaps)
        reached = int((gaps >= gap - 1e-12).sum())
        if exact:
            return Fraction(reached, len(gaps)), True
        return Fraction(reached + 1, len(gaps) + 1), False

    def _of_systems(self) -> Outputs:
        """Return the outputs as one segment, with the scores of systems."""
        ones = np.ones((1, self.outputs.segments))
        return Outputs(self.outputs.gold.of_systems(ones).T)

    def _standardized(self, outputs: Outputs, measure: Measure, metric: str) -> Floats:
        """Return the scores of a metric with mean 0 and variance 1 over judged outputs."""
        scores = self.metrics[metric].segments
        if measure.of_systems:
            ones = np.ones((1, self.outputs.segments))
            scores = self.metrics[metric].of_systems(ones).T
        known = scores[outputs.known]
        deviation = known.std()
        scores = (scores - known.mean()) / (deviation if deviation > 0 else 1.0)
        return np.where(outputs.known, scores, 0.0)

    def _swaps(self, outputs: Outputs, trials: int) -> Iterator[NDArray[np.bool_]]:
        """Return which outputs change places: in all ways if they are few."""
        shape, size = outputs.known.shape, outputs.known.size
        outcomes = int(outputs.known.sum())
        if outcomes <= _FEW_OUTPUTS:
            ways = np.arange(1 << outcomes)[:, np.newaxis] >> np.arange(outcomes) & 1
            swaps = np.zeros((len(ways), size), np.bool_)
            swaps[:, outputs.known.ravel()] = ways
            yield swaps.reshape(-1, *shape)
            return
        source = np.random.PCG64(self.seed)
        at_once = max(1, _AT_ONCE // size)
        for start in range(0, trials, at_once):
            number = min(at_once, trials - start)
            yield _bits(source, number, size).reshape(number, *shape)

    def _signs(self, trials: int) -> Iterator[Floats]:
        """Return -1 for segments of two systems that change places, and 1 for others."""
        segments = self.outputs.segments
        if segments <= _FEW_SEGMENTS:
            ways = np.arange(1 << segments)[:, np.newaxis] >> np.arange(segments) & 1
            yield np.where(ways, -1.0, 1.0)
            return
        source = np.random.PCG64(self.seed)
        at_once = max(1, _AT_ONCE // segments)
        for start in range(0, trials, at_once):
            yield np.where(_bits(source, min(at_once, trials - start), segments), -1.0, 1.0)


def _ordered(values: Mapping[str, float]) -> list[str]:
    """Return the names of metrics, the best first."""
    return sorted(values, key=lambda metric: (-np.nan_to_num(values[metric], nan=-9), metric))


def _pair(
    one: str,
    other: str,
    difference: float,
    p_values: tuple[float, float],
    significant: bool,
    *,
    exact: bool,
) -> MetricPair:
    return MetricPair(
        one=one,
        other=other,
        difference=difference,
        p_value=p_values[0],
        p_adjusted=p_values[1],
        significant=significant,
        exact=exact,
    )


def _bits(source: np.random.PCG64, rows: int, columns: int) -> NDArray[np.bool_]:
    """Return random bits; each row begins with a new word."""
    words = -(-columns // 64)
    raw = source.random_raw(rows * words).astype("<u8").view(np.uint8)
    bits = np.unpackbits(raw.reshape(rows, -1), axis=1, count=columns, bitorder="little")
    return bits.view(np.bool_)
