"""The orders of chrF, and the formula with its numbers."""

from __future__ import annotations

import struct

from truebleu._core import Engine
from truebleu.display.blocks import Block, Cell
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from truebleu.display.blocks import Row
    from truebleu.display.words import Words
    from truebleu.metrics.chrf.score import ChrfScore

    Unit = Literal["character", "word"]


class Order(Record):
    """The n-grams of one order: their numbers, and what follows from these, in percent.

    Precision and recall are None if the hypotheses, or the references, have none; `f_score` is None
    if the order is left out because of that.
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
        """The name, such as ``character 2``."""
        return f"{self.unit} {self.order}"


def orders_of(score: ChrfScore) -> tuple[Order, ...]:
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
        order = Order(
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


def formula(score: ChrfScore, say: Words) -> Block:
    """Show the formula with its numbers, and the orders."""
    chrf, orders = score.metric, orders_of(score)
    told = _means if chrf.eps_smoothing else _averages
    lines = told(say, score, orders)
    if reason := score._reason(say):
        lines.append(reason)
    rows: list[Row] = []
    for order in orders:
        numbers = (order.matches, order.hyp_total, order.ref_total)
        counts = [Cell(f"{each:,}", "count") for each in numbers]
        percents = map(_percent, (order.precision, order.recall, order.f_score))
        rows.append(("", (say.again(order.name), *counts, *percents)))
    columns = ("order", "matches", "hypothesis", "reference", "precision", "recall")
    header = (*map(say, columns), f"F{chrf.beta:g}")
    heading = f"{chrf.name} = {score.score:.2f}"
    return Block(heading, [*lines, Cell(score.signature, "code")], header, rows)


def _averages(say: Words, score: ChrfScore, orders: tuple[Order, ...]) -> list[str]:
    """Write the F-score of the average precision and the average recall."""
    counted = [each for each in orders if each.f_score is not None]
    skipped = [say.again(each.name) for each in orders if each.f_score is None]
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


def _means(say: Words, score: ChrfScore, orders: tuple[Order, ...]) -> list[str]:
    """Write the average of the F-scores of all orders."""
    lines = [f"{_mean([each.f_score for each in orders])} = {score.score:.2f}"]
    if not all(each.hyp_total and each.ref_total for each in orders):
        lines.append(say("Precision or recall of an order without n-grams counts as 1e-16."))
    return lines


def _mean(numbers: list[float | None]) -> str:
    return f"({' + '.join(f'{each:.2f}' for each in numbers)}) / {len(numbers)}"


def _percent(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}%"
