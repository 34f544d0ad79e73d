"""NLTK's BLEU and chrF, counted by the core.

Smoothing functions, brevity penalties, weights and formulas are NLTK's: its functions run, and only
what they call to count n-grams is answered here, in copies of their global names.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import chain
from struct import Struct

from nltk.translate import bleu_score, chrf_score

from truebleu.compat import mistakes
from truebleu.compat.seams import Seam, answered, unchanged
from truebleu.errors import InputTypeError, TruebleuError
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.corpora import Corpora

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LISTS = (list, tuple)


@lru_cache(32)
def _bleu(max_order: int) -> Bleu:
    return Bleu(
        tokenizer="pretokenized", max_order=max_order, smoothing="none", phantom_ngrams=True
    )


class Counted:
    """The clipped counts of the n-grams of a segment, and how many it has."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int, denominator: int) -> None:
        self.numerator, self.denominator = numerator, denominator


class Ngrams:
    """How many n-grams a text has; ``&`` is how many it shares with its hypothesis."""

    __slots__ = ("_number", "_shared")

    def __init__(self, number: int, shared: int = 0) -> None:
        self._number, self._shared = number, shared

    def __and__(self, other: object) -> Ngrams:
        return Ngrams(self._shared)

    def values(self) -> tuple[int]:
        """Return the numbers of each n-gram: their sum as one."""
        return (self._number,)


def corpus_bleu(original: Any) -> Callable[..., Any]:
    """Return what answers `corpus_bleu`, which `sentence_bleu` calls."""

    def corpus_bleu(
        list_of_references: Any,
        hypotheses: Any,
        weights: Any,
        smoothing_function: Any,
        auto_reweigh: Any,
    ) -> Any:
        given = list_of_references, hypotheses, weights, smoothing_function, auto_reweigh
        _look_at(list_of_references, hypotheses)
        rows = _rows_of_bleu(list_of_references, hypotheses, weights)
        if rows is None:
            return original(*given)
        order = len(rows[0]) // 2 - 1
        fractions = (
            Counted(row[1 + n], row[1 + order + n]) for row in rows for n in range(1, order + 1)
        )
        lengths = (row[1] for row in rows)
        counting: Any = answered(
            original,
            modified_precision=lambda *_: next(fractions),
            closest_ref_length=lambda *_: next(lengths),
        )
        return counting(*given)

    return corpus_bleu


def _rows_of_bleu(
    list_of_references: Any, hypotheses: Any, weights: Any
) -> list[tuple[int, ...]] | None:
    """Count the segments of a corpus; None where NLTK has to decide."""
    if not _unchanged() or not _are_tokens(list_of_references, hypotheses):
        return None
    texts = [*map(_listed, hypotheses)]
    references = [[*map(_listed, each)] for each in list_of_references]
    rows = []
    try:
        bleu = _bleu(_order_of(weights))
        unpack = Struct(f"<{bleu._row_width}q").unpack
        for pair in zip(texts, references, strict=True):
            score = bleu._core.sentence(bleu, *pair)
            if score is None:  # There are tokens that the core does not take.
                return None
            rows.append(unpack(score._parts[1]))
    except (LookupError, TypeError, TruebleuError):
        return None
    _look_at_all(bleu, references, texts)
    return rows


def _order_of(weights: Any) -> int:
    """Return the highest order of the weights, of which there may be several lists."""
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return len(weights)
    return max(map(len, weights))


def _listed(tokens: Any) -> list[Any]:
    return tokens if type(tokens) is list else list(tokens)


def corpus_chrf(original: Any) -> Callable[..., Any]:
    """Return what answers `corpus_chrf`, which `sentence_chrf` calls."""
    score: Any = answered(
        chrf_score.chrf_precision_recall_fscore_support, Counter=_same, ngrams=lambda text, _: text
    )

    def support(row: tuple[int, ...], _: Any, n: int, beta: Any) -> Any:
        hypothesis, reference, shared = row[3 * n - 3 : 3 * n]
        return score(Ngrams(reference, shared), Ngrams(hypothesis), n, beta)

    counting: Any = answered(
        original, _preprocess=lambda row, _: row, chrf_precision_recall_fscore_support=support
    )

    def corpus_chrf(
        references: Any,
        hypotheses: Any,
        min_len: Any,
        max_len: Any,
        beta: Any,
        ignore_whitespace: Any,
    ) -> Any:
        how = min_len, max_len, beta, ignore_whitespace
        rows = _rows_of_chrf(references, hypotheses, *how)
        if rows is None:
            return original(references, hypotheses, *how)
        return counting(rows, rows, *how)

    return corpus_chrf


def _rows_of_chrf(
    references: Any, hypotheses: Any, least: Any, most: Any, _: Any, ignore_whitespace: Any
) -> list[tuple[int, ...]] | None:
    """Count the segments of a corpus; None where NLTK has to decide."""
    known = _unchanged() and type(least) is type(most) is int and 1 <= least <= most
    if not known or not all(isinstance(each, _LISTS) for each in (references, hypotheses)):
        return None
    try:
        chrf = Chrf(char_order=most, whitespace=True)
        texts, others = (
            [chrf_score._preprocess(text, ignore_whitespace) for text in each]
            for each in (hypotheses, references)
        )
        [stats] = chrf._count(Corpora([texts], others), each=True)
    except (AttributeError, TypeError, ValueError, TruebleuError):
        return None
    return [*Struct(f"<{3 * most}q").iter_unpack(stats.data)]


def _same(ngrams: Any, *_: object) -> Any:
    return ngrams


# A program that has replaced one of these, for which the core stands, gets what it has put there.
_unchanged = unchanged(
    (bleu_score, "modified_precision closest_ref_length Counter ngrams"),
    (chrf_score, "_preprocess chrf_precision_recall_fscore_support Counter ngrams"),
)


def _are_tokens(list_of_references: Any, hypotheses: Any) -> bool:
    """Whether a corpus is of lists, which can be read more than once."""
    return (
        isinstance(hypotheses, _LISTS)
        and isinstance(list_of_references, _LISTS)
        and len(hypotheses) == len(list_of_references) > 0
        and {*map(type, chain(hypotheses, list_of_references, *list_of_references))} <= _TOKENS
        and all(list_of_references)
    )


_TOKENS = {list, tuple, str}

# What NLTK does not say.

say = partial(mistakes.say, "nltk")


def _look_at(list_of_references: Any, hypotheses: Any) -> None:
    """Look at the first segment."""
    try:
        references, hypothesis = list_of_references[0], hypotheses[0]
        reference = references[0]
    except (IndexError, KeyError, TypeError):
        return
    if isinstance(reference, str) and hypothesis and isinstance(hypothesis[0], _LISTS):
        say(
            "order",
            "the tokens of the hypothesis are lists; references come first here, and the "
            "hypothesis second",
            InputTypeError,
        )
    elif isinstance(hypothesis, str):
        say(
            "hypothesis",
            "the hypothesis is a str, so its characters count as tokens; pass a list of tokens, "
            "such as hypothesis.split()",
            InputTypeError,
        )
    elif isinstance(reference, str):
        say(
            "references",
            "a reference is a str, so its characters count as tokens; pass a list of references, "
            "each a list of tokens, such as [reference.split()]",
            InputTypeError,
        )


def _look_at_all(bleu: Bleu, list_of_references: Any, hypotheses: Any) -> None:
    """Look at all references of a corpus."""
    mistakes.check_empty("nltk", list_of_references, "leave out those that are missing")
    _look_at_text(list_of_references, hypotheses)
    mistakes.check_layout(
        "nltk", list_of_references, lambda each: bleu.corpus(hypotheses, each).fraction
    )


def _look_at_text(list_of_references: Any, hypotheses: Any) -> None:
    """Look at a sample of tokens as text, of which they were made."""
    step = len(hypotheses) // mistakes.SAMPLE | 1
    try:
        texts = [" ".join(tokens) for tokens in hypotheses[::step]]
        others = [[" ".join(tokens) for tokens in each] for each in list_of_references[::step]]
    except TypeError:
        return  # They are numbers.
    mistakes.check_text("nltk", texts, others, Bleu(tokenizer="none"))


SEAMS = [
    Seam(
        bleu_score,
        "corpus_bleu",
        "list_of_references hypotheses weights smoothing_function auto_reweigh",
        "zip modified_precision numerator denominator closest_ref_length",
        corpus_bleu,
    ),
    Seam(
        chrf_score,
        "corpus_chrf",
        "references hypotheses min_len max_len beta ignore_whitespace",
        "zip _preprocess chrf_precision_recall_fscore_support",
        corpus_chrf,
    ),
    Seam(
        bleu_score,
        "sentence_bleu",
        "references hypothesis weights smoothing_function auto_reweigh",
        "corpus_bleu",
    ),
    Seam(bleu_score, "modified_precision", "references hypothesis n"),
    Seam(bleu_score, "closest_ref_length", "references hyp_len"),
    Seam(chrf_score, "_preprocess", "sent ignore_whitespace"),
    Seam(
        chrf_score,
        "chrf_precision_recall_fscore_support",
        "reference hypothesis n beta epsilon",
        "Counter ngrams sum values",
    ),
]
"""What is answered here, and what is only looked at, since the core counts in its place."""
