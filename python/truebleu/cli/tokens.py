"""``truebleu tokenize``: what is compared."""

from __future__ import annotations

import sys

from truebleu.bleu import Bleu
from truebleu.cli.reading import refuse_twice
from truebleu.files import LineFile

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> None:
    """Print the tokens of every line."""
    bleu = Bleu(tokenizer=options.tokenizer, lowercase=options.lowercase)
    refuse_twice(options.files)
    for path in options.files:
        with LineFile(path) as file:
            while count := file.fill():
                sys.stdout.buffer.write(bleu.tokenize_lines(file.lines))
                file.lines.drop_front(count)
