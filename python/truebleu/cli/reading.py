"""What the commands share: settings from options, files side by side, a progress bar."""

from __future__ import annotations

import os
import sys
import time

from truebleu.bleu import Bleu
from truebleu.dialects import named
from truebleu.errors import SettingsError
from truebleu.files import STANDARD_INPUT, LineFile, open_all, side_by_side
from truebleu.settings import DEFAULTS, thread_count

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from typing import Any

# Seconds of work before anything is drawn.
_PATIENCE = 1.0


def settings_from(options: Namespace) -> dict[str, Any]:
    """Return the settings that the options name; a dialect comes first."""
    settings = {} if options.dialect is None else dict(named(options.dialect).settings)
    for name in DEFAULTS:
        value = getattr(options, name)
        if value is not None:
            settings[name] = value
    return settings


def bleu_from(options: Namespace) -> Bleu:
    """Make a Bleu of the options."""
    return Bleu(**settings_from(options))


def threads_from(options: Namespace) -> int:
    """Return the number of threads that the options ask for."""
    return thread_count(options.threads)


def refuse_twice(paths: list[str]) -> None:
    """Refuse to read standard input more than once.

    Raises
    ------
    SettingsError
        If it is named twice.
    """
    if paths.count(STANDARD_INPUT) > 1:
        raise SettingsError("standard input (-) can be read only once")


def blocks(systems: list[str], references: list[str]) -> Iterator[tuple[list[LineFile], int]]:
    """Read systems and references side by side, with a progress bar if it takes long.

    Yields
    ------
    tuple
        All files, systems first, and how many lines they have ready.

    Raises
    ------
    SettingsError
        If standard input is named twice.
    OSError, TruebleuError
        If a file cannot be read, is not UTF-8, or differs in length.
    """
    paths = systems + references
    refuse_twice(paths)
    files = open_all(paths)
    bar = Bar("scoring")
    size = _size(files)
    try:
        for count in side_by_side(files):
            yield files, count
            bar.update(sum(file.read_bytes for file in files), size)
    finally:
        bar.close()
        for file in files:
            file.__exit__()


def texts(systems: list[str], references: list[str]) -> tuple[list[str], list[list[str]]]:
    """Read one system and its references as a whole.

    Returns
    -------
    tuple
        The lines of the system, and the references of each line.
    """
    own: list[str] = []
    others: list[list[str]] = []
    for files, count in blocks(systems, references):
        first, *rest = (file.lines.texts(count) for file in files)
        own += first
        others += map(list, zip(*rest, strict=True))
    return own, others


def _size(files: list[LineFile]) -> int | None:
    """Return how many bytes there are to read, if that can be known."""
    if any(file.path.endswith((".gz", ".bz2", ".xz", ".zst")) for file in files):
        return None
    try:
        return sum(os.stat(file.path).st_size for file in files)  # noqa: PTH116  # pathlib is slow to load.
    except OSError:
        return None


def lines_of(path: str) -> list[str]:
    """Read the lines of one file."""
    lines: list[str] = []
    for [file], count in blocks([path], []):
        lines += file.lines.texts(count)
    return lines


class Bar:
    """A progress bar on a terminal, for work that is long."""

    def __init__(self, what: str) -> None:
        """Draw nothing yet."""
        self._what = what
        shown = sys.stderr is not None and sys.stderr.isatty()
        self._due = time.monotonic() + _PATIENCE if shown else float("inf")
        self._progress: Any = None

    def update(self, done: int, total: int | None) -> None:
        """Draw how much is done, and of how much if that is known."""
        if self._progress is None:
            if time.monotonic() < self._due:
                return
            self._open()
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total)

    def _open(self) -> None:
        try:
            from rich.console import Console
            from rich.progress import Progress
        except ImportError:
            self._due = float("inf")
            return
        self._progress = Progress(console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task(self._what, total=None)
        self._progress.start()

    def close(self) -> None:
        """Wipe it away."""
        if self._progress is not None:
            self._progress.stop()
