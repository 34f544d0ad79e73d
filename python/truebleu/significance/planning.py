"""How large a test set must be to show a difference."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, copysign, exp, isfinite, sqrt
from statistics import NormalDist

import numpy as np

from truebleu.display import formatting
from truebleu.display.blocks import Block
from truebleu.display.shown import Shown
from truebleu.errors import InputError, LengthMismatchError, SettingsError, written, wrong_type
from truebleu.inputs.numbers import number_within, real_number, whole_number
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import number, one_of
from truebleu.metrics.stats import Stats
from truebleu.significance import inference, reliability
from truebleu.significance.design import ALTERNATIVES, POWER, SEED, between_0_and_1, units_of
from truebleu.significance.external import check_missing
from truebleu.significance.resampling import Resampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Literal

    from typing_extensions import Unpack

    from truebleu.display.blocks import Row
    from truebleu.metrics import BleuSettings, Metric, MetricName
    from truebleu.significance.inference import Floats

_NORMAL = NormalDist()

# Simulated test sets; fewer if the pilot has many units, and none of more units than the latter.
_SIMULATED, _FEWEST_SIMULATED, _DRAWN, _MOST_UNITS = 1_000, 200, 2**22, 10**9

# The share of pilots whose plan is below the range, and above it.
_TAIL = 0.1


class SampleSize(Shown):
    """How many segments a test set needs to show a difference; ``int()`` gives their number.

    >>> import truebleu
    >>> bleu, references = truebleu.Bleu(), ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> texts = ["a b c d e", "f g h i x"] * 60, ["a b c d x", "f g h i x"] * 60
    >>> truebleu.sample_size(*(bleu.stats(text, references) for text in texts), effect=10)
    <SampleSize: 13 segments (10-16)>

    Attributes
    ----------
    segments : int
        The number of segments, by the normal approximation. With documents, of segments in
        documents like those of the pilot.
    low, high : int
        The range that the uncertainty of the pilot implies: about one of ten pilots of this size
        would lead to fewer segments than `low`, and one to more than `high`.
    simulated_power : float or None
        The share of test sets of that size, drawn from the pilot and shifted to the effect, in
        which the difference was significant. None if they would have more than 10**9 units.
    effect, power, alpha, alternative, n_tests
        What was asked for.
    metric : str
        The name of the metric.
    """

    segments: int
    low: int
    high: int
    simulated_power: float | None
    effect: float
    power: float
    alpha: float
    alternative: str
    n_tests: int
    metric: str

    def __index__(self) -> int:
        return self.segments

    def power_of(self, segments: float, needed: int | None = None) -> float:
        """Return the power of so many segments by the normal approximation.

        `needed` is how many have the planned power; by default, as many as are planned.
        """
        whole = whole_number(segments)
        segments = number("segments", segments) if whole is None or whole < 0 else whole
        needed = self.segments if needed is None else number_within("needed", needed, 1)
        level = inference.exact(self.alpha) / self.n_tests
        one_sided = self.alternative == "better"
        errors = inference.needed_errors(level, self.power, one_sided=one_sided)
        bound = inference.critical_value(level, one_sided=one_sided)
        # A float has no more.
        share = min(Fraction(segments) / needed, Fraction(10**300))
        return _NORMAL.cdf(errors * sqrt(share) - bound)

    def blocks(self) -> list[Block]:
        """Return the block of the output, for any format."""
        tests = f" / {formatting.count(self.n_tests, 'test')}" if self.n_tests > 1 else ""
        line = (
            f"to detect a difference of {abs(self.effect):g} {self.metric} with a power of "
            f"{formatting.percent(self.power)}; {self.alternative}, alpha = {self.alpha!r}{tests}"
        )
        said = [
            ("segments", f"{self.segments:,}"),
            ("10-90% of pilots like this one", f"{self.low:,}-{self.high:,}"),
        ]
        if self.simulated_power is not None:
            said.append(("simulated power", formatting.percent(round(self.simulated_power, 2))))
        rows: list[Row] = [("", each) for each in said]
        return [Block("sample size", [line], ("what", "value"), rows)]

    def __repr__(self) -> str:
        return f"<SampleSize: {self.segments:,} segments ({self.low:,}-{self.high:,})>"


def sample_size(
    stats_a: Stats,
    stats_b: Stats,
    *,
    effect: float,
    power: float = POWER,
    alpha: float = 0.05,
    alternative: Literal["two-sided", "better"] = "two-sided",
    n_tests: int = 1,
    documents: Iterable[Hashable] | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> SampleSize:
    """Return the number of segments needed to detect a difference between two systems.

    How much the difference varies from segment to segment is estimated from a pilot test set. The
    result holds for test sets with similar segments and for systems that differ in a similar way;
    it does not depend on the difference observed in the pilot. It varies with the pilot, the more
    the smaller that is, and so does the power that is reached: in
    simulations of BLEU, test sets planned for a power of 80% reached 77 to 81% on average.

    Parameters
    ----------
    stats_a, stats_b : Stats
        The statistics of two systems for the segments of the pilot.
    effect : float
        The difference in corpus score to detect, on the scale of the metric.
    power : float, default 0.8
        The desired probability of detecting it.
    alpha : float, default 0.05
        The significance level.
    alternative : {"two-sided", "better"}, default "two-sided"
        As in :func:`truebleu.compare`.
    n_tests : int, default 1
        The number of tests that Holm's method will correct for: the test is planned at the
        strictest level, `alpha` / `n_tests`.
    documents : iterable, optional
        The ID of each segment's document, if whole documents will be resampled.
    metric : Metric or str, optional
        The metric of the statistics, or its name. Default: BLEU with the settings passed here.
    **settings
        The settings of :class:`truebleu.Bleu`; only allowed if `metric` is None.

    Returns
    -------
    SampleSize
        The number of segments with its uncertainty, and the power in simulated test sets.
        :func:`truebleu.plot` draws the power of more or fewer segments.

    Raises
    ------
    InputError
        If the difference of the systems does not vary, or there is only one segment or document.
    InputTypeError, LengthMismatchError, StatsMismatchError
        If `stats_a` or `stats_b` are no statistics, or not of the same segments and the metric.
    SettingsError, UnknownNameError
        If a number is out of range, or `alternative` is unknown.

    Warns
    -----
    SmallSampleWarning
        If the pilot is too small, or the variance of the difference comes from few segments.

    Examples
    --------
    >>> from truebleu import Bleu, sample_size
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> one, other = ["a b c d e", "f g h i x"] * 60, ["a b c d x", "f g h i x"] * 60
    >>> bleu = Bleu()
    >>> a, b = (bleu.stats(system, references) for system in (one, other))
    >>> sample_size(a, b, effect=10.0)
    <SampleSize: 13 segments (10-16)>
    """
    chosen = metric_of(metric, settings)
    one_of(ALTERNATIVES)("alternative", alternative)
    difference = _checked_effect(effect)
    tests = number_within("n_tests", n_tests, 1)
    level = inference.exact(between_0_and_1("alpha", alpha, "0.05")) / tests
    if not float(level):
        raise SettingsError(
            f"alpha / n_tests is {alpha!r} / {written(tests)}, too small for a number"
        )
    power = between_0_and_1("power", power, "0.8")
    for name, stats in (("stats_a", stats_a), ("stats_b", stats_b)):
        if not isinstance(stats, Stats):
            needed = f"statistics are needed, such as those of {type(chosen).__name__}().stats"
            raise wrong_type(name, stats, needed)
        chosen.score(stats)  # Raises StatsMismatchError for other settings.
    if len(stats_a) != len(stats_b):
        raise LengthMismatchError(
            f"stats_a has {len(stats_a):,} rows and stats_b has {len(stats_b):,}; the same "
            "segments are needed"
        )
    if chosen._is_average:
        check_missing(chosen.name, {"stats_a": stats_a, "stats_b": stats_b})
    units = units_of({"a": stats_a, "b": stats_b}, documents)
    tables = list(units.tables.values())
    resampler = Resampler(tables, chosen, 0, 1, lambda _: None)
    one, other = resampler.left_out()
    effective = inference.effective_units(one, other)
    if not effective:
        raise InputError(
            "whichever segment or document is left out, the difference of the two systems does not "
            "change, so the variance cannot be estimated"
        )
    influence = one - other
    influence -= influence.mean()
    # The jackknife's standard error of the difference on one unit.
    spread = sqrt((units.count - 1) * float((influence**2).sum()))
    reliability.warn_of_pilot(units, effective)
    errors = inference.needed_errors(level, power, one_sided=alternative == "better")
    needed = Fraction(errors * spread) / Fraction(difference)
    planned = needed**2 * len(stats_a) / units.count
    # The variance of a variance of n values is that of the fourth moment.
    spread_of_plans = sqrt(max(0.0, 1 / effective - 1 / units.count))
    factor = exp(-_NORMAL.inv_cdf(_TAIL) * spread_of_plans)
    segments = max(2, ceil(planned))
    drawn = max(2, segments * units.count // len(stats_a))
    bound = inference.critical_value(level, one_sided=alternative == "better")
    return SampleSize(
        segments=segments,
        low=max(2, ceil(planned / Fraction(factor))),
        high=max(2, ceil(planned * Fraction(factor))),
        simulated_power=_simulated_power(resampler, influence, drawn, difference, bound),
        effect=difference,
        power=power,
        alpha=alpha,
        alternative=alternative,
        n_tests=tests,
        metric=chosen.name,
    )


def _simulated_power(
    resampler: Resampler, influence: Floats, size: int, effect: float, bound: float
) -> float | None:
    """Return how often test sets of so many units, drawn from the pilot, show the effect."""
    if size > _MOST_UNITS:
        return None
    count = len(influence)
    random = np.random.default_rng(SEED)
    repeats = min(_SIMULATED, max(_FEWEST_SIMULATED, _DRAWN // count))
    observed = np.subtract(*resampler.scores())
    found = 0
    for start in range(0, repeats, _FEWEST_SIMULATED):
        several = min(_FEWEST_SIMULATED, repeats - start)
        drawn = random.multinomial(size, np.full(count, 1 / count), several)
        first, second = resampler.weighted(drawn)
        # The difference is shifted to the effect; the error is that of the units that are drawn.
        ahead = copysign(1, effect) * (first - second - observed) + abs(effect)
        squares = drawn @ influence**2 - (drawn @ influence) ** 2 / size
        errors = np.sqrt(squares / size / (size - 1)) * count
        found += int(np.count_nonzero(ahead > bound * errors))
    return found / repeats


def _checked_effect(effect: object) -> float:
    """Return a difference that a test set can be planned for."""
    difference = real_number(effect)
    if not isfinite(difference):
        raise SettingsError(f"effect is {written(effect)}; a number is needed")
    if not difference:
        raise SettingsError("effect is 0; no number of segments shows that")
    return difference
