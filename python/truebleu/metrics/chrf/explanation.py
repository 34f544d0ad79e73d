"""How chrF is calculated, for a segment and for a corpus, and why two scores differ."""

from __future__ import annotations

from collections import Counter
from functools import partial

from truebleu._core import chrf_units, normalize
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.metrics.chrf.orders import formula, orders_of
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.explanation import (
    DifferencePart,
    Explanation,
    Ngram,
    Span,
    costly,
    influence_of,
    ngrams_of,
    quoted,
    ranked,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.words import Words
    from truebleu.metrics.chrf.orders import Order, Unit
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.core import CoreMetric
    from truebleu.metrics.stats import Stats

    # A character or a word, and its start and end in the text.
    Spanned = tuple[str, int, int]

UNIT = "character"
WORST = (
    "n-grams that cost most: points gained if the hypotheses had them as often as the references"
)

# Stands for an undefined precision or recall where a score has `eps_smoothing`, as in the core.
_EPSILON = 1e-16


def explain_segment(
    chrf: CoreMetric[ChrfScore], hypothesis: str, several: list[str | None]
) -> Explanation:
    """List the n-grams that the core has counted."""
    texts = [text for text in (hypothesis, *several) if text is not None]
    if chrf.unicode_form is not None:
        # Places of characters are those in the normal form.
        texts = [normalize(text, chrf.unicode_form) for text in texts]
    hypothesis, references = texts[0], tuple(texts[1:])
    score = chrf.segment(hypothesis, references)
    scores = [chrf.segment(hypothesis, reference) for reference in references]
    # Of several with equal rows, the core has chosen the first.
    place = [list(each.row.values()) for each in scores].index(list(score.row.values()))
    reference = references[place]
    sides = tuple(
        zip(chrf_units(chrf._core, hypothesis), chrf_units(chrf._core, reference), strict=True)
    )
    grams = []
    for order in orders_of(score):
        own, other = map(_texts, sides[order.unit == "word"])
        grams.append(tuple(_listed(own, other, order, place)))
    most = score.metric.char_order or score.metric.word_order
    compared = sides[0] if score.metric.char_order else sides[1]
    return Explanation(
        score=score,
        hypothesis=hypothesis,
        references=references,
        reference=place,
        reference_scores=tuple(each.score for each in scores),
        ngrams=tuple(grams),
        spans=_spans(hypothesis, *compared, most),
        reference_spans=_spans(reference, *compared[::-1], most),
    )


def _texts(units: list[Spanned]) -> tuple[str, ...]:
    return tuple(text for text, _, _ in units)


def _listed(
    own: tuple[str, ...], other: tuple[str, ...], order: Order, reference: int
) -> Iterator[Ngram]:
    counts, known = (Counter(ngrams_of(each, order.order)) for each in (own, other))
    for tokens in dict.fromkeys((*counts, *known)):
        count, maximum = counts[tokens], known[tokens]
        yield Ngram(
            tokens=tokens,
            unit=order.unit,
            count=count,
            maximum=maximum,
            clipped=min(count, maximum),
            reference=reference if maximum else None,
        )


def _spans(text: str, units: list[Spanned], others: list[Spanned], most: int) -> tuple[Span, ...]:
    """Cut a text where the highest order that matches changes."""
    own, other = _texts(units), _texts(others)
    highest = [0] * len(own)
    for order in range(1, most + 1):
        left = Counter(ngrams_of(other, order))
        covered = 0
        for start, gram in enumerate(ngrams_of(own, order)):
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
        Span(
            text=text[start:end],
            start=start,
            end=end,
            order=order,
            marks=() if order else ("missing",),
        )
        for start, end, order in spans
    )


def of_reference(found: Explanation, number: int, say: Words) -> str:
    """Return the score against a reference."""
    return f"{found.score.metric.name} = {found.reference_scores[number]:.2f}"


def lead(found: Explanation, say: Words) -> list[str]:
    """Say in two sentences how good the score is, and what matches least."""
    score: Any = found.score
    first = say(
        "{metric} is {score} out of 100: {precision} of the n-grams of the output are in the "
        "reference, and {recall} of those of the reference are in the output.",
        metric=score.metric.name,
        score=decimals(score.score),
        precision=f"{score.precision:.0f}%",
        recall=f"{score.recall:.0f}%",
    )
    if reason := score._reason(say):
        return [first, reason]
    wrong = [gram for each in found.ngrams for gram in each if gram.count != gram.maximum]
    if not found.worst and not wrong:
        return [first, say("Nothing is missing.")]
    if found.influence:
        # The longest ones, which say most.
        kinds = {cost.kind for cost in found.worst}
        longest = next(cost.name for cost in reversed(found.costs) if cost.name in kinds)
        names = [cost.name for cost in found.worst if cost.kind == longest]
        most = "Of the longest n-grams, those that cost most are {ngrams}."
        return [first, say(most, ngrams=quoted(say, names[:3]))]
    # Stretches that at most two characters in a row match.
    least = [span.text for span in found.reference_spans if span.order <= 2]
    least.sort(key=len, reverse=True)
    if not least:
        return [first, say("All its characters match, but in other sequences.")]
    return [first, say("What it lacks most of the reference: {texts}.", texts=quoted(say, least))]


def details(found: Explanation, say: Words) -> list[Block]:
    """Return where both texts match, and the n-grams of each order."""
    score: Any = found.score
    orders = zip(orders_of(score), found.ngrams, strict=True)
    return [
        _spans_block(say, say("where the hypothesis matches"), found.spans),
        _spans_block(say, say("where the reference matches"), found.reference_spans),
        *(_order_block(say, order, grams) for order, grams in orders),
    ]


def _spans_block(say: Words, heading: str, spans: tuple[Span, ...]) -> Block:
    most = max((span.order for span in spans), default=0)
    rows = []
    for span in spans:
        style = "bad" if not span.order else "good" if span.order == most else "clipped"
        first = f"{span.start + 1}-" * (span.end > span.start + 1)
        rows.append((style, (span.text, f"{first}{span.end}", str(span.order or say("none")))))
    return Block(heading, [], (say("text"), say("characters"), say("longest match")), rows)


def _order_block(say: Words, order: Order, grams: tuple[Ngram, ...]) -> Block:
    matches = "{number} match" if order.matches == 1 else "{number} matches"
    parts = [say(matches, number=f"{order.matches:,}")]
    if order.hyp_total:
        fraction = f"{order.matches}/{order.hyp_total} = {order.precision:.4g}%"
        parts.append(say("precision {fraction}", fraction=fraction))
    if order.ref_total:
        fraction = f"{order.matches}/{order.ref_total} = {order.recall:.4g}%"
        parts.append(say("recall {fraction}", fraction=fraction))
    lines = []
    if grams and not order.ref_total:
        lines.append(say("not counted: the reference has no n-grams of this order"))
    for heading, listed in (
        ("as often in both: {ngrams}", [gram for gram in grams if gram.count == gram.maximum]),
        ("only in the hypothesis: {ngrams}", [gram for gram in grams if not gram.maximum]),
        ("only in the reference: {ngrams}", [gram for gram in grams if not gram.count]),
    ):
        if listed:
            lines.append(say(heading, ngrams=" · ".join(map(_with_count, listed))))
    rows = []
    for gram in grams:
        if gram.clipped and gram.count != gram.maximum:
            counts = map(str, (gram.count, gram.maximum, gram.clipped))
            result = "{number} missing" if gram.missing else "{number} superfluous"
            result = say(result, number=gram.missing or gram.superfluous)
            rows.append(("clipped", (gram.name, *counts, result)))
    header = (*map(say, ("n-gram", "hypothesis", "reference", "matches", "result")),)
    heading = f"{say.again(order.name)}: {', '.join(parts)}"
    return Block(heading, lines, header, rows, "lrrrl", folded=True)


def _with_count(gram: Ngram) -> str:
    """Write an n-gram, and how often it occurs, if more than once."""
    count = max(gram.count, gram.maximum)
    return f"{gram.name} ({count})" if count > 1 else gram.name


def heading_of_costs(score: ChrfScore, say: Words) -> str:
    """Say what the costs of a corpus are."""
    return say("orders: points gained if all their n-grams matched")


def result(score: ChrfScore, say: Words) -> Block:
    """Show the formula with its numbers, and the orders."""
    return formula(score, say)


def explain_corpus(
    chrf: CoreMetric[ChrfScore],
    hypotheses: list[str],
    references: list[list[str | None]],
    threads: int,
) -> Explanation:
    """Explain the score of a corpus."""
    stats = chrf.stats(hypotheses, references, threads=threads)
    score = chrf.score(stats)
    orders = orders_of(score)
    missing: list[Counter[Any]] = [Counter() for _ in orders]
    superfluous: list[Counter[Any]] = [Counter() for _ in orders]
    chosen = _chosen(chrf, hypotheses, references, stats, threads)
    for hypothesis, reference in zip(hypotheses, chosen, strict=True):
        sides = [_units(chrf, text) for text in (hypothesis, reference)]
        for place, order in enumerate(orders):
            own, other = (Counter(_ngrams(side[order.unit], order.order)) for side in sides)
            # Without n-grams of the reference, those of the hypothesis do not count.
            if other:
                missing[place].update(other - own)
                superfluous[place].update(own - other)
    total = stats.sum().to_numpy()[0]
    costs, worst = [], []
    for place, order in enumerate(orders):
        lacking, extra = order.ref_total - order.matches, order.hyp_total - order.matches
        mend = partial(_mend, place)
        costs += costly(score, total, "order", [(order.name, lacking, extra)], mend)
        of_both = missing[place] | superfluous[place]
        grams = (
            (_written(gram), missing[place][gram], superfluous[place][gram]) for gram in of_both
        )
        worst += costly(score, total, order.name, grams, mend)
    return Explanation(
        score=score,
        costs=tuple(costs),
        worst=ranked(worst),
        influence=influence_of(chrf, stats, score),
    )


def _units(chrf: CoreMetric, text: str) -> dict[Unit, str | list[str]]:
    """Return the characters of a text as a str, which is faster to cut, and its words."""
    characters, words = chrf_units(chrf._core, text)
    return {
        "character": "".join([character for character, _, _ in characters]),
        "word": [word for word, _, _ in words],
    }


def _written(gram: Any) -> str:
    return gram.replace(" ", "␣") if isinstance(gram, str) else " ".join(gram)


def _ngrams(units: str | list[str], order: int) -> list[Any]:
    if isinstance(units, list):
        return ngrams_of(units, order)
    return [units[start : start + order] for start in range(len(units) - order + 1)]


def _chosen(
    chrf: CoreMetric,
    hypotheses: list[str],
    references: list[list[str | None]],
    stats: Stats,
    threads: int,
) -> list[str]:
    """Return the reference of each segment that counts: the first whose row is that counted."""
    lists = [[text for text in several if text is not None] for several in references]
    if stats.references == 1:
        return [only for [only] in lists]
    repeated = [
        hypothesis for hypothesis, several in zip(hypotheses, lists, strict=True) for _ in several
    ]
    flat = [text for several in lists for text in several]
    [pairs] = chrf._count(Corpora([repeated], flat, threads=threads), each=True)
    rows, counted = iter(pairs.to_numpy().tolist()), stats.to_numpy().tolist()
    return [
        several[[next(rows) for _ in several].index(row)]
        for several, row in zip(lists, counted, strict=True)
    ]


def _mend(place: int, row: NDArray[np.int64], missing: int, superfluous: int) -> None:
    """Change a row, which has three numbers per order: of hypotheses, of references, and both."""
    row[3 * place] += missing - superfluous
    row[3 * place + 2] += missing


def decompose(one: ChrfScore, other: ChrfScore) -> tuple[tuple[DifferencePart, ...], None]:
    """Return the parts of the difference, and None: they are always defined."""
    chrf = one.metric
    if chrf.eps_smoothing:
        pairs = list(zip(_fractions(one), _fractions(other), strict=True))
    else:
        mine, others = ((each.precision / 100, each.recall / 100) for each in (one, other))
        pairs = [(mine, others)]
    shares = [0.0, 0.0]
    for (precision, recall), (low_precision, low_recall) in pairs:
        whole, none = (precision, recall), (low_precision, low_recall)
        mixed = _f_score((precision, low_recall), chrf.beta)
        swapped = _f_score((low_precision, recall), chrf.beta)
        first, last = _f_score(whole, chrf.beta), _f_score(none, chrf.beta)
        shares[0] += 100 * (first - swapped + mixed - last) / 2 / len(pairs)
        shares[1] += 100 * (first - mixed + swapped - last) / 2 / len(pairs)
    values = (one.precision, other.precision), (one.recall, other.recall)
    parts = tuple(
        DifferencePart(name=name, share=share, one=a, other=b)
        for name, share, (a, b) in zip(("precision", "recall"), shares, values, strict=True)
    )
    return parts, None


def _fractions(score: ChrfScore) -> Iterator[tuple[float, float]]:
    """Yield precision and recall of each order, from 0 to 1; tiny where they are undefined."""
    for precision, recall in zip(score.precisions, score.recalls, strict=True):
        yield (
            _EPSILON if precision is None else precision / 100,
            _EPSILON if recall is None else recall / 100,
        )


def _f_score(parts: tuple[float, float], beta: float) -> float:
    """Return the F-score of a precision and a recall, which no counts need to have."""
    precision, recall = parts
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0
