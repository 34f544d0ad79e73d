"""How the score of a corpus is calculated, and what lowers it most."""

from __future__ import annotations

from math import inf, log

from truebleu.analysis.explain_formula import penalty_line, result_block
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Shown
from truebleu.record import Record, plain

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from truebleu.metrics.bleu.score import BleuScore


class Cost(Record):
    """Points that a score loses.

    Attributes
    ----------
    name : str
        ``order 1``, ``order 2``, ..., ``brevity penalty``; or an n-gram.
    points : float
        On the scale of 0 to 100.
    missed : int
        How many n-grams of the hypotheses did not match, or how many tokens are missing.
    """

    __module__ = "truebleu"

    __slots__ = ("missed", "name", "points")
    name: str
    points: float
    missed: int


class CorpusExplanation(Shown):
    """How the score of a corpus is calculated. Made by :func:`truebleu.explain`.

    Attributes
    ----------
    score : BleuScore
    costs : tuple of Cost
        The orders and the brevity penalty; their points add up to 100 minus the score. The share
        of each is that of its weighted logarithm in the logarithm of the score.
    ngrams : tuple of Cost
        The n-grams that cost most: by how much the score would rise if all their misses had been
        matches. At most 20.
    influence : tuple of float
        For each segment, by how much exactly the score changes if it is left out.
    """

    __module__ = "truebleu"

    __slots__ = ("costs", "influence", "ngrams", "score")
    score: BleuScore
    costs: tuple[Cost, ...]
    ngrams: tuple[Cost, ...]
    influence: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = ("costs", "ngrams", "influence")
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        score = self.score
        ranked = sorted(enumerate(self.influence, 1), key=lambda each: -abs(each[1]))
        return [
            Block(
                f"what keeps the score from 100: {decimals(100 - score.score)} points",
                [f"brevity penalty: {penalty_line(score)}"],
                ("part", "points", "missed"),
                [
                    ("", (cost.name, decimals(cost.points), f"{cost.missed:,}"))
                    for cost in self.costs
                ],
            ),
            Block(
                "n-grams that cost most: points gained if all their misses had matched",
                [],
                ("n-gram", "points", "missed"),
                [
                    ("bad", (cost.name, decimals(cost.points, ".3f"), f"{cost.missed:,}"))
                    for cost in self.ngrams
                ],
            ),
            Block(
                "most influential segments: change of the score without them",
                [],
                ("segment", "points"),
                [
                    ("bad" if points > 0 else "good", (str(number), decimals(points, "+.4f")))
                    for number, points in ranked[:10]
                ],
            ),
            result_block(score),
        ]


def costs_of(score: BleuScore) -> tuple[Cost, ...]:
    """Share the points between a score and 100 out among the orders and the brevity penalty."""
    penalty = score.brevity_penalty
    logs = [*score.weighted_log_precisions, log(penalty) if penalty else -inf]
    names = [*(f"order {order}" for order in range(1, len(logs))), "brevity penalty"]
    missed = [
        *(total - count for count, total in zip(score.counts, score.totals, strict=True)),
        max(0, score.ref_len - score.hyp_len),
    ]
    zeros = logs.count(-inf)
    if zeros:
        # What makes the score 0 has cost all of it.
        shares = [1 / zeros if each == -inf else 0.0 for each in logs]
    else:
        whole = sum(logs)
        shares = [each / whole if each else 0.0 for each in logs]
    lost = 100 - score.score
    return tuple(
        Cost(name=name, points=lost * share, missed=count)
        for name, share, count in zip(names, shares, missed, strict=True)
    )
