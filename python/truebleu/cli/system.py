"""``truebleu score``: the BLEU of whole files."""

from __future__ import annotations

from truebleu.cli.reading import bleu_from, blocks, threads_from
from truebleu.cli.tables import FORMATS
from truebleu.dialects import named
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
    width = options.width
    dialect = named(options.dialect or "sacrebleu")
    # A number from 0 to 1 needs two digits more to say as much.
    digits = width if dialect.scale == 100 else width + 2
    numbers = [f"{dialect.number(score.score):.{digits}f}" for score in scores]
    if options.score_only:
        print("\n".join(numbers))
        return
    print(FORMATS[options.format].write(names, scores, width), end="")
    if options.format == "table" and dialect.scale != 100:
        print(f"{dialect.tool}, from 0 to {dialect.scale}: {', '.join(numbers)}")


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
