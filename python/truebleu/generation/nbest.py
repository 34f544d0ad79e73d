"""Choosing among the samples of an n-best list by their references."""

from __future__ import annotations

from truebleu.display.shown import Result
from truebleu.generation.decoding import listed_samples, merits
from truebleu.inputs import sequences, token_ids
from truebleu.metrics.registry import metric_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class BestOf(Result):
    """The best and the worst samples of n-best lists. Made by :func:`best_of`.

    Attributes
    ----------
    best, worst : ndarray of int64, shape (segments,)
        The index of the best and of the worst sample of each segment; the first of equal ones.
    oracle, anti_oracle : Score
        The corpus scores of the best samples and of the worst.
    scores : list of ndarray of float64
        For each segment the scores of its samples, on the scale of the metric.
    """

    best: Ints
    worst: Ints
    oracle: Score
    anti_oracle: Score
    scores: list[Floats]

    def __str__(self) -> str:
        return f"best samples: {self.oracle}\nworst samples: {self.anti_oracle}"

    # The truth value of comparing two arrays is an error.
    __eq__ = object.__eq__
    __hash__ = object.__hash__


def best_of(
    samples: Sequence[Sequence[Any]],
    references: Sequence[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> BestOf:
    """Find the best and the worst sample of each segment by its references.

    Parameters
    ----------
    samples : sequence of sequences of str
        For each segment its samples.
    references : sequence
        For each segment its references, as :func:`truebleu.corpus_bleu` takes them.
    reference_streams : iterable of iterables, optional
        Instead of `references`: complete translations of the corpus (sacreBLEU's layout).
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    metric : Metric or str, optional
        A metric or its name, instead of `settings`; it says whether higher or lower is better.
        Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`. Samples are compared by their segment scores.

    Returns
    -------
    BestOf

    Raises
    ------
    EmptyInputError
        If a segment has no sample, or no reference.
    LengthMismatchError
        If there are samples and references for different numbers of segments.
    InputTypeError
        If the samples of a segment are a str, or one of them is not what the metric takes.
    SettingsError
        If both `metric` and settings are given.

    Examples
    --------
    >>> from truebleu import best_of
    >>> samples = [["a b c d x", "a b c d e"], ["f g h i", "f x h i"]]
    >>> found = best_of(samples, ["a b c d e", "f g h i"])
    >>> found.best.tolist(), found.oracle.score
    ([1, 0], 100.0)
    """
    import numpy as np

    chosen = metric_of(metric, settings)
    lists, stats, scores = _scored(chosen, samples, references, reference_streams, threads)
    ranked = [merits(each, chosen) for each in scores]
    best = np.array([each.argmax() for each in ranked])
    worst = np.array([each.argmin() for each in ranked])
    rows = stats.to_numpy()
    starts = np.cumsum([0, *map(len, lists[:-1])])

    def corpus(indices: Ints) -> Score:
        return chosen.score(type(stats).from_numpy(rows[starts + indices], stats))

    return BestOf(
        best=best, worst=worst, oracle=corpus(best), anti_oracle=corpus(worst), scores=scores
    )


def rerank(
    samples: Sequence[Sequence[Any]],
    references: Sequence[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> list[list[Any]]:
    """Sort the samples of each segment by their scores, best first.

    Parameters and errors are those of :func:`best_of`. Equally good samples keep their order.

    Returns
    -------
    list of list
        The samples.
    """
    chosen = metric_of(metric, settings)
    lists, _, scores = _scored(chosen, samples, references, reference_streams, threads)
    return [
        [listed[index] for index in (-merits(each, chosen)).argsort(kind="stable")]
        for listed, each in zip(lists, scores, strict=True)
    ]


def _scored(
    metric: Metric, samples: Any, references: Any, streams: Any, threads: int | None
) -> tuple[list[list[Any]], Stats, list[Floats]]:
    """Return the samples of each segment, the statistics of all, and the scores by segment."""
    import numpy as np

    if metric.takes_tokens:
        sources, several = token_ids.token_segments(samples, references, streams, "samples")
    else:
        sources, several = sequences.segments(samples, references, streams, "samples")
        several = sequences.checked_text([""] * len(sources), several)
    lists = [listed_samples(source, f"samples[{index}]") for index, source in enumerate(sources)]
    if not metric.takes_tokens:
        for index, listed in enumerate(lists):
            sequences.check_texts(listed, f"samples[{index}]")
    repeated = [each for each, listed in zip(several, lists, strict=True) for _ in listed]
    stats = metric._count_stats([text for each in lists for text in each], repeated, None, threads)
    scores = np.frombuffer(metric._row_scores(stats.data, segment=True), "<f8").astype(np.float64)
    return lists, stats, np.split(scores, np.cumsum([len(listed) for listed in lists[:-1]]))
