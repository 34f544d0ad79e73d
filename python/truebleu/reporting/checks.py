"""What a reader should know before believing the numbers."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.display.formatting import count

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.metrics.score import BleuScore
    from truebleu.reporting.tokens import Split

# Outputs this much shorter or longer than the references are rarely meant.
_FAR = 0.1


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a reader should know before believing the numbers.

    Attributes
    ----------
    text : str
    segments : tuple of int
        Which segments it is about, from 1.
    """

    text: str
    segments: tuple[int, ...] = ()


def found(
    names: list[str],
    scores: list[BleuScore],
    tables: NDArray[np.int64],
    split: Split,
    sources: list[str] | None,
) -> list[Notice]:
    """Look for what makes numbers mean less than they seem to."""
    noted: list[Notice] = []
    for name, score in zip(names, scores, strict=True):
        if abs(score.ratio - 1) > _FAR:
            kind = "shorter" if score.ratio < 1 else "longer"
            noted.append(
                Notice(
                    f"The output of {name} is much {kind} than the references: "
                    f"{count(score.hyp_len, 'token')}, {score.ratio:.2f} times as many."
                )
            )
        if score.reason:
            noted.append(Notice(f"{name}: {score.reason}"))
    for name, table in zip(names, tables, strict=True):
        noted += _many(table[:, 0] == 0, f"{name} has no output")
    references = len(split.texts) - len(names)
    for number in range(references):
        called = f"Reference {number + 1}" if references > 1 else "The reference"
        noted += _many([text == "" for text in split.tokens[number]], f"{called} is empty")
        if sources is not None:
            pairs = zip(split.texts[number], sources, strict=True)
            noted += _many([own == source for own, source in pairs], f"{called} equals the source")
    alike: dict[tuple[str | None, ...], list[str]] = {}
    for name, column in zip(names, split.texts[references:], strict=True):
        alike.setdefault(tuple(column), []).append(name)
    for group in alike.values():
        if len(group) > 1:
            noted.append(Notice(f"{' and '.join(group)} have the same output in every segment."))
    return noted


def _many(where: Iterable[Any], what: str) -> list[Notice]:
    """Say in which segments something is so, if in any."""
    segments = tuple(number for number, is_so in enumerate(where, 1) if is_so)
    if not segments:
        return []
    return [Notice(f"{what} in {count(len(segments), 'segment')}.", segments)]
