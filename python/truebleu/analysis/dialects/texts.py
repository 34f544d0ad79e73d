"""What people do to text before it is scored: which segments are compared, and as which tokens."""

from __future__ import annotations

import re
import string
from collections.abc import Callable

from truebleu.metrics.functions import tokenize

Hypotheses = list[str]
References = list[list[str]]
Corpus = tuple[Hypotheses, References]

_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def _characters(text: str) -> str:
    """Put spaces between characters; the number of a space stands for it, as a token."""
    return " ".join([f"{ord(each):03}" if each.isspace() else each for each in text])


def _found(pattern: str) -> Callable[[str], str]:
    return lambda text: " ".join(re.findall(pattern, text))


def _compounds(text: str) -> str:
    return re.sub(r"(\S)-(\S)", r"\1 ##AT##-##AT## \2", text)


SPLITTERS: dict[str, Callable[[str], str]] = {
    "characters": _characters,
    "no punctuation": lambda text: text.translate(_WITHOUT_PUNCTUATION),
    "end token": lambda text: f"{text} </s>",
    # A word that is empty is a token, too.
    "single spaces": lambda text: " ".join(each or "\\0" for each in text.split(" ")),
    "compounds": lambda text: _compounds(" ".join(tokenize(text))),
    "compounds of tokens": _compounds,
    "codexglue": _found(r"[^\W_]+|[^\w\s]|_"),
    **{pattern: _found(pattern) for pattern in (r"\w+", r"\w+|[^\w\s]", r"\w+|[^\w\s]+")},
}
"""Functions that put spaces between the tokens of people who have no tokenizer, by name."""


def _swapped(hypotheses: Hypotheses, references: References) -> Corpus:
    return [several[0] for several in references], [[text] for text in hypotheses]


def _transposed(hypotheses: Hypotheses, references: References) -> Corpus:
    """Take the references of each segment as a stream; all ends where the shortest ends."""
    count = min(len(hypotheses), *map(len, references))
    return hypotheses[:count], [[each[place] for each in references] for place in range(count)]


def _flat(hypotheses: Hypotheses, references: References) -> Corpus:
    """Take each reference as a stream, of which every character is a segment."""
    return _transposed(hypotheses, [list(several[0]) for several in references])


def _not_nested(hypotheses: Hypotheses, references: References) -> Corpus:
    """Take each word of a reference as a reference, of which every character is a token."""
    words = [several[0].split() or [""] for several in references]
    return hypotheses, [[" ".join(word) for word in several] for several in words]


def _joined(hypotheses: Hypotheses, references: References) -> Corpus:
    return [" ".join(hypotheses)], [[" ".join(texts) for texts in zip(*references, strict=True)]]


def _of_one_text(hypotheses: Hypotheses, references: References) -> Corpus:
    return hypotheses, [[" ".join(several)] for several in references]


def _filled(hypotheses: Hypotheses, references: References) -> Corpus:
    pairs = zip(hypotheses, references, strict=True)
    kept = [pair for pair in pairs if all(text.strip() for text in (pair[0], *pair[1]))]
    return [text for text, _ in kept], [several for _, several in kept]


def _first_sentence(hypotheses: Hypotheses, references: References) -> Corpus:
    firsts = [text.split(". ")[0] for text in hypotheses]
    return firsts, [several[0].split(". ") for several in references]


ALIGNMENTS: dict[str, Callable[[Hypotheses, References], Corpus]] = {
    "swapped": _swapped,
    "transposed": _transposed,
    "flat": _flat,
    "not nested": _not_nested,
    "itself": lambda hypotheses, _: (hypotheses, [[text] for text in hypotheses]),
    "up": lambda hypotheses, references: (hypotheses[1:], references[:-1]),
    "down": lambda hypotheses, references: (hypotheses[:-1], references[1:]),
    "joined": _joined,
    "references joined": _of_one_text,
    "first sentence": _first_sentence,
    "filled": _filled,
    "short": lambda hypotheses, references: (hypotheses[:-1], references[:-1]),
}
"""Wrong pairs of hypotheses and references, by name; perhaps none are left."""
