"""Sums of rows and their scores: of groups of segments, and of all segments but one."""

from __future__ import annotations

import numpy as np

from truebleu.record import Record
from truebleu.significance.inference import quantile_of_t

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

# Groups by length have at least so many segments; others with fewer have no interval.
FEWEST = 30


class Groups(Record):
    """Segments in groups, and the score of each group for each system.

    Names are in the order in which they first occur, lengths in ascending order. `members` is the
    place of each segment's group among them. Scores have the shape (systems, groups). An interval
    is a value plus or minus its margin: ``margins[group, i, j]`` is that of the difference of two
    systems, ``margins[group, i, i]`` that of a score; NaN for groups of few segments.
    """

    margins: Floats
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
    """Group segments of about one length; buckets of few segments join the next ones."""
    buckets = np.searchsorted(np.array(BUCKETS), lengths)
    lasts: list[int] = []
    held = 0
    for bucket, size in enumerate(np.bincount(buckets, minlength=len(BUCKETS) + 1)):
        held += int(size)
        if held >= FEWEST:
            lasts.append(bucket)
            held = 0
    # What is left joins the longest.
    lasts[-1:] = [len(BUCKETS)]
    starts = [min(1, int(lengths.min())), *(BUCKETS[last] + 1 for last in lasts[:-1])]
    names = [
        f"{start}\u2013{BUCKETS[last]}" for start, last in zip(starts, lasts[:-1], strict=False)
    ]
    members = np.searchsorted(np.array(lasts), buckets).astype(np.int64)
    return _grouped(metric, counted, [*names, f"{starts[-1]}+"], members, level)


def _grouped(
    metric: Metric, counted: Mapping[str, Stats], names: list[str], numbers: Ints, level: float
) -> Groups:
    scores = [row_scores(metric, stats.sums(numbers, len(names))) for stats in counted.values()]
    sizes = np.bincount(numbers, minlength=len(names))
    margins = np.full((len(names), len(counted), len(counted)), np.nan)
    tables = [stats.to_numpy() for stats in counted.values()]
    for group in np.flatnonzero(sizes >= FEWEST):
        kept = numbers == group
        margins[group] = _margins(metric, [table[kept] for table in tables], level)
    return Groups(
        margins=margins,
        members=numbers,
        names=names,
        scores=np.array(scores),
        sizes=[int(size) for size in sizes],
    )


def _margins(metric: Metric, tables: Sequence[Ints], level: float) -> Floats:
    """Return half of the width of the intervals of scores and differences, by the jackknife."""
    count = len(tables[0])
    rests = [(table.sum(axis=0) - table).astype("<i8").tobytes() for table in tables]
    left_out = np.array([np.frombuffer(metric._row_scores(rest), "<f8") for rest in rests])
    with np.errstate(invalid="ignore"):  # A score without a segment may be undefined.
        centered = left_out - left_out.mean(axis=1, keepdims=True)
    covariance = centered @ centered.T * (count - 1) / count
    own = np.diag(covariance)
    variance = own[:, None] + own - 2 * covariance
    np.fill_diagonal(variance, own)
    margins: Floats = -quantile_of_t((1 - level) / 2, count - 1) * np.sqrt(variance.clip(0))
    return margins


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
