"""How the BLEU of a segment is calculated."""

from __future__ import annotations

from collections import Counter

from truebleu.analysis.explanation.bleu_formula import penalty_line, result_block
from truebleu.analysis.explanation.ngrams import ngrams
from truebleu.display.blocks import Block
from truebleu.display.formatting import count as counted
from truebleu.display.shown import Result, Shown
from truebleu.display.tokens import MarkedText, Piece
from truebleu.inputs import token_ids
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.analysis.explanation.ngrams import Ngram
    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.bleu.score import BleuScore


class NgramCount(Result):
    """How often one n-gram counts.

    Attributes
    ----------
    tokens : tuple
    count : int
        How often the hypothesis has it.
    maximum : int
        Its highest count in any single reference.
    clipped : int
        The smaller of the two: the matches that are credited.
    reference : int or None
        Which reference that is, from 0; the first of several. None if none has it.
    """

    __module__ = "truebleu"

    __slots__ = ("clipped", "count", "maximum", "reference", "tokens")
    tokens: Ngram
    count: int
    maximum: int
    clipped: int
    reference: int | None


class SegmentExplanation(Shown):
    """How the score of one segment is calculated. Made by :func:`truebleu.explain`.

    Attributes
    ----------
    score : BleuScore
    tokens : tuple
        The tokens of the hypothesis.
    references : tuple of tuple
        The tokens of each reference.
    orders : tuple of tuple of NgramCount
        For each order its n-grams, in the order in which they first occur.
    """

    __module__ = "truebleu"

    __slots__ = ("orders", "references", "score", "tokens")
    score: BleuScore
    tokens: Ngram
    references: tuple[Ngram, ...]
    orders: tuple[tuple[NgramCount, ...], ...]

    @property
    def reference_lengths(self) -> tuple[int, ...]:
        """The number of tokens in each reference."""
        return tuple(map(len, self.references))

    @property
    def unmodified(self) -> tuple[int, ...]:
        """For each order the n-grams that occur in some reference, without clipping."""
        return tuple(sum(ngram.count for ngram in each if ngram.maximum) for each in self.orders)

    @property
    def weighted_log_precisions(self) -> tuple[float, ...]:
        """For each order its weight times the logarithm of its precision, as in the score."""
        return self.score.weighted_log_precisions

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = ("tokens", "references", "reference_lengths", "unmodified", "orders")
        values = {name: plain(getattr(self, name)) for name in names}
        values["weighted_log_precisions"] = list(self.weighted_log_precisions)
        return {**self.score.to_dict(), **values}

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        score = self.score
        have = "reference has" if len(self.references) == 1 else "references have"
        lengths = (
            f"The hypothesis has {counted(score.hyp_len, 'token')}, the {have} "
            f"{', '.join(map(str, self.reference_lengths))}; the reference length is "
            f"{score.ref_len} ({score.metric.reference_length})."
        )
        return [
            _tokens_block("hypothesis", _marked(self.tokens, self.orders)),
            *(
                _tokens_block(f"reference {number}", [Piece(str(token)) for token in reference])
                for number, reference in enumerate(self.references, 1)
            ),
            *(_order_block(self, order) for order in range(1, len(self.orders) + 1)),
            Block(f"brevity penalty {score.brevity_penalty:.4f}", [lengths, penalty_line(score)]),
            result_block(score),
        ]


def split(bleu: Bleu, hypothesis: Any, references: list[Any]) -> tuple[Ngram, tuple[Ngram, ...]]:
    """Return the tokens of a segment and of each of its references, as they are counted."""
    tokens = token_ids.tokens_of if bleu.takes_tokens else bleu.counter.tokens
    return tuple(tokens(hypothesis)), tuple(
        tuple(tokens(reference)) for reference in references if reference is not None
    )


def explain_segment(bleu: Bleu, hypothesis: Any, several: list[Any]) -> SegmentExplanation:
    """Count what the core has counted once more, and name it."""
    score = bleu.sentence(hypothesis, several)
    tokens, references = split(bleu, hypothesis, several)
    orders = []
    for order in range(1, len(score.counts) + 1):
        known = [Counter(ngrams(reference, order)) for reference in references]
        orders.append(
            tuple(
                _ngram_count(ngram, count, [counts[ngram] for counts in known])
                for ngram, count in Counter(ngrams(tokens, order)).items()
            )
        )
    return SegmentExplanation(
        score=score, tokens=tokens, references=references, orders=tuple(orders)
    )


def _ngram_count(tokens: Ngram, count: int, in_references: Sequence[int]) -> NgramCount:
    """Clip a count, and find the reference that has the n-gram most often."""
    maximum = max(in_references, default=0)
    return NgramCount(
        tokens=tokens,
        count=count,
        maximum=maximum,
        clipped=min(count, maximum),
        reference=in_references.index(maximum) if maximum else None,
    )


def _marked(tokens: Ngram, orders: Sequence[Sequence[NgramCount]]) -> list[Piece]:
    """Mark each token by the highest order of the matches that it is part of, or as clipped.

    If an n-gram occurs more often than it is credited, its first occurrences match.
    """
    highest = [0] * len(tokens)
    states: list[tuple[str, ...]] = [()] * len(tokens)
    for order, grams in enumerate(orders, 1):
        left = {gram.tokens: gram.clipped for gram in grams}
        known = {gram.tokens for gram in grams if gram.maximum}
        for start, ngram in enumerate(ngrams(tokens, order)):
            if left[ngram]:
                left[ngram] -= 1
                highest[start : start + order] = [order] * order
            elif order == 1 and ngram in known:
                states[start] = ("clipped",)
    return [
        Piece(str(token), order, state if order or state else ("missing",))
        for token, order, state in zip(tokens, highest, states, strict=True)
    ]


def _tokens_block(name: str, tokens: Sequence[Piece]) -> Block:
    return Block(f"{name}: {counted(len(tokens), 'token')}", [MarkedText.of_tokens(tokens)])


def _order_block(explanation: SegmentExplanation, order: int) -> Block:
    score = explanation.score
    count, total = score.counts[order - 1], score.totals[order - 1]
    precision = score.precisions[order - 1]
    lines = [f"without clipping: {explanation.unmodified[order - 1]}/{total}"]
    if total and abs(precision - 100 * count / total) > 1e-9:
        lines.append(f"after smoothing {score.metric.smoothing}: {precision:.4g}%")
    rows = []
    for ngram in explanation.orders[order - 1]:
        reference = "none" if ngram.reference is None else str(ngram.reference + 1)
        state = "matches" if ngram.clipped == ngram.count else "clipped"
        state = state if ngram.clipped else "no match"
        style = {"matches": "good", "clipped": "clipped", "no match": "bad"}[state]
        numbers = (str(ngram.count), str(ngram.maximum), reference, str(ngram.clipped), state)
        rows.append((style, (" ".join(map(str, ngram.tokens)), *numbers)))
    header = ("n-gram", "count", "maximum", "reference", "credited", "result")
    fraction = f"{count}/{total} = {100 * count / total:.4g}%" if total else f"{count}/{total}"
    return Block(f"order {order}: precision {fraction}", lines, header, rows, align="lrrrrl")
