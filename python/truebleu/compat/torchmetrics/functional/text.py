"""The functions under the name of torchmetrics' own module, ``torchmetrics.functional.text``.

They return tensors where torchmetrics is installed, and floats elsewhere; their settings are those
of the classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truebleu.compat import faithful
from truebleu.compat.torchmetrics.base import score_batch
from truebleu.compat.torchmetrics.bleu import BleuRules
from truebleu.compat.torchmetrics.chrf import ChrfRules
from truebleu.compat.torchmetrics.ter import TerRules
from truebleu.errors import LengthMismatchError

__all__ = ["bleu_score", "chrf_score", "sacre_bleu_score", "translation_edit_rate"]


def bleu_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    weights: Sequence[float] | None = None,
) -> Any:
    """Score a corpus as :class:`~truebleu.compat.torchmetrics.BLEUScore` does, from 0 to 1."""
    hypotheses = [preds] if isinstance(preds, str) else preds
    references = [[each] if isinstance(each, str) else each for each in target]
    return _score_bleu(hypotheses, references, n_gram, smooth, weights)


def sacre_bleu_score(
    preds: Sequence[str],
    target: Sequence[Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    tokenize: str = "13a",
    lowercase: bool = False,
    weights: Sequence[float] | None = None,
) -> Any:
    """Score a corpus as :class:`~truebleu.compat.torchmetrics.SacreBLEUScore` does, from 0 to 1."""
    return _score_bleu(preds, target, n_gram, smooth, weights, tokenize, lowercase)


def _score_bleu(preds: Sequence[str], target: Sequence[Any], *settings: Any) -> Any:
    """Score a batch, of which nothing is dropped, unlike by the classes."""
    if not faithful.is_strict() and len(preds) != len(target):
        raise LengthMismatchError(f"Corpus has different size {len(preds)} != {len(target)}")
    return score_batch(BleuRules(*settings), preds, target)


def chrf_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    n_char_order: int = 6,
    n_word_order: int = 2,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    return_sentence_level_score: bool = False,
) -> Any:
    """Score a corpus as :class:`~truebleu.compat.torchmetrics.CHRFScore` does, from 0 to 1.

    The scores of segments are added if they are asked for and there are any.
    """
    settings = (lowercase, whitespace, return_sentence_level_score)
    rules = ChrfRules(n_char_order, n_word_order, beta, *settings)
    return _with_segments(score_batch(rules, preds, target))


def translation_edit_rate(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    normalize: bool = False,
    no_punctuation: bool = False,
    lowercase: bool = True,
    asian_support: bool = False,
    return_sentence_level_score: bool = False,
) -> Any:
    """Score a corpus as :class:`~truebleu.compat.torchmetrics.TranslationEditRate` does.

    The list of the scores of segments is added if they are asked for and there are any.
    """
    settings = (normalize, no_punctuation, lowercase, asian_support)
    result = _with_segments(
        score_batch(TerRules(*settings, return_sentence_level_score), preds, target)
    )
    if isinstance(result, tuple) and not isinstance(result[1], list):
        # Unlike chrF's, they are a list of tensors with one number each.
        return result[0], list(result[1].split(1))
    return result


def _with_segments(result: Any) -> Any:
    """Leave out the scores of segments if there are none, as the original does."""
    return result[0] if isinstance(result, tuple) and not len(result[1]) else result
