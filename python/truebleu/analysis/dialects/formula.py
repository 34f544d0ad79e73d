"""BLEU as people write it themselves, from counts: what they add, average and penalize."""

from __future__ import annotations

from math import log

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.analysis.dialects.corpus import Settings

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

ORDERS = 6
"""Orders that are counted: BLEU-5, and one more for method5."""

# What is added to matches and to n-grams, of all orders or from one on; what stands for no match,
# for a precision of 0, and for one of 0 out of 0; and whether weights are of what has matches only.
_ADDED = {"match": 0.0, "total": 0.0, "start": 1}
_PLAIN = {**_ADDED, "none": 0.0, "zero": 0.0, "missing": 0.0, "shared": False}

_TINY = ("1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-12", "1e-15", "1e-16", "1e-100")

SMOOTHINGS: dict[str, dict[str, Any]] = {
    "none": {},
    "add-one": {"match": 1, "total": 1},
    "lin-och": {"match": 1, "total": 1, "start": 2},
    "skip-zero": {"zero": 1, "missing": 1},
    "only matches": {"shared": True},
    "missing as 1": {"missing": 1},
    "1 on top": {"match": 1},
    **{each: {"zero": float(each), "missing": float(each)} for each in _TINY},
    **{f"{each} added": {"match": float(each), "total": float(each)} for each in _TINY},
    "1e-15 and 1e-9 added": {"match": 1e-15, "total": 1e-9},
    "0.1 matches": {"none": 0.1},
    "0.5 matches": {"none": 0.5},
    "1 match": {"none": 1},
    "1 added from order 2": {"match": 1, "total": 1, "start": 2},
}
"""What people do about orders without a match, by name: what differs from nothing."""

PENALTIES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "usual": lambda c, r: np.exp(np.minimum(0, 1 - r / c)),
    "none": lambda c, _: np.ones(c.shape),
    "inverted": lambda c, r: np.where(c > r, 1, np.exp(1 - c / r)),
    "reversed": lambda c, r: np.exp(np.minimum(0, 1 - c / r)),
    "of long ones": lambda c, r: np.where(c < r, 1, np.exp(1 - r / c)),
    "always": lambda c, r: np.exp(np.minimum(1 - r / c, 1)),
    "ratio": lambda c, r: np.minimum(1, c / r),
    "plus one": lambda c, r: np.exp(np.minimum(0, 1 - (r + 1) / (c + 1))),
    "both": lambda c, r: np.exp(-np.abs(1 - r / c)),
}
"""Brevity penalties of lengths of hypotheses and references."""


def _geometric(precisions: Floats, weights: Floats) -> Floats:
    logs = np.log(np.maximum(precisions, 1e-300))
    zero = ((precisions == 0) & (weights > 0)).any(axis=1)
    means: Floats = np.where(zero, 0, np.exp((logs * weights).sum(axis=1)))
    return means


def _cumulative(precisions: Floats) -> Floats:
    ones: Floats = np.tri(precisions.shape[1])
    each = [_geometric(precisions, (row / row.sum())[None]) for row in ones]
    means: Floats = np.mean(each, axis=0)
    return means


MEANS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "geometric": _geometric,
    "arithmetic": lambda p, w: (p * w).sum(axis=1),
    "harmonic": lambda p, w: 1 / np.maximum((w / np.maximum(p, 1e-300)).sum(axis=1), 1),
    "product": lambda p, w: _geometric(p, np.sign(w)),
    "log10": lambda p, w: _geometric(p, w / log(10)),
    "log2": lambda p, w: _geometric(p, w / log(2)),
    "power of 2": lambda p, w: _geometric(p, w * log(2)),
    "cumulative": lambda p, _: _cumulative(p),
}
"""Means of precisions with weights."""


def weights_of(settings: Settings) -> Floats:
    """Return the weight of each order."""
    order = settings["max_order"] or len(settings["weights"] or ()) or 4
    return np.array(settings["weights"] or (1 / order,) * order)


def precisions_of(rows: Rows, smoothing: str = "none") -> Floats:
    """Return the precision of each order of each row."""
    found: Floats = precisions_under(rows, (smoothing,))[0]
    return found


def precisions_under(rows: Rows, smoothings: Sequence[str]) -> Floats:
    """Return the precision of each order of each row, under each smoothing."""
    every = [_PLAIN | SMOOTHINGS[name] for name in smoothings]
    how = {name: np.array([[[each[name]]] for each in every]) for name in _PLAIN}
    smoothed = np.arange(1, ORDERS + 1) >= how["start"]
    matches = rows[:, 2 : 2 + ORDERS] + how["match"] * smoothed
    totals = rows[:, 2 + ORDERS :] + how["total"] * smoothed
    matches = np.where(matches == 0, how["none"], matches)
    missing = np.broadcast_to(how["missing"], matches.shape).astype(float)
    found: Floats = np.divide(matches, totals, out=missing, where=totals > 0)
    return np.where((found == 0) & (rows[:, 2 + ORDERS :] > 0), how["zero"], found)


def is_shared(smoothing: str) -> bool:
    """Tell whether the weights of orders without a match go to the others."""
    return bool((_PLAIN | SMOOTHINGS[smoothing])["shared"])


def means_of(rows: Rows, precisions: Floats, settings: Settings) -> Floats:
    """Return the mean of the precisions of each row, with weights for its orders."""
    weights = weights_of(settings)
    each = np.tile(weights, (len(rows), 1))
    return weighted(rows, precisions[:, : len(weights)], each, settings)


def weighted(rows: Rows, precisions: Floats, weights: Floats, settings: Settings) -> Floats:
    """Return the mean of the precisions of each row, which has weights of its own."""
    kept = None
    if settings["effective_order"]:
        kept = rows[:, 2 + ORDERS :][:, : weights.shape[1]] > 0
    elif is_shared(settings["smoothing"]):
        kept = precisions > 0
    if kept is not None:
        weights = weights * kept
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    known = (weights.sum(axis=1) > 0) & (rows[:, 0] > 0)
    means: Floats = np.where(known, MEANS[settings["mean"]](precisions, weights), 0)
    return means


def penalty_of(kind: str, lengths: Rows) -> Floats:
    """Return the brevity penalty for each pair of lengths; the usual one is also of characters."""
    return PENALTIES.get(kind, PENALTIES["usual"])(*np.maximum(lengths, 1e-9).T)


def scores_by_nltk(rows: Rows, settings: Settings) -> Floats:
    """Score rows under methods 4 to 7 as NLTK does: from 0 to 100, and above."""
    method, value = settings["smoothing"], settings["smooth_value"] or 5.0
    weights = weights_of(settings)
    lengths, totals = rows[:, 0], rows[:, 2 + ORDERS :]
    precisions = precisions_of(rows)
    means, after_last = precisions[:, : len(weights)].copy(), precisions[:, 4]
    if method in ("method4", "method7"):
        empty = (means == 0) & (lengths > 1)[:, None]
        divisors = 2.0 ** empty.cumsum(axis=1) * value * totals[:, : len(weights)]
        means = np.where(empty, np.log(np.maximum(lengths, 1))[:, None] / divisors, means)
    if method in ("method5", "method7"):
        before = means[:, 0] + 1
        for n in range(len(weights)):
            after = means[:, n + 1] if n + 1 < len(weights) else after_last
            before = means[:, n] = (before + means[:, n] + after) / 3
    if method == "method6":
        for n in range(2, len(weights)):
            below, lower = means[:, n - 1], means[:, n - 2]
            prior = np.divide(below**2, lower, out=np.zeros(len(rows)), where=lower > 0)
            real = np.maximum(lengths - n, 0)
            means[:, n] = (rows[:, 2 + n] + value * prior) / (real + value)
    logs = np.log(means, out=np.zeros(means.shape), where=means > 0)
    shares = np.exp((logs * weights).sum(axis=1)) * (rows[:, 2] > 0)
    scores: Floats = 100 * penalty_of("usual", rows[:, :2]) * shares
    return scores
