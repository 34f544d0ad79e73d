"""The parts of BLEU's definition, as functions of tokens and numbers, to learn or to teach it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from functools import reduce
from math import exp, fsum, log
from operator import or_

from truebleu._core import brevity_penalty as penalty
from truebleu.errors import EmptyInputError, InputTypeError, LengthMismatchError, wrong_type
from truebleu.inputs.ragged import RAW
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.explanation import ngrams_of
from truebleu.metrics.settings import number, order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, SupportsFloat, TypeVar

    Token = TypeVar("Token", bound=Hashable)


__all__ = [
    "brevity_penalty",
    "clipped_counts",
    "clipped_precision",
    "closest_reference_length",
    "geometric_mean",
    "ngram_counts",
]


def ngram_counts(tokens: Iterable[Token], n: int) -> Counter[tuple[Token, ...]]:
    r"""Count the n-grams of a text: all sequences of n tokens that follow one another.

    A text of :math:`m` tokens has :math:`\max(0, m - n + 1)` n-grams.

    Parameters
    ----------
    tokens : iterable of hashable
        Words, token IDs, or whatever else can be compared; not a str, which :func:`tokenize`
        splits.
    n : int
        From 1 to 1,000.

    Returns
    -------
    Counter
        How often each n-gram, a tuple of tokens, occurs, in the order in which they first occur.

    Raises
    ------
    InputTypeError
        If `tokens` is a str, or not iterable.
    SettingsError
        If `n` is not a whole number in its range.

    Examples
    --------
    >>> from truebleu.parts import ngram_counts
    >>> ngram_counts(["the", "cat", "the", "cat"], 2)
    Counter({('the', 'cat'): 2, ('cat', 'the'): 1})
    """
    return Counter(ngrams_of(_tokens(tokens, "tokens"), order("n", n)))


def clipped_counts(
    hypothesis: Iterable[Token], references: Iterable[Iterable[Token]], n: int
) -> Counter[tuple[Token, ...]]:
    r"""Count the n-grams of a hypothesis that its references confirm.

    An n-gram :math:`g` that occurs :math:`c(g)` times in the hypothesis and :math:`r_i(g)` times in
    reference :math:`i` counts

    .. math:: \min\bigl(c(g), \max_i r_i(g)\bigr)

    times (Papineni et al. 2002, https://aclanthology.org/P02-1040, section 2.1): no more often than
    in the reference that has it most, so that it does not pay to repeat a word.

    Parameters
    ----------
    hypothesis : iterable of hashable
        The tokens of the hypothesis.
    references : iterable of iterables of hashable
        The tokens of each reference.
    n : int
        From 1 to 1,000.

    Returns
    -------
    Counter
        N-grams that count 0 times are left out.

    Raises
    ------
    InputTypeError
        If a text is a str instead of tokens.
    EmptyInputError
        If there is no reference.
    SettingsError
        If `n` is not a whole number in its range.

    Examples
    --------
    The first example of the paper:

    >>> from truebleu.parts import clipped_counts
    >>> references = ["the cat is on the mat".split(), "there is a cat on the mat".split()]
    >>> clipped_counts(hypothesis=["the"] * 7, references=references, n=1)
    Counter({('the',): 2})
    """
    tokens, several = _segment(hypothesis, references)
    counts = ngram_counts(tokens, n)
    return reduce(or_, (counts & ngram_counts(each, n) for each in several))


def clipped_precision(
    hypothesis: Iterable[Hashable], references: Iterable[Iterable[Hashable]], n: int
) -> tuple[int, int]:
    r"""Count the numerator and the denominator of the modified n-gram precision of a segment.

    .. math:: p_n = \frac{\sum_g \min\bigl(c(g), \max_i r_i(g)\bigr)}{\sum_g c(g)}

    (Papineni et al. 2002, https://aclanthology.org/P02-1040, section 2.1) with the counts of
    :func:`clipped_counts`. For a corpus, BLEU sums the numerators and the denominators of all
    segments before it divides.

    Parameters and errors are those of :func:`clipped_counts`.

    Returns
    -------
    matches, total : int
        Not divided, because the quotient cannot be added up, and 0 of 0 has none.

    Examples
    --------
    >>> from truebleu.parts import clipped_precision
    >>> references = ["the cat is on the mat".split(), "there is a cat on the mat".split()]
    >>> clipped_precision(hypothesis=["the"] * 7, references=references, n=1)
    (2, 7)
    """
    tokens, several = _segment(hypothesis, references)
    bleu = Bleu(tokenizer="pretokenized", max_order=order("n", n), smoothing="none")
    score = bleu.segment(tokens, several)
    return score.counts[-1], score.totals[-1]


def brevity_penalty(hyp_len: float, ref_len: float) -> float:
    r"""Compute BLEU's penalty for a hypothesis that is shorter than its reference.

    .. math::

       BP = \begin{cases} 1 & c \ge r \\ e^{1 - r / c} & c < r \end{cases}

    for :math:`c` tokens in the hypotheses and :math:`r` in the references (Papineni et al. 2002,
    https://aclanthology.org/P02-1040, section 2.2.2). It takes the place of a recall. For a corpus,
    both lengths are sums over all segments.

    Parameters
    ----------
    hyp_len, ref_len : float
        Lengths in tokens, from 0 up; `ref_len` may be a mean.

    Returns
    -------
    float
        From 0 to 1; 0 if the hypothesis is empty and the reference is not.

    Raises
    ------
    SettingsError
        If a length is not a finite number from 0 up.

    Examples
    --------
    >>> from truebleu.parts import brevity_penalty
    >>> brevity_penalty(hyp_len=12, ref_len=12), round(brevity_penalty(hyp_len=12, ref_len=13), 3)
    (1.0, 0.92)
    """
    return penalty(number("hyp_len", hyp_len), number("ref_len", ref_len))


def closest_reference_length(hyp_len: int, ref_lens: Iterable[int]) -> int:
    r"""Choose the reference length that a hypothesis is measured against.

    .. math:: r = \operatorname{arg\,min}_{r_i} |r_i - c|

    is the "best match length" of a segment (Papineni et al. 2002,
    https://aclanthology.org/P02-1040, section 2.2.2); of two that are equally close, the shorter,
    as in the scripts of NIST and sacreBLEU. For a corpus, BLEU sums it over all segments.

    Parameters
    ----------
    hyp_len : int
        Tokens of the hypothesis.
    ref_lens : iterable of int
        Tokens of each reference.

    Returns
    -------
    int

    Raises
    ------
    EmptyInputError
        If there is no reference.
    SettingsError
        If a length is not a finite number from 0 up.

    Examples
    --------
    >>> from truebleu.parts import closest_reference_length
    >>> closest_reference_length(hyp_len=12, ref_lens=[10, 14, 17])
    10
    """
    lengths: list[int] = _listed(ref_lens, "ref_lens", "numbers")
    for index, length in enumerate(lengths):
        number(f"ref_lens[{index}]", length)
    if not lengths:
        raise EmptyInputError("ref_lens is empty: a segment needs a reference")
    target = number("hyp_len", hyp_len)
    return min(lengths, key=lambda length: (abs(length - target), length))


def geometric_mean(
    precisions: Iterable[SupportsFloat], *, weights: Sequence[float] | None = None
) -> float:
    r"""Compute the weighted geometric mean of precisions, as BLEU does.

    .. math:: \exp\Bigl(\sum_{n=1}^{N} w_n \ln p_n\Bigr)

    (Papineni et al. 2002, https://aclanthology.org/P02-1040, section 2.3). BLEU is this mean times
    the brevity penalty. It is 0 if a precision with a weight is 0.

    Parameters
    ----------
    precisions : iterable of float
        From 0 to 1 or, if the weights add up to 1, on any other scale.
    weights : sequence of float, optional
        One for each precision. Default: all equal, and 1 in sum.

    Returns
    -------
    float

    Raises
    ------
    EmptyInputError
        If there are no precisions.
    LengthMismatchError
        If there are not as many weights as precisions.
    SettingsError
        If a precision or a weight is not a finite number from 0 up.

    Examples
    --------
    >>> from truebleu.parts import geometric_mean
    >>> round(geometric_mean([5 / 6, 3 / 5, 1 / 4, 1 / 6]), 4)
    0.3799
    """
    values = [
        number(f"precisions[{i}]", value)
        for i, value in enumerate(_listed(precisions, "precisions", "numbers"))
    ]
    if not values:
        raise EmptyInputError("precisions is empty: there is nothing to average")
    given = [1 / len(values)] * len(values) if weights is None else weights
    shares = [
        number(f"weights[{i}]", weight)
        for i, weight in enumerate(_listed(given, "weights", "numbers"))
    ]
    if len(shares) != len(values):
        raise LengthMismatchError(
            f"there are {len(values)} precisions but {len(shares)} weights: each needs one"
        )
    pairs = [each for each in zip(values, shares, strict=True) if each[1]]
    if not all(value for value, _ in pairs):
        return 0.0
    return exp(fsum(weight * log(value) for value, weight in pairs))


def _segment(hypothesis: Any, references: Any) -> tuple[list[Any], list[list[Any]]]:
    """Check a segment of tokens; errors are those of :func:`clipped_counts`."""
    several = _listed(references, "references", "lists of tokens")
    if not several:
        raise EmptyInputError("references is empty: a segment needs a reference")
    return _tokens(hypothesis, "hypothesis"), [
        _tokens(each, f"references[{index}]") for index, each in enumerate(several)
    ]


def _tokens(given: Any, name: str) -> list[Any]:
    tokens = _listed(given, name, "tokens, such as tokenize(text),")
    for index, token in enumerate(tokens):
        if not isinstance(token, Hashable):
            raise InputTypeError(
                f"{name}[{index}] is a {type(token).__name__}, which is no token: it has no hash"
            )
    return tokens


def _listed(given: Any, name: str, items: str) -> list[Any]:
    if isinstance(given, RAW) or not isinstance(given, Iterable):
        raise wrong_type(name, given, f"a list of {items} is needed")
    return list(given)
