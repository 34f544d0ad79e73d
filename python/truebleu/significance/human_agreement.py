"""How often human evaluation orders two systems as a metric does.

Source: Kocmi, Zouhar, Federmann and Post (2024), *Navigating the Metrics Maze: Reconciling Score
Magnitudes and Accuracies*. The share of pairs of systems whose scores differ by x is
a / (1 + exp(-b x)), with the numbers of their tool, mt-thresholds.
"""

from __future__ import annotations

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


def agreement(fit: Fit | None, difference: float) -> float | None:
    """Return the share of pairs with this difference, from 0.5 to 1, that people order alike."""
    if fit is None or not difference:
        return None  # Scores that are equal order nothing.
    return max(0.5, fit[0] / 100 / (1 + exp(-fit[1] * abs(difference))))
