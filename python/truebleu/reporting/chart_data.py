"""The rows that each chart shows: plain values, for a static chart or the page."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, isfinite
from typing import Any

import numpy as np

from truebleu.display.forest import round_step
from truebleu.display.formatting import decimals
from truebleu.display.text import visible
from truebleu.reporting.chart_parts import Line
from truebleu.reporting.data import Gathered
from truebleu.reporting.ngrams import Grams

Row = dict[str, Any]

# How many documents, and how many segments and n-grams on either side, a chart has room for.
MOST_GROUPS, MOST_SEGMENTS, MOST_GRAMS = 30, 12, 12

# The last frequency of each class of words.
FREQUENCIES = (1, 2, 5, 10, 50, 200)

# Bins of the distribution of segment scores, at most.
_BINS = 20

# Scores above this multiple of the scale are outliers, if their share is smaller than the other.
_WIDEST, _FEW = 2, 0.05


LINES = {
    "precisions": Line(fields=("precision",), zero=True),
    "sentences": Line(fields=("share",), zero=True, listed=True),
    "lengths": Line(fields=("score", "low", "high")),
    "frequency": Line(fields=("share",)),
}
"""The charts of lines by name."""


def known(value: float) -> float | None:
    """Return a number as JSON has it; None if it is infinite or undefined."""
    return float(value) if isfinite(value) else None


def _interval(low: float, high: float, form: str) -> str:
    """Write an interval for a tooltip."""
    return f"[{decimals(low, form)}, {decimals(high, form)}]" if isfinite(low) else "–"  # noqa: RUF001


def scores(data: Gathered) -> list[Row]:
    """Return each system with its score and interval, the best first."""
    rows = []
    for system in data.ranked():
        name, score = data.names[system], data.scores[system].score
        interval = None if data.comparison is None else data.comparison.systems[name].interval
        low, high = (score, score) if interval is None else (interval.low, interval.high)
        row = {"system": name, "score": score, "low": low, "high": high}
        rows.append(row | {"interval": _interval(low, high, data.metric._form)})
    return rows


def precisions(data: Gathered) -> list[Row]:
    """Return the precision of each order."""
    return [
        {"system": name, "order": order, "precision": precision}
        for name, score in zip(data.names, data.scores, strict=True)
        for order, precision in enumerate(score.precisions, 1)
    ]


def penalty(data: Gathered) -> list[Row]:
    """Return length ratio and brevity penalty of each system."""
    return [
        {"system": name, "ratio": score.ratio, "penalty": score.brevity_penalty}
        for name, score in zip(data.names, data.scores, strict=True)
    ]


def score_range(data: Gathered) -> tuple[float, float]:
    """Return the range of scores: from 0 to the scale of the metric, wider if segments leave it."""
    points = data.sentences[np.isfinite(data.sentences)]
    scale = data.metric.scale
    return float(points.min(initial=0)), float(points.max(initial=scale))


def outliers_from(data: Gathered) -> float | None:
    """Return from where on scores are outliers, if few segments would make charts too wide."""
    _, high = score_range(data)
    end = _WIDEST * data.metric.scale
    points = data.sentences[np.isfinite(data.sentences)]
    few = np.count_nonzero(points > end) < _FEW * points.size
    return end if few and high > end else None


def sentences(data: Gathered) -> list[Row]:
    """Return how many segments have a score in each of some ranges; outliers share the last."""
    low, high = score_range(data)
    end = outliers_from(data)
    last = high if end is None else end
    step = round_step(last - low, _BINS if end is None else _BINS - 1)
    # The inner rounding keeps an error of floats from adding a bin.
    numbers = range(floor(round(low / step, 6)), ceil(round(last / step, 6)) + 1)
    edges = [round(step * number, 10) for number in numbers]
    if end is not None:
        edges.append(high)
    rows = []
    for name, points in zip(data.names, data.sentences, strict=True):
        # Rounding may have left the lowest or the highest score out.
        inside = np.clip(points[np.isfinite(points)], edges[0], edges[-1])
        counts, _ = np.histogram(inside, bins=edges)
        rows += [
            {
                "system": name,
                "from": start,
                "to": stop,
                # Outliers have as much room as others.
                "middle": start + step / 2,
                "segments": int(count),
                "share": 100 * int(count) / data.segments,
            }
            for start, stop, count in zip(edges, edges[1:], counts, strict=False)
        ]
    return rows


def groups(data: Gathered, kind: str) -> list[Row]:
    """Return the score of each system in each group of segments, and its interval if it has one."""
    grouped = data.groups[kind]
    return [
        {
            "system": name,
            "group": visible(group),
            "segments": size,
            "score": known(score),
            "low": known(low),
            "high": known(high),
            "place": place,
            "interval": _interval(low, high, data.metric._form),
        }
        for name, points, ends in zip(data.names, grouped.scores, grouped.intervals, strict=True)
        for place, (group, size, score, (low, high)) in enumerate(
            zip(grouped.names, grouped.sizes, points, ends, strict=True)
        )
    ]


def largest(data: Gathered, kind: str) -> list[int]:
    """Return the places of the groups that a chart shows: the largest ones, in their order."""
    grouped = data.groups[kind]
    kept = sorted(range(len(grouped.names)), key=lambda group: -grouped.sizes[group])[:MOST_GROUPS]
    return sorted(kept)


def grams_of(data: Gathered) -> Grams:
    """Return the n-grams of a report on BLEU."""
    if data.grams is None:
        raise TypeError(f"a report on {data.called} has no n-grams")
    return data.grams


def frequencies() -> list[str]:
    """Return what the classes of words are called."""
    starts = [1, *(end + 1 for end in FREQUENCIES)]
    names = [
        str(end) if start == end else f"{start}-{end}"
        for start, end in zip(starts, FREQUENCIES, strict=False)
    ]
    return [*names, f"{starts[-1]}+"]


def frequency(data: Gathered) -> list[Row]:
    """Return how many words of the references each system matches, rare to frequent."""
    labels = frequencies()
    grams = grams_of(data)
    words = grams.orders[0]
    group = np.searchsorted(np.array(FREQUENCIES), grams.frequency)
    expected = np.bincount(group, words.expected, len(labels))
    rows = []
    for name, matched in zip(data.names, words.matched, strict=True):
        matches = np.bincount(group, matched, len(labels))
        rows += [
            {
                "system": name,
                "frequency": label,
                "place": place,
                "matches": int(matches[place]),
                "expected": int(expected[place]),
                "share": 100 * float(matches[place] / expected[place]),
            }
            for place, label in enumerate(labels)
            if expected[place]
        ]
    return rows


def segments(data: Gathered, one: int, other: int) -> list[Row]:
    """Return the scores of two systems in each segment."""
    pairs = zip(data.sentences[one], data.sentences[other], strict=True)
    return [
        {"segment": number, "one": known(first), "other": known(second)}
        for number, (first, second) in enumerate(pairs, 1)
    ]


def influence(data: Gathered, one: int, other: int | None) -> list[Row]:
    """Return the segments that contribute most to a score, or to a difference either way."""
    points = data.contributions[one]
    if other is not None:
        points = points - data.contributions[other]
    every = [segment for segment in range(data.segments) if isfinite(points[segment])]
    every.sort(key=lambda segment: (-data.sign * float(points[segment]), segment))
    kept = dict.fromkeys([*every[:MOST_SEGMENTS], *reversed(every[-MOST_SEGMENTS:])])
    # Bars to the right favor A, also where lower scores are better: then they show B - A.
    sign = 1 if other is None else data.sign
    return [
        {
            "segment": segment + 1,
            "contribution": sign * float(points[segment]),
            "side": "A" if sign * points[segment] > 0 else "B",
        }
        for segment in kept
        if points[segment]
    ]


class Gains:
    """The n-grams that make a difference between some two of the systems.

    `texts` are their tokens; `counts`, the matches of each system, and last of a perfect one;
    `weights`, for each order what a match is worth: one over how many there are.
    """

    def __init__(self, data: Gathered) -> None:
        """Keep the best n-grams of all pairs of systems."""
        grams = grams_of(data)
        every = grams.orders
        totals = [order.matched.sum() / len(data.names) for order in every]
        self.weights = [1 / max(1.0, float(total)) for total in totals]
        order = np.concatenate([np.full(len(each.expected), n) for n, each in enumerate(every)])
        number = np.concatenate([np.arange(len(each.expected)) for each in every])
        counts = np.concatenate([np.vstack([e.matched, e.expected]) for e in every], axis=1)
        systems = counts if len(data.names) == 1 else counts[:-1]
        differ = np.flatnonzero(systems.max(axis=0) > systems.min(axis=0))
        order, number, counts = order[differ], number[differ], counts[:, differ]
        worth = (systems[:, differ] * np.array(self.weights)[order]).astype(np.float64)
        chosen: set[int] = set()
        for one in range(len(systems)):
            for other in range(one):
                chosen.update(_ends(worth[one] - worth[other]))
        kept = sorted(chosen)
        self.orders = [int(order[each]) + 1 for each in kept]
        self.texts = [grams.text(int(order[each]) + 1, int(number[each])) for each in kept]
        self.counts = [[int(count) for count in counts[:, each]] for each in kept]

    def rows(self, one: int, other: int) -> Iterator[Row]:
        """Yield the n-grams that one system matches more often, then those of the other."""
        points = [
            ((count[one] - count[other]) * self.weights[order - 1], order, count, text)
            for count, order, text in zip(self.counts, self.orders, self.texts, strict=True)
        ]
        for side, sign in (("A", 1), ("B", -1)):
            best = sorted(
                (each for each in points if sign * each[0] > 0),
                key=lambda each: (-sign * each[0], -each[1]),
            )
            kept = best[:MOST_GRAMS]
            # The longest bars are at the outer ends.
            kept.sort(key=lambda each: (-sign * (each[2][one] - each[2][other]), -each[1]))
            for _, order, count, text in kept:
                yield {
                    "ngram": " ".join(text),
                    "order": order,
                    "one": count[one],
                    "other": count[other],
                    "more": count[one] - count[other],
                    "missed": count[other] - count[one],
                    "side": side,
                }


def ngrams(data: Gathered, one: int, other: int | None) -> list[Row]:
    """Return the n-grams that one of two systems matches more often; of one, those it misses."""
    perfect = len(data.names)
    rows = Gains(data).rows(one, perfect if other is None else other)
    return [{**row, "ngram": visible(row["ngram"])} for row in rows]


def _ends(worth: Any) -> list[int]:
    """Return where the largest and the smallest numbers are."""
    if len(worth) <= 2 * MOST_GRAMS:
        return list(range(len(worth)))
    both = np.argpartition(worth, [MOST_GRAMS, len(worth) - MOST_GRAMS])
    return [int(each) for each in (*both[:MOST_GRAMS], *both[-MOST_GRAMS:])]
