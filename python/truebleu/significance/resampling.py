"""Bootstrap samples and random swaps of rows, in pieces that fit into memory.

Works with any metric. A metric in the Rust core is scored there; for a metric in Python, the core
sums the rows and returns the sums.
"""

from __future__ import annotations

from operator import add, itemgetter

import numpy as np

from truebleu._core import Units, add_rows
from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from truebleu.metrics.metric import Metric
    from truebleu.significance.inference import Floats

# Additions between two checks for Ctrl-C: a few hundredths of a second.
_PIECE = 2**28

# Scoring a pair takes as long as so many additions.
_SCORING = 250

# Scores of samples, or counts in their sums, that are in memory at the same time.
_SCORES = 2**21

# Differences within this fraction of the sum of both scores are ties, to allow for rounding.
_TIE = 1e-12


class Resampler:
    """Resamples the statistics of several systems, each a table with one row per unit.

    For the same data, results depend on the seed and on nothing else, including the number of
    threads. `progress` is called with the number of trials done since the last call. Bootstrap
    samples have as many units of each of the `strata` (a number for each unit) as the data.
    """

    enumerates = True
    """Whether :meth:`permute` counts all swaps of a pair that differs in few units."""

    def __init__(
        self,
        tables: Sequence[NDArray[np.int64]],
        metric: Metric,
        seed: int,
        threads: int,
        progress: Callable[[int], None],
        strata: Sequence[int] | None = None,
    ) -> None:
        self.tables = tables
        self._metric = metric
        self._core = metric._core
        self._seed = seed
        self._threads = threads
        self._progress = progress
        count, width = tables[0].shape
        self.width = width
        self._rows = [table.astype("<i8").tobytes() for table in tables]
        self._units = Units(self._rows, width)
        self._loaded = list(range(len(tables)))
        self._totals = [np.frombuffer(add_rows(each, metric.fields), "<i8") for each in self._rows]
        self.count = count
        self._strata = [np.arange(count)]
        if strata is not None:
            numbers = np.array(strata, np.int64)
            self._strata = [np.flatnonzero(numbers == each) for each in range(max(strata) + 1)]
        # What a sample can vary with, + 1: strata have as many units each as the data.
        self.effective_count = count - len(self._strata) + 1
        self.higher_is_better = metric.higher_is_better
        self._scores: Floats | None = None
        self._known_sizes: Floats | None = None

    def _of(self, systems: list[int]) -> Units:
        """Return the units of some systems: those of the others are not summed."""
        if systems != self._loaded:
            self._loaded = systems
            self._units = Units([self._rows[system] for system in systems], self.width)
        return self._units

    def _parts(self, systems: list[int]) -> list[Units]:
        """Return the units of each stratum, of some systems."""
        return [
            Units([self.tables[each][rows].astype("<i8").tobytes() for each in systems], self.width)
            for rows in self._strata
        ]

    def _pieces(
        self, trials: range, systems: Sequence[int], largest: int, scored: int = 0
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each piece of the trials, and report progress."""
        size = min(_PIECE // (self.count * self.width * len(systems) + scored), largest)
        size = max(self._threads, size)
        for start in range(trials.start, trials.stop, size):
            stop = min(start + size, trials.stop)
            yield start, stop
            self._progress(stop - start)

    def bootstrap(self, samples: range, systems: list[int]) -> Iterator[Floats]:
        """Score bootstrap samples (units drawn with replacement), in pieces: a row per system."""
        numbers = len(systems) * (1 if self._core else self.width)
        stratified = len(self._strata) > 1
        parts = self._parts(systems) if stratified else [self._of(systems)]
        if stratified:
            numbers = len(systems) * self.width
        for start, stop in self._pieces(samples, systems, _SCORES // numbers):
            draw = (start, stop, self._threads)
            if self._core is not None and not stratified:
                scores = parts[0].bootstrap(self._core, self._seed, *draw)
            else:
                # Each stratum has random numbers of its own.
                sums = [
                    np.frombuffer(part.bootstrap_sums((self._seed + each) % 2**64, *draw), "<i8")
                    for each, part in enumerate(parts)
                ]
                scores = self._finite_scores(np.sum(sums, axis=0).astype("<i8").tobytes())
            table = np.frombuffer(scores, "<f8").reshape(stop - start, -1).astype(np.float64)
            yield np.ascontiguousarray(table.T)

    def randomize(
        self, pairs: list[tuple[int, int]], trials: range, *, one_sided: bool
    ) -> list[int]:
        """Swap the units of pairs of systems at random, and count extreme trials of each pair.

        In these, the absolute difference was at least as large as the observed one; one-sided, the
        difference was at least as much in favor of the first system.
        """
        systems = systems_of(pairs)
        units = self._of(systems)
        place = {system: index for index, system in enumerate(systems)}
        ordered = [self._in_order(*pair) for pair in pairs]
        places = [(place[one], place[other]) for one, other in ordered]
        extreme = [0] * len(pairs)
        size = len(trials) if self._core else _SCORES // (2 * len(pairs) * self.width)
        for start, stop in self._pieces(trials, systems, size, _SCORING * len(pairs)):
            draw = (places, self._seed, start, stop, self._threads)
            if self._core is not None:
                tallies = units.randomize(self._core, *draw)
            else:
                tallies = self._tallies(units.swap_sums(*draw), ordered)
            found = map(itemgetter(one_sided), tallies)
            extreme = [*map(add, extreme, found)]
        return extreme

    def importance(
        self, pairs: list[tuple[int, int]], errors: float, trials: int, *, one_sided: bool
    ) -> list[float]:
        """Return p-values by importance sampling, most precise at so many standard errors."""
        if self._core is None:
            raise NotImplementedError
        units = self._of(list(range(len(self.tables))))
        p_values: list[float] = []
        ordered = [self._in_order(*pair) for pair in pairs]
        for start, stop in self._pieces(range(len(pairs)), range(trials), len(pairs)):
            how = (errors, one_sided, trials, self._seed, self._threads)
            p_values += units.importance(self._core, ordered[start:stop], *how)
        return p_values

    def permute(self, one: int, other: int, *, one_sided: bool) -> tuple[int, int]:
        """Return the count of :meth:`randomize` over all possible swaps, and their number."""
        pair = self._in_order(one, other)
        units = self._of(list(range(len(self.tables))))
        if self._core is not None:
            either, better, ways = units.permute(self._core, *pair, self._threads)
            return (better if one_sided else either), ways
        ways = 2 ** self.differing(one, other)
        if ways == 1:
            return 1, 1
        extreme = 0
        size = max(1, _SCORES // (2 * self.width))
        for start in range(0, ways // 2, size):
            sums = units.permute_sums(*pair, start, min(ways // 2, start + size))
            # The other half of the ways exchanges the sums of these.
            for each, direction in ((sums, 1), (sums, -1)):
                [tally] = self._tallies(each, [pair], direction)
                extreme += tally[one_sided]
        return extreme, ways

    def _in_order(self, one: int, other: int) -> tuple[int, int]:
        """Order a pair so that a positive difference of scores favors `one`."""
        return (one, other) if self.higher_is_better else (other, one)

    def _tallies(
        self, sums: bytes, pairs: list[tuple[int, int]], direction: int = 1
    ) -> list[tuple[int, int]]:
        """Count extreme differences, two-sided and one-sided, given the sums after swaps."""
        return tallied(self, pairs, direction * self._differences(sums, len(pairs)))

    def _differences(self, sums: bytes, pairs: int) -> Floats:
        """Score the sums after swaps of some pairs, and return their differences."""
        scores = np.frombuffer(self._finite_scores(sums), "<f8").reshape(-1, pairs, 2)
        return np.asarray(scores[:, :, 0] - scores[:, :, 1])

    def swapped(self, pairs: list[tuple[int, int]], start: int, stop: int) -> Floats:
        """Return the differences of some pairs after swaps: a row per trial."""
        systems = systems_of(pairs)
        place = {system: index for index, system in enumerate(systems)}
        places = [(place[one], place[other]) for one, other in pairs]
        sums = self._of(systems).swap_sums(places, self._seed, start, stop, self._threads)
        return self._differences(sums, len(pairs))

    def tie(self, one: int, other: int) -> float:
        """Return how close differences of two systems must be to count as equal."""
        sizes = self._sizes()
        return _TIE * float(sizes[one] + sizes[other])

    def _sizes(self) -> Floats:
        """Return the size of what rounding errors are relative to, for each system."""
        if self._known_sizes is None:
            self._known_sizes = np.abs(self.scores())
            if self._metric._is_average:
                # An average may be near 0 although the scores are not.
                points = [self._metric._row_scores(rows) for rows in self._rows]
                means = [np.abs(np.frombuffer(each, "<f8")).mean() for each in points]
                self._known_sizes = np.array(means, np.float64)
        return self._known_sizes

    def differing(self, one: int, other: int) -> int:
        """Return the number of units in which two systems differ."""
        return int((self.tables[one] != self.tables[other]).any(axis=1).sum())

    def scores(self) -> Floats:
        """Score the systems."""
        if self._scores is None:
            self._scores = self._score(self._totals)[:, 0]
        return self._scores

    def left_out(self) -> Floats:
        """Score the systems with each unit left out in turn (jackknife): a row per system."""
        pairs = zip(self._totals, self.tables, strict=True)
        return self._score([total - table for total, table in pairs])

    def weighted(self, counts: NDArray[np.int64]) -> Floats:
        """Score the systems on so many of each unit, for each row of counts: a row per system."""
        return self._score([counts @ table for table in self.tables])

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

    enumerates = False

    def __init__(self, parts: Sequence[Resampler], progress: Callable[[int], None]) -> None:
        self._parts = parts
        self._progress = progress
        self.higher_is_better = parts[0].higher_is_better
        self.effective_count = 1 + sum(part.effective_count - 1 for part in parts)
        self.width = parts[0].width

    def _mean(self, arrays: Iterable[Floats]) -> Floats:
        return np.asarray(sum(arrays) / len(self._parts))

    def _pieces(self, trials: range, numbers: int) -> Iterator[tuple[int, int]]:
        size = max(1, _SCORES // numbers)
        for start in range(trials.start, trials.stop, size):
            stop = min(start + size, trials.stop)
            yield start, stop
            self._progress(stop - start)

    def scores(self) -> Floats:
        """Return the mean score of each system."""
        return self._mean(part.scores() for part in self._parts)

    def left_out(self) -> Floats:
        """Score the systems without each unit of each set in turn; sets are centered."""
        of_sets = [part.left_out() for part in self._parts]
        gaps = [(each - each.mean(axis=1, keepdims=True)) / len(of_sets) for each in of_sets]
        return np.concatenate(gaps, axis=1) + self.scores()[:, None]

    def differing(self, one: int, other: int) -> int:
        """Return the number of units, of all sets, in which two systems differ."""
        return sum(part.differing(one, other) for part in self._parts)

    def tie(self, one: int, other: int) -> float:
        """Return how close differences of two systems must be to count as equal."""
        return max(part.tie(one, other) for part in self._parts)

    def bootstrap(self, samples: range, systems: list[int]) -> Iterator[Floats]:
        """Score bootstrap samples of all sets, in pieces: a row per system."""
        for start, stop in self._pieces(samples, len(systems)):
            yield self._mean(
                np.concatenate(list(part.bootstrap(range(start, stop), systems)), axis=1)
                for part in self._parts
            )

    def randomize(
        self, pairs: list[tuple[int, int]], trials: range, *, one_sided: bool
    ) -> list[int]:
        """Swap units within sets, and count extreme trials, as a :class:`Resampler` does."""
        if not self.higher_is_better:
            pairs = [(other, one) for one, other in pairs]
        extreme = [0] * len(pairs)
        for start, stop in self._pieces(trials, 2 * len(pairs) * self.width):
            differences = self.swapped(pairs, start, stop)
            for index, tally in enumerate(tallied(self, pairs, differences)):
                extreme[index] += tally[one_sided]
        return extreme

    def swapped(self, pairs: list[tuple[int, int]], start: int, stop: int) -> Floats:
        """Return the differences of some pairs after swaps within sets: a row per trial."""
        return self._mean(part.swapped(pairs, start, stop) for part in self._parts)

    def permute(self, one: int, other: int, *, one_sided: bool) -> tuple[int, int]:
        """Do nothing: all swaps of all sets would be too many."""
        raise NotImplementedError


def tallied(
    resampler: Resampler | SetsResampler, pairs: list[tuple[int, int]], differences: Floats
) -> list[tuple[int, int]]:
    """Count extreme differences after swaps, two-sided and one-sided: a row per trial."""
    systems = resampler.scores()
    observed = np.array([systems[one] - systems[other] for one, other in pairs])
    ties = np.array([resampler.tie(one, other) for one, other in pairs])
    either = np.count_nonzero(np.abs(differences) >= np.abs(observed) - ties, axis=0)
    better = np.count_nonzero(differences >= observed - ties, axis=0)
    return list(zip(either.tolist(), better.tolist(), strict=True))


def systems_of(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return the systems of some pairs, each once."""
    return sorted({system for pair in pairs for system in pair})
