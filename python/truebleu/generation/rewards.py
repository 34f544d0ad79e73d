"""Rewards for training: the scores of token ids, without turning them into text."""

from __future__ import annotations

import numpy as np

from truebleu.display import formatting
from truebleu.errors import LengthMismatchError, SettingsError
from truebleu.inputs.frames import check_indexes
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.registry import as_bleu, metric_of
from truebleu.tokenizers.registry import PRETOKENIZED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics import BleuSettings, Metric, MetricName


def token_rewards(
    samples: Any,
    references: Any,
    *,
    pad: int | Iterable[int] | None = None,
    end_of_sequence: int | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> NDArray[np.float64]:
    """Score sampled sequences of token ids against their references, as rewards.

    A reward is the fraction of a perfect score. If `metric` says that lower is better, it is minus
    that fraction, so that a higher reward always means better output.

    Parameters
    ----------
    samples : array_like of int, shape (samples, length), or Ragged
    references : array_like of int, shape (references, length), or Ragged
        One reference per sample, or one per group of k consecutive samples, where
        k = len(samples) / len(references).
    pad : int or iterable of int, optional
        The id of padding, or several, such as ``[0, -100]``; dropped wherever they stand.
    end_of_sequence : int, optional
        The id that ends a sequence; it and everything after it are dropped.
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    metric : Metric or str, optional
        A metric that takes tokens, or its name, instead of `settings`; a :class:`truebleu.Bleu`
        needs ``tokenizer="pretokenized"``. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu` except the tokenizer.

    Returns
    -------
    ndarray of float64, shape (samples,)
        From 0 to 1 for BLEU.

    Raises
    ------
    LengthMismatchError
        If the number of samples is not a multiple of the number of references.
    InputTypeError
        If samples or references are not a two-dimensional array of integers.
    InputError
        If a negative id is left, which is no token.
    SettingsError
        If the metric takes text, or both `metric` and settings are given.

    Examples
    --------
    >>> from truebleu import token_rewards
    >>> token_rewards([[5, 6, 7, 2, 0], [5, 9, 7, 8, 2]], [[5, 6, 7, 2]], pad=0, end_of_sequence=2)
    array([1.        , 0.18995892])
    """
    chosen = _metric_of_tokens(metric, settings)
    check_indexes([("samples", samples), ("references", references)])
    sampled, expected = (
        ids if isinstance(ids, Ragged) else Ragged._from_padded(name, ids, pad, end_of_sequence)
        for name, ids in (("samples", samples), ("references", references))
    )
    if not len(expected) or len(sampled) % len(expected):
        raise LengthMismatchError(
            f"{formatting.count(len(sampled), 'sample')} for "
            f"{formatting.count(len(expected), 'reference')}: the number of samples must be a "
            "multiple of the number of references"
        )
    if len(sampled) != len(expected):
        expected = _repeated(expected, len(sampled) // len(expected))
    if chosen._core is not None:
        scores = chosen.segments(sampled, expected, threads=threads)
    else:
        hypotheses = [ids.tolist() for ids in sampled.split("samples")]
        several = [[ids.tolist()] for ids in expected.split("references")]
        scores = chosen.segments(hypotheses, several, threads=threads)
    fractions = np.asarray(scores / chosen.scale)
    return fractions if chosen.higher_is_better else 0 - fractions


def _metric_of_tokens(metric: Metric | MetricName | None, settings: BleuSettings) -> Metric:
    """Return the metric; BLEU by default or by name, and then of tokens."""
    if metric is None or (isinstance(metric, str) and metric == "bleu" and not settings):
        metric, settings = None, {"tokenizer": PRETOKENIZED, **settings}
    chosen = metric_of(metric, settings)
    bleu = as_bleu(chosen)
    if bleu is not None and not bleu.takes_tokens:
        raise SettingsError(
            f"token ids are not tokenized, but tokenizer is {bleu.tokenizer_name!r}; leave it "
            f"out, or make the Bleu with tokenizer={PRETOKENIZED!r}"
        )
    if not chosen.takes_tokens:
        raise SettingsError(
            f"{chosen.name} takes text, not token ids: decode them, and score the text with the "
            "metric's segments()"
        )
    return chosen


def _repeated(ids: Ragged, times: int) -> Ragged:
    several = ids.split("references")
    lengths = np.repeat([len(each) for each in several], times)
    values = np.concatenate([np.tile(each, times) for each in several])
    return Ragged(values, np.concatenate([[0], np.cumsum(lengths)]))
