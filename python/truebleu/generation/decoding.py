"""Choosing among samples: by expected BLEU, or by references."""

from __future__ import annotations

from dataclasses import dataclass

from truebleu.display import formatting
from truebleu.errors import EmptyInputError, InputTypeError, LengthMismatchError, SettingsError
from truebleu.generation.pairwise import PIECE, prepare
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.threads import thread_count

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

    Floats = NDArray[np.float64]

METHODS = ("exact", "aggregated")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """Which sample is best.

    Attributes
    ----------
    index : int
        Of the sample; of several equally good ones the first.
    sample : object
        The sample itself.
    scores : ndarray of float64, shape (samples,)
        For each sample its expected BLEU, from 0 to 100.
    """

    index: int
    sample: Any
    scores: Floats

    @property
    def score(self) -> float:
        """The expected BLEU of the choice."""
        return float(self.scores[self.index])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "index": self.index,
            "sample": self.sample,
            "score": self.score,
            "scores": self.scores.tolist(),
        }


def mbr(  # type: ignore[misc]  # Of two weights this function has one.
    samples: Sequence[Any],
    weights: Any = None,
    pseudo_references: Any = None,
    *,
    method: str = "exact",
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **settings: Unpack[BleuSettings],
) -> Any:
    """Choose the samples of highest expected BLEU: minimum-Bayes-risk decoding.

    Source: Kumar and Byrne (2004), *Minimum Bayes-risk decoding for statistical machine
    translation*.

    Parameters
    ----------
    samples : sequence of str, or of sequences of str
        The samples of one source, or of each of several. Under ``tokenizer=None`` tokens.
    weights : sequence of float, or of such sequences, optional
        How probable each pseudo-reference is; they are scaled to add up to 1. Default: equally.
    pseudo_references : as `samples`, optional
        What the samples are scored against. Default: the samples themselves.
    method : {"exact", "aggregated"}
        ``exact`` scores each sample against each pseudo-reference. ``aggregated`` scores each
        sample once, against their mean: expected counts of n-grams, and the expected length. It is
        linear in the number of samples, and an approximation.
    threads : int, optional
        All processors by default.
    progress : callable, optional
        Is told from time to time how many sources are done, and of how many.
    **settings
        The settings of :class:`truebleu.Bleu` but its weights: `max_order` chooses the orders.

    Returns
    -------
    Choice, or list of Choice

    Raises
    ------
    EmptyInputError
        If there are no samples, or no pseudo-references.
    InputTypeError
        If one of them is not what the tokenizer needs, or one source has a str where others have
        several samples.
    LengthMismatchError
        If there are not as many weights as pseudo-references, or not one list of them a source.
    SettingsError
        If a weight is negative or no number, or `method` is unknown.

    Examples
    --------
    >>> from truebleu import mbr
    >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a cat was on the mat"]
    >>> choice = mbr(samples)
    >>> choice.index, round(choice.score, 1)
    (1, 62.1)
    """
    if method not in METHODS:
        raise SettingsError(f"unknown method {method!r}; choose one of {', '.join(METHODS)}")
    bleu = Bleu(**settings).for_segments
    workers = thread_count(threads)
    if not len(samples):
        raise EmptyInputError("there are no samples to choose from")
    if _is_one_source(samples, bleu):
        return _choose(bleu, samples, weights, pseudo_references, method, workers, "")
    for name, lists in (("weights", weights), ("pseudo_references", pseudo_references)):
        if lists is not None and len(lists) != len(samples):
            raise LengthMismatchError(
                f"there are samples of {len(samples):,} sources, but {name} of {len(lists):,}"
            )
    choices = []
    for index, own in enumerate(samples):
        if isinstance(own, str):
            raise InputTypeError(
                f"samples[{index}] is a str, but samples[0] is a list: each source has a list"
            )
        choices.append(
            _choose(
                bleu,
                own,
                None if weights is None else weights[index],
                None if pseudo_references is None else pseudo_references[index],
                method,
                workers,
                f"[{index}]",
            )
        )
        if progress is not None:
            progress(index + 1, len(samples))
    return choices


def _is_one_source(samples: Any, bleu: Bleu) -> bool:
    """Whether these are samples, and not lists of them."""
    if isinstance(samples, Ragged):
        return True
    first = samples[0]
    if bleu.tokenizer is not None:
        return isinstance(first, str)
    return not (isinstance(first, list | tuple) and first and isinstance(first[0], list | tuple))


def _choose(
    bleu: Bleu,
    samples: Any,
    weights: Any,
    pseudo_references: Any,
    method: str,
    threads: int,
    where: str,
) -> Choice:
    import numpy as np

    if not len(samples):
        raise EmptyInputError(f"samples{where} is empty: there is nothing to choose from")
    if pseudo_references is not None and not len(pseudo_references):
        raise EmptyInputError(f"pseudo_references{where} is empty")
    pairs, count, width = prepare(bleu, samples, pseudo_references, threads)
    shares = _shares(weights, width, where)
    if method == "aggregated":
        scores = np.frombuffer(pairs.expected(bleu._engine, shares.tolist()), "<f8")
        scores = scores.astype(np.float64)
    else:
        size = max(1, PIECE // width)
        parts = []
        for start in range(0, count, size):
            found = pairs.block(bleu._engine, start, min(count, start + size), threads)
            parts.append(np.frombuffer(found, "<f8").reshape(-1, width) @ shares)
        scores = np.concatenate(parts)
    index = int(scores.argmax())
    return Choice(index=index, sample=samples[index], scores=scores)


def _shares(weights: Any, count: int, where: str) -> Floats:
    """Return weights that add up to 1."""
    import numpy as np

    if weights is None:
        return np.full(count, 1 / count)
    try:
        shares = np.asarray(weights, np.float64)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"weights{where} are no numbers: {error}") from error
    if shares.shape != (count,):
        raise LengthMismatchError(
            f"weights{where} has {shares.size:,} numbers, but there are {count:,} pseudo-references"
        )
    bad = np.flatnonzero(~(np.isfinite(shares) & (shares >= 0)))
    if len(bad):
        raise SettingsError(
            f"weights{where}[{bad[0]}] is {shares[bad[0]]}; a number from 0 up is needed"
        )
    if not shares.sum():
        raise SettingsError(f"weights{where} are all 0")
    return np.asarray(shares / shares.sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestOf:
    """The best and the worst that n-best lists hold.

    Attributes
    ----------
    best, worst : ndarray of int64, shape (segments,)
        For each segment which sample is best, and which worst; of equal ones the first.
    oracle, anti_oracle : BleuScore
        The corpus scores that they would give.
    scores : list of ndarray of float64
        For each segment the sentence BLEU of its samples, from 0 to 100.
    """

    best: NDArray[np.int64]
    worst: NDArray[np.int64]
    oracle: BleuScore
    anti_oracle: BleuScore
    scores: list[Floats]


def best_of(
    samples: Sequence[Sequence[Any]],
    references: Sequence[Any],
    *,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> BestOf:
    """Find the best and the worst of the samples of each segment, by its references.

    Parameters
    ----------
    samples : sequence of sequences of str
        For each segment its samples.
    references : sequence
        For each segment its references, as :func:`truebleu.corpus_bleu` takes them.
    threads : int, optional
        All processors by default.
    **settings
        The settings of :class:`truebleu.Bleu`. Samples are compared by sentence BLEU.

    Returns
    -------
    BestOf

    Raises
    ------
    EmptyInputError
        If a segment has no sample.
    LengthMismatchError
        If there are not as many references.
    InputTypeError
        If the samples of a segment are a str.

    Examples
    --------
    >>> from truebleu import best_of
    >>> samples = [["a b c d x", "a b c d e"], ["f g h i", "f x h i"]]
    >>> found = best_of(samples, ["a b c d e", "f g h i"])
    >>> found.best.tolist(), found.oracle.score
    ([1, 0], 100.0)
    """
    import numpy as np

    bleu = Bleu(**settings)
    stats, scores, starts = _scored(bleu, samples, references, threads)
    best = np.array([each.argmax() for each in scores])
    worst = np.array([each.argmin() for each in scores])
    rows = stats.to_numpy()

    def corpus(chosen: NDArray[np.int64]) -> BleuScore:
        return bleu.score(type(stats).from_numpy(rows[starts + chosen], stats))

    return BestOf(
        best=best,
        worst=worst,
        oracle=corpus(best),
        anti_oracle=corpus(worst),
        scores=scores,
    )


def rerank(
    samples: Sequence[Sequence[Any]],
    references: Sequence[Any],
    *,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> list[list[Any]]:
    """Put the samples of each segment in order, the best first.

    Parameters and errors are those of :func:`best_of`. Equal ones keep their order.

    Returns
    -------
    list of list
        The samples.
    """
    _, scores, _ = _scored(Bleu(**settings), samples, references, threads)
    return [
        [own[index] for index in (-each).argsort(kind="stable")]
        for own, each in zip(samples, scores, strict=True)
    ]


def _scored(
    bleu: Bleu, samples: Sequence[Sequence[Any]], references: Sequence[Any], threads: int | None
) -> tuple[Any, list[Floats], NDArray[np.int64]]:
    """Count all samples, and score each by itself."""
    import numpy as np

    if len(samples) != len(references):
        raise LengthMismatchError(
            f"there are samples of {formatting.count(len(samples), 'segment')}, but references of "
            f"{len(references):,}"
        )
    flat: list[Any] = []
    others: list[Any] = []
    for index, (own, other) in enumerate(zip(samples, references, strict=True)):
        if isinstance(own, str):
            raise InputTypeError(f"samples[{index}] is a str; a list of samples is needed")
        if not len(own):
            raise EmptyInputError(f"samples[{index}] is empty: there is nothing to choose from")
        flat += own
        others += [other] * len(own)
    stats = bleu.count(flat, others, threads, check=None)
    scores = np.array(bleu.scores(stats))
    starts = np.cumsum([0, *map(len, samples)])
    return stats, np.split(scores, starts[1:-1]), starts[:-1]
