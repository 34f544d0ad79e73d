"""The function :func:`compare_runs`: systems that were trained several times.

Sources: Searle, Casella and McCulloch (1992), *Variance Components*; Satterthwaite (1946), *An
Approximate Distribution of Estimates of Variance Components*, for degrees of freedom; Chung and
Romano (2013), *Exact and Asymptotically Robust Permutation Tests*, for the statistic of the test.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, copysign, inf, sqrt

import numpy as np

from truebleu.errors import (
    InputError,
    InputTypeError,
    SettingsError,
    SmallSampleWarning,
    WarnOnce,
    warn,
    written,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.registry import metric_of
from truebleu.metrics.stats import Stats
from truebleu.significance import inference, reliability
from truebleu.significance.comparisons import concluded, count_systems, finite_scores, pairs_of
from truebleu.significance.design import (
    RESAMPLING,
    Design,
    blocks_of,
    documents_of,
    scored_units,
    split_settings,
    units_of,
)
from truebleu.significance.means import MeanScore
from truebleu.significance.pair import Interval
from truebleu.significance.paired import Outcome, Outcomes
from truebleu.significance.resampling import Resampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any, Literal

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics import Metric, MetricName
    from truebleu.significance.design import Progress, TestArguments
    from truebleu.significance.inference import Floats
    from truebleu.significance.results import Comparison

# More assignments of runs to two systems are sampled: ten runs against ten have fewer.
_MOST_ASSIGNED = 200_000

# Statistics within this fraction are ties, to allow for rounding.
_TIE = 1e-9

# Parameters of `compare` that runs have no use of.
_NOT_FOR_RUNS = ("test", "interval")


def compare_runs(
    systems: Mapping[str, Iterable[Any]],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    baseline: str | None = None,
    documents: Iterable[Hashable] | Literal["auto"] | None = None,
    strata: Iterable[Hashable] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[TestArguments],
) -> Comparison:
    """Compare systems of which there are several runs, such as training runs with other seeds.

    The score of a system is the mean of the corpus scores of its runs. Its variance is that between
    runs plus that of the segments, which the runs share. Intervals are Student's, with degrees of
    freedom after Satterthwaite. The test assigns whole runs to the two systems in all possible
    ways, and compares the difference divided by its standard error. Its p-value is no smaller than
    that of Student's t, because runs that hardly vary say nothing of other segments.

    Parameters
    ----------
    systems : mapping of str to iterable of runs
        For the name of each system its runs, at least two, and not necessarily as many as of
        others: each is an iterable of hypotheses, or statistics.
    references, reference_streams, baseline, documents, strata, threads, progress, metric
        As in :func:`truebleu.compare`.
    **settings
        `n_trials`, `alternative`, `alpha`, `n_resamples`, `confidence_level`, `seed`, `blocks` and
        `margin` (by Student's t) as in :func:`truebleu.compare`, and the settings of
        :class:`truebleu.Bleu` if `metric` is None. Trials are only drawn
        where there are more than 200,000 ways to assign runs.

    Returns
    -------
    Comparison
        The scores are of the class :class:`truebleu.MeanScore`. `between_runs` of systems and pairs
        is the share of the variance, from 0 to 1, that is between runs.

    Raises
    ------
    InputError, SettingsError
        If a system has fewer than two runs, or a parameter is not for runs: `test` and `interval`;
        others as in :func:`truebleu.compare`.

    Warns
    -----
    SmallSampleWarning
        If no difference can be significant with so few runs; others as there.

    Examples
    --------
    >>> from truebleu import compare_runs
    >>> references = ["a b c d e", "f g h i j", "k l m n o", "p q r s t"] * 20
    >>> def run(wrong):
    ...     return ["x" + text[1:] if i % wrong == 0 else text for i, text in enumerate(references)]
    >>> systems = {"new": map(run, (9, 11, 12, 13)), "old": map(run, (3, 4, 5, 6))}
    >>> pair = compare_runs(systems, references).pair("new", "old")
    >>> round(pair.delta, 2), pair.p_value, pair.exact
    (4.65, 0.02857142857142857, True)
    """
    resampling, rest = split_settings(settings, metric=metric)
    for name in _NOT_FOR_RUNS:
        default = RESAMPLING[name]
        if resampling[name] is not default and (default is None or resampling[name] != default):
            raise SettingsError(f"{name} is not for several runs: leave it out")
    design = Design(**resampling, baseline=baseline, progress=progress)
    if not design.n_resamples:
        raise SettingsError("n_resamples is None; the comparison of runs needs bootstrap samples")
    # Of the variance between runs and that of segments.
    design.interval = "t"
    chosen = metric_of(metric, rest)
    references, documents = documents_of(references, documents)
    groups, flat = _flat(systems)
    with WarnOnce():
        counted = count_systems(chosen, flat, references, reference_streams, threads)
    units = units_of(counted, documents, strata)
    if chosen._is_average:
        units = scored_units(units)
    by_run = finite_scores(chosen, counted)
    scores = {name: MeanScore.of([by_run[run] for run in runs]) for name, runs in groups.items()}
    pairs, baseline = pairs_of(list(groups), design)
    if design.blocks is not None:
        units = blocks_of(chosen, units, list(combinations(flat, 2)), design.blocks)
    reliability.warn_of_few_units(units, design, tested=False)
    design.choose_trials(len(pairs))
    design.total = design.n_resamples
    tables = list(units.tables.values())
    resampler = Resampler(
        tables, chosen, design.seed, thread_count(threads), design.report, units.strata
    )
    outcomes = _Runs(resampler, list(flat), groups, design).outcomes(pairs)
    smallest = [outcome.smallest for outcome in outcomes.tests]
    if smallest and min(inference.holm(smallest)) >= inference.exact(design.alpha):
        warn(
            "there are too few runs for a test: no p-value below "
            f"{float(min(inference.holm(smallest))):.3g} is possible; intervals are not affected",
            SmallSampleWarning,
        )
    return concluded(
        scores,
        (pairs, baseline),
        outcomes,
        design,
        units,
        test="run-randomization",
        described=f"runs and {units.described}",
        runs=",".join(map(str, map(len, groups.values()))),
    )


def _flat(systems: Any) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Return the names of the runs of each system, and each run by its name."""
    groups: dict[str, list[str]] = {}
    flat: dict[str, Any] = {}
    for name, runs in sequences.systems_of(systems).items():
        sequences.check_name(name, "system")
        if isinstance(runs, Stats | str):
            needed = "a list of its runs is needed, each with the hypotheses of all segments"
            raise wrong_type(repr(name), runs, needed)
        listed = sequences.as_list(runs, f"system {name!r}")
        if len(listed) < 2:
            raise InputError(
                f"{name!r} has {len(listed)} of at least 2 runs, which show how much runs vary; "
                "compare() is for systems with one"
            )
        if isinstance(listed[0], str):
            raise InputTypeError(
                f"the first run of {name!r} is {written(listed[0])}; a list of runs is needed, "
                "each with the hypotheses of all segments"
            )
        groups[name] = [f"{name}, run {number}" for number in range(1, len(listed) + 1)]
        flat |= zip(groups[name], listed, strict=True)
    return groups, flat


class _Variance:
    """The parts of the variance of a weighted sum of mean scores; arrays, one item per assignment.

    Attributes: `runs` between the runs of each group, `segments` on top of these. The variance
    between observed scores of runs has that of runs, and that of segments which runs do not share;
    the bootstrap of segments, in which runs are fixed, has that which they share, and the latter
    again, which is subtracted.
    """

    def __init__(self, groups: list[Floats], scores: Floats, covariance: Floats) -> None:
        self._parts: list[tuple[Floats, int]] = []
        weights = np.zeros_like(groups[0])
        own = np.zeros(len(weights))
        for sign, members in zip((1, -1), groups, strict=False):
            size = int(members[0].sum())
            weights = weights + sign * members / size
            centered = members * (scores - (members @ scores / size)[:, None])
            between = (centered**2).sum(axis=1) / (size - 1) / size
            inside = ((members @ covariance) * members).sum(axis=1) / size
            own += (members @ np.diag(covariance) - inside) / (size - 1) / size
            self._parts.append((between, size - 1))
        self.difference = weights @ scores
        self.runs = np.sum([between for between, _ in self._parts], axis=0)
        bootstrapped = ((weights @ covariance) * weights).sum(axis=1)
        self.segments = np.maximum(0, bootstrapped - own)
        self.total = self.runs + self.segments
        # What of the variance would be left with endlessly many segments.
        self.between = np.maximum(0, self.runs - own)

    def freedom(self, units: float) -> float:
        """Return the degrees of freedom of the first, after Satterthwaite."""
        squares = sum(float(each[0]) ** 2 / freedom for each, freedom in self._parts)
        squares += float(self.segments[0]) ** 2 / max(1.0, units - 1)
        return float(self.total[0]) ** 2 / squares if squares else inf

    def statistics(self) -> Floats:
        """Return each difference divided by its standard error."""
        errors = np.sqrt(self.total)
        ratios = np.where(self.difference == 0, 0.0, np.copysign(inf, self.difference))
        return np.asarray(np.divide(self.difference, errors, out=ratios, where=errors > 0))


class _Runs:
    """Scores of runs, the covariance that segments give them, and the tests of pairs."""

    def __init__(
        self, resampler: Resampler, flat: list[str], groups: dict[str, list[str]], design: Design
    ) -> None:
        self._resampler, self._design = resampler, design
        place = {name: index for index, name in enumerate(flat)}
        self._runs = {name: [place[run] for run in runs] for name, runs in groups.items()}
        self._scores = resampler.scores()
        pieces = resampler.bootstrap(range(design.n_resamples or 0), list(range(len(flat))))
        samples = np.concatenate(list(pieces), axis=1)
        units = resampler.effective_count
        self._covariance = np.atleast_2d(np.cov(samples)) * units / max(1, units - 1)
        design.finish()

    def outcomes(self, pairs: list[tuple[str, str]]) -> Outcomes:
        intervals, shares = {}, {}
        for name, runs in self._runs.items():
            intervals[name], shares[name] = self._interval(self._variance(runs), one_sided=False)
        tests = [self._test(one, other) for one, other in pairs]
        return Outcomes(intervals=intervals, tests=tests, effective_units={}, between_runs=shares)

    def _variance(self, runs: list[int], groups: list[Floats] | None = None) -> _Variance:
        groups = groups or [np.ones((1, len(runs)))]
        return _Variance(groups, self._scores[runs], self._covariance[np.ix_(runs, runs)])

    def _interval(self, found: _Variance, *, one_sided: bool) -> tuple[Interval, float]:
        """Return the interval of the first, and the share of its variance between runs."""
        middle, total = float(found.difference[0]), float(found.total[0])
        freedom = min(found.freedom(self._resampler.effective_count), 1e6)
        level = self._design.confidence_level
        tail = (1 - level) if one_sided else (1 - level) / 2
        half = sqrt(total) * -inference.quantile_of_t(tail, freedom)
        low, high = middle - half, middle + half
        if one_sided:
            low, high = (low, inf) if self._resampler.higher_is_better else (-inf, high)
        ends = {"low": low, "high": high, "half_width": (high - low) / 2}
        interval = Interval(
            **ends, confidence_level=level, method="t", mean=middle, error=sqrt(total)
        )
        return interval, float(found.between[0]) / total if total else 0.0

    def _test(self, one: str, other: str) -> Outcome:
        runs = [*self._runs[one], *self._runs[other]]
        size = len(self._runs[one])
        first = self._assignments(size, len(runs))
        found = self._variance(runs, [first, 1 - first])
        sign = 1 if self._resampler.higher_is_better else -1
        ratios = sign * found.statistics()
        if not self._design.one_sided:
            ratios = np.abs(ratios)
        # The observed assignment is the first of them.
        least = ratios[0] - _TIE * abs(ratios[0]) if np.isfinite(ratios[0]) else ratios[0]
        extreme = int(np.count_nonzero(ratios >= least))
        ways = comb(len(runs), size)
        exact = len(first) == ways
        one_sided = self._design.one_sided
        least_p = inference.smallest_of_runs(size, len(runs) - size, one_sided=one_sided)
        interval, share = self._interval(found, one_sided=one_sided)
        freedom = found.freedom(self._resampler.effective_count)

        def tail(points: float) -> Fraction:
            """Return the p-value, by Student's t, of a difference that is above 0 by these."""
            ratio = points / interval.error if interval.error else copysign(inf, points)
            return Fraction(inference.tail_of_t(ratio, freedom) if points else 0.5)

        ahead = sign * float(found.difference[0])
        by_t = tail(ahead) if one_sided else 2 * tail(abs(ahead))
        by_runs = Fraction(extreme, len(first))
        margin, margins = self._design.margin, {}
        if margin is not None:
            margins = {"worse": tail(margin + ahead), "better": tail(margin - ahead)}
        tables = [self._resampler.tables[run] for run in runs]
        differ = np.any([(table != tables[0]).any(axis=1) for table in tables], axis=0)
        return Outcome(
            # Nearly equal runs can be told from those of the other system on any segments.
            p_value=max(by_runs, by_t),
            n_trials=len(first) - (not exact),
            differing=int(differ.sum()),
            exact=exact,
            at_floor=not exact and extreme == 1 and by_runs > by_t,
            interval=interval,
            between_runs=share,
            smallest=least_p if exact else Fraction(1, len(first)),
            p_not_worse=margins.get("worse"),
            p_not_better=margins.get("better"),
        )

    def _assignments(self, size: int, runs: int) -> NDArray[np.float64]:
        """Return which runs are the first system's, the observed assignment first."""
        if comb(runs, size) <= _MOST_ASSIGNED:
            chosen = np.array(list(combinations(range(runs), size)))
        else:
            random = np.random.default_rng(self._design.seed)
            orders = random.random((self._design.n_trials + 1, runs)).argsort(axis=1)
            orders[0] = np.arange(runs)
            chosen = orders[:, :size]
        members = np.zeros((len(chosen), runs))
        np.put_along_axis(members, chosen, 1.0, axis=1)
        return members
