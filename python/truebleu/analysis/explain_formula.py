"""The formula of a score with its numbers, as explanations end with it."""

from __future__ import annotations

from truebleu.display.formatting import count as counted
from truebleu.display.formatting import decimals
from truebleu.display.render import Block

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from truebleu.metrics.score import BleuScore


def result_block(score: BleuScore) -> Block:
    """Show the formula with its numbers."""
    logs = [decimals(each, "+.4f") for each in score.logs]
    # Of a zero, too, it has to be said that it is added.
    signed = " ".join(f"+{each}" if each[0].isdigit() else each for each in logs)
    lines = [f"100 * {score.brevity_penalty:.4f} * exp({signed}) = {score.score:.2f}"]
    if score.reason:
        lines.append(score.reason)
    numbers = zip(score.counts, score.totals, score.precisions, score.logs, strict=True)
    rows = [
        ("", (str(order), f"{count:,}/{total:,}", f"{precision:.4g} %", decimals(weighted, ".4f")))
        for order, (count, total, precision, weighted) in enumerate(numbers, 1)
    ]
    header = ("order", "matches", "precision", "weighted logarithm")
    return Block(f"BLEU = {score.score:.2f}", [*lines, score.signature], header, rows)


def penalty_line(score: BleuScore) -> str:
    """Show the brevity penalty with its numbers."""
    own, other = score.hyp_len, score.ref_len
    if own >= other:
        return f"{own:,} ≥ {counted(other, 'token')}: no brevity penalty (BP = 1)"
    if not own:
        return f"no tokens against {other:,}: nothing is left of the score"
    return f"exp(1 - {other:,} / {own:,}) = {score.brevity_penalty:.4f}"
