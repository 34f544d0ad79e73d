"""The function ``meta_evaluate``: measures of all metrics, their intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType

import numpy as np

from truebleu.display.formatting import count
from truebleu.errors import InputError, InputTypeError, SettingsError, SmallSampleWarning, warn
from truebleu.inputs.numbers import number_within, thread_count
from truebleu.inputs.sequences import reusable, systems_of
from truebleu.meta_evaluation import legacy as original
from truebleu.meta_evaluation.judged import (
    Outputs,
    Scores,
    check_complete,
    gold_scores,
    system_table,
    table,
)
from truebleu.meta_evaluation.measures import DEFAULT, measures_of
from truebleu.meta_evaluation.results import MeasuredMetric, MetaEvaluation, MetricPair, Ranking
from truebleu.metrics.registry import metrics_of
from truebleu.significance import inference
from truebleu.significance.comparisons import count_systems
from truebleu.significance.design import (
    ALTERNATIVES,
    SEED,
    between_0_and_1,
    checked_seed,
    listed_labels,
)
from truebleu.significance.external import lower_names, refuse_taken
from truebleu.significance.ranks import clusters_of
from truebleu.significance.reliability import FEWEST_UNITS
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats
    from truebleu.meta_evaluation.measures import Measure
    from truebleu.metrics.metric import Metric

# With so few, all swaps are enumerated.
_FEW_OUTPUTS, _FEW_SEGMENTS = 12, 14

# Samples are in memory together.
_MOST_SAMPLES, _MOST_TRIALS = 10_000, 1_000_000

# Numbers of random swaps that are in memory at once.
_AT_ONCE = 1 << 20


def meta_evaluate(
    gold: Mapping[str, Iterable[float | None]],
    systems: Any = None,
    references: Any = None,
    *,
    reference_streams: Any = None,
    metrics: Iterable[Metric | str] | None = None,
    scores: Mapping[str, Mapping[str, Iterable[float | None]]] | None = None,
    lower_is_better: Iterable[str] = (),
    system_gold: Mapping[str, float] | None = None,
    system_scores: Mapping[str, Mapping[str, float]] | None = None,
    measures: Sequence[str] | str = DEFAULT,
    documents: Sequence[Hashable] | None = None,
    n_resamples: int | None = 1000,
    n_trials: int | None = 1000,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    seed: int | None = SEED,
    legacy: str | None = None,
    threads: int | None = None,
) -> MetaEvaluation:
    """Measure how well metrics agree with people, and test which metric agrees better.

    Parameters
    ----------
    gold : dict of str to list of float or None
        For each system one score per segment, such as MQM or ESA; None where it was not judged.
        Higher is better.
    systems, references, reference_streams
        The outputs and references, as :func:`truebleu.compare` takes them, for `metrics`.
    metrics : list of Metric or str, optional
        Metrics that are computed here. The scores of systems are corpus scores.
    scores : dict of str to dict, optional
        For the name of each other metric, the scores of each system, one per segment. The scores of
        systems are their averages.
    lower_is_better : list of str, optional
        Those of `scores` of which lower is better.
    system_gold : dict of str to float, optional
        The gold score of each system, if it is not the average of its segments.
    system_scores : dict of str to dict, optional
        For some of `scores`, the score of each system, likewise. There are no intervals of what is
        computed from these.
    measures : list of str, optional
        ``pairwise-accuracy``, ``spa`` and ``system-pearson`` are about systems; ``acc``,
        ``acc-eq``, ``pearson`` and ``kendall`` about outputs, averaged over groups after a colon:
        ``:none``, ``:item`` (segments) or ``:system``; ``pearson-of-differences`` about the
        differences between the outputs for a segment.
    documents : sequence of labels, optional
        One per segment; documents are resampled instead of segments.
    n_resamples : int, optional
        Bootstrap samples for intervals; None for no intervals.
    n_trials : int, optional
        Random swaps for tests between metrics; None for no tests.
    alternative : {'two-sided', 'better'}, optional
        Whether a test asks if two metrics differ, or if the first is better.
    alpha : float, optional
        The significance level; intervals have the confidence level 1 - alpha.
    seed, threads : int, optional
        As in :func:`truebleu.compare`.
    legacy : {'mt-metrics-eval'}, optional
        Compute values, p-values and ranks as mt-metrics-eval does: one-sided, without adjustment.
        Intervals are those of this package.

    Returns
    -------
    MetaEvaluation

    Warns
    -----
    SmallSampleWarning
        With fewer than 30 segments or documents, intervals are unreliable.

    Raises
    ------
    InputError, InputTypeError, LengthMismatchError, UnknownNameError, SettingsError
        The message says what is wrong where, and what is needed instead.

    Notes
    -----
    Tests are PERM-BOTH of Deutsch, Dror and Roth (2021): scores are standardized, and those of two
    metrics change places for each output with probability one half; at the level of systems, for
    each system. P-values are adjusted by Holm's method for all pairs of metrics, by measure.

    ``acc-eq`` is the accuracy of Deutsch, Foster and Freitag (2023) at the best threshold for ties,
    also in samples and after swaps. ``spa`` is soft pairwise accuracy (Thompson et al. 2024).

    Examples
    --------
    >>> from truebleu import meta_evaluate
    >>> gold = {"A": [0, -1, -5, 0], "B": [-1, -1, -6, -5], "C": [-5, -2, -6, -1]}
    >>> of_x = {"A": [0.9, 0.8, 0.5, 0.9], "B": [0.8, 0.8, 0.4, 0.6], "C": [0.6, 0.7, 0.4, 0.8]}
    >>> found = meta_evaluate(gold, scores={"X": of_x}, measures="acc-eq", n_resamples=None)
    >>> found["acc-eq"]["X"].value
    1.0
    """
    if not isinstance(alternative, str) or alternative not in ALTERNATIVES:
        raise unknown_name("alternative", alternative, ALTERNATIVES)
    chosen = measures_of(measures)
    listed = gold_scores(gold)
    names = list(listed)
    segments = len(listed[names[0]])
    of_systems = None if system_gold is None else system_table("system_gold", system_gold, names)
    outputs = Outputs(table("gold", listed, names, segments), of_systems)
    if not outputs.known.any():
        raise InputError("gold has no score")
    of_metrics = _computed(outputs, names, metrics, systems, references, reference_streams, threads)
    lower = lower_names({} if scores is None else scores, lower_is_better)
    refuse_taken({} if scores is None else scores, of_metrics)
    of_metrics |= _given(
        scores or {}, lower, {} if system_scores is None else system_scores, names, segments
    )
    if not of_metrics:
        raise SettingsError(
            "there is no metric: pass metrics= with systems and references, or scores="
        )
    for name, each in of_metrics.items():
        check_complete(name, each.segments, outputs, names)
    level = between_0_and_1("alpha", alpha, "0.05")
    seed = checked_seed(seed)
    if legacy is not None:
        original.check(legacy, seed)
    weights = None
    if n_resamples is not None:
        number_within("n_resamples", n_resamples, 2, _MOST_SAMPLES)
        labels = listed_labels("documents", documents)
        weights = _samples(segments, labels, n_resamples, seed)
    trials = None if n_trials is None else number_within("n_trials", n_trials, 1, _MOST_TRIALS)
    evaluation = _Evaluation(outputs, of_metrics, level, seed, thread_count(threads))
    ranked = evaluation.ranking if legacy is None else evaluation.ranking_of_original
    return MetaEvaluation(
        rankings=MappingProxyType(
            {
                name: ranked(name, measure, weights, trials, alternative)
                for name, measure in chosen.items()
            }
        ),
        systems=tuple(names),
        segments=segments,
        judged=int(outputs.known.sum()),
        alpha=level,
        n_resamples=n_resamples,
        n_trials=trials,
        alternative=alternative if legacy is None else "better",
        seed=seed,
        legacy=legacy,
    )


def _computed(
    outputs: Outputs,
    names: list[str],
    metrics: Any,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Scores]:
    """Return the scores under metrics that are computed here."""
    if metrics is None:
        if systems is not None:
            raise SettingsError("systems= are for metrics=, which is not given")
        return {}
    if systems is None:
        raise SettingsError("metrics= needs systems= and references, which it scores")
    chosen = metrics_of(metrics)
    systems = systems_of(systems)
    missing = [name for name in names if name not in systems]
    if missing:
        raise InputError(f"systems lacks {', '.join(missing)}, which gold has")
    systems = {name: reusable(systems[name], name) for name in names}
    references = None if references is None else reusable(references, "references")
    computed = {}
    for name, metric in chosen.items():
        counted = count_systems(metric, systems, references, reference_streams, threads)
        found = len(next(iter(counted.values())))
        if found != outputs.segments:
            raise InputError(
                f"systems have {count(found, 'segment')}, but gold has {outputs.segments:,}"
            )
        computed[name] = Scores.counted(metric, {system: counted[system] for system in names})
    return computed


def _given(
    scores: Mapping[str, Any],
    lower: list[str],
    of_systems: Mapping[str, Any],
    names: list[str],
    segments: int,
) -> dict[str, Scores]:
    """Return the scores that were computed elsewhere."""
    if not isinstance(of_systems, Mapping):
        raise InputTypeError(
            f"system_scores is of type {type(of_systems).__name__}; a dict of metrics and the "
            "scores of systems is needed"
        )
    for name in of_systems:
        if name not in scores:
            raise SettingsError(f"system_scores names {name!r}, which is not among scores")
    given = {}
    for name, each in scores.items():
        sign = -1.0 if name in lower else 1.0
        known = of_systems.get(name)
        given[str(name)] = Scores(
            sign * table(str(name), each, names, segments),
            systems=None if known is None else sign * system_table(str(name), known, names),
        )
    return given


def _samples(segments: int, labels: list[Hashable] | None, n_resamples: int, seed: int) -> Floats:
    """Return how often each bootstrap sample contains each segment."""
    random = np.random.Generator(np.random.PCG64(seed))
    units = np.arange(segments)
    if labels is not None:
        if len(labels) != segments:
            raise InputError(
                f"documents has {count(len(labels), 'label')} for {count(segments, 'segment')}"
            )
        places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
        units = np.array([places[label] for label in labels])
    size = int(units.max()) + 1
    if size < 2:
        raise InputError(
            f"cannot resample 1 {'segment' if labels is None else 'document'}; at least 2 are "
            "needed, or n_resamples=None"
        )
    drawn = random.integers(size, size=(n_resamples, size))
    weights = np.zeros((n_resamples, size))
    np.add.at(weights, (np.arange(n_resamples)[:, np.newaxis], drawn), 1.0)
    if size < FEWEST_UNITS:
        what = "segment" if labels is None else "document"
        warn(f"with only {count(size, what)}, intervals are unreliable", SmallSampleWarning)
    return weights[:, units]


class _Evaluation:
    """The parts of a meta-evaluation that all measures share."""

    def __init__(
        self,
        outputs: Outputs,
        metrics: Mapping[str, Scores],
        alpha: float,
        seed: int,
        threads: int,
    ) -> None:
        self.outputs = outputs
        self.metrics = metrics
        self.alpha, self.seed, self.threads = alpha, seed, threads

    def ranking(
        self,
        name: str,
        measure: Measure,
        weights: Floats | None,
        trials: int | None,
        alternative: str,
    ) -> Ranking:
        """Return the metrics under a measure, the best first."""
        signs = list(self._signs(trials or 1000))
        values = {
            metric: measure.value(self.outputs, scores, signs)
            for metric, scores in self.metrics.items()
        }
        pairs = []
        order = _ordered(values)
        defined = [metric for metric in order if not np.isnan(values[metric])]
        if trials is not None:
            pairs = self._pairs(measure, values, defined, trials, alternative)
        undecided = [(pair.one, pair.other) for pair in pairs if not pair.significant]
        clusters = clusters_of(defined, undecided) if pairs else ()
        places: dict[str, int] = {}
        for cluster in clusters:
            places |= dict.fromkeys(cluster, len(places) + 1)
        return self._ranking(name, measure, values, weights, pairs, clusters, places)

    def ranking_of_original(
        self,
        name: str,
        measure: Measure,
        weights: Floats | None,
        trials: int | None,
        alternative: str,
    ) -> Ranking:
        """Return the metrics as mt-metrics-eval ranks them."""
        del alternative
        task = original.Task(name, measure, self.outputs, self.seed)
        values = {metric: task.value(scores) for metric, scores in self.metrics.items()}
        order = _ordered(values)
        pairs = []
        for one, other in combinations(order, 2) if trials else ():
            p = task.p_value(self.metrics[one], self.metrics[other], trials or 0)
            if p is not None:
                difference = values[one] - values[other]
                pairs.append(_pair(one, other, difference, (p, p), p <= self.alpha, exact=False))
        clusters: tuple[tuple[str, ...], ...] = ()
        if pairs:
            found = {(pair.one, pair.other): pair.p_value for pair in pairs}
            clusters = original.clusters(order, found, self.alpha)
        places = {metric: rank for rank, each in enumerate(clusters, 1) for metric in each}
        return self._ranking(name, measure, values, weights, pairs, clusters, places)

    def _ranking(
        self,
        name: str,
        measure: Measure,
        values: dict[str, float],
        weights: Floats | None,
        pairs: list[MetricPair],
        clusters: tuple[tuple[str, ...], ...],
        places: Mapping[str, int],
    ) -> Ranking:
        measured = {
            metric: MeasuredMetric(
                name=metric,
                value=None if np.isnan(values[metric]) else values[metric],
                interval=self._interval(measure, metric, weights),
                rank=places.get(metric),
            )
            for metric in _ordered(values)
        }
        return Ranking(
            measure=name,
            metrics=MappingProxyType(measured),
            pairs=tuple(pairs),
            clusters=clusters,
        )

    def _interval(
        self, measure: Measure, metric: str, weights: Floats | None
    ) -> tuple[float, float] | None:
        """Return the percentile interval of a value."""
        if weights is None:
            return None
        given = self.outputs.gold.systems, self.metrics[metric].systems
        if measure.of_systems and any(each is not None for each in given):
            return None
        found = measure.values(self.outputs, self.metrics[metric], weights)
        found = found[np.isfinite(found)]
        if len(found) < len(weights) / 2:
            return None
        low, high = np.quantile(found, [self.alpha / 2, 1 - self.alpha / 2])
        return float(low), float(high)

    def _pairs(
        self,
        measure: Measure,
        values: Mapping[str, float],
        order: list[str],
        trials: int,
        alternative: str,
    ) -> list[MetricPair]:
        pairs = list(combinations(order, 2))
        tests = [self._tested(measure, *pair, trials, alternative) for pair in pairs]
        adjusted = inference.holm([p for p, _ in tests])
        alpha = inference.exact(self.alpha)
        return [
            _pair(
                *(one, other, values[one] - values[other], (float(p), float(p_adjusted))),
                p_adjusted < alpha,
                exact=exact,
            )
            for (one, other), (p, exact), p_adjusted in zip(pairs, tests, adjusted, strict=True)
        ]

    def _tested(
        self, measure: Measure, one: str, other: str, trials: int, alternative: str
    ) -> tuple[Fraction, bool]:
        """Return the p-value of a difference, and whether it is of all swaps."""
        outputs = self.outputs
        if measure.of_systems:
            outputs = self._of_systems()
        first, second = (self._standardized(outputs, measure, name) for name in (one, other))
        drawn = None
        outcomes = int(outputs.known.sum())
        exact = outcomes <= _FEW_OUTPUTS
        if not exact:
            drawn = measure.drawn(outputs, first, second, self.seed, trials, self.threads)
        if drawn is None:
            drawn = measure.swapped(outputs, first, second, self._swaps(outputs, trials))
        unchanged = iter([np.zeros((1, *outputs.known.shape), np.bool_)])
        observed = measure.swapped(outputs, first, second, unchanged)[0]
        gaps = drawn[:, 0] - drawn[:, 1]
        # An undefined value is no evidence against chance.
        gaps = np.where(np.isnan(gaps), np.inf, gaps)
        gap = observed[0] - observed[1]
        if alternative == "two-sided":
            gap, gaps = abs(gap), np.abs(gaps)
        reached = int((gaps >= gap - 1e-12).sum())
        if exact:
            return Fraction(reached, len(gaps)), True
        return Fraction(reached + 1, len(gaps) + 1), False

    def _of_systems(self) -> Outputs:
        """Return the outputs as one segment, with the scores of systems."""
        ones = np.ones((1, self.outputs.segments))
        return Outputs(self.outputs.gold.of_systems(ones).T)

    def _standardized(self, outputs: Outputs, measure: Measure, metric: str) -> Floats:
        """Return the scores of a metric with mean 0 and variance 1 over judged outputs."""
        scores = self.metrics[metric].segments
        if measure.of_systems:
            ones = np.ones((1, self.outputs.segments))
            scores = self.metrics[metric].of_systems(ones).T
        known = scores[outputs.known]
        deviation = known.std()
        scores = (scores - known.mean()) / (deviation if deviation > 0 else 1.0)
        return np.where(outputs.known, scores, 0.0)

    def _swaps(self, outputs: Outputs, trials: int) -> Iterator[NDArray[np.bool_]]:
        """Return which outputs change places: in all ways if they are few."""
        shape, size = outputs.known.shape, outputs.known.size
        outcomes = int(outputs.known.sum())
        if outcomes <= _FEW_OUTPUTS:
            ways = np.arange(1 << outcomes)[:, np.newaxis] >> np.arange(outcomes) & 1
            swaps = np.zeros((len(ways), size), np.bool_)
            swaps[:, outputs.known.ravel()] = ways
            yield swaps.reshape(-1, *shape)
            return
        source = np.random.PCG64(self.seed)
        at_once = max(1, _AT_ONCE // size)
        for start in range(0, trials, at_once):
            number = min(at_once, trials - start)
            yield _bits(source, number, size).reshape(number, *shape)

    def _signs(self, trials: int) -> Iterator[Floats]:
        """Return -1 for segments of two systems that change places, and 1 for others."""
        segments = self.outputs.segments
        if segments <= _FEW_SEGMENTS:
            ways = np.arange(1 << segments)[:, np.newaxis] >> np.arange(segments) & 1
            yield np.where(ways, -1.0, 1.0)
            return
        source = np.random.PCG64(self.seed)
        at_once = max(1, _AT_ONCE // segments)
        for start in range(0, trials, at_once):
            yield np.where(_bits(source, min(at_once, trials - start), segments), -1.0, 1.0)


def _ordered(values: Mapping[str, float]) -> list[str]:
    """Return the names of metrics, the best first."""
    return sorted(values, key=lambda metric: (-np.nan_to_num(values[metric], nan=-9), metric))


def _pair(
    one: str,
    other: str,
    difference: float,
    p_values: tuple[float, float],
    significant: bool,
    *,
    exact: bool,
) -> MetricPair:
    return MetricPair(
        one=one,
        other=other,
        difference=difference,
        p_value=p_values[0],
        p_adjusted=p_values[1],
        significant=significant,
        exact=exact,
    )


def _bits(source: np.random.PCG64, rows: int, columns: int) -> NDArray[np.bool_]:
    """Return random bits; each row begins with a new word."""
    words = -(-columns // 64)
    raw = source.random_raw(rows * words).astype("<u8").view(np.uint8)
    bits = np.unpackbits(raw.reshape(rows, -1), axis=1, count=columns, bitorder="little")
    return bits.view(np.bool_)
