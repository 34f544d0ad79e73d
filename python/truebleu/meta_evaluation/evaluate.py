"""The function ``meta_evaluate``, and what is given to it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

import numpy as np

from truebleu.display.formatting import count
from truebleu.errors import InputError, InputTypeError, SettingsError, SmallSampleWarning, warn
from truebleu.inputs import frames
from truebleu.inputs.numbers import number_within, thread_count
from truebleu.inputs.sequences import reusable, systems_of
from truebleu.meta_evaluation.judged import (
    Outputs,
    Scores,
    check_complete,
    gold_table,
    system_table,
    table,
)
from truebleu.meta_evaluation.measures import DEFAULT, measures_of
from truebleu.meta_evaluation.rankings import Evaluation
from truebleu.meta_evaluation.results import MetaEvaluation
from truebleu.meta_evaluation.samples import samples, units_of
from truebleu.metrics.registry import metrics_of
from truebleu.metrics.stats_saved import SavedStats
from truebleu.significance.design import SEED, between_0_and_1, checked_seed
from truebleu.significance.external import GivenScores, given_scores, refuse_taken
from truebleu.significance.notes import FEWEST_UNITS
from truebleu.significance.running import count_systems
from truebleu.significance.units import listed_labels
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Any

    from truebleu.meta_evaluation.judged import Floats
    from truebleu.metrics.metric import Metric

ALTERNATIVES = ("two-sided", "better")

# Samples are in memory together.
_MOST_SAMPLES, _MOST_TRIALS = 10_000, 1_000_000


def meta_evaluate(
    gold: Mapping[str, Iterable[float | None]],
    systems: Any = None,
    references: Any = None,
    *,
    reference_streams: Any = None,
    metrics: Iterable[Metric | str] | None = None,
    scores: Mapping[str, Mapping[str, Iterable[float | None]] | GivenScores] | None = None,
    system_gold: Mapping[str, float | None] | None = None,
    system_scores: Mapping[str, Mapping[str, float | None]] | None = None,
    measures: Sequence[str] | str = DEFAULT,
    documents: Sequence[Hashable] | None = None,
    n_resamples: int | None = 1000,
    n_trials: int | None = 1000,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    seed: int | None = SEED,
    threads: int | None = None,
) -> MetaEvaluation:
    """Measure how well metrics agree with people, and test which metric agrees better.

    Parameters
    ----------
    gold : dict of str to list of float or None
        For each system one score per segment, such as MQM or ESA; None where it was not judged.
        Higher is better. Systems that have no score at all are left out.
    systems, references, reference_streams
        The outputs and references, as :func:`truebleu.compare` takes them, for `metrics`; or their
        :class:`SavedStats`, with segments in the order of `gold`.
    metrics : list of Metric or str, optional
        Metrics that are computed here; by default, those of SavedStats. The scores of systems are
        corpus scores.
    scores : dict of str to dict, or to GivenScores, optional
        For the name of each other metric, the scores of each system, one per segment, as
        :func:`truebleu.compare` takes them. The scores of systems are their averages.
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
    n_resamples : int or None, default 1000
        Bootstrap samples for intervals; None for no intervals.
    n_trials : int or None, default 1000
        Random swaps for tests between metrics; None for no tests.
    alternative : {"two-sided", "better"}, default "two-sided"
        Whether a test asks if two metrics differ, or if the first is better.
    alpha : float, default 0.05
        The significance level; intervals have the confidence level 1 - alpha.
    seed : int or None, default 12345
    threads : int, optional
        As in :func:`truebleu.compare`.

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
    >>> from truebleu.meta import meta_evaluate
    >>> gold = {"A": [0, -1, -5, 0], "B": [-1, -1, -6, -5], "C": [-5, -2, -6, -1]}
    >>> of_x = {"A": [0.9, 0.8, 0.5, 0.9], "B": [0.8, 0.8, 0.4, 0.6], "C": [0.6, 0.7, 0.4, 0.8]}
    >>> found = meta_evaluate(gold, scores={"X": of_x}, measures="acc-eq", n_resamples=None)
    >>> found["acc-eq"]["X"].value
    1.0
    """
    if not isinstance(alternative, str) or alternative not in ALTERNATIVES:
        raise unknown_name("alternative", alternative, ALTERNATIVES)
    chosen = measures_of(measures)
    names, judged = gold_table(gold)
    segments = judged.shape[1]
    is_empty = scores is None or (isinstance(scores, Mapping) and not scores)
    given = {} if is_empty else given_scores(scores)
    of_scores = (frames.named(each.values, name, f"{name} of ") for name, each in given.items())
    references, reference_streams = frames.references(
        references,
        reference_streams,
        *frames.named(gold, "gold", "gold of "),
        *frames.named(systems, "systems"),
        *chain(*of_scores),
        ("documents", documents),
    )
    of_systems = None if system_gold is None else system_table("system_gold", system_gold, names)
    outputs = Outputs(judged, of_systems)
    of_metrics = _computed(outputs, names, metrics, systems, references, reference_streams, threads)
    refuse_taken(given, of_metrics)
    system_scores = {} if system_scores is None else system_scores
    of_metrics |= _given(given, system_scores, names, segments)
    if not of_metrics:
        raise SettingsError(
            "there is no metric: pass metrics= with systems and references, or scores="
        )
    for name, each in of_metrics.items():
        check_complete(name, each.segments, outputs, names)
    level = between_0_and_1("alpha", alpha)
    seed = checked_seed("seed", seed)
    weights = None
    if n_resamples is not None:
        number_within("n_resamples", n_resamples, 2, _MOST_SAMPLES)
        labels = None if documents is None else listed_labels("documents", documents)
        weights = _samples(segments, labels, n_resamples, seed)
    trials = None if n_trials is None else number_within("n_trials", n_trials, 1, _MOST_TRIALS)
    evaluation = Evaluation(
        outputs,
        of_metrics,
        alpha=level,
        seed=seed,
        trials=trials,
        alternative=alternative,
        weights=weights,
        threads=thread_count(threads),
    )
    return MetaEvaluation(
        rankings=MappingProxyType(
            {name: evaluation.ranking(name, measure) for name, measure in chosen.items()}
        ),
        systems=tuple(names),
        segments=segments,
        judged=int(outputs.known.sum()),
        alpha=level,
        n_resamples=n_resamples,
        n_trials=trials,
        alternative=alternative,
        seed=seed,
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
    saved = systems if isinstance(systems, SavedStats) else None
    if metrics is None and saved is None:
        if systems is not None:
            raise SettingsError("systems= are for metrics=, which is not given")
        return {}
    if systems is None:
        raise SettingsError("metrics= needs systems= and references, which it scores")
    chosen = saved.metrics if saved is not None and metrics is None else metrics_of(metrics)
    texts = systems_of(systems) if saved is None else dict.fromkeys(saved.systems, ())
    missing = [name for name in names if name not in texts]
    if missing:
        raise InputError(f"systems lacks {', '.join(missing)}, which gold has")
    texts = {name: reusable(texts[name], name) for name in names}
    references = None if references is None else reusable(references, "references")
    computed = {}
    for name, metric in chosen.items():
        given = texts if saved is None else saved.stats(metric)
        counted = count_systems(metric, given, references, reference_streams, threads)
        found = len(next(iter(counted.values())))
        if found != outputs.segments:
            raise InputError(
                f"systems have {count(found, 'segment')}, but gold has {outputs.segments:,}"
            )
        computed[name] = Scores.counted(metric, {system: counted[system] for system in names})
    return computed


def _given(
    scores: Mapping[str, GivenScores],
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
        sign = -1.0 if each.lower_is_better else 1.0
        known = of_systems.get(name)
        given[str(name)] = Scores(
            sign * table(str(name), each.values, names, segments),
            systems=None if known is None else sign * system_table(str(name), known, names),
        )
    return given


def _samples(segments: int, labels: list[Hashable] | None, n_resamples: int, seed: int) -> Floats:
    """Return how often each bootstrap sample contains each segment."""
    if labels is not None and len(labels) != segments:
        raise InputError(
            f"documents has {count(len(labels), 'label')} for {count(segments, 'segment')}"
        )
    units = units_of(segments, labels)
    size, what = int(units.max()) + 1, "segment" if labels is None else "document"
    if size < 2:
        raise InputError(f"cannot resample 1 {what}; at least 2 are needed, or n_resamples=None")
    if size < FEWEST_UNITS:
        warn(f"with only {count(size, what)}, intervals are unreliable", SmallSampleWarning)
    return np.concatenate(list(samples(units, n_resamples, seed)))
