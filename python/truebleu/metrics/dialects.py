"""Other tools' conventions, as data: what to set so that a score is that tool's.

The registry is DIALECTS.
"""

from __future__ import annotations

from truebleu.errors import UnknownNameError
from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any


class Dialect(Frozen):
    """How one tool computes BLEU.

    Parameters
    ----------
    tool : str
        The tool, its version, and what of it is meant.
    about : str
        In a sentence, who uses it for what.
    scale : int
        The number that the tool prints for a perfect corpus: 1 or 100.
    settings : dict
        Keyword arguments of :class:`truebleu.Bleu`, as far as they differ from the default.
    defects : tuple of str
        What the tool does that nobody would expect, and what of it cannot be reproduced.

    Attributes
    ----------
    name : str
        In the registry.
    """

    __slots__ = ("about", "defects", "name", "scale", "settings", "tool")
    about: str
    defects: tuple[str, ...]
    name: str
    scale: int
    settings: dict[str, Any]
    tool: str

    def __init__(
        self,
        name: str,
        tool: str,
        about: str,
        *,
        scale: int,
        settings: dict[str, Any],
        defects: tuple[str, ...] = (),
    ) -> None:
        """Keep the facts; see the class."""
        values = {
            "about": about,
            "defects": defects,
            "name": name,
            "scale": scale,
            "settings": settings,
            "tool": tool,
        }
        for attribute, value in values.items():
            object.__setattr__(self, attribute, value)

    def number(self, score: float) -> float:
        """Return the number that the tool prints for a score from 0 to 100."""
        return score * self.scale / 100

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the name: a copy of a dialect in the registry is the one in the registry."""
        return (named, (self.name,)) if DIALECTS.get(self.name) is self else super().__reduce__()

    def __repr__(self) -> str:
        """Show which one it is."""
        return f"<Dialect {self.name}: {self.tool}>"


# Only sacreBLEU scores a sentence in another way than a corpus.
_ONE_FORMULA = {"effective_order": False}

_ALL = (
    Dialect(
        "sacrebleu",
        "sacreBLEU 2.6.0, corpus_bleu",
        "The default, and what most papers since 2018 report.",
        scale=100,
        settings={},
        defects=("A perfect corpus scores 100.00000000000004; here it is 100.",),
    ),
    Dialect(
        "nltk",
        "NLTK 3.10, corpus_bleu of text.split()",
        "What many scripts and courses use, without a tokenizer and on a scale of 1.",
        scale=1,
        settings={
            **_ONE_FORMULA,
            "tokenizer": "none",
            "smoothing": "method0",
            "phantom_ngrams": True,
        },
        defects=(
            "A segment that is too short for an order counts as having one n-gram of it, which "
            "does not match: a perfect corpus with a short segment scores below 1.",
            "An order without a match makes a score like 1e-78, which means 0.",
        ),
    ),
    Dialect(
        "huggingface",
        "evaluate 0.4, load('bleu')",
        "The metric called bleu of Hugging Face; its sacrebleu is the dialect sacrebleu.",
        scale=1,
        settings={**_ONE_FORMULA, "smoothing": "none", "reference_length": "shortest"},
        defects=("Of several references the shortest one's length counts.",),
    ),
    Dialect(
        "torchmetrics",
        "torchmetrics 1.9, BLEUScore",
        "BLEU in PyTorch training loops, split on white space.",
        scale=1,
        settings={
            **_ONE_FORMULA,
            "tokenizer": "none",
            "smoothing": "none",
            "reference_length": "closest-first",
        },
        defects=(
            "Of two reference lengths that are equally close the first one counts, so the order of "
            "references matters.",
            "It counts in 32-bit floats, which stop at 16,777,216, and rounds to 7 digits.",
        ),
    ),
    Dialect(
        "moses",
        "multi-bleu.perl of Moses",
        "Papers up to about 2018, on text that was tokenized before.",
        scale=100,
        settings={**_ONE_FORMULA, "tokenizer": "moses", "smoothing": "none"},
        defects=(
            "It scores whatever tokens it gets, so its numbers depend on the tokenizer that was "
            "used before.",
            "It drops the last character of a file that does not end in a line feed.",
            "References without a hypothesis are ignored.",
        ),
    ),
    Dialect(
        "mteval-v13a",
        "mteval-v13a.pl of NIST",
        "The official script of the shared tasks of NIST and WMT.",
        scale=1,
        settings={**_ONE_FORMULA, "tokenizer": "mteval-v13a-lc", "smoothing": "nist"},
        defects=(
            "It lower-cases ASCII letters unless it is told not to (-c), and only those.",
            "An order of which the text has no n-grams counts as perfect.",
        ),
    ),
    Dialect(
        "tensorflow-nmt",
        "tensorflow/nmt, nmt.utils.evaluation_utils",
        "The tutorial of TensorFlow, and what was copied from it.",
        scale=100,
        settings={
            **_ONE_FORMULA,
            "tokenizer": "spaces",
            "smoothing": "none",
            "reference_length": "shortest",
        },
        defects=(
            "Of several references the shortest one's length counts.",
            "Two spaces have an empty word between them, and an empty line is an empty word; here "
            "neither counts.",
        ),
    ),
    Dialect(
        "tensor2tensor",
        "tensor2tensor 1.15, t2t-bleu (the uncased number)",
        "Papers of Google around 2017, such as those on the Transformer.",
        scale=1,
        settings={
            **_ONE_FORMULA,
            "tokenizer": "tensor2tensor",
            "lowercase": True,
            "smoothing": "nist",
        },
        defects=(
            "It lower-cases unless it is told not to.",
            "The backslash is no punctuation, because it escapes its neighbour in a pattern.",
            "An order of which the text has no n-grams counts as perfect.",
            "It rounds to 32-bit floats.",
        ),
    ),
    Dialect(
        "fairseq",
        "fairseq 0.12, fairseq-score",
        "The scorer of fairseq, on text that was tokenized before; one reference.",
        scale=100,
        settings={**_ONE_FORMULA, "tokenizer": "none", "smoothing": "none"},
        defects=(
            "It scores whatever tokens it gets.",
            "It compares hashes of n-grams, which collide where ids are above 127: a score comes "
            "out higher, and depends on the order of the words in its dictionary.",
            "An empty line counts as one token; here it is none.",
            "Words that are not in its dictionary match nothing; here every word is in it.",
        ),
    ),
    Dialect(
        "compare-mt",
        "compare-mt 0.2, BleuScorer",
        "A comparison of systems, on text that was tokenized before; one reference.",
        scale=100,
        settings={
            **_ONE_FORMULA,
            "tokenizer": "spaces",
            "smoothing": "compare-mt",
            "phantom_ngrams": True,
        },
        defects=(
            "Orders without a match count as perfect, unless no word matches.",
            "A segment that is too short for an order counts as having one n-gram of it.",
            "An empty line is an empty word; here it is none.",
        ),
    ),
    Dialect(
        "keras",
        "keras-hub 0.32, metrics.Bleu",
        "BLEU in Keras training loops.",
        scale=1,
        settings={
            **_ONE_FORMULA,
            "tokenizer": "keras",
            "smoothing": "none",
            "reference_length": "shortest",
        },
        defects=(
            "Of several references the shortest one's length counts.",
            "Its 13a is not padded: a full stop before a digit at the very start stays there.",
            "It counts in 32-bit floats.",
        ),
    ),
    Dialect(
        "papineni",
        "Papineni et al. (2002)",
        "The paper: words as they are given, no smoothing, the best match length.",
        scale=1,
        settings={**_ONE_FORMULA, "tokenizer": "none", "smoothing": "none"},
        defects=("The paper does not say which of two equally close lengths counts.",),
    ),
    Dialect(
        "skip-zero",
        "tutorials, and implementations that were copied from them",
        "Orders without a match are left out of the sum of logarithms.",
        scale=1,
        settings={**_ONE_FORMULA, "tokenizer": "none", "smoothing": "skip-zero"},
        defects=(
            "log 0 is taken for 0, so an order of which nothing matches counts as perfect: a worse "
            "translation may score higher. BLEU is 0 there, and smoothing is the answer.",
            "The tutorials score one sentence; here counts of a corpus are added up first.",
            "A text without any match scores its brevity penalty: 1 if it is long enough.",
            "An empty text is a division by 0; here it scores 0.",
        ),
    ),
)

DIALECTS = {dialect.name: dialect for dialect in _ALL}
"""Every dialect under its name."""


def named(name: str) -> Dialect:
    """Return the dialect of a name.

    Raises
    ------
    UnknownNameError
        If there is none; the message lists those that there are.
    """
    if not isinstance(name, str) or name not in DIALECTS:
        raise UnknownNameError(f"dialect {name!r} is unknown; choose one of {', '.join(DIALECTS)}")
    return DIALECTS[name]
