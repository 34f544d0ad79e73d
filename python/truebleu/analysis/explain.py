"""From text to number, step by step, for one segment and for a corpus."""

from __future__ import annotations

from collections import Counter

from truebleu.analysis.explain_corpus import CorpusExplanation, Cost
from truebleu.analysis.explain_segment import SegmentExplanation, ngrams
from truebleu.inputs import sequences, token_ids
from truebleu.metrics.bleu import Bleu

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

    Gram = tuple[Any, ...]


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
    own, others = sequences.segments(hypotheses, references, reference_streams)
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
        several = token_ids.references_of(references, "references")
        # As they were counted: an element of an array may not be hashable.
        own, *others = (tuple(token_ids.tokens_of(tokens)) for tokens in (hypothesis, *several))
        return own, tuple(others)
    split = bleu._counting.tokens
    several = [references] if isinstance(references, str) else references
    return (
        tuple(split(hypothesis)),
        tuple(tuple(split(text)) for text in several if text is not None),
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
