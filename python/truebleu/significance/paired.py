"""How chance is measured: as it should be, and as sacreBLEU does it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import mean as exact_mean

from truebleu._core import MOST_PERMUTED
from truebleu.errors import SettingsError
from truebleu.significance import inference
from truebleu.significance.resampling import Resampler
from truebleu.significance.results import Interval
from truebleu.significance.sacrebleu import SacrebleuSampler, mean_and_half_width

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from truebleu._core import Engine
    from truebleu.significance.design import Grouped, Plan
    from truebleu.significance.inference import Floats

# What two differences may differ by and still be a tie: roundings, on a scale of 100.
_TIE = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the trials say of a pair; see :class:`truebleu.significance.results.Pair`."""

    p_value: Fraction
    trials: int
    differing: int
    at_floor: bool = False
    exact: bool = False
    interval: Interval | None = None
    detectable: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What the trials say.

    Attributes
    ----------
    intervals : dict of str to Interval
        For each system, if samples were asked for.
    outcomes : list of Outcome
        For each pair.
    """

    intervals: dict[str, Interval]
    outcomes: list[Outcome]


def as_it_should_be(
    scorer: Engine, units: Grouped, pairs: list[tuple[str, str]], plan: Plan, threads: int
) -> Found:
    """Draw samples and swap units.

    Parameters
    ----------
    scorer : Engine
        Makes scores of rows.
    units : Grouped
    pairs : list of tuple of str
        To be tested.
    plan : Plan
    threads : int

    Returns
    -------
    Found
    """
    number = {name: index for index, name in enumerate(units.tables)}
    places = [(number[one], number[other]) for one, other in pairs]
    tables = list(units.tables.values())
    resampler = Resampler(tables, scorer, plan.seed, threads, plan.report)
    differing = [resampler.differing(*place) for place in places]
    randomise = plan.test == "randomisation"
    many = [place for place, count in zip(places, differing, strict=True) if count > MOST_PERMUTED]
    tested = [] if randomise else places
    samples = max(plan.samples or 0, plan.trials if tested else 0)
    plan.total = samples + (plan.trials if randomise and many else 0)
    observed = resampler.scores()
    drawn = _Drawn(resampler, plan, observed, tested, samples)
    swaps = {}
    if randomise and many:
        swaps = dict(zip(many, resampler.randomise(many, plan.trials), strict=True))
    outcomes = []
    for index, (place, count) in enumerate(zip(places, differing, strict=True)):
        exact = randomise and count <= MOST_PERMUTED
        trials, at_floor = plan.trials, False
        if exact:
            *counts, trials = resampler.permute(*place)
            p_value = Fraction(counts[plan.one_sided], trials)
        else:
            as_large = swaps[place][plan.one_sided] if randomise else drawn.as_large[index]
            # The observed difference is one of the possible ones, hence + 1.
            p_value, at_floor = Fraction(as_large + 1, trials + 1), not as_large
        interval = drawn.interval(place) if plan.samples else None
        detectable = None
        if interval is not None:
            detectable = inference.detectable(interval.error, plan.level, one_sided=plan.one_sided)
        outcomes.append(
            Outcome(
                p_value=p_value,
                trials=trials,
                differing=count,
                at_floor=at_floor,
                exact=exact,
                interval=interval,
                detectable=detectable,
            )
        )
    intervals = {}
    if plan.samples:
        intervals = {name: drawn.interval((index, None)) for name, index in number.items()}
    return Found(intervals, outcomes)


class _Drawn:
    """Bootstrap samples of all systems, and what they say.

    Intervals come from the first of the samples that tests come from, and only these are kept:
    tests of many systems need more of them than memory may hold.

    Attributes
    ----------
    as_large : list of int
        For each pair that is tested, how many samples are as far from the observed difference as
        that is from 0.
    """

    def __init__(
        self,
        resampler: Resampler,
        plan: Plan,
        observed: Floats,
        tested: list[tuple[int, int]],
        samples: int,
    ) -> None:
        import numpy as np

        self._observed = observed
        self._plan = plan
        self.as_large = [0] * len(tested)
        kept = [np.empty((len(observed), 0))]
        start, wanted = 0, plan.samples or 0
        for scores in resampler.bootstrap(samples):
            if start < wanted:
                kept.append(scores[:, : wanted - start].copy())
            if tested and start < plan.trials:
                self._count(scores[:, : plan.trials - start], tested)
            start += scores.shape[1]
        self._scores = np.concatenate(kept, axis=1)
        self._left_out = resampler.left_out() if wanted and plan.interval == "bca" else None

    def _count(self, scores: Floats, tested: list[tuple[int, int]]) -> None:
        """Count the samples that are at least as extreme as what was observed."""
        import numpy as np

        for index, place in enumerate(tested):
            observed = self._of(self._observed, place)
            gaps = self._of(scores, place) - observed
            if not self._plan.one_sided:
                gaps, observed = np.abs(gaps), np.abs(observed)
            self.as_large[index] += int(np.count_nonzero(gaps >= observed - _TIE))

    def interval(self, place: tuple[int, int | None]) -> Interval:
        """Return the interval of a system, or of a difference."""
        samples = self._of(self._scores, place)
        level = self._plan.level
        if self._left_out is None:
            ends = inference.percentile(samples, level)
        else:
            observed = float(self._of(self._observed, place))
            ends = inference.bca(samples, level, observed, self._of(self._left_out, place))
        return Interval.of(samples, ends, level, self._plan.interval)

    @staticmethod
    def _of(numbers: Floats, place: tuple[int, int | None]) -> Any:
        one, other = place
        return numbers[one] if other is None else numbers[one] - numbers[other]


def as_sacrebleu_does(
    scorer: Engine, units: Grouped, pairs: list[tuple[str, str]], plan: Plan, threads: int
) -> Found:
    """Draw what sacreBLEU draws; every pair has the same second system.

    Parameters and result are those of :func:`as_it_should_be`; it uses one thread.

    Raises
    ------
    SettingsError
        If the units are documents.
    """
    if units.name != "segments":
        raise SettingsError("legacy='sacrebleu' draws segments, not documents")
    tables, samples = units.tables, plan.samples
    sampler = SacrebleuSampler(scorer, plan.seed, plan.report)
    randomise = plan.test == "randomisation"
    plan.total = len(tables) * (samples or 0) + (plan.trials if randomise else 0) * len(pairs)
    baseline = pairs[0][1] if pairs else next(iter(tables))
    drawn: dict[str, Floats | None] = {}
    if samples:
        drawn[baseline] = sampler.bootstrap(tables[baseline], samples)
    outcomes = []
    for name, _ in pairs:
        own, theirs = tables[name], tables[baseline]
        if randomise:
            p_value, drawn[name] = sampler.paired_randomisation(theirs, own, plan.trials, samples)
        else:
            p_value, drawn[name] = sampler.paired_bootstrap(theirs, own, plan.trials)
        outcomes.append(
            Outcome(
                p_value=p_value,
                trials=plan.trials,
                differing=int((own != theirs).any(axis=1).sum()),
                at_floor=p_value == Fraction(1, plan.trials + 1),
            )
        )
    intervals = {}
    for name, found in drawn.items():
        if found is not None:
            mean, half = mean_and_half_width(found)
            if not pairs:
                # For one system it computes the mean without rounding.
                mean = exact_mean(found.tolist())
            ends = mean - half, mean + half
            interval = Interval.of(found, ends, plan.level, "sacrebleu")
            # To the last bit.
            intervals[name] = replace(interval, mean=mean, half_width=half)
    return Found(intervals, outcomes)
