"""The formula of BLEU with its numbers."""

from __future__ import annotations

from math import isclose

from truebleu.display.blocks import Block, Code
from truebleu.display.formatting import count as counted
from truebleu.display.formatting import decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.metrics.bleu.score import BleuScore


def result_block(score: BleuScore) -> Block:
    """Show the formula with its numbers."""
    numbers = list(
        zip(
            *(score.counts, score.totals, score.precisions, score.weighted_log_precisions),
            strict=True,
        )
    )
    left_out = [total == 0 and weighted == 0 for _, total, _, weighted in numbers]
    logs = [
        decimals(weighted, "+.4f")
        for (_, _, _, weighted), skipped in zip(numbers, left_out, strict=True)
        if not skipped
    ]
    # A zero has no sign, but is added like the rest.
    signed = " ".join(f"+{each}" if each[0].isdigit() else each for each in logs)
    lines = [f"100 * {score.brevity_penalty:.4f} * exp({signed}) = {score.score:.2f}"]
    if score.reason:
        lines.append(score.reason)
    precisions = [_shown(*parts) for parts in numbers]
    rows = [
        ("", (str(order), f"{count:,}/{total:,}", shown, decimals(weighted, ".4f")))
        if not skipped
        else ("", (str(order), "0/0", "left out", ""))
        for order, ((count, total, _, weighted), shown, skipped) in enumerate(
            zip(numbers, precisions, left_out, strict=True), 1
        )
    ]
    header = ("order", "matches", "precision", "weighted logarithm")
    return Block(f"BLEU = {score.score:.2f}", [*lines, Code(score.signature)], header, rows)


def _shown(count: int, total: int, precision: float, _: float) -> str:
    """Write a precision, and whether it is smoothed: it is not the quotient of the matches then."""
    smoothed = not isclose(precision, 100 * count / total if total else 0.0)
    return f"{precision:.4g}%{' smoothed' if smoothed else ''}"


def penalty_line(score: BleuScore) -> str:
    """Show the brevity penalty with its numbers."""
    hyp_len, ref_len = score.hyp_len, score.ref_len
    if hyp_len >= ref_len:
        return f"{hyp_len:,} ≥ {counted(ref_len, 'token')}: no brevity penalty (BP = 1)"
    if not hyp_len:
        return f"0 of {counted(ref_len, 'token')}: the brevity penalty is 0 (BP = 0)"
    return f"exp(1 - {ref_len:,} / {hyp_len:,}) = {score.brevity_penalty:.4f}"
