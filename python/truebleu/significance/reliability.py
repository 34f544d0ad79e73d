"""Warnings of intervals and tests that the data cannot support."""

from __future__ import annotations

from fractions import Fraction

from truebleu.display import formatting
from truebleu.errors import SettingsWarning, SmallSampleWarning, warn
from truebleu.significance import inference

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.significance.design import Design, Units
    from truebleu.significance.paired import Outcomes

# With fewer units, or fewer in which two systems differ, intervals are unreliable.
_FEWEST_UNITS = 30

# With fewer effective units, intervals cover less than they say: a few segments decide.
_FEWEST_EFFECTIVE = 3

# Systems or pairs that a warning names.
_NAMED = 3


def warn_of_few_units(units: Units, design: Design, *, tested: bool) -> None:
    """Warn if there are too few units for reliable intervals."""
    if units.count < _FEWEST_UNITS:
        text = "intervals are unreliable"
        if tested and not design.randomizes:
            text = "intervals are unreliable, and bootstrap tests reject too often"
        warn(f"with only {units.count} {units.name}, {text}", SmallSampleWarning)


def warn_of_few_differing(
    pairs: Sequence[tuple[str, str]], outcomes: Outcomes, units: Units, design: Design
) -> None:
    """Warn of pairs that differ in too few units for a test or an interval."""
    few = []
    for (one, other), outcome in zip(pairs, outcomes.tests, strict=True):
        if not outcome.differing:
            continue
        smallest = min(Fraction(1), Fraction(1 if design.one_sided else 2, 2**outcome.differing))
        if design.randomizes and smallest >= inference.exact(design.alpha):
            warn(
                f"{one} and {other} differ in {outcome.differing} of {units.count:,} {units.name}, "
                f"so no p-value below {float(smallest):g} is possible",
                SmallSampleWarning,
            )
        elif outcome.interval is not None and outcome.differing < _FEWEST_UNITS <= units.count:
            few.append(f"{one} and {other} ({outcome.differing})")
    if few:
        warn(
            f"systems that differ in fewer than {_FEWEST_UNITS} of {units.count:,} {units.name}: "
            f"{_first(few)}; intervals of their differences are unreliable"
            + ("" if design.randomizes else ", and so are bootstrap tests"),
            SmallSampleWarning,
        )


def warn_of_influential(pairs: Sequence[tuple[str, str]], outcomes: Outcomes, units: Units) -> None:
    """Warn of scores and differences that vary mostly with few units."""
    if units.count < _FEWEST_UNITS:
        return
    few = [
        f"{name} ({effective:.0f})"
        for name, effective in outcomes.effective_units.items()
        if effective < _FEWEST_EFFECTIVE
    ]
    for (one, other), outcome in zip(pairs, outcomes.tests, strict=True):
        effective = outcome.effective_units
        if effective is not None and outcome.differing >= _FEWEST_UNITS:
            few += [f"{one} - {other} ({effective:.0f})"] * (effective < _FEWEST_EFFECTIVE)
    if few:
        warn(
            f"fewer than {_FEWEST_EFFECTIVE} of {units.count:,} {units.name} account for most of "
            f"the variance of these scores: {_first(few)}; their intervals are unreliable",
            SmallSampleWarning,
        )


def _first(names: list[str]) -> str:
    """List some names, and say how many more there are."""
    listed = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return f"{listed} and {more} more" if more > 0 else listed


def warn_of_few_trials(outcomes: Outcomes, design: Design) -> None:
    """Warn if there are too few trials for any difference to be significant."""
    tests, trials = len(outcomes.tests), design.n_trials
    sampled = any(not outcome.exact for outcome in outcomes.tests)
    if sampled and inference.too_few(trials, tests, design.alpha):
        floor = formatting.p_value(min(1.0, tests / (trials + 1)))
        alpha = float(inference.exact(design.alpha))
        needed = inference.fewest_trials(tests, design.alpha)
        warn(
            f"{formatting.count(trials, 'trial')} {'is' if trials == 1 else 'are'} too few for "
            f"{formatting.count(tests, 'test')}: the smallest possible Holm-adjusted p-value is "
            f"{floor}, not below alpha = {alpha:g}; use at least {needed:,} trials, preferably "
            f"{inference.enough_trials(tests, design.alpha):,}",
            SettingsWarning,
        )
