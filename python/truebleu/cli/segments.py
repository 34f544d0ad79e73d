"""``truebleu segments``: the BLEU of every line."""

from __future__ import annotations

import sys

from truebleu.cli.reading import bleu_from, blocks, threads_from
from truebleu.lines import prepared, stats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> None:
    """Print a line per segment: its number and its score; in JSON all of the score."""
    bleu, threads = bleu_from(options), threads_from(options)
    width = options.width
    first = 1
    for files, count in blocks(options.systems, options.references):
        own, *others = (prepared(bleu, file.lines, count, threads) for file in files)
        rows = stats(bleu, own, others, count, threads, each=True)
        out = [] if options.json or first > 1 else ["segment\tbleu\n"]
        if options.json:
            import json

            for number, row in enumerate(rows, first):
                line = {"segment": number, **bleu.score(row).to_dict()}
                out.append(json.dumps(line, ensure_ascii=False) + "\n")
        else:
            for number, score in enumerate(bleu.scores(rows), first):
                out.append(f"{number}\t{score:.{width}f}\n")
        first += count
        sys.stdout.write("".join(out))
