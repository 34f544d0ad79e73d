"""The formulas of intervals, corrections for multiple tests, and numbers of trials.

Sources: Efron and Tibshirani (1993), *An Introduction to the Bootstrap*, for intervals; Holm
(1979), *A Simple Sequentially Rejective Multiple Test Procedure*; Koehn (2004), *Statistical
Significance Tests for Machine Translation Evaluation*, and Riezler and Maxwell (2005), *On Some
Pitfalls in Automatic Evaluation and Significance Testing for MT*, for tests.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from statistics import NormalDist

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NORMAL = NormalDist()

# The statistical power that experiments are usually planned for.
_POWER = 0.8

# The default number of trials per test, unless there are many tests.
_TRIALS = 10_000

# By default, the smallest possible p-value times the number of tests is alpha divided by this.
_MARGIN = 20


def percentile(resampled: Floats, confidence_level: float) -> tuple[float, float]:
    """Return the percentile interval: it leaves out as many samples below as above."""
    import numpy as np

    tail = (1 - confidence_level) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return float(low), float(high)


def bca(
    resampled: Floats, confidence_level: float, observed: float, left_out: Floats
) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval.

    Parameters
    ----------
    resampled : ndarray, shape (n_resamples,)
        The statistic of each bootstrap sample.
    confidence_level : float
    observed : float
        The statistic of the data.
    left_out : ndarray, shape (units,)
        The statistic of the data without each unit in turn.

    Returns
    -------
    tuple of float
        The two ends.
    """
    import numpy as np

    count = len(resampled)
    below = np.count_nonzero(resampled < observed) + np.count_nonzero(resampled == observed) / 2
    # If all samples were on one side, the correction would be infinite.
    bias = _NORMAL.inv_cdf(min(max(below, 0.5), count - 0.5) / count)
    gaps = left_out.mean() - left_out
    spread = float((gaps**2).sum())
    acceleration = float((gaps**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0

    def corrected(probability: float) -> float:
        shifted = bias + _NORMAL.inv_cdf(probability)
        return _NORMAL.cdf(bias + shifted / (1 - acceleration * shifted))

    tail = (1 - confidence_level) / 2
    low, high = np.quantile(resampled, [corrected(tail), corrected(1 - tail)])
    return float(low), float(high)


def exact(number: float) -> Fraction:
    """Return the exact value of a number as written: the float 0.05 is slightly more than 1/20."""
    return Fraction(repr(number))


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Adjust p-values by Holm's method, which controls the family-wise error rate."""
    adjusted = [Fraction(0)] * len(p_values)
    highest = Fraction(0)
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, index in enumerate(order):
        highest = max(highest, min(Fraction(1), (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def bounded_by(p_values: Sequence[Fraction], at_floor: Sequence[bool]) -> list[bool]:
    """Return which p-values are upper bounds after :func:`holm` has adjusted them.

    Parameters
    ----------
    p_values : sequence of Fraction
        The unadjusted p-values.
    at_floor : sequence of bool
        Which of them are the smallest that their number of trials allows, and so are upper bounds
        themselves. An adjusted p-value is a bound if smaller values of these would make it smaller.
    """
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
    return max(_TRIALS, ceil(_MARGIN * tests / exact(alpha)))


def fewest_trials(tests: int, alpha: float) -> int:
    """Return the smallest number of trials with which one of the tests can become significant."""
    return floor(tests / exact(alpha))


def too_few(trials: int, tests: int, alpha: float) -> bool:
    """Return whether, with this number of trials, none of the tests can become significant."""
    return Fraction(tests, trials + 1) >= exact(alpha)


def detectable(error: float, alpha: float, *, one_sided: bool) -> float:
    """Return the difference that a single test detects with a power of 80%.

    Uses the normal approximation.

    Parameters
    ----------
    error : float
        The standard error of the difference.
    alpha : float
        The significance level, before any correction for the number of tests.
    one_sided : bool
    """
    # Exact, so that 1 - 0.05 is 0.95.
    bound = _NORMAL.inv_cdf(float(1 - exact(alpha) / (1 if one_sided else 2)))
    return error * (bound + _NORMAL.inv_cdf(_POWER))
