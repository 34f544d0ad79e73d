"""How far long work is, for whoever listens: the bar of a command."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # Called with how many samples and trials are done, and how many there are.
    Progress = Callable[[int, int], None]

_LISTENER: ContextVar[Progress | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(listener: Progress) -> Iterator[None]:
    """Tell a listener of the progress of all tests and intervals that are computed inside."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


class Steps:
    """The samples and trials of several runs, one after the other, which take about as long."""

    def __init__(self, runs: int) -> None:
        self._tell, self._left = _LISTENER.get(), runs
        self._finished = self._done = self._total = 0

    def begin(self, total: int) -> None:
        """Begin a run with so many samples and trials, at most."""
        self._done, self._total = 0, total

    def add(self, number: int) -> None:
        """Add what was done, and tell it."""
        self._done += number
        self._say(self._finished + self._done, self._finished + self._left * self._total)

    def finish(self) -> None:
        """Go on to the next run: tests that have stopped early need no more trials."""
        self._finished += self._total
        self._left -= 1
        self._say(self._finished, self._finished + self._left * self._total)

    def _say(self, done: int, total: int) -> None:
        if self._tell is not None:
            self._tell(done, total)
