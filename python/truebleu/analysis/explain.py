"""How a score is calculated, step by step, for one segment and for a corpus."""

from __future__ import annotations

from collections import Counter

from truebleu.analysis.explain_corpus import CorpusExplanation, Cost, costs_of
from truebleu.analysis.explain_segment import SegmentExplanation, explain_segment, ngrams
from truebleu.errors import InputTypeError, SettingsError
from truebleu.inputs import sequences, token_ids
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.registry import metric_of
from truebleu.metrics.threads import thread_count
from truebleu.overloads import overload

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.registry import MetricName

    Ngram = tuple[Any, ...]

# The n-grams that an explanation of a corpus lists.
_MOST_NGRAMS = 20


@overload
def explain(
    hypotheses: str,
    references: Any,
    *,
    threads: int | None = ...,
    metric: Bleu | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> SegmentExplanation: ...


@overload
def explain(
    hypotheses: Iterable[Any],
    references: Any = ...,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = ...,
    threads: int | None = ...,
    metric: Bleu | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> CorpusExplanation: ...


def explain(
    hypotheses: str | Iterable[Any],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    metric: Bleu | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> SegmentExplanation | CorpusExplanation:
    """Show how a score is calculated.

    Parameters
    ----------
    hypotheses : str, or iterable
        One segment, or a corpus. With ``tokenizer="pretokenized"``, a list of tokens is one
        segment.
    references : str or sequence of str, or iterable
        For a segment: its reference, or all its references. For a corpus: as
        :func:`truebleu.corpus_bleu` takes them.
    reference_streams : iterable of iterables, optional
        For a corpus, instead of `references`: complete translations (sacreBLEU's layout).
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    metric : Bleu, optional
        Instead of `settings`; only BLEU is supported.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    SegmentExplanation
        If `hypotheses` is one segment.
    CorpusExplanation
        If it is a corpus.

    Raises
    ------
    LengthMismatchError, EmptyInputError, InputTypeError, SettingsError
        As in :func:`truebleu.sentence_bleu` and :func:`truebleu.corpus_bleu`; and SettingsError if
        `metric` is not a BLEU.
    """
    bleu = metric_of(metric, settings)
    if not isinstance(bleu, Bleu):
        raise SettingsError(f"explain shows the n-grams of BLEU; {bleu.name} cannot be explained")
    workers = thread_count(threads)
    if not (isinstance(hypotheses, str) or _is_tokens(bleu, hypotheses)):
        return _corpus(bleu, *_segments(bleu, hypotheses, references, reference_streams), workers)
    if reference_streams is not None:
        raise InputTypeError("reference_streams are those of a corpus; give one segment references")
    [hypothesis], [several] = _segments(bleu, [hypotheses], [references], None)
    return explain_segment(bleu.sentence(hypothesis, several), *_split(bleu, hypothesis, several))


def _is_tokens(bleu: Bleu, hypotheses: Any) -> bool:
    """Tell whether this is the tokens of one segment, and not a corpus."""
    if not bleu.takes_tokens or not isinstance(hypotheses, list | tuple):
        return False
    return bool(hypotheses) and isinstance(hypotheses[0], str | int)


def _segments(
    bleu: Bleu, hypotheses: Any, references: Any, streams: Any
) -> tuple[list[Any], list[list[Any]]]:
    """List the hypotheses, and the references of each segment."""
    if bleu.takes_tokens:
        return token_ids.token_segments(hypotheses, references, streams)
    texts, items = sequences.segments(hypotheses, references, streams)
    return texts, sequences.checked_text(texts, items)


def _split(bleu: Bleu, hypothesis: Any, references: list[Any]) -> tuple[Ngram, tuple[Ngram, ...]]:
    """Return the tokens of a segment and of each of its references, as they are counted."""
    split = token_ids.tokens_of if bleu.takes_tokens else bleu.counter.tokens
    return tuple(split(hypothesis)), tuple(
        tuple(split(reference)) for reference in references if reference is not None
    )


def _corpus(
    bleu: Bleu, hypotheses: list[Any], references: list[list[Any]], threads: int
) -> CorpusExplanation:
    stats = bleu.stats(hypotheses, references, threads=threads)
    score = bleu.score(stats)
    rows = stats.to_numpy()
    total = stats.sum().to_numpy()[0]
    without = bleu.for_corpora.row_scores((total - rows).astype("<i8").tobytes())
    missed: Counter[Ngram] = Counter()
    for hypothesis, several in zip(hypotheses, references, strict=True):
        missed.update(_missed(len(score.counts), *_split(bleu, hypothesis, several)))
    return CorpusExplanation(
        score=score,
        costs=costs_of(score),
        ngrams=_costly(bleu.for_corpora, missed, total, score.score),
        influence=tuple(each - score.score for each in memoryview(without).cast("d")),
    )


def _missed(orders: int, hypothesis: Ngram, references: tuple[Ngram, ...]) -> Counter[Ngram]:
    """Count the n-grams of a hypothesis that did not match."""
    missed: Counter[Ngram] = Counter()
    for order in range(1, orders + 1):
        known: Counter[Ngram] = Counter()
        for reference in references:
            known |= Counter(ngrams(reference, order))
        missed.update(Counter(ngrams(hypothesis, order)) - known)
    return missed


def _costly(
    bleu: Bleu, missed: Counter[Ngram], total: NDArray[np.int64], score: float
) -> tuple[Cost, ...]:
    """Find the n-grams that would raise the score most if they had matched."""
    place = {name: index for index, name in enumerate(bleu.fields)}
    gains = []
    for ngram, count in missed.items():
        row = total.copy()
        row[place[f"match_{len(ngram)}"]] += count
        gains.append((bleu.row_value(row.astype("<i8").tobytes()) - score, count, ngram))
    gains.sort(key=lambda each: (-each[0], -each[1], list(map(str, each[2]))))
    return tuple(
        Cost(name=" ".join(map(str, ngram)), points=points, missed=count)
        for points, count, ngram in gains[:_MOST_NGRAMS]
    )
