"""Results on standard output: which format, and whether in color."""

from __future__ import annotations

import os
import sys

from truebleu.display.registry import FORMATS

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    from truebleu.display.blocks import Block


def write(name: str, blocks: Callable[[bool], list[Block]], values: Callable[[], object]) -> None:
    """Write a result to standard output.

    Parameters
    ----------
    name : str
        Of the format.
    blocks : callable
        Returns what there is to show; it is told whether the format is for programs, and writes
        nothing but tables.
    values : callable
        Returns everything as plain values.
    """
    form = FORMATS[name]
    if form.of_values:
        written = form.write(values())
    else:
        write_blocks = form.terminal if form.terminal and _has_colors() else form.write
        written = write_blocks(blocks(form.plain))
    # Some end a line, some do not.
    sys.stdout.write(written.removesuffix("\n") + "\n")


def _has_colors() -> bool:
    """Return whether standard output is a terminal, and colors are welcome."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not unwanted
