"""Whether segments depend on their neighbors, and blocks of segments that hardly do.

Sources: Künsch (1989), *The Jackknife and the Bootstrap for General Stationary Observations*, and
Carlstein (1986), *The Use of Subseries Values for Estimating the Variance of a General Statistic
from a Stationary Sequence*, for blocks; Westfall and Young (1993), *Resampling-Based Multiple
Testing*, for the largest of several statistics.
"""

from __future__ import annotations

from math import ceil, sqrt

from truebleu._core import neighbors
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.significance.inference import Floats

# With fewer segments, nothing is said.
_FEWEST_SEGMENTS = 30

# Permutations, and at how many that are as extreme the test stops: its p-value is above 0.01 then.
_PERMUTATIONS, _TOO_MANY = 199, 2


class Dependence(Record):
    """How much the influences of neighboring segments resemble each other.

    Attributes
    ----------
    p_value : float
        How often segments in random order have a sum of autocorrelations as large as the largest of
        all scores and differences.
    scores, differences : float
        How many times as large the standard error of a score, or of a difference, is as that of
        independent segments: a mean over systems, or pairs.
    """

    p_value: float
    scores: float
    differences: float


def dependence_of(
    left_out: Floats, pairs: Sequence[tuple[int, int]], seed: int
) -> Dependence | None:
    """Test whether neighbors influence scores, and differences of `pairs`, alike.

    `left_out` has the score of each system without each segment, in the order of the file. Returns
    None if there are too few segments, or if neighbors are not significantly alike (p > 0.01).
    """
    if left_out.shape[1] < _FEWEST_SEGMENTS:
        return None
    inflation, extreme = _inflation(left_out, pairs, seed, _PERMUTATIONS)
    if extreme == _TOO_MANY:
        return None
    return Dependence(
        p_value=(extreme + 1) / (_PERMUTATIONS + 1),
        scores=sqrt(inflation[: len(left_out)].mean()),
        differences=sqrt(inflation[len(left_out) :].mean()) if pairs else 1.0,
    )


def block_length(left_out: Floats, pairs: Sequence[tuple[int, int]]) -> int:
    """Return how many consecutive segments make a block that depends little on others.

    It is ten times the largest factor by which autocorrelations inflate the variance of a score or
    a difference; but at least the square root of the number of segments, and at most its tenth.
    """
    segments: int = left_out.shape[1]
    length = ceil(10 * float(_inflation(left_out, pairs)[0].max()))
    return max(1, min(max(length, ceil(sqrt(segments))), segments // 10))


def _inflation(
    left_out: Floats, pairs: Sequence[tuple[int, int]], seed: int = 0, permutations: int = 0
) -> tuple[Floats, int]:
    """Return the factors by which autocorrelations inflate variances, and extreme permutations."""
    import numpy as np

    influences = left_out - left_out.mean(axis=1, keepdims=True)
    alike, extreme = neighbors(influences, len(left_out), pairs, seed, permutations, _TOO_MANY)
    return np.maximum(1, 1 + 2 * np.array(alike)), extreme
