"""How scores are calculated: what explanations consist of, and how they are shown."""

from __future__ import annotations

from itertools import repeat
from math import ceil

from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.display.tokens import LEVELS, MarkedText, Piece
from truebleu.display.words import words_in
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, Self

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.blocks import Row
    from truebleu.display.words import Language, Words
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

    Tokens = tuple[Any, ...]

# What fits a screen: rows of two tables together, edits, and characters of a text.
_ROWS = 11
_EDITS = 6
_CHARACTERS = 190

_STYLES = {"match": "good", "insertion": "bad", "deletion": "bad"}

# The n-grams of each order that are listed for a corpus: short ones are frequent, and would leave
# no room for others.
_COSTLY = 5

# The segments that are shown with their influence.
_MOST_SEGMENTS = 10


class Ngram(Result):
    """How often one n-gram counts in a segment, for BLEU and chrF.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"]).ngrams[0][0]
    Ngram(tokens=('a',), unit='token', count=1, maximum=0, clipped=0, reference=None)

    Attributes
    ----------
    tokens : tuple
        Its tokens, characters or words.
    unit : str
        What they are: ``token``, ``character`` or ``word``.
    count : int
        How often the hypothesis has it.
    maximum : int
        How often a reference has it: for BLEU the one that has it most often, for chrF the one that
        counts.
    clipped : int
        The smaller of the two: the matches that are credited.
    reference : int or None
        Which reference that is, from 0; the first of several. None if it does not have it.
    """

    tokens: Tokens
    unit: str
    count: int
    maximum: int
    clipped: int
    reference: int | None

    @property
    def name(self) -> str:
        """The n-gram as a text; a space among characters is shown."""
        if self.unit == "character":
            return "".join(self.tokens).replace(" ", "␣")
        return " ".join(map(str, self.tokens))

    @property
    def missing(self) -> int:
        """How many more of them the reference has."""
        return self.maximum - self.clipped

    @property
    def superfluous(self) -> int:
        """How many more of them the hypothesis has."""
        return self.count - self.clipped


class Span(Result):
    """A stretch of a text, and how it counts.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="chrf").spans[0]
    Span(text='a', start=0, end=1, order=1, marks=())

    Attributes
    ----------
    text : str
    start, end : int
        Where it is, in characters: for chrF in the text, else in the tokens joined by spaces.
    order : int
        The highest order of the matching n-grams that cover it; 0 if none does, and for TER. If an
        n-gram occurs more often than it is credited, its first occurrences match.
    marks : tuple of str
        What it is besides: ``missing`` in the references, ``clipped``, or for TER ``match``,
        ``substitution``, ``deletion``, ``insertion`` and ``shift``.
    """

    text: str
    start: int
    end: int
    order: int
    marks: tuple[str, ...]


class Edit(Result):
    """What TER does to a word, or to a phrase that it shifts.

    >>> import truebleu
    >>> for edit in truebleu.explain("mat the cat sits", "the cat sat mat", metric="ter").steps[:3]:
    ...     print(edit.kind, edit.hypothesis, edit.reference, edit.start, edit.target)
    shift mat None 0 3
    match the the None None
    match cat cat None None

    Attributes
    ----------
    kind : str
        ``match``; ``substitution``: the word of the reference replaces that of the hypothesis;
        ``deletion``: the reference does not have the word; ``insertion``: the hypothesis lacks it;
        ``shift``: a phrase of the hypothesis is moved, at the cost of one edit.
    hypothesis : str or None
        The word or phrase of the hypothesis; None for an insertion.
    reference : str or None
        The word of the reference; None for a deletion and a shift.
    start, target : int or None
        Of a shift: the position of its first word before and after it, from 0.
    gain : int or None
        Of a shift: by how much the number of other edits falls.
    """

    kind: str
    hypothesis: str | None
    reference: str | None
    start: int | None = None
    target: int | None = None
    gain: int | None = None


class Cost(Result):
    """What something costs in points of the score of a corpus.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.explain(hypotheses, references).costs[0]
    Cost(name='order 1', kind='order', points=3.39501, missing=0, superfluous=1)

    Attributes
    ----------
    name : str
        ``order 1``, ``brevity penalty``, ``insertion``, ...; or an n-gram, the words of an edit.
    kind : str
        What it is, such as ``order``; of an n-gram its order, and of words their edit.
    points : float
        For BLEU, what the score loses by it; for chrF and for single n-grams, what the score would
        gain if they were right; for TER, what it adds to the rate.
    missing : int
        How many of them the references have and the hypotheses lack; for TER also the words put in
        place of others, and phrases that belong elsewhere.
    superfluous : int
        How many of them the hypotheses have and the references lack, likewise.
    """

    name: str
    kind: str
    points: float
    missing: int
    superfluous: int

    @property
    def count(self) -> int:
        """How often it happens."""
        return max(self.missing, self.superfluous)


class DifferencePart(Result):
    """What one component, or one change of texts or settings, contributes to a difference.

    >>> import truebleu
    >>> one, other = (truebleu.sentence_ter(text, "a b c d") for text in ("a b c", "a b"))
    >>> truebleu.decompose(one, other).parts[0]
    <insertions 2 -> 1: -25.00>

    Attributes
    ----------
    name : str
        BLEU: ``order 1``, ``order 2``, … (the precision of n-grams) and ``brevity penalty``; chrF:
        ``precision`` and ``recall``; TER: ``insertions``, ``deletions``, ``substitutions``,
        ``shifts`` and, if the references differ in length, ``reference length``. Of a change, what
        is changed, such as ``tokenizer``.
    share : float or None
        Points of the difference; None if it is undefined.
    one, other : float or str
        The component of each score: a percentage, the brevity penalty, or a number of edits or
        words. Of a change, what is there after it, and before.
    why : str
        What a change does to this text, in a few words.
    """

    name: str
    share: float | None
    one: float | str
    other: float | str
    why: str = ""

    def __str__(self) -> str:
        return repr(self)[1:-1]

    def __repr__(self) -> str:
        one, other, share = self.cells()
        return f"<{self.name} {other} -> {one}: {share}>"

    def cells(self) -> tuple[str, str, str]:
        """Write what there is of each score, and the share."""
        share = "undefined" if self.share is None else decimals(self.share, "+.2f")
        one, other = (
            each if isinstance(each, str) else f"{each:.6g}" for each in (self.one, self.other)
        )
        return one, other, share


class Explanation(Shown):
    """How the score of a segment or of a corpus is calculated. Made by :func:`truebleu.explain`.

    What does not apply is empty: a corpus has no n-grams, and a segment no costs. ``str()`` fits a
    screen; :meth:`in_full` and other formats have all of it.

    >>> import truebleu
    >>> print(truebleu.explain("a cat sat", "the cat sat").blocks()[0].lines[0])
    BLEU is 55.03 out of 100: 2 of 3 tokens match a reference, and 0 of 1 sequences of 3 tokens.

    Attributes
    ----------
    score : Score
    hypothesis : tuple, or str
        The tokens of BLEU, the words of TER, the text for chrF; of a segment, like all that follows
        up to `steps`.
    references : tuple
        The same of each reference.
    reference : int or None
        Which reference counts, from 0, for chrF and TER.
    reference_scores : tuple of float
        What decides that: for chrF the score against each reference, for TER the edits it needs.
    ngrams : tuple of tuple of Ngram
        For each order of BLEU or chrF its n-grams, in the order in which they first occur; for chrF
        those of characters, then of words, and those that only the reference has last.
    spans, reference_spans : tuple of Span
        How the parts of the hypothesis count, and those of the reference that counts.
    steps : tuple of Edit
        What TER does: its shifts, each in the hypothesis that the one before it has left, then what
        happens to each word, from the first to the last.
    costs : tuple of Cost
        What the score of a corpus consists of. BLEU: the orders and the brevity penalty, which add
        up to 100 minus the score. chrF: the orders. TER: the kinds of edits, which add up to it.
    worst : tuple of Cost
        The n-grams that cost most, at most 5 of each order; the words that are edited most often,
        at most 10 of each kind. Those that cost most come first.
    influence : tuple of float
        For each segment of a corpus, by how much exactly the score changes if it is left out.
    """

    score: Score
    hypothesis: Tokens | str = ()
    references: tuple[Tokens | str, ...] = ()
    reference: int | None = None
    reference_scores: tuple[float, ...] = ()
    ngrams: tuple[tuple[Ngram, ...], ...] = ()
    spans: tuple[Span, ...] = ()
    reference_spans: tuple[Span, ...] = ()
    steps: tuple[Edit, ...] = ()
    costs: tuple[Cost, ...] = ()
    worst: tuple[Cost, ...] = ()
    influence: tuple[float, ...] = ()
    # Not a field: it is about how the explanation is shown.
    _language: Language = "en"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, without what does not apply."""
        of_corpus = ("costs", "worst", "influence")
        names = [n for n in self._fields[1:] if (n in of_corpus) == bool(self.influence)]
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def _in(self, language: Language) -> Self:
        """Show it in this language."""
        if language != "en":
            self._fill(_language=language)
        return self

    @property
    def _say(self) -> Words:
        return words_in(self._language)

    @property
    def _how(self) -> Any:
        """The module that explains the metric."""
        return self.score.metric._explanation()

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        say, how = self._say, self._how
        if self.influence:
            shown = [
                _costs_block(how.heading_of_costs(self.score, say), self.costs, say),
                _costs_block(say(how.WORST), self.worst, say, names=False),
                _influence_block(self.score.metric, self.influence, say),
            ]
        else:
            shown = [*self._texts(), *how.details(self, say)]
        return [Block(lines=how.lead(self, say)), *shown, how.result(self.score, say)]

    def brief(self) -> list[Block]:
        """Return what fits a screen: two sentences, then the texts, or what costs most."""
        say, how = self._say, self._how
        result = how.result(self.score, say)
        if self.influence:
            shown = [
                _costs_block(how.heading_of_costs(self.score, say), self.costs, say),
                _costs_block(
                    say(how.WORST), self.worst[: _ROWS - len(self.costs)], say, names=False
                ),
                result.replace(rows=()),
            ]
        else:
            hypothesis, *references = self._texts()
            shown = [
                *map(_cut, (hypothesis, *references[self.reference or 0 :][:1])),
                *self._edits(),
                result,
            ]
        more = say("more: --all, or explanation.in_full()")
        if self.influence:
            more = say("more: --all, --segment N, or explanation.in_full()")
        return [Block(lines=how.lead(self, say)), *shown, Block(lines=[more])]

    def in_full(self) -> str:
        """Write all there is to show as text."""
        from truebleu.display import text

        return text.plain(self.blocks()).removesuffix("\n")

    def __str__(self) -> str:
        from truebleu.display import text

        return text.plain(self.brief()).removesuffix("\n")

    def _edits(self) -> Iterator[Block]:
        """Yield the edits that are made, as far as a screen has room for them."""
        edits = [edit for edit in self.steps if edit.kind != "match"]
        if edits:
            yield edits_block(self._say("edits"), edits[:_EDITS], self._say)

    def _texts(self) -> Iterator[Block]:
        """Yield the hypothesis and the references, with marks."""
        say, how = self._say, self._how
        length = say.count(len(self.hypothesis), how.UNIT)
        heading = say("hypothesis: {length}", length=length)
        yield Block(heading, [self._marked(self.hypothesis, self.spans)])
        for number, each in enumerate(self.references):
            is_chosen = number == self.reference
            values = {"number": number + 1, "length": say.count(len(each), how.UNIT)}
            heading = "reference {number}: {length}"
            if self.reference is not None and len(self.references) > 1:
                heading = "reference {number}: {length}, {found}" + " (chosen)" * is_chosen
                values["found"] = how.of_reference(self, number, say)
            spans = self.reference_spans if is_chosen else ()
            yield Block(say(heading, **values), [self._marked(each, spans)])

    def _marked(self, whole: Tokens | str, spans: Iterable[Span]) -> MarkedText:
        """Mark the spans of a text; what is between them is not counted."""
        text = whole if isinstance(whole, str) else joined(whole)
        pieces = []
        end = 0
        # Orders of characters are many, and share the levels.
        most = getattr(self.score.metric, "char_order", 0)
        for span in spans:
            if end < span.start:
                pieces.append(Piece(text[end : span.start]))
            level = ceil(LEVELS * span.order / most) if most else None
            pieces.append(Piece(span.text, span.order, span.marks, level))
            end = span.end
        if end < len(text):
            pieces.append(Piece(text[end:]))
        return MarkedText(pieces, self._say)


def _cut(block: Block) -> Block:
    """Cut the text of a block, which may have more lines than a screen."""
    [line] = block.lines
    if not isinstance(line, MarkedText) or len(line.text) <= _CHARACTERS:
        return block
    return block.replace(lines=[f"{line.text[:_CHARACTERS]} …"])


def joined(tokens: Iterable[object]) -> str:
    """Join tokens by spaces."""
    return " ".join(map(str, tokens))


def spans_of(
    tokens: Sequence[object], marks: Iterable[tuple[str, ...]], orders: Iterable[int] = repeat(0)
) -> tuple[Span, ...]:
    """Make a span of each token, given its marks, and the order of its matches."""
    spans, start = [], 0
    for token, states, order in zip(map(str, tokens), marks, orders, strict=False):
        end = start + len(token)
        spans.append(Span(text=token, start=start, end=end, order=order, marks=states))
        start = end + 1
    return tuple(spans)


def ngrams_of(tokens: Sequence[Any], order: int) -> list[Tokens]:
    """List the n-grams of a sequence of tokens."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def quoted(say: Words, texts: Iterable[str], most: int = 4) -> str:
    """Write texts in quotation marks as a list, each once, and no more than so many."""
    several = [f"“{text}”" for text in dict.fromkeys(texts)]
    if len(several) <= most:
        return say.listed(several)
    names = ", ".join(several[:most])
    return say("{names} and {more} more", names=names, more=len(several) - most)


def costly(
    score: Score,
    total: NDArray[np.int64],
    kind: str,
    missed: Iterable[tuple[str, int, int]],
    mend: Callable[[NDArray[np.int64], int, int], None],
) -> list[Cost]:
    """Find what would raise the score most if it were right, given the sum of the rows.

    Of each n-gram, `missed` has the name, and how many are missing and superfluous; `mend` changes
    a row to what it would be without these.
    """
    found, gains = [], {}
    for name, *counts in missed:
        if (known := tuple(counts)) not in gains:
            row = total.copy()
            mend(row, *counts)
            gains[known] = score.metric._row_value(row.astype("<i8").tobytes()) - score.score
        found.append((-gains[known], -sum(counts), name, counts))
    return [
        Cost(name=name, kind=kind, points=-loss, missing=missing, superfluous=superfluous)
        for loss, _, name, (missing, superfluous) in sorted(found)[:_COSTLY]
    ]


def ranked(costs: Iterable[Cost]) -> tuple[Cost, ...]:
    """Return costs, the largest first."""
    return tuple(sorted(costs, key=lambda cost: -cost.points))


def influence_of(metric: Metric, stats: Stats, score: Score) -> tuple[float, ...]:
    """Return for each segment by how much exactly the score changes if it is left out."""
    rows = stats.to_numpy()
    total = stats.sum().to_numpy()[0]
    without = metric._row_scores((total - rows).astype("<i8").tobytes())
    return tuple(each - score.score for each in memoryview(without).cast("d"))


def _costs_block(heading: str, costs: Iterable[Cost], say: Words, *, names: bool = True) -> Block:
    """Show costs; their `names` are words of ours, or else n-grams and words of the texts."""
    rows: list[Row] = []
    for cost in costs:
        first = [say.again(cost.name)] if names else [cost.name, say.again(cost.kind)]
        numbers = [Cell(f"{each:,}", "count") for each in (cost.missing, cost.superfluous)]
        points = decimals(cost.points, ".2f" if names else ".3f")
        rows.append(("" if names else "bad", (*first, *numbers, points)))
    header = ["part"] if names else ["n-gram or words", "kind"]
    header = [say(each) for each in (*header, "missing", "superfluous", "points")]
    return Block(heading, [], header, rows, align="l" * (len(header) - 3) + "rrr")


def edits_block(heading: str, edits: Iterable[Edit], say: Words) -> Block:
    """Show what happens to words, one in each row."""
    rows = []
    for edit in edits:
        cells = edit.hypothesis or "", edit.reference or "", say(edit.kind)
        rows.append((_STYLES.get(edit.kind, "clipped"), cells))
    header = say("hypothesis"), say("reference"), say("edit")
    return Block(heading, [], header, rows, align="lll")


def _influence_block(metric: Metric, influence: Sequence[float], say: Words) -> Block:
    """Show the most influential segments."""
    ranked = sorted(enumerate(influence, 1), key=lambda each: -abs(each[1]))
    rows = []
    for number, points in ranked[:_MOST_SEGMENTS]:
        style = "bad" if (points > 0) == metric.higher_is_better else "good"
        rows.append((style, (str(number), decimals(points, "+.4f"))))
    heading = say("most influential segments: change of the score without them")
    return Block(heading, [], (say("segment"), say("points")), rows)
