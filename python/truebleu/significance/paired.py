"""Tests and intervals of systems: by resampling, or by Student's t where errors are known.

Source: Satterthwaite (1946), *An Approximate Distribution of Estimates of Variance Components*.
"""

from __future__ import annotations

from fractions import Fraction
from math import copysign, inf, sqrt
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from truebleu._core import MOST_PERMUTED, student_t_tail
from truebleu.record import Record
from truebleu.significance import inference
from truebleu.significance.dependence import times_as_wide
from truebleu.significance.pair import Interval
from truebleu.significance.resampling import Swapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from truebleu.significance.design import Design
    from truebleu.significance.inference import Floats
    from truebleu.significance.resampling import Resampler, SetsResampler, Steps

    Pairs = Sequence[tuple[str, str]]


class Outcome(Record):
    """The result of one test; see :class:`truebleu.significance.pair.Pair`.

    `smallest` is the smallest p-value that it can have.
    """

    p_value: Fraction
    smallest: Fraction
    n_trials: int
    differing: int
    at_floor: bool = False
    exact: bool = False
    interval: Interval | None = None
    p_not_worse: Fraction | None = None
    p_not_better: Fraction | None = None
    effective_units: float | None = None
    between_runs: float | None = None


class Outcomes(Record):
    """The result of each pair, in their order; without bootstrap samples, systems have none.

    `dependent` are the factors by which the errors of scores, and of differences, are too small
    because segments that depend on each other are resampled; None where they do not seem to.
    """

    intervals: dict[str, Interval]
    tests: list[Outcome]
    effective_units: dict[str, float]
    dependent: tuple[float | None, float | None] = None, None
    between_runs: Mapping[str, float] = MappingProxyType({})


def resample(
    resampler: Resampler | SetsResampler,
    names: Sequence[str],
    pairs: Pairs,
    design: Design,
    steps: Steps,
    *,
    in_order: bool,
) -> Outcomes:
    """Test pairs of systems, and compute intervals; segments `in_order` may depend on neighbors."""
    index_of = {name: index for index, name in enumerate(names)}
    indices = [(index_of[one], index_of[other]) for one, other in pairs]
    differing = [int(resampler.differ(*pair).sum()) for pair in indices]
    exact = [count <= MOST_PERMUTED for count in differing]
    sampled = [pair for pair, few in zip(indices, exact, strict=True) if not few]
    steps.begin((design.n_resamples or 0) + design.n_trials * bool(sampled))
    intervals = _Intervals(resampler, design) if design.n_resamples else None
    swaps = Swapping(resampler)
    counts = _randomized(swaps, sampled, design)
    steps.finish()
    tests = []
    for pair, count in zip(indices, differing, strict=True):
        known: dict[str, Any] = {"differing": count}
        if pair in counts:
            found, trials = counts[pair]
            # The observed difference counts as one of the trials, hence + 1.
            known |= {"p_value": Fraction(found + 1, trials + 1), "at_floor": not found}
            known |= {"smallest": Fraction(1, design.n_trials + 1)}
        else:
            found, trials = swaps.permute(*pair)
            # Two of the ways to swap the units are as extreme as the most extreme one.
            known |= {"p_value": Fraction(found, trials), "exact": True}
            known |= {"smallest": Fraction(2, max(2, 2**count))}
        if intervals is not None:
            known |= intervals.of_pair(*pair, count)
        tests.append(Outcome(n_trials=trials, **known))
    of_systems, effective = ([], []) if intervals is None else intervals.of_systems()
    return Outcomes(
        tests=tests,
        intervals=dict(zip(names, of_systems, strict=False)),
        effective_units=dict(zip(names, effective, strict=False)),
        dependent=dependence_of(resampler.left_out(), names, pairs) if in_order else (None, None),
    )


def dependence_of(
    left_out: Floats, names: Sequence[str], pairs: Pairs
) -> tuple[float | None, float | None]:
    """Return how much wider intervals of scores, and of differences, should be."""
    place = {name: index for index, name in enumerate(names)}
    ones, others = ([place[pair[side]] for pair in pairs] for side in (0, 1))
    gaps = left_out[ones] - left_out[others]
    # Equal systems differ by rounding errors only.
    gaps[np.ptp(gaps, axis=1) <= inference.ROUNDING * np.abs(left_out).max()] = 0
    return times_as_wide(left_out), times_as_wide(gaps)


def _randomized(
    swaps: Swapping, pairs: list[tuple[int, int]], design: Design
) -> dict[tuple[int, int], tuple[int, int]]:
    """Test pairs until each has enough extreme trials, or all trials; return both numbers."""
    counts = dict.fromkeys(pairs, (0, 0))
    running, start = pairs, 0
    for stop in design.stages:
        if not running:
            break
        extreme = swaps.randomize(running, range(start, stop))
        for pair, count in zip(running, extreme, strict=True):
            counts[pair] = counts[pair][0] + count, stop
        running = [pair for pair in running if counts[pair][0] < inference.ENOUGH_EXTREME]
        start = stop
    return counts


class _Intervals:
    """The intervals of all systems and pairs, from bootstrap samples."""

    def __init__(self, resampler: Resampler | SetsResampler, design: Design) -> None:
        self._sign = 1 if resampler.higher_is_better else -1
        self._count, self._design = resampler.effective_count, design
        self._observed, self._left_out = resampler.scores, resampler.left_out()
        self._scores = np.concatenate(
            [*resampler.bootstrap(range(design.n_resamples or 0))], axis=1
        )

    def of_systems(self) -> tuple[list[Interval], list[float]]:
        """Return the interval of each score, and how many units it effectively varies with.

        Intervals are bias-corrected and accelerated.
        """
        level = self._design.level
        quantile = inference.expanded_quantile((1 - level) / 2, self._count)
        found = []
        for scores, observed, left_out in zip(
            self._scores, self._observed, self._left_out, strict=True
        ):
            ends = inference.bca(scores, quantile, float(observed), left_out)
            found.append(Interval.of(scores, ends, level, "bca"))
        return found, [inference.effective_units(each) for each in self._left_out]

    def of_pair(self, one: int, other: int, differing: int) -> dict[str, Any]:
        """Return the interval of a difference, and the p-values of statements on the margin.

        The acceleration of BCa intervals would rest on the few units that differ, and they would be
        too short: the interval is the expanded percentile one.
        """
        gaps = self._scores[one] - self._scores[other]
        level, margin = self._design.level, self._design.margin
        quantile = inference.expanded_quantile((1 - level) / 2, differing)
        ends = inference.percentiles(gaps, quantile)
        interval = Interval.of(gaps, ends, level, "expanded-percentile")
        units = inference.effective_units(self._left_out[one], self._left_out[other])
        known: dict[str, Any] = {"interval": interval, "effective_units": units}
        if margin is not None:
            for name, ahead in (("p_not_worse", gaps), ("p_not_better", -gaps)):
                share = inference.share_below(self._sign * ahead, -margin, differing)
                known[name] = Fraction(share)
        return known


# More degrees of freedom make no difference.
_MOST_FREEDOM = 1e6


class Estimate(NamedTuple):
    """A score or a difference, its standard error, and the degrees of freedom of that."""

    value: float
    error: float
    freedom: float

    @classmethod
    def of(cls, value: float, variances: Iterable[tuple[float, float]]) -> Estimate:
        """Return an estimate whose variance is the sum of some, each with degrees of freedom."""
        parts = list(variances)
        total = sum(variance for variance, _ in parts)
        squares = sum(variance**2 / freedom for variance, freedom in parts)
        freedom = total**2 / squares if squares else inf
        return cls(value, sqrt(total), min(freedom, _MOST_FREEDOM))

    def interval(self, level: float) -> Interval:
        """Return the confidence interval."""
        half = self.error * -inference.quantile_of_t((1 - level) / 2, self.freedom)
        return Interval(
            low=self.value - half,
            high=self.value + half,
            confidence_level=level,
            method="t",
            mean=self.value,
            error=self.error,
        )

    def test(
        self,
        design: Design,
        *,
        higher_is_better: bool,
        smallest: Fraction = Fraction(0),
        **known: Any,
    ) -> Outcome:
        """Test whether a difference is 0, with a p-value from `smallest` up, and the margin."""

        def tail(points: float) -> Fraction:
            """Return the p-value of a difference that is above 0 by these points."""
            ratio = points / self.error if self.error else copysign(inf, points)
            return Fraction(student_t_tail(ratio, self.freedom) if points else 0.5)

        ahead, margin = self.value if higher_is_better else -self.value, design.margin
        if margin is not None:
            known |= {"p_not_worse": tail(margin + ahead), "p_not_better": tail(margin - ahead)}
        return Outcome(
            p_value=max(smallest, min(Fraction(1), 2 * tail(abs(ahead)))),
            smallest=smallest,
            n_trials=0,
            interval=self.interval(design.level),
            **known,
        )
