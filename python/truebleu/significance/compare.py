"""The functions :func:`compare` and :func:`confidence_interval`."""

from __future__ import annotations

from truebleu.errors import InputTypeError, SettingsError, WarnOnce
from truebleu.inputs import frames, sequences
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.registry import chosen_metrics, metric_of
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_saved import SavedStats
from truebleu.significance.comparisons import SeveralMetrics, compare_counted, count_systems
from truebleu.significance.design import Design, documents_of, split_settings, units_of
from truebleu.significance.external import external_scores, with_external
from truebleu.significance.reliability import warn_of_checksums

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any, Literal, overload

    from typing_extensions import Unpack

    from truebleu.inputs.frames import Frame
    from truebleu.metrics import Metric, MetricName
    from truebleu.significance.comparisons import Comparisons
    from truebleu.significance.design import (
        CompareArguments,
        IntervalArguments,
        Progress,
        TestArguments,
    )
    from truebleu.significance.external import GivenScores
    from truebleu.significance.pair import Interval
    from truebleu.significance.results import Comparison


if TYPE_CHECKING:

    @overload
    def compare(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metric: Metric | MetricName | None = ...,
        metrics: None = ...,
        scores: None = ...,
        **settings: Unpack[CompareArguments],
    ) -> Comparison: ...
    @overload
    def compare(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metric: Metric | MetricName | None = ...,
        metrics: None = ...,
        scores: GivenScores,
        **settings: Unpack[CompareArguments],
    ) -> Comparisons: ...
    @overload
    def compare(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metric: None = ...,
        metrics: Iterable[Metric | MetricName],
        scores: GivenScores | None = ...,
        **settings: Unpack[CompareArguments],
    ) -> Comparisons: ...


def compare(
    systems: Mapping[str, Any] | Frame | SavedStats,
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    baseline: str | None = None,
    documents: Iterable[Hashable] | Literal["auto"] | None = None,
    strata: Iterable[Hashable] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    metrics: Iterable[Metric | MetricName] | None = None,
    metrics_correction: Literal["holm"] | None = None,
    human_agreement: bool = False,
    scores: GivenScores | None = None,
    lower_is_better: Iterable[str] = (),
    **settings: Unpack[TestArguments],
) -> Comparison | Comparisons:
    """Compare systems, and test which differences are statistically significant.

    Parameters
    ----------
    systems : mapping of str to iterable, or to Stats; data frame; or SavedStats
        The hypotheses of each system by name, as :func:`truebleu.corpus_bleu` takes them, or their
        statistics; with statistics, do not pass references. Of a data frame, each column is a
        system. With :class:`SavedStats`, the metrics are by default those of the file.
    references : iterable, optional
        The references of each segment, as in :func:`truebleu.corpus_bleu`.
    reference_streams : iterable of iterables, optional
        Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
    baseline : str, optional
        The name of a system. Compare the other systems with it only. Default: compare all pairs.
    documents : iterable, optional
        The ID of each segment's document. Whole documents are swapped and resampled instead of
        segments: segments of a document resemble each other, and treating them as independent
        overstates significance. ``"auto"``: those of `references`, which are a test set that
        :func:`truebleu.load_test_set` returned, or of `systems`, which are SavedStats.
    strata : iterable, optional
        The stratum of each segment, such as its domain. Bootstrap samples have as many segments, or
        documents, of each stratum as there are. A document must be in one stratum.
    threads : int, optional
        Number of threads. Default: the environment variable TRUEBLEU_THREADS, else all processors.
        Results do not depend on it.
    progress : callable, optional
        Called from time to time with the number of trials and samples done, and their total.
    metric : Metric or str, optional
        The metric, or its name. Default: BLEU with the settings passed here.
    metrics : iterable of Metric or str, optional
        Instead of `metric`: several metrics, or their names. Systems are compared under each, with
        the same resamples. `systems` must then hold text, because statistics belong to a single
        metric.
    metrics_correction : {"holm"}, optional
        With several metrics: adjust p-values by Holm's method for the pairs under all metrics
        together. Default: only for the pairs under each.
    scores : mapping of str to mapping of str to iterable of float, optional
        Segment scores that were computed elsewhere, such as those of COMET or of people: for the
        name of each metric, the scores of each system, one per segment. The score of a system is
        their average. None stands for a segment without a score, which none of the systems may have
        then; such segments are left out. With `scores`, the result is that of several metrics.
    lower_is_better : iterable of str, optional
        The names of those of `scores` of which a lower one is better.
    human_agreement : bool, default False
        Whether to say in how many pairs of systems with such differences human evaluation ordered
        the two alike, in the data of Kocmi et al. (2024): known of BLEU and chrF with default
        settings. It is not about single readers.
    test : {"approximate-randomization", "bootstrap"}
        ``approximate-randomization`` (the default) swaps what the two systems contribute to their
        scores in each unit (segment or document) with probability 0.5, and counts the trials in
        which the difference is at least as large as the observed one. If at most 20 units differ,
        it counts all possible swaps instead, and the p-value is exact. It is a test of equal
        scores, and of interchangeable outputs. ``bootstrap`` counts the bootstrap samples whose
        difference is at least as far from the observed difference as that is from 0. With 200 or
        more units, it is a test of equal scores; with fewer, such as 15 documents, it rejects too
        often. ``docs/significance.md`` has measured rates.
    n_trials : int, optional
        Random swaps, or bootstrap samples, per test. With B trials no p-value is below 1 / (B + 1),
        and Holm's correction for m tests multiplies the smallest one by m; such a p-value is marked
        `at_floor`, and is not a bound of the p-value that more trials would give. Default: 20 m /
        `alpha`, but at least 10,000. By default, a test stops after 10,000, 40,000, 160,000, …
        trials if at least 500 of them are as extreme as the observed difference: the relative
        standard error of its p-value is then below 5%. More tests than all pairs of 45 systems have
        at most 4 m / `alpha` trials.
    alternative : {"two-sided", "better"}
        ``better`` is one-sided: is the first system of a pair better than the second? The first is
        the one that comes first in `systems`, or that is not the baseline. Default: two-sided.
    alpha : float, default 0.05
        Significance level: differences with an adjusted p-value below it are significant. With
        several metrics, p-values are not corrected for the number of metrics, unless
        `metrics_correction` is given.
    n_resamples : int or None, default 10,000
        Number of bootstrap samples for confidence intervals, at most 100,000,000, as of trials.
        None: no intervals.
    interval : {"bca", "expanded-percentile"}
        For the scores of systems: bias-corrected and accelerated intervals (the default), or
        percentile intervals, both expanded for few units. Differences have expanded percentile
        intervals, of the units in which the two systems differ; one-sided tests have one-sided
        bounds. Intervals are not corrected for the number of tests.
    confidence_level : float, optional
        Confidence level of the intervals. Default: 1 - `alpha`, so 0.95 unless `alpha` is given.
    seed : int or None, default 12345
        From 0 to 2**64 - 1. None: a random seed, which the signature contains.
    margin : float, optional
        Points of the score. For each pair, three statements are tested: that the first system is at
        most so much worse than the second (non-inferiority), the same of the second, and that they
        differ by less (equivalence). P-values are of the bootstrap samples of the intervals,
        one-sided, and adjusted by Holm's method for all pairs.
    blocks : int or "auto", optional
        Resample and swap blocks of so many consecutive segments instead of segments, for documents
        whose IDs are unknown; segments must be in the order of the file. ``"auto"``: as many as the
        autocorrelations of the segments' influences ask for; the signature has the number.
    **settings
        The settings of :class:`truebleu.Bleu`; only allowed if `metric` and `metrics` are None.

    Returns
    -------
    Comparison, or Comparisons
        With `metrics` or `scores`, a mapping from the name of each metric to a comparison.

    Raises
    ------
    LengthMismatchError
        If systems, references, documents or scores differ in length.
    InputError
        If there is no system, or only one segment or document; or if scores are not finite, or
        missing for some systems only.
    StatsMismatchError
        If statistics were counted under settings other than those of the metric.
    SettingsError
        If a parameter is out of range, or two conflict.
    UnknownNameError
        If the test, the baseline or another name is unknown; or if the systems of `scores` are
        others.

    Warns
    -----
    SmallSampleWarning
        If there are fewer than 30 segments, or 60 documents; if two systems differ in fewer than
        30, or in so few that their difference cannot be significant; or if the variance of a score
        comes mostly from fewer than 3 of them.
    SettingsWarning
        If there are too few trials for any difference to be significant; or if segments are
        resampled although neighbors influence scores or differences alike, as those of a document
        do.

    References
    ----------
    Riezler and Maxwell (2005), https://aclanthology.org/W05-0908; Koehn (2004),
    https://aclanthology.org/W04-3250; Efron and Tibshirani (1993), *An Introduction to the
    Bootstrap*; Hesterberg (2015), *What Teachers Should Know About the Bootstrap*; Holm (1979), *A
    Simple Sequentially Rejective Multiple Test Procedure*; Besag and Clifford (1991), *Sequential
    Monte Carlo p-values*.

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
    resampling, rest = split_settings(settings, metric=metrics if metric is None else metric)
    if isinstance(systems, SavedStats):
        warn_of_checksums(systems.without_checksum(), len(systems.systems))
        documents = saved_documents(systems, documents)
        metric, metrics = (metric, metrics) if rest else saved_metrics(systems, metric, metrics)
    references, documents = documents_of(references, documents)
    how: Any = {"baseline": baseline, "progress": progress, "human_agreement": human_agreement}
    if metrics is None and scores is None:
        external_scores(None, lower_is_better, ())
        if metrics_correction is not None:
            raise SettingsError("metrics_correction is for several metrics: pass metrics or scores")
        design = Design(**resampling, **how)
        chosen = metric_of(metric, rest)
        of_metric = _of_metric(systems, chosen)
        with WarnOnce():
            counted = count_systems(chosen, of_metric, references, reference_streams, threads)
        units = units_of(counted, documents, strata)
        return compare_counted(chosen, counted, units, design, thread_count(threads))
    several = chosen_metrics(metrics, metric, rest)
    columns = [*frames.named(systems, "systems"), ("references", references)]
    external = external_scores(scores, lower_is_better, several, columns)
    every = with_external(several, external)
    run = SeveralMetrics(every, correction=metrics_correction, **resampling, **how)
    texts = systems if metrics is None else _texts(systems)
    if references is not None:
        references = sequences.reusable(references, "references")
    if reference_streams is not None:
        reference_streams = sequences.reusable_streams(reference_streams)
    with WarnOnce():
        corpus = references, reference_streams, threads
        counted_by = {
            name: count_systems(each, _of_metric(texts, each), *corpus)
            for name, each in several.items()
        }
        if external is not None:
            first = next(iter(counted_by.values()))
            counted_by |= external.counted(list(first), len(next(iter(first.values()))))
        return run.compare(counted_by, documents, strata, thread_count(threads))


def confidence_interval(
    hypotheses: Any,
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    documents: Iterable[Hashable] | Literal["auto"] | None = None,
    strata: Iterable[Hashable] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[IntervalArguments],
) -> Interval:
    """Return a bootstrap confidence interval for the score of one system.

    It is an interval for the score on the population of such segments, not for that of the next
    test set; see :class:`truebleu.Interval`.

    Parameters
    ----------
    hypotheses : iterable, or Stats
        Hypotheses as :func:`truebleu.corpus_bleu` takes them, or their statistics.
    references, reference_streams
        As in :func:`truebleu.corpus_bleu`; not together with statistics.
    documents, strata, threads, progress, metric
        As in :func:`compare`.
    **settings
        `n_resamples`, `interval`, `confidence_level` (default: 0.95), `seed` and `blocks` as in
        :func:`compare`, and the settings of :class:`truebleu.Bleu` if `metric` is None.

    Returns
    -------
    Interval

    Raises
    ------
    LengthMismatchError, InputError, StatsMismatchError, SettingsError
        As in :func:`compare`; also if `n_resamples` is None.

    Warns
    -----
    SmallSampleWarning
        If there are fewer than 30 segments, or 60 documents, or if the variance of the score comes
        mostly from fewer than 3 of them.
    SettingsWarning
        If segments are resampled although neighbors influence the score alike.

    Examples
    --------
    >>> from truebleu import confidence_interval
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> hypotheses = ["a b c d e", "f g h i j", "k l m x o"] * 40
    >>> print(confidence_interval(hypotheses, references))
    [73.82, 84.90]
    """
    resampling, rest = split_settings(settings, tests=False, metric=metric)
    comparison = compare(
        {"": hypotheses},
        references,
        reference_streams=reference_streams,
        documents=documents,
        strata=strata,
        threads=threads,
        progress=progress,
        metric=metric_of(metric, rest),
        scores=None,
        test="bootstrap",
        **resampling,
    )
    [system] = comparison.systems.values()
    if system.interval is None:
        raise SettingsError("n_resamples is None; an interval needs bootstrap samples")
    return system.interval


def _of_metric(systems: Any, metric: Metric) -> Any:
    """Return what :func:`count_systems` takes: of saved statistics, those of a metric."""
    return systems.stats(metric) if isinstance(systems, SavedStats) else systems


def saved_documents(saved: SavedStats, documents: Any) -> Any:
    """Return the documents of statistics, if ``documents="auto"`` asks for these."""
    if not (isinstance(documents, str) and documents == "auto"):
        return documents
    if saved.documents is None:
        raise SettingsError("documents='auto': these statistics were written without documents")
    return saved.documents


def saved_metrics(saved: SavedStats, metric: Any, metrics: Any) -> tuple[Any, Any]:
    """Return the metrics of statistics as ``metric=`` or ``metrics=``, unless one is given."""
    if metric is not None or metrics is not None:
        return metric, metrics
    first, *more = saved.metrics.values()
    return (None, [first, *more]) if more else (first, None)


def _texts(systems: Any) -> Any:
    """Return systems whose texts can be read once per metric; refuse those that are statistics."""
    if isinstance(systems, SavedStats):
        return systems
    systems = sequences.systems_of(systems)
    for name, system in systems.items():
        if isinstance(system, Stats):
            raise InputTypeError(
                f"{name!r} is {type(system).__name__}, and statistics are those of one metric: "
                "with metrics=, pass the hypotheses and references, or compare under one metric at "
                "a time with metric="
            )
    return {name: sequences.reusable(system, str(name)) for name, system in systems.items()}
