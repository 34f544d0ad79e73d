"""Tests and intervals by resampling, or as in sacreBLEU."""

from __future__ import annotations

from fractions import Fraction
from statistics import mean as exact_mean

from truebleu._core import MOST_PERMUTED
from truebleu.errors import SettingsError
from truebleu.record import Record
from truebleu.significance import inference
from truebleu.significance.resampling import Resampler
from truebleu.significance.results import Interval
from truebleu.significance.sacrebleu import SacrebleuSampler, mean_and_half_width

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from truebleu.metrics.base import Metric
    from truebleu.significance.design import Design, Units
    from truebleu.significance.inference import Floats


class Outcome(Record):
    """The result of one test; see :class:`truebleu.significance.results.Pair`."""

    p_value: Fraction
    n_trials: int
    differing: int
    at_floor: bool = False
    exact: bool = False
    interval: Interval | None = None
    detectable: float | None = None


class Outcomes(Record):
    """The results of all tests.

    Attributes
    ----------
    intervals : dict of str to Interval
        The interval of each system; empty if there are no bootstrap samples.
    tests : list of Outcome
        The result of each pair, in the order of the pairs.
    """

    intervals: dict[str, Interval]
    tests: list[Outcome]


def resample(
    metric: Metric, units: Units, pairs: list[tuple[str, str]], design: Design, threads: int
) -> Outcomes:
    """Compute intervals from bootstrap samples, and test pairs of systems.

    Parameters
    ----------
    metric : Metric
        The metric that scores sums of rows.
    units : Units
    pairs : list of tuple of str
        The names of the systems to compare.
    design : Design
    threads : int

    Returns
    -------
    Outcomes
    """
    index_of = {name: index for index, name in enumerate(units.tables)}
    indices = [(index_of[one], index_of[other]) for one, other in pairs]
    tables = list(units.tables.values())
    resampler = Resampler(tables, metric, design.seed, threads, design.report)
    differing = [resampler.differing(*pair) for pair in indices]
    randomizes = design.randomizes
    sampled = [
        pair for pair, count in zip(indices, differing, strict=True) if count > MOST_PERMUTED
    ]
    bootstrapped = [] if randomizes else indices
    swap_trials = design.n_trials if randomizes and sampled else 0
    design.total = _samples(design, bootstrapped) + swap_trials
    observed = resampler.scores()
    bootstrap = _Bootstrap(resampler, design, observed, bootstrapped, metric.higher_is_better)
    extreme_swaps = {}
    if randomizes and sampled:
        counts = resampler.randomize(sampled, design.n_trials)
        extreme_swaps = dict(zip(sampled, counts, strict=True))
    tests = []
    for number, (pair, count) in enumerate(zip(indices, differing, strict=True)):
        exact = randomizes and count <= MOST_PERMUTED
        trials, at_floor = design.n_trials, False
        if exact:
            either, better, trials = resampler.permute(*pair)
            p_value = Fraction(better if design.one_sided else either, trials)
        else:
            extreme = (
                extreme_swaps[pair][design.one_sided] if randomizes else bootstrap.extreme[number]
            )
            # The observed difference counts as one of the trials, hence + 1.
            p_value, at_floor = Fraction(extreme + 1, trials + 1), not extreme
        interval = bootstrap.interval(pair) if design.n_resamples else None
        detectable = None
        if interval is not None:
            detectable = inference.detectable(
                interval.error, design.alpha, one_sided=design.one_sided
            )
        tests.append(
            Outcome(
                p_value=p_value,
                n_trials=trials,
                differing=count,
                at_floor=at_floor,
                exact=exact,
                interval=interval,
                detectable=detectable,
            )
        )
    intervals = {}
    if design.n_resamples:
        intervals = {name: bootstrap.interval((index, None)) for name, index in index_of.items()}
    return Outcomes(intervals=intervals, tests=tests)


def _samples(design: Design, pairs: list[tuple[int, int]]) -> int:
    """Return the number of bootstrap samples for intervals, and for tests of these pairs."""
    return max(design.n_resamples or 0, design.n_trials if pairs else 0)


class _Bootstrap:
    """Bootstrap samples of all systems, with their intervals and counts for tests.

    Intervals use the first `n_resamples` of the samples that tests use. Only these are stored,
    because the samples for tests of many systems may not fit into memory.

    Attributes
    ----------
    extreme : list of int
        For each tested pair, the number of samples whose difference is at least as far from the
        observed difference as that is from 0.
    """

    def __init__(
        self,
        resampler: Resampler,
        design: Design,
        observed: Floats,
        pairs: list[tuple[int, int]],
        higher_is_better: bool,
    ) -> None:
        import numpy as np

        self._observed = observed
        self._tie = resampler.tie
        self._design = design
        self._higher_is_better = higher_is_better
        self.extreme = [0] * len(pairs)
        stored = [np.empty((len(observed), 0))]
        start, n_resamples = 0, design.n_resamples or 0
        for scores in resampler.bootstrap(_samples(design, pairs)):
            if start < n_resamples:
                stored.append(scores[:, : n_resamples - start].copy())
            if pairs and start < design.n_trials:
                self._count_extreme(scores[:, : design.n_trials - start], pairs)
            start += scores.shape[1]
        self._scores = np.concatenate(stored, axis=1)
        self._left_out = resampler.left_out() if n_resamples and design.interval == "bca" else None

    def _count_extreme(self, scores: Floats, pairs: list[tuple[int, int]]) -> None:
        """Count the samples that are at least as extreme as the observed differences."""
        import numpy as np

        for number, pair in enumerate(pairs):
            observed = self._of(self._observed, pair)
            gaps = self._of(scores, pair) - observed
            if not self._design.one_sided:
                gaps, observed = np.abs(gaps), np.abs(observed)
            elif not self._higher_is_better:
                gaps, observed = -gaps, -observed
            self.extreme[number] += int(np.count_nonzero(gaps >= observed - self._tie))

    def interval(self, systems: tuple[int, int | None]) -> Interval:
        """Return the interval of a system's score, or of the difference of two systems."""
        samples = self._of(self._scores, systems)
        level = self._design.confidence_level
        if self._left_out is None:
            ends = inference.percentile(samples, level)
        else:
            observed = float(self._of(self._observed, systems))
            ends = inference.bca(samples, level, observed, self._of(self._left_out, systems))
        return Interval.of(samples, ends, level, self._design.interval)

    @staticmethod
    def _of(scores: Floats, systems: tuple[int, int | None]) -> Any:
        """Return the scores of a system, or the differences of two systems."""
        one, other = systems
        return scores[one] if other is None else scores[one] - scores[other]


def resample_like_sacrebleu(
    metric: Metric, units: Units, pairs: list[tuple[str, str]], design: Design, threads: int
) -> Outcomes:
    """Compute sacreBLEU's intervals and p-values, from the same random numbers.

    Parameters and result are those of :func:`resample`. All pairs must have the same second system,
    the baseline. Only one thread is used.

    Raises
    ------
    SettingsError
        If the units are documents.
    """
    if units.name != "segments":
        raise SettingsError("legacy='sacrebleu' resamples segments, not documents")
    tables, samples = units.tables, design.n_resamples
    sampler = SacrebleuSampler(metric.sacrebleu_engine(), design.seed, design.report)
    randomizes = design.randomizes
    design.total = len(tables) * (samples or 0) + (design.n_trials if randomizes else 0) * len(
        pairs
    )
    baseline = pairs[0][1] if pairs else next(iter(tables))
    sample_scores: dict[str, Floats | None] = {}
    if samples:
        sample_scores[baseline] = sampler.bootstrap(tables[baseline], samples)
    tests = []
    for name, _ in pairs:
        system, baseline_table = tables[name], tables[baseline]
        if randomizes:
            p_value, sample_scores[name] = sampler.paired_randomization(
                baseline_table, system, design.n_trials, samples
            )
        else:
            p_value, sample_scores[name] = sampler.paired_bootstrap(
                baseline_table, system, design.n_trials
            )
        tests.append(
            Outcome(
                p_value=p_value,
                n_trials=design.n_trials,
                differing=int((system != baseline_table).any(axis=1).sum()),
                at_floor=p_value == Fraction(1, design.n_trials + 1),
            )
        )
    intervals = {}
    for name, scores in sample_scores.items():
        if scores is not None:
            mean, half = mean_and_half_width(scores)
            if not pairs:
                # For one system, sacreBLEU computes the mean without rounding.
                mean = exact_mean(scores.tolist())
            ends = mean - half, mean + half
            interval = Interval.of(scores, ends, design.confidence_level, "sacrebleu")
            # Computed from the ends, these would differ in the last bits.
            intervals[name] = interval.replace(mean=mean, half_width=half)
    return Outcomes(intervals=intervals, tests=tests)
