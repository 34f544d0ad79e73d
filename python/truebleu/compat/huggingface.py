"""The results of evaluate's ``bleu`` and ``sacrebleu``, without evaluate."""

from __future__ import annotations

import math
from typing import Any

from truebleu.compat.sacrebleu import BLEU, corpus_bleu
from truebleu.display import formatting
from truebleu.errors import InputError, LengthMismatchError, UnknownNameError
from truebleu.metrics.bleu.metric import Bleu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Metric", "compute", "load"]


def compute(
    predictions: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    metric: str = "bleu",
    **options: Any,
) -> dict[str, Any]:
    """Score a corpus.

    Parameters
    ----------
    predictions : sequence of str
    references : sequence of str, or of sequences of str
        The reference, or all references, of each prediction.
    metric : {"bleu", "sacrebleu"}
    **options
        As in evaluate. For ``bleu``: `tokenizer` (a function from text to tokens), `max_order` and
        `smooth`. For ``sacrebleu``: `smooth_method`, `smooth_value`, `force`, `lowercase`,
        `tokenize` and `use_effective_order`.

    Returns
    -------
    dict
        For ``bleu``, on the scale from 0 to 1: `bleu`, `precisions`, `brevity_penalty`,
        `length_ratio`, `translation_length`, `reference_length`. For ``sacrebleu``, on the scale
        from 0 to 100: `score`, `counts`, `totals`, `precisions`, `bp`, `sys_len`, `ref_len`.

    Raises
    ------
    UnknownNameError
        If the metric does not exist here.
    LengthMismatchError
        If predictions and references differ in number.
    InputError
        For ``sacrebleu``, if the number of references per prediction varies.
    """
    _check_name(metric)
    if len(predictions) != len(references):
        raise LengthMismatchError(
            f"{formatting.count(len(predictions), 'prediction')}, but "
            f"{formatting.count(len(references), 'reference')}"
        )
    listed = [[each] if isinstance(each, str) else list(each) for each in references]
    results: dict[str, Any] = _METRICS[metric](predictions, listed, **options)
    return results


def _check_name(metric: str) -> None:
    if metric not in _METRICS:
        raise UnknownNameError(f"unknown metric {metric!r}; choose one of {', '.join(_METRICS)}")


def _bleu(
    predictions: Sequence[str],
    references: list[list[str]],
    tokenizer: Callable[[str], list[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    bleu = Bleu(
        tokenizer="13a" if tokenizer is None else tokenizer,
        max_order=max_order,
        smoothing="none",
        reference_length="shortest",
    )
    score = bleu.score(bleu.count_stats(predictions, references))
    pairs = list(zip(score.counts, score.totals, strict=True))
    if smooth:
        precisions = [(count + 1.0) / (total + 1.0) for count, total in pairs]
    else:
        precisions = [count / total if total else 0.0 for count, total in pairs]
    mean = 0.0
    if min(precisions) > 0:
        mean = math.exp(sum(1.0 / max_order * math.log(precision) for precision in precisions))
    # If a length is 0, evaluate divides by zero.
    ratio = score.hyp_len / score.ref_len if score.ref_len else math.inf
    penalty = 1.0
    if ratio <= 1.0:
        penalty = math.exp(1 - 1.0 / ratio) if ratio else 0.0
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": score.hyp_len,
        "reference_length": score.ref_len,
    }


def _sacrebleu(
    predictions: Sequence[str],
    references: list[list[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    if len(set(map(len, references))) > 1:
        raise InputError("Sacrebleu requires the same number of references for each prediction")
    tokenizer = BLEU.TOKENIZER_DEFAULT if tokenize is None else tokenize
    settings = (smooth_method, smooth_value, force, lowercase, tokenizer, use_effective_order)
    score = corpus_bleu(predictions, list(map(list, zip(*references, strict=True))), *settings)
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(score, name) for name in names}


_METRICS: dict[str, Any] = {"bleu": _bleu, "sacrebleu": _sacrebleu}


class Metric:
    """A metric that takes its corpus at once or in batches, as evaluate's do."""

    def __init__(self, name: str) -> None:
        """Begin with an empty corpus."""
        self.name = name
        self._predictions: list[str] = []
        self._references: list[Any] = []

    def add(self, *, prediction: str, references: Any) -> None:
        """Add one prediction and its references."""
        self.add_batch(predictions=[prediction], references=[references])

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[Any]) -> None:
        """Add several predictions and their references."""
        self._predictions += predictions
        self._references += references

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        references: Sequence[Any] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Score everything added so far and the segments given here, then start over."""
        if predictions is not None and references is not None:
            self.add_batch(predictions=predictions, references=references)
        corpus = self._predictions, self._references
        self._predictions, self._references = [], []
        return compute(*corpus, self.name, **options)


def load(name: str) -> Metric:
    """Return a metric, ``bleu`` or ``sacrebleu``.

    Raises
    ------
    UnknownNameError
        If the metric does not exist here.
    """
    _check_name(name)
    return Metric(name)
