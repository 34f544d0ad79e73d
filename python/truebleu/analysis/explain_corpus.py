"""How the score of a corpus is calculated, and what costs it most."""

from __future__ import annotations

from math import log

from truebleu.analysis.explain_formula import penalty_line, result_block
from truebleu.display.formatting import decimals
from truebleu.display.render import Block, Shown
from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from truebleu.metrics.score import BleuScore

    Gram = tuple[Any, ...]


class Cost(Frozen):
    """What keeps a score from 100.

    Attributes
    ----------
    name : str
        ``order 1``, ``order 2``, ..., ``brevity penalty``; or an n-gram.
    points : float
        On the scale of 0 to 100.
    missed : int
        How many n-grams of the hypotheses did not match, or tokens are missing.
    """

    __slots__ = ("missed", "name", "points")
    missed: int
    name: str
    points: float

    def __init__(self, name: str, points: float, missed: int) -> None:
        """Keep the facts."""
        for attribute, value in (("name", name), ("points", points), ("missed", missed)):
            object.__setattr__(self, attribute, value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {"name": self.name, "points": self.points, "missed": self.missed}


class CorpusExplanation(Shown):
    """How a corpus came to its score. Made by :func:`explain`.

    Attributes
    ----------
    score : BleuScore
    costs : tuple of Cost
        The orders and the brevity penalty; their points add up to 100 minus the score. Each gets
        the share that its weighted logarithm has in the logarithm of the score.
    ngrams : tuple of Cost
        The n-grams that cost most: by how much the score would rise if all their misses had been
        matches. At most 20.
    influence : tuple of float
        For each segment the exact change of the score if it is left out.
    """

    __slots__ = ("costs", "influence", "ngrams", "score")
    costs: tuple[Cost, ...]
    influence: tuple[float, ...]
    ngrams: tuple[Cost, ...]
    score: BleuScore

    def __init__(
        self,
        score: BleuScore,
        ngrams: tuple[Cost, ...],
        influence: tuple[float, ...],
    ) -> None:
        """Keep the facts; see the class."""
        values = {
            "costs": _costs(score),
            "influence": influence,
            "ngrams": ngrams,
            "score": score,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            **self.score.to_dict(),
            "costs": [cost.to_dict() for cost in self.costs],
            "ngrams": [cost.to_dict() for cost in self.ngrams],
            "influence": list(self.influence),
        }

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        return corpus_blocks(self)


def _costs(score: BleuScore) -> tuple[Cost, ...]:
    penalty = score.brevity_penalty
    logs = [*score.logs, log(penalty) if penalty else float("-inf")]
    names = [f"order {order}" for order in range(1, len(logs))] + ["brevity penalty"]
    missed = [total - count for count, total in zip(score.counts, score.totals, strict=True)] + [
        max(0, score.ref_len - score.hyp_len)
    ]
    endless = logs.count(float("-inf"))
    gap = 100 - score.score
    if endless:
        # What makes the score 0 has cost everything.
        shares = [1 / endless if each == float("-inf") else 0.0 for each in logs]
    else:
        whole = sum(logs)
        shares = [each / whole if each else 0.0 for each in logs]
    return tuple(
        Cost(name, gap * share, count)
        for name, share, count in zip(names, shares, missed, strict=True)
    )


def corpus_blocks(found: CorpusExplanation) -> list[Block]:
    """Show how a corpus came to its score."""
    score = found.score
    ranked = sorted(enumerate(found.influence, 1), key=lambda each: -abs(each[1]))
    return [
        Block(
            f"what keeps the score from 100: {decimals(100 - score.score)} points",
            [f"brevity penalty: {penalty_line(score)}"],
            ("part", "points", "missed"),
            [("", (cost.name, decimals(cost.points), f"{cost.missed:,}")) for cost in found.costs],
        ),
        Block(
            "n-grams that cost most, if all their misses had matched",
            [],
            ("n-gram", "points", "missed"),
            [
                ("bad", (cost.name, decimals(cost.points, ".3f"), f"{cost.missed:,}"))
                for cost in found.ngrams
            ],
        ),
        Block(
            "segments that move the score most: by how much it changes without them",
            [],
            ("segment", "points"),
            [
                ("bad" if points > 0 else "good", (str(number), decimals(points, "+.4f")))
                for number, points in ranked[:10]
            ],
        ),
        result_block(score),
    ]
