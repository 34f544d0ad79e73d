"""Every hypothesis against every reference: the scores of all pairs as a matrix."""

from __future__ import annotations

from truebleu.errors import SettingsError, written
from truebleu.generation.pair_scores import pair_scores
from truebleu.inputs.numbers import whole_number
from truebleu.metrics.registry import metric_of
from truebleu.significance.design import checked_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.generation.pair_scores import PairScores
    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName

    Floats = NDArray[np.float64]
    Progress = Callable[[int, int], None]


def pairwise(
    hypotheses: Iterable[Any] | Ragged,
    references: Iterable[Any] | Ragged | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Floats:
    """Score every hypothesis against every reference.

    The matrix takes 8 bytes per pair; :func:`pairwise_blocks` is for those that are too large.
    BLEU and chrF count each text only once; other metrics count each pair.

    Parameters
    ----------
    hypotheses : iterable of str, or Ragged
        With ``tokenizer="pretokenized"``, tokens or token ids.
    references : iterable of str, or Ragged, optional
        Default: the hypotheses.
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    progress : callable, optional
        Called with the number of hypotheses scored so far, and of all.
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
    import numpy as np

    checked_progress(progress)
    pairs = pair_scores(
        metric_of(metric, settings), _columns(hypotheses, references), threads=threads
    )
    scores = np.empty((pairs.hypotheses, pairs.references))
    for start, block in _blocks(pairs, pairs.step, progress):
        scores[start : start + len(block)] = block
    return scores


def pairwise_blocks(
    hypotheses: Iterable[Any] | Ragged,
    references: Iterable[Any] | Ragged | None = None,
    *,
    rows: int | None = 1024,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Iterator[tuple[int, Floats]]:
    """Compute the matrix of :func:`pairwise` in blocks of rows, for one too large for memory.

    Parameters
    ----------
    hypotheses, references, threads, progress, metric, **settings
        As in :func:`pairwise`.
    rows : int or None, default 1024
        Hypotheses in a block; None chooses a number.

    Yields
    ------
    tuple
        The index of the first hypothesis of a block, and the block: an ndarray of float64, shape
        (rows, references).

    Raises
    ------
    EmptyInputError, InputTypeError, SettingsError
        As in :func:`pairwise`.
    """
    checked_progress(progress)
    size = None if rows is None else whole_number(rows)
    if rows is not None and (size is None or size < 1):
        raise SettingsError(f"rows is {written(rows)}; a whole number from 1 up is needed")
    pairs = pair_scores(
        metric_of(metric, settings), _columns(hypotheses, references), threads=threads
    )
    return _blocks(pairs, size or pairs.step, progress)


def _columns(hypotheses: Any, references: Any) -> dict[str, Any]:
    """Name the columns; without references the hypotheses are compared with each other."""
    columns = {"hypotheses": hypotheses}
    return columns if references is None else {**columns, "references": references}


def _blocks(
    pairs: PairScores, size: int, progress: Progress | None
) -> Iterator[tuple[int, Floats]]:
    for start in range(0, pairs.hypotheses, size):
        stop = min(pairs.hypotheses, start + size)
        yield start, pairs.block(start, stop)
        if progress is not None:
            progress(stop, pairs.hypotheses)
