"""The parameters of intervals and tests, and the only place of their defaults."""

from __future__ import annotations

from truebleu.errors import SettingsError
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.settings import SEVERAL_METRICS
from truebleu.suggestions import meant_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, TypedDict

    from truebleu.metrics.bleu.settings import BleuSettings

    Progress = Callable[[int, int], None]

    class IntervalSettings(TypedDict, total=False):
        """The parameters of confidence intervals; see :func:`truebleu.compare`."""

        n_resamples: int | None
        interval: Literal["bca", "expanded-percentile"]
        confidence_level: float | None
        seed: int | None
        legacy: Literal["sacrebleu"] | None

    class TestSettings(IntervalSettings, total=False):
        """The parameters of intervals and tests; see :func:`truebleu.compare`."""

        test: Literal["approximate-randomization", "bootstrap"]
        n_trials: int | None
        alternative: Literal["two-sided", "better"]
        alpha: float

    class IntervalArguments(IntervalSettings, BleuSettings, total=False):
        """Keyword arguments for intervals, and those of BLEU."""

    class TestArguments(TestSettings, BleuSettings, total=False):
        """Keyword arguments for intervals and tests, and those of BLEU."""


TESTS = ("approximate-randomization", "bootstrap")
INTERVALS = ("bca", "expanded-percentile")
ALTERNATIVES = ("two-sided", "better")
LEGACIES = ("sacrebleu",)

CONFIDENCE_LEVEL = 0.95
"""The confidence level of intervals that belong to no test."""

SEED = 12345
"""The default seed of random numbers, the same as sacreBLEU's."""

MOST_SAMPLES = 100_000_000
"""The most samples or trials; more would take hours, and gigabytes."""

POWER = 0.8
"""The statistical power that experiments are usually planned for."""

INTERVAL_DEFAULTS: dict[str, Any] = {
    "n_resamples": 10_000,
    "interval": "bca",
    "confidence_level": CONFIDENCE_LEVEL,
    "seed": SEED,
    "legacy": None,
}
"""The parameters of intervals, and their defaults."""

RESAMPLING: dict[str, Any] = {
    "test": "approximate-randomization",
    "n_trials": None,
    **INTERVAL_DEFAULTS,
    "alpha": 0.05,
    "alternative": "two-sided",
    "confidence_level": None,
}
"""The parameters of intervals and tests, and their defaults; intervals belong to the tests."""


def split_settings(
    settings: Mapping[str, Any], *, tests: bool = True, metric: object = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split settings into the parameters of resampling, with defaults, and all others.

    Parameters
    ----------
    settings : mapping
        Keyword arguments of the caller.
    tests : bool
        Whether the parameters of tests are included, or only those of intervals.
    metric : object
        The metric that the caller has passed; None if the others are settings of BLEU.
    """
    known = RESAMPLING if tests else INTERVAL_DEFAULTS
    resampling = {name: settings.get(name, default) for name, default in known.items()}
    rest = {name: value for name, value in settings.items() if name not in known}
    for name in rest:
        if name in DEFAULTS:
            continue
        if name == "metrics":
            raise SettingsError(SEVERAL_METRICS)
        if metric is not None:
            raise SettingsError(
                f"{name!r} is not a parameter here; the parameters are {', '.join(known)}, and "
                "settings are passed to the metric itself, as in metric=Chrf(char_order=4)"
                f"{meant_setting(name, known)}"
            )
        raise SettingsError(
            f"{name!r} is neither a parameter here nor a setting of BLEU; the parameters are "
            f"{', '.join(known)}, and the settings {', '.join(DEFAULTS)}"
            f"{meant_setting(name, [*known, *DEFAULTS])}"
        )
    return resampling, rest
