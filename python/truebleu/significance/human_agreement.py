"""How often human evaluation orders two systems as a metric does.

Source: Kocmi, Zouhar, Federmann and Post (2024), *Navigating the Metrics Maze: Reconciling Score
Magnitudes and Accuracies*. The share of pairs of systems whose scores differ by x is
a / (1 + exp(-b x)), with the numbers of their tool, mt-thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from truebleu.metrics.metric import Metric
from truebleu.metrics.registry import METRICS

Fit = tuple[float, float]


def fit_of(metric: Metric) -> Fit | None:
    """Return a, in percent, and b of a metric, as scores have it, if its settings are default."""
    if metric == METRICS["bleu"](effective_order=False):
        return 88.33333333333225, 0.9663926931178954
    if metric == METRICS["chrf"]():
        return 92.999999999972, 1.1142732157139852
    return None


def agreement(fit: Fit, difference: float) -> float | None:
    """Return the share of pairs with this difference, from 0 to 1, that people order alike."""
    if not difference:
        return None  # Scores that are equal order nothing.
    return fit[0] / 100 / (1 + exp(-fit[1] * abs(difference)))


def explained(metric: Metric) -> Iterator[str]:
    """Say what the shares mean, or that there are none."""
    fit = fit_of(metric)
    if fit is None:
        yield (
            "human agreement is known of BLEU and chrF with default settings only, not of "
            f"{metric.name} as it is here (Kocmi et al. 2024)"
        )
        return
    yield (
        "humans agree: the share of pairs of systems with such a difference that human evaluation "
        "ordered alike, by the fit of Kocmi et al. (2024) to their data, at most "
        f"{fit[0]:.1f}% for {metric.name}; it is not about single readers"
    )
