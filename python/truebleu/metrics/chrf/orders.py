"""The orders of chrF, and the formula with its numbers."""

from __future__ import annotations

import struct

from truebleu._core import Engine
from truebleu.display.blocks import Block, Code, Counts
from truebleu.display.shown import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from truebleu.display.words import Words
    from truebleu.metrics.chrf.score import ChrfScore

    Unit = Literal["character", "word"]


class ChrfOrder(Result):
    """The n-grams of one order, and what follows from their numbers.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="chrf").orders[2].name
    'character 3'

    Attributes
    ----------
    unit : str
        ``character`` or ``word``.
    order : int
        How many of them an n-gram has.
    matches : int
        N-grams that hypotheses and references share.
    hyp_total : int
        N-grams of the hypotheses, where the reference has any of this order.
    ref_total : int
        N-grams of the references.
    precision : float or None
        Matches per 100 n-grams of the hypotheses; None if there are none.
    recall : float or None
        Matches per 100 n-grams of the references; None if there are none.
    f_score : float or None
        The F-score of this order alone, in percent; None if the order is left out because one side
        has no such n-gram.
    """

    unit: Unit
    order: int
    matches: int
    hyp_total: int
    ref_total: int
    precision: float | None
    recall: float | None
    f_score: float | None

    @property
    def name(self) -> str:
        """The name for display, such as ``character 2``."""
        return f"{self.unit} {self.order}"

    def named(self, say: Words) -> str:
        """Return the name in some language."""
        return order_name(say, self.unit, self.order)


def order_name(say: Words, unit: Unit, order: int) -> str:
    """Name an order of characters or of words."""
    return say(unit + " {order}", order=order)


def orders_of(score: ChrfScore) -> tuple[ChrfOrder, ...]:
    """Return the orders of a score: those of characters, then those of words."""
    chrf = score.metric
    # The formula of the core, applied to one order.
    single = Engine.chrf(
        char_order=1,
        word_order=0,
        squared_beta=chrf.beta**2,
        lowercase=False,
        whitespace=False,
        eps_smoothing=chrf.eps_smoothing,
    )
    totals = list(zip(score.hyp_totals, score.ref_totals, score.matches, strict=True))
    rows = b"".join(struct.pack("<3q", *each) for each in totals)
    values = memoryview(single.score_rows(rows)).cast("d")
    parts = zip(totals, score.precisions, score.recalls, values, strict=True)
    orders = []
    for place, ((hyp, ref, match), precision, recall, value) in enumerate(parts):
        of_words = place >= chrf.char_order
        order = ChrfOrder(
            unit="word" if of_words else "character",
            order=place + 1 - (chrf.char_order if of_words else 0),
            matches=match,
            hyp_total=hyp,
            ref_total=ref,
            precision=precision,
            recall=recall,
            f_score=value if chrf.eps_smoothing or (hyp and ref) else None,
        )
        orders.append(order)
    return tuple(orders)


def result_block(say: Words, score: ChrfScore, orders: tuple[ChrfOrder, ...]) -> Block:
    """Show the formula with its numbers."""
    chrf = score.metric
    told = _means if chrf.eps_smoothing else _averages
    lines = told(say, score, orders)
    if reason := score._reason(say):
        lines.append(reason)
    rows = []
    for order in orders:
        counts = (order.matches, order.hyp_total, order.ref_total)
        percents = map(_percent, (order.precision, order.recall, order.f_score))
        rows.append(("", (order.named(say), *(Counts(f"{each:,}") for each in counts), *percents)))
    columns = ("order", "matches", "hypothesis", "reference", "precision", "recall")
    header = (*map(say, columns), f"F{chrf.beta:g}")
    heading = f"{chrf.name} = {score.score:.2f}"
    return Block(heading, [*lines, Code(score.signature)], header, rows)


def _averages(say: Words, score: ChrfScore, orders: tuple[ChrfOrder, ...]) -> list[str]:
    """Write the F-score of the average precision and the average recall."""
    counted = [each for each in orders if each.f_score is not None]
    skipped = [each.named(say) for each in orders if each.f_score is None]
    lines = []
    if skipped:
        left_out = "left out, because one side has no such n-grams: {orders}"
        lines.append(say(left_out, orders=", ".join(skipped)))
    if not counted:
        return lines
    beta, precision, recall = f"{score.metric.beta:g}²", score.precision, score.recall
    lines += [
        f"P = {_mean([each.precision for each in counted])} = {precision:.2f}",
        f"R = {_mean([each.recall for each in counted])} = {recall:.2f}",
    ]
    if precision + recall:
        lines.append(
            f"(1 + {beta}) * P * R / ({beta} * P + R) = (1 + {beta}) * {precision:.2f} * "
            f"{recall:.2f} / ({beta} * {precision:.2f} + {recall:.2f}) = {score.score:.2f}"
        )
    return lines


def _means(say: Words, score: ChrfScore, orders: tuple[ChrfOrder, ...]) -> list[str]:
    """Write the average of the F-scores of all orders."""
    lines = [f"{_mean([each.f_score for each in orders])} = {score.score:.2f}"]
    if not all(each.hyp_total and each.ref_total for each in orders):
        lines.append(say("Precision or recall of an order without n-grams counts as 1e-16."))
    return lines


def _mean(numbers: list[float | None]) -> str:
    return f"({' + '.join(f'{each:.2f}' for each in numbers)}) / {len(numbers)}"


def _percent(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}%"
