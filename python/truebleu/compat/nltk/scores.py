"""NLTK's scores of sentences and corpora, and its brevity penalty."""

from __future__ import annotations

import math
from typing import Any

from truebleu._core import brevity_penalty as core_brevity_penalty
from truebleu.compat.errors import NoCorpusError, SegmentCountError
from truebleu.compat.nltk.counts import Fraction, count_corpus
from truebleu.compat.nltk.smoothing import SmoothingFunction, score_in_core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.compat.nltk.smoothing import Smoothing

_DEFAULT_WEIGHTS = (0.25, 0.25, 0.25, 0.25)


def sentence_bleu(
    references: Sequence[Sequence[Any]],
    hypothesis: Sequence[Any],
    weights: Any = _DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a sentence of tokens; see :func:`corpus_bleu`."""
    if weights is _DEFAULT_WEIGHTS and not auto_reweigh:
        score = score_in_core(hypothesis, references, smoothing_function)
        if score is not None:
            return score
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    weights: Any = _DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a corpus of tokens.

    Parameters
    ----------
    list_of_references : sequence of sequences of sequences of tokens
        The references of each hypothesis. Tokens may be any hashable objects.
    hypotheses : sequence of sequences of tokens
    weights : sequence of float, or of sequences of float
        The weight of each order, from order 1 on; several lists of weights give several scores.
    smoothing_function : callable, optional
        Such as a method of :class:`SmoothingFunction`.
    auto_reweigh : bool, default False
        If the hypotheses have fewer than 4 tokens in total, replace the default weights by uniform
        weights up to that length.

    Returns
    -------
    float, or list of float
        From 0 to 1; the int 0 if no unigram matches.

    Raises
    ------
    SegmentCountError
        If references and hypotheses differ in number; also an AssertionError.
    NoCorpusError
        If the corpus is empty; also a ZeroDivisionError.
    NoReferenceError
        If a segment has no reference; also a KeyError.
    """
    # What is false is none in the original.
    smooth = smoothing_function or SmoothingFunction().method0
    if len(list_of_references) != len(hypotheses):
        raise SegmentCountError(
            "The number of hypotheses and their reference(s) should be the same, but there are "
            f"{len(hypotheses):,} and {len(list_of_references):,}"
        )
    if weights is _DEFAULT_WEIGHTS or not _are_several(weights):
        weights = (weights,)
    order = max(map(len, weights))
    if order and not len(hypotheses):
        raise NoCorpusError("there is no hypothesis to score")
    fixed = getattr(getattr(smooth, "__self__", None), "fixed", False)
    hyp_len, ref_len, matches, totals = count_corpus(
        list_of_references, hypotheses, order + 1 if fixed else order
    )
    if not matches or not matches[0]:
        return 0 if len(weights) == 1 else [0] * len(weights)
    precisions = smooth(
        [Fraction(*each) for each in zip(matches[:order], totals[:order], strict=True)],
        references=list_of_references[-1],
        hypothesis=hypotheses[-1],
        hyp_len=hyp_len,
        **({"following": Fraction(matches[order], totals[order])} if fixed else {}),
    )
    penalty = brevity_penalty(ref_len, hyp_len)
    scores = []
    for weight in weights:
        if auto_reweigh and hyp_len < 4 and weight == _DEFAULT_WEIGHTS:
            weight = (1 / hyp_len,) * hyp_len  # noqa: PLW2901
        logs = [
            share * math.log(precision)
            for share, precision in zip(weight, precisions, strict=False)
            if precision > 0
        ]
        scores.append(penalty * math.exp(math.fsum(logs)))
    return scores[0] if len(weights) == 1 else scores


def _are_several(weights: Any) -> bool:
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return False
    return True


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the brevity penalty; the int 1 or 0 where no exponential is needed."""
    if hyp_len > closest_ref_len:
        return 1
    return core_brevity_penalty(hyp_len, closest_ref_len) if hyp_len else 0
