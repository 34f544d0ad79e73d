"""A progress bar on a terminal."""

from __future__ import annotations

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# Seconds of work before anything is drawn.
_PATIENCE = 1.0


class Bar:
    """A progress bar on a terminal, for work that takes long."""

    def __init__(self, what: str) -> None:
        """Draw nothing yet."""
        self._what = what
        on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._due = time.monotonic() + _PATIENCE if on_terminal else float("inf")
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
        """Remove it."""
        if self._progress is not None:
            self._progress.stop()
