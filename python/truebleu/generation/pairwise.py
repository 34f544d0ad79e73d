"""Every hypothesis against every reference: sentence BLEU as a matrix."""

from __future__ import annotations

from truebleu._core import Pairs
from truebleu.errors import SettingsError
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.threads import thread_count, whole_number

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu._core import Pairs
    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.settings import BleuSettings

    Floats = NDArray[np.float64]
    Progress = Callable[[int, int], None]

# Scores that are computed between two looks at Ctrl-C: some hundredths of a second.
PIECE = 2**18

# Of texts with themselves half of the matches are counted if the matrix is computed at once, which
# may take a second.
_WHOLE = 2**24


def pairwise(
    hypotheses: Iterable[Any] | Ragged,
    references: Iterable[Any] | Ragged | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[BleuSettings],
) -> Floats:
    """Score every hypothesis against every reference.

    Each text is split and counted once. The matrix takes 8 bytes a pair;
    :func:`pairwise_blocks` is for those that are too large.

    Parameters
    ----------
    hypotheses : iterable of str, or Ragged
        Under ``tokenizer=None`` tokens or token ids.
    references : iterable of str, or Ragged, optional
        Default: the hypotheses.
    threads : int, optional
        All processors by default.
    progress : callable, optional
        Is told from time to time how many hypotheses have been scored, and of how many.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    ndarray of float64, shape (hypotheses, references)
        From 0 to 100: what :func:`truebleu.sentence_bleu` gives each pair.

    Raises
    ------
    EmptyInputError
        If there are no hypotheses, or no references.
    InputTypeError
        If a text is not what the tokenizer needs; the message has its index.
    SettingsError
        If there are several lists of weights.

    Examples
    --------
    >>> from truebleu import pairwise
    >>> pairwise(["the cat sat", "a dog sat"], ["the cat sat down", "a dog"]).round(1).tolist()
    [[71.7, 0.0], [19.7, 55.0]]
    """
    import numpy as np

    blocks = pairwise_blocks(
        hypotheses, references, threads=threads, progress=progress, rows=None, **settings
    )
    return np.concatenate([block for _, block in blocks])


def pairwise_blocks(
    hypotheses: Iterable[Any] | Ragged,
    references: Iterable[Any] | Ragged | None = None,
    *,
    rows: int | None = 1024,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[BleuSettings],
) -> Iterator[tuple[int, Floats]]:
    """Compute the same matrix in blocks, for those that do not fit into memory.

    Parameters
    ----------
    hypotheses, references, threads, progress, **settings
        As in :func:`pairwise`.
    rows : int or None, default 1024
        Hypotheses in a block; None lets it choose.

    Yields
    ------
    tuple
        The index of the first hypothesis, and the block: an ndarray of float64, shape
        (rows, references).

    Raises
    ------
    EmptyInputError, InputTypeError, SettingsError
        As there.
    """
    import numpy as np

    bleu = Bleu(**settings).for_segments
    workers = thread_count(threads)
    wanted = None if rows is None else whole_number(rows)
    if rows is not None and (wanted is None or wanted < 1):
        raise SettingsError(f"rows is {rows!r}; a whole number from 1 up is needed")
    pairs, count, width = prepare(bleu, hypotheses, references, workers)
    symmetric = references is None and wanted is None and count * width <= _WHOLE
    size = count if symmetric else wanted or max(1, PIECE // width)
    for start in range(0, count, size):
        stop = min(count, start + size)
        found = pairs.block(bleu._engine, start, stop, workers)
        yield start, np.frombuffer(found, "<f8").astype(np.float64).reshape(-1, width)
        if progress is not None:
            progress(stop, count)


def prepare(bleu: Bleu, hypotheses: Any, references: Any, threads: int) -> tuple[Pairs, int, int]:
    """Count texts for a matrix; return what they share, and how many there are of each."""
    if len(bleu.weights) > 1:
        raise SettingsError("a matrix has one score for a pair, so one list of weights is needed")
    columns = {"hypotheses": hypotheses}
    if references is not None:
        columns["references"] = references
    texts, counts = bleu._counting.load(columns, threads)
    return texts.pairs(bleu._engine, counts[0]), counts[0], counts[-1]
