"""How a metric agrees with people: each measure, also in samples of segments, and after swaps."""

from __future__ import annotations

import numpy as np

from truebleu._core import JudgedTable
from truebleu.display.formatting import count
from truebleu.errors import SettingsError
from truebleu.meta_evaluation.judged import Outputs, list_of_names
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats, Scores

    Bits = NDArray[np.bool_]

MOST_PAIRS = 1 << 24
"""Pairs of outputs that are sorted in memory: two gigabytes."""

# Differences of sums that are this small beside their parts are rounding.
_ROUNDING = 1e-12

# Swaps of segments that are in memory at once.
_AT_ONCE = 1 << 10


class Measure:
    """A measure of agreement, which the core computes under the name `kind`: higher is better.

    It is averaged over groups. With `of_systems`, it is of the scores of systems, which are the
    outputs, then.
    """

    def __init__(self, kind: str, grouping: str = "none", *, of_systems: bool = False) -> None:
        self.kind, self.grouping, self.of_systems = kind, grouping, of_systems

    def value(
        self, outputs: Outputs, scores: Scores, signs: NDArray[np.uint8] | None = None
    ) -> float:
        """Return the value of all segments, NaN if it is undefined.

        With `signs`, soft pairwise accuracy is that of these swaps; see :func:`p_values`.
        """
        if self.kind == "soft" and signs is not None:
            tables = [
                np.where(outputs.known, each.segments, 0.0) for each in (outputs.gold, scores)
            ]
            gold, metric = (p_values(each, outputs.known, signs) for each in tables)
            distances = np.abs(gold - metric)[np.isfinite(gold)]
            return float(1.0 - distances.mean()) if len(distances) else float("nan")
        if self.of_systems:
            return float(self.values(outputs, scores, np.ones((1, outputs.segments)))[0])
        return self._table(outputs, self._scaled(outputs, scores.segments)).value(self.kind)

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """Return the value in each sample, NaN where it is undefined.

        Weights, of shape (samples, segments), are how often a sample contains each segment.
        """
        if self.of_systems:
            samples = zip(outputs.gold.of_systems(weights), scores.of_systems(weights), strict=True)
            return np.array([self._of_systems(gold, metric) for gold, metric in samples])
        table = self._table(outputs, self._scaled(outputs, scores.segments))
        weights = np.ascontiguousarray(weights)
        return np.frombuffer(table.sampled(self.kind, weights, outputs.segments, 1), "<f8")

    def swapped(
        self,
        outputs: Outputs,
        one: Floats,
        other: Floats,
        seed: int | None,
        draws: int = 0,
        threads: int = 1,
    ) -> Floats:
        """Return the values of two metrics after random swaps of outputs, of shape (swaps, 2).

        Without a seed, these are all swaps.
        """
        found = self._table(outputs, one, other).swapped(self.kind, seed, draws, threads)
        return np.frombuffer(found, "<f8").reshape(-1, 2)

    def _of_systems(self, gold: Floats, metric: Floats) -> float:
        """Return the value of scores of systems, of which some may have none in a sample."""
        outputs = Outputs(np.where(np.isfinite(metric), gold, np.nan)[:, np.newaxis])
        metric = self._scaled(outputs, metric[:, np.newaxis])
        return self._table(outputs, metric).value(self.kind)

    def _table(self, outputs: Outputs, one: Floats, other: Floats | None = None) -> JudgedTable:
        """Return the judged outputs in groups, with the scores of one or two metrics."""
        places, sizes = outputs.groups(self.grouping)
        pairs = sum(size * (size - 1) // 2 for size in sizes)
        if "accuracy" in self.kind and pairs > MOST_PAIRS:
            raise SettingsError(
                f"there are {count(pairs, 'pair')} of outputs, and accuracies sort up to "
                f"{MOST_PAIRS:,}: group them by item, as in 'acc-eq'"
            )
        systems, segments = np.divmod(places, outputs.segments)
        gold = self._scaled(outputs, outputs.gold.segments)
        tables = [each.ravel()[places] for each in (gold, one, one if other is None else other)]
        return JudgedTable(sizes, segments.tolist(), systems.tolist(), *tables)

    def _scaled(self, outputs: Outputs, scores: Floats) -> Floats:
        """Return scores whose squares do not overflow; those that are only compared stay."""
        return scores if self.kind in _ONLY_COMPARED else centered(outputs, scores)


_ONLY_COMPARED = ("accuracy", "best-accuracy", "kendall")

MEASURES: dict[str, Measure] = {
    "pairwise-accuracy": Measure("accuracy", of_systems=True),
    "spa": Measure("soft", "item"),
    "system-pearson": Measure("pearson", of_systems=True),
    "acc-eq": Measure("best-accuracy", "item"),
    "acc": Measure("accuracy", "item"),
    "pearson": Measure("pearson"),
    "kendall": Measure("kendall"),
    "pearson-of-differences": Measure("differences", "item"),
    "acc-eq:none": Measure("best-accuracy"),
    "acc-eq:system": Measure("best-accuracy", "system"),
    "acc:none": Measure("accuracy"),
    "acc:system": Measure("accuracy", "system"),
    "pearson:item": Measure("pearson", "item"),
    "pearson:system": Measure("pearson", "system"),
    "kendall:item": Measure("kendall", "item"),
    "kendall:system": Measure("kendall", "system"),
}
"""Every measure by its name: what is averaged over groups has the grouping after a colon."""

DEFAULT = ("pairwise-accuracy", "spa", "acc-eq", "pearson", "kendall:item")
"""The measures of the metrics tasks of WMT, at the level of systems and at that of segments."""


def measures_of(names: Sequence[str] | str) -> dict[str, Measure]:
    """Return measures by their names."""
    listed = [names] if isinstance(names, str) else list_of_names("measures", names, "acc-eq")
    if not listed:
        raise SettingsError("measures is empty; at least one is needed, such as 'acc-eq'")
    for name in listed:
        if name not in MEASURES:
            raise unknown_name("measure", name, MEASURES)
    return {name: MEASURES[name] for name in listed}


def centered(outputs: Outputs, scores: Floats) -> Floats:
    """Return the scores of judged outputs less their average, from -1 to 1; 0 where there is none.

    Squares of larger numbers might overflow.
    """
    known = scores[outputs.known]
    if not known.size:
        return np.zeros(scores.shape)
    gaps = np.where(outputs.known, scores - known.mean(), 0.0)
    return gaps / (np.abs(gaps).max() or 1.0)


def p_values(scores: Floats, known: Bits, signs: NDArray[np.uint8]) -> Floats:
    """Return one-sided p-values of all pairs of systems, by swaps that all pairs share.

    `signs` has a row of bits for each swap; a segment changes places where its bit, from the lowest
    of the first byte on, is 1. A pair without a segment that both systems have gets NaN.
    """
    one, other = np.triu_indices(len(scores), 1)
    common = known[one] & known[other]
    gaps = np.where(common, scores[one] - scores[other], 0.0)
    least = gaps.sum(axis=1) - _ROUNDING * np.abs(gaps).sum(axis=1).max(initial=0.0)
    reached = np.zeros(len(gaps))
    for start in range(0, len(signs), _AT_ONCE):
        bits = np.unpackbits(
            signs[start : start + _AT_ONCE], axis=1, count=scores.shape[1], bitorder="little"
        )
        reached += (gaps @ (1.0 - 2.0 * bits.T) >= least[:, np.newaxis]).sum(axis=1)
    return np.where(common.any(axis=1), reached / len(signs), np.nan)
