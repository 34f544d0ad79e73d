"""How TER is calculated, for a segment and for a corpus, and why two rates differ."""

from __future__ import annotations

from collections import Counter

from truebleu._core import ter_steps
from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import decimals
from truebleu.metrics.explanation import (
    Cost,
    DifferencePart,
    Edit,
    Explanation,
    edits_block,
    influence_of,
    quoted,
    ranked,
    spans_of,
)
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from truebleu.display.words import Words
    from truebleu.metrics.core import CoreMetric
    from truebleu.metrics.ter.score import TerScore

UNIT = "word"
WORST = "words that are edited most often"

# In the order of a row.
_KINDS = ("insertion", "deletion", "substitution", "shift")

# The words of each kind of edit that are listed for a corpus.
_MOST_WORDS = 10


class _Steps(Record):
    """How the words of a hypothesis are shifted, and then edited into one reference."""

    words: tuple[str, ...]
    reference: tuple[str, ...]
    shifts: tuple[Edit, ...]
    edits: tuple[Edit, ...]
    marks: tuple[tuple[str, ...], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        kinds = [edit.kind for edit in self.edits]
        return (*map(kinds.count, _KINDS[:3]), len(self.shifts))


def _steps_of(ter: CoreMetric, hypothesis: str, references: Iterable[str]) -> Iterator[_Steps]:
    """Return the steps of the core for each reference."""
    for reference in references:
        words, others, moves, kinds = ter_steps(ter._core, hypothesis, reference)
        # Where each word was before the shifts.
        places = list(range(len(words)))
        shifts = []
        shifted: set[int] = set()
        for start, length, target, gain in moves:
            phrase = places[start : start + length]
            del places[start : start + length]
            places[target:target] = phrase
            shifted.update(phrase)
            text = " ".join(words[place] for place in phrase)
            how = {"start": start, "target": target, "gain": gain}
            shifts.append(Edit(kind="shift", hypothesis=text, reference=None, **how))
        own = (kind for kind in kinds if kind != "insertion")
        marks = dict(zip(places, own, strict=True))
        yield _Steps(
            words=tuple(words),
            reference=tuple(others),
            shifts=tuple(shifts),
            edits=tuple(_edits([words[place] for place in places], others, kinds)),
            marks=tuple((marks[n], *["shift"] * (n in shifted)) for n in range(len(words))),
        )


def _edits(words: list[str], others: list[str], kinds: list[str]) -> Iterator[Edit]:
    mine, other = iter(words), iter(others)
    for kind in kinds:
        yield Edit(
            kind=kind,
            hypothesis=None if kind == "insertion" else next(mine),
            reference=None if kind == "deletion" else next(other),
        )


def explain_segment(
    ter: CoreMetric[TerScore], hypothesis: str, several: list[str | None]
) -> Explanation:
    """Name the steps of the core."""
    references = [reference for reference in several if reference is not None]
    score = ter.segment(hypothesis, references)
    found = list(_steps_of(ter, hypothesis, references))
    counts = [steps.counts for steps in found]
    place = counts.index(score._numbers()[:4])
    chosen = found[place]
    marks = [(edit.kind,) for edit in chosen.edits if edit.reference is not None]
    return Explanation(
        score=score,
        hypothesis=chosen.words,
        references=tuple(steps.reference for steps in found),
        reference=place,
        reference_scores=tuple(map(sum, counts)),
        spans=spans_of(chosen.words, chosen.marks),
        reference_spans=spans_of(chosen.reference, marks),
        steps=(*chosen.shifts, *chosen.edits),
    )


def of_reference(found: Explanation, number: int, say: Words) -> str:
    """Say how many edits a reference needs."""
    return say.count(int(found.reference_scores[number]), "edit")


def lead(found: Explanation, say: Words) -> list[str]:
    """Say in two sentences how good the rate is, and what is edited."""
    score: Any = found.score
    first = say(
        "TER is {score}, where lower is better: {edits} for a reference length of {length}.",
        score=decimals(score.score),
        edits=say.count(score.edits, "edit"),
        length=_length(score.ref_len),
    )
    if reason := score._reason(say):
        return [first, reason]
    if not score.edits:
        return [first, say("Nothing is missing.")]
    kinds = zip(_KINDS, score._numbers()[:4], strict=True)
    numbers = say.listed([say.count(number, kind) for kind, number in kinds if number])
    if found.influence:
        often = "They are {edits}; those of {texts} are most frequent."
        names = [cost.name for cost in found.worst[:3]]
        return [first, say(often, edits=numbers, texts=quoted(say, names))]
    names = [_name(edit) for edit in found.steps if edit.kind != "match"]
    return [first, say("They are {edits}: {texts}.", edits=numbers, texts=quoted(say, names))]


def _name(edit: Edit) -> str:
    """Write what is edited: ``sits → sat`` if a word is replaced."""
    return " → ".join(filter(None, (edit.hypothesis, edit.reference)))


def details(found: Explanation, say: Words) -> list[Block]:
    """Return the shifts, and what happens to each word."""
    score: Any = found.score
    rows = []
    shifts = [edit for edit in found.steps if edit.kind == "shift"]
    rest = found.steps[len(shifts) :]
    for shift in shifts:
        numbers = map(str, ((shift.start or 0) + 1, (shift.target or 0) + 1, shift.gain))
        rows.append(("clipped", (str(shift.hypothesis), *numbers)))
    after = " ".join(edit.hypothesis for edit in rest if edit.hypothesis is not None)
    lines = [say("result: {words}", words=after)] if rows else []
    header = (*map(say, ("phrase", "from word", "to word", "other edits saved")),)
    kinds = [edit.kind for edit in rest]
    counts = ", ".join(say.count(kinds.count(kind), kind) for kind in _KINDS[:3])
    blocks = [
        Block(say.count(len(rows), "shift"), lines, header, rows),
        edits_block(say("alignment: {edits}", edits=counts), rest, say),
    ]
    if len(found.references) > 1:
        sizes = " + ".join(str(len(each)) for each in found.references)
        mean = f"({sizes}) / {len(found.references)} = {_length(score.ref_len)}"
        blocks.append(Block(say("mean length of the references: {mean} words", mean=mean)))
    return blocks


def heading_of_costs(score: TerScore, say: Words) -> str:
    """Say what the costs of a corpus are."""
    return say("edits")


def result(score: TerScore, say: Words) -> Block:
    """Show the formula with its numbers."""
    numbers = " + ".join(f"{count:,}" for count in score._numbers()[:4])
    added = "insertions + deletions + substitutions + shifts = {numbers} = {edits}"
    lines = [say(added, numbers=numbers, edits=f"{score.edits:,}")]
    if score.ref_len:
        lines.append(f"100 * {score.edits:,} / {_length(score.ref_len)} = {score.score:.2f}")
    if reason := score._reason(say):
        lines.append(reason)
    return Block(f"TER = {score.score:.2f}", [*lines, Cell(score.signature, "code")])


def _length(words: float) -> str:
    """Write a length in words, which may be a mean."""
    return f"{words:,.0f}" if float(words).is_integer() else f"{words:,.2f}"


def explain_corpus(
    ter: CoreMetric[TerScore],
    hypotheses: list[str],
    references: list[list[str | None]],
    threads: int,
) -> Explanation:
    """Explain the score of a corpus."""
    stats = ter.stats(hypotheses, references, threads=threads)
    score = ter.score(stats)
    edited: Counter[tuple[str, str]] = Counter()
    rows = map(tuple, stats.to_numpy()[:, : len(_KINDS)].tolist())
    for hypothesis, several, row in zip(hypotheses, references, rows, strict=True):
        present = (reference for reference in several if reference is not None)
        # The first reference with these counts is the first with the fewest edits.
        steps = next(each for each in _steps_of(ter, hypothesis, present) if each.counts == row)
        edited.update(
            (edit.kind, _name(edit))
            for edit in (*steps.edits, *steps.shifts)
            if edit.kind != "match"
        )

    def cost(kind: str, name: str, count: int) -> Cost:
        points = score.score * count / score.edits if score.edits else 0.0
        missing = 0 if kind == "deletion" else count
        superfluous = 0 if kind == "insertion" else count
        counts = {"missing": missing, "superfluous": superfluous}
        return Cost(name=name, kind=kind, points=points, **counts)

    by_count = sorted(edited.items(), key=lambda each: (-each[1], *each[0]))
    worst: list[Cost] = []
    for kind in _KINDS:
        of_kind = [each for each in by_count if each[0][0] == kind]
        worst += (cost(*what, count) for what, count in of_kind[:_MOST_WORDS])
    counts = zip(_KINDS, score._numbers()[:4], strict=True)
    return Explanation(
        score=score,
        costs=tuple(cost(kind, kind, count) for kind, count in counts),
        worst=ranked(worst),
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
