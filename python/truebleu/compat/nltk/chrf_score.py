"""NLTK 3.10's chrF, with the same names and the same numbers, computed by truebleu.

Replace ``nltk.translate.chrf_score`` in ``from nltk.translate.chrf_score import sentence_chrf`` by
``truebleu.compat.nltk.chrf_score``.
"""

from __future__ import annotations

import re as redos  # noqa: F401  # NLTK has this name, too.
import struct
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from truebleu.compat import faithful
from truebleu.compat.errors import (
    NoCorpusError,
    NoOrdersError,
    NotAWholeNumberError,
    SegmentCountError,
)
from truebleu.compat.nltk.bleu_score import ngrams as ngrams
from truebleu.compat.watched import is_unchanged, watch
from truebleu.errors import TruebleuError, written
from truebleu.metrics.chrf.metric import Chrf

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
    try:
        orders = range(min_len, max_len + 1)
    except TypeError as error:
        raise NotAWholeNumberError(
            f"min_len is {written(min_len)} and max_len {written(max_len)}: not whole numbers"
        ) from error
    settings = orders, beta, ignore_whitespace
    if not orders or not is_unchanged(__name__):
        scores = _score_slowly(references, hypotheses, *settings)
    else:
        try:
            scores = _score_in_core(references, hypotheses, *settings)
        except TruebleuError as error:
            with faithful.accepting("NLTK", error):
                scores = _score_slowly(references, hypotheses, *settings)
    if not scores:
        raise NoOrdersError(f"min_len is {min_len} and max_len {max_len}, which is less")
    # The builtin sum, as in NLTK, since its result depends on the version of Python.
    return sum(map(sum, scores)) / len(scores) / len(hypotheses)


def _score_in_core(
    references: Any, hypotheses: Any, orders: range, beta: float, ignore_whitespace: bool
) -> Sequence[Sequence[float]]:
    """Return the F-scores of all segments, for each order."""
    if orders[0] < 1:
        raise NoOrdersError(f"min_len is {orders[0]}; at least 1 is needed")
    texts, targets = (
        [_preprocess(each, False) for each in segments] for segments in (hypotheses, references)
    )
    if ignore_whitespace and any(mark in text for text in texts + targets for mark in _SEPARATORS):
        texts, targets = ([_preprocess(text, True) for text in each] for each in (texts, targets))
        ignore_whitespace = False
    threads = 1 if len(texts) == 1 else None
    rows, *_ = _counter(orders[-1], not ignore_whitespace)._count_rows(
        texts, targets, None, threads, each=True
    )
    scores: list[list[float]] = [[] for _ in range(orders[-1])]
    for place, (total, expected, matches) in enumerate(struct.iter_unpack("<3q", rows)):
        order = place % orders[-1]
        if order + 1 in orders:
            scores[order].append(_compare(matches, total, expected, beta, EPSILON)[2])
    return scores[orders[0] - 1 :]


def _score_slowly(
    references: Any, hypotheses: Any, orders: range, beta: float, ignore_whitespace: bool
) -> Sequence[Sequence[float]]:
    """Do the same with the functions of this module, which a program may have replaced."""
    scores = defaultdict(list)
    for pair in zip(references, hypotheses, strict=False):
        reference, hypothesis = (_preprocess(each, ignore_whitespace) for each in pair)
        for n in orders:
            compared = chrf_precision_recall_fscore_support(reference, hypothesis, n, beta=beta)
            scores[n].append(compared[2])
    return list(scores.values())


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
    expected, found = Counter(ngrams(reference, n)), Counter(ngrams(hypothesis, n))
    matches = (found & expected).total()
    return *_compare(matches, found.total(), expected.total(), beta, epsilon), matches


def _compare(
    matches: int, total: int, expected: int, beta: float, epsilon: float
) -> tuple[float, float, float]:
    # The operations and their order are NLTK's, so that the last bit is, too.
    try:
        precision, recall = matches / total, matches / expected
        factor = beta**2
        score = (1 + factor) * (precision * recall) / (factor * precision + recall)
    except ZeroDivisionError:
        return epsilon, epsilon, epsilon
    return precision, recall, score


@lru_cache(16)
def _counter(max_len: int, whitespace: bool) -> Chrf:
    return Chrf(char_order=max_len, whitespace=whitespace)


def _preprocess(sent: Segment, ignore_whitespace: bool) -> str:
    """Join words, and remove whitespace."""
    text = sent if type(sent) is str else " ".join(sent)
    if not ignore_whitespace:
        return text
    return "".join(each for each in text if each in _SEPARATORS or not each.isspace())


watch(__name__)
