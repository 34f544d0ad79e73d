"""A report: one file that shows where scores come from, and the charts in it one by one."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.display.words import LANGUAGES, words_in
from truebleu.errors import InputTypeError, WarnOnce
from truebleu.inputs.frames import named
from truebleu.inputs.numbers import thread_count
from truebleu.intake.texts import known_of
from truebleu.metrics.registry import is_one_metric, metrics_of
from truebleu.metrics.settings import one_of
from truebleu.reporting import groups
from truebleu.reporting.data import columns, count_texts, gather
from truebleu.reporting.drawing import form_of
from truebleu.reporting.results import Report, Reports
from truebleu.significance.design import ALPHA, RESAMPLES, SEED, Design, refuse_unknown
from truebleu.significance.external import ExternalScores
from truebleu.significance.notes import Notes, add_checksums
from truebleu.significance.running import compare_counted
from truebleu.significance.units import listed_labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any, Never, overload

    from typing_extensions import Unpack

    from truebleu.display.words import Language
    from truebleu.inputs.frames import Frame
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.stats_saved import SavedStats
    from truebleu.significance.compare import Scores
    from truebleu.significance.design import ReportArguments
    from truebleu.significance.results import Comparison
    from truebleu.significance.units import UnitsGiven

__all__ = ["Report", "Reports", "form_of", "report"]


if TYPE_CHECKING:

    @overload
    def report(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metrics: Metric | MetricName | None = ...,
        scores: None = ...,
        **how: Unpack[ReportArguments],
    ) -> Report: ...
    @overload
    def report(
        systems: Mapping[str, Any] | Frame | SavedStats,
        references: Any = ...,
        *,
        metrics: Iterable[Metric | MetricName] | Metric | MetricName | None = ...,
        scores: Scores | None = ...,
        **how: Unpack[ReportArguments],
    ) -> Reports: ...


def report(
    systems: Mapping[str, Any] | Frame | SavedStats,
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    sources: Iterable[Any] | None = None,
    domains: Iterable[Hashable] | None = None,
    metrics: Iterable[Metric | MetricName] | Metric | MetricName | None = None,
    scores: Scores | None = None,
    baseline: str | None = None,
    units: UnitsGiven = "auto",
    margin: float | None = None,
    alpha: float = ALPHA,
    n_resamples: int | None = RESAMPLES,
    seed: int | None = SEED,
    threads: int | None = None,
    source_lang: str | None = None,
    target_lang: str | None = None,
    title: str | None = None,
    language: Language = "en",
    **unknown: Never,
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
    domains : iterable, optional
        For each segment its domain, or any other group: only for a chart.
    metrics : Metric or str, or iterable of these, optional
        The metric, or its name; of several, there is a report under each, in one page with a menu.
        Default: those of SavedStats, else BLEU. What the page shows of n-grams is shown of BLEU
        only.
    scores : mapping, optional
        Segment scores that were computed elsewhere, as :func:`truebleu.compare` takes them. They
        are shown under the menu of the metrics, too, and in the tables of segments.
    baseline : str, optional
        The system that the others are compared with, as in :func:`truebleu.compare`. Default: all
        are compared with each other, and shown against the best.
    units : {"auto", "segments"}, int, or iterable, default "auto"
        As in :func:`truebleu.compare`. Of documents, there is a chart.
    margin, alpha, n_resamples, seed, threads
        As in :func:`truebleu.compare`.
    source_lang, target_lang : str, optional
        The languages of the sources, and of references and hypotheses, as tags such as ``de`` or
        ``zh-TW``: browsers choose fonts by them, and screen readers voices.
    title : str, optional
        Of the page. Default: the names of the metrics, and "report".
    language : {"en", "ko"}, default "en"
        The language of the page and of its charts: English or Korean. What a paper quotes stays in
        English.

    Returns
    -------
    Report or Reports
        ``.write("report.html")`` writes the page; ``.chart("scores").save("scores.svg")`` a chart.
        With several `metrics`, or `scores`, a mapping from the name of the metric to its report,
        which writes the page.

    Raises
    ------
    LengthMismatchError
        If systems, references, sources, units, domains or scores differ in length.
    InputError, InputTypeError, SettingsError, UnknownNameError
        As :func:`truebleu.compare`.

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
    refuse_unknown(report, unknown)
    one_of(LANGUAGES)("language", language)
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
    if not isinstance(design.units, str | int):
        # They are read more than once.
        design.units = listed_labels("units", design.units)
    computed = metrics_of(metrics, by_settings=True)
    paired = [*named(systems, "systems"), ("references", references)]
    external = None if scores is None else ExternalScores(scores, computed, paired)
    several = computed | ({} if external is None else external.metrics)
    if title is None:
        say = words_in(language)
        title = say("{metrics} report", metrics=say.listed([*several]))
    if not isinstance(title, str):
        raise InputTypeError(f"title is of type {type(title).__name__}; a str is needed")
    documents = known.documents if isinstance(design.units, str | int) else design.units
    given = columns(
        systems,
        references,
        reference_streams,
        sources=sources,
        units=units,
        documents=documents,
        domains=domains,
        baseline=baseline,
        languages=(source_lang, target_lang),
    )
    number = thread_count(threads)
    with WarnOnce():
        counted = {name: count_texts(given, metric, number) for name, metric in computed.items()}
    if external is not None:
        elsewhere = external.counted([*given.outputs], len(given.references))
        first = next(iter(counted.values()))
        counted |= {n: first.replace(stats=s, notices=()) for n, s in elsewhere.items()}
    comparisons: dict[str, Comparison] = {}
    if len(given.references) > 1:
        stats = {name: each.stats for name, each in counted.items()}
        comparisons = compare_counted(several, stats, known.documents, design, number, said)
        with WarnOnce():
            said.warn([*several])
    others = {
        several[name]: groups.sentences(several[name], each.stats)
        for name, each in counted.items()
        if name not in computed
    }
    reports: dict[str, Report] = {}
    for name, metric in several.items():
        data = gather(
            given,
            counted[name],
            metric=metric,
            called=name,
            comparison=comparisons.get(name),
            level=design.level,
            language=language,
            others=others,
            is_given=name not in computed,
        )
        reports[name] = Report(data, title)
    if external is None and is_one_metric(metrics):
        return next(iter(reports.values()))
    return Reports(reports=MappingProxyType(reports), title=title)
