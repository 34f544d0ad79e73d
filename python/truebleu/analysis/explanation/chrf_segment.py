"""How the chrF of a segment is calculated."""

from __future__ import annotations

from collections import Counter
from math import ceil

from truebleu._core import chrf_units
from truebleu.analysis.explanation.chrf_formula import ChrfOrder, orders_of, result_block
from truebleu.analysis.explanation.ngrams import ngrams
from truebleu.display.blocks import Block
from truebleu.display.shown import Result, Shown
from truebleu.display.tokens import LEVELS, MarkedText, Piece
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.analysis.explanation.chrf_formula import Unit
    from truebleu.analysis.explanation.ngrams import Ngram
    from truebleu.metrics.chrf.metric import Chrf
    from truebleu.metrics.chrf.score import ChrfScore

    # A character or a word, and its start and end in the text.
    Spanned = tuple[str, int, int]


class ChrfNgram(Result):
    """How often one n-gram counts.

    Attributes
    ----------
    tokens : tuple of str
        Its characters or words.
    count : int
        How often the hypothesis has it.
    reference_count : int
        How often the reference has it.
    clipped : int
        The smaller of the two: the matches that are credited.
    """

    __module__ = "truebleu"

    __slots__ = ("clipped", "count", "reference_count", "tokens")
    tokens: tuple[str, ...]
    count: int
    reference_count: int
    clipped: int

    @property
    def missing(self) -> int:
        """How many more of them the reference has."""
        return self.reference_count - self.clipped

    @property
    def superfluous(self) -> int:
        """How many more of them the hypothesis has."""
        return self.count - self.clipped


class ChrfSpan(Result):
    """A stretch of text, and how well it matches.

    Attributes
    ----------
    text : str
    start, end : int
        Where it is in the original text, in characters.
    order : int
        The highest order of the matching n-grams that cover each of its characters; 0 if none does.
        If an n-gram occurs more often than it is credited, its first occurrences match.
    """

    __module__ = "truebleu"

    __slots__ = ("end", "order", "start", "text")
    text: str
    start: int
    end: int
    order: int


class ChrfSegmentExplanation(Shown):
    """How the chrF of one segment is calculated. Made by :func:`truebleu.explain`.

    Attributes
    ----------
    score : ChrfScore
    hypothesis : str
    references : tuple of str
    reference : int
        Which reference counts, from 0: the first with the highest score.
    reference_scores : tuple of float
        The score against each reference.
    orders : tuple of ChrfOrder
        Those of characters, then those of words.
    ngrams : tuple of tuple of ChrfNgram
        For each order the n-grams of the hypothesis, in the order in which they first occur, then
        those that only the reference has.
    spans : tuple of ChrfSpan
        Where the hypothesis matches, by its n-grams of characters; by those of words if no
        characters are counted.
    reference_spans : tuple of ChrfSpan
        Where the reference that counts matches.
    """

    __module__ = "truebleu"

    __slots__ = (
        *("hypothesis", "ngrams", "orders", "reference", "reference_scores", "reference_spans"),
        *("references", "score", "spans"),
    )
    score: ChrfScore
    hypothesis: str
    references: tuple[str, ...]
    reference: int
    reference_scores: tuple[float, ...]
    orders: tuple[ChrfOrder, ...]
    ngrams: tuple[tuple[ChrfNgram, ...], ...]
    spans: tuple[ChrfSpan, ...]
    reference_spans: tuple[ChrfSpan, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = [name for name in self._fields if name != "score"]
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        pairs = zip(self.orders, self.ngrams, strict=True)
        return [
            Block("hypothesis", [self._marked(self.hypothesis, self.spans)]),
            *(self._reference_block(number) for number in range(len(self.references))),
            _spans_block("where the hypothesis matches", self.spans),
            _spans_block("where the reference matches", self.reference_spans),
            *(_order_block(order, grams) for order, grams in pairs),
            result_block(self.score, self.orders),
        ]

    def _reference_block(self, number: int) -> Block:
        heading = f"reference {number + 1}"
        if len(self.references) > 1:
            heading += f": {self.score.metric.name} = {self.reference_scores[number]:.2f}"
            heading += " (chosen)" if number == self.reference else ""
        spans = self.reference_spans if number == self.reference else ()
        return Block(heading, [self._marked(self.references[number], spans)])

    def _marked(self, text: str, spans: tuple[ChrfSpan, ...]) -> MarkedText:
        """Mark the spans of a text; what is between them is not counted."""
        most = self.score.metric.char_order
        pieces = []
        end = 0
        for span in spans:
            if end < span.start:
                pieces.append(Piece(text[end : span.start]))
            # Orders of characters are many, and share the levels.
            level = ceil(LEVELS * span.order / most) if most else None
            states = () if span.order else ("missing",)
            pieces.append(Piece(span.text, span.order, states, level))
            end = span.end
        return MarkedText([*pieces, Piece(text[end:])] if end < len(text) else pieces)


def explain_segment(
    chrf: Chrf, hypothesis: str, several: list[str | None]
) -> ChrfSegmentExplanation:
    """List the n-grams that the core has counted."""
    references = tuple(reference for reference in several if reference is not None)
    score = chrf.sentence(hypothesis, references)
    scores = [chrf.sentence(hypothesis, reference) for reference in references]
    # Of several with equal rows, the core has chosen the first.
    place = [list(each.row.values()) for each in scores].index(list(score.row.values()))
    reference = references[place]
    sides = tuple(
        zip(chrf_units(chrf.core, hypothesis), chrf_units(chrf.core, reference), strict=True)
    )
    orders = orders_of(score)
    grams = []
    for order in orders:
        own, other = map(_texts, sides[order.unit == "word"])
        grams.append(tuple(_listed(own, other, order.order)))
    compared, most = (sides[0], chrf.char_order) if chrf.char_order else (sides[1], chrf.word_order)
    return ChrfSegmentExplanation(
        score=score,
        hypothesis=hypothesis,
        references=references,
        reference=place,
        reference_scores=tuple(each.score for each in scores),
        orders=orders,
        ngrams=tuple(grams),
        spans=_spans(hypothesis, *compared, most),
        reference_spans=_spans(reference, *compared[::-1], most),
    )


def _texts(units: list[Spanned]) -> tuple[str, ...]:
    return tuple(text for text, _, _ in units)


def _listed(own: tuple[str, ...], other: tuple[str, ...], order: int) -> Iterator[ChrfNgram]:
    """List the n-grams of both sides."""
    counts, known = Counter(ngrams(own, order)), Counter(ngrams(other, order))
    for tokens in dict.fromkeys((*counts, *known)):
        count, reference_count = counts[tokens], known[tokens]
        yield ChrfNgram(
            tokens=tokens,
            count=count,
            reference_count=reference_count,
            clipped=min(count, reference_count),
        )


def _spans(
    text: str, units: list[Spanned], others: list[Spanned], most: int
) -> tuple[ChrfSpan, ...]:
    """Cut a text where the highest order that matches changes."""
    own, other = _texts(units), _texts(others)
    highest = [0] * len(own)
    for order in range(1, most + 1):
        left = Counter(ngrams(other, order))
        covered = 0
        for start, gram in enumerate(ngrams(own, order)):
            if left[gram]:
                left[gram] -= 1
                highest[max(covered, start) : start + order] = [order] * (
                    start + order - max(covered, start)
                )
                covered = start + order
    spans: list[tuple[int, int, int]] = []
    for order, (_, start, end) in zip(highest, units, strict=True):
        same = spans and spans[-1][2] == order
        spans.append((spans.pop()[0] if same else start, end, order))
    return tuple(
        ChrfSpan(text=text[start:end], start=start, end=end, order=order)
        for start, end, order in spans
    )


def ngram_name(tokens: Ngram, unit: Unit) -> str:
    """Write an n-gram; a space among characters is shown."""
    return " ".join(tokens) if unit == "word" else "".join(tokens).replace(" ", "␣")


def _spans_block(heading: str, spans: tuple[ChrfSpan, ...]) -> Block:
    most = max((span.order for span in spans), default=0)
    rows = [
        (
            "bad" if not span.order else "good" if span.order == most else "clipped",
            (span.text, _range(span), str(span.order or "none")),
        )
        for span in spans
    ]
    return Block(heading, [], ("text", "characters", "longest match"), rows)


def _range(span: ChrfSpan) -> str:
    """Write where a span is, counted from 1."""
    return str(span.end) if span.end == span.start + 1 else f"{span.start + 1}-{span.end}"


def _order_block(order: ChrfOrder, grams: tuple[ChrfNgram, ...]) -> Block:
    parts = ["1 match" if order.matches == 1 else f"{order.matches:,} matches"]
    if order.hyp_total:
        parts.append(f"precision {order.matches}/{order.hyp_total} = {order.precision:.4g}%")
    if order.ref_total:
        parts.append(f"recall {order.matches}/{order.ref_total} = {order.recall:.4g}%")
    lines = []
    if grams and not order.ref_total:
        lines.append("not counted: the reference has no n-grams of this order")
    for heading, listed in (
        ("as often in both", [gram for gram in grams if gram.count == gram.reference_count]),
        ("only in the hypothesis", [gram for gram in grams if not gram.reference_count]),
        ("only in the reference", [gram for gram in grams if not gram.count]),
    ):
        if listed:
            lines.append(f"{heading}: {' · '.join(_with_count(gram, order) for gram in listed)}")
    rows = [
        (
            "clipped",
            (
                ngram_name(gram.tokens, order.unit),
                *map(str, (gram.count, gram.reference_count, gram.clipped)),
                f"{gram.missing} missing" if gram.missing else f"{gram.superfluous} superfluous",
            ),
        )
        for gram in grams
        if gram.clipped and gram.count != gram.reference_count
    ]
    header = ("n-gram", "hypothesis", "reference", "matches", "result")
    return Block(f"{order.name}: {', '.join(parts)}", lines, header, rows, align="lrrrl")


def _with_count(gram: ChrfNgram, order: ChrfOrder) -> str:
    """Write an n-gram, and how often it occurs, if more than once."""
    name, count = ngram_name(gram.tokens, order.unit), max(gram.count, gram.reference_count)
    return f"{name} ({count})" if count > 1 else name
