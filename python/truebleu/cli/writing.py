"""What several commands print in the same way."""

from __future__ import annotations

import os
import sys

from truebleu.display import render

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from truebleu.display.render import Block

# What --json, --markdown and so on make of blocks; JSON comes from the result itself.
WRITERS = {
    "markdown": render.markdown,
    "html": render.html,
    "latex": render.latex,
    "tsv": render.tsv,
}


def print_json(values: object) -> None:
    """Print plain values as JSON."""
    import json

    print(json.dumps(values, ensure_ascii=False, indent=1))


def print_blocks(blocks: list[Block], form: str) -> None:
    """Print what a result has to show: as text, in colour on a terminal, or in another form."""
    if form != "text":
        print(WRITERS[form](blocks).removesuffix("\n"))  # Some end a line, some do not.
    elif sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        sys.stdout.write(render.coloured(blocks))
    else:
        sys.stdout.write(render.text(blocks))
