"""The functions :func:`compare` and :func:`confidence_interval`."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.errors import InputTypeError, SettingsError, WarnOnce
from truebleu.inputs import sequences
from truebleu.inputs.frames import named
from truebleu.inputs.numbers import thread_count
from truebleu.intake.texts import known_of
from truebleu.metrics.registry import is_one_metric, metric_of, metrics_of
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_saved import SavedStats
from truebleu.significance.comparisons import Comparisons
from truebleu.significance.design import (
    ALPHA,
    OF_INTERVALS,
    RESAMPLES,
    SEED,
    Design,
    refuse_unknown,
)
from truebleu.significance.external import ExternalScores
from truebleu.significance.notes import Notes, add_checksums
from truebleu.significance.running import compare_counted, count_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Never, overload

    from typing_extensions import Unpack

    from truebleu.inputs.frames import Frame
    from truebleu.metrics import Metric, MetricName
    from truebleu.significance.design import CompareArguments, IntervalArguments
    from truebleu.significance.external import GivenScores, OfSystems
    from truebleu.significance.pair import Interval
    from truebleu.significance.results import Comparison
    from truebleu.significance.units import UnitsGiven

    Scores = Mapping[str, OfSystems | GivenScores]


if TYPE_CHECKING:

    @overload
    def compare(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metrics: Metric | MetricName | None = ...,
        scores: None = ...,
        **how: Unpack[CompareArguments],
    ) -> Comparison: ...
    @overload
    def compare(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metrics: Iterable[Metric | MetricName] | Metric | MetricName | None = ...,
        scores: Scores | None = ...,
        **how: Unpack[CompareArguments],
    ) -> Comparisons: ...


def compare(
    systems: Mapping[str, Any] | Frame | SavedStats,
    references: Any = None,
    *others: Never,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    metrics: Iterable[Metric | MetricName] | Metric | MetricName | None = None,
    scores: Scores | None = None,
    baseline: str | None = None,
    units: UnitsGiven = "auto",
    margin: float | None = None,
    alpha: float = ALPHA,
    n_resamples: int | None = RESAMPLES,
    seed: int | None = SEED,
    threads: int | None = None,
    **unknown: Never,
) -> Comparison | Comparisons:
    """Compare systems, and test which differences are statistically significant.

    Scores have bias-corrected and accelerated bootstrap intervals, differences percentile
    intervals; both are expanded for few units. Differences are tested by approximate randomization
    of the studentized difference, which is exact if at most 20 units differ, with Holm's correction
    for all tests of the call. Sources and measured error rates: ``docs/significance.md``.

    Parameters
    ----------
    systems : mapping of str to iterable, or to Stats; data frame; or SavedStats
        The hypotheses of each system by name, as :func:`truebleu.corpus_bleu` takes them, or their
        statistics; with statistics, do not pass references. Of a data frame, each column is a
        system. With `scores` alone, only the names count.
    references : iterable, or TestSet, optional
        The references of each segment, as in :func:`truebleu.corpus_bleu`.
    reference_streams : iterable of iterables, optional
        Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
    metrics : Metric or str, or iterable of these, optional
        The metric, or its name. Systems are compared under each of several, with the same
        resamples; their texts are needed then. Default: those of SavedStats; else BLEU, or with
        `scores` and no references, none.
    scores : mapping of str to GivenScores, or to mapping of str to iterable of float, optional
        Segment scores that were computed elsewhere, such as those of COMET or of people: for the
        name of each metric, the scores of each system, one per segment. The score of a system is
        their average. Segments without a score have None, for all systems, and are left out.
    baseline : str, optional
        The name of a system. Compare the other systems with it only. Default: compare all pairs.
    units : {"auto", "segments"}, int, or iterable, default "auto"
        What is swapped and resampled: segments; blocks of so many consecutive segments; or
        documents, by the ID of each segment's. ``"auto"``: documents, if a test set or SavedStats
        know them; else blocks, if neighboring segments influence scores alike, or there are more
        than 100,000 segments; else segments. A note says what was chosen. The choice depends on
        all systems; with other values, no test depends on other systems.
    margin : float, optional
        Points of the score. For each pair, three statements are tested: that the first system is at
        most so much worse than the second (non-inferiority), the same of the second, and that they
        differ by less (equivalence). Their one-sided p-values invert the interval of the
        difference.
    alpha : float, default 0.05
        Significance level, at most 0.5: differences with an adjusted p-value below it are
        significant. Intervals have a confidence level of 1 - `alpha`; they are not corrected for
        the number of tests.
    n_resamples : int or None, default 10,000
        Number of bootstrap samples for confidence intervals, from 2 / `alpha` - 1 to 100,000,000.
        None: no intervals.
    seed : int or None, default 12345
        From 0 to 2**64 - 1. None: a random seed, which the signature contains.
    threads : int, optional
        Number of threads. Default: the environment variable TRUEBLEU_THREADS, else all processors.
        Results do not depend on it.

    Returns
    -------
    Comparison, or Comparisons
        With several `metrics`, or `scores`, a mapping from the name of each to a comparison.

    Raises
    ------
    LengthMismatchError
        If systems, references, units or scores differ in length.
    InputError, StatsMismatchError, SettingsError, UnknownNameError
        If these cannot be compared, a parameter is out of range, or a name is unknown.

    Warns
    -----
    SmallSampleWarning, SettingsWarning
        Those of the `notes` of the result that make a number unreliable.

    Examples
    --------
    >>> from truebleu import compare
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d x", "f g h i j", "k l m n o"] * 40, ["a b x d e"] * 120
    >>> comparison = compare({"good": good, "bad": bad}, references)
    >>> pair = comparison.pair("good", "bad")
    >>> round(pair.delta, 2), pair.p_value < 0.001
    (87.63, True)
    >>> comparison.clusters
    (('good',), ('bad',))
    """
    if others:
        raise InputTypeError(
            "compare takes all systems as one dict; write compare({'A': hypotheses, "
            "'B': other_hypotheses}, references)"
        )
    refuse_unknown(compare, unknown)
    design = Design(
        baseline=baseline,
        units=units,
        margin=margin,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=seed,
    )
    said = Notes()
    known = known_of(references, units, systems, metrics)
    add_checksums(said, known.saved)
    references, metrics = known.references, known.metrics
    is_single = scores is None and is_one_metric(metrics)
    has_texts = references is not None or reference_streams is not None
    computed = (
        metrics_of(metrics, by_settings=True)
        if metrics is not None or scores is None or has_texts
        else {}
    )
    columns = [*named(systems, "systems"), ("references", references)]
    external = None if scores is None else ExternalScores(scores, computed, columns)
    counted = _counted(computed, systems, references, reference_streams, threads)
    if external is not None:
        names = [*next(iter(counted.values()), sequences.systems_of(systems))]
        lengths = [len(stats) for each in counted.values() for stats in each.values()]
        segments = lengths[0] if lengths else external.segments
        computed |= external.metrics
        counted |= external.counted(names, segments)
    found = compare_counted(computed, counted, known.documents, design, thread_count(threads), said)
    with WarnOnce():
        said.warn([*found])
    if is_single:
        return next(iter(found.values()))
    return Comparisons(comparisons=MappingProxyType(found), notes=said.of_all([*found]))


def _counted(
    metrics: Mapping[str, Metric],
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Mapping[str, Stats]]:
    """Count systems under each metric; what can be read only once is kept, if there are several."""
    saved = systems if isinstance(systems, SavedStats) else None
    if len(metrics) > 1 and saved is None:
        systems = _texts(systems)
        if references is not None:
            references = sequences.reusable(references, "references")
        if reference_streams is not None:
            reference_streams = sequences.reusable_streams(reference_streams)
    found: dict[str, Mapping[str, Stats]] = {}
    with WarnOnce():
        for name, metric in metrics.items():
            of_metric = systems if saved is None else saved.stats(metric)
            found[name] = count_systems(metric, of_metric, references, reference_streams, threads)
    return found


def begun(
    function: Callable[..., Any], metrics: Any, how: Mapping[str, Any], taken: Iterable[str]
) -> tuple[Metric, Design, int]:
    """Return the metric of a function that takes one, its checked parameters, and its threads."""
    refuse_unknown(function, how, [*taken, "threads"])
    if not is_one_metric(metrics):
        raise SettingsError(f"{function.__name__} takes one metric, such as metrics='chrf'")
    parameters = {name: value for name, value in how.items() if name != "threads"}
    design = Design(**parameters)
    return metric_of(metrics, {}, "metrics"), design, thread_count(how.get("threads"))


def confidence_interval(
    hypotheses: Any,
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    metrics: Metric | MetricName | None = None,
    **how: Unpack[IntervalArguments],
) -> Interval:
    """Return a bootstrap confidence interval for the score of one system.

    It is an interval for the score on the population of such segments, not for that of the next
    test set; see :class:`truebleu.significance.pair.Interval`.

    Parameters
    ----------
    hypotheses : iterable, or Stats
        Hypotheses as :func:`truebleu.corpus_bleu` takes them, or their statistics.
    references, reference_streams
        As in :func:`truebleu.corpus_bleu`; not together with statistics.
    metrics : Metric or str, optional
        The metric, or its name. Default: BLEU.
    units, alpha, n_resamples, seed, threads
        As in :func:`compare`.

    Returns
    -------
    Interval
        Errors and warnings are as in :func:`compare`.

    Examples
    --------
    >>> from truebleu import confidence_interval
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> hypotheses = ["a b c d e", "f g h i j", "k l m x o"] * 40
    >>> print(confidence_interval(hypotheses, references))
    [73.82, 84.90]
    """
    metric, design, _ = begun(confidence_interval, metrics, how, OF_INTERVALS)
    if design.n_resamples is None:
        raise SettingsError("n_resamples is None; an interval needs bootstrap samples")
    comparison = compare(
        {"": hypotheses}, references, reference_streams=reference_streams, metrics=metric, **how
    )
    [interval] = [each.interval for each in comparison.systems.values() if each.interval]
    return interval.replace(notes=comparison.notes)


def _texts(systems: Any) -> Any:
    """Return systems whose texts can be read once per metric; refuse those that are statistics."""
    systems = sequences.systems_of(systems)
    for name, system in systems.items():
        if isinstance(system, Stats):
            raise InputTypeError(
                f"{name!r} is {type(system).__name__}, and statistics are those of one metric: "
                "with several, pass the hypotheses and references, or SavedStats of all"
            )
    return {name: sequences.reusable(system, str(name)) for name, system in systems.items()}
