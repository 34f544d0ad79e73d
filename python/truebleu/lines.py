"""Lines of files that are being read, from text to tokens and statistics.

What comes in is a :class:`truebleu._core.Lines`; see :mod:`truebleu.files`.
"""

from __future__ import annotations

from truebleu.stats import BleuStats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from truebleu import _core
    from truebleu.bleu import Bleu


def prepared(bleu: Bleu, lines: _core.Lines, count: int, threads: int) -> _core.Lines:
    """Return lines that the core can split.

    Parameters
    ----------
    bleu : Bleu
        The settings.
    lines : Lines
        As read.
    count : int
        How many of the lines that are ready will be split.
    threads : int

    Returns
    -------
    Lines
        The same ones, unless their tokenizer is a library: then what it has made of them.
    """
    return bleu._counting.prepared(lines, count, threads)


def stats(
    bleu: Bleu,
    hypotheses: _core.Lines,
    references: list[_core.Lines],
    count: int,
    threads: int,
    *,
    each: bool = False,
) -> BleuStats:
    """Count lines that have been prepared.

    Returns
    -------
    BleuStats
        A row per line if `each`, else their sum.
    """
    rows, fewest, most = bleu._counting.lines(hypotheses, references, count, threads, each)
    return BleuStats(rows, bleu, fewest, most)


def tokens(bleu: Bleu, lines: _core.Lines, threads: int) -> bytes:
    """Split all lines that are ready, prepared; one space between tokens, UTF-8."""
    return bleu._engine.tokenize_lines(lines, threads)
