"""What an explanation says, as blocks for every format."""

from __future__ import annotations

from truebleu.display.formatting import count as counted
from truebleu.display.formatting import decimals
from truebleu.display.render import Block

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from truebleu.analysis.explain_corpus import CorpusExplanation
    from truebleu.analysis.explain_segment import Gram, NgramCount, SegmentExplanation
    from truebleu.metrics.score import BleuScore


def segment(found: SegmentExplanation) -> list[Block]:
    """Show how one segment came to its score."""
    score = found.score
    tokens = counted(score.hyp_len, "token")
    blocks = [_tokens_block("hypothesis", found.tokens)]
    for number, reference in enumerate(found.references, 1):
        blocks.append(_tokens_block(f"reference {number}", reference))
    for order, grams in enumerate(found.orders, 1):
        blocks.append(_order_block(found, order, grams))
    lengths = ", ".join(map(str, found.reference_lengths))
    blocks.append(
        Block(
            f"brevity penalty {score.brevity_penalty:.4f}",
            [
                f"The hypothesis has {tokens}, the references have {lengths}; "
                f"{score.ref_len} is the length that counts ({score._formula.reference_length}).",
                _penalty_line(score),
            ],
        )
    )
    blocks.append(_result_block(score))
    return blocks


def _tokens_block(name: str, tokens: Gram) -> Block:
    return Block(f"{name}: {counted(len(tokens), 'token')}", [" ".join(map(str, tokens))])


def _order_block(found: SegmentExplanation, order: int, grams: tuple[NgramCount, ...]) -> Block:
    score = found.score
    count, total = score.counts[order - 1], score.totals[order - 1]
    precision = score.precisions[order - 1]
    lines = [f"unmodified, without clipping: {found.unmodified[order - 1]}/{total}"]
    if total and abs(precision - 100 * count / total) > 1e-9:
        lines.append(f"after smoothing {score._formula.smoothing}: {precision:.4g} %")
    rows = []
    for gram in grams:
        where = "none" if gram.reference is None else str(gram.reference + 1)
        state = "matches" if gram.clipped == gram.count else "clipped"
        state = state if gram.clipped else "no match"
        style = {"matches": "good", "clipped": "clipped", "no match": "bad"}[state]
        numbers = (str(gram.count), str(gram.maximum), where, str(gram.clipped), state)
        rows.append((style, (" ".join(map(str, gram.tokens)), *numbers)))
    header = ("n-gram", "count", "maximum", "reference", "clipped", "")
    fraction = f"{count}/{total} = {100 * count / total:.4g} %" if total else f"{count}/{total}"
    return Block(f"order {order}: precision {fraction}", lines, header, rows)


def _result_block(score: BleuScore) -> Block:
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


def _penalty_line(score: BleuScore) -> str:
    """Show the brevity penalty with its numbers."""
    own, other = score.hyp_len, score.ref_len
    if own >= other:
        return f"{own:,} ≥ {counted(other, 'token')}: no brevity penalty (BP = 1)"
    if not own:
        return f"no tokens against {other:,}: nothing is left of the score"
    return f"exp(1 - {other:,} / {own:,}) = {score.brevity_penalty:.4f}"


def corpus(found: CorpusExplanation) -> list[Block]:
    """Show how a corpus came to its score."""
    score = found.score
    ranked = sorted(enumerate(found.influence, 1), key=lambda each: -abs(each[1]))
    return [
        Block(
            f"what keeps the score from 100: {decimals(100 - score.score)} points",
            [f"brevity penalty: {_penalty_line(score)}"],
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
        _result_block(score),
    ]
