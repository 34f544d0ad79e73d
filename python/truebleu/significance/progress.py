"""The progress of several comparisons."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.significance.design import Progress


class JointProgress:
    """The progress of several runs, one after the other, as that of one run."""

    def __init__(self, progress: Progress | None, runs: int) -> None:
        self._progress, self._left = progress, runs
        self._finished = self._total = 0
        # The design refuses what is no function.
        self.of_one = self._report if callable(progress) else progress

    def _report(self, done: int, total: int) -> None:
        """Report the progress of the current run; those that follow may take as long."""
        self._total = total
        self._tell(self._finished + done, self._finished + self._left * total)

    def finish_one(self) -> None:
        """Go on to the next run."""
        self._finished += self._total
        self._left -= 1
        self._total = 0
        if not self._left:
            self._tell(self._finished, self._finished)

    def _tell(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)
