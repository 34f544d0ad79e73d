"""Holm's correction of p-values for margins, and across metrics."""

from __future__ import annotations

from fractions import Fraction

from truebleu.significance import inference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.significance.paired import Outcome
    from truebleu.significance.results import Comparison


def of_margins(tests: list[Outcome]) -> list[dict[str, float]]:
    """Return the p-values of each pair for a margin, each adjusted for all pairs."""
    sides = [(each.p_not_worse, each.p_not_better) for each in tests]
    known = [(one, other) for one, other in sides if one is not None and other is not None]
    if not known:
        return [{} for _ in tests]
    of_all = {
        "p_not_worse": [one for one, _ in known],
        "p_not_better": [other for _, other in known],
        "p_equivalent": [max(each) for each in known],
    }
    adjusted = {name: inference.holm(each) for name, each in of_all.items()}
    return [
        {name: float(each[index]) for name, each in adjusted.items()} for index in range(len(known))
    ]


def across(comparisons: dict[str, Comparison]) -> dict[str, Comparison]:
    """Adjust p-values by Holm's method for the tests of all comparisons together."""
    pairs = [pair for comparison in comparisons.values() for pair in comparison.pairs]
    p_values = []
    for pair in pairs:
        # What it is rounded from: one of exactly alpha is not significant.
        share = Fraction(pair.p_value).limit_denominator(pair.n_trials + 1 - pair.exact)
        p_values.append(share if float(share) == pair.p_value else Fraction(pair.p_value))
    floors = inference.adjusted_floors(p_values, [pair.at_floor for pair in pairs])
    changes = iter(list(zip(inference.holm(p_values), floors, strict=True)))
    corrected = {}
    for name, comparison in comparisons.items():
        alpha = inference.exact(comparison.alpha)
        several = zip(comparison.pairs, changes, strict=False)
        changed = []
        for pair, (adjusted, at_floor) in several:
            significant, p = adjusted < alpha, float(adjusted)
            changed.append(
                pair.replace(p_adjusted=p, adjusted_at_floor=at_floor, significant=significant)
            )
        corrected[name] = comparison.replace(pairs=tuple(changed))
    return corrected
