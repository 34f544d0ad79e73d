"""Metrics of torchmetrics with torch: tensors hold the sums. It imports torchmetrics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import torch
from torchmetrics import Metric

from truebleu.compat import faithful
from truebleu.compat.torchmetrics.rules import Counted, Rules, added
from truebleu.errors import TruebleuError


class TensorBatches(Metric):  # type: ignore[misc]
    """A ``torchmetrics.Metric`` whose states are counts of type int64.

    They are summed over batches and over processes, and remain exact above 16,777,216, where single
    precision does not. Scores of segments are concatenated.
    """

    # Counts of a batch do not depend on earlier ones, so that one count per batch is enough.
    full_state_update = False
    is_differentiable = False
    plot_lower_bound = 0.0
    plot_upper_bound = 1.0

    def __init__(self, rules: Rules, **options: Any) -> None:
        super().__init__(**options)
        self.rules = rules
        for name, value in rules.settings.items():
            setattr(self, name, value)
        for name, zeros in rules.states.items():
            self.add_state(name, torch.tensor(zeros), dist_reduce_fx="sum")
        if rules.sentences:
            self.add_state(rules.sentences, [], dist_reduce_fx="cat")

    def update(self, preds: str | Sequence[str], target: Sequence[Any]) -> None:
        """Add a batch: predictions, and the references of each."""
        counts, scores = _count(self.rules, preds, target, vars(self).get("tokenizer"))
        for name, count in counts.items():
            state = getattr(self, name)
            total = added(state.numpy(force=True), count)
            setattr(self, name, torch.as_tensor(total, device=state.device))
        if self.rules.sentences:
            getattr(self, self.rules.sentences).append(torch.as_tensor(scores, device=self.device))

    @cached_property
    def tokenizer(self) -> Any:
        """The tokenizer of the original; one that a program has seen, or replaced, is called."""
        return self.rules.tokenizer()

    def compute(self) -> Any:
        """Score all batches since the last reset, those of other processes too."""
        score = _score(self.rules, self.metric_state, self.dtype)
        if not self.rules.sentences:
            return score
        scores = getattr(self, self.rules.sentences)
        if isinstance(scores, list):  # Other processes' are concatenated already.
            scores = torch.cat([torch.empty(0, device=score.device), *scores])
        return score, scores

    def merge_state(self, incoming_state: dict[str, Any] | Metric) -> None:
        """Add all batches of another metric of the same settings, or of a dictionary of states."""
        if isinstance(incoming_state, TensorBatches):
            self.rules.check_mergeable(incoming_state.rules)
        super().merge_state(incoming_state)
        # The base class would return the score from before.
        self._computed = None

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot a score, or several, with Matplotlib; return figure and axes.

        Scores are what calling the metric or :meth:`compute` has returned, by default the latter.
        """
        return self._plot(val, ax)

    def _load_from_state_dict(self, *args: Any) -> None:
        # Saved by the original, counts have single precision.
        super()._load_from_state_dict(*args)
        for name in self.rules.states:
            setattr(self, name, getattr(self, name).to(self._defaults[name].dtype))

    def _apply(self, fn: Any, exclude_state: Sequence[str] = "") -> Any:
        # Counts move to other devices, but they keep their types under set_dtype().
        counts = {name: (self._defaults[name], getattr(self, name)) for name in self.rules.states}
        super()._apply(fn, [*exclude_state, *counts])
        for name, (default, state) in counts.items():
            self._defaults[name], moved = (
                same_type if (same_type := fn(each)).dtype == each.dtype else each.to(self.device)
                for each in (default, state)
            )
            setattr(self, name, moved)
        return self


def _count(rules: Rules, preds: Any, target: Any, tokenizer: Any = None) -> Counted:
    """Count a batch; under torchmetrics' name or with a tokenizer, with its functions if needed."""
    if tokenizer is not None:
        return rules.count_originally(preds, target, tokenizer)
    try:
        if faithful.is_strict() or not rules.differs(preds, target):
            return rules.count(preds, target)
    except TruebleuError as error:
        with faithful.accepting("torchmetrics", error):
            return rules.count_originally(preds, target, rules.tokenizer())
    return rules.count_originally(preds, target, rules.tokenizer())


def score_batch(rules: Rules, preds: str | Sequence[str], target: Sequence[Any]) -> Any:
    """Return the score of a batch: a tensor, or one and the tensor of the scores of segments."""
    counts, scores = _count(rules, preds, target)
    device = torch.empty(0).device  # What torch.set_default_device() has set.
    states = rules.summed(counts)
    sums = {name: torch.as_tensor(state, device=device) for name, state in states.items()}
    score = _score(rules, sums, torch.get_default_dtype())
    return score if scores is None else (score, torch.as_tensor(scores, device=device))


def _score(rules: Rules, sums: dict[str, Any], dtype: Any) -> Any:
    device = sums[next(iter(rules.states))].device
    # In half precision, 4,097 words would be 4,096.
    precise = torch.promote_types(dtype, torch.float32)
    score = rules.score(sums, partial(torch.as_tensor, dtype=precise, device=device), torch)
    return score.to(dtype)
