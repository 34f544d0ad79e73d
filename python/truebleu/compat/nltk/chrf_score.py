"""NLTK 3.10's chrF, with the same names and the same numbers, computed by truebleu.

Replace ``nltk.translate.chrf_score`` in ``from nltk.translate.chrf_score import sentence_chrf`` by
``truebleu.compat.nltk.chrf_score``.
"""

from __future__ import annotations

import re as redos  # noqa: F401  # NLTK has these four names, too.
import struct
from collections import Counter, defaultdict  # noqa: F401
from functools import lru_cache
from typing import Any

from truebleu.compat.errors import (
    NoCorpusError,
    NoOrdersError,
    NotAWholeNumberError,
    SegmentCountError,
)
from truebleu.compat.nltk.counts import count_ngrams
from truebleu.compat.nltk.counts import ngrams as ngrams
from truebleu.errors import written
from truebleu.metrics.chrf.metric import Chrf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Segment = str | Sequence[str]

EPSILON = 1e-16

# str.isspace calls them whitespace, NLTK does not.
_SEPARATORS = "\x1c\x1d\x1e\x1f"


def sentence_chrf(
    reference: Segment,
    hypothesis: Segment,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Score a sentence; see :func:`corpus_chrf`."""
    return corpus_chrf(
        [reference], [hypothesis], min_len, max_len, beta=beta, ignore_whitespace=ignore_whitespace
    )


def corpus_chrf(
    references: Sequence[Segment],
    hypotheses: Sequence[Segment],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Score a corpus: the mean F-score over all orders and all segments.

    Parameters
    ----------
    references : sequence of str, or of sequences of str
        One reference per hypothesis. A sequence of str is joined with spaces, so that several
        references become one long reference.
    hypotheses : sequence of str, or of sequences of str
    min_len, max_len : int, default 1 and 6
        The lowest and the highest order of character n-grams.
    beta : float, default 3
        How many times as much recall counts as precision.
    ignore_whitespace : bool, default True
        Remove whitespace first.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    SegmentCountError
        If references and hypotheses differ in number; also an AssertionError.
    NoCorpusError
        If the corpus is empty; also a ZeroDivisionError.
    NoOrdersError
        If there is no order from `min_len` to `max_len`; also a ZeroDivisionError.
    SettingsError
        If `min_len` is below 1, or `max_len` above 1,000.
    NotAWholeNumberError
        If `max_len` is not a whole number; also a TypeError.
    """
    if len(references) != len(hypotheses):
        raise SegmentCountError(
            "The number of hypotheses and their references should be the same, but there are "
            f"{len(hypotheses):,} and {len(references):,}"
        )
    if not len(hypotheses):
        raise NoCorpusError("there is no hypothesis to score")
    if not isinstance(max_len, int):
        raise NotAWholeNumberError(f"max_len is {written(max_len)}; a whole number is needed")
    if min_len < 1 or max_len < min_len:
        raise NoOrdersError(
            f"min_len is {min_len} and max_len {max_len}; 1 <= min_len <= max_len is needed"
        )
    texts, targets = (list(map(_text, segments)) for segments in (hypotheses, references))
    if ignore_whitespace and any(mark in text for text in texts + targets for mark in _SEPARATORS):
        texts, targets = (
            ["".join(c for c in text if c in _SEPARATORS or not c.isspace()) for text in each]
            for each in (texts, targets)
        )
        ignore_whitespace = False
    threads = 1 if len(texts) == 1 else None
    rows, *_ = _counter(max_len, not ignore_whitespace)._count_rows(
        texts, targets, None, threads, each=True
    )
    scores: list[list[float]] = [[] for _ in range(max_len)]
    for place, (total, expected, matches) in enumerate(struct.iter_unpack("<3q", rows)):
        order = place % max_len
        if order + 1 >= min_len:
            scores[order].append(_compare(matches, total, expected, beta, EPSILON)[2])
    used = scores[min_len - 1 :]
    # The builtin sum, as in NLTK, since its result depends on the version of Python.
    return sum(map(sum, used)) / len(used) / len(texts)


def chrf_precision_recall_fscore_support(
    reference: Sequence[Any],
    hypothesis: Sequence[Any],
    n: int,
    beta: float = 3.0,
    epsilon: float = EPSILON,
) -> tuple[float, float, float, int]:
    """Compare the n-grams of one order.

    Parameters
    ----------
    reference, hypothesis : str, or sequence of hashable objects
        Characters or tokens.
    n : int
        The order.
    beta : float, default 3
        How many times as much recall counts as precision.
    epsilon : float, default 1e-16
        What is returned where nothing matches.

    Returns
    -------
    tuple
        Precision, recall, F-score, and the number of matches.
    """
    found, expected = count_ngrams(hypothesis, n), count_ngrams(reference, n)
    matches = (found & expected).total()
    return *_compare(matches, found.total(), expected.total(), beta, epsilon), matches


def _compare(
    matches: int, total: int, expected: int, beta: float, epsilon: float
) -> tuple[float, float, float]:
    if not matches:
        return epsilon, epsilon, epsilon
    # The operations and their order are NLTK's, so that the last bit is, too.
    precision, recall = matches / total, matches / expected
    factor = beta**2
    score = (1 + factor) * (precision * recall) / (factor * precision + recall)
    return precision, recall, score


@lru_cache(16)
def _counter(max_len: int, whitespace: bool) -> Chrf:
    return Chrf(char_order=max_len, whitespace=whitespace)


def _text(segment: Segment) -> str:
    return segment if type(segment) is str else " ".join(segment)
