"""How the BLEU of a corpus is calculated, and what lowers it most."""

from __future__ import annotations

from collections import Counter
from math import inf, log

from truebleu.analysis.explanation.bleu_formula import penalty_line, result_block
from truebleu.analysis.explanation.bleu_segment import split
from truebleu.analysis.explanation.influence import influence_block, influence_of
from truebleu.analysis.explanation.ngrams import ngrams
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.analysis.explanation.ngrams import Ngram
    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.bleu.score import BleuScore


# The n-grams that are listed.
_MOST_NGRAMS = 20


class Cost(Result):
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
            influence_block(self.influence),
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


def explain_corpus(
    bleu: Bleu, hypotheses: list[Any], references: list[list[Any]], threads: int
) -> CorpusExplanation:
    """Explain the score of a corpus."""
    stats = bleu.stats(hypotheses, references, threads=threads)
    score = bleu.score(stats)
    missed: Counter[Ngram] = Counter()
    for hypothesis, several in zip(hypotheses, references, strict=True):
        missed.update(_missed(len(score.counts), *split(bleu, hypothesis, several)))
    total = stats.sum().to_numpy()[0]
    return CorpusExplanation(
        score=score,
        costs=costs_of(score),
        ngrams=_costly(bleu.for_corpora, missed, total, score.score),
        influence=influence_of(bleu, stats, score),
    )


def _missed(orders: int, hypothesis: Ngram, references: tuple[Ngram, ...]) -> Counter[Ngram]:
    """Count the n-grams of a hypothesis that did not match."""
    missed: Counter[Ngram] = Counter()
    for order in range(1, orders + 1):
        known: Counter[Ngram] = Counter()
        for reference in references:
            known |= Counter(ngrams(reference, order))
        missed.update(Counter(ngrams(hypothesis, order)) - known)
    return missed


def _costly(
    bleu: Bleu, missed: Counter[Ngram], total: NDArray[np.int64], score: float
) -> tuple[Cost, ...]:
    """Find the n-grams that would raise the score most if they had matched."""
    place = {name: index for index, name in enumerate(bleu.fields)}
    gains = []
    for ngram, count in missed.items():
        row = total.copy()
        row[place[f"match_{len(ngram)}"]] += count
        gains.append((bleu.row_value(row.astype("<i8").tobytes()) - score, count, ngram))
    gains.sort(key=lambda each: (-each[0], -each[1], list(map(str, each[2]))))
    return tuple(
        Cost(name=" ".join(map(str, ngram)), points=points, missed=count)
        for points, count, ngram in gains[:_MOST_NGRAMS]
    )
