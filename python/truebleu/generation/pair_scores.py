"""The score of every hypothesis against every reference, whatever the metric."""

from __future__ import annotations

from truebleu.errors import SettingsError
from truebleu.inputs import sequences
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.threads import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu._core import Engine, Texts
    from truebleu.metrics.base import Metric

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


class PairScores:
    """The score of every hypothesis against every reference, computed in blocks of rows.

    Made by :func:`pair_scores`.

    Attributes
    ----------
    hypotheses, references : int
        Their numbers: the shape of the matrix.
    step : int
        Hypotheses in a block, unless the caller chooses another number.
    """

    __slots__ = ("hypotheses", "references", "step")

    def __init__(self, hypotheses: int, references: int, step: int) -> None:
        """Keep the sizes."""
        self.hypotheses = hypotheses
        self.references = references
        self.step = step

    def block(self, start: int, stop: int) -> Floats:
        """Score the hypotheses from `start` up to, not including, `stop`.

        Returns
        -------
        ndarray of float64, shape (stop - start, references)
        """
        raise NotImplementedError

    def expected(self, weights: Floats) -> Floats:
        """Score every hypothesis against the weighted mean of the references.

        Returns
        -------
        ndarray of float64, shape (hypotheses,)

        Raises
        ------
        SettingsError
            If the metric cannot be computed from expected counts of n-grams.
        """
        raise NotImplementedError


class _CorePairScores(PairScores):
    """For n-grams: the core counts every text once, and looks up the n-grams that texts share."""

    __slots__ = ("_core", "_pairs", "_threads")

    def __init__(self, core: Engine, texts: Texts, counts: list[int], threads: int) -> None:
        pairs = counts[0] * counts[-1]
        whole = len(counts) == 1 and pairs <= _WHOLE
        super().__init__(counts[0], counts[-1], counts[0] if whole else max(1, PIECE // counts[-1]))
        self._core = core
        self._pairs = texts.pairs(core, counts[0])
        self._threads = threads

    def block(self, start: int, stop: int) -> Floats:
        import numpy as np

        scores = np.empty((stop - start, self.references))
        for first in range(start, stop, self.step):
            last = min(stop, first + self.step)
            piece = np.frombuffer(self._pairs.block(self._core, first, last, self._threads), "<f8")
            scores[first - start : last - start] = piece.reshape(-1, self.references)
        return scores

    def expected(self, weights: Floats) -> Floats:
        import numpy as np

        scores = self._pairs.expected(self._core, weights.tolist())
        return np.frombuffer(scores, "<f8").astype(np.float64)


class _CountedPairScores(PairScores):
    """For any metric: each pair is counted and scored as a segment."""

    __slots__ = ("_columns", "_metric", "_threads")

    def __init__(self, metric: Metric, columns: dict[str, Any], threads: int) -> None:
        listed = [_listed(metric, items, name) for name, items in columns.items()]
        self._columns = listed[0], listed[-1]
        hypotheses, references = map(len, self._columns)
        super().__init__(hypotheses, references, max(1, _PYTHON_PIECE // references))
        self._metric = metric
        self._threads = threads

    def block(self, start: int, stop: int) -> Floats:
        import numpy as np

        hypotheses, references = self._columns
        width = self.references
        scores = np.empty((stop - start) * width)
        for first in range(0, len(scores), _PYTHON_PIECE):
            piece = range(first, min(len(scores), first + _PYTHON_PIECE))
            rows, _, _ = self._metric.count_rows(
                [hypotheses[start + pair // width] for pair in piece],
                [[references[pair % width]] for pair in piece],
                None,
                self._threads,
                each=True,
            )
            scores[piece.start : piece.stop] = np.frombuffer(self._metric.row_scores(rows), "<f8")
        return scores.reshape(-1, width)

    def expected(self, weights: Floats) -> Floats:
        raise SettingsError(
            f"method='aggregated' needs expected counts of n-grams, which {self._metric.name} is "
            "not computed from; choose method='exact'"
        )


def pair_scores(metric: Metric, columns: dict[str, Any], threads: int | None) -> PairScores:
    """Prepare to score every hypothesis against every reference.

    Parameters
    ----------
    metric : Metric
        Scores each pair as a segment.
    columns : dict
        The hypotheses, and the references unless they are the same, by their names in messages.
    threads : int, optional

    Returns
    -------
    PairScores

    Raises
    ------
    EmptyInputError
        If a column is empty.
    InputTypeError
        If an item is not what the metric takes; the message has its index.
    SettingsError
        If the metric gives several scores for a pair, or `threads` is out of range.
    """
    workers = thread_count(threads)
    metric = metric.for_segments
    if metric.scores_per_segment > 1:
        raise SettingsError("a pair has one score, so one list of weights is needed")
    loaded = metric.load_texts(columns, workers) if metric.row_width <= _WIDEST else None
    if metric.core is None or loaded is None:
        return _CountedPairScores(metric, columns, workers)
    return _CorePairScores(metric.core, *loaded, workers)


def _listed(metric: Metric, items: Any, name: str) -> list[Any]:
    """List the items of a column, checked if they are text."""
    if metric.takes_tokens:
        if isinstance(items, Ragged):
            items = [tokens.tolist() for tokens in items.split(name)]
        return [*sequences.column(items, name)]
    texts = sequences.column(items, name)
    for index, text in enumerate(texts):
        sequences.check_text(text, f"{name}[{index}]")
    return [*texts]
