"""A report: one file that shows where scores come from, and the charts in it one by one."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.display.words import LANGUAGES, words_in
from truebleu.errors import InputTypeError, SettingsError
from truebleu.inputs import frames
from truebleu.metrics.registry import chosen_metrics
from truebleu.metrics.settings import one_of
from truebleu.metrics.stats_saved import SavedStats
from truebleu.reporting import groups
from truebleu.reporting.data import columns, gather
from truebleu.reporting.results import Report, Reports, form_of
from truebleu.significance.compare import saved_documents, saved_metrics
from truebleu.significance.design import checked_seed, documents_of, split_settings
from truebleu.significance.external import external_scores, with_external
from truebleu.significance.progress import JointProgress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any, Literal, overload

    from typing_extensions import Unpack

    from truebleu.display.words import Language
    from truebleu.inputs.frames import Frame
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.stats import Stats
    from truebleu.significance.design import Progress, ReportArguments, TestArguments
    from truebleu.significance.external import GivenScores

__all__ = ["Report", "Reports", "form_of", "report"]


if TYPE_CHECKING:

    @overload
    def report(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metric: Metric | MetricName | None = ...,
        metrics: None = ...,
        scores: None = ...,
        **settings: Unpack[ReportArguments],
    ) -> Report: ...
    @overload
    def report(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metric: Metric | MetricName | None = ...,
        metrics: None = ...,
        scores: GivenScores,
        **settings: Unpack[ReportArguments],
    ) -> Reports: ...
    @overload
    def report(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metric: None = ...,
        metrics: Iterable[Metric | MetricName],
        scores: GivenScores | None = ...,
        **settings: Unpack[ReportArguments],
    ) -> Reports: ...


def report(
    systems: Mapping[str, Any] | Frame | SavedStats,
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    sources: Iterable[Any] | None = None,
    documents: Iterable[Hashable] | Literal["auto"] | None = None,
    domains: Iterable[Hashable] | None = None,
    strata: Iterable[Hashable] | None = None,
    baseline: str | None = None,
    source_lang: str | None = None,
    target_lang: str | None = None,
    title: str | None = None,
    language: Language = "en",
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    metrics: Iterable[Metric | MetricName] | None = None,
    scores: GivenScores | None = None,
    lower_is_better: Iterable[str] = (),
    **settings: Unpack[TestArguments],
) -> Report | Reports:
    """Build a report on one or more systems.

    Parameters
    ----------
    systems : mapping of str to iterable, data frame, or SavedStats
        For each name the hypotheses, as :func:`truebleu.corpus_bleu` takes them. Of a data frame,
        each column is a system. A report on :class:`SavedStats`, by default under all of their
        metrics, has no texts, and no charts of n-grams.
    references, reference_streams
        As there.
    sources : iterable, optional
        The source segments.
    documents : iterable, optional
        For each segment the document it belongs to. There is a chart of them, and whole documents
        are resampled for intervals and tests, as in :func:`truebleu.compare`, which explains
        ``"auto"``, too.
    domains : iterable, optional
        For each segment its domain, or any other group: only for a chart.
    strata : iterable, optional
        For each segment its stratum, as in :func:`truebleu.compare`.
    baseline : str, optional
        The system that the others are shown against. Default: the best one (for the tests of
        sacreBLEU, the first). Unlike in :func:`truebleu.compare`, all systems are compared with
        each other all the same, unless the tests are one-sided, which need a baseline, or
        sacreBLEU's.
    source_lang, target_lang : str, optional
        The languages of the sources, and of references and hypotheses, as tags such as ``de`` or
        ``zh-TW``: browsers choose fonts by them, and screen readers voices. Default: guessed from
        the script, where that tells; the page says so.
    title : str, optional
        Of the page. Default: the names of the metrics, and "report".
    language : {"en", "ko"}, default "en"
        The language of the page and of its charts: English or Korean. What a paper quotes stays in
        English.
    threads, progress
        As in :func:`truebleu.compare`.
    metric : Metric or str, optional
        The metric, or its name. Default: BLEU with the settings given here. What the page shows of
        n-grams is shown of BLEU only.
    metrics : iterable of Metric or str, optional
        Instead of `metric`: a report under each of them, in one page with a menu of the metrics.
        The resamples of the segments are the same.
    scores, lower_is_better : optional
        Segment scores that were computed elsewhere, as :func:`truebleu.compare` takes them. They
        are shown under the menu of the metrics, too, and in the tables of segments.
    **settings
        `n_resamples`, `n_trials`, `seed` and the other parameters of resampling as in
        :func:`truebleu.compare`; and the settings of :class:`truebleu.Bleu`, unless there is a
        `metric` or `metrics`.

    Returns
    -------
    Report or Reports
        ``.write("report.html")`` writes the page; ``.plot("scores", "scores.svg")`` a chart. With
        `metrics` or `scores`, a mapping from the name of the metric to its report, which writes the
        page.

    Raises
    ------
    LengthMismatchError
        If systems, references, sources, documents, domains or scores differ in length.
    InputError, InputTypeError, SettingsError, UnknownNameError
        As :func:`truebleu.compare`; or if tests are one-sided, and there is no baseline.

    Warns
    -----
    SmallSampleWarning, SettingsWarning
        As :func:`truebleu.compare`; the page says it, too.

    Examples
    --------
    >>> from truebleu import report
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> made = report({"good": good, "bad": bad}, references)
    >>> made
    <Report: 2 systems, 120 segments>
    >>> made.comparison.clusters
    (('good',), ('bad',))
    """
    one_of(LANGUAGES)("language", language)
    resampling, rest = split_settings(settings, metric=metrics if metric is None else metric)
    if isinstance(systems, SavedStats):
        documents = saved_documents(systems, documents)
        metric, metrics = (metric, metrics) if rest else saved_metrics(systems, metric, metrics)
    computed = chosen_metrics(metrics, metric, rest, by_settings=True)
    paired = [*frames.named(systems, "systems"), ("references", references)]
    external = external_scores(scores, lower_is_better, computed, paired)
    several = with_external(computed, external)
    if title is None:
        say = words_in(language)
        title = say("{metrics} report", metrics=say.listed([*several]))
    if not isinstance(title, str):
        raise InputTypeError(f"title is of type {type(title).__name__}; a str is needed")
    references, documents = documents_of(references, documents)
    given = columns(
        systems,
        references,
        reference_streams,
        sources=sources,
        documents=documents,
        domains=domains,
        strata=strata,
        baseline=baseline,
        languages=(source_lang, target_lang),
    )
    if resampling["alternative"] == "better" and baseline is None and len(given.outputs) > 1:
        raise SettingsError(
            "alternative='better' tests whether a system is better than the baseline, and there is "
            "none: set baseline='NAME'"
        )
    elsewhere: dict[str, dict[str, Stats]] = {}
    if external is not None:
        elsewhere = external.counted([*given.outputs], len(given.references))
    others = {
        several[name]: groups.sentences(several[name], counted)
        for name, counted in elsewhere.items()
    }
    joint = JointProgress(progress, len(several))
    resampling["seed"] = checked_seed(resampling["seed"])
    reports: dict[str, Report] = {}
    said: set[str] = set()
    first, *_ = several
    for name, each in several.items():
        data = gather(
            given,
            metric=each,
            called=name,
            threads=threads,
            progress=joint.of_one,
            resampling=resampling,
            language=language,
            said=said,
            others=others,
            scored=(elsewhere[name], reports[first].data) if name in elsewhere else None,
        )
        reports[name] = Report(data, title)
        joint.finish_one()
    if metrics is None and external is None:
        return reports[first]
    return Reports(reports=MappingProxyType(reports), title=title)
