"""The design of a comparison: its parameters, and the units that are resampled.

The defaults of the parameters are here, and nowhere else. Each command imports them: what is slow
to load stays in functions.
"""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    written,
)
from truebleu.inputs.frames import check_indexes
from truebleu.inputs.numbers import number_within, real_number, whole_number
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.settings import SEVERAL_METRICS, flag, number
from truebleu.suggestions import meant_setting, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from typing import Any, Literal

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.display.words import Language
    from truebleu.metrics import BleuSettings, Metric, Stats

    Pairs = list[tuple[str, str]]
    Table = NDArray[np.int64]

    Progress = Callable[[int, int], None]

    class IntervalArguments(BleuSettings, total=False):
        """Those of confidence intervals, see :func:`truebleu.compare`, and those of BLEU."""

        n_resamples: int | None
        interval: Literal["bca", "expanded-percentile"]
        confidence_level: float | None
        seed: int | None
        blocks: int | Literal["auto"] | None

    class TestArguments(IntervalArguments, total=False):
        """Those of intervals and tests, and those of BLEU."""

        test: Literal["approximate-randomization", "bootstrap"]
        n_trials: int | None
        alternative: Literal["two-sided", "better"]
        alpha: float
        margin: float | None

    class SharedArguments(TestArguments, total=False):
        """Those of every overload of :func:`truebleu.compare` and :func:`truebleu.report`."""

        reference_streams: Iterable[Iterable[Any]] | None
        baseline: str | None
        documents: Iterable[Hashable] | Literal["auto"] | None
        strata: Iterable[Hashable] | None
        threads: int | None
        progress: Progress | None
        lower_is_better: Iterable[str]

    class CompareArguments(SharedArguments, total=False):
        """The keyword arguments of every overload of :func:`truebleu.compare`."""

        metrics_correction: Literal["holm"] | None
        human_agreement: bool

    class ReportArguments(SharedArguments, total=False):
        """The keyword arguments of every overload of :func:`truebleu.report`."""

        sources: Iterable[Any] | None
        domains: Iterable[Hashable] | None
        source_lang: str | None
        target_lang: str | None
        title: str | None
        language: Language


TESTS = ("approximate-randomization", "bootstrap")
INTERVALS = ("bca", "expanded-percentile")
ALTERNATIVES = ("two-sided", "better")
CORRECTIONS = ("holm",)

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
    "blocks": None,
}
"""The parameters of intervals, and their defaults."""

RESAMPLING: dict[str, Any] = {
    "test": "approximate-randomization",
    "n_trials": None,
    **INTERVAL_DEFAULTS,
    "alpha": 0.05,
    "alternative": "two-sided",
    "margin": None,
    "confidence_level": None,
}
"""The parameters of intervals and tests, and their defaults; intervals belong to the tests."""

_NAN = float("nan")


def split_settings(
    settings: Mapping[str, Any], *, tests: bool = True, metric: object = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split settings into the parameters of intervals (and `tests`), with defaults, and others."""
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
    _check_names(**resampling)
    return resampling, rest


def _check_names(**given: Any) -> None:
    for parameter, known in (
        ("test", TESTS),
        ("interval", INTERVALS),
        ("alternative", ALTERNATIVES),
    ):
        name = given.get(parameter)
        if parameter in given and (not isinstance(name, str) or name not in known):
            raise unknown_name(parameter, name, known)


class Design:
    """The checked parameters of a comparison; see :func:`truebleu.compare`.

    Warnings name the metric, the `label`, if there are several; `family` is how many metrics Holm's
    method corrects for. :meth:`choose_trials` sets
    `n_trials` if it was not given, and `stages`, the numbers of trials after which tests may stop.
    `total` counts trials and samples of the whole comparison, for progress.
    """

    def __init__(
        self,
        *,
        test: str,
        n_trials: int | None,
        n_resamples: int | None,
        interval: str,
        confidence_level: float | None,
        alpha: float,
        alternative: str,
        margin: float | None = None,
        seed: int | None,
        blocks: int | str | None,
        baseline: str | None,
        progress: Progress | None,
        human_agreement: bool = False,
        label: str = "",
        family: int = 1,
    ) -> None:
        from truebleu.significance import inference

        self.label = label
        self.family = family
        self.human_agreement = flag("human_agreement", human_agreement)
        _check_names(test=test, interval=interval, alternative=alternative)
        trials, resamples = (
            None if number is None else number_within(parameter, number, 1, MOST_SAMPLES)
            for parameter, number in (("n_trials", n_trials), ("n_resamples", n_resamples))
        )
        checked_progress(progress)
        self.alpha = between_0_and_1("alpha", alpha, "0.05")
        if confidence_level is not None:
            level = between_0_and_1("confidence_level", confidence_level, "0.95")
        else:
            level = float(1 - inference.exact(self.alpha))
            level = between_0_and_1("confidence_level, 1 - alpha by default,", level, "0.95")
        self.confidence_level = level
        self.test, self.n_trials, self.n_resamples = test, trials or 0, resamples
        if blocks is not None and not (isinstance(blocks, str) and blocks == "auto"):
            blocks = number_within("blocks", blocks, 1, MOST_SAMPLES)
        self.blocks = blocks
        if margin is not None:
            margin = number("margin", margin)
            if resamples is None:
                raise SettingsError("margin needs bootstrap samples: n_resamples is None")
        self.margin = margin
        self.interval, self.alternative = interval, alternative
        self.seed, self.baseline = checked_seed(seed), baseline
        self.stages: list[int] = []
        self._progress = progress
        self._done = 0
        self.total = 0

    @property
    def one_sided(self) -> bool:
        """Whether tests only ask if the first system is better."""
        return self.alternative == "better"

    @property
    def randomizes(self) -> bool:
        """Whether tests use approximate randomization."""
        return self.test == "approximate-randomization"

    def choose_trials(self, tests: int) -> None:
        """Choose how many trials each of some tests has, if not given, and when they may stop."""
        from truebleu.significance import inference

        if not self.n_trials:
            self.n_trials = inference.enough_trials(tests, self.alpha)
            if self.n_trials > MOST_SAMPLES:
                raise SettingsError(
                    f"alpha {self.alpha!r} needs {self.n_trials:,} trials per test, more than the "
                    f"{MOST_SAMPLES:,} that are possible; choose a larger alpha, or n_trials"
                )
            self.stages = inference.stages(self.n_trials)
        self.stages = self.stages or [self.n_trials]

    def report(self, trials: int) -> None:
        """Add finished trials, and report progress."""
        self._done += trials
        if self._progress is not None:
            self._progress(self._done, self.total)

    def finish(self) -> None:
        """Report that everything is done: tests that have stopped early need no more trials."""
        if self._done < self.total:
            self.report(self.total - self._done)

    def signature_of(
        self, signature: str, units: Units, *, sampled: int, exact: int, **more: object
    ) -> str:
        """Add the parameters to a score's signature; tests were `sampled`, or `exact`."""
        from truebleu.significance import inference

        enough = inference.ENOUGH_EXTREME if self.stages[1:] else None
        fields = {
            **more,
            "ar": self.n_trials if sampled and self.randomizes else None,
            "bt": self.n_trials if sampled and not self.randomizes else None,
            "stop": enough if sampled else None,
            "exact": exact or None,
            "alpha": repr(self.alpha) if sampled or exact else None,
            "margin": None if self.margin is None else f"{self.margin:g}",
            "bs": self.n_resamples,
            "ci": f"{self.interval}-{self.confidence_level!r}" if self.n_resamples else None,
            "units": None if units.name == "segments" else units.signed,
            "strata": None if units.strata is None else max(units.strata) + 1,
            "family": self.family if self.family > 1 else None,
            "sided": "one" if self.one_sided else None,
            "seed": self.seed,
        }
        extra = "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)
        start, _, version = signature.rpartition("|")
        return f"{start}|{extra}|{version}"


def checked_seed(seed: int | None) -> int:
    """Check a seed; None gives a random one."""
    if seed is None:
        import secrets

        seed = secrets.randbits(32)
    number = whole_number(seed)
    if number is None or not 0 <= number < 2**64:
        raise SettingsError(
            f"seed is {written(seed)}; a whole number from 0 to 2**64 - 1 is needed"
        )
    return number


def between_0_and_1(parameter: str, value: object, example: str) -> float:
    """Return a number between 0 and 1, both excluded; an error shows the `example`."""
    number = real_number(value)
    if not 0 < number < 1:
        raise SettingsError(
            f"{parameter} is {written(value)}; a number between 0 and 1 is needed, such as "
            f"{example}"
        )
    return number


class Units:
    """The rows of all systems, one per unit: ``segments``, ``documents`` or ``blocks``.

    Blocks have a `length` in segments; `strata` are numbers, from 0, of what each unit is part of.
    """

    def __init__(
        self,
        tables: dict[str, Table],
        name: str,
        *,
        length: int = 0,
        strata: list[int] | None = None,
    ) -> None:
        """Keep the tables of the systems, at least two rows each."""
        self.tables = tables
        self.name = name
        self.strata = strata
        self.described, self.signed = name, name
        if length:
            self.described = f"blocks of {formatting.count(length, 'segment')}"
            self.signed = f"blocks-{length}"
        self.count = len(next(iter(tables.values())))
        if self.count < 2:
            raise InputError(
                f"cannot resample {formatting.count(self.count, name.removesuffix('s'))}; at "
                "least 2 are needed"
            )


def checked_progress(progress: Any) -> None:
    """Check that progress can be reported to this: a function, or None."""
    if progress is not None and not callable(progress):
        raise SettingsError(
            f"progress is {written(progress)}; a function of two numbers, done and total, is needed"
        )


def listed_labels(name: str, labels: Any) -> list[Hashable] | None:
    """Return the documents or strata of segments as a list, in which every NaN is the same one."""
    from numbers import Number

    if labels is None:
        return None
    if isinstance(labels, str) and labels == "auto":
        raise SettingsError(
            f"{name}='auto' is not known here; a list of IDs is needed, one per segment"
        )
    # A str is the IDs of its characters.
    from truebleu.inputs import arrow, sequences

    ids = [*labels] if isinstance(labels, str) else sequences.as_list(arrow.exact(labels), name)
    for index, each in enumerate(ids):
        try:
            hash(each)
        except TypeError:
            raise InputTypeError(
                f"{name}[{index}] is a {type(each).__name__}; an ID, such as a str, is needed"
            ) from None
        if isinstance(each, Number) and each != each:  # noqa: PLR0124  # NaN.
            ids[index] = _NAN
    return ids


def units_of(
    counted: Mapping[str, Stats],
    documents: Iterable[Hashable] | None,
    strata: Iterable[Hashable] | None = None,
) -> Units:
    """Return the rows of each segment, or their sums over each document, and their strata."""
    import numpy as np

    segments = len(next(iter(counted.values())))
    name = "segments"
    numbers = _numbered("documents", documents, segments)
    of_units = _numbered("strata", strata, segments)
    if numbers is not None:
        name = "documents"
        groups = np.array(numbers, np.int64)
        if of_units is not None:
            of_units = _strata_of_documents(numbers, of_units)
        counted = {
            system: stats.sums(groups, max(numbers, default=-1) + 1)
            for system, stats in counted.items()
        }
    tables = {system: stats.to_numpy() for system, stats in counted.items()}
    return Units(tables, name, strata=of_units)


def _numbered(name: str, labels: Any, segments: int) -> list[int] | None:
    """Return numbers of documents or strata, from 0 in the order in which they come."""
    listed = listed_labels(name, labels)
    if listed is None:
        return None
    if len(listed) != segments:
        raise LengthMismatchError(
            f"{name} has {formatting.count(len(listed), 'item')} for "
            f"{formatting.count(segments, 'segment')}; one per segment is needed"
        )
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in listed]


def _strata_of_documents(documents: list[int], strata: list[int]) -> list[int]:
    """Return the stratum of each document, which is that of all of its segments."""
    found: dict[int, int] = {}
    for segment, (document, stratum) in enumerate(zip(documents, strata, strict=True)):
        if found.setdefault(document, stratum) != stratum:
            raise InputError(
                f"segment {segment + 1:,} is in another stratum than the first segment of its "
                "document; each document must be in one stratum"
            )
    return list(found.values())


def documents_of(references: Any, documents: Any) -> tuple[Any, Any]:
    """Return the references and documents of a test set if ``documents="auto"`` asks for these."""
    if not (isinstance(documents, str) and documents == "auto"):
        check_indexes([("references", references), ("documents", documents)])
        return references, documents
    known = getattr(references, "documents", None)
    if known is None:
        raise SettingsError(
            "documents='auto' takes the documents of a test set: pass one that has some, as "
            "load_test_set returns it, as references"
        )
    return references.references, known


def blocks_of(metric: Metric, units: Units, pairs: Pairs, blocks: int | str) -> Units:
    """Put segments in a row together: as many as given, or as autocorrelations ask for."""
    import numpy as np

    from truebleu.significance.dependence import block_length
    from truebleu.significance.resampling import Resampler

    if units.name != "segments" or units.strata is not None:
        raise SettingsError(
            "blocks are made of segments: leave out documents and strata, or blocks"
        )
    if blocks == "auto":
        tables = list(units.tables.values())
        left_out = Resampler(tables, metric, 0, 1, lambda _: None).left_out()
        place = {name: index for index, name in enumerate(units.tables)}
        blocks = block_length(left_out, [(place[one], place[other]) for one, other in pairs])
    length = int(blocks)
    count = max(1, units.count // length)
    starts = np.arange(count) * units.count // count
    tables_of = {name: np.add.reduceat(each, starts) for name, each in units.tables.items()}
    return Units(tables_of, "blocks", length=length)


def scored_units(units: Units) -> Units:
    """Return the units that have a score: those whose rows are not all 0."""
    import numpy as np

    known = np.any([table.any(axis=1) for table in units.tables.values()], axis=0)
    tables = {system: table[known] for system, table in units.tables.items()}
    strata = units.strata
    if strata is not None:
        strata = [each for each, has_score in zip(strata, known, strict=True) if has_score]
    return Units(tables, units.name, strata=strata)
