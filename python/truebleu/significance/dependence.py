"""Whether segments depend on their neighbors, and blocks of segments that hardly do.

Sources: Künsch (1989), *The Jackknife and the Bootstrap for General Stationary Observations*, and
Carlstein (1986), *The Use of Subseries Values for Estimating the Variance of a General Statistic
from a Stationary Sequence*, for blocks; Westfall and Young (1993), *Resampling-Based Multiple
Testing*, for the largest of several statistics.
"""

from __future__ import annotations

from math import ceil, sqrt

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.significance.inference import Floats

# Autocorrelations up to this lag are added up.
LAGS = 10

# With fewer segments, nothing is said.
_FEWEST_SEGMENTS = 30

# Permutations, and at how many that are as extreme the test stops: its p-value is above 0.01 then.
_PERMUTATIONS, _TOO_MANY = 199, 2

# Sums within this distance are ties, and a variance below the other one is none.
_TIE, _NOTHING = 1e-9, 1e-20


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
    import numpy as np

    segments = left_out.shape[1]
    if segments < _FEWEST_SEGMENTS:
        return None
    influences = _Influences(left_out, pairs)
    alike = influences.alike()
    largest = alike.max() - _TIE
    random = np.random.default_rng(seed)
    extreme = 0
    for _ in range(_PERMUTATIONS):
        extreme += bool(influences.alike(random.permutation(segments)).max() >= largest)
        if extreme == _TOO_MANY:
            return None
    inflation = _inflation(alike)
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
    length = ceil(10 * float(_inflation(_Influences(left_out, pairs).alike()).max()))
    return max(1, min(max(length, ceil(sqrt(segments))), segments // 10))


def _inflation(alike: Floats) -> Floats:
    """Return by which factors autocorrelations inflate variances, at least 1."""
    import numpy as np

    return np.maximum(1, 1 + 2 * alike)


class _Influences:
    """The influence of each segment on scores, and, from products of these, on differences."""

    def __init__(self, left_out: Floats, pairs: Sequence[tuple[int, int]]) -> None:
        import numpy as np

        values = left_out - left_out.mean(axis=1, keepdims=True)
        systems, segments = values.shape
        self._values = np.pad(values, ((0, 0), (0, 1)))
        self._order = np.full(segments + LAGS, segments)
        self._room = [np.empty((systems, segments + more)) for more in (LAGS, 8, 6, 0)]
        self._one, self._other = np.array(pairs, np.intp).reshape(-1, 2).T
        # Not one product of two matrices: threads of BLAS would wait for each other.
        products = np.array([values @ each for each in values])
        self._spread = self._with_pairs(products)
        # What rounding leaves of systems that are equal, or whose score does not change.
        variances = np.diag(products)
        both = variances[self._one] + variances[self._other]
        least = _NOTHING + _TIE * np.concatenate([np.zeros(len(left_out)), both])
        self._spread[self._spread <= least] = np.inf

    def _with_pairs(self, products: Floats) -> Floats:
        import numpy as np

        of_systems = products.diagonal()
        one, other = self._one, self._other
        both = products[one, other] + products[other, one]
        return np.concatenate([of_systems, of_systems[one] + of_systems[other] - both])

    def alike(self, order: NDArray[np.int64] | None = None) -> Floats:
        """Return the sums of the autocorrelations 1 to 10; what does not vary has 0."""
        import numpy as np

        segments = self._values.shape[1] - 1
        values, two, four, following = self._room
        # What comes after the last segment is the column of zeros.
        self._order[:segments] = np.arange(segments) if order is None else order
        # `[:, order]` takes several times as long; other modes fill a copy of `out`.
        self._values.take(self._order, axis=1, out=values, mode="clip")
        np.add(values[:, 1:-1], values[:, 2:], out=two)
        np.add(two[:, :-2], two[:, 2:], out=four)
        # The sum of the ten influences after each.
        np.add(four[:, :-6], four[:, 4:-2], out=following)
        following += two[:, 8:]
        products = np.array([following @ each for each in values[:, :segments]])
        return self._with_pairs(products) / self._spread
