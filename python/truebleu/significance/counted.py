"""Counting systems, and comparing them once they are counted."""

from __future__ import annotations

from itertools import combinations
from math import isfinite
from types import MappingProxyType

from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    UnknownNameError,
    written,
)
from truebleu.inputs import checks, sequences
from truebleu.metrics.stats import Stats
from truebleu.significance import inference, reliability
from truebleu.significance.comparisons import Comparisons
from truebleu.significance.design import (
    Design,
    checked_seed,
    listed_documents,
    scored_units,
    units_of,
)
from truebleu.significance.external import check_missing
from truebleu.significance.pair import Pair
from truebleu.significance.paired import resample, resample_like_sacrebleu
from truebleu.significance.results import ComparedSystem, Comparison
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any

    from truebleu.metrics.base import Metric
    from truebleu.metrics.score import Score
    from truebleu.significance.design import Progress, Units


def count_systems(
    metric: Metric,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Stats]:
    """Count the segments of each system, except of those that are passed as statistics."""
    sequences.check_systems(systems)
    _check_names(systems)
    precounted = [name for name, system in systems.items() if isinstance(system, Stats)]
    if precounted and (references is not None or reference_streams is not None):
        raise InputTypeError(
            f"{precounted[0]!r} is {type(systems[precounted[0]]).__name__} already; do not pass "
            "references with it"
        )
    if not precounted and references is not None:
        # References are read once per system.
        references = sequences.reusable(references, "references")
    elif not precounted and reference_streams is not None:
        reference_streams = sequences.reusable_streams(reference_streams)
    counted = None
    if not precounted:
        counted = metric.count_together(systems, references, reference_streams, threads)
    if counted is None:
        counted = _count_each(metric, systems, references, reference_streams, threads)
    lengths = {name: len(stats) for name, stats in counted.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise LengthMismatchError(f"the systems differ in the number of segments: {listed}")
    return counted


def _check_names(systems: Any) -> None:
    """Refuse no systems, and names that are not str."""
    if not systems:
        raise InputError("there is no system to compare")
    for name in systems:
        if not isinstance(name, str):
            raise InputTypeError(
                f"the name of a system is of type {type(name).__name__} ({name!r}); a str is needed"
            )


def _count_each(
    metric: Metric,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Stats]:
    counted = {}
    for name, system in systems.items():
        if isinstance(system, Stats):
            counted[name] = system
            metric.score(system)  # Raises StatsMismatchError for other settings.
            continue
        called = str(name) or checks.HYPOTHESES
        hypotheses = sequences.reusable(system, called)
        try:
            counted[name] = metric.count_stats(
                hypotheses,
                references,
                reference_streams,
                threads,
                check=called,
            )
        except LengthMismatchError as error:
            raise LengthMismatchError(f"{name}: {error}" if name else str(error)) from error
    return counted


def compare_counted(
    metric: Metric, counted: dict[str, Stats], units: Units, design: Design, threads: int
) -> Comparison:
    """Compare systems by the statistics of their segments.

    Parameters
    ----------
    metric : Metric
    counted : dict of str to Stats
        A row per segment for each system.
    units : Units
        The rows of `counted`, or their sums over documents.
    design : Design
    threads : int
    """
    names = list(counted)
    if metric.is_average:
        check_missing(metric.name, counted)
        units = scored_units(units)
    scores = {name: _finite(metric.score(stats), name) for name, stats in counted.items()}
    if design.baseline is not None and design.baseline not in names:
        raise UnknownNameError(
            f"there is no baseline {written(design.baseline)}; the systems are {', '.join(names)}"
            f"{did_you_mean(design.baseline, names)}"
        )
    baseline = names[0] if design.legacy and design.baseline is None else design.baseline
    pairs = list(combinations(names, 2))
    if baseline is not None:
        pairs = [(name, baseline) for name in names if name != baseline]
    reliability.warn_of_few_units(units, design, tested=bool(pairs))
    run = resample_like_sacrebleu if design.legacy else resample
    design.choose_trials(len(pairs))
    outcomes = run(metric, units, pairs, design, threads)
    reliability.warn_of_few_trials(outcomes, design)
    if not design.legacy:
        reliability.warn_of_few_differing(pairs, outcomes, units, design)
        reliability.warn_of_influential(pairs, outcomes, units, design)
    p_values = [outcome.p_value for outcome in outcomes.tests]
    adjusted = inference.holm(p_values)
    floors = inference.adjusted_floors(p_values, [outcome.at_floor for outcome in outcomes.tests])
    alpha = inference.exact(design.alpha)
    results = tuple(
        Pair(
            one=one,
            other=other,
            delta=scores[one].score - scores[other].score,
            p_value=float(outcome.p_value),
            p_adjusted=float(p_adjusted),
            significant=p_adjusted < alpha,
            at_floor=outcome.at_floor,
            adjusted_at_floor=is_floor,
            interval=outcome.interval,
            exact=outcome.exact,
            n_trials=outcome.n_trials,
            differing=outcome.differing,
            detectable=outcome.detectable,
            detectable_adjusted=outcome.detectable_adjusted,
        )
        for (one, other), outcome, p_adjusted, is_floor in zip(
            pairs, outcomes.tests, adjusted, floors, strict=True
        )
    )
    systems = {
        name: ComparedSystem(name=name, score=score, interval=outcomes.intervals.get(name))
        for name, score in scores.items()
    }
    return Comparison(
        systems=MappingProxyType(systems),
        pairs=results,
        alpha=design.alpha,
        alternative=design.alternative,
        confidence_level=design.confidence_level,
        test=design.test,
        units=units.name,
        baseline=baseline,
        signature=design.signature_of(
            scores[names[0]].signature,
            units.name,
            sampled=sum(not pair.exact for pair in results),
            exact=sum(pair.exact for pair in results),
        ),
    )


class SeveralMetrics:
    """Comparisons of systems under several metrics, with the same resamples.

    Parameters
    ----------
    metrics : mapping of str to Metric
        The metrics by name.
    seed : int, optional
        For all of them; None: a random one.
    progress : callable, optional
        Reports the progress of all comparisons together.
    **how
        The other parameters of a :class:`Design`, and so are the errors.
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        seed: int | None,
        progress: Progress | None,
        **how: Any,
    ) -> None:
        """Check the parameters; see the class."""
        self._metrics = {name: metric.for_corpora for name, metric in metrics.items()}
        self._progress = JointProgress(progress, len(metrics)) if callable(progress) else None
        how["progress"] = progress if self._progress is None else self._progress.report
        how["seed"] = checked_seed(seed)
        self._designs = {name: Design(**how, label=name) for name in metrics}
        for name, metric in self._metrics.items():
            if self._designs[name].legacy:
                metric.sacrebleu_engine()  # Raises early if sacreBLEU does not have it.

    def compare(
        self,
        counted: Mapping[str, dict[str, Stats]],
        documents: Iterable[Hashable] | None,
        threads: int,
    ) -> Comparisons:
        """Compare systems that have been counted for each metric.

        Parameters
        ----------
        counted : mapping of str to dict of str to Stats
            For the name of each metric what :func:`compare_counted` takes.
        documents : iterable, optional
            The ID of each segment's document.
        threads : int
        """
        documents = listed_documents(documents)
        found = {}
        for name, metric in self._metrics.items():
            systems = counted[name]
            units = units_of(systems, documents)
            found[name] = compare_counted(metric, systems, units, self._designs[name], threads)
            if self._progress is not None:
                self._progress.finish_one()
        return Comparisons(comparisons=MappingProxyType(found))


class JointProgress:
    """The progress of several runs, one after the other, as that of one run."""

    def __init__(self, progress: Progress, runs: int) -> None:
        self._progress, self._left = progress, runs
        self._finished = self._total = 0

    def report(self, done: int, total: int) -> None:
        """Report the progress of the current run; those that follow may take as long."""
        self._total = total
        self._progress(self._finished + done, self._finished + self._left * total)

    def finish_one(self) -> None:
        """Go on to the next run."""
        self._finished += self._total
        self._left -= 1
        self._total = 0
        if not self._left:
            self._progress(self._finished, self._finished)


def _finite(score: Score, name: str) -> Score:
    """Return the score if it is finite, else raise InputError with the name of the system."""
    if not isfinite(score.score):
        raise InputError(
            f"the {score.metric.name} of {name} is {score.score}, which cannot be compared"
        )
    return score
