"""``truebleu tokenize``: what is compared."""

from __future__ import annotations

import sys

from truebleu.cli.files import refuse_twice
from truebleu.cli.options import threads_from
from truebleu.inputs.files import LineFile
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.lines import prepared, tokens

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> None:
    """Print the tokens of every line."""
    bleu, threads = (
        Bleu(
            tokenizer=options.tokenizer or "13a",
            lowercase=bool(options.lowercase),
            unicode_form=options.unicode_form,
        ),
        threads_from(options),
    )
    refuse_twice(options.files)
    for path in options.files:
        with LineFile(path) as file:
            while count := file.fill():
                if options.offsets:
                    out = _with_offsets(bleu, file.lines.texts(count))
                else:
                    out = tokens(bleu, prepared(bleu, file.lines, count, threads), threads)
                sys.stdout.buffer.write(out)
                file.lines.drop_front(count)


def _with_offsets(bleu: Bleu, texts: list[str]) -> bytes:
    import json

    rows = (json.dumps(bleu._counting.spans(text), ensure_ascii=False) for text in texts)
    return "".join(f"{row}\n" for row in rows).encode()
