"""The formulas of intervals, corrections for multiple tests, and numbers of trials.

Sources: Efron and Tibshirani (1993), *An Introduction to the Bootstrap*, and Hesterberg (2015),
*What Teachers Should Know About the Bootstrap*, for intervals; Holm (1979), *A Simple Sequentially
Rejective Multiple Test Procedure*; Besag and Clifford (1991), *Sequential Monte Carlo p-values*,
for trials that stop early.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cache
from math import ceil, inf, isinf, pi, sqrt, tan
from statistics import NormalDist

import numpy as np

from truebleu._core import student_t_quantile, student_t_tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NORMAL = NormalDist()

# The default number of trials per test, unless there are many tests.
TRIALS = 10_000

# By default, the smallest possible p-value times the number of tests is alpha divided by this.
_MARGIN = 20

# The same for more tests than those of all pairs of 45 systems, which would take long.
_SMALL_MARGIN = 4
MANY_TESTS = 45 * 44 // 2

# The power for which differences are called detectable.
_POWER = 0.8

# Statistics that differ by a smaller share of their size are equal, but for rounding.
ROUNDING = 1e-12

# Degrees of freedom from which on an expansion is exact enough.
_LARGE_FREEDOM = 500

# A test has enough trials once so many of them are as extreme as the observed difference.
ENOUGH_EXTREME = 500


def expanded_quantile(tail: float, count: int) -> float:
    """Return the normal quantile for a tail that makes intervals of few units wide enough.

    The bootstrap distribution of `count` units is too narrow by the square root of ``1 - 1 /
    count``, and has the tails of a normal distribution, not of Student's t (Hesterberg 2015,
    section 5.3). With fewer than two units, it is infinite, and the interval spans all samples.
    """
    if count < 2:
        return -inf
    return sqrt(count / (count - 1)) * quantile_of_t(tail, count - 1)


def share_below(resampled: Floats, value: float, count: int) -> float:
    """Return the p-value of the statement that a statistic is above a value.

    It is the tail that the expanded percentile interval of `count` units leaves out below the value
    if it begins there, so that test and interval agree; but as of any test with so many samples, it
    is at least 1 / (samples + 1).
    """
    samples = np.sort(resampled)
    least = 1 / (len(samples) + 1)
    first, middle = _quantile(samples, least), _quantile(samples, 0.5)
    if value >= first:
        below = float(np.interp(value, samples, np.linspace(0, 1, len(samples)), right=1))
        normal = _NORMAL.inv_cdf(min(max(below, least), 1 - least))
    elif count < 2 or first == middle:
        # The interval spans all samples; those of equal outputs are all 0.
        return least
    else:
        normal = _NORMAL.inv_cdf(least) * (value - middle) / (first - middle)
    if count < 2:
        return 1.0
    return max(least, student_t_tail(-normal * sqrt((count - 1) / count), count - 1))


def quantile_of_t(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution, to seven digits or, near 0, to 1e-6."""
    if freedom == 1:
        return -1 / tan(pi * probability)
    if freedom < _LARGE_FREEDOM:
        return student_t_quantile(probability, freedom)
    # The expansion of Cornish and Fisher: the core loses digits here.
    z = _NORMAL.inv_cdf(probability)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def percentiles(resampled: Floats, quantile: float) -> tuple[float, float]:
    """Return the percentile interval, with the tails of this :func:`expanded_quantile`.

    Where these are smaller than the shares of single samples, the ends are those of a normal
    distribution: in proportion to the distance of the last samples from the median.
    """
    # NumPy sorts several times as fast as it selects.
    samples = np.sort(resampled)
    if isinf(quantile):
        return float(samples[0]), float(samples[-1])
    last = _NORMAL.inv_cdf(1 / (len(samples) + 1))
    tail = _NORMAL.cdf(max(quantile, last))
    low, middle, high = (_quantile(samples, share) for share in (tail, 0.5, 1 - tail))
    wider = max(1.0, quantile / last)
    return middle + (low - middle) * wider, middle + (high - middle) * wider


def _quantile(samples: Floats, share: float) -> float:
    """Return a quantile of sorted samples as ``np.quantile``, which would copy and sort them."""
    place = share * (len(samples) - 1)
    below = int(place)
    low, high = (float(samples[min(each, len(samples) - 1)]) for each in (below, below + 1))
    weight = place - below
    # Both are one number, but for rounding.
    return low + (high - low) * weight if weight < 0.5 else high - (high - low) * (1 - weight)


def bca(
    resampled: Floats, quantile: float, observed: float, left_out: Floats
) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval.

    `quantile` is the :func:`expanded_quantile` of its tails before the correction; `left_out` is
    the statistic of the data without each unit in turn.
    """
    count = len(resampled)
    below = np.count_nonzero(resampled < observed) + np.count_nonzero(resampled == observed) / 2
    # If all samples were on one side, the correction would be infinite.
    bias = _NORMAL.inv_cdf(min(max(below, 0.5), count - 0.5) / count)
    gaps = left_out.mean() - left_out
    squares = gaps * gaps
    spread = float(squares.sum())
    acceleration = float((squares * gaps).sum()) / (6 * spread**1.5) if spread > 0 else 0.0

    def corrected() -> float:
        """Return the BCa level: the corrected tail probability at which the quantile is taken."""
        shifted = bias + quantile
        scale = 1 - acceleration * shifted
        return _NORMAL.cdf(bias + shifted / scale) if scale > 0 and not isinf(quantile) else 0.0

    low = corrected()
    # The upper end is the lower end of the negated statistic.
    bias, acceleration = -bias, -acceleration
    high = 1 - corrected()
    ends = np.quantile(resampled, [low, high])
    return float(ends[0]), float(ends[1])


def effective_units(left_out: Floats, other: Floats | None = None) -> float:
    """Return the effective number of units that the variance of a statistic comes from.

    If k units have the same influence and all others have none, it is k; if it varies by rounding
    errors only, it is 0. `left_out` is the statistic without each unit in turn; with that of an
    `other` system, the statistic is the difference.
    """
    largest = np.abs(left_out).max()
    if other is not None:
        left_out = left_out - other
    if np.ptp(left_out) <= ROUNDING * largest:
        return 0.0
    squares = (left_out - left_out.mean()) ** 2
    fourth = float((squares * squares).sum())
    return float(squares.sum()) ** 2 / fourth if fourth > 0 else 0.0


def exact(number: float) -> Fraction:
    """Return the exact value of a number as written: the float 0.05 is slightly more than 1/20."""
    return Fraction(repr(number))


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Adjust p-values by Holm's method, which controls the family-wise error rate."""
    adjusted = [Fraction(0)] * len(p_values)
    highest = Fraction(0)
    for rank, index in enumerate(_in_order(p_values)):
        highest = max(highest, min(Fraction(1), (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def _in_order(p_values: Sequence[Fraction]) -> list[int]:
    # Floats are compared first: fractions are slow.
    return sorted(range(len(p_values)), key=lambda index: (float(p_values[index]), p_values[index]))


def decidable(
    p_values: Sequence[Fraction], smallest: Sequence[Fraction], alpha: float
) -> list[bool]:
    """Return which tests could have rejected at this level, after :func:`holm`, by themselves.

    `smallest` are the smallest p-values that each can have; those of the others stay as they are.
    """
    level, count = exact(alpha), len(p_values)
    order, of_tests = _in_order(p_values), holm(p_values)
    ordered = [p_values[index] for index in order]
    adjusted = [of_tests[index] for index in order]
    smaller = {least: bisect_left(ordered, least) for least in set(smallest)}
    found = []
    for p_value, least in zip(p_values, smallest, strict=True):
        # How many of the others are smaller: all of them have to be significant.
        before = smaller[least] - (p_value < least)
        rejected = not before or adjusted[before - 1] < level
        found.append(rejected and (count - before) * least < level)
    return found


def adjusted_floors(p_values: Sequence[Fraction], at_floor: Sequence[bool]) -> list[bool]:
    """Return which p-values are at their floor after :func:`holm` has adjusted them."""
    if not any(at_floor):
        return [False] * len(p_values)
    least = [
        Fraction(0) if is_floor else p_value
        for p_value, is_floor in zip(p_values, at_floor, strict=True)
    ]
    return [low < high for low, high in zip(holm(least), holm(p_values), strict=True)]


def enough_trials(tests: int, alpha: float) -> int:
    """Return a number of trials with which each of the tests can become significant.

    The smallest p-value of B trials is 1 / (B + 1), and Holm's correction multiplies it by the
    number of tests.
    """
    margin = _MARGIN if tests <= MANY_TESTS else _SMALL_MARGIN
    return max(TRIALS, ceil(margin * tests / exact(alpha)))


def fewest_samples(alpha: float) -> int:
    """Return the least number of samples of which some are outside of an interval, on each side."""
    return ceil(2 / exact(alpha)) - 1


def stages(trials: int) -> list[int]:
    """Return the numbers of trials after which tests may stop; the last is `trials`.

    A test that stops with c trials as extreme as the observed difference after n trials has the
    p-value (c + 1) / (n + 1), like a test of n trials. It stops only if c is at least
    ENOUGH_EXTREME. This does not raise the rate of false alarms: for any level, let n be the first
    stage at which a test with ENOUGH_EXTREME extreme trials has a p-value of at most the level. If
    a test of n trials has a p-value above the level, so does the test that may stop early.
    """
    stops = [TRIALS * 4**power for power in range(trials.bit_length())]
    return [*(stop for stop in stops if stop < trials), trials]


@cache
def needed_errors(level: Fraction) -> float:
    """Return how many standard errors a difference must be for a test to have a power of 80%."""
    bound = -_NORMAL.inv_cdf(max(float(level / 2), 1e-300))
    # A test that rejects more often than that has this power for any difference.
    return max(0.0, bound + _NORMAL.inv_cdf(_POWER))
