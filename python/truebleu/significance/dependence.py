"""Whether segments depend on their neighbors, and blocks of segments that hardly do.

Sources: Künsch (1989), *The Jackknife and the Bootstrap for General Stationary Observations*, and
Carlstein (1986), *The Use of Subseries Values for Estimating the Variance of a General Statistic
from a Stationary Sequence*, for blocks; Westfall and Young (1993), *Resampling-Based Multiple
Testing*, for the largest of several statistics.
"""

from __future__ import annotations

from math import ceil, sqrt

from truebleu._core import neighbors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.significance.inference import Floats

FEWEST_SEGMENTS = 30
"""With fewer segments, nothing is said."""

# Permutations, and at how many that are as extreme the test stops: its p-value is above 0.01 then.
_PERMUTATIONS, _TOO_MANY = 199, 2


def inflations(left_out: Floats) -> Floats | None:
    """Return by which factors autocorrelations inflate variances; None if they may be chance.

    `left_out` has a row for each score, or difference: what it is without each segment in turn, in
    the order of the file. In a random order of the segments, the largest sum of autocorrelations of
    all rows is as large in at most 1 of 100 cases, or else they may be chance; so they may if there
    are fewer than 30 segments.
    """
    import numpy as np

    if left_out.shape[1] < FEWEST_SEGMENTS or not len(left_out):
        return None
    influences = np.ascontiguousarray(left_out - left_out.mean(axis=1, keepdims=True))
    alike, extreme = neighbors(influences, len(left_out), 0, _PERMUTATIONS, _TOO_MANY)
    return None if extreme == _TOO_MANY else np.maximum(1, 1 + 2 * np.array(alike))


def block_length(inflated: Floats, segments: int) -> int:
    """Return how many consecutive segments make a block that depends little on others.

    It is ten times the largest factor by which autocorrelations inflate a variance; but at least
    the square root of the number of segments, and at most its tenth.
    """
    length = max(ceil(10 * float(inflated.max())), ceil(sqrt(segments)))
    return max(1, min(length, segments // 10))


def times_as_wide(left_out: Floats) -> float | None:
    """Return how many times too small standard errors are, on average; None if they may be right.

    That is of segments that are resampled as if they were independent.
    """
    inflated = inflations(left_out)
    return None if inflated is None else sqrt(float(inflated.mean()))
