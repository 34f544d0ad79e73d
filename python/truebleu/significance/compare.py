"""Which system is better, by how much, and whether that is statistically significant."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from types import MappingProxyType

from truebleu._core import SACREBLEU_SMOOTHINGS
from truebleu.display import formatting
from truebleu.errors import (
    FewUnitsWarning,
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    SettingsWarning,
    UnknownNameError,
    WarnOnce,
    warn,
)
from truebleu.inputs import checks
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.stats import BleuStats
from truebleu.metrics.threads import thread_count
from truebleu.significance import inference
from truebleu.significance.design import SEED, Grouped, Plan, grouped
from truebleu.significance.paired import as_it_should_be, as_sacrebleu_does
from truebleu.significance.results import ComparedSystem, Comparison, Interval, Pair

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics.settings import BleuSettings
    from truebleu.significance.design import Progress
    from truebleu.significance.paired import Found

# Fewer, and quantiles of bootstrap samples mean little.
_ENOUGH = 30


def compare(
    systems: Mapping[str, Any],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    test: str = "randomisation",
    trials: int | None = None,
    samples: int | None = 1_000,
    interval: str = "bca",
    level: float = 0.95,
    one_sided: bool = False,
    baseline: str | None = None,
    documents: Iterable[Hashable] | None = None,
    seed: int | None = SEED,
    legacy: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Bleu | None = None,
    **settings: Unpack[BleuSettings],
) -> Comparison:
    """Compare systems, and say which differences are statistically significant.

    Parameters
    ----------
    systems : mapping of str to iterable, or to BleuStats
        For each name the hypotheses, as :func:`truebleu.corpus_bleu` takes them; or the rows that
        were counted of them, and then there are no references here.
    references : iterable, optional
        As there: the references of each segment.
    reference_streams : iterable of iterables, optional
        Instead of `references`.
    test : {"randomisation", "bootstrap"}
        ``randomisation`` swaps what two systems have written, for each unit with a probability of
        one half, and counts how often the difference is as large as the real one, ties included.
        If at most 20 units differ, it counts all swaps there are. ``bootstrap`` counts how often
        samples of units differ from the real difference by as much as that is from 0.
    trials : int, optional
        Swaps, or samples, that each test makes. Default: 10,000, or 20 times the number of tests
        divided by 1 - `level` if that is more. With B trials no p-value is below 1 / (B + 1), and
        the correction for m tests multiplies the smallest by m.
    samples : int or None, default 1,000
        Of the bootstrap, for intervals. None: no intervals.
    interval : {"bca", "percentile"}
        Bias-corrected and accelerated, or plain quantiles.
    level : float, default 0.95
        Of the intervals; differences with a p-value below 1 - `level` are significant.
    one_sided : bool, default False
        Ask only whether the first of a pair is better than the second. The first is the one that
        comes first in `systems`, or that is not the baseline.
    baseline : str, optional
        Compare the others with this one only; else all with each other.
    documents : iterable, optional
        For each segment the document it belongs to. Whole documents are swapped and drawn then:
        segments of a document are alike, and to take them for independent makes too much of them.
    seed : int or None, default 12345
        From 0 on; None takes a new one, which the signature names.
    legacy : {"sacrebleu"}, optional
        Give the numbers of sacreBLEU 2.6.0 to the last bit, from the same random numbers. Its tests
        call identical systems different, see ``docs/differences.md``. All systems are compared with
        the baseline, the first one by default; intervals are symmetric and 95 %.
    threads : int, optional
        All processors by default. Results do not depend on it.
    progress : callable, optional
        Is told from time to time how many trials and samples have been done, and of how many.
    metric : Bleu, optional
        Score with this one; then there are no `settings`.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    Comparison

    Raises
    ------
    LengthMismatchError
        If systems, references or documents differ in length.
    InputError
        If there is only one unit, or no system.
    SettingsError
        If one of the numbers is out of range, or a name unknown.

    Warns
    -----
    FewUnitsWarning
        If there is too little data for an interval, or for any difference to be significant.
    SettingsWarning
        If there are too few trials for any difference to be significant.

    Examples
    --------
    >>> from truebleu import compare
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = references[:-1] + ["k l m n"], ["a b c d x", "f g h i j", "k l m x o"] * 40
    >>> comparison = compare({"good": good, "bad": bad}, references)
    >>> pair = comparison.pair("good", "bad")
    >>> round(pair.delta, 2), pair.p_value < 0.001
    (31.61, True)
    >>> comparison.clusters
    (('good',), ('bad',))
    """
    plan = Plan(
        test=test,
        trials=trials,
        samples=samples,
        interval=interval,
        level=level,
        one_sided=one_sided,
        seed=seed,
        legacy=legacy,
        baseline=baseline,
        progress=progress,
    )
    if metric is not None and settings:
        raise SettingsError(f"metric is given, and so is {', '.join(settings)}: give one of them")
    if not isinstance(metric, Bleu | None):
        raise SettingsError(f"metric is {metric!r}; a Bleu is needed")
    bleu = (metric or Bleu(**settings)).for_corpora
    if legacy and (bleu.smoothing not in SACREBLEU_SMOOTHINGS or bleu.weights):
        raise SettingsError(
            "sacreBLEU has the smoothings none, floor, add-k and exp, and uniform weights: "
            f"legacy={legacy!r} goes with no others"
        )
    with WarnOnce():
        counted = _counted(bleu, systems, references, reference_streams, threads)
    return _compare(bleu, counted, grouped(counted, documents), plan, thread_count(threads))


def confidence_interval(
    hypotheses: Any,
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    samples: int = 1_000,
    interval: str = "bca",
    level: float = 0.95,
    documents: Iterable[Hashable] | None = None,
    seed: int | None = SEED,
    legacy: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Bleu | None = None,
    **settings: Unpack[BleuSettings],
) -> Interval:
    """Return a confidence interval of the score of one system.

    It is about the score on the population of such segments, see
    :class:`truebleu.significance.results.Interval`.

    Parameters
    ----------
    hypotheses : iterable, or BleuStats
        As :func:`truebleu.corpus_bleu` takes them, or the rows that were counted of them.
    references, reference_streams
        As there.
    samples, interval, level, documents, seed, legacy, threads, progress, metric, **settings
        As in :func:`compare`.

    Returns
    -------
    Interval

    Raises
    ------
    LengthMismatchError, InputError, SettingsError
        As :func:`compare`.

    Warns
    -----
    FewUnitsWarning
        If there are fewer than 30 segments, or documents.

    Examples
    --------
    >>> from truebleu import confidence_interval
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> hypotheses = ["a b c d e", "f g h i j", "k l m x o"] * 40
    >>> print(confidence_interval(hypotheses, references))
    [73.28, 84.38]
    """
    found = compare(
        {"": hypotheses},
        references,
        reference_streams=reference_streams,
        test="bootstrap",
        samples=samples,
        interval=interval,
        level=level,
        documents=documents,
        seed=seed,
        legacy=legacy,
        threads=threads,
        progress=progress,
        metric=metric,
        **settings,
    )
    [system] = found.systems.values()
    if system.interval is None:
        raise SettingsError("an interval needs samples")
    return system.interval


def _counted(
    bleu: Bleu,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, BleuStats]:
    """Count the systems, or take what has been counted."""
    if not hasattr(systems, "items"):
        raise InputTypeError(
            f"systems is of type {type(systems).__name__}; a dict of names and hypotheses is needed"
        )
    if not systems:
        raise InputError("there is no system to compare")
    ready = [name for name, system in systems.items() if isinstance(system, BleuStats)]
    if ready and (references is not None or reference_streams is not None):
        raise InputTypeError(f"{ready[0]!r} has been counted already, so references are too many")
    if not ready and references is not None:
        # To be read several times.
        references = references if hasattr(references, "__len__") else list(references)
    elif not ready and reference_streams is not None:
        reference_streams = [list(stream) for stream in reference_streams]
    counted = {}
    for name, system in systems.items():
        if isinstance(system, BleuStats):
            counted[name] = system
            bleu.score(system)  # Refuses what was counted otherwise.
            continue
        hypotheses = system if hasattr(system, "__len__") else list(system)
        try:
            counted[name] = bleu.count(
                hypotheses,
                references,
                threads,
                streams=reference_streams,
                check=str(name) or checks.HYPOTHESES,
            )
        except LengthMismatchError as error:
            raise LengthMismatchError(f"{name}: {error}" if name else str(error)) from error
    lengths = {name: len(stats) for name, stats in counted.items()}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise LengthMismatchError(f"the systems differ in segments: {each}")
    return counted


def _compare(
    bleu: Bleu, counted: dict[str, BleuStats], units: Grouped, plan: Plan, threads: int
) -> Comparison:
    names = list(counted)
    if plan.baseline is not None and plan.baseline not in counted:
        raise UnknownNameError(
            f"there is no baseline {plan.baseline!r}; the systems are {', '.join(names)}"
        )
    baseline = names[0] if plan.legacy and plan.baseline is None else plan.baseline
    pairs = list(combinations(names, 2))
    if baseline is not None:
        pairs = [(name, baseline) for name in names if name != baseline]
    _warn_of_few(units)
    work = as_sacrebleu_does if plan.legacy else as_it_should_be
    plan.settle(len(pairs))
    found = work(bleu._engine, units, pairs, plan, threads)
    _warn_of_few_trials(found, plan)
    if not (plan.legacy or plan.test == "bootstrap"):
        _warn_of_small_gaps(pairs, found, units, plan)
    scores = {name: bleu.score(stats) for name, stats in counted.items()}
    p_values = [outcome.p_value for outcome in found.outcomes]
    adjusted = inference.holm(p_values)
    bounds = inference.bounded_by(p_values, [outcome.at_floor for outcome in found.outcomes])
    alpha = inference.alpha(plan.level)
    tested = tuple(
        Pair(
            one=one,
            other=other,
            delta=scores[one].score - scores[other].score,
            p_value=float(outcome.p_value),
            p_adjusted=float(p_adjusted),
            significant=p_adjusted < alpha,
            at_floor=outcome.at_floor,
            adjusted_at_floor=is_bound,
            interval=outcome.interval,
            exact=outcome.exact,
            trials=outcome.trials,
            differing=outcome.differing,
            detectable=outcome.detectable,
        )
        for (one, other), outcome, p_adjusted, is_bound in zip(
            pairs, found.outcomes, adjusted, bounds, strict=True
        )
    )
    systems = {
        name: ComparedSystem(name=name, score=score, interval=found.intervals.get(name))
        for name, score in scores.items()
    }
    return Comparison(
        systems=MappingProxyType(systems),
        pairs=tested,
        level=plan.level,
        test=plan.test,
        units=units.name,
        baseline=baseline,
        one_sided=plan.one_sided,
        signature=plan.signed(scores[names[0]].signature, units.name, tested=bool(pairs)),
    )


def _warn_of_few(units: Grouped) -> None:
    """Warn if quantiles of bootstrap samples mean little."""
    if units.count < _ENOUGH:
        warn(
            f"{units.count} {units.name} are too few for an interval to mean much",
            FewUnitsWarning,
        )


def _warn_of_small_gaps(
    pairs: list[tuple[str, str]], found: Found, units: Grouped, plan: Plan
) -> None:
    """Warn if a difference could not be significant, whatever it is."""
    for (one, other), outcome in zip(pairs, found.outcomes, strict=True):
        smallest = min(Fraction(1), Fraction(1 if plan.one_sided else 2, 2**outcome.differing))
        if outcome.differing > 0 and smallest >= inference.alpha(plan.level):
            warn(
                f"{one} and {other} differ in {outcome.differing} of {units.count:,} {units.name}, "
                f"so no p-value below {float(smallest):g} is possible",
                FewUnitsWarning,
            )


def _warn_of_few_trials(found: Found, plan: Plan) -> None:
    """Warn if the smallest p-value of so many trials is too large, whatever the difference."""
    tests, trials = len(found.outcomes), plan.trials
    sampled = any(not outcome.exact for outcome in found.outcomes)
    if sampled and inference.too_few(trials, tests, plan.level):
        floor = formatting.p_value(min(1.0, tests / (trials + 1)))
        alpha = float(inference.alpha(plan.level))
        needed = inference.fewest_trials(tests, plan.level)
        warn(
            f"{formatting.count(trials, 'trial')} {'is' if trials == 1 else 'are'} too few for "
            f"{formatting.count(tests, 'test')}: the smallest p-value they can give is {floor} "
            f"after Holm's correction, and a difference is significant below {alpha:g}; "
            f"at least {needed:,} are needed, and {inference.enough_trials(tests, plan.level):,} "
            "are advised",
            SettingsWarning,
        )
