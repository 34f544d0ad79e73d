"""What a page says of any two systems: their difference, its interval and test, and its parts."""

from __future__ import annotations

from itertools import combinations

from truebleu.analysis.decompose import decompose_comparable
from truebleu.display.formatting import p_value, percent
from truebleu.errors import SettingsError
from truebleu.reporting.chart_data import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.reporting.data import Gathered
    from truebleu.significance.pair import Pair
    from truebleu.significance.results import Comparison


def facts(data: Gathered) -> dict[str, Any] | None:
    """Return what the page says of each pair of systems, in the direction that was tested."""
    if len(data.names) < 2:
        return None
    comparison = data.comparison
    number = {name: place for place, name in enumerate(data.names)}
    pairs = () if comparison is None else comparison.pairs
    tested = {(number[pair.one], number[pair.other]): pair for pair in pairs}
    rows: list[dict[str, Any]] = []
    parts: list[str] = []
    for one, other in combinations(range(len(data.names)), 2):
        order = (other, one) if (other, one) in tested else (one, other)
        found = _parts(data, *order)
        names = found.pop("names")
        parts = parts or names
        rows.append({"systems": order, **_test(comparison, tested.get(order)), **found})
    return {
        "parts": parts,
        "rows": rows,
        "tests": len(pairs),
        "alpha": None if comparison is None else f"{comparison.alpha:g}",
        "confidence": None if comparison is None else percent(comparison.confidence_level),
        "oneSided": comparison is not None and comparison.alternative != "two-sided",
        "units": "segments" if comparison is None else comparison.units,
    }


def _test(comparison: Comparison | None, pair: Pair | None) -> dict[str, Any]:
    """Return what came out of a test; nothing if there was none."""
    if comparison is None or pair is None:
        return {}
    interval = pair.interval
    undecided = pair.adjusted_at_floor and not pair.significant
    return {
        # An end that is None is unbounded.
        "interval": None if interval is None else [known(interval.low), known(interval.high)],
        "p": p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor),
        "significant": pair.significant,
        "undecided": undecided,
        "why": comparison.reason_for(pair) if pair.only_uncorrected and not undecided else "",
        "differing": pair.differing,
        "detectable": pair.detectable,
        "detectableAdjusted": pair.detectable_adjusted,
    }


def _parts(data: Gathered, one: int, other: int) -> dict[str, Any]:
    """Return the parts of a difference; nothing of a metric that has none."""
    try:
        found = decompose_comparable(data.scores[one], data.scores[other])
    except SettingsError:
        return {"names": []}
    if found.reason is None:
        return {
            "names": [part.name for part in found.parts],
            "shares": [part.share for part in found.parts],
        }
    zero = next((each for each in (one, other) if data.scores[each].reason), one)
    return {
        "names": [part.name for part in found.parts],
        "undefined": [zero, data.scores[zero].reason],
    }
