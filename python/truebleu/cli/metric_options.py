"""Options that choose metrics and their settings, and the metrics that they stand for."""

from __future__ import annotations

from truebleu.cli.bleu_options import (
    add_bleu_settings,
    add_flag,
    bleu_settings_from,
    given_bleu_options,
    option_name,
)
from truebleu.errors import SettingsError
from truebleu.metrics.registry import METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from truebleu.metrics.metric import Metric

_DEFAULT = "bleu"

# The settings of other metrics than BLEU, and how each is given: the option of a setting is
# --METRIC-SETTING, as in sacreBLEU. One without a type is a flag.
_SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "chrf": {
        "char_order": {
            "type": int,
            "metavar": "N",
            "help": "highest order of character n-grams (default: 6)",
        },
        "word_order": {
            "type": int,
            "metavar": "N",
            "help": "highest order of word n-grams (default: 0; chrf++ is chrf with 2)",
        },
        "beta": {
            "type": float,
            "metavar": "X",
            "help": "weight of recall in the F-score (default: 2)",
        },
        "whitespace": {"help": "count whitespace as well"},
        "lowercase": {"help": "lowercase the text"},
        "eps_smoothing": {
            "help": "average the F-scores of all orders, as chrF++.py does, instead of leaving out "
            "orders for which texts are too short"
        },
    },
    "ter": {
        "normalized": {"help": "split off punctuation"},
        "no_punct": {"help": "remove punctuation"},
        "asian_support": {
            "help": "with --ter-normalized, split Han characters into words of their own; with "
            "--ter-no-punct, remove Chinese and Japanese punctuation, too"
        },
        "case_sensitive": {"help": "distinguish upper and lower case"},
    },
}

# The metrics that take the settings of a group, and what people call them.
_TAKEN_BY = {"bleu": ("bleu",), "chrf": ("chrf", "chrf++"), "ter": ("ter",)}
_CALLED = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}


def add_metrics(command: ArgumentParser, *, several: bool) -> None:
    """Add the choice of metrics, and the settings of all.

    Parameters
    ----------
    command : ArgumentParser
    several : bool
        Whether the command works with several metrics at once, or with one.
    """
    command.add_argument_group("settings").add_argument(
        *("-m", "--metrics", "--metric") if several else ("-m", "--metric", "--metrics"),
        dest="metrics",
        # Repeated, the option adds metrics; one that takes a single metric keeps the last.
        action="extend" if several else "store",
        nargs="+" if several else 1,
        type=metric_name,
        choices=METRICS,
        metavar="NAME",
        help=f"{'any of' if several else 'one of'} {', '.join(METRICS)} (default: {_DEFAULT})",
    )
    add_bleu_settings(command)
    for metric, settings in _SETTINGS.items():
        group = command.add_argument_group(f"settings of {_CALLED[metric]}")
        for name, how in settings.items():
            option = option_name(f"{metric}_{name}")
            if "type" in how:
                group.add_argument(option, **how)
            else:
                add_flag(group, option, about=how["help"])


def metric_name(given: str) -> str:
    """Return the name of a metric, which may be written as in papers: BLEU, chrF++, TER."""
    return given.lower()


def metrics_from(options: Namespace) -> list[Metric]:
    """Make the metrics that the options name, in their order.

    Raises
    ------
    SettingsError
        If a metric is named twice, an option is for a metric that is not named, or a setting is
        out of range.
    UnknownNameError
        If there is no such dialect or tokenizer.
    """
    names: list[str] = options.metrics or [_DEFAULT]
    _refuse_options_of_others(options, names)
    made: dict[str, Metric] = {}
    for name in names:
        metric = METRICS[name](**_settings_of(name, options))
        if metric.name in made:
            raise SettingsError(f"-m {' '.join(names)} names {metric.name} twice")
        made[metric.name] = metric
    return list(made.values())


def metric_from(options: Namespace) -> Metric:
    """Make the metric that the options name; errors are those of :func:`metrics_from`."""
    [metric] = metrics_from(options)
    return metric


def _settings_of(name: str, options: Namespace) -> dict[str, Any]:
    if name in _TAKEN_BY["bleu"]:
        return bleu_settings_from(options)
    [group] = [group for group, names in _TAKEN_BY.items() if name in names]
    given = _given(group, options)
    if name == "chrf++":
        given.pop("word_order", None)
    return given


def _given(group: str, options: Namespace) -> dict[str, Any]:
    """Return the settings of a group that were given."""
    values = {name: getattr(options, f"{group}_{name}") for name in _SETTINGS[group]}
    return {name: value for name, value in values.items() if value is not None}


def _refuse_options_of_others(options: Namespace, names: list[str]) -> None:
    """Refuse options that change nothing, because no metric takes them."""
    for group, takers in _TAKEN_BY.items():
        if group == "bleu":
            given = given_bleu_options(options)
        else:
            given = [option_name(f"{group}_{name}") for name in _given(group, options)]
        if given and not set(takers) & set(names):
            raise SettingsError(
                f"{given[0]} is a setting of {_CALLED[group]}, which is not computed: choose it "
                f"with -m {takers[0]}, or leave the option out"
                f"{_same_for(given[0], names)}"
            )
    if options.chrf_word_order is not None and "chrf" not in names and "chrf++" in names:
        raise SettingsError(
            "chrf++ is chrF with word order 2; with --chrf-word-order, ask for chrf instead"
        )


def _same_for(option: str, names: list[str]) -> str:
    """Say which option does the same for the metrics that are computed."""
    found = {
        "--lowercase": {
            **dict.fromkeys(_TAKEN_BY["chrf"], "; for chrF, --chrf-lowercase does the same"),
            "ter": "; TER lowercases by default, unless --ter-case-sensitive is given",
        }
    }.get(option, {})
    return "".join(dict.fromkeys(found[name] for name in names if name in found))
