"""From systems and references to the numbers of a report: sums of rows, and no HTML."""

from __future__ import annotations

import re

import numpy as np

from truebleu.display.formatting import FLOOR, count
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
from truebleu.inputs.checks import HYPOTHESES, check_source
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import METRICS, as_bleu
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_saved import SavedStats
from truebleu.record import Record
from truebleu.reporting import checks, groups, ngrams, tokens
from truebleu.reporting.checks import Notice
from truebleu.reporting.tokens import Split
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
    baseline: str | None
    languages: tuple[str | None, str | None]
    saved: SavedStats | None


class Counted(Record):
    """The statistics of each system, what split their texts, their tokens, and what was noticed."""

    stats: dict[str, Stats]
    splitter: Bleu
    split: Split
    notices: tuple[Notice, ...]


def columns(
    systems: Mapping[str, Any] | Frame | SavedStats,
    references: Any,
    reference_streams: Any,
    *,
    sources: Any,
    units: Any,
    documents: Iterable[Hashable] | None,
    domains: Iterable[Hashable] | None,
    baseline: str | None,
    languages: tuple[str | None, str | None],
) -> Columns:
    """Check what :func:`truebleu.report` takes, and read it once."""
    saved = None
    others = [("sources", sources), ("units", units), ("domains", domains)]
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
            what: [str(label) for label in _column(given, name, len(references))]
            for what, name, given in (
                ("document", "units", documents),
                ("domain", "domains", domains),
            )
            if given is not None
        },
        baseline=baseline,
        languages=(
            _language_tag(languages[0], "source_lang"),
            _language_tag(languages[1], "target_lang"),
        ),
        saved=saved,
    )


def count_texts(given: Columns, metric: Metric, threads: int) -> Counted:
    """Count the systems under a metric, and split their texts."""
    notices: list[Notice] = []
    with checks.recorded(notices, [*given.outputs]), WarnOnce():
        if given.saved is not None:
            stats, splitter = given.saved.stats(metric), METRICS["bleu"]()
            split = Split(texts=[given.references], tokens=[], separator=" ")
        else:
            stats, splitter, split = _counted(metric, given.outputs, given.references, threads)
        for name, hypotheses in given.outputs.items():
            check_source(hypotheses, given.sources or [], name)
    return Counted(stats=stats, splitter=splitter, split=split, notices=tuple(notices))


def gather(
    given: Columns,
    found: Counted,
    *,
    metric: Metric,
    called: str,
    comparison: Comparison | None,
    level: float,
    language: Language,
    others: Mapping[Metric, Floats],
    is_given: bool,
) -> Gathered:
    """Score and group what was counted, or `is_given`; see :func:`truebleu.report`."""
    source, labels, names = given.sources, dict(given.labels), list(given.outputs)
    counted, split, splitter = found.stats, found.split, found.splitter
    tables = np.stack([stats.to_numpy() for stats in counted.values()])
    notices = list(found.notices)
    if comparison is None:
        text = "With 1 segment there are no intervals and no tests: resampling needs at least 2."
        notices.append(Notice(text=text))
    else:
        # What is resampled, and what marks mean, stands below the scores.
        odd = (text for text in comparison.notes if not text.startswith(("Units:", FLOOR)))
        notices += [Notice(text=text) for text in odd]
    if len(set(labels.get("document", ()))) < 2:
        labels.pop("document", None)
    if given.saved is None:
        count_of_references = len(split.texts) - len(names)
        lengths = np.array(split.lengths(0), np.int64)
    else:
        count_of_references = max(0, *(rows.stats.most for rows in given.saved.rows))
        lengths = _reference_lengths(metric, tables)
    grouped = {}
    if split.tokens or lengths.any():
        grouped["length"] = groups.by_length(metric, counted, lengths, level)
    grouped |= {what: groups.by_label(metric, counted, labels[what], level) for what in labels}
    scores = {name: metric.score(stats) for name, stats in counted.items()}
    sentences = groups.sentences(metric, counted)
    zero = (sentences == 0).all(axis=0) & (metric.higher_is_better and not is_given)
    tokens_of = _lengths(list(scores.values()), split)
    if split.tokens:
        notices += checks.notices_of(scores, tokens_of, split, source, zero.tolist())
    else:
        notices += checks.notices_of_scores(scores, tokens_of, zero.tolist())
    # N-grams of the references, which come before the first system.
    grams, marks, first = None, metric._about.marks, count_of_references
    if marks is not None and marks["unit"] == "token" and split.tokens:
        texts = split.tokens
        grams = ngrams.count(texts[first:], texts[:first], split.separator, marks["orders"])
    return Gathered(
        baseline=None if given.baseline is None else names.index(given.baseline),
        called=called,
        comparison=comparison,
        contributions=np.array([groups.contributions(metric, each) for each in counted.values()]),
        documents=labels.get("document"),
        grams=grams,
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
        tables=tables,
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
    names = [name or HYPOTHESES for name in outputs]
    corpora = Corpora([*outputs.values()], references, threads=threads, names=names)
    counted = dict(zip(outputs, metric._count(corpora, each=True), strict=True))
    columns = tokens.columns_of(splitter, references)
    # They are split once more, which takes a quarter longer with MeCab than once for all.
    return counted, splitter, tokens.split(splitter, [*columns, *outputs.values()], threads)


def _reference_lengths(metric: Metric, tables: Ints) -> Ints:
    """Return the tokens of each segment's reference, on average over systems; 0 if unknown."""
    field, unit = metric._about.reference_length
    if field not in metric.fields:
        return np.zeros(tables.shape[1], np.int64)
    mean = tables[:, :, metric.fields.index(field)].mean(axis=0)
    lengths: Ints = np.rint(mean / unit).astype(np.int64)
    return lengths


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
