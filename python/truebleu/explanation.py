"""From text to number, step by step, for one segment and for a corpus."""

from __future__ import annotations

from collections import Counter
from math import log

from truebleu import inputs, numbering, showing
from truebleu.bleu import Bleu
from truebleu.frozen import Frozen
from truebleu.rendering import Shown

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.rendering import Block
    from truebleu.score import BleuScore
    from truebleu.settings import BleuSettings

    Gram = tuple[Any, ...]


class NgramCount(Frozen):
    """How often one n-gram counts.

    Attributes
    ----------
    tokens : tuple
    count : int
        In the hypothesis.
    maximum : int
        In the one reference that has it most often.
    clipped : int
        The smaller of the two: what counts as a match.
    reference : int or None
        Which reference that is, from 0; of several the first. None if none has it.
    """

    __slots__ = ("clipped", "count", "maximum", "reference", "tokens")
    clipped: int
    count: int
    maximum: int
    reference: int | None
    tokens: Gram

    def __init__(self, tokens: Gram, count: int, in_references: Sequence[int]) -> None:
        """Find the reference that has it most often."""
        maximum = max(in_references, default=0)
        values = {
            "clipped": min(count, maximum),
            "count": count,
            "maximum": maximum,
            "reference": in_references.index(maximum) if maximum else None,
            "tokens": tokens,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "tokens": list(self.tokens),
            "count": self.count,
            "maximum": self.maximum,
            "clipped": self.clipped,
            "reference": self.reference,
        }


class SegmentExplanation(Shown):
    """How one segment came to its score. Made by :func:`explain`.

    Attributes
    ----------
    score : BleuScore
    tokens : tuple
        Of the hypothesis.
    references : tuple of tuple
        The tokens of each reference.
    orders : tuple of tuple of NgramCount
        For each order its n-grams, in the order in which they first occur.
    """

    __slots__ = ("orders", "references", "score", "tokens")
    orders: tuple[tuple[NgramCount, ...], ...]
    references: tuple[Gram, ...]
    score: BleuScore
    tokens: Gram

    def __init__(self, score: BleuScore, tokens: Gram, references: tuple[Gram, ...]) -> None:
        """Count what the core has counted once more, with names."""
        orders = []
        for order in range(1, len(score.counts) + 1):
            known = [Counter(ngrams(reference, order)) for reference in references]
            orders.append(
                tuple(
                    NgramCount(gram, count, [counts[gram] for counts in known])
                    for gram, count in Counter(ngrams(tokens, order)).items()
                )
            )
        values = {
            "orders": tuple(orders),
            "references": references,
            "score": score,
            "tokens": tokens,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def reference_lengths(self) -> tuple[int, ...]:
        """Tokens in each reference."""
        return tuple(map(len, self.references))

    @property
    def unmodified(self) -> tuple[int, ...]:
        """For each order the n-grams that occur in some reference, without clipping."""
        return tuple(sum(gram.count for gram in grams if gram.maximum) for grams in self.orders)

    @property
    def logs(self) -> tuple[float, ...]:
        """For each order its weight times the logarithm of its precision; they add up."""
        return self.score.logs

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            **self.score.to_dict(),
            "tokens": list(self.tokens),
            "references": [list(reference) for reference in self.references],
            "reference_lengths": list(self.reference_lengths),
            "unmodified": list(self.unmodified),
            "logs": list(self.logs),
            "orders": [[gram.to_dict() for gram in grams] for grams in self.orders],
        }

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        return showing.segment(self)


class Cost(Frozen):
    """What keeps a score from 100.

    Attributes
    ----------
    name : str
        ``order 1``, ``order 2``, ..., ``brevity penalty``; or an n-gram.
    points : float
        On the scale of 0 to 100.
    missed : int
        How many n-grams of the hypotheses did not match, or tokens are missing.
    """

    __slots__ = ("missed", "name", "points")
    missed: int
    name: str
    points: float

    def __init__(self, name: str, points: float, missed: int) -> None:
        """Keep the facts."""
        for attribute, value in (("name", name), ("points", points), ("missed", missed)):
            object.__setattr__(self, attribute, value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {"name": self.name, "points": self.points, "missed": self.missed}


class CorpusExplanation(Shown):
    """How a corpus came to its score. Made by :func:`explain`.

    Attributes
    ----------
    score : BleuScore
    costs : tuple of Cost
        The orders and the brevity penalty; their points add up to 100 minus the score. Each gets
        the share that its weighted logarithm has in the logarithm of the score.
    ngrams : tuple of Cost
        The n-grams that cost most: by how much the score would rise if all their misses had been
        matches. At most 20.
    influence : tuple of float
        For each segment the exact change of the score if it is left out.
    """

    __slots__ = ("costs", "influence", "ngrams", "score")
    costs: tuple[Cost, ...]
    influence: tuple[float, ...]
    ngrams: tuple[Cost, ...]
    score: BleuScore

    def __init__(
        self,
        score: BleuScore,
        ngrams: tuple[Cost, ...],
        influence: tuple[float, ...],
    ) -> None:
        """Keep the facts; see the class."""
        values = {
            "costs": _costs(score),
            "influence": influence,
            "ngrams": ngrams,
            "score": score,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            **self.score.to_dict(),
            "costs": [cost.to_dict() for cost in self.costs],
            "ngrams": [cost.to_dict() for cost in self.ngrams],
            "influence": list(self.influence),
        }

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        return showing.corpus(self)


def explain(
    hypotheses: str | Iterable[Any],
    references: Any = None,
    *,
    reference_streams: Iterable[Iterable[Any]] | None = None,
    **settings: Unpack[BleuSettings],
) -> SegmentExplanation | CorpusExplanation:
    """Show how a score comes about.

    Parameters
    ----------
    hypotheses : str, or iterable
        One segment, or a corpus. Under ``tokenizer=None`` a list of tokens is one segment.
    references : str or sequence of str, or iterable
        Of the segment: the reference, or all references. Of a corpus: as
        :func:`truebleu.corpus_bleu` takes them.
    reference_streams : iterable of iterables, optional
        For a corpus, instead of `references`.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    SegmentExplanation
        If `hypotheses` is one segment.
    CorpusExplanation
        Else.

    Raises
    ------
    LengthMismatchError, EmptyInputError, InputTypeError, SettingsError
        As those two functions.
    """
    bleu = Bleu(**settings)
    if isinstance(hypotheses, str) or _is_tokens(hypotheses, settings):
        score = bleu.sentence(hypotheses, references)
        return SegmentExplanation(score, *_split(bleu, hypotheses, references))
    bleu = bleu.for_corpora
    own, others = inputs.segments(hypotheses, references, reference_streams)
    stats = bleu.stats(own, others)
    score = bleu.score(stats)
    total = stats.sum().to_numpy()[0]
    without = bleu.scores(type(stats).from_numpy(total - stats.to_numpy(), stats))
    influence = [each - score.score for each in without]
    return CorpusExplanation(score, _expensive(bleu, own, others, score, total), tuple(influence))


def _is_tokens(hypotheses: Any, settings: Mapping[str, Any]) -> bool:
    """Whether this is one segment of ready tokens, and not a corpus."""
    if settings.get("tokenizer", "13a") is not None or not isinstance(hypotheses, list | tuple):
        return False
    return bool(hypotheses) and isinstance(hypotheses[0], str | int)


def _split(bleu: Bleu, hypothesis: Any, references: Any) -> tuple[Gram, tuple[Gram, ...]]:
    """Return the tokens of a segment and of each of its references."""
    if bleu._counting.tokenization.name == "pretokenized":
        several = numbering.references_of(references, "references")
        # As they were counted: an element of an array may not be hashable.
        own, *others = (tuple(numbering.tokens_of(tokens)) for tokens in (hypothesis, *several))
        return own, tuple(others)
    split = bleu._counting.tokens
    several = [references] if isinstance(references, str) else references
    return (
        tuple(split(hypothesis)),
        tuple(tuple(split(text)) for text in several if text is not None),
    )


def ngrams(tokens: Sequence[Any], order: int) -> list[Gram]:
    """List the n-grams of a sequence of tokens."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def _costs(score: BleuScore) -> tuple[Cost, ...]:
    penalty = score.brevity_penalty
    logs = [*score.logs, log(penalty) if penalty else float("-inf")]
    names = [f"order {order}" for order in range(1, len(logs))] + ["brevity penalty"]
    missed = [total - count for count, total in zip(score.counts, score.totals, strict=True)] + [
        max(0, score.ref_len - score.hyp_len)
    ]
    endless = logs.count(float("-inf"))
    gap = 100 - score.score
    if endless:
        # What makes the score 0 has cost everything.
        shares = [1 / endless if each == float("-inf") else 0.0 for each in logs]
    else:
        whole = sum(logs)
        shares = [each / whole if each else 0.0 for each in logs]
    return tuple(
        Cost(name, gap * share, count)
        for name, share, count in zip(names, shares, missed, strict=True)
    )


def _expensive(
    bleu: Bleu, hypotheses: list[Any], references: list[Any], score: BleuScore, total: Any
) -> tuple[Cost, ...]:
    """Find the n-grams that would raise the score most if they had matched."""
    missed: Counter[Gram] = Counter()
    for hypothesis, several in zip(hypotheses, references, strict=True):
        own, others = _split(bleu, hypothesis, several)
        for order in range(1, len(score.counts) + 1):
            known: Counter[Gram] = Counter()
            for other in others:
                known |= Counter(ngrams(other, order))
            missed.update(Counter(ngrams(own, order)) - known)
    found = []
    for gram, count in missed.items():
        row = total.copy()
        row[1 + len(gram)] += count
        found.append((bleu.parts(row.astype("<i8").tobytes())[0][0] - score.score, count, gram))
    found.sort(key=lambda each: (-each[0], -each[1], list(map(str, each[2]))))
    return tuple(
        Cost(" ".join(map(str, gram)), points, count) for points, count, gram in found[:20]
    )
