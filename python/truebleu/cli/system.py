"""``truebleu score``: the BLEU of whole files."""

from __future__ import annotations

from truebleu.cli.reading import bleu_from, blocks, threads_from
from truebleu.cli.tables import FORMATS
from truebleu.lines import prepared, stats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace

    from truebleu.bleu import Bleu
    from truebleu.score import BleuScore
    from truebleu.stats import BleuStats


def run(options: Namespace) -> None:
    """Score the systems and print them."""
    scores = score_files(
        bleu_from(options), options.systems, options.references, threads_from(options)
    )
    names = ["standard input" if name == "-" else name for name in options.systems]
    if options.score_only:
        for score in scores:
            print(f"{score.score:.{options.width}f}")
        return
    print(FORMATS[options.format].write(names, scores, options.width), end="")


def score_files(
    bleu: Bleu, systems: list[str], references: list[str], threads: int
) -> list[BleuScore]:
    """Score files in constant memory.

    Parameters
    ----------
    bleu : Bleu
    systems, references : list of str
        Paths; every file has a segment a line.
    threads : int

    Returns
    -------
    list of BleuScore
        One for each system.
    """
    sums: list[BleuStats | None] = [None] * len(systems)
    for files, count in blocks(systems, references):
        ready = [prepared(bleu, file.lines, count, threads) for file in files]
        others = ready[len(systems) :]
        for index, own in enumerate(ready[: len(systems)]):
            part = stats(bleu, own, others, count, threads)
            before = sums[index]
            sums[index] = part if before is None else before + part
    return [bleu.score(total) for total in sums if total is not None]
