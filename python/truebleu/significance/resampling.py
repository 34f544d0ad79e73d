"""Bootstrap samples and random swaps of rows, in pieces that fit into memory.

Works with any metric. A metric in the Rust core is scored there; for a metric in Python, the core
sums the rows and returns the sums.
"""

from __future__ import annotations

from truebleu._core import Units, add_rows
from truebleu.errors import InputError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.metrics.base import Metric
    from truebleu.significance.inference import Floats

# Additions between two checks for Ctrl-C: a few hundredths of a second.
_PIECE = 2**28

# Scores of samples, or counts in their sums, that are in memory at the same time.
_SCORES = 2**21

# Differences closer than this are ties: it allows for rounding, on a scale of 100.
_TIE = 1e-10


class Resampler:
    """Resamples the statistics of several systems.

    Parameters
    ----------
    tables : sequence of ndarray of int64, shape (units, width)
        For each system a table with one row per unit.
    metric : Metric
        The metric that scores sums of rows.
    seed : int
        Seed of the random numbers, from 0 to 2**64 - 1. For the same data, results depend on
        nothing else, including the number of threads.
    threads : int
    progress : callable
        Called from time to time with the number of trials done since the last call.
    """

    def __init__(
        self,
        tables: Sequence[NDArray[np.int64]],
        metric: Metric,
        seed: int,
        threads: int,
        progress: Callable[[int], None],
    ) -> None:
        """Load the tables into the core."""
        import numpy as np

        self._tables = tables
        self._metric = metric
        self.tie = _TIE * metric.scale / 100
        self._core = metric.core
        self._seed = seed
        self._threads = threads
        self._progress = progress
        count, width = tables[0].shape
        self._width = width
        rows = [table.astype("<i8").tobytes() for table in tables]
        self._units = Units(rows, width)
        self._totals = [np.frombuffer(add_rows(each, width), "<i8") for each in rows]
        self._piece = max(threads, _PIECE // (count * width * len(tables)))

    def _pieces(self, trials: int, largest: int) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each piece of the trials, and report progress."""
        size = max(self._threads, min(self._piece, largest))
        for start in range(0, trials, size):
            stop = min(start + size, trials)
            yield start, stop
            self._progress(stop - start)

    def bootstrap(self, samples: int) -> Iterator[Floats]:
        """Score bootstrap samples: units resampled with replacement.

        Yields
        ------
        ndarray of float64, shape (systems, samples in the piece)
        """
        import numpy as np

        numbers = len(self._tables) * (1 if self._core else self._width)
        for start, stop in self._pieces(samples, _SCORES // numbers):
            draw = (self._seed, start, stop, self._threads)
            if self._core is not None:
                scores = self._units.bootstrap(self._core, *draw)
            else:
                scores = self._finite_scores(self._units.bootstrap_sums(*draw))
            table = np.frombuffer(scores, "<f8").reshape(stop - start, -1).astype(np.float64)
            yield np.ascontiguousarray(table.T)

    def randomize(self, pairs: list[tuple[int, int]], trials: int) -> list[tuple[int, int]]:
        """Swap the units of pairs of systems at random.

        Returns
        -------
        list of tuple of int
            Two counts for each pair: the trials in which the absolute difference was at least as
            large as the observed one, and those in which the difference was at least as much in
            favor of the first system.
        """
        either, better = [0] * len(pairs), [0] * len(pairs)
        ordered = [self._in_order(*pair) for pair in pairs]
        size = trials if self._core else _SCORES // (2 * len(pairs) * self._width)
        for start, stop in self._pieces(trials, size):
            draw = (ordered, self._seed, start, stop, self._threads)
            if self._core is not None:
                tallies = self._units.randomize(self._core, *draw)
            else:
                tallies = self._tallies(self._units.swap_sums(*draw), ordered)
            for index, tally in enumerate(tallies):
                either[index] += tally[0]
                better[index] += tally[1]
        return list(zip(either, better, strict=True))

    def permute(self, one: int, other: int) -> tuple[int, int, int]:
        """Return the counts of :meth:`randomize` over all possible swaps, and their number."""
        pair = self._in_order(one, other)
        if self._core is not None:
            return self._units.permute(self._core, *pair)
        ways = 2 ** self.differing(one, other)
        either = better = 0
        size = max(1, _SCORES // (2 * self._width))
        for start in range(0, ways, size):
            sums = self._units.permute_sums(*pair, start, min(ways, start + size))
            [tally] = self._tallies(sums, [pair])
            either, better = either + tally[0], better + tally[1]
        return either, better, ways

    def _in_order(self, one: int, other: int) -> tuple[int, int]:
        """Order a pair so that a positive difference of scores favors `one`."""
        return (one, other) if self._metric.higher_is_better else (other, one)

    def _tallies(self, sums: bytes, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Count extreme differences as :meth:`randomize` does, given the sums after swaps."""
        import numpy as np

        scores = np.frombuffer(self._finite_scores(sums), "<f8").reshape(-1, len(pairs), 2)
        differences = scores[:, :, 0] - scores[:, :, 1]
        systems = self.scores()
        observed = np.array([systems[one] - systems[other] for one, other in pairs])
        either = np.count_nonzero(np.abs(differences) >= np.abs(observed) - self.tie, axis=0)
        better = np.count_nonzero(differences >= observed - self.tie, axis=0)
        return list(zip(either.tolist(), better.tolist(), strict=True))

    def differing(self, one: int, other: int) -> int:
        """Return the number of units in which two systems differ."""
        return self._units.differing(one, other)

    def scores(self) -> Floats:
        """Score the systems.

        Returns
        -------
        ndarray of float64, shape (systems,)
        """
        return self._score(self._totals)[:, 0]

    def left_out(self) -> Floats:
        """Score the systems with each unit left out in turn (jackknife).

        Returns
        -------
        ndarray of float64, shape (systems, units)
        """
        pairs = zip(self._totals, self._tables, strict=True)
        return self._score([total - table for total, table in pairs])

    def _score(self, tables: Sequence[NDArray[np.int64]]) -> Floats:
        """Score each row of each table."""
        import numpy as np

        rows = [table.astype("<i8").tobytes() for table in tables]
        return np.array([np.frombuffer(self._finite_scores(each), "<f8") for each in rows])

    def _finite_scores(self, rows: bytes) -> bytes:
        """Score every row.

        Raises
        ------
        InputError
            If a score is undefined: it would be neither as large as the observed one nor smaller.
        """
        import numpy as np

        scores = self._metric.row_scores(rows)
        if self._core is None:
            undefined = np.count_nonzero(~np.isfinite(np.frombuffer(scores, "<f8")))
            if undefined:
                raise InputError(
                    f"{self._metric.name} is undefined or infinite for {undefined:,} of "
                    f"{len(scores) // 8:,} resamples, so it has no interval and no test"
                )
        return scores
