"""What the drop-ins for torchmetrics share: counts that add up, and where batches come from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truebleu._core import survey
from truebleu.compat import faithful
from truebleu.compat.described import Described
from truebleu.errors import InputTypeError, LengthMismatchError, StatsMismatchError, TruebleuError
from truebleu.inputs.checks import check_layout, is_square

# Counts by their names, and the scores of segments if they are asked for.
Counted = tuple[dict[str, NDArray[Any]], NDArray[np.float32] | None]


def added(state: NDArray[Any], counts: NDArray[Any]) -> Any:
    """Add the counts of a batch to a state; those of its segments are added one by one."""
    if counts.ndim == state.ndim:
        return state + counts
    return np.cumsum(np.append(state, counts.astype(state.dtype)))[-1]


def as_list(values: Any, name: str) -> list[Any]:
    """Return predictions or references as a list."""
    if not hasattr(values, "__iter__"):
        raise InputTypeError(f"{name} is of type {type(values).__name__}; a list of str is needed")
    return values if type(values) is list else list(values)


class Rules(Described):
    """How torchmetrics counts a batch, and how it computes the score from sums of counts.

    Counts are NumPy arrays. The score is computed by NumPy or by torch, whichever holds the sums:
    the operations and their order are torchmetrics', so that the last bit is, too.

    `states` has the counts before the first batch by their names, and `sentences` is the name of
    the state that has the scores of segments, if they are asked for. A metric has the `settings` as
    attributes.
    """

    # The floats of NumPy that the score is computed in; torch uses those of the metric.
    precision = "float32"
    # Why the core cannot count under settings that torchmetrics accepts.
    refused: TruebleuError | None = None
    # A prediction, its reference, and the state in which they count unless a defect of torchmetrics
    # 1.9 loses them.
    _lost: tuple[str, str, str]
    # Whether the installed torchmetrics is a later one without the defect.
    _mended: bool | None = None

    def __init__(
        self, states: dict[str, tuple[int, ...]], sentences: str | None = None, **settings: Any
    ) -> None:
        self.states: dict[str, NDArray[Any]] = {
            name: np.zeros(shape, np.int64) for name, shape in states.items()
        }
        self.sentences = sentences
        self.settings = settings

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make what counts in the core; in place of torchmetrics, do without it if necessary."""
        try:
            yield
        except TruebleuError as error:
            if faithful.is_strict():
                raise
            self.refused = error

    @property
    def is_mended(self) -> bool:
        """Whether the installed torchmetrics no longer has the defect of 1.9."""
        kind = type(self)
        if kind._mended is None and sys.modules.get("torchmetrics"):
            import torch

            text, reference, state = self._lost
            with torch.device("cpu"):
                counts, _ = self.count_originally([text], [[reference]], self.tokenizer())
            kind._mended = bool(counts[state])
        return bool(kind._mended)

    def summed(self, counts: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
        """Return the states after a batch."""
        return {name: added(zeros, counts[name]) for name, zeros in self.states.items()}

    def count(self, preds: str | Sequence[str], target: Sequence[Any]) -> Counted:
        """Count a batch; one without segments has counts of 0."""
        if self.refused is not None:
            raise self.refused
        hypotheses, references = self.listed(preds, target)
        if len(hypotheses) != len(references) and (hypotheses or any(references)):
            raise LengthMismatchError(
                f"Corpus has different size {len(hypotheses)} != {len(references)}: "
                "predictions, and the references of each"
            )
        if hypotheses:
            counted = self.count_listed(hypotheses, references)
            if is_square(references):
                other = self.count_listed(hypotheses, list(zip(*references, strict=True)))
                sums = (self.summed(each) for each, _ in (counted, other))
                floats = partial(np.asarray, dtype=self.precision)
                score, transposed = (float(self.score(each, floats, np)) for each in sums)
                count, higher = len(hypotheses), "total_num_edits" not in self.states
                check_layout(score, transposed, count, "torchmetrics", higher_is_better=higher)
            return counted
        return dict(self.states), np.zeros(0, np.float32) if self.sentences else None

    def listed(
        self, preds: str | Sequence[str], target: Sequence[Any]
    ) -> tuple[Sequence[str], Sequence[Any]]:
        """Return a batch as predictions and the references of each.

        As in torchmetrics' chrF and TER, a list of str holds the references of a single prediction,
        or one reference for each of several.
        """
        hypotheses = [preds] if isinstance(preds, str) else as_list(preds, "preds")
        given = as_list(target, "target")
        if len(hypotheses) == 1 and all(isinstance(each, str) for each in given):
            given = [given]
        if set(map(type, given)) != {list}:
            given = [
                [each] if isinstance(each, str) else as_list(each, f"target[{index}]")
                for index, each in enumerate(given)
            ]
        return hypotheses, given

    def differs(self, preds: Any, target: Any) -> bool:
        """Return whether torchmetrics reads a batch in another way than :meth:`count` does.

        A str is one reference if all references are str, else a list of its characters.
        """
        return len({issubclass(kind, str) for kind in survey(as_list(target, "target"))[0]}) > 1

    def tokenizer(self) -> Any:
        """Return torchmetrics' tokenizer; None if it has none."""
        return None

    def count_originally(self, preds: Any, target: Any, tokenizer: Any) -> Counted:
        """Count a batch with torchmetrics' own functions."""
        raise NotImplementedError

    def count_listed(self, hypotheses: Sequence[str], references: Sequence[Any]) -> Counted:
        """Count a batch with at least one segment."""
        raise NotImplementedError

    def score(
        self, sums: Mapping[str, Any], floats: Callable[[Any], Any], library: ModuleType
    ) -> Any:
        """Score sums of counts, with numpy or torch as the library.

        `floats` makes an array, or a tensor, of floats from one of integers or from a list.
        """
        raise NotImplementedError

    def check_mergeable(self, other: Rules) -> None:
        """Raise an error if counts under other rules cannot be added to these."""
        if type(self) is not type(other) or (self.settings, self.sentences) != (
            other.settings,
            other.sentences,
        ):
            raise StatsMismatchError(
                f"batches counted with {other.settings} cannot be merged into a metric with "
                f"{self.settings}"
            )
