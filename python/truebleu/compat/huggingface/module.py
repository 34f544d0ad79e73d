"""evaluate's objects: a metric that takes its corpus at once or in parts, and several as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from truebleu.compat import faithful
from truebleu.compat.described import Described
from truebleu.compat.errors import FormatError
from truebleu.compat.huggingface.info import MetricInfo, info_of
from truebleu.compat.huggingface.scores import check_name, compute, options_of
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
    wrong_type,
)

_COLUMNS = ("predictions", "references")


def _from_info(name: str) -> property:
    return property(lambda self: getattr(self.info, name), doc=f"The field `{name}` of `info`.")


def _listed(values: Any) -> list[Any]:
    """Return a column as a list: of a sequence, an array, a series, or a column of Arrow."""
    if isinstance(values, str):
        with faithful.accepting("evaluate", FormatError("a str is one text; pass a list of them")):
            return list(values)
    if type(values) is list:
        return values
    if not hasattr(values, "__iter__"):
        raise FormatError(f"a value of type {type(values).__name__} is no list of texts")
    for method in ("to_pylist", "tolist", "to_list"):
        if hasattr(values, method):
            values = getattr(values, method)()
            break
    return list(values)


class EvaluationModule:
    """A metric that takes its corpus at once or in batches, as evaluate's do.

    Segments are kept in memory. There is no cache, and nothing is written: `keep_in_memory`,
    `cache_dir`, `seed`, `hash`, `max_concurrent_cache_files` and `timeout` have no effect, and
    `config_name` and `experiment_id` are only stored in :attr:`info`. A metric that does not exist
    here is an UnknownMetricError, and more than one process a SettingsError.
    """

    name = _from_info("module_name")
    experiment_id = _from_info("experiment_id")
    description = _from_info("description")
    citation = _from_info("citation")
    features = _from_info("features")
    inputs_description = _from_info("inputs_description")
    homepage = _from_info("homepage")
    license = _from_info("license")
    codebase_urls = _from_info("codebase_urls")
    reference_urls = _from_info("reference_urls")
    streamable = _from_info("streamable")
    format = _from_info("format")
    module_type = _from_info("module_type")

    def __init__(
        self,
        metric: str,
        config_name: str | None = None,
        keep_in_memory: bool = False,
        cache_dir: str | None = None,
        num_process: int = 1,
        process_id: int = 0,
        seed: int | None = None,
        experiment_id: str | None = None,
        hash: str | None = None,  # noqa: A002
        max_concurrent_cache_files: int = 10000,
        timeout: float = 100,
        **_: Any,
    ) -> None:
        check_name(metric)
        if not isinstance(process_id, int) or process_id < 0:
            raise SettingsError(f"'process_id' should be 0 or greater, not {process_id!r}")
        if not isinstance(num_process, int) or num_process <= process_id:
            raise SettingsError(
                f"'num_process' should be a number greater than process_id, not {num_process!r}"
            )
        if num_process > 1:
            raise SettingsError(
                "several processes cannot be gathered: let each count its statistics and add them "
                "up (Bleu().stats(...).sum()), or let one process score everything"
            )
        self.config_name = config_name or "default"
        self.info: MetricInfo = info_of(metric, options_of(metric), config_name, experiment_id)
        self.num_process = num_process
        self.process_id = process_id
        self.keep_in_memory = keep_in_memory
        self.seed = seed
        self.timeout = timeout
        self.max_concurrent_cache_files = max_concurrent_cache_files
        self._metric = metric
        self._reset()

    def _reset(self) -> None:
        self._predictions: list[Any] = []
        self._references: list[Any] = []

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one prediction, and its reference or references.

        `predictions` and `references` are other names of the two.
        """
        self._check_columns(kwargs)
        example = {"predictions": prediction, "references": reference, **kwargs}
        given = {name: [value] for name, value in example.items() if value is not None}
        self.add_batch(**given)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add several predictions, and the reference or references of each.

        Each of the two is a list, array, series or column.

        Raises
        ------
        LengthMismatchError
            If the two differ in number.
        InputError
            If one of them is missing, or there are more columns.
        FormatError
            If predictions are not str, or references not str or sequences; also a ValueError.
        """
        self._check_columns(kwargs)
        hypotheses, targets = self._listed(predictions, references)
        self._check_text(hypotheses, targets)
        self._predictions += hypotheses
        self._references += targets

    def compute(
        self, *, predictions: Any = None, references: Any = None, **kwargs: Any
    ) -> dict[str, Any]:
        """Score everything added so far and the segments given here, then start over.

        Options are those of the metric, and results are what
        :func:`~truebleu.compat.huggingface.compute` returns. If there is nothing to score,
        EmptyInputError is raised.
        """
        given: tuple[list[Any], list[Any]] = ([], [])
        if predictions is not None or references is not None:
            given = self._listed(predictions, references)
        corpus = given
        if self._predictions:
            corpus = self._predictions + given[0], self._references + given[1]
        if not corpus[0]:
            raise EmptyInputError(
                f"{self.name} has no predictions: call add or add_batch before compute, or pass "
                "predictions and references to it"
            )
        try:
            return compute(*corpus, self._metric, **kwargs)
        except TypeError as error:
            problem = error
        finally:
            self._reset()
        self._check_text(*given)
        raise problem

    def download_and_prepare(self, download_config: Any = None, dl_manager: Any = None) -> None:
        """Do nothing, because there is nothing to download."""

    def __len__(self) -> int:
        """Return the number of segments that were added and not scored yet."""
        return len(self._predictions)

    def __repr__(self) -> str:
        return (
            f'EvaluationModule(name: "{self.name}", module_type: "{self.module_type}", '
            f'features: {self.features}, usage: """{self.inputs_description}""", '
            f"stored examples: {len(self)})"
        )

    @staticmethod
    def _listed(predictions: Any, references: Any) -> tuple[list[Any], list[Any]]:
        """Return the two columns as lists of the same length."""
        columns = {"predictions": predictions, "references": references}
        missing = [name for name, values in columns.items() if values is None]
        if missing:
            raise InputError(
                f"Evaluation module inputs are missing: {missing}. All required inputs are "
                f"{list(_COLUMNS)}"
            )
        hypotheses, targets = map(_listed, columns.values())
        if len(hypotheses) != len(targets):
            raise LengthMismatchError(
                f"Mismatch in the number of predictions ({len(hypotheses)}) and references "
                f"({len(targets)})"
            )
        return hypotheses, targets

    @staticmethod
    def _check_text(hypotheses: list[Any], targets: list[Any]) -> None:
        for name, texts, kinds in (
            ("predictions", hypotheses, str),
            ("references", targets, Iterable),
        ):
            if not all(issubclass(kind, kinds) for kind in set(map(type, texts))):
                place, text = next(
                    each for each in enumerate(texts) if not isinstance(each[1], kinds)
                )
                raise FormatError(f"{name}[{place}] is {text!r}, not text")

    @staticmethod
    def _check_columns(kwargs: Mapping[str, Any]) -> None:
        bad = [name for name in kwargs if name not in _COLUMNS]
        if bad:
            raise InputError(
                f"Bad inputs for evaluation module: {bad}. All required inputs are {list(_COLUMNS)}"
            )


class Metric(EvaluationModule):
    """The only kind of module here; evaluate also has comparisons and measurements."""


def load(
    path: str,
    config_name: str | None = None,
    module_type: str | None = None,
    process_id: int = 0,
    num_process: int = 1,
    cache_dir: str | None = None,
    experiment_id: str | None = None,
    keep_in_memory: bool = False,
    download_config: Any = None,
    download_mode: Any = None,
    revision: Any = None,
    **init_kwargs: Any,
) -> Metric:
    """Return a metric by its name, which may begin with ``evaluate-metric/``.

    Nothing is downloaded, and no script is run: `download_config`, `download_mode` and `revision`
    have no effect; other options are those of
    :class:`~truebleu.compat.huggingface.EvaluationModule`.

    Raises
    ------
    UnknownMetricError
        If the metric does not exist here; also an UnknownNameError and a FileNotFoundError.
    UnknownNameError
        If another type of module is asked for.
    SettingsError
        If there are several processes.
    InputTypeError
        If `path` is not a str.
    """
    if module_type not in (None, "metric"):
        raise UnknownNameError(f"there is no {module_type} {path!r}, only metrics")
    if not isinstance(path, str):
        raise wrong_type("path", path, "the name of a metric is needed")
    return Metric(
        path.removeprefix("evaluate-metric/"),
        config_name=config_name,
        keep_in_memory=keep_in_memory,
        cache_dir=cache_dir,
        num_process=num_process,
        process_id=process_id,
        experiment_id=experiment_id,
        **init_kwargs,
    )


class CombinedEvaluations(Described):
    """Several metrics that get the same segments.

    They are given in a list, or in a mapping whose keys are used as prefixes, by name or as
    objects; anything else is an InputTypeError. With `force_prefix`, every key of the results has a
    prefix, and not only those that two metrics share.
    """

    def __init__(
        self,
        evaluation_modules: Sequence[str | EvaluationModule] | Mapping[str, str | EvaluationModule],
        force_prefix: bool = False,
    ) -> None:
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

        All metrics must have the options. A key that two of them share gets the name of the metric
        as a prefix, with a number if two metrics have one name.
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
