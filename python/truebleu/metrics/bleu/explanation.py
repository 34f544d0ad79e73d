"""How BLEU is calculated, for a segment and for a corpus, and why two scores differ."""

from __future__ import annotations

from collections import Counter
from functools import partial, reduce
from math import expm1, inf, isclose, log
from operator import or_

from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import decimals
from truebleu.inputs import token_ids
from truebleu.metrics.explanation import (
    Cost,
    DifferencePart,
    Explanation,
    Ngram,
    costly,
    influence_of,
    joined,
    ngrams_of,
    quoted,
    ranked,
    spans_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.blocks import Row
    from truebleu.display.words import Words
    from truebleu.metrics.bleu.score import BleuScore
    from truebleu.metrics.explanation import Span, Tokens
    from truebleu.metrics.metric import Metric

UNIT = "token"
WORST = "n-grams that cost most: points gained if all their misses had matched"


def _split(bleu: Any, hypothesis: Any, references: list[Any]) -> tuple[Tokens, tuple[Tokens, ...]]:
    """Return the tokens of a segment and of each of its references, as they are counted."""
    tokens = token_ids.tokens_of if bleu.takes_tokens else bleu._counter.tokens
    return tuple(tokens(hypothesis)), tuple(
        tuple(tokens(reference)) for reference in references if reference is not None
    )


def explain_segment(bleu: Metric[BleuScore], hypothesis: Any, several: list[Any]) -> Explanation:
    """Count what the core has counted once more, and name it."""
    score = bleu.segment(hypothesis, several)
    tokens, references = _split(bleu, hypothesis, several)
    orders = []
    for order in range(1, len(score.counts) + 1):
        known = [Counter(ngrams_of(reference, order)) for reference in references]
        found = Counter(ngrams_of(tokens, order)).items()
        counted = (_counted(*each, [counts[each[0]] for counts in known]) for each in found)
        orders.append(tuple(counted))
    return Explanation(
        score=score,
        hypothesis=tokens,
        references=references,
        ngrams=tuple(orders),
        spans=_spans(tokens, orders),
    )


def _counted(tokens: Tokens, count: int, in_references: Sequence[int]) -> Ngram:
    """Clip a count, and find the reference that has the n-gram most often."""
    maximum = max(in_references, default=0)
    return Ngram(
        tokens=tokens,
        unit=UNIT,
        count=count,
        maximum=maximum,
        clipped=min(count, maximum),
        reference=in_references.index(maximum) if maximum else None,
    )


def _spans(tokens: Tokens, orders: Sequence[Sequence[Ngram]]) -> tuple[Span, ...]:
    """Mark each token by the highest order of the matches that it is part of, or as clipped."""
    highest = [0] * len(tokens)
    clipped = [False] * len(tokens)
    for order, grams in enumerate(orders, 1):
        left = {gram.tokens: gram.clipped for gram in grams}
        known = {gram.tokens for gram in grams if gram.maximum}
        for start, ngram in enumerate(ngrams_of(tokens, order)):
            if left[ngram]:
                left[ngram] -= 1
                highest[start : start + order] = [order] * order
            elif order == 1 and ngram in known:
                clipped[start] = True
    marks = [() if order else ("missing",) for order in highest]
    marks = [("clipped",) if extra else each for extra, each in zip(clipped, marks, strict=True)]
    return spans_of(tokens, marks, highest)


def lead(found: Explanation, say: Words) -> list[str]:
    """Say in two sentences how good the score is, and what it lacks most."""
    score: Any = found.score
    longest = max((n for n, total in enumerate(score.totals, 1) if total), default=1)
    matching = "BLEU is {score} out of 100: {matches} of {tokens} match a reference."
    if longest > 1:
        matching = (
            "BLEU is {score} out of 100: {matches} of {tokens} match a reference, and {more} of "
            "{total} sequences of {order} tokens."
        )
    said = say(
        matching,
        score=decimals(score.score),
        matches=f"{score.counts[0]:,}",
        tokens=say.count(score.totals[0], "token"),
        more=f"{score.counts[longest - 1]:,}",
        total=f"{score.totals[longest - 1]:,}",
        order=longest,
    )
    return [said, score._reason(say) or _most(found, score, say)]


def _most(found: Explanation, score: BleuScore, say: Words) -> str:
    """Say what a score above 0 lacks most."""
    costs = found.costs or _costs(score)
    worst = max(costs, key=lambda cost: cost.points)
    if worst.missing:
        return say(
            "Most is lost because the output is short: {hyp_len} of {tokens}, which takes "
            "{percent} of the score.",
            hyp_len=f"{score.hyp_len:,}",
            tokens=say.count(score.ref_len, "token"),
            percent=f"{1 - score.brevity_penalty:.1%}",
        )
    if not found.worst and not any(gram.superfluous for each in found.ngrams for gram in each):
        return say("Nothing is missing.")
    if found.influence:
        return say(
            "Of the {lost} points that it lacks, {said_part} takes {points}; the n-grams that cost "
            "most are {ngrams}.",
            lost=decimals(100 - score.score),
            said_part=say.again(worst.name),
            points=decimals(worst.points),
            ngrams=quoted(say, [cost.name for cost in found.worst[:3]]),
        )
    unmatched = [gram.name for gram in found.ngrams[0] if gram.superfluous]
    if unmatched:
        return say("What does not match: {texts}.", texts=quoted(say, unmatched))
    return say("All its tokens match, but in other sequences.")


def details(found: Explanation, say: Words) -> list[Block]:
    """Return the n-grams of each order, and how the brevity penalty follows from the lengths."""
    score: Any = found.score
    lengths = say(
        "The hypothesis has {tokens}, the reference has {lengths}; the reference length is "
        "{chosen} ({rule})."
        if len(found.references) == 1
        else "The hypothesis has {tokens}, the references have {lengths}; the reference length "
        "is {chosen} ({rule}).",
        tokens=say.count(score.hyp_len, "token"),
        lengths=", ".join(str(len(each)) for each in found.references),
        chosen=score.ref_len,
        rule=score.metric.reference_length,
    )
    penalty = say("brevity penalty {penalty}", penalty=f"{score.brevity_penalty:.4f}")
    return [
        *(_order_block(found, order, say) for order in range(1, len(found.ngrams) + 1)),
        Block(penalty, [lengths, _penalty_line(say, score)]),
    ]


def _order_block(found: Explanation, order: int, say: Words) -> Block:
    score: Any = found.score
    grams = found.ngrams[order - 1]
    count, total = score.counts[order - 1], score.totals[order - 1]
    precision = score.precisions[order - 1]
    unclipped = f"{sum(gram.count for gram in grams if gram.maximum)}/{total}"
    lines = [say("without clipping: {fraction}", fraction=unclipped)]
    if total and abs(precision - 100 * count / total) > 1e-9:
        smoothed = "after smoothing {smoothing}: {precision}%"
        name = score.metric.smoothing
        lines.append(say(smoothed, smoothing=name, precision=f"{precision:.4g}"))
    rows = []
    for gram in grams:
        reference = say("none") if gram.reference is None else str(gram.reference + 1)
        state = "matches" if gram.clipped == gram.count else "clipped"
        state = state if gram.clipped else "no match"
        style = {"matches": "good", "clipped": "clipped", "no match": "bad"}[state]
        counts = str(gram.count), str(gram.maximum), reference, str(gram.clipped)
        rows.append((style, (gram.name, *counts, say(state))))
    header = (*map(say, ("n-gram", "count", "maximum", "reference", "credited", "result")),)
    fraction = f"{count}/{total} = {100 * count / total:.4g}%" if total else f"{count}/{total}"
    heading = say("order {order}: precision {fraction}", order=order, fraction=fraction)
    return Block(heading, lines, header, rows, "lrrrrl", folded=True)


def heading_of_costs(score: BleuScore, say: Words) -> str:
    """Say what the costs of a corpus are."""
    lost = decimals(100 - score.score)
    return say("what keeps the score from 100: {points} points", points=lost)


def _costs(score: BleuScore) -> tuple[Cost, ...]:
    """Share the points between a score and 100 out among the orders and the brevity penalty."""
    penalty = score.brevity_penalty
    logs = [*score.weighted_log_precisions, log(penalty) if penalty else -inf]
    zeros = logs.count(-inf)
    if zeros:
        # What makes the score 0 has cost all of it.
        shares = [1 / zeros if each == -inf else 0.0 for each in logs]
    else:
        whole = sum(logs)
        shares = [each / whole if each else 0.0 for each in logs]
    points = [(100 - score.score) * share for share in shares]
    counts = zip(score.counts, score.totals, points, strict=False)
    orders = [
        Cost(
            name=f"order {order}",
            kind="order",
            points=lost,
            missing=0,
            superfluous=total - count,
        )
        for order, (count, total, lost) in enumerate(counts, 1)
    ]
    name = "brevity penalty"
    short = max(0, score.ref_len - score.hyp_len)
    return *orders, Cost(name=name, kind=name, points=points[-1], missing=short, superfluous=0)


def explain_corpus(
    bleu: Metric[BleuScore], hypotheses: list[Any], references: list[list[Any]], threads: int
) -> Explanation:
    """Explain the score of a corpus."""
    stats = bleu.stats(hypotheses, references, threads=threads)
    score = bleu.score(stats)
    missed: list[Counter[Tokens]] = [Counter() for _ in score.counts]
    for hypothesis, several in zip(hypotheses, references, strict=True):
        tokens, known = _split(bleu, hypothesis, several)
        for order, counter in enumerate(missed, 1):
            clipped = (Counter(ngrams_of(reference, order)) for reference in known)
            counter.update(Counter(ngrams_of(tokens, order)) - reduce(or_, clipped))
    total = stats.sum().to_numpy()[0]
    worst: list[Cost] = []
    for order, counter in enumerate(missed, 1):
        place = bleu.fields.index(f"match_{order}")
        grams = ((joined(gram), 0, count) for gram, count in counter.items())
        worst += costly(score, total, f"order {order}", grams, partial(_mend, place))
    return Explanation(
        score=score,
        costs=_costs(score),
        worst=ranked(worst),
        influence=influence_of(bleu, stats, score),
    )


def _mend(place: int, row: NDArray[np.int64], _: int, superfluous: int) -> None:
    row[place] += superfluous


def result(score: BleuScore, say: Words) -> Block:
    """Show the formula with its numbers, and the orders."""
    rows: list[Row] = []
    logs = []
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
        counts = Cell(f"{count:,}/{total:,}", "count")
        rows.append(("", (str(order), counts, shown, decimals(weighted, ".4f"))))
    # A zero has no sign, but is added like the rest.
    signed = " ".join(f"+{each}" if each[0].isdigit() else each for each in logs)
    lines = [f"100 * {score.brevity_penalty:.4f} * exp({signed}) = {score.score:.2f}"]
    if reason := score._reason(say):
        lines.append(reason)
    header = (*map(say, ("order", "matches", "precision", "weighted logarithm")),)
    signature = Cell(score.signature, "code")
    return Block(f"BLEU = {score.score:.2f}", [*lines, signature], header, rows)


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
