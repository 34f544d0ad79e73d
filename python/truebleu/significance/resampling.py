"""Bootstrap samples of rows, and swaps of what units contribute to scores, in pieces.

Works with any metric. A metric in the Rust core is scored there; for a metric in Python, the core
sums the rows and returns the sums.

A swap exchanges the outputs of two systems in a unit. If scores are linear near those observed,
that changes the sign of what the unit contributes to their difference: its influence on it (the
delta method), and a share of it, as large as the unit. Swaps leave the sum of
squares of these as it is, so comparing differences after swaps is comparing differences over their
standard errors. Such a test also holds its level for systems of equal score whose outputs are not
interchangeable (Chung and Romano 2013, *Exact and Asymptotically Robust Permutation Tests*).
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property

import numpy as np

from truebleu._core import Contributions, Units, add_rows, swap_all
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from truebleu.metrics.metric import Metric
    from truebleu.significance.inference import Floats

    # Called with how many samples and trials are done, and how many there are.
    Progress = Callable[[int, int], None]

# Additions between two checks for Ctrl-C: a few hundredths of a second.
_PIECE = 2**28

# Scores of samples, or counts in their sums, that are in memory at the same time.
_SCORES = 2**21

# Differences within this fraction of the sum of both scores are ties, to allow for rounding.
_TIE = 1e-10


class Swapping:
    """Swaps of the outputs of two systems in each unit, of one set or of several."""

    def __init__(self, resampler: Resampler | SetsResampler) -> None:
        self._resampler = resampler
        self._loaded: tuple[list[int], Contributions] | None = None

    @cached_property
    def _contributed(self) -> tuple[Floats, Floats]:
        return self._resampler.contributions()

    def _of(self, systems: list[int]) -> Contributions:
        """Return what can be swapped of some systems."""
        if self._loaded is None or self._loaded[0] != systems:
            influences, shares = (each[systems] for each in self._contributed)
            self._loaded = systems, Contributions(influences, shares, len(systems))
        return self._loaded[1]

    def randomize(self, pairs: list[tuple[int, int]], trials: range) -> list[int]:
        """Swap the units of pairs of systems at random, and count extreme trials of each pair.

        In these, the absolute difference was at least as large as the observed one.
        """
        seed, threads = self._resampler.seed, self._resampler.threads
        systems = sorted({system for pair in pairs for system in pair})
        swaps = self._of(systems)
        place = {system: index for index, system in enumerate(systems)}
        scores = self._resampler.scores
        tested = []
        for one, other in pairs:
            difference = float(scores[one] - scores[other])
            tie = self._resampler.tie(one, other)
            tested.append((place[one], place[other], difference, tie))
        extreme = np.zeros(len(pairs), np.int64)
        units = self._contributed[0].shape[1]
        size = max(threads, _PIECE // (len(systems) * units + len(pairs)))
        for start in range(trials.start, trials.stop, size):
            stop = min(start + size, trials.stop)
            extreme += swaps.swap(tested, seed, start, stop, threads)
            self._resampler.progress(stop - start)
        found: list[int] = extreme.tolist()
        return found

    def permute(self, one: int, other: int) -> tuple[int, int]:
        """Return the count of :meth:`randomize` over all possible swaps, and their number.

        Units in which both systems are the same are not swapped.
        """
        influences, shares = self._contributed
        scores = self._resampler.scores
        values = influences[one] - influences[other]
        values += (scores[one] - scores[other]) * (shares[one] + shares[other]) / 2
        values = values[self._resampler.differ(one, other)]
        return swap_all(values, float(values.sum()), self._resampler.tie(one, other))


class Resampler:
    """Resamples the statistics of several systems, each a table with one row per unit.

    For the same data, results depend on the seed and on nothing else, including the number of
    threads. `progress` is called with the number of trials done since the last call.
    """

    def __init__(
        self,
        tables: Sequence[NDArray[np.int64]],
        metric: Metric,
        seed: int = 0,
        threads: int = 1,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.tables = tables
        self._metric = metric
        self._core = metric._core
        self.seed = seed
        self.threads = threads
        self.progress = progress
        count, width = tables[0].shape
        self.width = width
        self._rows = [table.astype("<i8").tobytes() for table in tables]
        self._units = Units(self._rows, width)
        self._totals = [np.frombuffer(add_rows(each, metric.fields), "<i8") for each in self._rows]
        self.count = count
        self.effective_count = count
        self.higher_is_better = metric.higher_is_better

    def bootstrap(self, samples: range) -> Iterator[Floats]:
        """Score bootstrap samples (units drawn with replacement), in pieces: a row per system."""
        systems = len(self.tables)
        numbers = systems * (1 if self._core else self.width)
        size = min(_PIECE // (self.count * self.width * systems), _SCORES // numbers)
        size = max(self.threads, size)
        for start in range(samples.start, samples.stop, size):
            stop = min(start + size, samples.stop)
            draw = (self.seed, start, stop, self.threads)
            if self._core is not None:
                scores = self._units.bootstrap(self._core, *draw)
            else:
                scores = self._finite_scores(self._units.bootstrap_sums(*draw))
            table = np.frombuffer(scores, "<f8").reshape(stop - start, -1).astype(np.float64)
            yield np.ascontiguousarray(table.T)
            self.progress(stop - start)

    def tie(self, one: int, other: int) -> float:
        """Return how close differences of two systems must be to count as equal."""
        return _TIE * float(self._sizes[one] + self._sizes[other])

    @cached_property
    def _sizes(self) -> Floats:
        """The size of what rounding errors are relative to, for each system."""
        if not self._metric._is_average:
            return np.abs(self.scores)
        # An average may be near 0 although the scores are not.
        points = [self._metric._row_scores(rows) for rows in self._rows]
        return np.array([np.abs(np.frombuffer(each, "<f8")).mean() for each in points], np.float64)

    def differ(self, one: int, other: int) -> NDArray[np.bool_]:
        """Return in which units two systems differ."""
        return np.asarray((self.tables[one] != self.tables[other]).any(axis=1))

    def contributions(self) -> tuple[Floats, Floats]:
        """Return the influences of units, and their shares.

        Without a unit that has a share w of all counts, a score changes by its influence over
        1 - w, but what the unit adds to the variance calls for the root of that (HC2 of MacKinnon
        and White 1985, *Some heteroskedasticity-consistent covariance matrix estimators*). If all
        units are of one size, influences stay what they are.
        """
        sizes = np.array([self._metric._sizes(table) for table in self.tables], np.float64)
        totals = sizes.sum(axis=1, keepdims=True)
        shares = np.divide(sizes, totals, out=np.full_like(sizes, 1 / self.count), where=totals > 0)
        influences = self.scores[:, None] - self.left_out()
        influences *= np.sqrt((1 - shares) * (1 - 1 / self.count))
        influences -= shares * influences.sum(axis=1, keepdims=True)
        return influences, shares

    @cached_property
    def scores(self) -> Floats:
        """The score of each system."""
        return self._score(self._totals)[:, 0]

    def left_out(self) -> Floats:
        """Score the systems with each unit left out in turn (jackknife): a row per system."""
        pairs = zip(self._totals, self.tables, strict=True)
        return self._score([total - table for total, table in pairs])

    def _score(self, tables: Sequence[NDArray[np.int64]]) -> Floats:
        rows = [table.astype("<i8").tobytes() for table in tables]
        return np.array([np.frombuffer(self._finite_scores(each), "<f8") for each in rows])

    def _finite_scores(self, rows: bytes) -> bytes:
        scores = self._metric._row_scores(rows)
        if self._core is None:
            undefined = np.count_nonzero(~np.isfinite(np.frombuffer(scores, "<f8")))
            if undefined:
                raise InputError(
                    f"{self._metric.name} is undefined or infinite for {undefined:,} of "
                    f"{len(scores) // 8:,} resamples, so it has no interval and no test"
                )
        return scores


class SetsResampler:
    """Resamples several test sets together, each by itself: what varies are means over sets.

    `parts` resample a set each; a :class:`Resampler` has the same methods. Random numbers of sets
    must differ.
    """

    def __init__(self, parts: Sequence[Resampler], progress: Callable[[int], None]) -> None:
        self._parts = parts
        self.progress = progress
        self.seed, self.threads = parts[0].seed, parts[0].threads
        self.higher_is_better = parts[0].higher_is_better
        self.effective_count = 1 + sum(part.effective_count - 1 for part in parts)

    def _mean(self, arrays: Iterable[Floats]) -> Floats:
        return np.asarray(sum(arrays) / len(self._parts))

    @property
    def scores(self) -> Floats:
        """The mean score of each system."""
        return self._mean(part.scores for part in self._parts)

    def left_out(self) -> Floats:
        """Score the systems without each unit of each set in turn; sets are centered."""
        of_sets = [part.left_out() for part in self._parts]
        gaps = [(each - each.mean(axis=1, keepdims=True)) / len(of_sets) for each in of_sets]
        return np.concatenate(gaps, axis=1) + self.scores[:, None]

    def differ(self, one: int, other: int) -> NDArray[np.bool_]:
        """Return in which units, of all sets, two systems differ."""
        return np.concatenate([part.differ(one, other) for part in self._parts])

    def contributions(self) -> tuple[Floats, Floats]:
        """Return the influences of the units of all sets on mean scores, and their shares."""
        of_sets = zip(*(part.contributions() for part in self._parts), strict=True)
        influences, shares = (np.concatenate(each, axis=1) / len(self._parts) for each in of_sets)
        return influences, shares

    def tie(self, one: int, other: int) -> float:
        """Return how close differences of two systems must be to count as equal."""
        return max(part.tie(one, other) for part in self._parts)

    def bootstrap(self, samples: range) -> Iterator[Floats]:
        """Score bootstrap samples of all sets, in pieces: a row per system."""
        size = max(1, _SCORES // len(self.scores))
        for start in range(samples.start, samples.stop, size):
            stop = min(start + size, samples.stop)
            yield self._mean(
                np.concatenate(list(part.bootstrap(range(start, stop))), axis=1)
                for part in self._parts
            )
            self.progress(stop - start)


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
