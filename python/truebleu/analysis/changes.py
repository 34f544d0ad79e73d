"""What differs between the texts of two scores: a path of single changes from one to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import permutations

from truebleu._core import lowercase, normalize
from truebleu.analysis.dialects.corpus import AuditPart
from truebleu.analysis.dialects.texts import SPLITTERS
from truebleu.display import formatting
from truebleu.metrics.functions import tokenize

Column = list[str | None]
Corpus = tuple[list[str], list[list[str | None]]]

BEFORE = "as before"
"""What something was that is now otherwise, if there is no more to say about it."""

# Texts that are looked at to find out what was done to all.
_LOOKED_AT = 200

# What people do to texts before they score them, by what the texts then are.
_PREPROCESSING: dict[str, Callable[[str], str]] = {
    "lower-cased": lowercase,
    "without spaces at the ends": str.strip,
    "in NFC": lambda text: normalize(text, "NFC"),
    "in NFKC": lambda text: normalize(text, "NFKC"),
    "in NFD": lambda text: normalize(text, "NFD"),
    "without punctuation": SPLITTERS["no punctuation"],
    "tokenized by 13a": lambda text: " ".join(tokenize(text)),
    "tokenized by intl": lambda text: " ".join(tokenize(text, tokenizer="intl")),
    "tokenized by zh": lambda text: " ".join(tokenize(text, tokenizer="zh")),
    "without repeated spaces": lambda text: " ".join(text.split()),
    "cut into characters": SPLITTERS["characters"],
}


def changes(start: Corpus, end: Corpus) -> Iterator[tuple[Corpus, AuditPart]]:
    """Change one corpus into another, step by step; the points of the parts are open.

    Hypotheses are changed first, then references that both corpora have, then their number. Corpora
    that differ in their number of segments are exchanged in one step.
    """
    columns, target = _columns(*start), _columns(*end)
    before, after = len(columns[0]), len(target[0])
    if before != after:
        yield _step(target, "segments", f"{after:,}", f"{before:,}")
        return
    for place, (old, new) in enumerate(zip(columns, target, strict=False)):
        if old != new:
            columns[place] = new
            aspect = f"reference {place}" if place else "hypotheses"
            yield _step(columns, aspect, _said(old, new))
    if len(columns) != len(target):
        yield _step(target, "references", f"{len(target) - 1}", f"{len(columns) - 1}")


def _step(
    columns: list[Column], aspect: str, now: str, was: str = BEFORE
) -> tuple[Corpus, AuditPart]:
    # A segment needs a reference, if only an empty one until it has its own.
    references: list[Column] = [
        [*several] if any(text is not None for text in several) else [""]
        for several in zip(*columns[1:], strict=True)
    ]
    corpus = [text or "" for text in columns[0]], references
    return corpus, AuditPart(aspect=aspect, was=was, now=now, points=0.0, why="")


def _columns(hypotheses: list[str], references: list[list[str | None]]) -> list[Column]:
    """Return hypotheses and streams of references, in which None stands for a missing one."""
    width = max(map(len, references))
    rows = ([*several, *[None] * (width - len(several))] for several in references)
    return [[*hypotheses], *map(list, zip(*rows, strict=True))]


def _said(old: Column, new: Column) -> str:
    """Say in words what was done to all texts, or how many are others."""
    pairs = [(one, other) for one, other in zip(old, new, strict=True) if one and other]
    looked = pairs[:: 1 + len(pairs) // _LOOKED_AT]
    # Once, or one after the other, such as lower-cased text without punctuation.
    for names in (*((name,) for name in _PREPROCESSING), *permutations(_PREPROCESSING, 2)):
        done = (
            reduce(lambda text, name: _PREPROCESSING[name](text), names, one) for one, _ in looked
        )
        if looked and all(text == other for text, (_, other) in zip(done, looked, strict=True)):
            return ", ".join(names)
    changed = sum(one != other for one, other in zip(old, new, strict=True))
    return f"changed in {changed:,} of {formatting.count(len(new), 'segment')}"
