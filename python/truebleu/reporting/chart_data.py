"""The rows that each picture shows: plain values, for a static picture or the page."""

from __future__ import annotations

from truebleu.display.render import visible

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.reporting.data import Gathered

    Row = dict[str, Any]

# How many documents, segments and n-grams of either side a picture has room for.
MOST_GROUPS, MOST_SEGMENTS, MOST_GRAMS = 30, 12, 12

# The last frequency of each class of words.
FREQUENCIES = (1, 2, 5, 10, 50, 200)


def scores(found: Gathered) -> list[Row]:
    """Return each system with its score and interval, the best first."""
    rows = []
    for system in found.ranked():
        name, score = found.names[system], found.scores[system].score
        interval = None if found.comparison is None else found.comparison.systems[name].interval
        low, high = (score, score) if interval is None else (interval.low, interval.high)
        rows.append({"system": name, "BLEU": score, "low": low, "high": high})
    return rows


def precisions(found: Gathered) -> list[Row]:
    """Return the precision of each order."""
    return [
        {"system": name, "order": order, "precision": precision}
        for name, score in zip(found.names, found.scores, strict=True)
        for order, precision in enumerate(score.precisions, 1)
    ]


def penalty(found: Gathered) -> list[Row]:
    """Return length ratio and brevity penalty of each system."""
    return [
        {"system": name, "ratio": score.ratio, "penalty": score.brevity_penalty}
        for name, score in zip(found.names, found.scores, strict=True)
    ]


def sentences(found: Gathered) -> list[Row]:
    """Return how many segments have a score in each range of five points."""
    import numpy as np

    rows = []
    for name, own in zip(found.names, found.sentences, strict=True):
        counts, edges = np.histogram(own, bins=20, range=(0, 100))
        rows += [
            {
                "system": name,
                "from": int(start),
                "to": int(start) + 5,
                "middle": int(start) + 2.5,
                "segments": int(count),
                "share": 100 * int(count) / found.segments,
            }
            for start, count in zip(edges, counts, strict=False)
        ]
    return rows


def groups(found: Gathered, kind: str) -> list[Row]:
    """Return the score of each system in each group of segments."""
    own = found.groups[kind]
    return [
        {
            "system": name,
            "group": visible(group),
            "segments": size,
            "BLEU": float(score),
            "place": place,
        }
        for name, scores in zip(found.names, own.scores, strict=True)
        for place, (group, size, score) in enumerate(zip(own.names, own.sizes, scores, strict=True))
    ]


def largest(found: Gathered, kind: str) -> list[str]:
    """Return the names of the groups that a picture shows: the largest ones, in their order."""
    own = found.groups[kind]
    kept = sorted(range(len(own.names)), key=lambda group: -own.sizes[group])[:MOST_GROUPS]
    return [visible(own.names[group]) for group in sorted(kept)]


def frequency(found: Gathered) -> list[Row]:
    """Return how many words of the references each system gets, rare to frequent."""
    import numpy as np

    starts = [1, *(end + 1 for end in FREQUENCIES)]
    ends = [str(end) for end in FREQUENCIES]
    labels = [
        start if start == end else f"{start}-{end}"
        for start, end in zip(map(str, starts), ends, strict=False)
    ] + [f"{starts[-1]}+"]
    words = found.grams.orders[0]
    group = np.searchsorted(np.array(FREQUENCIES), found.grams.frequency)
    due = np.bincount(group, words.due, len(labels))
    rows = []
    for name, own in zip(found.names, words.matched, strict=True):
        matched = np.bincount(group, own, len(labels))
        rows += [
            {
                "system": name,
                "frequency": label,
                "place": place,
                "matches": int(matched[place]),
                "due": int(due[place]),
                "share": 100 * float(matched[place] / due[place]),
            }
            for place, label in enumerate(labels)
            if due[place]
        ]
    return rows


def segments(found: Gathered, one: int, other: int) -> list[Row]:
    """Return the scores of two systems in each segment."""
    return [
        {"segment": number, "one": float(first), "other": float(second)}
        for number, (first, second) in enumerate(
            zip(found.sentences[one], found.sentences[other], strict=True), 1
        )
    ]


def influence(found: Gathered, one: int, other: int | None) -> list[Row]:
    """Return the segments without which a score, or a difference, would change most."""
    own = found.influence[one]
    points = own if other is None else own - found.influence[other]
    order = sorted(range(found.segments), key=lambda segment: (float(points[segment]), segment))
    kept = dict.fromkeys([*order[:MOST_SEGMENTS], *reversed(order[-MOST_SEGMENTS:])])
    return [
        {"segment": segment + 1, "points": float(points[segment])}
        for segment in kept
        if points[segment]
    ]


class Gains:
    """The n-grams that make a difference between some two of the systems.

    Attributes
    ----------
    texts : list of list of str
        The tokens of each n-gram.
    orders : list of int
    counts : list of list of int
        Matches of each system, and last of a perfect one.
    weights : list of float
        For each order what a match is worth: one over how many there are.
    """

    __slots__ = ("counts", "orders", "texts", "weights")

    def __init__(self, found: Gathered) -> None:
        """Keep the best n-grams of all pairs of systems."""
        import numpy as np

        every = found.grams.orders
        totals = [order.matched.sum() / len(found.names) for order in every]
        self.weights = [1 / max(1.0, float(total)) for total in totals]
        order = np.concatenate([np.full(len(each.due), n) for n, each in enumerate(every)])
        number = np.concatenate([np.arange(len(each.due)) for each in every])
        counts = np.concatenate([np.vstack([e.matched, e.due]) for e in every], axis=1)
        systems = counts if len(found.names) == 1 else counts[:-1]
        differ = np.flatnonzero(systems.max(axis=0) > systems.min(axis=0))
        order, number, counts = order[differ], number[differ], counts[:, differ]
        worth = (systems[:, differ] * np.array(self.weights)[order]).astype(np.float64)
        chosen: set[int] = set()
        for one in range(len(systems)):
            for other in range(one):
                chosen.update(_ends(worth[one] - worth[other]))
        kept = sorted(chosen)
        self.orders = [int(order[each]) + 1 for each in kept]
        self.texts = [found.grams.text(int(order[each]) + 1, int(number[each])) for each in kept]
        self.counts = [[int(count) for count in counts[:, each]] for each in kept]

    def rows(self, one: int, other: int) -> Iterator[Row]:
        """Yield the n-grams that one system gets more often, then those of the other."""
        points = [
            ((own[one] - own[other]) * self.weights[order - 1], order, own, text)
            for own, order, text in zip(self.counts, self.orders, self.texts, strict=True)
        ]
        for side, sign in (("one", 1), ("other", -1)):
            best = sorted(
                (each for each in points if sign * each[0] > 0),
                key=lambda each: (-sign * each[0], -each[1]),
            )
            for _, order, own, text in best[:MOST_GRAMS]:
                yield {
                    "ngram": " ".join(text),
                    "order": order,
                    "one": own[one],
                    "other": own[other],
                    "more": own[one] - own[other],
                    "side": side,
                }


def _ends(worth: Any) -> list[int]:
    """Return where the largest and the smallest numbers are."""
    import numpy as np

    if len(worth) <= 2 * MOST_GRAMS:
        return list(range(len(worth)))
    both = np.argpartition(worth, [MOST_GRAMS, len(worth) - MOST_GRAMS])
    return [int(each) for each in (*both[:MOST_GRAMS], *both[-MOST_GRAMS:])]
