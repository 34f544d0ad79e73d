"""The metrics that have dialects."""

from __future__ import annotations

from truebleu.errors import UnknownNameError, written
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal

    from truebleu.analysis.dialects.corpus import Corpus

    AuditedName = Literal["bleu", "chrf"]

AUDITED = {
    "bleu": ("BleuCorpus", "bleu_corpus", "bleu_trials"),
    "chrf": ("ChrfCorpus", "chrf_corpus", "chrf_trials"),
}
"""The class of a corpus of each metric that has dialects, its module, and that of the trials."""


def corpus_of(metric: Any) -> type[Corpus]:
    """Return the class of a corpus that is scored under the dialects of a metric.

    Raises
    ------
    UnknownNameError
        If the metric has no dialects; the message lists those that have.
    """
    from importlib import import_module

    name, module, _ = _modules(metric)
    kind: type[Corpus] = getattr(import_module(f"truebleu.analysis.dialects.{module}"), name)
    return kind


def trials_of(
    metric: str, corpus: Any, tokenizers: Sequence[str] | None
) -> Iterator[tuple[dict[str, Any], tuple[int, ...], float]]:
    """Score a corpus under all settings that a published number may come from.

    Parameters
    ----------
    metric : str
    corpus : Corpus
        Of the class that :func:`corpus_of` returns.
    tokenizers : sequence of str, optional

    Returns
    -------
    iterator of tuple
        The settings that differ from the default, the references used, and the score.
    """
    from importlib import import_module

    module = import_module(f"truebleu.analysis.dialects.{_modules(metric)[2]}")
    trials: Iterator[tuple[dict[str, Any], tuple[int, ...], float]]
    trials = module.trials(corpus, tokenizers)
    return trials


def _modules(metric: Any) -> tuple[str, str, str]:
    if not isinstance(metric, str) or metric not in AUDITED:
        raise UnknownNameError(
            f"there are no dialects of metric {written(metric)}; choose one of {', '.join(AUDITED)}"
            f"{did_you_mean(metric, AUDITED)}"
        )
    return AUDITED[metric]
