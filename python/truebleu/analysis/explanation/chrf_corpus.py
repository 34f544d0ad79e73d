"""How the chrF of a corpus is calculated, and what lowers it most."""

from __future__ import annotations

from collections import Counter

from truebleu._core import chrf_units
from truebleu.analysis.explanation.chrf_formula import ChrfOrder, orders_of, result_block
from truebleu.analysis.explanation.chrf_segment import ngram_name
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

    from truebleu.analysis.explanation.chrf_formula import Unit
    from truebleu.metrics.chrf.metric import Chrf
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.stats import Stats


# The n-grams of each order that are listed. Short ones are frequent, and would leave no room for
# others.
_MOST_NGRAMS = 5


class ChrfCost(Result):
    """Points that a score loses by one n-gram.

    Attributes
    ----------
    name : str
    unit : str
        ``character`` or ``word``: what the n-gram consists of.
    order : int
        How many of them it has.
    points : float
        By how much the score would rise if each hypothesis had the n-gram exactly as often as the
        reference.
    missing : int
        How many of them the references have and the hypotheses lack.
    superfluous : int
        How many of them the hypotheses have and the references lack.
    """

    __module__ = "truebleu"

    __slots__ = ("missing", "name", "order", "points", "superfluous", "unit")
    name: str
    unit: Unit
    order: int
    points: float
    missing: int
    superfluous: int


class ChrfCorpusExplanation(Shown):
    """How the chrF of a corpus is calculated. Made by :func:`truebleu.explain`.

    Attributes
    ----------
    score : ChrfScore
    orders : tuple of ChrfOrder
        The sums over all segments, of characters, then of words.
    ngrams : tuple of ChrfCost
        For each order the n-grams that cost most, at most 5.
    influence : tuple of float
        For each segment, by how much exactly the score changes if it is left out.
    """

    __module__ = "truebleu"

    __slots__ = ("influence", "ngrams", "orders", "score")
    score: ChrfScore
    orders: tuple[ChrfOrder, ...]
    ngrams: tuple[ChrfCost, ...]
    influence: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = ("orders", "ngrams", "influence")
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        rows = [
            (
                "bad",
                (
                    cost.name,
                    f"{cost.unit} {cost.order}",
                    decimals(cost.points, ".3f"),
                    f"{cost.missing:,}",
                    f"{cost.superfluous:,}",
                ),
            )
            for cost in self.ngrams
        ]
        return [
            Block(
                "n-grams that cost most: points gained if the hypotheses had them as often as the "
                "references",
                [],
                ("n-gram", "order", "points", "missing", "superfluous"),
                rows,
                align="llrrr",
            ),
            influence_block(self.influence),
            result_block(self.score, self.orders),
        ]


def explain_corpus(
    chrf: Chrf, hypotheses: list[str], references: list[list[str | None]], threads: int
) -> ChrfCorpusExplanation:
    """Explain the score of a corpus."""
    stats = chrf.stats(hypotheses, references, threads=threads)
    score = chrf.score(stats)
    orders = orders_of(score)
    missing: list[Counter[Any]] = [Counter() for _ in orders]
    superfluous: list[Counter[Any]] = [Counter() for _ in orders]
    chosen = _chosen(chrf, hypotheses, references, stats, threads)
    for hypothesis, reference in zip(hypotheses, chosen, strict=True):
        sides = [_units(chrf, text) for text in (hypothesis, reference)]
        for place, order in enumerate(orders):
            own, other = (Counter(_ngrams(side[order.unit], order.order)) for side in sides)
            # Without n-grams of the reference, those of the hypothesis do not count.
            if other:
                missing[place].update(other - own)
                superfluous[place].update(own - other)
    total = stats.sum().to_numpy()[0]
    costs: list[ChrfCost] = []
    for place, order in enumerate(orders):
        costs += _costly(score, order, total, place, missing[place], superfluous[place])
    return ChrfCorpusExplanation(
        score=score,
        orders=orders,
        ngrams=tuple(costs),
        influence=influence_of(chrf, stats, score),
    )


def _units(chrf: Chrf, text: str) -> dict[Unit, str | list[str]]:
    """Return the characters of a text as a str, which is faster to cut, and its words."""
    characters, words = chrf_units(chrf.core, text)
    return {
        "character": "".join([character for character, _, _ in characters]),
        "word": [word for word, _, _ in words],
    }


def _ngrams(units: str | list[str], order: int) -> list[Any]:
    if isinstance(units, list):
        return ngrams(units, order)
    return [units[start : start + order] for start in range(len(units) - order + 1)]


def _chosen(
    chrf: Chrf,
    hypotheses: list[str],
    references: list[list[str | None]],
    stats: Stats,
    threads: int,
) -> list[str]:
    """Return the reference of each segment that counts: the first whose row is that counted."""
    lists = [[text for text in several if text is not None] for several in references]
    if stats.references == 1:
        return [only for [only] in lists]
    repeated = [
        hypothesis for hypothesis, several in zip(hypotheses, lists, strict=True) for _ in several
    ]
    flat = [text for several in lists for text in several]
    pairs = chrf.count_stats(repeated, flat, threads=threads)
    rows, counted = iter(pairs.to_numpy().tolist()), stats.to_numpy().tolist()
    return [
        several[[next(rows) for _ in several].index(row)]
        for several, row in zip(lists, counted, strict=True)
    ]


def _costly(
    score: ChrfScore,
    order: ChrfOrder,
    total: NDArray[np.int64],
    place: int,
    missing: Counter[Any],
    superfluous: Counter[Any],
) -> list[ChrfCost]:
    """Find the n-grams of an order that would raise the score most if they were right."""
    gains: dict[tuple[int, int], float] = {}
    found = []
    for gram in missing.keys() | superfluous.keys():
        counts = lacking, extra = missing[gram], superfluous[gram]
        if counts not in gains:
            row = total.copy()
            # A row has three numbers per order: of hypotheses, of references, and matches.
            row[3 * place] += lacking - extra
            row[3 * place + 2] += lacking
            value: float = score.metric.row_value(row.astype("<i8").tobytes())
            gains[counts] = value - score.score
        found.append((-gains[counts], -lacking - extra, gram, counts))
    found.sort()
    return [
        ChrfCost(
            name=ngram_name(gram, order.unit),
            unit=order.unit,
            order=order.order,
            points=-loss,
            missing=lacking,
            superfluous=extra,
        )
        for loss, _, gram, (lacking, extra) in found[:_MOST_NGRAMS]
    ]
