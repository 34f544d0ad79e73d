"""Lengths, matches and totals of tokens, as NLTK counts them, and its fractions."""

from __future__ import annotations

import fractions
import struct
import sys
from collections import Counter
from functools import lru_cache
from typing import Any, SupportsIndex

from truebleu.compat.errors import NoReferenceError, NotAWholeNumberError
from truebleu.errors import EmptyInputError, InputTypeError, written
from truebleu.inputs.ragged import RAW
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.settings import LARGEST_ORDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Fraction(fractions.Fraction):
    """A fraction that is not reduced: 2/4 means that two of four n-grams match."""

    _normalize: bool
    _given: tuple[Any, Any]

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Keep the numbers as they are unless `_normalize` is set."""
        options = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        made: Fraction = super().__new__(cls, numerator, denominator, **options)
        made._normalize = _normalize
        made._given = numerator, denominator
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the numbers as given; the base class would reduce them."""
        return type(self), (*self._given, self._normalize)

    def __deepcopy__(self, memo: Any = None) -> Fraction:
        return self

    __copy__ = __deepcopy__

    @property
    def numerator(self) -> Any:
        """The numerator as given."""
        return super().numerator if self._normalize else self._given[0]

    @property
    def denominator(self) -> Any:
        """The denominator as given."""
        return super().denominator if self._normalize else self._given[1]


def count_corpus(
    list_of_references: Any, hypotheses: Any, order: int
) -> tuple[int, int, Sequence[int], Sequence[int]]:
    """Return the lengths of hypotheses and references, and the matches and totals of each order.

    The total of a segment is at least 1 for every order, however short the segment.
    """
    if not 1 <= order <= LARGEST_ORDER:
        return _count_slowly(list_of_references, hypotheses, order)
    # Most are lists, which need no call.
    tokens = [each if type(each) is list else _tokens(each) for each in hypotheses]
    reference_tokens = [
        [each if type(each) is list else _tokens(each) for each in references]
        for references in list_of_references
    ]
    threads = 1 if len(tokens) == 1 else None
    try:
        rows, *_ = counter(order)._count_rows(tokens, reference_tokens, None, threads, each=False)
    except EmptyInputError as error:
        raise NoReferenceError(str(error)) from error
    row = struct.unpack(f"<{2 + 2 * order}q", rows)
    return row[0], row[1], row[2 : 2 + order], row[2 + order :]


def _tokens(segment: Any) -> Any:
    """Return a hypothesis or a reference as the core takes it."""
    if isinstance(segment, RAW):
        # NLTK treats a str as a sequence of characters, and bytes as a sequence of numbers.
        return list(segment)
    if not hasattr(segment, "__len__"):
        raise InputTypeError(
            f"a hypothesis or reference is of type {type(segment).__name__} ({written(segment)}); "
            "a list of tokens is needed, and a list of references for each hypothesis"
        )
    return segment


@lru_cache(16)
def counter(order: int) -> Bleu:
    """Return what counts up to an order as NLTK does."""
    return Bleu(tokenizer="pretokenized", max_order=order, smoothing="none", phantom_ngrams=True)


def _count_slowly(
    list_of_references: Any, hypotheses: Any, order: int
) -> tuple[int, int, Sequence[int], Sequence[int]]:
    """Count orders that the core does not support."""
    matches, totals = [0] * order, [0] * order
    hyp_len = ref_len = 0
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        for n in range(order):
            precision = modified_precision(references, hypothesis, n + 1)
            matches[n] += precision.numerator
            totals[n] += precision.denominator
        hyp_len += len(hypothesis)
        ref_len += closest_ref_length(references, len(hypothesis))
    return hyp_len, ref_len, matches, totals


def modified_precision(
    references: Sequence[Sequence[Any]], hypothesis: Sequence[Any], n: int
) -> Fraction:
    """Compute the modified precision of one order.

    Returns
    -------
    Fraction
        Clipped matches over n-grams of the hypothesis, not reduced; 0/1 if there are no n-grams.

    Raises
    ------
    NotAWholeNumberError
        If there is no such order; also a ValueError and a TypeError.
    """
    if not isinstance(n, SupportsIndex) or n.__index__() < 1:
        raise NotAWholeNumberError(f"n is {written(n)}; a whole number from 1 up is needed")
    ngrams = count_ngrams(hypothesis, n)
    maxima: Counter[tuple[Any, ...]] = Counter()
    for reference in references:
        maxima |= count_ngrams(reference, n)
    return Fraction((ngrams & maxima).total(), max(1, ngrams.total()))


def ngrams(
    sequence: Iterable[Any],
    n: int,
    pad_left: bool = False,
    pad_right: bool = False,
    left_pad_symbol: Any = None,
    right_pad_symbol: Any = None,
) -> Iterator[tuple[Any, ...]]:
    """Yield the n-grams of one order; with padding, every item is part of n of them."""
    left = [left_pad_symbol] * (n - 1) if pad_left else []
    right = [right_pad_symbol] * (n - 1) if pad_right else []
    items = [*left, *sequence, *right]
    return (tuple(items[start : start + n]) for start in range(len(items) - n + 1))


def count_ngrams(tokens: Sequence[Any], n: int) -> Counter[tuple[Any, ...]]:
    """Count the n-grams of one order."""
    if n > len(tokens):
        return Counter()
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def closest_ref_length(references: Sequence[Sequence[Any]], hyp_len: int) -> int:
    """Return the reference length closest to `hyp_len`; of two equally close ones, the shorter."""
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))
