"""Samples and swaps of statistics, piece by piece.

What the statistics are, and what makes a score of them, is none of the business of this module.
"""

from __future__ import annotations

from truebleu._core import Engine, Units, add_rows

# With at most so many units that differ, all swaps are counted.

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.significance.inference import Floats

    Progress = Callable[[float], None]

# Numbers to add between two looks at Ctrl-C: some hundredths of a second.
_PIECE = 2**28

# Scores of samples in memory at a time.
_SCORES = 2**21


class Resampler:
    """The statistics of some systems, ready to be resampled.

    Parameters
    ----------
    tables : sequence of ndarray of int64, shape (units, width)
        For each system a row for each unit; rows add.
    scorer : Engine
        Makes scores of rows.
    seed : int
        From 0 to 2**64 - 1. Results depend on nothing else, not on the number of threads either.
    threads : int
    progress : callable
        Is told from time to time how many trials have been done since it was told last.
    """

    def __init__(
        self,
        tables: Sequence[NDArray[np.int64]],
        scorer: Engine,
        seed: int,
        threads: int,
        progress: Callable[[int], None],
    ) -> None:
        """Put the tables side by side."""
        import numpy as np

        self._tables = tables
        self._scorer = scorer
        self._seed = seed
        self._threads = threads
        self._progress = progress
        count, width = tables[0].shape
        self._width = width
        rows = [table.astype("<i8").tobytes() for table in tables]
        self._units = Units(rows, width)
        self._totals = [np.frombuffer(add_rows(each, width), "<i8") for each in rows]
        self._piece = max(threads, _PIECE // (count * width * len(tables)))

    def _pieces(self, trials: int, most: int | None = None) -> Iterator[tuple[int, int]]:
        size = self._piece if most is None else min(self._piece, most)
        for start in range(0, trials, size):
            stop = min(start + size, trials)
            yield start, stop
            self._progress(stop - start)

    def bootstrap(self, samples: int) -> Iterator[Floats]:
        """Score samples of the units, drawn with replacement.

        Yields
        ------
        ndarray of float64, shape (systems, samples of a piece)
        """
        import numpy as np

        most = max(self._threads, _SCORES // len(self._tables))
        for start, stop in self._pieces(samples, most):
            drawn = self._units.bootstrap(self._scorer, self._seed, start, stop, self._threads)
            found = np.frombuffer(drawn, "<f8").reshape(stop - start, -1).astype(np.float64)
            yield np.ascontiguousarray(found.T)

    def randomise(self, pairs: list[tuple[int, int]], trials: int) -> list[tuple[int, int]]:
        """Swap the units of two systems at random.

        Returns
        -------
        list of tuple of int
            For each pair in how many trials the difference was at least as large as the observed
            one, and in how many at least as high.
        """
        either, higher = [0] * len(pairs), [0] * len(pairs)
        for start, stop in self._pieces(trials):
            found = self._units.randomise(
                self._scorer, pairs, self._seed, start, stop, self._threads
            )
            for index, counts in enumerate(found):
                either[index] += counts[0]
                higher[index] += counts[1]
        return list(zip(either, higher, strict=True))

    def permute(self, one: int, other: int) -> tuple[int, int, int]:
        """Swap the units of two systems in all ways; the same counts, and how many ways."""
        return self._units.permute(self._scorer, one, other)

    def differing(self, one: int, other: int) -> int:
        """Return in how many units two systems differ."""
        return self._units.differing(one, other)

    def scores(self) -> Floats:
        """Score the systems.

        Returns
        -------
        ndarray of float64, shape (systems,)
        """
        return self._score(self._totals)[:, 0]

    def left_out(self) -> Floats:
        """Score the systems without each unit.

        Returns
        -------
        ndarray of float64, shape (systems, units)
        """
        pairs = zip(self._totals, self._tables, strict=True)
        return self._score([total - table for total, table in pairs])

    def _score(self, tables: Sequence[NDArray[np.int64]]) -> Floats:
        """Score every row of some tables."""
        import numpy as np

        scores = [self._scorer.score_rows(table.astype("<i8").tobytes()) for table in tables]
        rows = [max(1, table.size // self._width) for table in tables]
        # With several lists of weights, the scores of the first.
        return np.array(
            [
                np.frombuffer(each, "<f8").reshape(count, -1)[:, 0]
                for each, count in zip(scores, rows, strict=True)
            ]
        )
