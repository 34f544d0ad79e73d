"""``truebleu compare``: which system is better, by how much, and how sure that is."""

from __future__ import annotations

from truebleu.cli.options import bleu_from
from truebleu.cli.score import compare_counted, count_files, system_names
from truebleu.cli.writing import print_blocks, print_json

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> None:
    """Print the systems and their pairs."""
    bleu = bleu_from(options)
    counted = count_files(bleu, options, each=True)
    found = compare_counted(
        bleu,
        options,
        dict(zip(system_names(options), counted, strict=True)),
        test=options.test,
        trials=options.trials,
        one_sided=options.one_sided,
        baseline=options.baseline,
    )
    if options.format == "json":
        print_json(found.to_dict())
    else:
        plain = options.format == "tsv"
        print_blocks(found.blocks(detectable=options.detectable, plain=plain), options.format)
