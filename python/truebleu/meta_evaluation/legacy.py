"""Measures and tests as mt-metrics-eval computes them (at its commit 68a481a), digit by digit.

Sums are in the order in which it adds them up, with SciPy 1.17, since a test counts how often a
difference is reached, and ties are frequent.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from truebleu.errors import SettingsError, SettingsWarning, warn
from truebleu.meta_evaluation import LEGACIES
from truebleu.meta_evaluation.judged import Outputs
from truebleu.meta_evaluation.measures import MOST_PAIRS
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats, Scores
    from truebleu.meta_evaluation.measures import Measure

# A test of its tasks stops after a multiple of so many draws, outside of these p-values.
_AT_ONCE, _LEAST, _MOST = 100, 0.02, 0.5

# Swaps of its soft pairwise accuracy, and their seed.
_SWAPS, _SWAPS_SEED = 1000, 4


def check(legacy: Any, seed: int) -> None:
    """Refuse another program, and what is no seed of its generator."""
    if not isinstance(legacy, str) or legacy not in LEGACIES:
        raise unknown_name("legacy", legacy, LEGACIES)
    if seed >= 1 << 32:
        raise SettingsError(f"seed is {seed}; for legacy, one below 2**32 is needed")


class Task:
    """A measure of some outputs."""

    def __init__(self, name: str, measure: Measure, outputs: Outputs, seed: int) -> None:
        self.name = name
        self._kind = name.partition(":")[0]
        self._measure = measure
        self._ones = np.ones((1, outputs.segments))
        gold = outputs.gold.segments
        if measure.of_systems:
            gold = outputs.gold.of_systems(self._ones).T
        together = measure.of_systems or self._kind == "spa"
        judged = Outputs(gold)
        self._places, sizes = judged.groups("none" if together else measure.grouping)
        self._sizes = [size for size in sizes if size]
        self._starts = np.cumsum([0, *self._sizes]).tolist()
        self._gold = gold.ravel()[self._places]
        self._judged = judged
        self._random = np.random.RandomState(seed)

    def value(self, scores: Scores) -> float:
        """Return the value of a metric: 0 where it is undefined."""
        metric = self._taken(scores)
        if self._kind == "acc-eq":
            return self._pairs.calibrated(metric)[0]
        found: Iterable[float]
        if self._kind == "pearson-of-differences":
            found = [_pearson(*map(self._differences, (self._judged.gold, scores)))]
        else:
            found = self._of_groups(metric)
        known = [float(each) for each in found if not np.isnan(each)]
        return sum(known) / len(known) if known else 0.0

    def tested(
        self, pairs: Iterable[tuple[str, str]], metrics: Mapping[str, Scores], draws: int
    ) -> list[tuple[float, bool]]:
        """Return p-values of tests whether the first metric is better; nothing without a test."""
        if self._kind == "pearson-of-differences":
            return []
        return [
            (self._p_value([self._taken(metrics[each]) for each in pair], draws), False)
            for pair in pairs
        ]

    def _p_value(self, tables: list[Floats], draws: int) -> float:
        if self._kind == "acc-eq":
            return self._by_pairs(tables, draws)
        one, other = map(_standardized, tables)
        observed = self._average(one) - self._average(other)
        reached = draw = 0
        for draw in range(1, draws + 1):
            kept = self._random.binomial(1, 0.5, len(one))
            swapped = 1 - kept
            hybrids = swapped * other + kept * one, swapped * one + kept * other
            reached += self._average(hybrids[0]) - self._average(hybrids[1]) >= observed
            if _decided(reached, draw):
                break
        return reached / draw

    def _by_pairs(self, tables: list[Floats], draws: int) -> float:
        """Swap the outcomes of pairs of outputs, each metric at its own threshold."""
        pairs = self._pairs
        right = [pairs.right(each, pairs.calibrated(each)[1]) for each in tables]
        observed = pairs.average(right[0]) - pairs.average(right[1])
        # It draws a square for each group, and uses the part above the diagonal.
        above = [np.triu(np.ones((size, size), np.bool_), 1).ravel() for size in self._sizes]
        used = np.concatenate(above)
        reached = draw = 0
        for draw in range(1, draws + 1):
            kept = self._random.binomial(1, 0.5, len(used))[used] == 1
            hybrids = np.where(kept, *right), np.where(kept, *right[::-1])
            if pairs.average(hybrids[0]) - pairs.average(hybrids[1]) >= observed:
                reached += 1
                # Other draws do not stop it.
                if _decided(reached, draw):
                    break
        return reached / draw

    def _taken(self, scores: Scores) -> Floats:
        """Return the scores of a metric, in the order of the gold scores."""
        table = scores.segments
        if self._measure.of_systems:
            table = scores.of_systems(self._ones).T
        taken: Floats = table.ravel()[self._places]
        return taken

    def _average(self, metric: Floats) -> float:
        found = np.array(list(self._of_groups(metric)))
        found = found[~np.isnan(found)]
        return float(found.mean()) if len(found) else 0.0

    def _of_groups(self, metric: Floats) -> Iterable[float]:
        """Return the value of each group."""
        kind = self._kind.removeprefix("system-")
        if kind == "spa":
            return [1.0 - float(np.abs(self._expected - self._p_values(metric)).mean())]
        if kind == "acc" and np.isnan(metric).any():
            # Its sorting takes scores that are NaN, all of them, for the order of the gold scores.
            return self._pairs.accuracies(self._pairs.differ)
        if kind in ("acc", "pairwise-accuracy"):
            return self._pairs.accuracies(self._pairs.right(metric, 0.0))
        if kind == "kendall":
            return self._pairs.taus(metric)
        bounds = zip(self._starts[:-1], self._starts[1:], strict=True)
        return [_pearson(self._gold[start:end], metric[start:end]) for start, end in bounds]

    def _differences(self, scores: Scores) -> Floats:
        """Return all differences within segments, in both directions."""
        tables = [each.segments.T for each in (self._judged.gold, scores)]
        gold, table = (each[:, np.newaxis, :] - each[:, :, np.newaxis] for each in tables)
        differences: Floats = table[~np.isnan(gold)]
        return differences

    @cached_property
    def _pairs(self) -> _Pairs:
        return _Pairs(self._gold, self._sizes)

    @cached_property
    def _signs(self) -> NDArray[np.float32]:
        segments = len(self._gold) // self._judged.systems
        if segments * self._judged.systems < len(self._gold):
            raise SettingsError(
                f"mt-metrics-eval has no spa of {len(self._gold):,} scores of "
                f"{self._judged.systems} systems: people must have judged equally many outputs of "
                "each; leave legacy out"
            )
        if not (self._judged.known == self._judged.known[0]).all():
            warn(
                "spa compares different segments, as mt-metrics-eval does: people judged outputs "
                "of some systems only",
                SettingsWarning,
            )
        random = np.random.default_rng(_SWAPS_SEED)
        drawn = random.random((_SWAPS, segments), dtype=np.float32)
        signs: NDArray[np.float32] = np.rint(drawn) * np.float32(2) - np.float32(1)
        return signs

    @cached_property
    def _expected(self) -> Floats:
        return self._p_values(self._gold)

    def _p_values(self, scores: Floats) -> Floats:
        signs = self._signs
        table = scores.astype(np.float32).reshape(self._judged.systems, -1)
        sums, drawn = table.sum(axis=1), signs @ table.T
        one, other = np.triu_indices(len(table), 1)
        reached = drawn[:, one] - drawn[:, other] >= sums[one] - sums[other]
        p_values: Floats = reached.sum(axis=0) / len(drawn)
        return p_values


class _Pairs:
    """The pairs of outputs of each group."""

    def __init__(self, gold: Floats, sizes: list[int]) -> None:
        counts = [size * (size - 1) // 2 for size in sizes if size > 1]
        if sum(counts) > MOST_PAIRS:
            raise SettingsError(
                f"there are {sum(counts):,} pairs of outputs, and legacy takes up to "
                f"{MOST_PAIRS:,}: choose a measure by item"
            )
        starts = np.cumsum([0, *sizes[:-1]])
        places = [
            start + np.array(np.triu_indices(size, 1))
            for start, size in zip(starts, sizes, strict=True)
        ]
        self._one, self._other = np.concatenate(places, axis=1)
        self._counts = np.array(counts)
        self._group = np.repeat(np.arange(len(counts)), counts)
        self._signs = np.sign(gold[self._one] - gold[self._other])
        self.differ = self._signs != 0

    def right(self, metric: Floats, threshold: float) -> NDArray[np.bool_]:
        """Return whether each pair is ordered as it should be."""
        gaps = metric[self._one] - metric[self._other]
        signs = np.where(np.abs(gaps) <= threshold, 0.0, np.sign(gaps))
        right: NDArray[np.bool_] = signs == self._signs
        return right

    def accuracies(self, right: NDArray[np.bool_]) -> Floats:
        """Return the share of right pairs in each group that has pairs."""
        found: Floats = self._sums(right) / self._counts
        return found

    def average(self, right: NDArray[np.bool_]) -> float:
        return float(self.accuracies(right).mean()) if len(self._counts) else 0.0

    def taus(self, metric: Floats) -> Floats:
        """Return tau-b of each group."""
        signs = np.sign(metric[self._one] - metric[self._other])
        with np.errstate(invalid="ignore", divide="ignore"):
            tau = self._sums(signs * self._signs)
            for each in (self._signs, signs):
                tau = tau / np.sqrt(self._sums(each != 0))
        found: Floats = np.clip(tau, -1.0, 1.0)
        return found

    def calibrated(self, metric: Floats) -> tuple[float, float]:
        """Return the best average accuracy and its threshold, with the rounding of updates."""
        if not len(self._counts):
            return 0.0, 0.0
        gaps = np.abs(metric[self._one] - metric[self._other])
        right = self.right(metric, 0.0)
        order = np.argsort(gaps, kind="stable")
        gains = ((self._signs == 0).astype(int) - right)[order]
        group = self._group[order]
        # The number of right pairs of the group after each update.
        by_group = np.argsort(group, kind="stable")
        sums = np.cumsum(gains[by_group])
        first = np.cumsum(self._counts) - self._counts
        before = np.concatenate([[0], sums])[first] - self._sums(right).astype(int)
        after = np.empty(len(gaps))
        after[by_group] = sums - np.repeat(before, self._counts)
        parts = [-(after - gains) / self._counts[group], after / self._counts[group]]
        total = sum(self.accuracies(right).tolist())
        updates = np.concatenate([[total], np.column_stack(parts).ravel()])
        averages = np.cumsum(updates)[::2] / len(self._counts)
        thresholds = np.concatenate([[0.0], gaps[order]])
        # Of equal thresholds, the last.
        last = np.append(thresholds[1:] != thresholds[:-1], True)
        best = int(np.argmax(averages[last]))
        return float(averages[last][best]), float(thresholds[last][best])

    def _sums(self, values: NDArray[Any]) -> Floats:
        sums: Floats = np.bincount(self._group, values, len(self._counts)).astype(np.float64)
        return sums


def clusters(names: list[str], undecided: list[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return metrics by rank: a new one begins where a metric of the same rank is better."""
    found: list[list[str]] = []
    for name in names:
        if found and all((better, name) in undecided for better in found[-1]):
            found[-1].append(name)
        else:
            found.append([name])
    return tuple(map(tuple, found))


def _decided(reached: int, draw: int) -> bool:
    return draw % _AT_ONCE == 0 and not _LEAST <= reached / draw <= _MOST


def _standardized(scores: Floats) -> Floats:
    """Return z-scores; NaN if all are equal."""
    mean = scores.mean()
    gaps = scores - mean
    deviation = np.sqrt((gaps * gaps).mean())
    if deviation <= abs(np.finfo(np.float64).eps * mean):
        return np.full(scores.shape, np.nan)
    standardized: Floats = gaps / deviation
    return standardized


def _pearson(one: Floats, other: Floats) -> float:
    """Return Pearson's r as SciPy does; NaN if one side is constant."""
    if len(one) < 2 or (one == one[0]).all() or (other == other[0]).all():
        return float("nan")
    units = []
    for each in (one, other):
        gaps = each - each.mean()
        most = np.abs(gaps).max()
        parts = gaps / most
        units.append(gaps / (most * np.sqrt(np.add.reduce(parts * parts))))
    r = float(np.clip(np.dot(*units), -1.0, 1.0))
    return float(np.round(r)) if len(one) == 2 else r
