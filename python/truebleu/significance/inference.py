"""What samples say: intervals, corrections, how many trials. Numbers in, numbers out.

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

# The usual aim of whoever plans an experiment.
WANTED_POWER = 0.8

# Trials of a test, if there are few tests.
_TRIALS = 10_000

# The smallest p-value, times the number of tests, is to be this much smaller than alpha.
_MARGIN = 20


def percentile(samples: Floats, level: float) -> tuple[float, float]:
    """Return the quantiles of bootstrap samples that leave equally much out on both sides."""
    import numpy as np

    out = (1 - level) / 2
    low, high = np.quantile(samples, [out, 1 - out])
    return float(low), float(high)


def bca(samples: Floats, level: float, observed: float, left_out: Floats) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval.

    Parameters
    ----------
    samples : ndarray, shape (samples,)
        The statistic of bootstrap samples.
    level : float
    observed : float
        The statistic of the data.
    left_out : ndarray, shape (units,)
        The statistic of the data without each unit.

    Returns
    -------
    tuple of float
        The ends.
    """
    import numpy as np

    count = len(samples)
    below = np.count_nonzero(samples < observed) + np.count_nonzero(samples == observed) / 2
    # Where all samples are on one side, the correction would be infinite.
    bias = _NORMAL.inv_cdf(min(max(below, 0.5), count - 0.5) / count)
    gaps = left_out.mean() - left_out
    spread = float((gaps**2).sum())
    acceleration = float((gaps**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0

    def place(out: float) -> float:
        shifted = bias + _NORMAL.inv_cdf(out)
        return _NORMAL.cdf(bias + shifted / (1 - acceleration * shifted))

    out = (1 - level) / 2
    low, high = np.quantile(samples, [place(out), place(1 - out)])
    return float(low), float(high)


def alpha(level: float) -> Fraction:
    """Return what a p-value must be below to be significant at a level.

    One minus the level as it is written: 1 - 0.95 is a little more than 0.05 in floats, and a
    p-value of 0.05 would be below it.
    """
    return 1 - Fraction(repr(level))


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """Adjust p-values of several tests, so that one false alarm among them all stays rare."""
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
        Before they are adjusted.
    at_floor : sequence of bool
        Which of them are the smallest that their trials can give, and may be smaller. An adjusted
        p-value is a bound if it would be smaller then, too.
    """
    least = [
        Fraction(0) if is_floor else p_value
        for p_value, is_floor in zip(p_values, at_floor, strict=True)
    ]
    return [low < high for low, high in zip(holm(least), holm(p_values), strict=True)]


def enough_trials(tests: int, level: float) -> int:
    """Return how many trials let each of some tests become significant.

    The smallest p-value of B trials is 1 / (B + 1), and Holm's correction multiplies it by the
    number of tests.
    """
    return max(_TRIALS, ceil(_MARGIN * tests / alpha(level)))


def fewest_trials(tests: int, level: float) -> int:
    """Return how many trials let at least one of some tests become significant."""
    return floor(tests / alpha(level))


def too_few(trials: int, tests: int, level: float) -> bool:
    """Return whether so many trials cannot make any of some tests significant."""
    return Fraction(tests, trials + 1) >= alpha(level)


def detectable(error: float, level: float, *, one_sided: bool) -> float:
    """Return the difference that one test finds four times in five, by the normal approximation.

    Parameters
    ----------
    error : float
        Standard error of a difference.
    level : float
        One minus the rate of false alarms, before any correction for the number of tests.
    one_sided : bool
    """
    bound = _NORMAL.inv_cdf(level if one_sided else (1 + level) / 2)
    return error * (bound + _NORMAL.inv_cdf(WANTED_POWER))
