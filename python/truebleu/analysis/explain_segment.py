"""How the score of a segment is calculated."""

from __future__ import annotations

from collections import Counter

from truebleu.analysis.explain_formula import penalty_line, result_block
from truebleu.display.formatting import count as counted
from truebleu.display.render import Block, Shown
from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.metrics.score import BleuScore

    Gram = tuple[Any, ...]


class NgramCount(Frozen):
    """How often one n-gram counts.

    Attributes
    ----------
    tokens : tuple
    count : int
        In the hypothesis.
    maximum : int
        In the one reference that has it most often.
    clipped : int
        The smaller of the two: what counts as a match.
    reference : int or None
        Which reference that is, from 0; of several the first. None if none has it.
    """

    __slots__ = ("clipped", "count", "maximum", "reference", "tokens")
    clipped: int
    count: int
    maximum: int
    reference: int | None
    tokens: Gram

    def __init__(self, tokens: Gram, count: int, in_references: Sequence[int]) -> None:
        """Find the reference that has it most often."""
        maximum = max(in_references, default=0)
        values = {
            "clipped": min(count, maximum),
            "count": count,
            "maximum": maximum,
            "reference": in_references.index(maximum) if maximum else None,
            "tokens": tokens,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "tokens": list(self.tokens),
            "count": self.count,
            "maximum": self.maximum,
            "clipped": self.clipped,
            "reference": self.reference,
        }


class SegmentExplanation(Shown):
    """How one segment came to its score. Made by :func:`explain`.

    Attributes
    ----------
    score : BleuScore
    tokens : tuple
        Of the hypothesis.
    references : tuple of tuple
        The tokens of each reference.
    orders : tuple of tuple of NgramCount
        For each order its n-grams, in the order in which they first occur.
    """

    __slots__ = ("orders", "references", "score", "tokens")
    orders: tuple[tuple[NgramCount, ...], ...]
    references: tuple[Gram, ...]
    score: BleuScore
    tokens: Gram

    def __init__(self, score: BleuScore, tokens: Gram, references: tuple[Gram, ...]) -> None:
        """Count what the core has counted once more, with names."""
        orders = []
        for order in range(1, len(score.counts) + 1):
            known = [Counter(ngrams(reference, order)) for reference in references]
            orders.append(
                tuple(
                    NgramCount(gram, count, [counts[gram] for counts in known])
                    for gram, count in Counter(ngrams(tokens, order)).items()
                )
            )
        values = {
            "orders": tuple(orders),
            "references": references,
            "score": score,
            "tokens": tokens,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def reference_lengths(self) -> tuple[int, ...]:
        """Tokens in each reference."""
        return tuple(map(len, self.references))

    @property
    def unmodified(self) -> tuple[int, ...]:
        """For each order the n-grams that occur in some reference, without clipping."""
        return tuple(sum(gram.count for gram in grams if gram.maximum) for grams in self.orders)

    @property
    def logs(self) -> tuple[float, ...]:
        """For each order its weight times the logarithm of its precision; they add up."""
        return self.score.logs

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            **self.score.to_dict(),
            "tokens": list(self.tokens),
            "references": [list(reference) for reference in self.references],
            "reference_lengths": list(self.reference_lengths),
            "unmodified": list(self.unmodified),
            "logs": list(self.logs),
            "orders": [[gram.to_dict() for gram in grams] for grams in self.orders],
        }

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        return segment_blocks(self)


def ngrams(tokens: Sequence[Any], order: int) -> list[Gram]:
    """List the n-grams of a sequence of tokens."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def segment_blocks(found: SegmentExplanation) -> list[Block]:
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
                penalty_line(score),
            ],
        )
    )
    blocks.append(result_block(score))
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
