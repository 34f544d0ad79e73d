"""How the TER of a corpus is calculated, and which edits make it up."""

from __future__ import annotations

from collections import Counter

from truebleu.analysis.explanation.influence import influence_block, influence_of
from truebleu.analysis.explanation.ter_steps import counts_of, formula_lines, steps_of
from truebleu.display.blocks import Block, Code
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.analysis.explanation.ter_steps import TerSteps
    from truebleu.metrics.ter.metric import Ter
    from truebleu.metrics.ter.score import TerScore

# In the order of a row.
_KINDS = ("insertion", "deletion", "substitution", "shift")

# The words of each kind that are listed.
_MOST_WORDS = 10


class TerCost(Result):
    """How often an edit is made, and what it adds to the score.

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

    __module__ = "truebleu"

    __slots__ = ("count", "hypothesis", "kind", "points", "reference")
    kind: str
    hypothesis: str | None
    reference: str | None
    count: int
    points: float


class TerCorpusExplanation(Shown):
    """How the TER of a corpus is calculated. Made by :func:`truebleu.explain`.

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

    __module__ = "truebleu"

    __slots__ = ("influence", "kinds", "score", "words")
    score: TerScore
    kinds: tuple[TerCost, ...]
    words: tuple[TerCost, ...]
    influence: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = ("kinds", "words", "influence")
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        score = self.score
        kinds = [
            (
                "",
                (
                    cost.kind,
                    f"{cost.count:,}",
                    f"{cost.count / score.edits:.1%}" if score.edits else "",
                    decimals(cost.points),
                ),
            )
            for cost in self.kinds
        ]
        words = [
            (
                "clipped" if cost.hypothesis and cost.reference else "bad",
                (
                    cost.kind,
                    cost.hypothesis or "",
                    cost.reference or "",
                    f"{cost.count:,}",
                    decimals(cost.points, ".3f"),
                ),
            )
            for cost in self.words
        ]
        lines = [*formula_lines(score), Code(score.signature)]
        return [
            Block("edits", [], ("edit", "count", "share", "points"), kinds),
            Block(
                "words that are edited most often",
                [],
                ("edit", "hypothesis", "reference", "count", "points"),
                words,
                align="lllrr",
            ),
            influence_block(self.influence, higher_is_better=False),
            Block(f"TER = {score.score:.2f}", lines),
        ]


def explain_corpus(
    ter: Ter, hypotheses: list[str], references: list[list[str | None]], threads: int
) -> TerCorpusExplanation:
    """Explain the score of a corpus."""
    stats = ter.stats(hypotheses, references, threads=threads)
    score = ter.score(stats)
    edited: Counter[tuple[str, str | None, str | None]] = Counter()
    rows = map(tuple, stats.to_numpy()[:, : len(_KINDS)].tolist())
    for hypothesis, several, row in zip(hypotheses, references, rows, strict=True):
        present = (reference for reference in several if reference is not None)
        # The first reference with these counts is the first with the fewest edits.
        steps = next(each for each in steps_of(ter, hypothesis, present) if each.counts == row)
        edited.update(_edits(steps))

    def cost(count: int, *what: Any) -> TerCost:
        points = score.score * count / score.edits if score.edits else 0.0
        kind, hypothesis, reference = what
        return TerCost(
            kind=kind, hypothesis=hypothesis, reference=reference, count=count, points=points
        )

    ranked = sorted(edited.items(), key=lambda each: (-each[1], *map(str, each[0])))
    words: list[TerCost] = []
    for kind in _KINDS:
        of_kind = [(what, count) for what, count in ranked if what[0] == kind]
        words += (cost(count, *what) for what, count in of_kind[:_MOST_WORDS])
    return TerCorpusExplanation(
        score=score,
        kinds=tuple(
            cost(count, kind, None, None)
            for kind, count in zip(_KINDS, counts_of(score), strict=True)
        ),
        words=tuple(words),
        influence=influence_of(ter, stats, score),
    )


def _edits(steps: TerSteps) -> Iterator[tuple[str, str | None, str | None]]:
    for edit in steps.edits:
        if edit.kind != "match":
            yield edit.kind, edit.hypothesis, edit.reference
    for shift in steps.shifts:
        yield "shift", " ".join(shift.words), None
