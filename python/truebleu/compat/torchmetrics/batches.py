"""Metrics of torchmetrics without torch: NumPy holds the sums, and scores are floats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from truebleu.compat.torchmetrics.rules import Rules, added
from truebleu.errors import SettingsError


class Batches:
    """A metric that is updated with batches; refuses the options of ``torchmetrics.Metric``."""

    def __init__(self, rules: Rules, **options: Any) -> None:
        if options:
            raise SettingsError(
                f"unknown settings: {', '.join(sorted(options))}; those of torchmetrics.Metric "
                "need torchmetrics to be installed"
            )
        self.rules = rules
        vars(self).update(rules.settings)
        self.reset()

    def update(self, preds: str | Sequence[str], target: Sequence[Any]) -> None:
        """Add a batch: predictions, and the references of each."""
        self._add(*self.rules.count(preds, target))

    def compute(self) -> Any:
        """Score all batches since the last reset."""
        return _result(self.rules, self._sums, self._sentences)

    def __call__(self, preds: str | Sequence[str], target: Sequence[Any]) -> Any:
        """Add a batch, and return the score of this batch alone."""
        counted = self.rules.count(preds, target)
        self._add(*counted)
        return _result(self.rules, *counted)

    forward = __call__

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def reset(self) -> None:
        """Discard all batches."""
        self._sums, self._sentences = self.rules.count([], [])

    def merge_state(self, incoming_state: Batches) -> None:
        """Add all batches of another metric, which counts under the same settings."""
        self.rules.check_mergeable(incoming_state.rules)
        self._add(incoming_state._sums, incoming_state._sentences)

    def _add(self, counts: Any, scores: Any) -> None:
        self._sums = {name: added(total, counts[name]) for name, total in self._sums.items()}
        if scores is not None and self._sentences is not None:
            self._sentences = np.append(self._sentences, scores)


def score_batch(rules: Rules, preds: str | Sequence[str], target: Sequence[Any]) -> Any:
    """Return the score of a batch: a float, or a float and the list of the scores of segments."""
    return _result(rules, *rules.count(preds, target))


def _result(rules: Rules, sums: Any, scores: Any) -> Any:
    sums = rules.summed(sums)
    score = float(rules.score(sums, partial(np.asarray, dtype=rules.precision), np))
    return score if scores is None else (score, scores.tolist())
