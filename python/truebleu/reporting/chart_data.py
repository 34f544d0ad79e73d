"""The rows that each chart shows: plain values, for a static chart or the page."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, isfinite
from typing import Any

import numpy as np

from truebleu.display.forest import round_step
from truebleu.display.text import visible
from truebleu.reporting.data import Gathered
from truebleu.reporting.ngrams import Grams

Row = dict[str, Any]

# How many groups, and how many n-grams on either side, a chart has room for; and how many n-grams
# these are chosen from.
MOST_GROUPS, MOST_GRAMS, MOST_WEIGHED = 30, 12, 36

# Of two n-grams, one in the other, that differ by at most this factor, one is shown.
NESTED = 3

# The last frequency of each class of words.
FREQUENCIES = (1, 2, 5, 10, 50, 200)

# Bins of the distribution of segment scores, at most.
_BINS = 20

# Scores above this multiple of the scale are outliers, if their share is smaller than the other.
_WIDEST, _FEW = 2, 0.05


def known(value: float) -> float | None:
    """Return a number as JSON has it; None if it is infinite or undefined."""
    return float(value) if isfinite(value) else None


def _scored(data: Gathered, system: int) -> Row:
    """Return a system with its score and interval."""
    name, score = data.names[system], data.scores[system].score
    interval = None if data.comparison is None else data.comparison.systems[name].interval
    low, high = (None, None) if interval is None else (known(interval.low), known(interval.high))
    return {"system": name, "score": known(score), "low": low, "high": high}


def scores(data: Gathered) -> list[Row]:
    """Return each system, the best first, with its score, its difference, and their intervals."""
    rows = []
    against = data.names[data.against()]
    for system in data.ranked():
        row = _scored(data, system)
        name = row["system"]
        tested = data.comparison is not None and name != against
        pair = data.comparison.pair(name, against) if tested and data.comparison else None
        interval = pair and pair.interval
        row["difference"] = pair and known(pair.delta)
        row["least"], row["most"] = (
            (known(interval.low), known(interval.high)) if interval else (None, None)
        )
        rows.append(row)
    return rows


def checkpoints(data: Gathered) -> list[Row]:
    """Return each system with its score and interval, in the order given."""
    return [_scored(data, system) for system in range(len(data.names))]


def precision(data: Gathered) -> list[Row]:
    """Return the precision of each order, before smoothing."""
    rows = []
    for name, score in zip(data.names, data.scores, strict=True):
        for order, (match, total) in enumerate(zip(score.counts, score.totals, strict=True), 1):
            share = 100 * match / total if total else None
            rows.append({"system": name, "order": order, "precision": share})
    return rows


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


def segments(data: Gathered) -> list[Row]:
    """Return how many segments have a score in each of some ranges; outliers share the last."""
    low, high = score_range(data)
    end = outliers_from(data)
    last = high if end is None else end
    step = round_step(last - low, _BINS if end is None else _BINS - 1)
    # The inner rounding keeps an error of floats from adding a bin.
    numbers = range(floor(round(low / step, 6)), ceil(round(last / step, 6)) + 1)
    edges = [round(step * number, 10) for number in numbers]
    shown = [*edges, edges[-1] + step] if end is not None else edges
    if end is not None:
        edges.append(high)
    rows = []
    for name, points in zip(data.names, data.sentences, strict=True):
        # Rounding may have left the lowest or the highest score out.
        inside = np.clip(points[np.isfinite(points)], edges[0], edges[-1])
        counts, _ = np.histogram(inside, bins=edges)
        rows += [
            {"system": name, "from": start, "to": stop, "segments": int(count)}
            for start, stop, count in zip(shown, shown[1:], counts, strict=False)
        ]
    return rows


def groups(data: Gathered, one: int, other: int | None, *, kind: str) -> list[Row]:
    """Return the difference of two systems in each group, or the score of one, with intervals."""
    grouped = data.groups[kind]
    favored = ("A", "B") if data.metric.higher_is_better else ("B", "A")
    rows = []
    for place in largest(data, kind):
        value = float(grouped.scores[one][place])
        margin = float(grouped.margins[place, one, one if other is None else other])
        if other is not None:
            value -= float(grouped.scores[other][place])
        low, high = known(value - margin), known(value + margin)
        if other is None:
            side = "A"
        elif low is None or high is None or low <= 0 <= high:
            side = "others"
        else:
            side = favored[value < 0]
        rows.append(
            {
                "group": visible(grouped.names[place]),
                "segments": grouped.sizes[place],
                "value": known(value),
                "low": low,
                "high": high,
                "place": place,
                "side": side,
            }
        )
    return rows


def largest(data: Gathered, kind: str) -> list[int]:
    """Return the places of the groups that a chart shows: the largest ones, in their order."""
    sizes = data.groups[kind].sizes
    return sorted(sorted(range(len(sizes)), key=lambda group: -sizes[group])[:MOST_GROUPS])


def grams_of(data: Gathered) -> Grams:
    """Return the n-grams of a report on BLEU."""
    if data.grams is None:
        raise TypeError(f"a report on {data.called} has no n-grams")
    return data.grams


def frequencies() -> list[str]:
    """Return what the classes of words are called."""
    starts = [1, *(end + 1 for end in FREQUENCIES)]
    names = [
        str(end) if start == end else f"{start}\u2013{end}"
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
                "matches": int(matches[place]),
                "expected": int(expected[place]),
                "share": 100 * float(matches[place] / expected[place]),
            }
            for place, label in enumerate(labels)
            if expected[place]
        ]
    return rows


def pair(data: Gathered, one: int, other: int) -> list[Row]:
    """Return the scores of two systems in each segment."""
    pairs = zip(data.sentences[one], data.sentences[other], strict=True)
    return [
        {"segment": number, "one": known(first), "other": known(second)}
        for number, (first, second) in enumerate(pairs, 1)
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
        """Yield the n-grams that one system matches more often, then those of the other.

        Of those that are in one another, one is shown; and those at the end that weigh as much as
        some that there was no room for are none that stand out.
        """
        points = [
            (count[one] - count[other], self.weights[order - 1], place)
            for place, (count, order) in enumerate(zip(self.counts, self.orders, strict=True))
        ]
        for side, sign in (("A", 1), ("B", -1)):
            best = [each for each in points if sign * each[0] > 0]
            best.sort(key=lambda each: (-sign * each[0] * each[1], -self.orders[each[2]], each[2]))
            least = 0.0
            if len(best) >= MOST_WEIGHED:
                least = sign * best[MOST_WEIGHED - 1][0] * best[MOST_WEIGHED - 1][1]
            apart: list[tuple[int, float, int]] = []
            for more, weight, place in best:
                if sign * more * weight > least and not any(
                    self._are_nested(place, more, shown, of_shown) for of_shown, _, shown in apart
                ):
                    apart.append((more, weight, place))
            kept = apart[:MOST_GRAMS]
            if len(apart) > MOST_GRAMS:
                first = apart[MOST_GRAMS]
                kept = [each for each in kept if each[0] * each[1] != first[0] * first[1]]
            # The longest bars are at the outer ends.
            kept.sort(key=lambda each: (-sign * each[0], each[2]))
            for more, _, place in kept:
                count = self.counts[place]
                yield {
                    "ngram": " ".join(self.texts[place]),
                    "order": self.orders[place],
                    "one": count[one],
                    "other": count[other],
                    "more": more,
                    "missed": -more,
                    "side": side,
                }

    def _are_nested(self, one: int, more: int, other: int, of_other: int) -> bool:
        """Whether one of two n-grams is in the other, and about as often matched by one system."""
        short, long = sorted((self.texts[one], self.texts[other]), key=len)
        few, many = sorted((abs(more), abs(of_other)))
        starts = range(len(long) - len(short) + 1)
        return many <= NESTED * few and any(long[at : at + len(short)] == short for at in starts)


def ngrams(data: Gathered, one: int, other: int | None) -> list[Row]:
    """Return the n-grams that one of two systems matches more often; of one, those it misses."""
    perfect = len(data.names)
    rows = Gains(data).rows(one, perfect if other is None else other)
    return [{**row, "ngram": visible(row["ngram"])} for row in rows]


def _ends(worth: Any) -> list[int]:
    """Return where the largest and the smallest numbers are."""
    if len(worth) <= 2 * MOST_WEIGHED:
        return list(range(len(worth)))
    both = np.argpartition(worth, [MOST_WEIGHED, len(worth) - MOST_WEIGHED])
    return [int(each) for each in (*both[:MOST_WEIGHED], *both[-MOST_WEIGHED:])]
