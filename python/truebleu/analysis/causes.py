"""What people do to BLEU: each habit and mistake as settings, with words for it."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from truebleu.display.shown import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

RAREST = 7
"""Combinations of causes whose weights add up to more are not tried."""

UNSEARCHED = 8
"""The weight of what a number alone is not searched for; :func:`truebleu.check` is asked more."""

NEVER = 99
"""The weight of what nobody does with some tool."""

_TOOLS = ("tool", "nltk", "own")

ERRATA = "https://truebleu.github.io/truebleu/errata.html"
"""The page with the sections that causes name."""


class Cause(Result):
    """Something that people do, from which a number may differ.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references, target="83.33").matches[0].causes[0].words
    'BLEU-1'

    Attributes
    ----------
    aspect : str
        What it is about; of each aspect, there is at most one cause.
    settings : dict
        Settings of :class:`truebleu.Bleu`, and :data:`truebleu.metrics.bleu.dialects.HABITS`.
    weights : tuple of int
        How rare it is with a tool that has tokenizers, with NLTK, and in code of one's own: 1 is
        seen every day, 6 hardly ever, 99 never. Those of several causes add up.
    words : str
        What was done, in words; empty for what is done by default.
    erratum : str or None
        The section of docs/errata.md that says why it is wrong.
    source : str
        Where it was seen, or ``estimate``.
    """

    aspect: str
    settings: dict[str, Any]
    weights: tuple[int, ...]
    words: str
    erratum: str | None = None
    source: str = ""

    @property
    def rarity(self) -> int:
        """How rare it is where it is least rare."""
        return min(self.weights)


@cache
def causes() -> tuple[Cause, ...]:
    """Return the causes of the table, and defaults that have a weight."""
    text = Path(__file__).with_name("causes.tsv").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        Cause(
            aspect=row["aspect"],
            settings={
                name: tuple(value) if isinstance(value, list) else value
                for name, value in json.loads(row["settings"]).items()
            },
            weights=tuple(int(row[name] or NEVER) for name in _TOOLS),
            words=row["words"],
            erratum=row["erratum"] or None,
            source=row["source"],
        )
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    )


def rarity_of(causes: Iterable[Cause]) -> int:
    """Return how rare several causes are together, where they are least rare."""
    return min(map(sum, zip(*(each.weights for each in causes), strict=True)), default=0)
