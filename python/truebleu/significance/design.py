"""What is resampled, and how often, for intervals and tests."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import (
    InputError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
)
from truebleu.metrics.threads import whole_number
from truebleu.significance import inference

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.metrics.stats import BleuStats

    Table = NDArray[np.int64]
    Progress = Callable[[int, int], None]

TESTS = ("randomisation", "bootstrap")
INTERVALS = ("bca", "percentile")
LEGACIES = ("sacrebleu",)

# sacreBLEU's; any other would do as well.
SEED = 12345

_LEGACY_TRIALS = 10_000


class Plan:
    """What is to be done, checked; see :func:`truebleu.compare`.

    Attributes
    ----------
    trials : int
        Of each test; not before :meth:`settle`.

    Raises
    ------
    SettingsError
        If one of the numbers is out of range, a name unknown, or two settings are at odds.
    """

    def __init__(
        self,
        *,
        samples: int | None,
        interval: str,
        level: float,
        seed: int | None,
        legacy: str | None,
        progress: Progress | None,
        test: str,
        trials: int | None,
        one_sided: bool,
        baseline: str | None,
    ) -> None:
        """Refuse what makes no sense."""
        for what, name, known in (
            ("test", test, TESTS),
            ("interval", interval, INTERVALS),
            ("legacy", legacy, (None, *LEGACIES)),
        ):
            if name not in known:
                choices = ", ".join(map(str, known))
                raise UnknownNameError(f"unknown {what} {name!r}; choose one of {choices}")
        trials, samples = (
            None if number is None else _positive(what, number)
            for what, number in (("trials", trials), ("samples", samples))
        )
        if progress is not None and not callable(progress):
            raise SettingsError(
                f"progress is {progress!r}; a function of two numbers, done and total, is needed"
            )
        if legacy and samples is None and test == "bootstrap":
            raise SettingsError(f"the test 'bootstrap' of legacy={legacy!r} needs samples")
        if not (isinstance(level, float) and 0 < level < 1):
            raise SettingsError(
                f"level is {level!r}; a number between 0 and 1 is needed, such as 0.95"
            )
        if legacy and (one_sided or level != 0.95 or interval != "bca"):
            raise SettingsError(
                f"legacy={legacy!r} has two-sided tests and one kind of 95 % interval, so "
                "one_sided, level and interval cannot be chosen"
            )
        if seed is None:
            import secrets

            seed = secrets.randbits(32)
        start = whole_number(seed)
        if start is None or not 0 <= start < 2**64:
            raise SettingsError(f"seed is {seed!r}; a whole number from 0 to 2**64 - 1 is needed")
        self.test, self.trials, self.samples = test, trials or 0, samples
        self.interval, self.level, self.one_sided = interval, float(level), one_sided
        self.seed, self.legacy, self.baseline = start, legacy, baseline
        self._progress = progress
        self._done = 0
        self.total = 0

    def settle(self, tests: int) -> None:
        """Choose the number of trials for so many tests, if it was not given."""
        if self.legacy and self.test == "bootstrap":
            self.trials = self.samples or 0
        elif self.legacy:
            self.trials = self.trials or _LEGACY_TRIALS
        elif not self.trials:
            self.trials = inference.enough_trials(tests, self.level)

    def report(self, trials: int) -> None:
        """Pass on how far the work is."""
        self._done += trials
        if self._progress is not None:
            self._progress(self._done, self.total)

    def signed(self, signature: str, units: str, *, tested: bool) -> str:
        """Add to the signature of a score what else the numbers depend on."""
        kind = "sacrebleu" if self.legacy else f"{self.interval}-{self.level!r}"
        fields = {
            "ar": self.trials if tested and self.test == "randomisation" else None,
            "bt": self.trials if tested and self.test == "bootstrap" and not self.legacy else None,
            "bs": self.samples,
            "ci": kind if self.samples else None,
            "units": None if units == "segments" else units,
            "sided": "one" if self.one_sided else None,
            "seed": self.seed,
        }
        own = "|".join(f"{key}:{value}" for key, value in fields.items() if value is not None)
        start, _, version = signature.rpartition("|")
        return f"{start}|{own}|{version}"


def _positive(what: str, given: object) -> int:
    number = whole_number(given)
    if number is None or number < 1:
        raise SettingsError(f"{what} is {given!r}; a whole number from 1 up is needed")
    return number


class Grouped:
    """The rows of all systems by unit: a segment, or a document.

    Attributes
    ----------
    tables : dict of ndarray of int64, shape (units, width)
    name : str
        ``segments`` or ``documents``.
    count : int
    """

    def __init__(self, tables: dict[str, Table], name: str) -> None:
        """Keep the tables, which are equally long."""
        self.tables = tables
        self.name = name
        self.count = len(next(iter(tables.values())))


def grouped(counted: dict[str, BleuStats], documents: Iterable[Hashable] | None) -> Grouped:
    """Return the rows of segments, or of documents.

    Raises
    ------
    LengthMismatchError
        If not every segment has a document.
    InputError
        If there is only one unit.
    """
    import numpy as np

    segments = len(next(iter(counted.values())))
    units = "segments"
    if documents is not None:
        units = "documents"
        numbers: dict[Hashable, int] = {}
        own = [numbers.setdefault(name, len(numbers)) for name in documents]
        if len(own) != segments:
            raise LengthMismatchError(
                f"there are documents for {len(own):,} of {formatting.count(segments, 'segment')}"
            )
        counted = {
            name: stats.sums(np.array(own, np.int64), len(numbers))
            for name, stats in counted.items()
        }
    tables = {name: stats.to_numpy() for name, stats in counted.items()}
    count = len(next(iter(tables.values())))
    if count < 2:
        raise InputError(
            f"{count} {units.removesuffix('s')} says nothing about chance: at least 2 {units} are "
            "needed"
        )
    return Grouped(tables, units)
