"""Choosing among samples: by their expected score (minimum Bayes risk), or by references."""

from __future__ import annotations

import numpy as np

from truebleu.display.formatting import decimals
from truebleu.display.shown import Result
from truebleu.errors import EmptyInputError, InputTypeError, LengthMismatchError, SettingsError
from truebleu.generation.pairwise import PIECE, pair_scores
from truebleu.inputs import frames, sequences, token_ids
from truebleu.inputs.checks import BATCHES
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import one_of
from truebleu.record import brief, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, overload

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics import BleuSettings, Metric, MetricName

    Floats = NDArray[np.float64]

    class How(BleuSettings, total=False):
        """What decoding takes beside the samples."""

        pseudo_references: Any
        method: str
        threads: int | None
        metric: Metric | MetricName | None


METHODS = ("exact", "aggregated")


class Choice(Result):
    """The sample with the best score. Made by :func:`mbr` and :func:`best_of`.

    >>> import truebleu
    >>> truebleu.mbr(["a b c", "a b c d", "x"]).sample
    'a b c'

    Attributes
    ----------
    index : int
        Its index; the first of several equally good ones.
    sample : object
        The sample itself.
    scores : ndarray of float64, shape (samples,)
        The score of each sample, on the scale of the metric: by :func:`mbr`, the expected one.
    """

    index: int
    sample: Any
    scores: Floats

    # The truth value of comparing two arrays is an error.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __str__(self) -> str:
        sample = brief(self.sample, 400)
        place = f"{self.index + 1} of {len(self.scores)}"
        return f"sample {place}, score {decimals(self.score)}: {sample}"

    @property
    def score(self) -> float:
        """The score of the choice."""
        return float(self.scores[self.index])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "index": self.index,
            "sample": plain(self.sample),
            "score": self.score,
            "scores": plain(self.scores),
        }


if TYPE_CHECKING:

    @overload
    def mbr(  # type: ignore[misc]
        samples: Sequence[str], *, weights: Any = ..., **how: Unpack[How]
    ) -> Choice: ...
    @overload
    def mbr(  # type: ignore[misc]
        samples: Sequence[Any], *, weights: Any = ..., **how: Unpack[How]
    ) -> Any: ...


def mbr(  # type: ignore[misc]  # Here `weights` are those of pseudo-references, not of orders.
    samples: Sequence[Any],
    *,
    weights: Any = None,
    pseudo_references: Any = None,
    method: str = "exact",
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Any:
    """Choose the sample with the best expected score: minimum-Bayes-risk decoding.

    The best score is the highest, or the lowest if `metric` says that lower is better. Source:
    Kumar and Byrne (2004), *Minimum Bayes-risk decoding for statistical machine translation*.

    Parameters
    ----------
    samples : sequence of str, or of sequences of str
        The samples of one source, or of each of several. With ``tokenizer="pretokenized"``, each
        sample is a sequence of tokens.
    weights : sequence of float, or of such sequences, optional
        The probability of each pseudo-reference, up to a constant factor. Default: uniform.
    pseudo_references : as `samples`, optional
        The texts that samples are scored against. Default: the samples themselves.
    method : {"exact", "aggregated"}, default "exact"
        ``exact`` scores each sample against each pseudo-reference. ``aggregated`` scores each
        sample once, against expected n-gram counts and the expected length: an approximation in
        time linear in the number of samples, for BLEU and chrF.
    threads : int, optional
        Threads to use. Default: the environment's TRUEBLEU_THREADS, else all processors.
    metric : Metric or str, optional
        A metric or its name, instead of `settings`. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu` except its weights: `max_order` chooses the orders.

    Returns
    -------
    Choice, or list of Choice
        One for each source.

    Raises
    ------
    EmptyInputError
        If there are no samples, or no pseudo-references.
    InputTypeError
        If one of them is not what the metric takes, or one source has a str where others have
        several samples.
    LengthMismatchError
        If the numbers of weights and pseudo-references differ, or those of sources.
    SettingsError
        If a weight is negative or not a number, `method` is not for this metric, or both `metric`
        and settings are given.
    UnknownNameError
        If `method` is unknown.

    Examples
    --------
    >>> from truebleu import mbr
    >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a cat was on the mat"]
    >>> choice = mbr(samples)
    >>> choice.index, round(choice.score, 1)
    (1, 62.1)
    """
    one_of(METHODS)("method", method)
    chosen = metric_of(metric, settings)
    listed = samples
    if not isinstance(samples, Ragged):
        samples = sequences.reusable(samples, "samples")
        listed = sequences.as_list(samples, "samples")
    if not len(listed):
        raise EmptyInputError("samples is empty: there is nothing to choose from")
    if _is_one_source(listed, chosen):
        return _choose(chosen, samples, weights, pseudo_references, method, threads, "")
    given = {"weights": weights, "pseudo_references": pseudo_references}
    frames.check_indexes([("samples", samples), *given.items()])
    several: list[list[Any]] = []
    for name, lists in given.items():
        several.append([None] * len(listed) if lists is None else sequences.as_list(lists, name))
        if len(several[-1]) != len(listed):
            raise LengthMismatchError(
                f"there are samples of {len(listed):,} sources, but {name} of {len(several[-1]):,}"
            )
    return [
        _choose(chosen, source, shares, pool, method, threads, f"[{index}]")
        for index, (source, shares, pool) in enumerate(zip(listed, *several, strict=True))
    ]


def _is_one_source(samples: Any, metric: Metric) -> bool:
    """Whether these are samples, and not lists of them."""
    if isinstance(samples, Ragged):
        return True
    first = samples[0]
    if not metric.takes_tokens:
        return isinstance(first, str)
    if isinstance(first, list | tuple):
        return not (first and isinstance(first[0], list | tuple))
    return not isinstance(first, Ragged)


def _choose(
    metric: Metric,
    samples: Any,
    weights: Any,
    pseudo_references: Any,
    method: str,
    threads: int | None,
    where: str,
) -> Choice:
    listed = _listed_samples(samples, f"samples{where}")
    columns = {f"samples{where}": samples if isinstance(samples, Ragged) else listed}
    weighted = f"samples{where}", samples
    if pseudo_references is not None:
        weighted = f"pseudo_references{where}", pseudo_references
        columns |= [weighted]
    frames.check_indexes([weighted, (f"weights{where}", weights)])
    pairs = pair_scores(metric, columns, threads)
    observed = None if metric.takes_tokens else BATCHES.next()
    if observed is not None:
        observed.look(listed, [[sample] for sample in listed])
        metric._check_observed(observed, None, b"")
    shares = _shares(weights, pairs.references, where)
    if method == "aggregated":
        scores = pairs.expected(shares)
    else:
        size = max(1, PIECE // pairs.references)
        starts = range(0, pairs.hypotheses, size)
        blocks = (pairs.block(start, min(pairs.hypotheses, start + size)) for start in starts)
        scores = np.concatenate([block @ shares for block in blocks])
    return _best(listed, scores, metric)


def _best(samples: list[Any], scores: Floats, metric: Metric) -> Choice:
    """Choose by scores, in the direction of the metric; nothing is worse than NaN."""
    merits = np.where(np.isnan(scores), -np.inf, scores if metric.higher_is_better else -scores)
    index = int(merits.argmax())
    return Choice(index=index, sample=samples[index], scores=scores)


def _listed_samples(samples: Any, name: str) -> list[Any]:
    if isinstance(samples, str):
        raise InputTypeError(f"{name} is a str; a list of samples is needed")
    listed = samples.split(name) if isinstance(samples, Ragged) else samples
    listed = sequences.as_list(listed, name)
    if not listed:
        raise EmptyInputError(f"{name} is empty: there is nothing to choose from")
    return listed


def _shares(weights: Any, count: int, where: str) -> Floats:
    """Scale weights so that they add up to 1."""
    if weights is None:
        return np.full(count, 1 / count)
    try:
        shares = np.asarray(weights, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise SettingsError(f"weights{where} are not numbers: {error}") from error
    if shares.shape != (count,):
        raise LengthMismatchError(
            f"weights{where} has {shares.size:,} numbers, but there are {count:,} pseudo-references"
        )
    bad = np.flatnonzero(~(np.isfinite(shares) & (shares >= 0)))
    if len(bad):
        raise SettingsError(
            f"weights{where}[{bad[0]}] is {shares[bad[0]]}; a finite number from 0 up is needed"
        )
    if not shares.sum():
        raise SettingsError(f"weights{where} are all 0")
    return np.asarray(shares / shares.sum())


def best_of(
    samples: Sequence[Sequence[Any]],
    references: Sequence[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> list[Choice]:
    """Find the best sample of each segment by its references.

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
    list of Choice
        One for each segment.

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
    >>> [choice.index for choice in best_of(samples, ["a b c d e", "f g h i"])]
    [1, 0]
    """
    chosen = metric_of(metric, settings)
    if chosen.takes_tokens:
        sources, several = token_ids.token_segments(
            samples, references, reference_streams, "samples"
        )
    else:
        sources, several = sequences.segments(samples, references, reference_streams, "samples")
        several = sequences.checked_text([""] * len(sources), several)
    lists = [_listed_samples(source, f"samples[{index}]") for index, source in enumerate(sources)]
    if not chosen.takes_tokens:
        for index, listed in enumerate(lists):
            sequences.check_texts(listed, f"samples[{index}]")
    repeated = [each for each, listed in zip(several, lists, strict=True) for _ in listed]
    texts = [text for listed in lists for text in listed]
    [stats] = chosen._count(Corpora([texts], repeated, threads=threads), each=True)
    scores = np.frombuffer(chosen._row_scores(stats.data, segment=True), "<f8").astype(np.float64)
    parts = np.split(scores, np.cumsum([len(listed) for listed in lists[:-1]]))
    return [_best(listed, part, chosen) for listed, part in zip(lists, parts, strict=True)]
