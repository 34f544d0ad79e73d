"""Measures of all metrics, their intervals, and tests between metrics."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import combinations
from types import MappingProxyType

import numpy as np

from truebleu.meta_evaluation.judged import Outputs, Scores
from truebleu.meta_evaluation.results import MeasuredMetric, MetricPair, Ranking
from truebleu.meta_evaluation.samples import interval_of
from truebleu.significance import inference
from truebleu.significance.results import clusters_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats
    from truebleu.meta_evaluation.measures import Measure

# With so few, all swaps are enumerated.
_FEW_OUTPUTS, _FEW_SEGMENTS = 12, 14


class Evaluation:
    """The parts of a meta-evaluation that all measures share.

    `weights` are those of the samples for intervals, or None; without `trials`, nothing is tested.
    """

    def __init__(
        self,
        outputs: Outputs,
        metrics: Mapping[str, Scores],
        *,
        alpha: float,
        seed: int,
        trials: int | None,
        alternative: str,
        weights: Floats | None = None,
        threads: int = 1,
    ) -> None:
        self.outputs = outputs
        self.metrics = metrics
        self.alpha, self.seed, self.threads = alpha, seed, threads
        self.trials, self.alternative = trials, alternative
        self._weights = weights
        self._prepared: dict[tuple[Measure, str], tuple[Floats, float]] = {}

    def ranking(self, name: str, measure: Measure) -> Ranking:
        """Return the metrics under a measure, the best first."""
        values = {
            metric: measure.value(self.outputs, scores, self._signs)
            for metric, scores in self.metrics.items()
        }
        order = sorted(values, key=lambda each: (-np.nan_to_num(values[each], nan=-9), each))
        defined = [metric for metric in order if not np.isnan(values[metric])]
        pairs = self._pairs(measure, values, defined) if self.trials else ()
        clusters: tuple[tuple[str, ...], ...] = ()
        if self.trials and len(values) > 1 and defined:
            # A metric that was given alone is not ranked; one whose rivals are undefined is.
            undecided = [(pair.one, pair.other) for pair in pairs if not pair.significant]
            clusters = clusters_of(defined, undecided)
        ranks: dict[str, int] = {}
        for cluster in clusters:
            ranks |= dict.fromkeys(cluster, 1 + len(ranks))
        measured = {
            metric: MeasuredMetric(
                name=metric,
                value=None if np.isnan(values[metric]) else values[metric],
                interval=self._interval(measure, metric),
                rank=ranks.get(metric),
            )
            for metric in order
        }
        return Ranking(
            measure=name, metrics=MappingProxyType(measured), pairs=pairs, clusters=clusters
        )

    def _interval(self, measure: Measure, metric: str) -> tuple[float, float] | None:
        """Return the percentile interval of a value."""
        given = self.outputs.gold.systems, self.metrics[metric].systems
        if self._weights is None or (
            measure.of_systems and any(each is not None for each in given)
        ):
            return None
        return interval_of(
            measure.values(self.outputs, self.metrics[metric], self._weights), self.alpha
        )

    def _pairs(
        self, measure: Measure, values: Mapping[str, float], order: list[str]
    ) -> tuple[MetricPair, ...]:
        """Test all pairs of metrics."""
        pairs = list(combinations(order, 2))
        found = [self._tested(measure, *pair) for pair in pairs]
        corrected = inference.holm([p for p, _ in found])
        alpha = inference.exact(self.alpha)
        return tuple(
            MetricPair(
                one=one,
                other=other,
                difference=values[one] - values[other],
                p_value=float(p),
                p_adjusted=float(adjusted),
                significant=adjusted < alpha,
                exact=exact,
            )
            for (one, other), (p, exact), adjusted in zip(pairs, found, corrected, strict=True)
        )

    def _tested(self, measure: Measure, one: str, other: str) -> tuple[Fraction, bool]:
        """Return the p-value of a difference, and whether it is of all swaps."""
        outputs = self._of_systems if measure.of_systems else self.outputs
        (first, value), (second, other_value) = (
            self._standardized(outputs, measure, name) for name in (one, other)
        )
        exact = int(outputs.known.sum()) <= _FEW_OUTPUTS
        seed = None if exact else self.seed
        drawn = measure.swapped(outputs, first, second, seed, self.trials or 0, self.threads)
        gaps = drawn[:, 0] - drawn[:, 1]
        # An undefined value is no evidence against chance.
        gaps = np.where(np.isnan(gaps), np.inf, gaps)
        gap = value - other_value
        if self.alternative == "two-sided":
            gap, gaps = abs(gap), np.abs(gaps)
        reached = int((gaps >= gap - 1e-12).sum())
        if exact:
            return Fraction(reached, len(gaps)), True
        return Fraction(reached + 1, len(gaps) + 1), False

    @cached_property
    def _of_systems(self) -> Outputs:
        """The outputs as one segment, with the scores of systems."""
        return Outputs(self.outputs.gold.of_systems(np.ones((1, self.outputs.segments))).T)

    def _standardized(
        self, outputs: Outputs, measure: Measure, metric: str
    ) -> tuple[Floats, float]:
        """Return scores with mean 0 and variance 1 over judged outputs, and their value."""
        if (measure, metric) not in self._prepared:
            scores = self.metrics[metric].segments
            if measure.of_systems:
                ones = np.ones((1, self.outputs.segments))
                scores = self.metrics[metric].of_systems(ones).T
            known = scores[outputs.known]
            scores = (scores - known.mean()) / (known.std() or 1.0)
            scores = np.where(outputs.known, scores, 0.0)
            # What no swap changes.
            value = measure.swapped(outputs, scores, scores, self.seed, 1)[0, 0]
            self._prepared[measure, metric] = scores, float(value)
        return self._prepared[measure, metric]

    @cached_property
    def _signs(self) -> NDArray[np.uint8]:
        """Which segments of two systems change places, a row of bits for each draw."""
        segments = self.outputs.segments
        if segments > _FEW_SEGMENTS:
            return _bits(np.random.PCG64(self.seed), self.trials or 1000, segments)
        ways = np.arange(1 << segments, dtype="<u2").view(np.uint8).reshape(-1, 2)
        return np.ascontiguousarray(ways[:, : -(-segments // 8)])


def _bits(source: np.random.PCG64, rows: int, columns: int) -> NDArray[np.uint8]:
    """Return random bits from the lowest bit of each byte on; each row begins with a new word."""
    raw = source.random_raw(rows * -(-columns // 64)).astype("<u8").view(np.uint8)
    return np.ascontiguousarray(raw.reshape(rows, -1)[:, : -(-columns // 8)])
