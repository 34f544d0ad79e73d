"""How long a download may take in total, whatever the servers do."""

from __future__ import annotations

import time

from truebleu.errors import DownloadError


class Deadline:
    """The end of the time for one file, with all attempts and all servers.

    Parameters
    ----------
    seconds : int
        From now on.
    """

    __slots__ = ("_end", "_seconds")
    _end: float
    _seconds: int

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left.

        Raises
        ------
        DownloadError
            If none are.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise DownloadError(
                f"it took more than {self._seconds:,} seconds; what has been received is kept, so "
                "that the next attempt continues; the environment variable TRUEBLEU_MAX_SECONDS "
                "allows more"
            )
        return left
