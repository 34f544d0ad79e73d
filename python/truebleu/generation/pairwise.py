"""Every hypothesis against every reference: the scores of all pairs as a matrix."""

from __future__ import annotations

import numpy as np

from truebleu.errors import SettingsError
from truebleu.inputs import sequences
from truebleu.inputs.numbers import thread_count
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import metric_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu._core import Engine, Texts
    from truebleu.metrics import BleuSettings, Metric, MetricName

    Floats = NDArray[np.float64]

PIECE = 2**18
"""Pairs that the core scores between two checks for Ctrl-C, which takes some 10 ms."""

# A matrix of texts with themselves up to this size is computed at once, which counts each match
# only once and may take a second.
_WHOLE = 2**24

# Fields of a row of more orders than the core looks up, of any metric.
_WIDEST = 2 * 255

# Pairs that a metric in Python counts at once: enough to be fast, few enough to fit anywhere.
_PYTHON_PIECE = 2**12


def pairwise(
    hypotheses: Iterable[Any] | Ragged,
    references: Iterable[Any] | Ragged | None = None,
    *,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Floats:
    """Score every hypothesis against every reference.

    The matrix takes 8 bytes per pair; where that is too much, pass some hypotheses at a time.
    BLEU and chrF count each text only once; other metrics count each pair.

    Parameters
    ----------
    hypotheses : iterable of str, or Ragged
        With ``tokenizer="pretokenized"``, tokens or token ids.
    references : iterable of str, or Ragged, optional
        Default: the hypotheses.
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    metric : Metric or str, optional
        A metric or its name, instead of `settings`. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    ndarray of float64, shape (hypotheses, references)
        The score of each pair as a segment: for BLEU what :func:`truebleu.sentence_bleu` returns,
        from 0 to 100.

    Raises
    ------
    EmptyInputError
        If there are no hypotheses, or no references.
    InputTypeError
        If an item is not what the metric takes; the message has its index.
    SettingsError
        If there are several lists of weights, or both `metric` and settings.

    Examples
    --------
    >>> from truebleu import pairwise
    >>> pairwise(["the cat sat", "a dog sat"], ["the cat sat down", "a dog"]).round(1).tolist()
    [[71.7, 0.0], [19.7, 55.0]]
    """
    # Without references, the hypotheses are compared with each other.
    columns = {"hypotheses": hypotheses}
    columns |= {} if references is None else {"references": references}
    pairs = pair_scores(metric_of(metric, settings), columns, threads)
    return pairs.block(0, pairs.hypotheses)


class PairScores:
    """The score of every hypothesis against every reference, in blocks of hypotheses."""

    def __init__(self, hypotheses: int, references: int) -> None:
        self.hypotheses = hypotheses
        self.references = references

    def block(self, start: int, stop: int) -> Floats:
        """Score the hypotheses from `start` up to, not including, `stop`: a row for each."""
        raise NotImplementedError

    def expected(self, weights: Floats) -> Floats:
        """Score every hypothesis against the weighted mean of the references."""
        raise NotImplementedError


class _CorePairScores(PairScores):
    """For n-grams: the core counts every text once, and looks up the n-grams that texts share."""

    def __init__(self, core: Engine, texts: Texts, counts: list[int], threads: int) -> None:
        pairs = counts[0] * counts[-1]
        whole = len(counts) == 1 and pairs <= _WHOLE
        super().__init__(counts[0], counts[-1])
        self._step = counts[0] if whole else max(1, PIECE // counts[-1])
        self._core = core
        self._pairs = texts.pairs(core, counts[0])
        self._threads = threads

    def block(self, start: int, stop: int) -> Floats:
        scores = np.empty((stop - start, self.references))
        for first in range(start, stop, self._step):
            last = min(stop, first + self._step)
            piece = np.frombuffer(self._pairs.block(self._core, first, last, self._threads), "<f8")
            scores[first - start : last - start] = piece.reshape(-1, self.references)
        return scores

    def expected(self, weights: Floats) -> Floats:
        scores = self._pairs.expected(self._core, weights.tolist())
        return np.frombuffer(scores, "<f8").astype(np.float64)


class _CountedPairScores(PairScores):
    """For any metric: each pair is counted and scored as a segment."""

    def __init__(self, metric: Metric, columns: dict[str, Any], threads: int) -> None:
        listed = [_listed(metric, items, name) for name, items in columns.items()]
        self._columns = listed[0], listed[-1]
        super().__init__(*map(len, self._columns))
        self._metric = metric
        self._threads = threads

    def block(self, start: int, stop: int) -> Floats:
        hypotheses, references = self._columns
        width = self.references
        scores = np.empty((stop - start) * width)
        for first in range(0, len(scores), _PYTHON_PIECE):
            piece = range(first, min(len(scores), first + _PYTHON_PIECE))
            corpora = Corpora(
                [[hypotheses[start + pair // width] for pair in piece]],
                [[references[pair % width]] for pair in piece],
                threads=self._threads,
            )
            [stats] = self._metric._count(corpora, each=True)
            scored = self._metric._row_scores(stats.data, segment=True)
            scores[piece.start : piece.stop] = np.frombuffer(scored, "<f8")
        return scores.reshape(-1, width)

    def expected(self, weights: Floats) -> Floats:
        raise SettingsError(
            f"method='aggregated' needs expected counts of n-grams, which {self._metric.name} is "
            "not computed from; choose method='exact'"
        )


def pair_scores(metric: Metric, columns: dict[str, Any], threads: int | None) -> PairScores:
    """Prepare to score each pair of texts in two columns, or in one, as a segment."""
    workers = thread_count(threads)
    if metric._scores_per_segment > 1:
        raise SettingsError("a pair has one score, so one list of weights is needed")
    loaded = metric._load_texts(columns, workers) if metric._row_width <= _WIDEST else None
    if metric._core is None or loaded is None:
        return _CountedPairScores(metric, columns, workers)
    return _CorePairScores(metric._core, *loaded, workers)


def _listed(metric: Metric, items: Any, name: str) -> list[Any]:
    """List the items of a column, checked if they are text."""
    if metric.takes_tokens:
        if isinstance(items, Ragged):
            items = [tokens.tolist() for tokens in items.split(name)]
        return [*sequences.column(items, name)]
    texts = sequences.column(items, name)
    sequences.check_texts(texts, name)
    return [*texts]
