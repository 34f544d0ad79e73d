"""The function :func:`compare_runs`: systems that were trained several times.

Source: Searle, Casella and McCulloch (1992), *Variance Components*.
"""

from __future__ import annotations

import numpy as np

from truebleu.errors import (
    InputError,
    InputTypeError,
    SettingsError,
    WarnOnce,
    written,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.intake.texts import known_of
from truebleu.metrics.stats import Stats
from truebleu.significance.compare import begun
from truebleu.significance.design import OF_TESTS
from truebleu.significance.means import MeanScore
from truebleu.significance.notes import Notes
from truebleu.significance.paired import Estimate, Outcome, Outcomes, dependence_of
from truebleu.significance.resampling import Resampler, Steps
from truebleu.significance.running import (
    Unconcluded,
    concluded,
    count_systems,
    pairs_of,
    resampled,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics import Metric, MetricName
    from truebleu.significance.design import Design, TestArguments
    from truebleu.significance.results import Comparison


def compare_runs(
    systems: Mapping[str, Iterable[Any]],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    metrics: Metric | MetricName | None = None,
    **how: Unpack[TestArguments],
) -> Comparison:
    """Compare systems of which there are several runs, such as training runs with other seeds.

    The score of a system is the mean of the corpus scores of its runs. Its variance is that between
    runs plus that of the segments, which the runs share. Intervals and tests are Student's, with
    degrees of freedom after Satterthwaite.

    Parameters
    ----------
    systems : mapping of str to iterable of runs
        For the name of each system its runs, at least two, and not necessarily as many as of
        others: each is an iterable of hypotheses, or statistics.
    metrics : Metric or str, optional
        The metric, or its name. Default: BLEU.
    references, reference_streams, baseline, units, margin, alpha, n_resamples, seed, threads
        As in :func:`truebleu.compare`.

    Returns
    -------
    Comparison
        The scores are of the class :class:`~truebleu.significance.means.MeanScore`.
        `between_runs` of systems and pairs is the share of the variance, from 0 to 1, that is
        between runs. Errors and warnings are as in :func:`truebleu.compare`.

    Examples
    --------
    >>> from truebleu import compare_runs
    >>> references = ["a b c d e", "f g h i j", "k l m n o", "p q r s t"] * 20
    >>> def run(wrong):
    ...     return ["x" + text[1:] if i % wrong == 0 else text for i, text in enumerate(references)]
    >>> systems = {"new": map(run, (9, 11, 12, 13)), "old": map(run, (3, 4, 5, 6))}
    >>> pair = compare_runs(systems, references, units="segments").pair("new", "old")
    >>> round(pair.delta, 2), pair.significant
    (4.65, True)
    """
    metric, design, threads = begun(compare_runs, metrics, how, OF_TESTS)
    if design.n_resamples is None:
        raise SettingsError("n_resamples is None; the comparison of runs needs bootstrap samples")
    known = known_of(references, design.units)
    groups, flat = flat_runs(systems)
    with WarnOnce():
        counted = count_systems(metric, flat, known.references, reference_streams, threads)
    said = Notes()
    found = compare_counted_runs(metric, groups, counted, known.documents, design, threads, said)
    said.warn([""])
    return found


def compare_counted_runs(
    metric: Metric,
    groups: Mapping[str, list[str]],
    counted: Mapping[str, Stats],
    known: Iterable[Hashable] | None,
    design: Design,
    threads: int,
    said: Notes,
) -> Comparison:
    """Compare systems by the statistics of their runs, whose names `groups` has by system."""
    pairs = pairs_of(list(groups), design.baseline)
    by_run, units, tables = resampled(
        metric, counted, design.units, known, said, design, tested=bool(pairs)
    )
    scores = {name: MeanScore.of([by_run[run] for run in runs]) for name, runs in groups.items()}
    design.plan(len(pairs))
    steps = Steps(1)
    resampler = Resampler(tables, metric, design.seed, threads, steps.add)
    steps.begin(design.n_resamples or 0)
    runs = _Runs(resampler, list(counted), groups, design)
    steps.finish()
    outcomes = runs.outcomes(pairs, in_order=units.name == "segments")
    signed = {"runs": ",".join(map(str, map(len, groups.values())))}
    found = Unconcluded(scores, pairs, outcomes, units, test="t", signed=signed)
    [comparison] = concluded([found], design, said)
    return comparison


def flat_runs(systems: Any) -> tuple[dict[str, list[str]], dict[str, Any]]:
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


class _Runs:
    """Scores of runs, the covariance that segments give them, and the tests of pairs."""

    def __init__(
        self,
        resampler: Resampler,
        flat: list[str],
        groups: Mapping[str, list[str]],
        design: Design,
    ) -> None:
        self._resampler, self._design = resampler, design
        place = {name: index for index, name in enumerate(flat)}
        self._runs = {name: [place[run] for run in runs] for name, runs in groups.items()}
        self._scores = resampler.scores
        samples = np.concatenate([*resampler.bootstrap(range(design.n_resamples or 0))], axis=1)
        units = resampler.effective_count
        self._covariance = np.atleast_2d(np.cov(samples)) * units / max(1, units - 1)

    def outcomes(self, pairs: list[tuple[str, str]], *, in_order: bool) -> Outcomes:
        intervals, shares = {}, {}
        for name in self._runs:
            found, shares[name] = self._estimate(name)
            intervals[name] = found.interval(self._design.level)
        dependent: tuple[float | None, float | None] = None, None
        if in_order:
            left_out = self._resampler.left_out()
            of_systems = [left_out[runs].mean(axis=0) for runs in self._runs.values()]
            dependent = dependence_of(np.array(of_systems), list(self._runs), pairs)
        return Outcomes(
            intervals=intervals,
            tests=[self._test(one, other) for one, other in pairs],
            effective_units={},
            between_runs=shares,
            dependent=dependent,
        )

    def _estimate(self, *systems: str) -> tuple[Estimate, float]:
        """Estimate the mean of runs, or the difference of two, and the share between runs.

        The variance between observed scores of runs has that of runs, and that of segments which
        runs do not share; the bootstrap of segments, in which runs are fixed, has that which they
        share, and the latter again, which is subtracted.
        """
        weights = np.zeros(len(self._scores))
        between: list[tuple[float, float]] = []
        own = 0.0
        for sign, name in zip((1, -1), systems, strict=False):
            runs = self._runs[name]
            size = len(runs)
            weights[runs] = sign / size
            shared = self._covariance[np.ix_(runs, runs)]
            own += float(np.trace(shared) - shared.sum() / size) / (size - 1) / size
            between.append((float(self._scores[runs].var(ddof=1)) / size, size - 1))
        segments = max(0.0, float(weights @ self._covariance @ weights) - own)
        freedom = max(1.0, self._resampler.effective_count - 1)
        found = Estimate.of(float(weights @ self._scores), [*between, (segments, freedom)])
        # What of the variance would be left with endlessly many segments.
        of_runs = max(0.0, sum(variance for variance, _ in between) - own)
        return found, of_runs / found.error**2 if found.error else 0.0

    def _test(self, one: str, other: str) -> Outcome:
        found, share = self._estimate(one, other)
        runs = [*self._runs[one], *self._runs[other]]
        tables = [self._resampler.tables[run] for run in runs]
        differ = np.any([(table != tables[0]).any(axis=1) for table in tables], axis=0)
        return found.test(
            self._design,
            higher_is_better=self._resampler.higher_is_better,
            differing=int(differ.sum()),
            between_runs=share,
        )
