"""How the TER of a segment is calculated."""

from __future__ import annotations

from truebleu.analysis.explanation.ter_steps import (
    TerEdit,
    TerShift,
    counts_of,
    formula_lines,
    length,
    steps_of,
)
from truebleu.display.blocks import Block, Code
from truebleu.display.formatting import count as counted
from truebleu.display.shown import Shown
from truebleu.display.tokens import MarkedText, Piece
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.metrics.ter.metric import Ter
    from truebleu.metrics.ter.score import TerScore

_STYLES = {
    "match": "good",
    "insertion": "bad",
    "deletion": "bad",
    "substitution": "clipped",
}


class TerSegmentExplanation(Shown):
    """How the TER of one segment is calculated. Made by :func:`truebleu.explain`.

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

    __module__ = "truebleu"

    __slots__ = (
        *("alignment", "reference", "reference_edits", "references", "score"),
        *("shifted_phrases", "shifted_words", "words"),
    )
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
        score = self.score
        lines = formula_lines(score)
        if len(self.references) > 1:
            sizes = " + ".join(map(str, self.reference_lengths))
            mean = f"({sizes}) / {len(self.references)} = {length(score.ref_len)}"
            lines.insert(0, f"mean length of the references: {mean} words")
        return [
            _words_block("hypothesis", self._marked_words()),
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
        note = ""
        if len(self.references) > 1:
            note = f", {counted(self.reference_edits[number], 'edit')}"
            note += " (chosen)" if number == self.reference else ""
        words = [Piece(word) for word in self.references[number]]
        if number == self.reference:
            edits = ((edit.reference, edit.kind) for edit in self.alignment)
            words = [Piece(word, states=(kind,)) for word, kind in edits if word is not None]
        return _words_block(f"reference {number + 1}", words, note)

    def _shifts_block(self) -> Block:
        rows = [
            (
                "clipped",
                (
                    " ".join(shift.words),
                    str(shift.start + 1),
                    str(shift.target + 1),
                    str(shift.gain),
                ),
            )
            for shift in self.shifted_phrases
        ]
        lines = [f"result: {' '.join(self.shifted_words)}"] if rows else []
        header = ("phrase", "from word", "to word", "other edits saved")
        return Block(counted(len(rows), "shift"), lines, header, rows)

    def _alignment_block(self) -> Block:
        kinds = [edit.kind for edit in self.alignment]
        numbers = [counted(kinds.count(kind), kind) for kind in _STYLES if kind != "match"]
        rows = [
            (_STYLES[edit.kind], (edit.hypothesis or "", edit.reference or "", edit.kind))
            for edit in self.alignment
        ]
        header = ("hypothesis", "reference", "edit")
        return Block(f"alignment: {', '.join(numbers)}", [], header, rows, align="lll")


def explain_segment(ter: Ter, hypothesis: str, several: list[str | None]) -> TerSegmentExplanation:
    """Name the steps of the core."""
    references = [reference for reference in several if reference is not None]
    score = ter.sentence(hypothesis, references)
    found = list(steps_of(ter, hypothesis, references))
    counts = [steps.counts for steps in found]
    place = counts.index(counts_of(score))
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


def _words_block(name: str, words: Sequence[Piece], note: str = "") -> Block:
    return Block(f"{name}: {counted(len(words), 'word')}{note}", [MarkedText.of_tokens(words)])
