"""Results on standard output: which format, and whether in color."""

from __future__ import annotations

import os
import sys

from truebleu.display.formats import FORMATS
from truebleu.display.markup import latex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from typing import Any

    from truebleu.display.blocks import Block
    from truebleu.test_sets.loading import TestSet


def write(
    options: Namespace, blocks: Callable[[bool], list[Block]], values: Callable[[], object]
) -> None:
    """Write a result to standard output, in the format that the options name.

    Parameters
    ----------
    options : Namespace
    blocks : callable
        Returns what there is to show; it is told whether the format is for programs, and writes
        nothing but tables.
    values : callable
        Returns everything as plain values.
    """
    form = FORMATS[options.format]
    test_set = getattr(options, "test_set", None)
    if options.latex_float:
        command = options.run.__module__.rpartition(".")[2]
        written = latex(_signed_blocks(blocks(False), test_set), f"tab:{command}")
    elif form.of_values:
        written = form.write(signed_values(values(), test_set))
    else:
        write_blocks = form.terminal if form.terminal and _has_colors() else form.write
        written = write_blocks(_signed_blocks(blocks(form.plain), test_set))
    # Some end a line, some do not.
    sys.stdout.write(written.removesuffix("\n") + "\n")


class Announced:
    """A context in which a file is written: at its end, the file is named on standard error."""

    __slots__ = ("_options", "_path", "_replaced")

    def __init__(self, path: str, options: Namespace) -> None:
        """Keep the name of the file."""
        self._path, self._options, self._replaced = path, options, False

    def __enter__(self) -> None:
        """See whether there is such a file already."""
        self._replaced = os.path.isfile(self._path)  # noqa: PTH113  # pathlib is slow to load.

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Say that it is there, unless something went wrong."""
        if kind is None:
            say_written(self._path, self._options, replaced=self._replaced)


def say_written(path: object, options: Namespace, *, replaced: bool) -> None:
    """Say on standard error which file was written, and whether one was there before."""
    from truebleu.cli import say

    if not options.quiet:
        say(f"{'replaced' if replaced else 'wrote'} {path}")


def _signed_blocks(blocks: list[Block], test_set: TestSet | None) -> list[Block]:
    """Let signatures name the test set that the references are from."""
    if test_set is None:
        return blocks
    from truebleu.cli.test_set import signed_block

    return [signed_block(block, test_set) for block in blocks]


def signed_values(values: Any, test_set: TestSet | None) -> Any:
    """Let signatures in plain values name the test set that the references are from."""
    if test_set is None:
        return values
    from truebleu.cli import test_set as signing

    return signing.signed_values(values, test_set)


def _has_colors() -> bool:
    """Return whether standard output is a terminal, and colors are welcome."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not unwanted
