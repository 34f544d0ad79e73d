"""``truebleu segments``: the BLEU of every line."""

from __future__ import annotations

import sys

from truebleu._core import Observed
from truebleu.cli.files import blocks
from truebleu.cli.options import bleu_from, threads_from
from truebleu.inputs.checks import check_corpus
from truebleu.metrics.lines import observe, prepared, stats

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> None:
    """Print a line per segment: number, score, and why it is 0; in JSON all of the score."""
    bleu, threads = bleu_from(options).for_segments, threads_from(options)
    width = options.width
    first = 1
    observed = Observed()
    for files, count in blocks(options.systems, options.references):
        raw, *raw_references = (file.lines for file in files)
        observe(bleu, observed, raw, raw_references, count)
        own, *others = (prepared(bleu, file.lines, count, threads) for file in files)
        rows = stats(bleu, own, others, count, threads, each=True, observed=observed)
        out = [] if options.json or first > 1 else ["segment\tbleu\treason\n"]
        if options.json:
            import json

            for number, row in enumerate(rows, first):
                line = {"segment": number, **bleu.score(row).to_dict()}
                out.append(json.dumps(line, ensure_ascii=False) + "\n")
        else:
            for number, (score, row) in enumerate(zip(bleu.scores(rows), rows, strict=True), first):
                reason = (bleu.score(row).reason or "") if score == 0 else ""
                out.append(f"{number}\t{score:.{width}f}\t{reason}\n")
        first += count
        sys.stdout.write("".join(out))
    check_corpus(observed, bleu.tokenizer_name, bleu.unicode_form, options.systems[0])
