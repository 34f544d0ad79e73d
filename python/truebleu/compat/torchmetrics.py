"""torchmetrics' BLEU classes without torch: what they compute is a float."""

from __future__ import annotations

import math
from typing import Any

from truebleu.errors import InputError, LengthMismatchError, UnknownNameError
from truebleu.metrics.bleu import Bleu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.metrics.stats import BleuStats

__all__ = ["BLEUScore", "SacreBLEUScore"]

_TOKENIZERS = (
    *("none", "13a", "zh", "intl", "char"),
    *("ja-mecab", "ko-mecab", "flores101", "flores200"),
)


class BLEUScore:
    """BLEU of text that is split on white space, from 0 to 1.

    It is 0 if any order has no match, also with `smooth`. Of two references that are equally close
    the length of the first counts.

    Parameters
    ----------
    n_gram : int, default 4
    smooth : bool, default False
        Add 1 to matches and n-grams above order 1.
    weights : sequence of float, optional
        One for each order.

    Raises
    ------
    InputError
        If there are not as many weights as orders.
    """

    def __init__(
        self, n_gram: int = 4, smooth: bool = False, weights: Sequence[float] | None = None
    ) -> None:
        """Begin with nothing."""
        self._make(n_gram, smooth, weights, tokenizer="none", lowercase=False)

    def _make(
        self,
        n_gram: int,
        smooth: bool,
        weights: Sequence[float] | None,
        *,
        tokenizer: str,
        lowercase: bool,
    ) -> None:
        if weights is not None and len(weights) != n_gram:
            raise InputError(
                f"List of weights has different weights than `n_gram`: {len(weights)} != {n_gram}"
            )
        self.n_gram = n_gram
        self.smooth = smooth
        self.weights = [1 / n_gram] * n_gram if weights is None else list(weights)
        self._bleu = Bleu(
            tokenizer=tokenizer,
            lowercase=lowercase,
            max_order=n_gram,
            smoothing="none",
            reference_length="closest-first",
        )
        self._stats: BleuStats | None = None

    def update(
        self, preds: str | Sequence[str], target: Sequence[str] | Sequence[Sequence[str]]
    ) -> None:
        """Add some predictions and for each its references."""
        self._add(self._count(preds, target))

    def _count(self, preds: Any, target: Any) -> BleuStats:
        own = [preds] if isinstance(preds, str) else list(preds)
        others = [[each] if isinstance(each, str) else list(each) for each in target]
        if len(own) != len(others):
            raise LengthMismatchError(f"Corpus has different size {len(own)} != {len(others)}")
        return self._bleu.count(own, others, check=None).sum()

    def _add(self, stats: BleuStats) -> None:
        self._stats = stats if self._stats is None else self._stats + stats

    def compute(self) -> float:
        """Score what has been added since the last reset."""
        return self._value(self._stats)

    def _value(self, stats: BleuStats | None) -> float:
        if stats is None:
            return 0.0
        score = self._bleu.score(stats)
        if not min(score.counts):
            return 0.0
        logs = []
        for order, (count, total) in enumerate(zip(score.counts, score.totals, strict=True)):
            more = bool(self.smooth and order)
            logs.append(self.weights[order] * math.log((count + more) / (total + more)))
        return score.brevity_penalty * math.exp(math.fsum(logs))

    def __call__(
        self, preds: str | Sequence[str], target: Sequence[str] | Sequence[Sequence[str]]
    ) -> float:
        """Add a batch, and score it by itself."""
        stats = self._count(preds, target)
        self._add(stats)
        return self._value(stats)

    forward = __call__

    def reset(self) -> None:
        """Forget everything."""
        self._stats = None

    def merge_state(self, incoming_state: BLEUScore) -> None:
        """Add what another one has seen.

        Raises
        ------
        StatsMismatchError
            If it counts otherwise.
        """
        if incoming_state._stats is not None:
            self._add(incoming_state._stats)


class SacreBLEUScore(BLEUScore):
    """The same with sacreBLEU's tokenizers.

    Parameters
    ----------
    n_gram, smooth, weights
        As there.
    tokenize : str, default "13a"
    lowercase : bool, default False

    Raises
    ------
    UnknownNameError
        If there is no such tokenizer; also a ValueError.
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
    ) -> None:
        """Begin with nothing."""
        if tokenize not in _TOKENIZERS:
            raise UnknownNameError(
                f"unknown tokenizer {tokenize!r}; choose one of {', '.join(_TOKENIZERS)}"
            )
        self._make(n_gram, smooth, weights, tokenizer=tokenize, lowercase=lowercase)
