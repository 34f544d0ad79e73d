"""Lines of files that are being read, from text to tokens and statistics.

What comes in is a :class:`truebleu._core.Lines`; see :mod:`truebleu.inputs.files`.
"""

from __future__ import annotations

from truebleu.metrics.stats import BleuStats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from truebleu._core import Lines, Observed
    from truebleu.metrics.bleu import Bleu


def prepared(bleu: Bleu, lines: Lines, count: int, threads: int) -> Lines:
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
    hypotheses: Lines,
    references: list[Lines],
    count: int,
    threads: int,
    *,
    each: bool = False,
    observed: Observed | None = None,
) -> BleuStats:
    """Count lines that have been prepared.

    What there is to observe of text that was not split by a library is added to `observed`.

    Returns
    -------
    BleuStats
        A row per line if `each`, else their sum.
    """
    if bleu._counting.tokenization.native is None:
        observed = None
    rows, fewest, most = bleu._counting.lines(
        hypotheses, references, count, threads, each, observed
    )
    return BleuStats(rows, bleu, fewest, most)


def observe(
    bleu: Bleu,
    observed: Observed,
    hypotheses: Lines,
    references: list[Lines],
    count: int,
) -> None:
    """Look at lines as they were read, if a library splits them."""
    if bleu._counting.tokenization.native is None:
        observed.look_lines(hypotheses, references, count)


def tokens(bleu: Bleu, lines: Lines, threads: int) -> bytes:
    """Split all lines that are ready, prepared; one space between tokens, UTF-8."""
    return bleu._engine.tokenize_lines(lines, threads)
