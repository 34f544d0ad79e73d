"""How a metric agrees with people: each measure for samples of segments, and after swaps."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np

from truebleu._core import RankedPairs, Ranks, ScoreSwaps, signs_reaching
from truebleu.display.formatting import count
from truebleu.errors import SettingsError
from truebleu.meta_evaluation.judged import Scores, list_of_names
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats, Outputs

    Bits = NDArray[np.bool_]

DRAWS = 512
"""Draws of the core that share a random generator."""

MOST_PAIRS = 1 << 24
"""Pairs of outputs that are sorted in memory: half a gigabyte."""

# Where the sum of squares is this small beside its parts, there is only rounding.
_CONSTANT = 1e-12


class Measure:
    """A measure of agreement: higher is better."""

    # Whether scores of systems change places, rather than scores of outputs.
    of_systems = False

    def __init__(self, grouping: str = "none") -> None:
        self.grouping = grouping

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """Return the value in each sample, NaN where it is undefined.

        Weights, of shape (samples, segments), are how often a sample contains each segment.
        """
        raise NotImplementedError

    def value(self, outputs: Outputs, scores: Scores, signs: Any = None) -> float:
        """Return the value of all segments; `signs` are those of :func:`p_values`."""
        del signs
        return float(self.values(outputs, scores, np.ones((1, outputs.segments)))[0])

    def swapped(
        self, outputs: Outputs, one: Floats, other: Floats, swaps: Iterable[Bits]
    ) -> Floats:
        """Return the values of two metrics after each of some swaps, of shape (swaps, 2)."""
        weights = np.ones((1, outputs.segments))
        found = [
            [
                self.values(outputs, Scores(np.where(bits ^ first, one, other)), weights)[0]
                for first in (True, False)
            ]
            for several in swaps
            for bits in several
        ]
        return np.array(found)

    def in_core(self, outputs: Outputs) -> tuple[Any, ...]:
        """Return the name and the arguments of what the core draws; nothing if it has no such."""
        del outputs
        return ()

    def drawn(
        self, outputs: Outputs, one: Floats, other: Floats, seed: int, draws: int, threads: int
    ) -> Floats | None:
        """Return the values after random swaps that the core draws; None if it has no such."""
        name, *how = self.in_core(outputs) or [""]
        if not name:
            return None
        places, sizes = outputs.groups(self.grouping)
        tables = [each.ravel()[places] for each in (outputs.gold.segments, one, other)]
        draw = getattr(ScoreSwaps(sizes, *tables), name)
        found = np.frombuffer(draw(*how, seed, 0, -(-draws // DRAWS), threads), "<f8")
        return found.reshape(-1, 2)[:draws]


class Pearson(Measure):
    """Pearson's r, averaged over groups."""

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """See Measure."""
        gold, metric = centered(outputs, outputs.gold.segments), centered(outputs, scores.segments)
        parts = np.stack(
            [outputs.known, gold, metric, gold * gold, metric * metric, gold * metric], axis=-1
        )
        if self.grouping == "item":
            return averages(_pearson(parts.sum(axis=0)), weights)
        if self.grouping == "none":
            parts = parts.sum(axis=0, keepdims=True)
        sums = np.einsum("bn,knf->bkf", weights, parts, optimize=True)
        return _averaged(_pearson(sums))

    def in_core(self, outputs: Outputs) -> tuple[Any, ...]:
        """See Measure."""
        return "correlations", "pearson"


class Differences(Measure):
    """Pearson's r of the differences between systems within a segment."""

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """See Measure."""
        gold, metric = centered(outputs, outputs.gold.segments), centered(outputs, scores.segments)
        size = outputs.known.sum(axis=0)

        def products(one: Floats, other: Floats) -> Floats:
            found: Floats = size * (one * other).sum(axis=0) - one.sum(axis=0) * other.sum(axis=0)
            return found

        sums = [weights @ products(*each) for each in ((gold, metric), (gold, gold))]
        squares = weights @ products(metric, metric)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = sums[0] / np.sqrt(sums[1]) / np.sqrt(squares)
        varying = (sums[1] > _CONSTANT) & (squares > _CONSTANT)
        return np.where(varying, np.clip(r, -1.0, 1.0), np.nan)

    def in_core(self, outputs: Outputs) -> tuple[Any, ...]:
        """See Measure."""
        return "correlations", "differences"


class Kendall(Measure):
    """Kendall's tau-b, averaged over groups."""

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """See Measure."""
        gold, metric = outputs.gold.segments, scores.segments
        if self.grouping == "item":
            return averages(_tau_by_item(gold, np.where(outputs.known, metric, np.nan)), weights)
        places, sizes = outputs.groups(self.grouping)
        found = []
        for group in np.split(places, np.cumsum(sizes)[:-1]):
            if len(group):
                ranks = Ranks(gold.ravel()[group], metric.ravel()[group])
                # A few samples at a time, since they are copied.
                taus = [
                    ranks.tau_b(np.ascontiguousarray(each[:, group % outputs.segments]))
                    for each in np.split(weights, range(64, len(weights), 64))
                ]
                found.append(np.frombuffer(b"".join(taus), "<f8"))
        return _averaged(np.array(found).reshape(-1, len(weights)).T)

    def in_core(self, outputs: Outputs) -> tuple[Any, ...]:
        """See Measure."""
        return "correlations", "kendall"


class Accuracy(Measure):
    """The share of pairs that the metric orders as people do, averaged over groups."""

    def __init__(self, grouping: str = "item", *, calibrated: bool) -> None:
        super().__init__(grouping)
        self.calibrated = calibrated

    def pairs(self, outputs: Outputs, scores: Floats) -> RankedPairs:
        """Return the pairs of judged outputs."""
        places, sizes = outputs.groups(self.grouping)
        pairs = sum(size * (size - 1) // 2 for size in sizes)
        if pairs > MOST_PAIRS:
            raise SettingsError(
                f"there are {count(pairs, 'pair')} of outputs, and accuracies sort up to "
                f"{MOST_PAIRS:,}: group them by item, as in 'acc-eq'"
            )
        return RankedPairs(sizes, outputs.gold.segments.ravel()[places], scores.ravel()[places])

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """See Measure."""
        pairs = self.pairs(outputs, scores.segments)
        by_output = self.grouping != "item"
        if by_output:
            places, _ = outputs.groups(self.grouping)
            weights = weights[:, places % outputs.segments]
        found = []
        for each in weights:
            own = np.ascontiguousarray(each)
            best = pairs.best(own, by_output) if self.calibrated else None
            found.append(best[0] if best else pairs.accuracy(0.0, own, by_output))
        return np.array(found, np.float64)

    def in_core(self, outputs: Outputs) -> tuple[Any, ...]:
        """See Measure."""
        return "accuracies", None if self.calibrated else 0.0


class SoftAccuracy(Measure):
    """Soft pairwise accuracy: how far p-values of systems agree, on average over pairs of them.

    Pairs without a segment that both systems have are left out.
    A p-value is one-sided, by random swaps of the segments of two systems. In samples and after
    swaps, it is taken from the normal distribution with the mean and variance of these swaps.
    """

    def value(self, outputs: Outputs, scores: Scores, signs: Any = None) -> float:
        """See Measure."""
        tables = [np.where(outputs.known, each.segments, 0.0) for each in (outputs.gold, scores)]
        gold, metric = (p_values(each, outputs.known, signs) for each in tables)
        return float(1.0 - _averaged(np.abs(gold - metric)))

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """See Measure."""
        gold, metric = (centered(outputs, each.segments) for each in (outputs.gold, scores))
        of_gold, of_metric = (
            np.array([_normal_p_values(each, outputs.known, own) for own in weights])
            for each in (gold, metric)
        )
        return _averaged(1.0 - np.abs(of_gold - of_metric))

    def in_core(self, outputs: Outputs) -> tuple[Any, ...]:
        """See Measure."""
        gold, weights = centered(outputs, outputs.gold.segments), np.ones(outputs.segments)
        systems = outputs.groups("item")[0] // outputs.segments
        return "soft", systems.tolist(), _normal_p_values(gold, outputs.known, weights)


class SystemMeasure(Measure):
    """A measure of the scores of systems, which change places as wholes."""

    of_systems = True

    def values(self, outputs: Outputs, scores: Scores, weights: Floats) -> Floats:
        """See Measure."""
        return self.of(outputs.gold.of_systems(weights), scores.of_systems(weights))

    def swapped(
        self, outputs: Outputs, one: Floats, other: Floats, swaps: Iterable[Bits]
    ) -> Floats:
        """See Measure."""
        gold = outputs.gold.segments.T
        found = [
            [self.of(gold, np.where(bits ^ first, one, other)[..., 0]) for first in (True, False)]
            for bits in swaps
        ]
        swapped: Floats = np.concatenate(found, axis=1).T
        return swapped

    def of(self, gold: Floats, metric: Floats) -> Floats:
        """Return the value of scores of systems, along the last axis."""
        raise NotImplementedError


class PairwiseAccuracy(SystemMeasure):
    """The share of pairs of systems that the metric orders as people do."""

    def of(self, gold: Floats, metric: Floats) -> Floats:
        """See SystemMeasure."""
        one, other = np.triu_indices(gold.shape[-1], 1)
        signs = [np.sign(each[..., one] - each[..., other]) for each in (gold, metric)]
        # Of systems that have a score: in a sample, one may have none.
        return _averaged(np.where(np.isfinite(sum(signs)), np.equal(*signs), np.nan))


class SystemPearson(SystemMeasure):
    """Pearson's r of the scores of systems."""

    def of(self, gold: Floats, metric: Floats) -> Floats:
        """See SystemMeasure."""
        known = np.isfinite(gold + metric)
        of_both = (np.where(known, each, 0.0) for each in (gold, metric))
        size = np.maximum(known.sum(axis=-1, keepdims=True), 1)
        gold, metric = (
            np.where(known, each - each.sum(axis=-1, keepdims=True) / size, 0.0) for each in of_both
        )
        parts = [known, gold, metric, gold * gold, metric * metric, gold * metric]
        return _pearson(np.stack(parts, axis=-1).sum(axis=-2))


MEASURES: dict[str, Measure] = {
    "pairwise-accuracy": PairwiseAccuracy(),
    "spa": SoftAccuracy("item"),
    "system-pearson": SystemPearson(),
    "acc-eq": Accuracy(calibrated=True),
    "acc": Accuracy(calibrated=False),
    "pearson": Pearson(),
    "kendall": Kendall(),
    "pearson-of-differences": Differences("item"),
    "acc-eq:none": Accuracy("none", calibrated=True),
    "acc-eq:system": Accuracy("system", calibrated=True),
    "acc:none": Accuracy("none", calibrated=False),
    "acc:system": Accuracy("system", calibrated=False),
    "pearson:item": Pearson("item"),
    "pearson:system": Pearson("system"),
    "kendall:item": Kendall("item"),
    "kendall:system": Kendall("system"),
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


def averages(of_segments: Floats, weights: Floats) -> Floats:
    """Return averages over the segments of each sample that have a value."""
    known = np.isfinite(of_segments)
    with np.errstate(invalid="ignore"):
        sums: Floats = weights @ np.where(known, of_segments, 0.0)
        return sums / (weights @ known)


def _averaged(of_groups: Floats) -> Floats:
    """Return averages over the last axis, of what is defined."""
    known = np.isfinite(of_groups)
    with np.errstate(invalid="ignore"):
        average: Floats = np.where(known, of_groups, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return average


def _pearson(sums: Floats) -> Floats:
    """Return Pearson's r of sums of 1, x, y, x², y² and xy; NaN where x or y is constant."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    products, own = n * xy - x * y, (n * xx - x * x, n * yy - y * y)
    vary = [each > _CONSTANT * n * squares for each, squares in zip(own, (xx, yy), strict=True)]
    with np.errstate(invalid="ignore", divide="ignore"):
        r = products / np.sqrt(own[0]) / np.sqrt(own[1])
    return np.where(vary[0] & vary[1], np.clip(r, -1.0, 1.0), np.nan)


def _tau_by_item(gold: Floats, metric: Floats) -> Floats:
    """Return tau-b over the systems of each segment."""
    sums = np.zeros((3, gold.shape[1]))
    for one, other in combinations(range(len(gold)), 2):
        x, y = np.sign(gold[one] - gold[other]), np.sign(metric[one] - metric[other])
        known = np.isfinite(x) & np.isfinite(y)
        x, y = np.where(known, x, 0.0), np.where(known, y, 0.0)
        sums += x * y, x * x, y * y
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = sums[0] / np.sqrt(sums[1]) / np.sqrt(sums[2])
    return np.where((sums[1] > 0) & (sums[2] > 0), tau, np.nan)


def _normal_p_values(scores: Floats, known: Bits, weights: Floats) -> Floats:
    """Return p-values as p_values does, from normal tails; scores are 0 where there is none."""
    weighted = scores * weights
    products = weighted @ scores.T
    if known.all():
        sums, own = weighted.sum(axis=1), products.diagonal()
        gaps, squares = np.subtract.outer(sums, sums), np.add.outer(own, own)
    else:
        # Of segments that both systems have.
        sums, own = weighted @ known.T, (weighted * scores) @ known.T
        gaps, squares = sums - sums.T, own + own.T
    # In the order of the core: (1, 0), (2, 0), (2, 1) and so on.
    other, one = pairs = np.tril_indices(len(scores), -1)
    gap, variance = gaps[one, other], (squares - 2 * products)[pairs]
    # Where no segment differs, no swap changes anything.
    vary = variance > _CONSTANT * squares[pairs]
    tail = normal_tail(gap / np.sqrt(np.where(vary, variance, 1.0)))
    common = (known * weights) @ known.T
    return np.where(common[pairs] > 0, np.where(vary, tail, 1.0), np.nan)


def p_values(scores: Floats, known: Bits, signs: NDArray[np.uint8]) -> Floats:
    """Return one-sided p-values of all pairs of systems, by swaps that all pairs share.

    `signs` has a row of bits for each swap; a segment changes places where its bit, from the lowest
    of the first byte on, is 1. A pair without a segment that both systems have gets NaN.
    """
    one, other = np.triu_indices(len(scores), 1)
    common = known[one] & known[other]
    if not common.all():
        # Pairs are the columns, which are compared with one of zeros.
        gaps = np.where(common, scores[one] - scores[other], 0.0)
        scores = np.vstack([gaps, np.zeros(gaps.shape[1])])
        one, other = np.arange(len(gaps)), np.full(len(gaps), len(gaps))
    pairs = list(zip(one.tolist(), other.tolist(), strict=True))
    columns = np.ascontiguousarray(scores.T)
    reached = np.array(signs_reaching(columns, len(scores), pairs, signs))
    return np.where(common.any(axis=1), reached / len(signs), np.nan)


def normal_tail(z: Floats) -> Floats:
    """Return the probability of more than z; to within 1e-7 (Abramowitz and Stegun, 7.1.26)."""
    x = np.abs(z) / sqrt(2)
    t = 1 / (1 + 0.3275911 * x)
    series = (1.421413741 + t * (-1.453152027 + t * 1.061405429)) * t - 0.284496736
    # The coefficients add up to 0.999999999: without the last digits, 0 would have more than half.
    tail = 0.5000000005 * t * (0.254829592 + t * series) * np.exp(-x * x)
    return np.where(z >= 0, tail, 1 - tail)
