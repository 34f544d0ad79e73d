"""Several of evaluate's metrics that are used like one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from truebleu.compat.described import Described
from truebleu.compat.huggingface.module import EvaluationModule, load
from truebleu.errors import InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class CombinedEvaluations(Described):
    """Several metrics that get the same segments.

    Parameters
    ----------
    evaluation_modules : sequence or mapping
        Metrics, or names of metrics. The keys of a mapping are used as prefixes.
    force_prefix : bool, default False
        Put a prefix before every key of the results, not only before those that two metrics share.

    Raises
    ------
    InputTypeError
        If it is neither a list nor a mapping.
    """

    def __init__(
        self,
        evaluation_modules: Sequence[str | EvaluationModule] | Mapping[str, str | EvaluationModule],
        force_prefix: bool = False,
    ) -> None:
        """Load the metrics that are given by name; see the class."""
        if isinstance(evaluation_modules, str):
            raise InputTypeError("combine takes a list, or a mapping, of metrics, not one name")
        given: dict[Any, str | EvaluationModule] = (
            dict(evaluation_modules)
            if isinstance(evaluation_modules, Mapping)
            else dict(enumerate(evaluation_modules))
        )
        loaded = {
            key: load(module) if isinstance(module, str) else module
            for key, module in given.items()
        }
        self.evaluation_modules = list(loaded.values())
        # In a list, metrics go by their own names.
        self.evaluation_module_names: list[str] = [
            module.name if isinstance(key, int) else key for key, module in loaded.items()
        ]
        self.force_prefix = force_prefix

    def add(self, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one prediction and its references to each metric."""
        for module in self.evaluation_modules:
            module.add(prediction=prediction, reference=reference, **kwargs)

    def add_batch(self, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several predictions and their references to each metric."""
        for module in self.evaluation_modules:
            module.add_batch(predictions=predictions, references=references, **kwargs)

    def compute(
        self, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Let each metric score everything that was added and the segments given here.

        Parameters
        ----------
        predictions, references : sequences, optional
        **kwargs
            Options, which all metrics must have.

        Returns
        -------
        dict
            The results of all metrics. A key that two of them share gets the name of the metric as
            a prefix, with a number if two metrics have one name.
        """
        results = [
            module.compute(predictions=predictions, references=references, **kwargs)
            for module in self.evaluation_modules
        ]
        shared = Counter(key for result in results for key in result)
        named = Counter(self.evaluation_module_names)
        seen: Counter[str] = Counter()
        merged = {}
        for name, result in zip(self.evaluation_module_names, results, strict=True):
            prefix = f"{name}_{seen[name]}" if named[name] > 1 else name
            seen[name] += 1
            for key, value in result.items():
                plain = shared[key] == 1 and not self.force_prefix
                merged[key if plain else f"{prefix}_{key}"] = value
        return merged


def combine(
    evaluations: Sequence[str | EvaluationModule] | Mapping[str, str | EvaluationModule],
    force_prefix: bool = False,
) -> CombinedEvaluations:
    """Combine several metrics into one object; see the class for the parameters."""
    return CombinedEvaluations(evaluations, force_prefix=force_prefix)
