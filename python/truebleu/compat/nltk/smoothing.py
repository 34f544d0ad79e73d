"""NLTK's smoothing methods, and the scores of sentences that the core computes under them."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

from truebleu.compat.described import Described
from truebleu.compat.nltk.counts import Fraction, counter, modified_precision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Smoothing = Callable[..., Sequence[Any]]


class SmoothingFunction(Described):
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
                _warn_of_zero(order)
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
        self, p_n: list[Any], references: Any, hypothesis: Any, hyp_len: Any = None, **_: Any
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
        hyp_len: Any = None,
        following: Any = None,
        **_: Any,
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
        self, p_n: list[Any], references: Any, hypothesis: Any, hyp_len: Any = None, **_: Any
    ) -> list[Any]:
        """Interpolate with a prior estimated from the two orders below; changes `p_n`."""
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
        """Apply method 4, then method 5; changes `p_n`."""
        p_n = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(p_n, references, hypothesis, hyp_len, **more)


# These change nothing if every order has a match. A program may put another method in place of one.
_ONLY_ZEROS = {
    vars(SmoothingFunction)[name]: name for name in ("method0", "method1", "method3", "method4")
}

_in_core = counter(4)._core.nltk_sentence


def score_in_core(hypothesis: Any, references: Any, smoothing: Smoothing | None) -> float | None:
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


def _warn_of_zero(order: int) -> None:
    warnings.warn(
        f"\nThe hypothesis contains 0 counts of {order}-gram overlaps.\n"
        "Therefore the BLEU score evaluates to 0, independently of\n"
        "how many N-gram overlaps of lower order it contains.\n"
        "Consider using lower n-gram order or use SmoothingFunction()",
        stacklevel=2,
    )
