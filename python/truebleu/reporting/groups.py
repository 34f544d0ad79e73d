"""Sums of rows and their scores: of groups of segments, and of all segments but one."""

from __future__ import annotations

import numpy as np

from truebleu.record import Record
from truebleu.significance.design import SEED
from truebleu.significance.inference import bca, expanded_quantile
from truebleu.significance.resampling import Resampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# Tokens of the first reference: the last length of each bucket.
BUCKETS = (10, 20, 30, 40, 60)

# Groups with fewer segments have no interval: a bootstrap of so few says little.
FEWEST_FOR_INTERVALS = 30

# Bootstrap samples of a group: bands show where a score may be, and decide nothing.
SAMPLES = 1000


class Groups(Record):
    """Segments in groups, and the score of each group for each system.

    Names are in the order in which they first occur, lengths in ascending order. `members` is the
    place of each segment's group among them. Scores have the shape (systems, groups); bootstrap
    intervals, (systems, groups, 2): NaN for groups of few segments.
    """

    intervals: Floats
    members: Ints
    names: list[str]
    scores: Floats
    sizes: list[int]

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def by_label(
    metric: Metric, counted: Mapping[str, Stats], labels: Sequence[str], level: float
) -> Groups:
    """Group segments that have one label; `level` is the confidence level of intervals."""
    numbers: dict[str, int] = {}
    each = [numbers.setdefault(label, len(numbers)) for label in labels]
    return _grouped(metric, counted, list(numbers), np.array(each, np.int64), level)


def by_length(metric: Metric, counted: Mapping[str, Stats], lengths: Ints, level: float) -> Groups:
    """Group segments of about one length; buckets without any are left out."""
    starts = (min(1, int(lengths.min())), *(end + 1 for end in BUCKETS))
    names = [f"{start}-{end}" for start, end in zip(starts, BUCKETS, strict=False)]
    names.append(f"{starts[-1]}+")
    used, numbers = np.unique(np.searchsorted(np.array(BUCKETS), lengths), return_inverse=True)
    return _grouped(metric, counted, [names[number] for number in used], numbers, level)


def _grouped(
    metric: Metric, counted: Mapping[str, Stats], names: list[str], numbers: Ints, level: float
) -> Groups:
    scores = [row_scores(metric, stats.sums(numbers, len(names))) for stats in counted.values()]
    sizes = np.bincount(numbers, minlength=len(names))
    return Groups(
        intervals=_intervals(metric, counted, numbers, sizes, level),
        members=numbers,
        names=names,
        sizes=[int(size) for size in sizes],
        scores=np.array(scores),
    )


def _intervals(
    metric: Metric, counted: Mapping[str, Stats], numbers: Ints, sizes: Ints, level: float
) -> Floats:
    """Resample the segments of each group: the same segments for all systems."""
    found = np.full((len(counted), len(sizes), 2), np.nan)
    tables = [stats.to_numpy() for stats in counted.values()]
    for group in np.flatnonzero(sizes >= FEWEST_FOR_INTERVALS):
        kept = numbers == group
        resampler = Resampler([table[kept] for table in tables], metric, SEED, 1, lambda _: None)
        pieces = list(resampler.bootstrap(range(SAMPLES)))
        quantile = expanded_quantile((1 - level) / 2, int(sizes[group]))
        observed, left_out = resampler.scores, resampler.left_out()
        for system, samples in enumerate(np.concatenate(pieces, axis=1)):
            if np.isfinite(samples).all():
                ends = bca(samples, quantile, float(observed[system]), left_out[system])
                found[system, group] = ends
    return found


def sentences(metric: Metric, counted: Mapping[str, Stats]) -> Floats:
    """Return the score of each segment by itself, for each system."""
    return np.array([row_scores(metric, stats, segment=True) for stats in counted.values()])


def row_scores(metric: Metric, stats: Stats, *, segment: bool = False) -> Floats:
    """Score every row by itself, of a single `segment` or else of a sum."""
    return np.frombuffer(metric._row_scores(stats.data, segment=segment), "<f8").astype(np.float64)


def contributions(metric: Metric, stats: Stats) -> Floats:
    """Return for each segment the score minus that of all others; 0 if there is no other."""
    if len(stats) < 2:
        return np.zeros(len(stats))
    rest = stats.from_numpy(stats.sum().to_numpy() - stats.to_numpy(), stats)
    contribution: Floats = metric.score(stats).score - row_scores(metric, rest)
    return contribution
