"""How TER is calculated, for a segment and for a corpus, and why two rates differ."""

from __future__ import annotations

from collections import Counter

from truebleu._core import ter_steps
from truebleu.display.blocks import Block, Code, Counts
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result
from truebleu.display.tokens import MarkedText, Piece
from truebleu.metrics.explanation import DifferencePart, Explanation, influence_block, influence_of
from truebleu.record import Record, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.display.words import Words
    from truebleu.metrics.core import CoreMetric
    from truebleu.metrics.ter.score import TerScore

# In the order of a row.
_KINDS = ("insertion", "deletion", "substitution", "shift")

# The words of each kind of edit that are listed for a corpus.
_MOST_WORDS = 10

_STYLES = {"match": "good", "insertion": "bad", "deletion": "bad", "substitution": "clipped"}


class TerShift(Result):
    """A phrase of the hypothesis that is shifted, at the cost of one edit.

    >>> import truebleu
    >>> truebleu.explain("mat the cat sat", ["the cat sat mat"], metric="ter").shifted_phrases
    (TerShift(words=('mat',), start=0, target=3, gain=2),)

    Attributes
    ----------
    words : tuple of str
    start : int
        The position of its first word before the shift, from 0.
    target : int
        The position of its first word after the shift.
    gain : int
        By how much the number of insertions, deletions and substitutions falls.
    """

    words: tuple[str, ...]
    start: int
    target: int
    gain: int


class TerEdit(Result):
    """What happens to a word.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="ter").alignment[0]
    TerEdit(kind='substitution', hypothesis='a', reference='the')

    Attributes
    ----------
    kind : str
        ``match``; ``substitution``: the word of the reference replaces that of the hypothesis;
        ``deletion``: the reference does not have the word; ``insertion``: the hypothesis lacks it.
    hypothesis : str or None
        The word of the hypothesis; None for an insertion.
    reference : str or None
        The word of the reference; None for a deletion.
    """

    kind: str
    hypothesis: str | None
    reference: str | None


class _Steps(Record):
    """How the words of a hypothesis are shifted, and then edited into one reference."""

    words: tuple[str, ...]
    reference: tuple[str, ...]
    shifts: tuple[TerShift, ...]
    shifted: tuple[str, ...]
    edits: tuple[TerEdit, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        kinds = [edit.kind for edit in self.edits]
        return (*map(kinds.count, _KINDS[:3]), len(self.shifts))


def _steps_of(ter: CoreMetric, hypothesis: str, references: Iterable[str]) -> Iterator[_Steps]:
    """Return the steps of the core for each reference."""
    for reference in references:
        words, others, moves, kinds = ter_steps(ter._core, hypothesis, reference)
        shifted = list(words)
        shifts = []
        for start, length, target, gain in moves:
            block = shifted[start : start + length]
            del shifted[start : start + length]
            shifted[target:target] = block
            shifts.append(TerShift(words=tuple(block), start=start, target=target, gain=gain))
        yield _Steps(
            words=tuple(words),
            reference=tuple(others),
            shifts=tuple(shifts),
            shifted=tuple(shifted),
            edits=tuple(_edits(shifted, others, kinds)),
        )


def _edits(words: list[str], others: list[str], kinds: list[str]) -> Iterator[TerEdit]:
    own, other = iter(words), iter(others)
    for kind in kinds:
        yield TerEdit(
            kind=kind,
            hypothesis=None if kind == "insertion" else next(own),
            reference=None if kind == "deletion" else next(other),
        )


def _formula_lines(say: Words, score: TerScore) -> list[str]:
    numbers = " + ".join(f"{count:,}" for count in score._numbers()[:4])
    added = "insertions + deletions + substitutions + shifts = {numbers} = {edits}"
    lines = [say(added, numbers=numbers, edits=f"{score.edits:,}")]
    if score.ref_len:
        lines.append(f"100 * {score.edits:,} / {_length(score.ref_len)} = {score.score:.2f}")
    if reason := score._reason(say):
        lines.append(reason)
    return lines


def _length(words: float) -> str:
    """Write a length in words, which may be a mean."""
    return f"{words:,.0f}" if float(words).is_integer() else f"{words:,.2f}"


class TerSegmentExplanation(Explanation):
    """How the TER of one segment is calculated. Made by :func:`truebleu.explain`.

    >>> import truebleu
    >>> truebleu.explain("a cat sat", ["the cat sat"], metric="ter").reference_edits
    (1,)

    Attributes
    ----------
    score : TerScore
    words : tuple of str
        The words of the hypothesis.
    references : tuple of tuple of str
        The words of each reference.
    reference : int
        Which reference counts, from 0: the first with the fewest edits.
    reference_edits : tuple of int
        The edits that each reference needs.
    shifted_phrases : tuple of TerShift
        In order, each in the hypothesis that the one before it has left.
    shifted_words : tuple of str
        The words of the hypothesis after all shifts.
    alignment : tuple of TerEdit
        What happens to each of them, and which words are inserted, from the first to the last.
    """

    score: TerScore
    words: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    reference: int
    reference_edits: tuple[int, ...]
    shifted_phrases: tuple[TerShift, ...]
    shifted_words: tuple[str, ...]
    alignment: tuple[TerEdit, ...]

    @property
    def reference_lengths(self) -> tuple[int, ...]:
        """The number of words in each reference."""
        return tuple(map(len, self.references))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = [name for name in self._fields if name != "score"]
        names.insert(2, "reference_lengths")
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        score, say = self.score, self._say
        lines = _formula_lines(say, score)
        if len(self.references) > 1:
            sizes = " + ".join(map(str, self.reference_lengths))
            mean = f"({sizes}) / {len(self.references)} = {_length(score.ref_len)}"
            lines.insert(0, say("mean length of the references: {mean} words", mean=mean))
        return [
            self._words_block("hypothesis: {length}", self._marked_words()),
            *(self._reference_block(number) for number in range(len(self.references))),
            self._shifts_block(),
            self._alignment_block(),
            Block(f"TER = {score.score:.2f}", [*lines, Code(score.signature)]),
        ]

    def _marked_words(self) -> list[Piece]:
        """Mark each word of the hypothesis, where it was before the shifts."""
        places = list(range(len(self.words)))
        states: list[tuple[str, ...]] = [()] * len(places)
        for shift in self.shifted_phrases:
            end = shift.start + len(shift.words)
            phrase = places[shift.start : end]
            del places[shift.start : end]
            places[shift.target : shift.target] = phrase
            for place in phrase:
                states[place] = ("shift",)
        kinds = (edit.kind for edit in self.alignment if edit.hypothesis is not None)
        for place, kind in zip(places, kinds, strict=True):
            states[place] = (kind, *states[place])
        return [Piece(word, states=each) for word, each in zip(self.words, states, strict=True)]

    def _reference_block(self, number: int) -> Block:
        heading = "reference {number}: {length}"
        if len(self.references) > 1:
            heading = "reference {number}: {length}, {edits}"
            if number == self.reference:
                heading = "reference {number}: {length}, {edits} (chosen)"
        count = self._say.count(self.reference_edits[number], "edit")
        words = [Piece(word) for word in self.references[number]]
        if number == self.reference:
            edits = ((edit.reference, edit.kind) for edit in self.alignment)
            words = [Piece(word, states=(kind,)) for word, kind in edits if word is not None]
        return self._words_block(heading, words, number=number + 1, edits=count)

    def _words_block(self, heading: str, words: Sequence[Piece], **values: object) -> Block:
        say = self._say
        length = say.count(len(words), "word")
        return Block(say(heading, length=length, **values), [MarkedText.of_tokens(words, say)])

    def _shifts_block(self) -> Block:
        say = self._say
        rows = []
        for shift in self.shifted_phrases:
            numbers = (str(shift.start + 1), str(shift.target + 1), str(shift.gain))
            rows.append(("clipped", (" ".join(shift.words), *numbers)))
        lines = [say("result: {words}", words=" ".join(self.shifted_words))] if rows else []
        header = (*map(say, ("phrase", "from word", "to word", "other edits saved")),)
        return Block(say.count(len(rows), "shift"), lines, header, rows)

    def _alignment_block(self) -> Block:
        say = self._say
        kinds = [edit.kind for edit in self.alignment]
        numbers = [say.count(kinds.count(kind), kind) for kind in _STYLES if kind != "match"]
        rows = [
            (_STYLES[edit.kind], (edit.hypothesis or "", edit.reference or "", say(edit.kind)))
            for edit in self.alignment
        ]
        header = say("hypothesis"), say("reference"), say("edit")
        heading = say("alignment: {edits}", edits=", ".join(numbers))
        return Block(heading, [], header, rows, align="lll")


def explain_segment(
    ter: CoreMetric[TerScore], hypothesis: str, several: list[str | None]
) -> TerSegmentExplanation:
    """Name the steps of the core."""
    references = [reference for reference in several if reference is not None]
    score = ter.segment(hypothesis, references)
    found = list(_steps_of(ter, hypothesis, references))
    counts = [steps.counts for steps in found]
    place = counts.index(score._numbers()[:4])
    return TerSegmentExplanation(
        score=score,
        words=found[place].words,
        references=tuple(steps.reference for steps in found),
        reference=place,
        reference_edits=tuple(map(sum, counts)),
        shifted_phrases=found[place].shifts,
        shifted_words=found[place].shifted,
        alignment=found[place].edits,
    )


class TerCost(Result):
    """How often an edit is made, and what it adds to the score.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.explain(hypotheses, references, metric="ter").words[0].points
    16.666666666666664

    Attributes
    ----------
    kind : str
        ``insertion``, ``deletion``, ``substitution`` or ``shift``.
    hypothesis : str or None
        The word that is deleted or replaced, or the phrase that is shifted. None for an insertion,
        and for all edits of a kind.
    reference : str or None
        The word that is inserted or put in place of another; else None.
    count : int
        How often the edit is made.
    points : float
        The part of the score that these edits make up.
    """

    kind: str
    hypothesis: str | None
    reference: str | None
    count: int
    points: float


class TerCorpusExplanation(Explanation):
    """How the TER of a corpus is calculated. Made by :func:`truebleu.explain`.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> [cost.count for cost in truebleu.explain(hypotheses, references, metric="ter").kinds]
    [0, 0, 1, 0]

    Attributes
    ----------
    score : TerScore
    kinds : tuple of TerCost
        Insertions, deletions, substitutions and shifts; their points add up to the score.
    words : tuple of TerCost
        The words that are edited most often, at most 10 of each kind: insertions, deletions,
        substitutions, and phrases that are shifted.
    influence : tuple of float
        For each segment, by how much exactly the score changes if it is left out.
    """

    score: TerScore
    kinds: tuple[TerCost, ...]
    words: tuple[TerCost, ...]
    influence: tuple[float, ...]

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        score, say = self.score, self._say
        kinds, words = [], []
        for cost in self.kinds:
            share = f"{cost.count / score.edits:.1%}" if score.edits else ""
            counts = Counts(f"{cost.count:,}")
            kinds.append(("", (say(cost.kind), counts, share, decimals(cost.points))))
        for cost in self.words:
            style = "clipped" if cost.hypothesis and cost.reference else "bad"
            texts = say(cost.kind), cost.hypothesis or "", cost.reference or ""
            counts = Counts(f"{cost.count:,}")
            words.append((style, (*texts, counts, decimals(cost.points, ".3f"))))
        lines = [*_formula_lines(say, score), Code(score.signature)]
        header = [*map(say, ("edit", "hypothesis", "reference", "count", "points"))]
        most = say("words that are edited most often")
        return [
            Block(say("edits"), [], [*map(say, ("edit", "count", "share", "points"))], kinds),
            Block(most, [], header, words, align="lllrr"),
            influence_block(say, self.influence, higher_is_better=False),
            Block(f"TER = {score.score:.2f}", lines),
        ]


def explain_corpus(
    ter: CoreMetric[TerScore],
    hypotheses: list[str],
    references: list[list[str | None]],
    threads: int,
) -> TerCorpusExplanation:
    """Explain the score of a corpus."""
    stats = ter.stats(hypotheses, references, threads=threads)
    score = ter.score(stats)
    edited: Counter[tuple[str, str | None, str | None]] = Counter()
    rows = map(tuple, stats.to_numpy()[:, : len(_KINDS)].tolist())
    for hypothesis, several, row in zip(hypotheses, references, rows, strict=True):
        present = (reference for reference in several if reference is not None)
        # The first reference with these counts is the first with the fewest edits.
        steps = next(each for each in _steps_of(ter, hypothesis, present) if each.counts == row)
        edited.update(
            (edit.kind, edit.hypothesis, edit.reference)
            for edit in steps.edits
            if edit.kind != "match"
        )
        edited.update(("shift", " ".join(shift.words), None) for shift in steps.shifts)

    def cost(what: tuple[Any, ...], count: int) -> TerCost:
        points = score.score * count / score.edits if score.edits else 0.0
        named = dict(zip(("kind", "hypothesis", "reference"), what, strict=True))
        return TerCost(**named, count=count, points=points)

    ranked = sorted(edited.items(), key=lambda each: (-each[1], *map(str, each[0])))
    words: list[TerCost] = []
    for kind in _KINDS:
        of_kind = [each for each in ranked if each[0][0] == kind]
        words += (cost(*each) for each in of_kind[:_MOST_WORDS])
    kinds = ((kind, None, None) for kind in _KINDS)
    return TerCorpusExplanation(
        score=score,
        kinds=tuple(map(cost, kinds, score._numbers()[:4])),
        words=tuple(words),
        influence=influence_of(ter, stats, score),
    )


def decompose(one: TerScore, other: TerScore) -> tuple[tuple[DifferencePart, ...], str | None]:
    """Return the parts of the difference, and why they are undefined; None if they are not."""
    first, last = one.ref_len, other.ref_len
    each_edit = 100 * (1 / first + 1 / last) / 2 if first and last else None
    parts = []
    for kind, a, b in zip(_KINDS, one._numbers()[:4], other._numbers()[:4], strict=True):
        share = None if each_edit is None else each_edit * (a - b)
        parts.append(DifferencePart(name=f"{kind}s", share=share, one=a, other=b))
    if first != last:
        share = None
        if each_edit is not None:
            share = 100 * (one.edits + other.edits) / 2 * (1 / first - 1 / last)
        parts.append(DifferencePart(name="reference length", share=share, one=first, other=last))
    return tuple(parts), (one.reason or other.reason) if each_edit is None else None
