"""From the statistics of systems to their comparisons: one choice of units, one family of tests."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import contextmanager
from itertools import combinations
from math import exp, isfinite
from types import MappingProxyType
from typing import NamedTuple

from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    TruebleuError,
    UnknownNameError,
    written,
)
from truebleu.inputs import frames, sequences
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import METRICS
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_joining import refuse_unrelated
from truebleu.significance import inference, notes
from truebleu.significance.external import check_missing
from truebleu.significance.notes import Notes
from truebleu.significance.pair import ComparedSystem, Pair
from truebleu.significance.paired import resample
from truebleu.significance.resampling import Resampler, Steps
from truebleu.significance.results import Comparison
from truebleu.significance.units import chosen_units
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.metrics import Metric, Score
    from truebleu.significance.design import Design
    from truebleu.significance.paired import Outcomes
    from truebleu.significance.units import Counted, Table, Units, UnitsGiven


class Unconcluded(NamedTuple):
    """What was measured of systems, whose p-values wait for the other tests of the call.

    `label` is the metric, or the test set, that notes name; `signed` are fields of the signature.
    """

    scores: Mapping[str, Score]
    pairs: Sequence[tuple[str, str]]
    outcomes: Outcomes
    units: Units
    label: str = ""
    test: str = "approximate-randomization"
    signed: Mapping[str, object] = MappingProxyType({})


def compare_counted(
    metrics: Mapping[str, Metric],
    counted: Counted,
    known: Iterable[Hashable] | None,
    design: Design,
    threads: int,
    said: Notes,
) -> dict[str, Comparison]:
    """Compare systems by their statistics under each metric; documents may be `known`."""
    names = list(next(iter(counted.values())))
    pairs = pairs_of(names, design.baseline)
    for name, metric in metrics.items():
        if metric._is_average:
            check_missing(metric.name, counted[name])
    scores = {name: finite_scores(metric, counted[name]) for name, metric in metrics.items()}
    units = chosen_units(design.units, known, metrics, counted)
    notes.add_units(said, units, design, tested=bool(pairs))
    design.plan(len(metrics) * len(pairs))
    steps = Steps(len(metrics))
    found = []
    for name, metric in metrics.items():
        tables = units.of(metric, counted[name])
        resampler = Resampler([*tables.values()], metric, design.seed, threads, steps.add)
        outcomes = resample(
            resampler, names, pairs, design, steps, in_order=units.name == "segments"
        )
        found.append(Unconcluded(scores[name], pairs, outcomes, units, name))
    return dict(zip(metrics, concluded(found, design, said), strict=True))


@contextmanager
def named(name: str) -> Iterator[None]:
    """Let errors begin with the name of a test set, or of a corpus."""
    try:
        yield
    except TruebleuError as error:
        raise type(error)(f"{name}: {error}" if name else str(error)) from error


def resampled(
    metric: Metric,
    counted: Mapping[str, Stats],
    units: UnitsGiven,
    known: Iterable[Hashable] | None,
    said: Notes,
    design: Design,
    label: str = "",
    *,
    tested: bool,
) -> tuple[dict[str, Score], Units, list[Table]]:
    """Score systems under one metric, choose their units, and sum the rows of these."""
    with named(label):
        scores = finite_scores(metric, counted)
        chosen = chosen_units(units, known, {label: metric}, {label: counted})
        tables = [*chosen.of(metric, counted).values()]
    notes.add_units(said, chosen, design, label, tested=tested)
    return scores, chosen, tables


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    """Return the pairs of systems to test: all, or those with the baseline."""
    if baseline is None:
        return list(combinations(names, 2))
    if not (isinstance(baseline, Hashable) and baseline in names):
        raise UnknownNameError(
            f"there is no baseline {written(baseline)}; the systems are {', '.join(names)}"
            f"{did_you_mean(baseline, names)}"
        )
    return [(name, baseline) for name in names if name != baseline]


def concluded(found: Sequence[Unconcluded], design: Design, said: Notes) -> list[Comparison]:
    """Correct the p-values of all tests of a call together, and add the notes on each result."""
    tests = [outcome for each in found for outcome in each.outcomes.tests]
    p_values = [outcome.p_value for outcome in tests]
    floors = inference.adjusted_floors(p_values, [outcome.at_floor for outcome in tests])
    smallest = [outcome.smallest for outcome in tests]
    decidable = inference.decidable(p_values, smallest, design.alpha)
    margins = _of_margins(tests)
    alpha = inference.exact(design.alpha)
    # Adjusted: p, whether it is at its floor, could be decided, and p of statements on the margin.
    adjusted = iter(zip(inference.holm(p_values), floors, decidable, margins, strict=True))
    notes.add_dependence(said, {each.label: each.outcomes for each in found})
    comparisons = []
    for each in found:
        metric = next(iter(each.scores.values())).metric
        pairs = []
        for (one, other), outcome in zip(each.pairs, each.outcomes.tests, strict=True):
            p_adjusted, is_floor, is_decidable, of_margin = next(adjusted)
            delta = each.scores[one].score - each.scores[other].score
            significant = p_adjusted < alpha
            pairs.append(
                Pair(
                    one=one,
                    other=other,
                    delta=delta,
                    p_value=float(outcome.p_value),
                    p_adjusted=float(p_adjusted),
                    significant=significant,
                    # Outputs that are the same need no test.
                    undecided=not (significant or is_decidable) and outcome.differing > 0,
                    at_floor=outcome.at_floor,
                    adjusted_at_floor=is_floor,
                    interval=outcome.interval,
                    exact=outcome.exact,
                    n_trials=outcome.n_trials,
                    differing=outcome.differing,
                    human_agreement=human_agreement(metric, delta),
                    between_runs=outcome.between_runs,
                    **_detectable(outcome, design),
                    **of_margin,
                )
            )
        comparisons.append(_comparison(each, tuple(pairs), design, said))
    return comparisons


def _comparison(
    found: Unconcluded, pairs: tuple[Pair, ...], design: Design, said: Notes
) -> Comparison:
    units, outcomes = found.units, found.outcomes
    notes.add_outcomes(said, outcomes, found.pairs, units, found.label)
    systems = {
        name: ComparedSystem(
            name=name,
            score=score,
            interval=outcomes.intervals.get(name),
            between_runs=outcomes.between_runs.get(name),
        )
        for name, score in found.scores.items()
    }
    exact = sum(pair.exact for pair in pairs)
    is_paired = found.test != "welch"
    notes.add_pairs(said, pairs, units, design.alpha, found.label, is_paired=is_paired)
    return Comparison(
        systems=MappingProxyType(systems),
        pairs=pairs,
        alpha=design.alpha,
        margin=design.margin,
        n_tests=design.n_tests,
        test=found.test,
        units=units.described,
        notes=said.of(found.label),
        baseline=design.baseline,
        signature=design.signature_of(
            next(iter(found.scores.values())).signature,
            units,
            sampled=0 if found.test in ("t", "welch") else len(pairs) - exact,
            exact=exact,
            **found.signed,
        ),
    )


def _of_margins(tests: Sequence[Any]) -> list[dict[str, float]]:
    """Return the p-values of each test for a margin, each adjusted for all tests."""
    if not tests or tests[0].p_not_worse is None:
        return [{} for _ in tests]
    sides = [(each.p_not_worse, each.p_not_better) for each in tests]
    of_all = {
        "p_not_worse": [one for one, _ in sides],
        "p_not_better": [other for _, other in sides],
        "p_equivalent": [max(each) for each in sides],
    }
    adjusted = {name: inference.holm(each) for name, each in of_all.items()}
    return [
        {name: float(each[index]) for name, each in adjusted.items()} for index in range(len(sides))
    ]


def _detectable(outcome: Any, design: Design) -> dict[str, float | None]:
    """Return the differences that this test would detect: alone, and as the strictest of all."""
    level = inference.exact(design.alpha)
    levels = {"detectable": level, "detectable_adjusted": level / max(1, design.n_tests)}
    interval = outcome.interval
    return {
        name: interval.error * inference.needed_errors(each)
        if interval is not None and interval.error and outcome.smallest < each
        else None
        for name, each in levels.items()
    }


def human_agreement(metric: Metric, difference: float) -> float | None:
    """Return the share of pairs with this difference, from 0.5 to 1, that people order alike.

    Source: Kocmi, Zouhar, Federmann and Post (2024), *Navigating the Metrics Maze: Reconciling
    Score Magnitudes and Accuracies*. It is a / (1 + exp(-b x)), with the numbers of their tool,
    mt-thresholds, which are of metrics with default settings.
    """
    if metric == METRICS["bleu"](effective_order=False):
        a, b = 88.33333333333225 / 100, 0.9663926931178954
    elif metric == METRICS["chrf"]():
        a, b = 92.999999999972 / 100, 1.1142732157139852
    else:
        return None
    # Scores that are equal order nothing.
    return max(0.5, a / (1 + exp(-b * abs(difference)))) if difference else None


def count_systems(
    metric: Metric,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Stats]:
    """Count the segments of each system, except of those that are passed as statistics."""
    systems = sequences.systems_of(systems)
    if not systems:
        raise InputError("there is no system to compare")
    for name in systems:
        sequences.check_name(name, "system")
    frames.check_indexes(systems.items())
    precounted = [name for name, system in systems.items() if isinstance(system, Stats)]
    if precounted and (references is not None or reference_streams is not None):
        raise InputTypeError(
            f"{precounted[0]!r} is {type(systems[precounted[0]]).__name__} already; do not pass "
            "references with it"
        )
    if not precounted and references is not None:
        # References are read once per system.
        references = sequences.reusable(references, "references")
    elif not precounted and reference_streams is not None:
        reference_streams = sequences.reusable_streams(reference_streams)
    texts = {name: each for name, each in systems.items() if name not in precounted}
    found = {}
    if texts:
        names = [name or HYPOTHESES for name in texts]
        corpora = Corpora([*texts.values()], references, reference_streams, threads, names=names)
        found = dict(zip(texts, metric._count(corpora, each=True), strict=True))
    for name in precounted:
        found[name] = systems[name]
        metric.score(found[name])  # Raises StatsMismatchError for other settings.
    counted = {name: found[name] for name in systems}
    lengths = {name: len(stats) for name, stats in counted.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise LengthMismatchError(f"the systems differ in the number of segments: {listed}")
    if precounted:
        refuse_unrelated(counted)
    return counted


def finite_scores(metric: Metric, counted: Mapping[str, Stats]) -> dict[str, Score]:
    """Score systems; raise InputError with the name of one whose score is not finite."""
    scores = {name: metric.score(stats) for name, stats in counted.items()}
    for name, score in scores.items():
        if not isfinite(score.score):
            raise InputError(
                f"the {score.metric.name} of {name} is {score.score}, which cannot be compared"
            )
    return scores
