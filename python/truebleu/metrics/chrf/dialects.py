"""Other tools' conventions of chrF as data.

All of them are in the registry DIALECTS. Tools that have a dialect of BLEU, too, have another name
here, so that the registry of all metrics has both.
"""

from __future__ import annotations

from truebleu.metrics.chrf.settings import SETTINGS
from truebleu.metrics.dialect import Dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULTS: dict[str, Any] = {
    **SETTINGS.defaults,
    "aggregate": "corpus",
    "references": "best",
    "short_references": "ignored",
    "unmatched": "counted",
}
"""What tools do differently, and what sacreBLEU does.

The first seven are settings of :class:`truebleu.Chrf`, with one more value of `whitespace`: with
``"except U+0020"``, only U+0020 and whitespace at both ends are removed. The others are rules of
other tools that :class:`truebleu.Chrf` has no setting for:

- `aggregate`: ``corpus`` adds up n-grams; ``segments`` takes the mean of the scores of segments.
- `references`: of several references, the ``best`` counts, or they are ``joined`` with spaces.
- `short_references`: n-grams of a hypothesis whose reference is shorter than their order are
  ``ignored`` or ``counted``.
- `unmatched`: segments in which nothing matches are ``counted``, or ``without references``: their
  hypotheses are, but their references are not.
"""


def _dialect(
    name: str, tool: str, about: str, scale: int, *defects: str, **settings: Any
) -> Dialect:
    facts: dict[str, Any] = {"name": name, "tool": tool, "about": about, "scale": scale}
    return Dialect(**facts, settings=settings, defects=defects, metric="chrf")


REPEATING = ("chrf++.py",)
"""Dialects of tools that count a segment in which nothing matches as the one before it."""

_ALL = (
    _dialect(
        "sacrebleu-chrf",
        "sacreBLEU 2.6.0, CHRF().corpus_score",
        "The default, chrF2, and what most papers since 2018 report.",
        100,
    ),
    _dialect(
        "sacrebleu-chrf++",
        "sacreBLEU 2.6.0, CHRF(word_order=2).corpus_score",
        "chrF2++, which counts words and pairs of words, too.",
        100,
        word_order=2,
    ),
    _dialect(
        "huggingface-chrf",
        "evaluate 0.4, load('chrf')",
        "Hugging Face's metric chrf, which calls sacreBLEU.",
        100,
        "It needs the same number of references for every segment; here it may vary.",
    ),
    _dialect(
        "chrf++.py",
        "chrF++.py of m-popovic/chrF, c6+w2-F2",
        "The script of the metric's author.",
        100,
        "A segment in which nothing matches counts as a repetition of the segment before it, and "
        "ends in an error if it is the first; here it counts as it is.",
        word_order=2,
        whitespace="except U+0020",
        eps_smoothing=True,
    ),
    _dialect(
        "chrf++.py-avg",
        "chrF++.py of m-popovic/chrF, c6+w2-avgF2",
        "The second number of the same script: the mean of the scores of segments.",
        100,
        word_order=2,
        whitespace="except U+0020",
        eps_smoothing=True,
        aggregate="segments",
    ),
    _dialect(
        "nltk-chrf",
        "NLTK 3.10, corpus_chrf",
        "NLTK's chrF3: the mean over segments and orders, on a scale of 1.",
        1,
        "It takes one reference. Several, as NLTK's BLEU takes them, are joined to a long one, and "
        "a perfect translation scores low.",
        "A segment with fewer than 6 characters scores below 1 even if it is perfect.",
        beta=3.0,
        eps_smoothing=True,
        aggregate="segments",
        references="joined",
    ),
    _dialect(
        "torchmetrics-chrf",
        "torchmetrics 1.9, CHRFScore",
        "chrF2++ in PyTorch training loops.",
        1,
        "If nothing matches in a segment, its reference is forgotten: a system that leaves "
        "segments empty is not penalized.",
        "It computes in 32-bit floats, which stop at 16,777,216, and rounds to 7 digits.",
        word_order=2,
        whitespace="except U+0020",
        eps_smoothing=True,
        short_references="counted",
        unmatched="without references",
    ),
    _dialect(
        "fastchrf",
        "fastChrF 0.2, mean of pairwise_chrf",
        "Minimum-Bayes-risk decoding; the mean of its scores of segments.",
        100,
        "It has no score of a corpus, and no words.",
        aggregate="segments",
    ),
)

DIALECTS = {each.name: each for each in _ALL}
"""The dialects by name."""
