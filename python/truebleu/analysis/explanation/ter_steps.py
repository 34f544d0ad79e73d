"""The steps of TER: what is shifted, and how each word is edited."""

from __future__ import annotations

from truebleu._core import ter_steps
from truebleu.display.shown import Result
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from truebleu.metrics.ter.metric import Ter
    from truebleu.metrics.ter.score import TerScore


class TerShift(Result):
    """A phrase of the hypothesis that is shifted, at the cost of one edit.

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

    __module__ = "truebleu"

    __slots__ = ("gain", "start", "target", "words")
    words: tuple[str, ...]
    start: int
    target: int
    gain: int


class TerEdit(Result):
    """What happens to a word.

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

    __module__ = "truebleu"

    __slots__ = ("hypothesis", "kind", "reference")
    kind: str
    hypothesis: str | None
    reference: str | None


class TerSteps(Record):
    """How a hypothesis is turned into one reference.

    Attributes
    ----------
    words, reference : tuple of str
        The words of both texts.
    shifts : tuple of TerShift
        In order, each in the hypothesis that the one before it has left.
    shifted : tuple of str
        The hypothesis after all shifts.
    edits : tuple of TerEdit
        From the first word to the last.
    """

    __slots__ = ("edits", "reference", "shifted", "shifts", "words")
    words: tuple[str, ...]
    reference: tuple[str, ...]
    shifts: tuple[TerShift, ...]
    shifted: tuple[str, ...]
    edits: tuple[TerEdit, ...]

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Insertions, deletions, substitutions and shifts."""
        kinds = [edit.kind for edit in self.edits]
        return (
            *(kinds.count("insertion"), kinds.count("deletion"), kinds.count("substitution")),
            len(self.shifts),
        )


def steps_of(ter: Ter, hypothesis: str, references: Iterable[str]) -> Iterator[TerSteps]:
    """Return the steps of the core for each reference."""
    for reference in references:
        words, others, moves, kinds = ter_steps(ter.core, hypothesis, reference)
        shifted = list(words)
        shifts = []
        for start, length, target, gain in moves:
            block = shifted[start : start + length]
            del shifted[start : start + length]
            shifted[target:target] = block
            shifts.append(TerShift(words=tuple(block), start=start, target=target, gain=gain))
        yield TerSteps(
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


def counts_of(score: TerScore) -> tuple[int, int, int, int]:
    """Return insertions, deletions, substitutions and shifts."""
    return score.insertions, score.deletions, score.substitutions, score.shifts


def formula_lines(score: TerScore) -> list[str]:
    """Show the formula with its numbers."""
    edits = " + ".join(f"{count:,}" for count in counts_of(score))
    lines = [f"insertions + deletions + substitutions + shifts = {edits} = {score.edits:,}"]
    if score.ref_len:
        lines.append(f"100 * {score.edits:,} / {length(score.ref_len)} = {score.score:.2f}")
    if score.reason:
        lines.append(score.reason)
    return lines


def length(words: float) -> str:
    """Write a length in words, which may be a mean."""
    return f"{words:,.0f}" if float(words).is_integer() else f"{words:,.2f}"
