"""From systems and references to the numbers of a report: sums of rows, and no HTML."""

from __future__ import annotations

import re

import numpy as np

from truebleu.display.formatting import count
from truebleu.display.words import words_in
from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
    WarnOnce,
    written,
    wrong_type,
)
from truebleu.inputs import frames, sequences
from truebleu.inputs.checks import check_source
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.registry import METRICS, as_bleu
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_saved import SavedStats
from truebleu.record import Record
from truebleu.reporting import checks, groups, ngrams, tokens
from truebleu.reporting.checks import Notice
from truebleu.reporting.tokens import Split
from truebleu.significance.compare import compare
from truebleu.significance.comparisons import count_systems
from truebleu.significance.design import CONFIDENCE_LEVEL
from truebleu.tokenizers.registry import PRETOKENIZED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.display.words import Language, Words
    from truebleu.inputs.frames import Frame
    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.score import Score
    from truebleu.reporting.groups import Groups
    from truebleu.reporting.ngrams import Grams
    from truebleu.significance.design import Progress
    from truebleu.significance.results import Comparison

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class Gathered(Record):
    """All numbers of a report; `sentences` and most arrays have the shape (systems, segments).

    `contributions` are the score minus that without the segment; `groups` are by ``length``, and by
    ``document`` and ``domain`` if they are known; `called` is the metric's name; `lengths` are the
    tokens of the first reference, or all 0 if statistics do not tell; `languages`, those of sources
    and other texts, as given; `others`, segment scores that were computed elsewhere, under other
    metrics; `references`, the most of a segment; `splitter` makes the tokens; `tables`, of shape
    (systems, segments, fields), are statistics.
    """

    baseline: int | None
    called: str
    comparison: Comparison | None
    contributions: Floats
    documents: list[str] | None
    grams: Grams | None
    groups: dict[str, Groups]
    language: Language
    languages: tuple[str | None, str | None]
    lengths: Ints
    metric: Metric
    names: list[str]
    notices: tuple[Notice, ...]
    others: Mapping[Metric, Floats]
    references: int
    scores: list[Any]
    sentences: Floats
    sources: list[str] | None
    split: Split
    splitter: Bleu
    tables: Ints

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def say(self) -> Words:
        """What says things in the language of the page."""
        return words_in(self.language)

    @property
    def rows(self) -> Ints:
        """The rows of statistics, systems one after the other."""
        return self.tables.reshape(-1, self.metric._row_width)

    @property
    def segments(self) -> int:
        """How many segments there are."""
        return len(self.lengths)

    @property
    def signature(self) -> str:
        """Everything that the numbers depend on."""
        return str(
            self.scores[0].signature if self.comparison is None else self.comparison.signature
        )

    @property
    def sign(self) -> int:
        """1 if a higher score is better, else -1."""
        return 1 if self.metric.higher_is_better else -1

    def ranked(self) -> list[int]:
        """Return the numbers of the systems, the best first."""
        return sorted(range(len(self.names)), key=lambda each: -self.sign * self.scores[each].score)

    def pair(self) -> tuple[int, int | None]:
        """Return the systems to look at first: the best, and the baseline or else the second."""
        if len(self.names) == 1:
            return 0, None
        best, second, *_ = self.ranked()
        return best, second if self.baseline in (None, best) else self.baseline

    def against(self) -> int:
        """Return the system that the others are shown against: the baseline or else the best."""
        return self.ranked()[0] if self.baseline is None else self.baseline

    def number(self, name: str) -> int:
        """Return the number of a system; UnknownNameError lists the systems."""
        if not isinstance(name, str) or name not in self.names:
            raise UnknownNameError(
                f"there is no system {written(name)}; the systems are {', '.join(self.names)}"
            )
        return self.names.index(name)


class Columns(Record):
    """The data of a report: lists of equal length.

    Of `saved` statistics there are no outputs, and the references are the names of segments.
    `labels` are the ``document`` and the ``domain`` of each segment, where they are known; without
    a baseline, systems are shown against the best; `languages` are those of sources and others.
    """

    outputs: dict[str, list[Any]]
    references: list[Any]
    sources: list[str] | None
    labels: dict[str, list[str]]
    strata: list[Hashable] | None
    baseline: str | None
    languages: tuple[str | None, str | None]
    saved: SavedStats | None


def columns(
    systems: Mapping[str, Any] | Frame | SavedStats,
    references: Any,
    reference_streams: Any,
    *,
    sources: Any,
    documents: Iterable[Hashable] | None,
    domains: Iterable[Hashable] | None,
    strata: Iterable[Hashable] | None,
    baseline: str | None,
    languages: tuple[str | None, str | None],
) -> Columns:
    """Check what :func:`truebleu.report` takes, and read it once."""
    saved = None
    others = [("sources", sources), ("documents", documents), ("domains", domains)]
    if isinstance(systems, SavedStats):
        saved = systems
        if any(each is not None for each in (references, reference_streams, sources)):
            raise InputTypeError("statistics have no texts: do not pass references or sources")
        frames.check_indexes(others)
        outputs: dict[str, list[Any]] = {name: [] for name in saved.systems}
        references = [*saved.units]
    else:
        outputs, references = _texts(systems, references, reference_streams, others)
    if baseline is not None and not (isinstance(baseline, str) and baseline in outputs):
        raise UnknownNameError(
            f"there is no baseline {written(baseline)}; the systems are {', '.join(outputs)}"
        )
    return Columns(
        outputs=outputs,
        references=references,
        sources=None if sources is None else _sources(sources, len(references)),
        labels={
            what: [str(label) for label in _column(given, f"{what}s", len(references))]
            for what, given in (("document", documents), ("domain", domains))
            if given is not None
        },
        strata=None if strata is None else _column(strata, "strata", len(references)),
        baseline=baseline,
        languages=(
            _language_tag(languages[0], "source_lang"),
            _language_tag(languages[1], "target_lang"),
        ),
        saved=saved,
    )


def gather(
    given: Columns,
    *,
    metric: Metric,
    called: str,
    threads: int | None,
    progress: Progress | None,
    resampling: Mapping[str, Any],
    language: Language,
    said: set[str],
    others: Mapping[Metric, Floats],
    scored: tuple[dict[str, Stats], Gathered] | None = None,
) -> Gathered:
    """Count, score, compare and group; see :func:`truebleu.report`.

    Warnings that are in `said` are not issued again; others are added to it. `scored` are scores
    that were computed elsewhere, with the report that has split the texts.
    """
    outputs, references = given.outputs, given.references
    source, labels, names = given.sources, given.labels, list(outputs)
    notices: list[Notice] = []
    with checks.recorded(notices, names, said), WarnOnce():
        if scored is None and given.saved is not None:
            counted, splitter = given.saved.stats(metric), METRICS["bleu"]()
            split = Split([references], [], " ")
        elif scored is None:
            counted, splitter, split = _counted(metric, outputs, references, thread_count(threads))
        else:
            counted, splitter, split = scored[0], scored[1].splitter, scored[1].split
        for name, hypotheses in outputs.items():
            check_source(hypotheses, source or [], name)
    # Else all pairs are tested, and the baseline is only the one that is shown.
    only_baseline = resampling["alternative"] == "better"
    comparison = _compared(
        metric,
        counted,
        labels.get("document"),
        notices,
        said,
        strata=given.strata,
        baseline=given.baseline if only_baseline else None,
        threads=threads,
        progress=progress,
        **resampling,
    )
    if given.saved is None:
        count_of_references = len(split.texts) - len(names)
        lengths = np.array(split.lengths(0), np.int64)
    else:
        count_of_references = max(0, *(rows.stats.most for rows in given.saved.rows))
        lengths = _reference_lengths(given.saved)
    level = CONFIDENCE_LEVEL if comparison is None else comparison.confidence_level
    grouped = {}
    if split.tokens or lengths.any():
        grouped["length"] = groups.by_length(metric, counted, lengths, level)
    grouped |= {what: groups.by_label(metric, counted, labels[what], level) for what in labels}
    scores = {name: metric.score(stats) for name, stats in counted.items()}
    sentences = groups.sentences(metric, counted)
    zero = (sentences == 0).all(axis=0) & (metric.higher_is_better and scored is None)
    tokens_of = _lengths(list(scores.values()), split)
    if split.tokens:
        notices += checks.notices_of(scores, tokens_of, split, source, zero.tolist())
    else:
        notices += checks.notices_of_scores(scores, tokens_of, zero.tolist())
    return Gathered(
        baseline=None if given.baseline is None else names.index(given.baseline),
        called=called,
        comparison=comparison,
        contributions=np.array([groups.contributions(metric, each) for each in counted.values()]),
        documents=labels.get("document"),
        grams=_grams(metric, split, count_of_references),
        groups=grouped,
        language=language,
        languages=given.languages,
        lengths=lengths,
        metric=metric,
        names=names,
        notices=tuple(notices),
        others={each: points for each, points in others.items() if each != metric},
        references=count_of_references,
        scores=list(scores.values()),
        sentences=sentences,
        sources=source,
        split=split,
        splitter=splitter,
        tables=np.stack([stats.to_numpy() for stats in counted.values()]),
    )


def _texts(
    systems: Mapping[str, Any] | Frame,
    references: Any,
    reference_streams: Any,
    others: list[tuple[str, Any]],
) -> tuple[dict[str, list[Any]], list[Any]]:
    systems = sequences.systems_of(systems)
    if not systems:
        raise InputError("there is no system to report on")
    references, reference_streams = frames.references(
        references, reference_streams, *systems.items(), *others
    )
    outputs: dict[str, list[Any]] = {}
    for name, hypotheses in systems.items():
        if isinstance(hypotheses, Stats):
            raise InputTypeError(f"{name!r} has been counted already: a report shows its text, too")
        outputs[str(name)] = sequences.as_list(hypotheses, str(name))
    for name, hypotheses in outputs.items():
        try:
            _, references = sequences.segments(hypotheses, references, reference_streams)
        except LengthMismatchError as error:
            raise LengthMismatchError(f"{name}: {error}") from error
        reference_streams = None
    return outputs, references


def _column(given: Any, name: str, segments: int) -> list[Any]:
    column = sequences.as_list(given, name)
    if len(column) != segments:
        raise LengthMismatchError(
            f"{name} has {count(len(column), 'item')} for {count(segments, 'segment')}"
        )
    return column


def _sources(given: Any, segments: int) -> list[str]:
    """Return the sources as people read them."""
    column = _column(given, "sources", segments)
    for index, text in enumerate(column):
        if not isinstance(text, list | tuple):
            sequences.check_text(text, f"sources[{index}]")
    return [text if isinstance(text, str) else " ".join(map(str, text)) for text in column]


def _language_tag(tag: str | None, name: str) -> str | None:
    """Return a language tag as given; raise InputTypeError or SettingsError if it is none."""
    if tag is None:
        return None
    if not isinstance(tag, str):
        raise wrong_type(name, tag, "a str is needed")
    if not _TAG.fullmatch(tag):
        raise SettingsError(f"{name} is {tag!r}; a language tag is needed, such as 'de' or 'zh-TW'")
    return tag


def _counted(
    metric: Metric, outputs: dict[str, list[Any]], references: list[Any], threads: int
) -> tuple[dict[str, Stats], Bleu, Split]:
    """Count the systems; and split the texts, if the metric does not, at whitespace."""
    splitter = as_bleu(metric)
    if splitter is None:
        splitter = METRICS["bleu"](tokenizer=PRETOKENIZED if metric.takes_tokens else "none")
    elif tokens.is_slow(splitter):
        counted, split = tokens.count(splitter, outputs, references, threads)
        return counted, splitter, split
    counted = count_systems(metric, outputs, references, None, threads)
    columns = tokens.columns_of(splitter, references)
    # The core splits faster than tokens could be handed back to it to be counted.
    return counted, splitter, tokens.split(splitter, [*columns, *outputs.values()], threads)


def _reference_lengths(saved: SavedStats) -> Ints:
    """Return the tokens of each segment's reference, on average over systems; 0 if unknown."""
    for metric in saved.metrics.values():
        field, unit = metric._about.reference_length
        if field in metric.fields:
            place = metric.fields.index(field)
            found = [each.to_numpy()[:, place] for each in saved.stats(metric).values()]
            lengths: Ints = np.rint(np.mean(found, axis=0) / unit).astype(np.int64)
            return lengths
    return np.zeros(len(saved.units), np.int64)


def _compared(
    metric: Metric,
    counted: dict[str, Stats],
    documents: list[str] | None,
    notices: list[Notice],
    said: set[str],
    **how: Any,
) -> Comparison | None:
    """Compare the systems, and note what that warns of."""
    if len(next(iter(counted.values()))) < 2:
        text = "With 1 segment there are no intervals and no tests: resampling needs at least 2."
        notices.append(Notice(text=text))
        return None
    if documents is not None and len(set(documents)) < 2:
        text = "All segments belong to one document, so segments are resampled instead."
        notices.append(Notice(text=text))
        documents = None
    with checks.recorded(notices, list(counted), said):
        return compare(counted, documents=documents, metric=metric, scores=None, **how)


def _lengths(scores: Sequence[Score], split: Split) -> list[tuple[int, int]]:
    """Return the tokens of each system, and of the references that it is compared with."""
    if not split.tokens:
        return [score.metric._about.lengths(score) or (0, 0) for score in scores]
    first = len(split.texts) - len(scores)
    reference = sum(split.lengths(0))
    return [
        score.metric._about.lengths(score) or (sum(split.lengths(column)), reference)
        for column, score in enumerate(scores, first)
    ]


def _grams(metric: Metric, split: Split, first: int) -> Grams | None:
    """Count the n-grams of the references, which come before the first system."""
    marks = metric._about.marks
    if marks is None or marks["unit"] != "token" or not split.tokens:
        return None
    texts = split.tokens
    return ngrams.count(texts[first:], texts[:first], split.separator, marks["orders"])
