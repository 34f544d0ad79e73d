"""The metrics by name, and the lookup behind ``metric=`` and ``metrics=``."""

from __future__ import annotations

from truebleu.errors import (
    InputTypeError,
    SettingsError,
    SettingsWarning,
    UnknownNameError,
    warn,
    wrong_type,
)
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.bleu.settings import SETTINGS
from truebleu.metrics.metric import Metric
from truebleu.suggestions import (
    ELSEWHERE,
    METRICS_MEANT,
    meant_metric,
    unknown_name,
    written_metric,
)
from truebleu.tokenizers.registry import LIBRARIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Literal

    from typing_extensions import TypeIs

    MetricName = Literal["bleu", "chrf", "chrf++", "ter"]


def _chrf(**settings: Any) -> Metric:
    from truebleu.metrics.chrf.metric import Chrf

    return Chrf(**settings)


def _ter(**settings: Any) -> Metric:
    from truebleu.metrics.ter.metric import Ter

    return Ter(**settings)


METRICS: dict[str, Callable[..., Any]] = {
    "bleu": Bleu,
    "chrf": _chrf,
    "chrf++": lambda **settings: _chrf(word_order=2, **settings),
    "ter": _ter,
}
"""The metrics that can be chosen by name; each takes settings by keyword, and has defaults."""


def metric_of(
    metric: Metric | MetricName | None, settings: Mapping[str, Any], called: str = "metric"
) -> Metric:
    """Return the metric that ``metric=`` stands for; `settings` of BLEU can only replace it.

    Errors name the argument as it is `called`.
    """
    if metric is None:
        return Bleu(**settings)
    if settings:
        known = METRICS[metric]() if isinstance(metric, str) and metric in METRICS else metric
        kind = type(known).__name__ if isinstance(known, Metric) else "Bleu"
        raise SettingsError(
            f"metric cannot be combined with {', '.join(settings)}: pass settings to the metric "
            f"itself, as in metric={kind}(...)"
        )
    if isinstance(metric, Metric):
        return metric
    if isinstance(metric, type) and issubclass(metric, Metric):
        raise InputTypeError(
            f"{called} is a class; make a metric of it, such as {called}={metric.__name__}()"
        )
    if not isinstance(metric, str):
        raise wrong_type(called, metric, "a metric, or its name, is needed")
    if metric not in METRICS:
        meant = meant_metric(metric)
        if meant in METRICS_MEANT:
            raise UnknownNameError(
                f"metric {metric!r} is unknown; pass {called}={written_metric(meant)}"
            )
        if meant in ELSEWHERE:
            raise UnknownNameError(
                f"metric {metric!r} is not computed here; {ELSEWHERE[meant]} computes it"
            )
        raise unknown_name("metric", metric, METRICS)
    chosen: Metric = METRICS[metric]()
    return chosen


def as_bleu(metric: Metric) -> Bleu | None:
    """Return a metric if it is BLEU, for what other metrics do not have."""
    return metric if isinstance(metric, Bleu) else None


def metric_from_signature(text: str) -> Metric:
    """Return the metric of this package that a signature describes."""
    return class_of_signature(text).from_signature(text)


def class_of_signature(signature: str) -> type[Metric]:
    """Return the class of the metric that a signature describes."""
    made = [make() for make in METRICS.values()]
    kinds: dict[str, type[Metric]] = {type(each).__name__: type(each) for each in made}
    return kinds[SETTINGS.reader.owner_of(signature) or Bleu.__name__]


def explain_signature(text: str) -> dict[str, str]:
    """Say in words what a signature means.

    Parameters
    ----------
    text : str
        The signature of a BLEU, chrF or TER score in any form that ``from_signature`` reads, such
        as :meth:`truebleu.Bleu.from_signature`.

    Returns
    -------
    dict of str to str
        A sentence on the metric, by its name, then one on each field, such as ``case:lc``.

    Raises
    ------
    SettingsError
        If the signature cannot be read.

    Warns
    -----
    SettingsWarning
        If the signature leaves something open.

    Examples
    --------
    >>> from truebleu import explain_signature
    >>> explain_signature("BLEU+case.lc+numrefs.1+smooth.exp+tok.13a+version.1.5.1")["case:lc"]
    'Lowercase the text.'
    """
    kind: Any = class_of_signature(text)
    reader = kind._settings_table.reader
    fields = reader.parse(text)
    settings = reader.grammar.read(fields)
    if settings.get("tokenizer") in LIBRARIES:
        # The words need neither its model nor its package.
        del settings["tokenizer"]
    metric = kind(**settings)
    for message in reader.ambiguities(metric, fields):
        warn(message, SettingsWarning)
    return {metric.name: metric._about.summary, **reader.grammar.sentences(fields)}


def is_one_metric(metrics: object) -> TypeIs[Metric | MetricName | None]:
    """Whether these are one metric, its name, or the default; or what is neither, nor several."""
    return isinstance(metrics, str | Metric | type) or not hasattr(metrics, "__iter__")


def metrics_of(
    metrics: Iterable[Metric | MetricName] | Metric | MetricName | None,
    *,
    by_settings: bool = False,
) -> dict[str, Metric]:
    """Return what ``metrics=`` stands for, by name; of one name, told apart `by_settings`."""
    if is_one_metric(metrics):
        only = metric_of(metrics, {}, "metrics")
        return {only.name: only}
    chosen: dict[str, Metric] = {}
    for each in metrics:
        if each is None:
            raise InputTypeError("metrics contains None; metrics, or their names, are needed")
        metric = metric_of(each, {}, "metrics")
        name = metric.name
        if by_settings and name in chosen:
            known, fields = (each.signature.split("|") for each in (chosen[name], metric))
            # What Unicode is follows from the others.
            known += [field for field in fields if field.startswith("unicode:")]
            differing = [field for field in fields if field not in known]
            name = " ".join([name, *differing])
        if name in chosen:
            if by_settings:
                raise SettingsError(f"{name} is given twice, with the same settings: leave one out")
            raise SettingsError(
                f"two of the metrics are called {name}, by which results are told apart: "
                "leave one out, or pass it by itself"
            )
        chosen[name] = metric
    if not chosen:
        raise SettingsError("metrics is empty; at least one metric is needed")
    return chosen
