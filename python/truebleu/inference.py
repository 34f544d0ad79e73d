"""What samples say: intervals, corrections, power. Numbers in, numbers out.

Sources: Efron and Tibshirani (1993), *An Introduction to the Bootstrap*, for intervals; Holm
(1979), *A Simple Sequentially Rejective Multiple Test Procedure*; Koehn (2004), *Statistical
Significance Tests for Machine Translation Evaluation*, and Riezler and Maxwell (2005), *On Some
Pitfalls in Automatic Evaluation and Significance Testing for MT*, for tests.
"""

from __future__ import annotations

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


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values of several tests, so that one false alarm among them all stays rare."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def power(difference: float, error: float, level: float, *, one_sided: bool) -> float:
    """Return how often such a test would find such a difference, by the normal approximation.

    Parameters
    ----------
    difference : float
        The true difference.
    error : float
        Standard error of the observed one.
    level : float
        One minus the rate of false alarms.
    one_sided : bool
    """
    if not error:
        return float(bool(difference))
    bound = _bound(level, one_sided=one_sided)
    found = 1 - _NORMAL.cdf(bound - difference / error)
    return found if one_sided else found + _NORMAL.cdf(-bound - difference / error)


def detectable(error: float, level: float, *, one_sided: bool) -> float:
    """Return the difference that such a test finds four times in five."""
    return error * (_bound(level, one_sided=one_sided) + _NORMAL.inv_cdf(WANTED_POWER))


def _bound(level: float, *, one_sided: bool) -> float:
    return _NORMAL.inv_cdf(level if one_sided else (1 + level) / 2)
