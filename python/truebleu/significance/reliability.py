"""Warnings of intervals and tests that the data cannot support."""

from __future__ import annotations

from fractions import Fraction

from truebleu.display import formatting
from truebleu.errors import SettingsWarning, SmallSampleWarning, warn
from truebleu.significance import inference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.significance.design import Design, Units
    from truebleu.significance.paired import Outcomes

# With fewer units, or fewer in which two systems differ, intervals are unreliable.
FEWEST_UNITS = 30

# With fewer effective units, intervals cover less than they say: a few segments decide.
_FEWEST_EFFECTIVE = 3

# Systems or pairs that a warning names.
_NAMED = 3

# With fewer documents, which are of unequal length, 95% intervals of scores cover less than that.
_FEWEST_DOCUMENTS = 60

COVERAGE_OF_DOCUMENTS = {15: 90, 30: 92, 40: 93}
"""What they cover, in percent, with so many documents of WMT24."""


def warn_of_checksums(unknown: Sequence[str], systems: int) -> None:
    """Warn that nothing shows that all systems were scored against the same references."""
    if unknown and systems > 1:
        names = ", ".join(unknown[:_NAMED]) + ", ..." * (len(unknown) > _NAMED)
        warn(
            f"there is no checksum of the references of {names}, so nothing shows that all systems "
            "were scored against the same ones: write the file with truebleu score, or with "
            "SavedStats(..., references=)",
            SettingsWarning,
        )


def warn_of_few_units(units: Units, design: Design, *, tested: bool) -> None:
    """Warn if there are too few units for reliable intervals."""
    bootstrapped = tested and not design.randomizes
    fewest = _FEWEST_DOCUMENTS if units.name == "documents" else FEWEST_UNITS
    if units.count >= fewest or not (design.n_resamples or bootstrapped):
        return
    text = f"with only {units.count} {units.name}, intervals are unreliable"
    if bootstrapped and units.count < FEWEST_UNITS:
        text += ", and bootstrap tests reject too often"
    known = [count for count in COVERAGE_OF_DOCUMENTS if count <= units.count]
    if units.name == "documents" and known:
        text += (
            f": with {known[-1]} documents of unequal length, 95% intervals of scores covered "
            f"{COVERAGE_OF_DOCUMENTS[known[-1]]}% in simulations"
        )
    warn(text, SmallSampleWarning)


def warn_of_pilot(units: Units, effective: float) -> None:
    """Warn if a pilot says little about the variance of a difference."""
    if units.count < FEWEST_UNITS or effective < _FEWEST_EFFECTIVE:
        warn(
            f"the pilot has {formatting.count(units.count, units.name.removesuffix('s'))}, and the "
            f"variance of the difference comes from about {effective:.0f} of them: the planned "
            "number is unreliable",
            SmallSampleWarning,
        )


def warn_of_few_differing(
    pairs: Sequence[tuple[str, str]], outcomes: Outcomes, units: Units, design: Design
) -> None:
    """Warn of pairs that differ in too few units for a test or an interval."""
    few, hopeless = [], 0
    for (one, other), outcome in zip(pairs, outcomes.tests, strict=True):
        if not outcome.differing:
            continue
        smallest = inference.smallest_exact(outcome.differing, one_sided=design.one_sided)
        if design.randomizes and smallest >= inference.exact(design.alpha):
            hopeless += 1
            if hopeless <= _NAMED:
                _warn_of_metric(
                    f"{one} and {other} differ in {outcome.differing} of {units.count:,} "
                    f"{units.name}, so no p-value below {float(smallest):g} is possible",
                    design,
                )
        elif outcome.interval is not None and outcome.differing < FEWEST_UNITS <= units.count:
            few.append(f"{one} - {other} ({outcome.differing})")
    if hopeless > _NAMED:
        _warn_of_metric(
            f"{hopeless - _NAMED} more pairs differ in so few {units.name} that no p-value below "
            f"alpha = {design.alpha!r} is possible",
            design,
        )
    if few:
        _warn_of_metric(
            f"systems that differ in fewer than {FEWEST_UNITS} of {units.count:,} {units.name}: "
            f"{_first(few)}; intervals of their differences are unreliable"
            + ("" if design.randomizes else ", and so are bootstrap tests"),
            design,
        )


def warn_of_influential(
    pairs: Sequence[tuple[str, str]], outcomes: Outcomes, units: Units, design: Design
) -> None:
    """Warn of scores and differences that vary with few units, or with none."""
    if units.count < FEWEST_UNITS:
        return
    scores = {name or "the score": k for name, k in outcomes.effective_units.items()}
    effective = dict(scores)
    for (one, other), outcome in zip(pairs, outcomes.tests, strict=True):
        if outcome.effective_units is not None and outcome.differing >= FEWEST_UNITS:
            effective[f"{one} - {other}"] = outcome.effective_units
    few = [f"{name} (about {k:.0f})" for name, k in effective.items() if 0 < k < _FEWEST_EFFECTIVE]
    if few:
        _warn_of_metric(
            f"few of {units.count:,} {units.name} account for most of the variance: "
            f"{_first(few)}; the intervals are unreliable",
            design,
        )
    constant = [name for name, k in effective.items() if not k]
    if constant:
        p_values = ", and so are the p-values" if constant[-1] not in scores else ""
        _warn_of_metric(
            f"whichever of {units.count:,} {units.name} is left out, these do not change: "
            f"{_first(constant)}; the intervals are unreliable{p_values}",
            design,
        )


def warn_of_dependence(outcomes: Outcomes, design: Design) -> None:
    """Warn if neighboring segments influence scores or differences alike."""
    found = outcomes.dependence
    if found is None:
        return
    wider = f"intervals of scores should be about {found.scores:.1f} times as wide"
    if outcomes.tests:
        wider += f", those of differences {found.differences:.1f} times, and p-values are too small"
    _warn_of_metric(
        f"segments depend on their neighbors (permutation test, p = {found.p_value:.3g}), but are "
        f"resampled as if they did not: {wider}; pass documents, or resample blocks ('auto')",
        design,
        SettingsWarning,
    )


def _warn_of_metric(
    text: str, design: Design, category: type[Warning] = SmallSampleWarning
) -> None:
    """Warn of what may hold under one of several metrics only."""
    warn(f"{design.label}: {text}" if design.label else text, category)


def _first(names: list[str]) -> str:
    """List some names, and say how many more there are."""
    listed = ", ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return f"{listed} and {more} more" if more > 0 else listed


def warn_of_few_trials(outcomes: Outcomes, design: Design) -> None:
    """Warn if there are too few trials for any sampled test to be significant."""
    tests, trials = outcomes.tests, design.n_trials
    # The smallest p-values that these trials allow; those of exact tests stay what they are.
    smallest = [each.p_value if each.exact else Fraction(1, trials + 1) for each in tests]
    adjusted = [design.family * each for each in inference.holm(smallest)]
    sampled = [p for p, each in zip(adjusted, tests, strict=True) if not each.exact]
    alpha = inference.exact(design.alpha)
    if not sampled or min(sampled) < alpha:
        return
    number = design.family * len(tests)
    needed = inference.fewest_trials(number, design.alpha)
    enough = inference.enough_trials(number, design.alpha)
    warn(
        f"{formatting.count(trials, 'trial')} {'is' if trials == 1 else 'are'} too few for "
        f"{formatting.count(number, 'test')}: the smallest possible Holm-adjusted p-value is "
        f"{formatting.p_value(float(min(sampled)))}, not below alpha = {design.alpha!r}; use at "
        f"least {needed:,} trials, preferably {enough:,}",
        SettingsWarning,
    )
