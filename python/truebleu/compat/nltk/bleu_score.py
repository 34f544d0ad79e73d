"""NLTK 3.10's BLEU in a module of the same name; what programs replace in it is called."""

from __future__ import annotations

import fractions
import math
import struct
import sys
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction as _Fraction  # noqa: F401  # NLTK has it, too.
from functools import lru_cache, reduce
from itertools import chain, islice
from operator import or_
from typing import Any, SupportsIndex

from truebleu.compat import faithful
from truebleu.compat.described import Described
from truebleu.compat.errors import (
    NoCorpusError,
    NoReferenceError,
    NotAWholeNumberError,
    SegmentCountError,
)
from truebleu.compat.watched import Watched, is_unchanged, watch
from truebleu.errors import EmptyInputError, InputTypeError, TruebleuError, written
from truebleu.inputs.checks import check_layout, is_square
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.settings import LARGEST_ORDER

Smoothing = Callable[..., Sequence[Any]]
# The lengths of hypotheses and references, and the matches and totals of each order.
Counts = tuple[int, int, Sequence[int], Sequence[int]]

_DEFAULT_WEIGHTS = (0.25, 0.25, 0.25, 0.25)


class Fraction(fractions.Fraction):
    """A fraction that is not reduced: 2/4 means that two of four n-grams match."""

    _normalize: bool
    _original_numerator: Any
    _original_denominator: Any

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Keep the numbers as they are unless `_normalize` is set."""
        options = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        made: Fraction = super().__new__(cls, numerator, denominator, **options)
        made._normalize = _normalize
        made._original_numerator = numerator
        made._original_denominator = denominator
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the numbers as given; the base class would reduce them."""
        given = self._original_numerator, self._original_denominator, self._normalize
        return type(self), given

    def __deepcopy__(self, memo: Any = None) -> Fraction:
        return self

    __copy__ = __deepcopy__

    @property
    def numerator(self) -> Any:
        """The numerator as given."""
        return super().numerator if self._normalize else self._original_numerator

    @property
    def denominator(self) -> Any:
        """The denominator as given."""
        return super().denominator if self._normalize else self._original_denominator


def sentence_bleu(
    references: Sequence[Sequence[Any]],
    hypothesis: Sequence[Any],
    weights: Any = _DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a sentence of tokens; see :func:`corpus_bleu`."""
    if weights is _DEFAULT_WEIGHTS and not auto_reweigh and is_unchanged(__name__):
        score = _score_in_core(hypothesis, references, smoothing_function)
        if score is not None:
            return score
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    weights: Any = _DEFAULT_WEIGHTS,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a corpus of tokens.

    Parameters
    ----------
    list_of_references : sequence of sequences of sequences of tokens
        The references of each hypothesis. Tokens may be any hashable objects.
    hypotheses : sequence of sequences of tokens
    weights : sequence of float, or of sequences of float
        The weight of each order, from order 1 on; several lists of weights give several scores.
    smoothing_function : callable, optional
        Such as a method of :class:`SmoothingFunction`.
    auto_reweigh : bool, default False
        If the hypotheses have fewer than 4 tokens in total, replace the default weights by uniform
        weights up to that length.

    Returns
    -------
    float, or list of float
        From 0 to 1; the int 0 if no unigram matches.

    Raises
    ------
    SegmentCountError
        If references and hypotheses differ in number; also an AssertionError.
    NoCorpusError
        If the corpus is empty; also a ZeroDivisionError.
    NoReferenceError
        If a segment has no reference; also a KeyError.
    """
    if len(list_of_references) != len(hypotheses):
        raise SegmentCountError(
            "The number of hypotheses and their reference(s) should be the same, but there are "
            f"{len(hypotheses):,} and {len(list_of_references):,}"
        )
    if weights is _DEFAULT_WEIGHTS or not _are_several(weights):
        weights = (weights,)
    order = max(map(len, weights))
    if not len(hypotheses):
        if order:
            raise NoCorpusError("there is no hypothesis to score")
        return 0 if len(weights) == 1 else [0] * len(weights)
    # What is false is none in the original.
    smooth = smoothing_function or SmoothingFunction().method0
    fixed = getattr(getattr(smooth, "__self__", None), "fixed", False)
    all_references, texts = list(list_of_references), list(hypotheses)
    hyp_len, ref_len, matches, totals = _count(all_references, texts, order + 1 if fixed else order)
    penalty = brevity_penalty(ref_len, hyp_len)
    p_n = [Fraction(*each) for each in zip(matches[:order], totals[:order], strict=True)]
    if not order or matches[0] == 0:
        return 0 if len(weights) == 1 else [0] * len(weights)
    precisions = smooth(
        p_n,
        references=all_references[-1],
        hypothesis=texts[-1],
        hyp_len=hyp_len,
        **({"following": Fraction(matches[order], totals[order])} if fixed else {}),
    )
    scores = []
    for weight in weights:
        if auto_reweigh and hyp_len < 4 and weight == _DEFAULT_WEIGHTS:
            weight = (1 / hyp_len,) * hyp_len  # noqa: PLW2901
        logs = [
            share * math.log(precision)
            for share, precision in zip(weight, precisions, strict=False)
            if precision > 0
        ]
        scores.append(penalty * math.exp(math.fsum(logs)))
    return scores[0] if len(weights) == 1 else scores


def _are_several(weights: Any) -> bool:
    try:
        weights[0][0]
    except (TypeError, IndexError):
        return False
    return True


def _count(list_of_references: list[Any], hypotheses: list[Any], order: int) -> Counts:
    """Count a corpus; the total of a segment is at least 1 for every order, however short it is."""
    if not 1 <= order <= LARGEST_ORDER or not is_unchanged(__name__):
        return _count_slowly(list_of_references, hypotheses, order)
    try:
        # Most are lists, which need no call.
        tokens = [each if type(each) is list else _tokens(each) for each in hypotheses]
        reference_tokens = [
            [each if type(each) is list else _tokens(each) for each in references]
            for references in list_of_references
        ]
        threads = 1 if len(tokens) == 1 else None
        counter = _counter(order)
        rows, *_ = counter._count_rows(tokens, reference_tokens, None, threads, each=False)
        if is_square(reference_tokens):
            transposed = list(zip(*reference_tokens, strict=True))
            other, *_ = counter._count_rows(tokens, transposed, None, threads, each=False)
            score, better = (counter._make_score(each, None).fraction for each in (rows, other))
            check_layout(score, better, len(tokens), "NLTK")
    except TruebleuError as error:
        if isinstance(error, EmptyInputError):
            error = NoReferenceError(str(error))
        with faithful.accepting("NLTK", error):
            return _count_slowly(list_of_references, hypotheses, order)
    row = struct.unpack(f"<{2 + 2 * order}q", rows)
    return row[0], row[1], row[2 : 2 + order], row[2 + order :]


def _tokens(segment: Any) -> list[Any]:
    """Return a hypothesis or a reference as the core takes it; NLTK takes all that has a length."""
    if not hasattr(segment, "__len__"):
        raise InputTypeError(
            f"a hypothesis or reference is of type {type(segment).__name__} ({written(segment)}); "
            "a list of tokens is needed, and a list of references for each hypothesis"
        )
    return list(segment)


@lru_cache(16)
def _counter(order: int) -> Bleu:
    """Return what counts up to an order as NLTK does."""
    return Bleu(tokenizer="pretokenized", max_order=order, smoothing="none", phantom_ngrams=True)


def _count_slowly(list_of_references: list[Any], hypotheses: list[Any], order: int) -> Counts:
    """Count with the functions of this module, of which a program may have replaced some."""
    matches, totals = [0] * order, [0] * order
    hyp_len = ref_len = 0
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        for n in range(order):
            precision = modified_precision(references, hypothesis, n + 1)
            matches[n] += precision.numerator
            totals[n] += precision.denominator
        length = len(hypothesis)
        hyp_len += length
        ref_len += closest_ref_length(references, length)
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
    NoReferenceError
        If there is no reference; also a KeyError.
    """
    if isinstance(n, SupportsIndex) and n.__index__() >= 1:
        return _clipped(references, hypothesis, n)
    error = NotAWholeNumberError(f"n is {written(n)}; a whole number from 1 up is needed")
    with faithful.accepting("NLTK", error):
        return _clipped(references, hypothesis, n)


def _clipped(references: Iterable[Sequence[Any]], hypothesis: Sequence[Any], n: int) -> Fraction:
    found = _counted(hypothesis, n)
    several = [_counted(reference, n) for reference in references]
    if found and not several:
        raise NoReferenceError("the hypothesis has no reference")
    matches = (found & reduce(or_, several, Counter())).total()
    return Fraction(matches, max(1, found.total()))


def _counted(tokens: Sequence[Any], n: int) -> Counter[Any]:
    return Counter(ngrams(tokens, n)) if len(tokens) >= n else Counter()


def ngrams(
    sequence: Iterable[Any],
    n: int,
    pad_left: bool = False,
    pad_right: bool = False,
    left_pad_symbol: Any = None,
    right_pad_symbol: Any = None,
) -> Iterator[tuple[Any, ...]]:
    """Yield the n-grams of one order; with padding, every item is part of n of them."""
    left, right = (
        (symbol,) * (n - 1) if pad else ()
        for pad, symbol in ((pad_left, left_pad_symbol), (pad_right, right_pad_symbol))
    )
    items = chain(left, sequence, right)
    window = deque(islice(items, n), maxlen=n)
    if len(window) == n:
        yield tuple(window)
    for item in items:
        window.append(item)
        yield tuple(window)


def closest_ref_length(references: Sequence[Sequence[Any]], hyp_len: int) -> int:
    """Return the reference length closest to `hyp_len`; of two equally close ones, the shorter."""
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the brevity penalty; the int 1 or 0 where no exponential is needed."""
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


class SmoothingFunction(Described, metaclass=Watched):
    """The smoothing methods of Chen and Cherry (2014), as implemented in NLTK.

    Parameters
    ----------
    epsilon : float, default 0.1
        The parameter of method 1.
    alpha : float, default 5
        The parameter of method 6.
    k : float, default 5
        The parameter of method 4.
    fixed : bool, default False
        Correct NLTK's defects: methods 5 to 7 look only at the last segment of a corpus, method 5
        always uses order 5 as the next order, and method 6 requires a matching trigram instead of
        a matching bigram.
    """

    def __init__(
        self, epsilon: float = 0.1, alpha: float = 5, k: float = 5, *, fixed: bool = False
    ) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k
        self.fixed = fixed

    def method0(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Do not smooth; replace 0 by the smallest positive float, with a warning."""
        smoothed = []
        for order, precision in enumerate(p_n, 1):
            if precision.numerator == 0:
                warnings.warn(
                    f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
                    "Therefore the BLEU score evaluates to 0, independently of\n"
                    "how many N-gram overlaps of lower order it contains.\n"
                    "Consider using lower n-gram order or use SmoothingFunction()",
                    stacklevel=1,
                )
                precision = sys.float_info.min  # noqa: PLW2901
            smoothed.append(precision)
        return smoothed

    def method1(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Count `epsilon` matches in orders without a match."""
        return [
            (each.numerator + self.epsilon) / each.denominator if each.numerator == 0 else each
            for each in p_n
        ]

    def method2(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Add 1 to the matches and totals of orders above 1."""
        return [
            Fraction(each.numerator + 1, each.denominator + 1) if n else each
            for n, each in enumerate(p_n)
        ]

    def method3(self, p_n: list[Any], *_: Any, **__: Any) -> list[Any]:
        """Count 1/2, 1/4, 1/8, ... of a match in orders without one; changes `p_n`."""
        halvings = 1
        for n, each in enumerate(p_n):
            if each.numerator == 0:
                p_n[n] = 1 / (2**halvings * each.denominator)
                halvings += 1
        return p_n

    def method4(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: Any = None,
        *_: Any,
        **__: Any,
    ) -> list[Any]:
        """Do as method 3, but count less for shorter hypotheses; changes `p_n`."""
        length = hyp_len or len(hypothesis)
        halvings = 1
        for n, each in enumerate(p_n):
            if each.numerator == 0 and length > 1:
                count = 1 / (2**halvings * self.k / math.log(length))
                p_n[n] = count / each.denominator
                halvings += 1
        return p_n

    def method5(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        *_: Any,
        following: Any = None,
        **__: Any,
    ) -> list[Any]:
        """Average each precision with its two neighbors; changes `p_n`."""
        if following is None:
            order = len(p_n) + 1 if self.fixed else 5
            following = modified_precision(references, hypothesis, order)
        last = p_n[0] + 1
        for n, (each, after) in enumerate(zip(p_n, [*p_n[1:], following], strict=True)):
            last = p_n[n] = (last + each + after) / 3
        return p_n

    def method6(
        self, p_n: list[Any], references: Any, hypothesis: Any, *_: Any, **__: Any
    ) -> list[Any]:
        """Interpolate with a prior estimated from the two orders below; changes `p_n`."""
        needed = p_n[1] if self.fixed else p_n[2]
        if not needed:
            raise AssertionError("This smoothing method requires non-zero precision for bigrams.")
        for n in range(2, len(p_n)):
            prior = 0 if p_n[n - 2] == 0 else p_n[n - 1] ** 2 / p_n[n - 2]
            total = p_n[n].denominator if self.fixed else sum(1 for _ in ngrams(hypothesis, n + 1))
            p_n[n] = (p_n[n].numerator + self.alpha * prior) / (total + self.alpha)
        return p_n

    def method7(
        self,
        p_n: list[Any],
        references: Any,
        hypothesis: Any,
        hyp_len: Any = None,
        *_: Any,
        **more: Any,
    ) -> list[Any]:
        """Apply method 4, then method 5; changes `p_n`."""
        p_n = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(p_n, references, hypothesis, hyp_len, **more)


# These change nothing if every order has a match. A program may put another method in place of one.
_ONLY_ZEROS = {
    vars(SmoothingFunction)[name]: name for name in ("method0", "method1", "method3", "method4")
}

_in_core = _counter(4)._core.nltk_sentence


def _score_in_core(hypothesis: Any, references: Any, smoothing: Smoothing | None) -> float | None:
    """Score a sentence with the default weights, or return None if the core cannot do that."""
    if smoothing is None:
        return _in_core(hypothesis, references, None)
    owner: Any = getattr(smoothing, "__self__", None)
    if type(owner) is not SmoothingFunction:
        return None
    name = _ONLY_ZEROS.get(smoothing.__func__)  # type: ignore[attr-defined]
    if name is None:
        return None
    return _in_core(hypothesis, references, owner.epsilon if name == "method1" else None)


watch(__name__)
