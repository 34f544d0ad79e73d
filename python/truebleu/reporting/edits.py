"""The edits that TER counts, for a page to draw: which word is edited how, and what is shifted."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.metrics.about import Steps
    from truebleu.reporting.data import Gathered

# A letter for each kind of edit.
_LETTERS = {"match": "m", "substitution": "s", "deletion": "d", "insertion": "i"}


def rows(data: Gathered) -> list[list[Any]] | None:
    """Return the edits of every segment and system; None if the metric is not TER.

    Returns
    -------
    list of list of list, or None
        For each segment and system the column of the reference with the fewest edits, a letter for
        each edit, four numbers for each shift (start, length, target, gain), and the words of both
        texts, or 0 for words that are those of the text between whitespace.
    """
    steps = data.metric.about.steps
    if steps is None:
        return None
    columns = data.split.texts
    references, outputs = columns[: data.references], columns[data.references :]
    return [
        [_edits(steps, text or "", several) for text in texts]
        for texts, several in zip(
            zip(*outputs, strict=True), zip(*references, strict=True), strict=True
        )
    ]


def _edits(steps: Steps, text: str, references: Sequence[str | None]) -> list[Any]:
    """Return the edits against the first reference that has the fewest."""
    best: list[Any] = []
    fewest = -1
    for column, reference in enumerate(references):
        if reference is None:
            continue
        words, others, shifts, kinds = steps(text, reference)
        edits = len(kinds) - kinds.count("match") + len(shifts)
        if fewest < 0 or edits < fewest:
            fewest = edits
            letters = "".join(_LETTERS[kind] for kind in kinds)
            moves = [number for shift in shifts for number in shift]
            best = [column, letters, moves, _words(words, text), _words(others, reference)]
    return best


def _words(words: list[str], text: str) -> str | int:
    """Join words, which have no spaces in them; 0 if they are those of the text in any case."""
    return 0 if words in (text.lower().split(), text.split()) else " ".join(words)
