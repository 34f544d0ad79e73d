"""NLTK 3.10's BLEU, with the same names and the same numbers, on truebleu's core.

``from truebleu.compat.nltk import sentence_bleu, corpus_bleu, SmoothingFunction`` instead of the
same from ``nltk.translate.bleu_score``.
"""

from __future__ import annotations

import fractions
import math
import struct
import sys
import warnings
from collections import Counter
from functools import lru_cache
from typing import Any

from truebleu._core import brevity_penalty as core_brevity_penalty
from truebleu.compat.errors import NoCorpusError, NoReferenceError, SegmentCountError
from truebleu.errors import EmptyInputError
from truebleu.inputs.ragged import RAW
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.settings import LARGEST_ORDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Smoothing = Callable[..., Sequence[Any]]

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

_DEFAULT = (0.25, 0.25, 0.25, 0.25)


class Fraction(fractions.Fraction):
    """A fraction that is not reduced: 2/4 says that two of four n-grams match."""

    _normalize: bool
    _written: tuple[Any, Any]

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Keep the numbers as they are, unless told to reduce them."""
        how = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        made: Fraction = super().__new__(cls, numerator, denominator, **how)
        made._normalize = _normalize
        made._written = numerator, denominator
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the numbers as they were given; the base would reduce them."""
        return type(self), (*self._written, self._normalize)

    def __deepcopy__(self, memo: Any = None) -> Fraction:
        """Return itself: it never changes."""
        return self

    __copy__ = __deepcopy__

    @property
    def numerator(self) -> Any:
        """As it was given."""
        return super().numerator if self._normalize else self._written[0]

    @property
    def denominator(self) -> Any:
        """As it was given."""
        return super().denominator if self._normalize else self._written[1]


def sentence_bleu(
    references: Sequence[Sequence[Any]],
    hypothesis: Sequence[Any],
    weights: Any = _DEFAULT,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a sentence of tokens; see :func:`corpus_bleu`."""
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    weights: Any = _DEFAULT,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Score a corpus of tokens.

    Parameters
    ----------
    list_of_references, hypotheses : sequence
        For each hypothesis its references; tokens are anything that can be hashed.
    weights : sequence of float, or of sequences of float
        Of the orders from 1 on; several lists give several scores.
    smoothing_function : callable, optional
        Such as a method of :class:`SmoothingFunction`.
    auto_reweigh : bool, default False
        Spread the default weights over fewer orders if there are fewer than four tokens.

    Returns
    -------
    float, or list of float
        From 0 to 1; the int 0 if no word matches.

    Raises
    ------
    SegmentCountError
        If there are not as many of one as of the other; also an AssertionError.
    NoCorpusError, NoReferenceError
        If there is no segment, or no reference of one; also a ZeroDivisionError, or a KeyError.
    """
    if len(list_of_references) != len(hypotheses):
        raise SegmentCountError(
            "The number of hypotheses and their reference(s) should be the same, but there are "
            f"{len(hypotheses):,} and {len(list_of_references):,}"
        )
    if weights is _DEFAULT or not _are_several(weights):
        weights = (weights,)
    order = max(map(len, weights))
    if order and not len(hypotheses):
        raise NoCorpusError("there is no hypothesis to score")
    fixed = getattr(getattr(smoothing_function, "__self__", None), "fixed", False)
    hyp_len, ref_len, matches, totals = _count(
        list_of_references, hypotheses, order + 1 if fixed else order
    )
    if not matches or not matches[0]:
        return 0 if len(weights) == 1 else [0] * len(weights)
    precisions = _smoothed(smoothing_function, matches[:order], totals[:order], hyp_len)
    if precisions is None and smoothing_function is not None:
        more = {"following": Fraction(matches[order], totals[order])} if fixed else {}
        precisions = smoothing_function(
            [Fraction(*each) for each in zip(matches[:order], totals[:order], strict=True)],
            references=list_of_references[-1],
            hypothesis=hypotheses[-1],
            hyp_len=hyp_len,
            **more,
        )
    penalty = brevity_penalty(ref_len, hyp_len)
    scores = []
    for weight in weights:
        if auto_reweigh and hyp_len < 4 and weight == _DEFAULT:
            weight = (1 / hyp_len,) * hyp_len  # noqa: PLW2901
        logs = [
            share * math.log(precision)
            for share, precision in zip(weight, precisions or (), strict=False)
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


@lru_cache(16)
def _counter(order: int) -> Bleu:
    return Bleu(tokenizer=None, max_order=order, smoothing="none", phantom_ngrams=True)


def _count(
    list_of_references: Any, hypotheses: Any, order: int
) -> tuple[int, int, Sequence[int], Sequence[int]]:
    """Return the lengths, and for each order matches and n-grams, at least one in a segment."""
    if not 1 <= order <= LARGEST_ORDER:
        return _count_slowly(list_of_references, hypotheses, order)
    # NLTK takes a str for a sequence of letters, and bytes for one of numbers.
    own = [list(tokens) if isinstance(tokens, RAW) else tokens for tokens in hypotheses]
    others = [
        [list(tokens) if isinstance(tokens, RAW) else tokens for tokens in several]
        for several in list_of_references
    ]
    threads = 1 if len(own) == 1 else None
    try:
        rows, *_ = _counter(order)._counting.corpus(own, others, None, threads, each=False)
    except EmptyInputError as error:
        raise NoReferenceError(str(error)) from error
    row = struct.unpack(f"<{2 + 2 * order}q", rows)
    return row[0], row[1], row[2 : 2 + order], row[2 + order :]


def _count_slowly(
    list_of_references: Any, hypotheses: Any, order: int
) -> tuple[int, int, Sequence[int], Sequence[int]]:
    matches, totals = [0] * order, [0] * order
    lengths = [0, 0]
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        for n in range(order):
            precision = modified_precision(references, hypothesis, n + 1)
            matches[n] += precision.numerator
            totals[n] += precision.denominator
        lengths[0] += len(hypothesis)
        lengths[1] += closest_ref_length(references, len(hypothesis))
    return lengths[0], lengths[1], matches, totals


def _smoothed(
    smoothing: Smoothing | None, matches: Sequence[int], totals: Sequence[int], hyp_len: int
) -> Sequence[float] | None:
    """Smooth in floats where no fraction is needed; None for all other functions."""
    if all(matches) and smoothing is None:
        return [count / total for count, total in zip(matches, totals, strict=True)]
    owner: Any = getattr(smoothing, "__self__", None)
    if smoothing is not None and type(owner) is not SmoothingFunction:
        return None
    name = "method0" if smoothing is None else smoothing.__name__
    if name not in _IN_FLOATS:
        return None
    smoothed = []
    halvings = 1
    for n, (count, total) in enumerate(zip(matches, totals, strict=True)):
        if name == "method2":
            precision = (count + bool(n)) / (total + bool(n))
        elif count or (name == "method4" and hyp_len <= 1):
            precision = count / total
        elif name == "method0":
            _warn_of_zero(n + 1)
            precision = sys.float_info.min
        elif name == "method1":
            precision = owner.epsilon / total
        else:
            scale = owner.k / math.log(hyp_len) if name == "method4" else 1
            precision = 1 / (2**halvings * scale) / total
            halvings += 1
        smoothed.append(precision)
    return smoothed


_IN_FLOATS = {"method0", "method1", "method2", "method3", "method4"}


def modified_precision(
    references: Sequence[Sequence[Any]], hypothesis: Sequence[Any], n: int
) -> Fraction:
    """Count the n-grams of one order.

    Returns
    -------
    Fraction
        Clipped matches by n-grams of the hypothesis, not reduced; of nothing it is 0/1.
    """
    own = _ngrams(hypothesis, n)
    known: Counter[tuple[Any, ...]] = Counter()
    for reference in references:
        known |= _ngrams(reference, n)
    return Fraction((own & known).total(), max(1, own.total()))


def _ngrams(tokens: Sequence[Any], n: int) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def closest_ref_length(references: Sequence[Sequence[Any]], hyp_len: int) -> int:
    """Return the length of the reference that is closest; of two the shorter."""
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the brevity penalty; the int 1 or 0 where nothing is computed."""
    if hyp_len > closest_ref_len:
        return 1
    return core_brevity_penalty(hyp_len, closest_ref_len) if hyp_len else 0


def _warn_of_zero(order: int) -> None:
    warnings.warn(
        f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
        "Therefore the BLEU score evaluates to 0, independently of\n"
        "how many N-gram overlaps of lower order it contains.\n"
        "Consider using lower n-gram order or use SmoothingFunction()",
        stacklevel=2,
    )


class SmoothingFunction:
    """The smoothings of Chen and Cherry (2014), as NLTK has them.

    Parameters
    ----------
    epsilon : float, default 0.1
        Of method 1.
    alpha : float, default 5
        Of method 6.
    k : float, default 5
        Of method 4.
    fixed : bool, default False
        Compute what is meant. NLTK's methods 5 to 7 look at the last segment of a corpus only,
        method 5 always takes order 5 for the next order, and method 6 asks for trigrams where it
        means bigrams.
    """

    def __init__(
        self, epsilon: float = 0.1, alpha: float = 5, k: float = 5, *, fixed: bool = False
    ) -> None:
        """Keep the parameters."""
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k
        self.fixed = fixed

    def method0(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Do not smooth: 0 becomes the smallest float, with a warning."""
        smoothed = []
        for order, precision in enumerate(p_n, 1):
            if precision.numerator == 0:
                _warn_of_zero(order)
                precision = sys.float_info.min  # noqa: PLW2901
            smoothed.append(precision)
        return smoothed

    def method1(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Count epsilon matches where there are none."""
        return [
            (each.numerator + self.epsilon) / each.denominator if each.numerator == 0 else each
            for each in p_n
        ]

    def method2(self, p_n: Sequence[Any], *_: Any, **__: Any) -> list[Any]:
        """Add 1 to matches and n-grams above order 1."""
        return [
            Fraction(each.numerator + 1, each.denominator + 1) if n else each
            for n, each in enumerate(p_n)
        ]

    def method3(self, p_n: list[Any], *_: Any, **__: Any) -> list[Any]:
        """Count a half, a quarter, an eighth of a match where there is none; changes `p_n`."""
        halvings = 1
        for n, each in enumerate(p_n):
            if each.numerator == 0:
                p_n[n] = 1 / (2**halvings * each.denominator)
                halvings += 1
        return p_n

    def method4(
        self, p_n: list[Any], references: Any, hypothesis: Any, hyp_len: Any = None, **_: Any
    ) -> list[Any]:
        """Do as method 3, with less for short hypotheses; changes `p_n`."""
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
        hyp_len: Any = None,
        following: Any = None,
        **_: Any,
    ) -> list[Any]:
        """Average each precision with its neighbours; changes `p_n`."""
        if following is None:
            order = len(p_n) + 1 if self.fixed else 5
            following = modified_precision(references, hypothesis, order)
        last = p_n[0] + 1
        for n, (each, after) in enumerate(zip(p_n, [*p_n[1:], following], strict=True)):
            last = p_n[n] = (last + each + after) / 3
        return p_n

    def method6(
        self, p_n: list[Any], references: Any, hypothesis: Any, hyp_len: Any = None, **_: Any
    ) -> list[Any]:
        """Mix in what the two orders before would suggest; changes `p_n`."""
        needed = p_n[1] if self.fixed else p_n[2]
        if not needed:
            raise AssertionError("This smoothing method requires non-zero precision for bigrams.")
        for n in range(2, len(p_n)):
            prior = 0 if p_n[n - 2] == 0 else p_n[n - 1] ** 2 / p_n[n - 2]
            total = p_n[n].denominator if self.fixed else max(0, len(hypothesis) - n)
            p_n[n] = (p_n[n].numerator + self.alpha * prior) / (total + self.alpha)
        return p_n

    def method7(
        self, p_n: list[Any], references: Any, hypothesis: Any, hyp_len: Any = None, **more: Any
    ) -> list[Any]:
        """Do as method 4 and then as method 5; changes `p_n`."""
        p_n = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(p_n, references, hypothesis, hyp_len, **more)
