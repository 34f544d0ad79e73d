"""How chrF is calculated, for a segment and for a corpus, and why two scores differ."""

from __future__ import annotations

from collections import Counter
from math import ceil

from truebleu._core import chrf_units, normalize
from truebleu.display.blocks import Block, Counts
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result
from truebleu.display.tokens import LEVELS, MarkedText, Piece
from truebleu.metrics.chrf.orders import ChrfOrder, order_name, orders_of, result_block
from truebleu.metrics.explanation import (
    DifferencePart,
    Explanation,
    influence_block,
    influence_of,
    ngrams,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.words import Words
    from truebleu.metrics.chrf.orders import Unit
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.core import CoreMetric
    from truebleu.metrics.explanation import Ngram
    from truebleu.metrics.stats import Stats

    # A character or a word, and its start and end in the text.
    Spanned = tuple[str, int, int]

# The n-grams of each order that are listed for a corpus. Short ones are frequent, and would leave
# no room for others.
_MOST_NGRAMS = 5

# Stands for an undefined precision or recall where a score has `eps_smoothing`, as in the core.
_EPSILON = 1e-16


class ChrfNgram(Result):
    """How often one n-gram counts.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="chrf").ngrams[0][0]
    ChrfNgram(tokens=('a',), count=3, reference_count=2, clipped=2)

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

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="chrf").spans[0]
    ChrfSpan(text='a', start=0, end=1, order=1)

    Attributes
    ----------
    text : str
    start, end : int
        Where it is in the original text, in characters.
    order : int
        The highest order of the matching n-grams that cover each of its characters; 0 if none does.
        If an n-gram occurs more often than it is credited, its first occurrences match.
    """

    text: str
    start: int
    end: int
    order: int


class ChrfSegmentExplanation(Explanation):
    """How the chrF of one segment is calculated. Made by :func:`truebleu.explain`.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="chrf").reference_scores
    (53.60977455172623,)

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

    score: ChrfScore
    hypothesis: str
    references: tuple[str, ...]
    reference: int
    reference_scores: tuple[float, ...]
    orders: tuple[ChrfOrder, ...]
    ngrams: tuple[tuple[ChrfNgram, ...], ...]
    spans: tuple[ChrfSpan, ...]
    reference_spans: tuple[ChrfSpan, ...]

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        pairs, say = zip(self.orders, self.ngrams, strict=True), self._say
        return [
            Block(say("hypothesis"), [self._marked(self.hypothesis, self.spans)]),
            *(self._reference_block(number) for number in range(len(self.references))),
            _spans_block(say, say("where the hypothesis matches"), self.spans),
            _spans_block(say, say("where the reference matches"), self.reference_spans),
            *(_order_block(say, order, grams) for order, grams in pairs),
            result_block(say, self.score, self.orders),
        ]

    def _reference_block(self, number: int) -> Block:
        heading = "reference {number}"
        if len(self.references) > 1:
            heading = "reference {number}: {metric} = {score}"
            if number == self.reference:
                heading = "reference {number}: {metric} = {score} (chosen)"
        heading = self._say(
            heading,
            number=number + 1,
            metric=self.score.metric.name,
            score=f"{self.reference_scores[number]:.2f}",
        )
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
        if end < len(text):
            pieces.append(Piece(text[end:]))
        return MarkedText(pieces, self._say)


def explain_segment(
    chrf: CoreMetric[ChrfScore], hypothesis: str, several: list[str | None]
) -> ChrfSegmentExplanation:
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
    orders = orders_of(score)
    grams = []
    for order in orders:
        own, other = map(_texts, sides[order.unit == "word"])
        grams.append(tuple(_listed(own, other, order.order)))
    most = score.metric.char_order or score.metric.word_order
    compared = sides[0] if score.metric.char_order else sides[1]
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


def _ngram_name(tokens: Ngram, unit: Unit) -> str:
    """Write an n-gram; a space among characters is shown."""
    return " ".join(tokens) if unit == "word" else "".join(tokens).replace(" ", "␣")


def _spans_block(say: Words, heading: str, spans: tuple[ChrfSpan, ...]) -> Block:
    most = max((span.order for span in spans), default=0)
    rows = []
    for span in spans:
        style = "bad" if not span.order else "good" if span.order == most else "clipped"
        first = f"{span.start + 1}-" * (span.end > span.start + 1)
        rows.append((style, (span.text, f"{first}{span.end}", str(span.order or say("none")))))
    return Block(heading, [], (say("text"), say("characters"), say("longest match")), rows)


def _order_block(say: Words, order: ChrfOrder, grams: tuple[ChrfNgram, ...]) -> Block:
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
        (
            "as often in both: {ngrams}",
            [gram for gram in grams if gram.count == gram.reference_count],
        ),
        ("only in the hypothesis: {ngrams}", [gram for gram in grams if not gram.reference_count]),
        ("only in the reference: {ngrams}", [gram for gram in grams if not gram.count]),
    ):
        if listed:
            names = " · ".join(_with_count(gram, order) for gram in listed)
            lines.append(say(heading, ngrams=names))
    rows = []
    for gram in grams:
        if gram.clipped and gram.count != gram.reference_count:
            counts = map(str, (gram.count, gram.reference_count, gram.clipped))
            result = "{number} missing" if gram.missing else "{number} superfluous"
            result = say(result, number=gram.missing or gram.superfluous)
            rows.append(("clipped", (_ngram_name(gram.tokens, order.unit), *counts, result)))
    header = (*map(say, ("n-gram", "hypothesis", "reference", "matches", "result")),)
    heading = f"{order.named(say)}: {', '.join(parts)}"
    return Block(heading, lines, header, rows, "lrrrl", folded=True)


def _with_count(gram: ChrfNgram, order: ChrfOrder) -> str:
    """Write an n-gram, and how often it occurs, if more than once."""
    name, count = _ngram_name(gram.tokens, order.unit), max(gram.count, gram.reference_count)
    return f"{name} ({count})" if count > 1 else name


class ChrfCost(Result):
    """Points that a score loses by one n-gram.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.explain(hypotheses, references, metric="chrf").ngrams[0].name
    'a'

    Attributes
    ----------
    name : str
    unit : str
        ``character`` or ``word``: what the n-gram consists of.
    order : int
        How many of them it has.
    points : float
        By how much the score would rise if each hypothesis had the n-gram exactly as often as the
        reference.
    missing : int
        How many of them the references have and the hypotheses lack.
    superfluous : int
        How many of them the hypotheses have and the references lack.
    """

    name: str
    unit: Unit
    order: int
    points: float
    missing: int
    superfluous: int


class ChrfCorpusExplanation(Explanation):
    """How the chrF of a corpus is calculated. Made by :func:`truebleu.explain`.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.explain(hypotheses, references, metric="chrf").orders[0].matches
    14

    Attributes
    ----------
    score : ChrfScore
    orders : tuple of ChrfOrder
        The sums over all segments, of characters, then of words.
    ngrams : tuple of ChrfCost
        For each order the n-grams that cost most, at most 5.
    influence : tuple of float
        For each segment, by how much exactly the score changes if it is left out.
    """

    score: ChrfScore
    orders: tuple[ChrfOrder, ...]
    ngrams: tuple[ChrfCost, ...]
    influence: tuple[float, ...]

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        say = self._say
        rows = []
        for cost in self.ngrams:
            order, points = order_name(say, cost.unit, cost.order), decimals(cost.points, ".3f")
            counts = [Counts(f"{each:,}") for each in (cost.missing, cost.superfluous)]
            rows.append(("bad", (cost.name, order, points, *counts)))
        heading = say(
            "n-grams that cost most: points gained if the hypotheses had them as often as the "
            "references"
        )
        header = [*map(say, ("n-gram", "order", "points", "missing", "superfluous"))]
        return [
            Block(heading, [], header, rows, align="llrrr"),
            influence_block(say, self.influence),
            result_block(say, self.score, self.orders),
        ]


def explain_corpus(
    chrf: CoreMetric[ChrfScore],
    hypotheses: list[str],
    references: list[list[str | None]],
    threads: int,
) -> ChrfCorpusExplanation:
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
    costs: list[ChrfCost] = []
    for place, order in enumerate(orders):
        costs += _costly(score, order, total, place, missing[place], superfluous[place])
    return ChrfCorpusExplanation(
        score=score, orders=orders, ngrams=tuple(costs), influence=influence_of(chrf, stats, score)
    )


def _units(chrf: CoreMetric, text: str) -> dict[Unit, str | list[str]]:
    """Return the characters of a text as a str, which is faster to cut, and its words."""
    characters, words = chrf_units(chrf._core, text)
    return {
        "character": "".join([character for character, _, _ in characters]),
        "word": [word for word, _, _ in words],
    }


def _ngrams(units: str | list[str], order: int) -> list[Any]:
    if isinstance(units, list):
        return ngrams(units, order)
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
    pairs = chrf._count_stats(repeated, flat, threads=threads)
    rows, counted = iter(pairs.to_numpy().tolist()), stats.to_numpy().tolist()
    return [
        several[[next(rows) for _ in several].index(row)]
        for several, row in zip(lists, counted, strict=True)
    ]


def _costly(
    score: ChrfScore,
    order: ChrfOrder,
    total: NDArray[np.int64],
    place: int,
    missing: Counter[Any],
    superfluous: Counter[Any],
) -> list[ChrfCost]:
    """Find the n-grams of an order that would raise the score most if they were right."""
    gains: dict[tuple[int, int], float] = {}
    found = []
    for gram in missing.keys() | superfluous.keys():
        counts = lacking, extra = missing[gram], superfluous[gram]
        if counts not in gains:
            row = total.copy()
            # A row has three numbers per order: of hypotheses, of references, and matches.
            row[3 * place] += lacking - extra
            row[3 * place + 2] += lacking
            value: float = score.metric._row_value(row.astype("<i8").tobytes())
            gains[counts] = value - score.score
        found.append((-gains[counts], -lacking - extra, gram, counts))
    found.sort()
    return [
        ChrfCost(
            name=_ngram_name(gram, order.unit),
            unit=order.unit,
            order=order.order,
            points=-loss,
            missing=lacking,
            superfluous=extra,
        )
        for loss, _, gram, (lacking, extra) in found[:_MOST_NGRAMS]
    ]


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
