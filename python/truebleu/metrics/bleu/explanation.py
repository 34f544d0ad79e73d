"""How BLEU is calculated, for a segment and for a corpus, and why two scores differ."""

from __future__ import annotations

from collections import Counter
from math import expm1, inf, isclose, log

from truebleu.display.blocks import Block, Code, Counts
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result
from truebleu.display.tokens import MarkedText, Piece
from truebleu.inputs import token_ids
from truebleu.metrics.explanation import (
    DifferencePart,
    Explanation,
    influence_block,
    influence_of,
    ngrams,
)
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.words import Words
    from truebleu.metrics.bleu.score import BleuScore
    from truebleu.metrics.explanation import Ngram
    from truebleu.metrics.metric import Metric

# The n-grams of a corpus that are listed.
_MOST_NGRAMS = 20


class NgramCount(Result):
    """How often one n-gram counts.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"]).orders[0][0]
    NgramCount(tokens=('a',), count=1, maximum=0, clipped=0, reference=None)

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

    tokens: Ngram
    count: int
    maximum: int
    clipped: int
    reference: int | None


class SegmentExplanation(Explanation):
    """How the score of one segment is calculated. Made by :func:`truebleu.explain`.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"]).unmodified
    (2, 1, 0, 0)

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
        score, say = self.score, self._say
        lengths = say(
            "The hypothesis has {tokens}, the reference has {lengths}; the reference length is "
            "{chosen} ({rule})."
            if len(self.references) == 1
            else "The hypothesis has {tokens}, the references have {lengths}; the reference length "
            "is {chosen} ({rule}).",
            tokens=say.count(score.hyp_len, "token"),
            lengths=", ".join(map(str, self.reference_lengths)),
            chosen=score.ref_len,
            rule=score.metric.reference_length,
        )
        penalty = say("brevity penalty {penalty}", penalty=f"{score.brevity_penalty:.4f}")
        return [
            _tokens_block(say, _marked(self.tokens, self.orders)),
            *(
                _tokens_block(say, [Piece(str(token)) for token in reference], number)
                for number, reference in enumerate(self.references, 1)
            ),
            *(_order_block(self, order) for order in range(1, len(self.orders) + 1)),
            Block(penalty, [lengths, _penalty_line(say, score)]),
            _result_block(say, score),
        ]


def _split(bleu: Any, hypothesis: Any, references: list[Any]) -> tuple[Ngram, tuple[Ngram, ...]]:
    """Return the tokens of a segment and of each of its references, as they are counted."""
    tokens = token_ids.tokens_of if bleu.takes_tokens else bleu._counter.tokens
    return tuple(tokens(hypothesis)), tuple(
        tuple(tokens(reference)) for reference in references if reference is not None
    )


def explain_segment(
    bleu: Metric[BleuScore], hypothesis: Any, several: list[Any]
) -> SegmentExplanation:
    """Count what the core has counted once more, and name it."""
    score = bleu.segment(hypothesis, several)
    tokens, references = _split(bleu, hypothesis, several)
    orders = []
    for order in range(1, len(score.counts) + 1):
        known = [Counter(ngrams(reference, order)) for reference in references]
        found = Counter(ngrams(tokens, order)).items()
        counted = (_ngram_count(*each, [counts[each[0]] for counts in known]) for each in found)
        orders.append(tuple(counted))
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
    """Mark each token by the highest order of the matches that it is part of, or as clipped."""
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


def _tokens_block(say: Words, tokens: Sequence[Piece], number: int = 0) -> Block:
    length = say.count(len(tokens), "token")
    name = "reference {number}: {length}" if number else "hypothesis: {length}"
    return Block(say(name, number=number, length=length), [MarkedText.of_tokens(tokens, say)])


def _order_block(explanation: SegmentExplanation, order: int) -> Block:
    score, say = explanation.score, explanation._say
    count, total = score.counts[order - 1], score.totals[order - 1]
    precision = score.precisions[order - 1]
    unclipped = f"{explanation.unmodified[order - 1]}/{total}"
    lines = [say("without clipping: {fraction}", fraction=unclipped)]
    if total and abs(precision - 100 * count / total) > 1e-9:
        smoothed = "after smoothing {smoothing}: {precision}%"
        name = score.metric.smoothing
        lines.append(say(smoothed, smoothing=name, precision=f"{precision:.4g}"))
    rows = []
    for ngram in explanation.orders[order - 1]:
        reference = say("none") if ngram.reference is None else str(ngram.reference + 1)
        state = "matches" if ngram.clipped == ngram.count else "clipped"
        state = state if ngram.clipped else "no match"
        style = {"matches": "good", "clipped": "clipped", "no match": "bad"}[state]
        counts = str(ngram.count), str(ngram.maximum), reference, str(ngram.clipped)
        rows.append((style, (" ".join(map(str, ngram.tokens)), *counts, say(state))))
    header = (*map(say, ("n-gram", "count", "maximum", "reference", "credited", "result")),)
    fraction = f"{count}/{total} = {100 * count / total:.4g}%" if total else f"{count}/{total}"
    heading = say("order {order}: precision {fraction}", order=order, fraction=fraction)
    return Block(heading, lines, header, rows, "lrrrrl", folded=True)


class Cost(Result):
    """Points that a score loses.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.explain(hypotheses, references).costs[0]
    Cost(name='order 1', points=3.39501, missed=1)

    Attributes
    ----------
    name : str
        ``order 1``, ``order 2``, ..., ``brevity penalty``; or an n-gram.
    points : float
        On the scale of 0 to 100.
    missed : int
        How many n-grams of the hypotheses did not match, or how many tokens are missing.
    """

    name: str
    points: float
    missed: int


class CorpusExplanation(Explanation):
    """How the score of a corpus is calculated. Made by :func:`truebleu.explain`.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.explain(hypotheses, references).costs[0].points
    3.395013867991021

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

    score: BleuScore
    costs: tuple[Cost, ...]
    ngrams: tuple[Cost, ...]
    influence: tuple[float, ...]

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        score, say = self.score, self._say
        names = [say("order {order}", order=order) for order in range(1, len(self.costs))]
        parts = []
        for name, cost in zip((*names, say("brevity penalty")), self.costs, strict=True):
            parts.append(("", (name, decimals(cost.points), Counts(f"{cost.missed:,}"))))
        ngrams = [
            ("bad", (cost.name, decimals(cost.points, ".3f"), Counts(f"{cost.missed:,}")))
            for cost in self.ngrams
        ]
        lost = say(
            "what keeps the score from 100: {points} points", points=decimals(100 - score.score)
        )
        most = say("n-grams that cost most: points gained if all their misses had matched")
        penalty = say("brevity penalty: {how}", how=_penalty_line(say, score))
        return [
            Block(lost, [penalty], (say("part"), say("points"), say("missed")), parts),
            Block(most, [], (say("n-gram"), say("points"), say("missed")), ngrams),
            influence_block(say, self.influence),
            _result_block(say, score),
        ]


def _costs(score: BleuScore) -> tuple[Cost, ...]:
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
    bleu: Metric[BleuScore], hypotheses: list[Any], references: list[list[Any]], threads: int
) -> CorpusExplanation:
    """Explain the score of a corpus."""
    stats = bleu.stats(hypotheses, references, threads=threads)
    score = bleu.score(stats)
    missed: Counter[Ngram] = Counter()
    for hypothesis, several in zip(hypotheses, references, strict=True):
        missed.update(_missed(len(score.counts), *_split(bleu, hypothesis, several)))
    total = stats.sum().to_numpy()[0]
    return CorpusExplanation(
        score=score,
        costs=_costs(score),
        ngrams=_costly(bleu, missed, total, score.score),
        influence=influence_of(bleu, stats, score),
    )


def _missed(orders: int, hypothesis: Ngram, references: tuple[Ngram, ...]) -> Counter[Ngram]:
    missed: Counter[Ngram] = Counter()
    for order in range(1, orders + 1):
        known: Counter[Ngram] = Counter()
        for reference in references:
            known |= Counter(ngrams(reference, order))
        missed.update(Counter(ngrams(hypothesis, order)) - known)
    return missed


def _costly(
    bleu: Metric[BleuScore], missed: Counter[Ngram], total: NDArray[np.int64], score: float
) -> tuple[Cost, ...]:
    """Find the n-grams that would raise the score most if they had matched."""
    place = {name: index for index, name in enumerate(bleu.fields)}
    gains = []
    for ngram, count in missed.items():
        row = total.copy()
        row[place[f"match_{len(ngram)}"]] += count
        gains.append((bleu._row_value(row.astype("<i8").tobytes()) - score, count, ngram))
    gains.sort(key=lambda each: (-each[0], -each[1], list(map(str, each[2]))))
    return tuple(
        Cost(name=" ".join(map(str, ngram)), points=points, missed=count)
        for points, count, ngram in gains[:_MOST_NGRAMS]
    )


def _result_block(say: Words, score: BleuScore) -> Block:
    rows, logs = [], []
    columns = score.counts, score.totals, score.precisions, score.weighted_log_precisions
    for order, (count, total, precision, weighted) in enumerate(zip(*columns, strict=True), 1):
        if total == 0 and weighted == 0:
            rows.append(("", (str(order), "0/0", say("left out"), "")))
            continue
        logs.append(decimals(weighted, "+.4f"))
        # Smoothed, a precision is not the quotient of the matches.
        plain = isclose(precision, 100 * count / total if total else 0.0)
        shown = f"{precision:.4g}%"
        if not plain:
            shown = say("{precision} smoothed", precision=shown)
        counts = Counts(f"{count:,}/{total:,}")
        rows.append(("", (str(order), counts, shown, decimals(weighted, ".4f"))))
    # A zero has no sign, but is added like the rest.
    signed = " ".join(f"+{each}" if each[0].isdigit() else each for each in logs)
    lines = [f"100 * {score.brevity_penalty:.4f} * exp({signed}) = {score.score:.2f}"]
    if reason := score._reason(say):
        lines.append(reason)
    header = (*map(say, ("order", "matches", "precision", "weighted logarithm")),)
    return Block(f"BLEU = {score.score:.2f}", [*lines, Code(score.signature)], header, rows)


def _penalty_line(say: Words, score: BleuScore) -> str:
    hyp_len, ref_len = score.hyp_len, score.ref_len
    if not score.metric.brevity_penalty:
        return "BP = 1"
    tokens = say.count(ref_len, "token")
    if hyp_len >= ref_len:
        none = "{hyp_len} ≥ {tokens}: no brevity penalty (BP = 1)"
        return say(none, hyp_len=f"{hyp_len:,}", tokens=tokens)
    if not hyp_len:
        return say("0 of {tokens}: the brevity penalty is 0 (BP = 0)", tokens=tokens)
    return f"exp(1 - {ref_len:,} / {hyp_len:,}) = {score.brevity_penalty:.4f}"


def decompose(one: BleuScore, other: BleuScore) -> tuple[tuple[DifferencePart, ...], str | None]:
    """Return the parts of the difference, and why they are undefined; None if they are not."""
    names = [f"order {order}" for order in range(1, len(one.precisions) + 1)]
    names.append("brevity penalty")
    values = [[*score.precisions, score.brevity_penalty] for score in (one, other)]
    zeros = [
        f"The {which} score is 0, so logarithms are undefined: {score.reason}"
        for which, score in (("first", one), ("second", other))
        if not score.score
    ]
    if zeros:
        shares: list[float | None] = [None] * len(names)
    else:
        first, second = (
            [*score.weighted_log_precisions, log(score.brevity_penalty)] for score in (one, other)
        )
        terms = [a - b for a, b in zip(first, second, strict=True)]
        # The ratio of the scores is e to the power of this; the mean is stable near 1, too.
        exponent = sum(terms)
        larger = max(one.score, other.score)
        mean = larger * (expm1(-abs(exponent)) / -abs(exponent) if exponent else 1)
        shares = [mean * term for term in terms]
    parts = tuple(
        DifferencePart(name=name, share=share, one=a, other=b)
        for name, share, a, b in zip(names, shares, *values, strict=True)
    )
    return parts, " ".join(zeros) or None
