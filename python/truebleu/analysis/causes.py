"""What people do to BLEU: each habit and mistake as settings, with words for it."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from truebleu.display.shown import Result

RAREST = 8
"""Combinations of causes whose rarities add up to more are not tried."""

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
    rarity : int
        How rare it is: 1 is seen every day, 6 hardly ever. Those of several causes add up.
    words : str
        What was done, in words.
    erratum : str or None
        The section of docs/errata.md that says why it is wrong.
    """

    aspect: str
    settings: dict[str, Any]
    rarity: int
    words: str
    erratum: str | None = None


@cache
def causes() -> tuple[Cause, ...]:
    """Return the causes of the table; of each aspect, the default is none of them."""
    text = Path(__file__).with_name("causes.tsv").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        Cause(
            aspect=row["aspect"],
            settings={
                name: tuple(value) if isinstance(value, list) else value
                for name, value in json.loads(row["settings"]).items()
            },
            rarity=int(row["rarity"]),
            words=row["words"],
            erratum=row["erratum"] or None,
        )
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    )
