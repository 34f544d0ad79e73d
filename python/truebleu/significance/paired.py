"""Tests and intervals by resampling."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf
from types import MappingProxyType

import numpy as np

from truebleu._core import MOST_PERMUTED
from truebleu.record import Record
from truebleu.significance import inference
from truebleu.significance.dependence import Dependence, dependence_of
from truebleu.significance.design import POWER
from truebleu.significance.pair import Interval
from truebleu.significance.resampling import Resampler, systems_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.significance.design import Design, Units
    from truebleu.significance.inference import Floats
    from truebleu.significance.resampling import SetsResampler


class Outcome(Record):
    """The result of one test; see :class:`truebleu.significance.pair.Pair`."""

    p_value: Fraction
    n_trials: int
    differing: int
    p_not_worse: Fraction | None = None
    p_not_better: Fraction | None = None
    at_floor: bool = False
    exact: bool = False
    interval: Interval | None = None
    detectable: float | None = None
    detectable_adjusted: float | None = None
    effective_units: float | None = None
    between_runs: float | None = None
    smallest: Fraction = Fraction(0)


class Outcomes(Record):
    """The result of each pair, in their order; without bootstrap samples, systems have none."""

    intervals: dict[str, Interval]
    tests: list[Outcome]
    effective_units: dict[str, float]
    dependence: Dependence | None = None
    between_runs: Mapping[str, float] = MappingProxyType({})


def resample(
    metric: Metric, units: Units, pairs: list[tuple[str, str]], design: Design, threads: int
) -> Outcomes:
    """Compute intervals from bootstrap samples, and test pairs of systems."""
    tables = list(units.tables.values())
    resampler = Resampler(tables, metric, design.seed, threads, design.report, units.strata)
    in_order = units.name == "segments" and bool(design.n_resamples or metric._core)
    return resample_with(resampler, list(units.tables), pairs, design, in_order=in_order)


def resample_with(
    resampler: Resampler | SetsResampler,
    names: Sequence[str],
    pairs: list[tuple[str, str]],
    design: Design,
    *,
    in_order: bool,
) -> Outcomes:
    """Do so with the resampler of these systems; segments `in_order` may depend on neighbors."""
    index_of = {name: index for index, name in enumerate(names)}
    indices = [(index_of[one], index_of[other]) for one, other in pairs]
    differing = [resampler.differing(*pair) for pair in indices]
    permuted = [design.randomizes and count <= MOST_PERMUTED for count in differing]
    sampled = [pair for pair, exact in zip(indices, permuted, strict=True) if not exact]
    design.total = _samples(design, sampled)
    bootstrap = _Bootstrap(resampler, design, differing=dict(zip(indices, differing, strict=True)))
    extreme: Callable[[list[tuple[int, int]], range], list[int]] = bootstrap.extreme
    if design.randomizes:
        extreme = partial(resampler.randomize, one_sided=design.one_sided)
    counts = dict(zip(sampled, _sequential(sampled, design, extreme), strict=True))
    design.finish()
    level, sided = inference.exact(design.alpha), design.one_sided
    levels = level, level / (design.family * max(1, len(pairs)))
    tests = []
    for pair, count, exact in zip(indices, differing, permuted, strict=True):
        if exact:
            found, trials = resampler.permute(*pair, one_sided=sided)
            p_value, at_floor = Fraction(found, trials), False
        else:
            found, trials = counts[pair]
            # The observed difference counts as one of the trials, hence + 1.
            p_value, at_floor = Fraction(found + 1, trials + 1), not found
        known: dict[str, Any] = {"p_value": p_value, "n_trials": trials, "differing": count}
        if design.n_resamples:
            interval = bootstrap.of_pair(pair)
            known["interval"], known["effective_units"] = interval, bootstrap.effective_units(*pair)
            # Of exact tests, all ways may be too few.
            least = inference.smallest_exact(count, one_sided=sided) if exact else 0
            known["detectable"], known["detectable_adjusted"] = (
                interval.error * inference.needed_errors(each, POWER, one_sided=sided)
                if interval.error and least < each
                else None
                for each in levels
            )
            if design.margin is not None:
                known["p_not_worse"], known["p_not_better"] = bootstrap.within(*pair, design.margin)
        tests.append(Outcome(at_floor=at_floor, exact=exact, **known))
    intervals, effective = {}, {}
    if design.n_resamples:
        intervals = {name: bootstrap.of_system(index) for name, index in index_of.items()}
        effective = {name: bootstrap.effective_units(index) for name, index in index_of.items()}
    dependence = None
    if in_order:
        left_out = bootstrap.left_out if design.n_resamples else resampler.left_out()
        dependence = dependence_of(left_out, indices, design.seed)
    return Outcomes(
        intervals=intervals, tests=tests, effective_units=effective, dependence=dependence
    )


def _samples(design: Design, sampled: list[tuple[int, int]]) -> int:
    """Return the most samples for intervals, and trials of these pairs, that are drawn."""
    samples, trials = design.n_resamples or 0, design.n_trials if sampled else 0
    return samples + trials if design.randomizes else max(samples, trials)


def _sequential(
    pairs: list[tuple[int, int]],
    design: Design,
    extreme: Callable[[list[tuple[int, int]], range], list[int]],
) -> list[tuple[int, int]]:
    """Test pairs until each has enough extreme trials, or all trials; return both numbers."""
    found, trials = [0] * len(pairs), [0] * len(pairs)
    running = list(range(len(pairs)))
    start = 0
    for stop in design.stages:
        if not running:
            break
        counts = extreme([pairs[index] for index in running], range(start, stop))
        for index, count in zip(running, counts, strict=True):
            found[index] += count
            trials[index] = stop
        running = [index for index in running if found[index] < inference.ENOUGH_EXTREME]
        start = stop
    return list(zip(found, trials, strict=True))


class _Bootstrap:
    """Bootstrap samples of all systems, with their intervals and counts for tests.

    Intervals use the first `n_resamples` of the samples that tests use. Only these are stored,
    because the samples for tests of many systems may not fit into memory. `differing` is the number
    of units in which two systems differ.
    """

    def __init__(
        self,
        resampler: Resampler | SetsResampler,
        design: Design,
        differing: dict[tuple[int, int], int],
    ) -> None:
        self._resampler = resampler
        self._design = design
        self._differing = differing
        self._observed = resampler.scores()
        systems = list(range(len(self._observed)))
        pieces = resampler.bootstrap(range(design.n_resamples or 0), systems)
        self._scores = np.concatenate([np.empty((len(systems), 0)), *pieces], axis=1)
        self.left_out = resampler.left_out() if design.n_resamples else self._scores

    def extreme(self, pairs: list[tuple[int, int]], samples: range) -> list[int]:
        """Count, for each pair, the samples at least as extreme as the observed difference."""
        systems = systems_of(pairs)
        stored = self._scores[systems, samples.start : samples.stop]
        found = self._count(pairs, systems, stored)
        rest = range(samples.start + stored.shape[1], samples.stop)
        for scores in self._resampler.bootstrap(rest, systems):
            counts = self._count(pairs, systems, scores)
            found = [one + other for one, other in zip(found, counts, strict=True)]
        return found

    def _count(self, pairs: list[tuple[int, int]], systems: list[int], scores: Floats) -> list[int]:
        place = {system: index for index, system in enumerate(systems)}
        found = []
        for one, other in pairs:
            observed = self._observed[one] - self._observed[other]
            gaps = scores[place[one]] - scores[place[other]] - observed
            if not self._design.one_sided:
                gaps, observed = np.abs(gaps), abs(observed)
            elif not self._resampler.higher_is_better:
                gaps, observed = -gaps, -observed
            tie = self._resampler.tie(one, other)
            found.append(int(np.count_nonzero(gaps >= observed - tie)))
        return found

    def within(self, one: int, other: int, margin: float) -> tuple[Fraction, Fraction]:
        """Return the p-values of being worse, and better, of samples shifted to the margin."""
        sign = 1 if self._resampler.higher_is_better else -1
        observed = sign * float(self._observed[one] - self._observed[other])
        gaps = sign * (self._scores[one] - self._scores[other]) - observed
        tie = self._resampler.tie(one, other)
        worse = np.count_nonzero(gaps >= margin + observed - tie)
        better = np.count_nonzero(gaps <= observed - margin + tie)
        return Fraction(int(worse) + 1, len(gaps) + 1), Fraction(int(better) + 1, len(gaps) + 1)

    def of_system(self, system: int) -> Interval:
        scores, units = self._scores[system], self._resampler.effective_count
        tails = (inference.expanded_tail((1 - self._design.confidence_level) / 2, units),) * 2
        if self._design.interval == "bca":
            observed, left_out = float(self._observed[system]), self.left_out[system]
            ends = inference.bca(scores, tails, observed, left_out)
        else:
            ends = inference.percentiles(scores, tails)
        return Interval.of(scores, ends, self._design.confidence_level, self._design.interval)

    def effective_units(self, one: int, other: int | None = None) -> float:
        """Return how many units a system's score, or a difference, effectively varies with."""
        return inference.effective_units(
            self.left_out[one], None if other is None else self.left_out[other]
        )

    def of_pair(self, pair: tuple[int, int]) -> Interval:
        """Return the interval of the difference of two systems.

        It is a one-sided bound if tests are one-sided. The acceleration of BCa intervals would rest
        on the few units that differ, and they would be too short.
        """
        one, other = pair
        scores = self._scores[one] - self._scores[other]
        rest = 1 - self._design.confidence_level
        tail = rest if self._design.one_sided else rest / 2
        tail = inference.expanded_tail(tail, self._differing[pair])
        low, high = inference.percentiles(scores, (tail, tail))
        if self._design.one_sided and self._resampler.higher_is_better:
            high = inf
        elif self._design.one_sided:
            low = -inf
        level = self._design.confidence_level
        return Interval.of(scores, (low, high), level, "expanded-percentile")
