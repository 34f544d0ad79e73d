"""The design of a comparison: its parameters, each once.

Each command imports them: what is slow to load stays in functions.
"""

from __future__ import annotations

from truebleu.errors import SettingsError, written
from truebleu.inputs.numbers import number_within, real_number, whole_number
from truebleu.metrics.settings import Setting, number
from truebleu.suggestions import FOREIGN_NAMES, meant_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import Any, TypedDict

    from truebleu.display.words import Language
    from truebleu.significance.units import Units, UnitsGiven

    class IntervalArguments(TypedDict, total=False):
        """How intervals are computed."""

        units: UnitsGiven
        alpha: float
        n_resamples: int | None
        seed: int | None
        threads: int | None

    class TestArguments(IntervalArguments, total=False):
        """How systems are tested."""

        baseline: str | None
        margin: float | None

    class CompareArguments(TestArguments, total=False):
        """The arguments of both overloads of :func:`truebleu.compare`."""

        reference_streams: Iterable[Iterable[Any]] | None

    class ReportArguments(CompareArguments, total=False):
        """The arguments of both overloads of :func:`truebleu.report`."""

        sources: Iterable[Any] | None
        domains: Iterable[Hashable] | None
        source_lang: str | None
        target_lang: str | None
        title: str | None
        language: Language


ALPHA = 0.05
"""The default significance level; 1 - it is the confidence level of intervals."""

RESAMPLES = 10_000
"""The default number of bootstrap samples."""

SEED = 12345
"""The default seed of random numbers, the same as sacreBLEU's."""

_LARGEST_ALPHA = 0.5

MOST_SAMPLES = 100_000_000
"""The most samples or trials; more would take hours, and gigabytes."""


def checked_seed(name: str, seed: int | None) -> int:
    """Check a seed; None gives a random one."""
    if seed is None:
        import secrets

        seed = secrets.randbits(32)
    found = whole_number(seed)
    if found is None or not 0 <= found < 2**64:
        raise SettingsError(
            f"{name} is {written(seed)}; a whole number from 0 to 2**64 - 1 is needed"
        )
    return found


def between_0_and_1(name: str, value: object) -> float:
    """Return a number between 0 and 1, both excluded."""
    found = real_number(value)
    if not 0 < found < 1:
        raise SettingsError(
            f"{name} is {written(value)}; a number between 0 and 1 is needed, such as 0.05"
        )
    return found


def _level(name: str, value: object) -> float:
    found = between_0_and_1(name, value)
    if found > _LARGEST_ALPHA:
        raise SettingsError(
            f"{name} is {written(value)}; at most {_LARGEST_ALPHA} is possible: intervals have a "
            f"confidence level of 1 - {name}, and shorter ones need not contain the score"
        )
    return found


def _samples(name: str, value: object) -> int | None:
    return None if value is None else number_within(name, value, 1, MOST_SAMPLES)


def _margin(name: str, value: object) -> float | None:
    return None if value is None else number(name, value)


def _units(name: str, value: object) -> object:
    """Return words as they are; a length of blocks as a number."""
    if isinstance(value, str):
        is_known = value in ("auto", "segments")
    else:
        # A column of IDs may be anything that can be iterated over.
        is_known = hasattr(value, "__iter__")
    if is_known:
        return value
    length = whole_number(value)
    if length is None or not 0 < length <= MOST_SAMPLES:
        raise SettingsError(
            f"{name} is {written(value)}; 'auto', 'segments', how many segments are a block (from "
            "1 up), or a list with the ID of each segment's document is needed"
        )
    return length


def _word_or_length(text: str) -> int | str:
    """Read what the option of units takes."""
    return int(text) if text.isascii() and text.isdecimal() else text


PARAMETERS = (
    Setting(
        name="units",
        default="auto",
        check=_units,
        option=(
            _word_or_length,
            "UNITS",
            "what is resampled: segments; N for blocks of N consecutive segments; FILE with one "
            "line per segment, the ID of its document, whose lines are not joined; auto: "
            "documents if they are known, blocks if neighboring segments are alike, else segments",
        ),
    ),
    Setting(
        name="margin",
        check=_margin,
        option=(
            float,
            "X",
            "test whether systems are at most X points worse than others, or differ by less; with "
            "--fail-if, points by which a system may be worse",
        ),
    ),
    Setting(
        name="alpha",
        default=ALPHA,
        check=_level,
        option=(
            float,
            "X",
            "a difference is significant if its adjusted p-value is below this; intervals have a "
            "confidence level of 1 - X",
        ),
    ),
    Setting(
        name="n_resamples",
        default=RESAMPLES,
        check=_samples,
        option=(int, "N", "resamples for intervals"),
    ),
    Setting(
        name="seed",
        default=SEED,
        check=checked_seed,
        option=(int, "N", "seed of the random numbers"),
    ),
)
"""The parameters of intervals and tests; `margin` is one of tests only."""

_OF_LEVELS = ("confidence", "confidence_level", "level")

OF_INTERVALS = tuple(each.name for each in PARAMETERS if each.name != "margin")
"""The names of those of intervals."""

OF_TESTS = ("baseline", *(each.name for each in PARAMETERS))
"""The names of those of tests."""


def refuse_unknown(
    function: Callable[..., Any], given: Iterable[str], taken: Iterable[str] = ()
) -> None:
    """Refuse keyword arguments that a function does not have, and say what is meant.

    Besides those of its signature, it has those `taken`.
    """
    from inspect import signature

    from truebleu.metrics.registry import METRICS

    named = signature(function).parameters.values()
    known = [
        each.name for each in named if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    known += taken
    for name in given:
        if name in known:
            continue
        setting = FOREIGN_NAMES.get(name, name)
        for metric in (make() for make in METRICS.values()):
            if setting in metric.settings():
                raise SettingsError(
                    f"{name!r} is a setting of {metric.name}, and settings are given to the "
                    f"metric, as in metrics={type(metric).__name__}({setting}=...)"
                )
        meant = meant_setting(name, known)
        if name in _OF_LEVELS:
            meant = "; write alpha=0.05 for a confidence level of 95%"
        raise SettingsError(
            f"{name!r} is no parameter of {function.__name__}; its parameters are "
            f"{', '.join(known)}{meant}"
        )


class Design:
    """The checked parameters of a call; see :func:`truebleu.compare`.

    :meth:`plan` sets `n_tests`, the number of tests in the call, `n_trials`, and `stages`, the
    numbers of trials after which tests may stop.
    """

    units: UnitsGiven
    margin: float | None
    alpha: float
    n_resamples: int | None
    seed: int

    def __init__(self, *, baseline: str | None = None, **given: Any) -> None:
        for each in PARAMETERS:
            value = given.get(each.name, each.default)
            setattr(self, each.name, each.check(each.name, value) if each.check else value)
        if self.margin is not None and self.n_resamples is None:
            raise SettingsError("margin needs bootstrap samples: n_resamples is None")
        if given.get("n_resamples") is not None:
            self._refuse_few()
        self.baseline = baseline
        self.plan(0)

    def _refuse_few(self) -> None:
        """Refuse so few samples that the ends of intervals are not among them."""
        from truebleu.significance.inference import fewest_samples

        fewest, number = fewest_samples(self.alpha), self.n_resamples or 0
        if number < fewest:
            raise SettingsError(
                f"n_resamples is {number:,}; with alpha {self.alpha!r}, at least {fewest:,} are "
                "needed, or a larger alpha: intervals leave out alpha / 2 of the samples on each "
                "side"
            )

    @property
    def level(self) -> float:
        """The confidence level of intervals."""
        from truebleu.significance.inference import exact

        return float(1 - exact(self.alpha))

    def plan(self, tests: int) -> None:
        """Choose how many trials each of so many tests has."""
        from truebleu.significance import inference

        self.n_tests = tests
        self.n_trials = inference.enough_trials(tests, self.alpha)
        if self.n_trials > MOST_SAMPLES:
            raise SettingsError(
                f"alpha {self.alpha!r} needs {self.n_trials:,} trials per test, more than the "
                f"{MOST_SAMPLES:,} that are possible; choose a larger alpha"
            )
        self.stages = inference.stages(self.n_trials)

    def signature_of(
        self, signature: str, units: Units, *, sampled: int, exact: int, **more: object
    ) -> str:
        """Add the parameters to a score's signature; tests were `sampled`, or `exact`."""
        from truebleu.significance.inference import ENOUGH_EXTREME

        fields = {
            **more,
            "ar": self.n_trials if sampled else None,
            "stop": ENOUGH_EXTREME if sampled and self.stages[1:] else None,
            "exact": exact or None,
            "alpha": repr(self.alpha),
            "margin": None if self.margin is None else f"{self.margin:g}",
            "bs": None if more.get("corpora") else self.n_resamples,
            "units": None if units.name == "segments" else units.signed,
            "seed": None if more.get("corpora") else self.seed,
        }
        extra = "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)
        start, _, version = signature.rpartition("|")
        return f"{start}|{extra}|{version}"
