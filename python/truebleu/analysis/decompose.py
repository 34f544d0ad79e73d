"""Why two scores differ: parts of the difference that add up to it."""

from __future__ import annotations

from truebleu.calls import explained
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.errors import InputTypeError, SettingsError
from truebleu.metrics.bleu.score import BleuScore
from truebleu.metrics.chrf.score import ChrfScore
from truebleu.metrics.comparable import assert_comparable
from truebleu.metrics.score import Score
from truebleu.metrics.ter.score import TerScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Stands for an undefined precision or recall where a score has `eps_smoothing`, as in the core.
_EPSILON = 1e-16


class DifferencePart(Result):
    """What one component contributes to the difference of two scores.

    Attributes
    ----------
    name : str
        BLEU: ``order 1``, ``order 2``, … (the precision of n-grams) and ``brevity penalty``; chrF:
        ``precision`` and ``recall``; TER: ``insertions``, ``deletions``, ``substitutions``,
        ``shifts`` and, if the references differ in length, ``reference length``.
    share : float or None
        Points of the difference; None if it is undefined.
    one, other : float
        The component of each score: a percentage, the brevity penalty, or a number of edits or
        words.
    """

    __module__ = "truebleu"

    name: str
    share: float | None
    one: float
    other: float


class Decomposition(Shown):
    """The difference of two scores in parts that add up to it. Made by :func:`decompose`.

    Attributes
    ----------
    delta : float
        The first score minus the second.
    parts : tuple of DifferencePart
        Their shares add up to `delta`, up to rounding errors of floats.
    reason : str or None
        Why the shares are undefined, in a sentence; None if they are not.
    metric : str
        The name of the metric.
    """

    __module__ = "truebleu"

    delta: float
    parts: tuple[DifferencePart, ...]
    reason: str | None
    metric: str

    def blocks(self) -> list[Block]:
        """Return the blocks of the output, for any format."""
        rows = [
            (
                "",
                (
                    part.name,
                    "undefined" if part.share is None else decimals(part.share, "+.2f"),
                    f"{part.one:.6g}",
                    f"{part.other:.6g}",
                ),
            )
            for part in self.parts
        ]
        heading = f"difference in {self.metric} = {decimals(self.delta, '+.2f')}"
        lines = [self.reason] if self.reason else []
        return [Block(heading, lines, ("part", "share", "one", "other"), rows)]


@explained()
def decompose(one: Score, other: Score) -> Decomposition:
    """Split the difference of two scores into parts that add up to it.

    The parts say what the difference consists of, not what caused it. With A and B for the two
    scores:

    - BLEU is a product, so the logarithm of A / B is a sum over the orders and the brevity
      penalty. Each part is that term times the logarithmic mean of the scores,
      (A - B) / (ln A - ln B) [1]_. If one score is 0, logarithms and parts are undefined.
    - chrF is an F-score of precision P and recall R. The part of precision is the Shapley value
      [2]_: the mean of F(P_A, R_A) - F(P_B, R_A) and F(P_A, R_B) - F(P_B, R_B); likewise for
      recall. With `eps_smoothing`, it is the mean over the orders of such values.
    - TER is edits E by the length L of the references. Each part is the difference in edits of one
      kind times 100 (1/L_A + 1/L_B) / 2. If the lengths differ, which they do not if the references
      are the same, a part of its own is 100 (E_A + E_B) / 2 (1/L_A - 1/L_B). If there are no
      words in the references, the parts are undefined.

    Parameters
    ----------
    one, other : BleuScore, ChrfScore or TerScore
        Scores of the same metric with the same settings. With several lists of weights, BLEU's
        first score is decomposed.

    Returns
    -------
    Decomposition

    Raises
    ------
    SettingsError
        If the scores are not comparable, or are of a metric that is none of these.
    InputTypeError
        If an argument is not a score.

    References
    ----------
    .. [1] Ang (2004), Decomposition analysis for policymaking in energy: which is the preferred
       method?, https://doi.org/10.1016/S0301-4215(03)00076-4
    .. [2] Shapley (1953), A value for n-person games, https://doi.org/10.1515/9781400881970-018

    Examples
    --------
    >>> from truebleu import corpus_ter, decompose
    >>> references = ["The cat sat on the mat.", "It rained all day."]
    >>> first = corpus_ter(["The cat sat on the mat.", "It rained."], references)
    >>> second = corpus_ter(["A cat sat on a mat.", "It rained all of a day."], references)
    >>> print(decompose(first, second))
    difference in TER = -10.00
      part            share  one  other
      insertions     +20.00    2      0
      deletions      -20.00    0      2
      substitutions  -10.00    1      2
      shifts           0.00    0      0
    """
    for score in (one, other):
        if not isinstance(score, Score):
            raise InputTypeError(
                f"a score is needed, such as corpus_bleu returns, not a value of type "
                f"{type(score).__name__}"
            )
    assert_comparable(one, other)
    return decompose_comparable(one, other)


def decompose_comparable(one: Score, other: Score) -> Decomposition:
    """Decompose a difference of scores that are known to be comparable; see :func:`decompose`."""
    if isinstance(one, BleuScore) and isinstance(other, BleuScore):
        return _bleu(one, other)
    if isinstance(one, ChrfScore) and isinstance(other, ChrfScore):
        return _chrf(one, other)
    if isinstance(one, TerScore) and isinstance(other, TerScore):
        return _ter(one, other)
    raise SettingsError(
        f"a difference in {one.metric.name} cannot be decomposed; only those in BLEU, chrF and "
        "TER can"
    )


def _made(
    one: Score, other: Score, parts: Iterable[DifferencePart], reason: str | None = None
) -> Decomposition:
    delta = one.score - other.score
    return Decomposition(delta=delta, parts=tuple(parts), reason=reason, metric=one.metric.name)


def _bleu(one: BleuScore, other: BleuScore) -> Decomposition:
    from math import expm1, log

    names = [f"order {order}" for order in range(1, len(one.precisions) + 1)]
    names.append("brevity penalty")
    values = [[*score.precisions, score.brevity_penalty] for score in (one, other)]
    zeros = [
        f"The {which} score is 0, so logarithms are undefined: {score.reason}"
        for which, score in (("first", one), ("second", other))
        if not score.score
    ]
    if zeros:
        shares: list[float | None] = [None] * len(names)
    else:
        first, second = (
            [*score.weighted_log_precisions, log(score.brevity_penalty)] for score in (one, other)
        )
        terms = [a - b for a, b in zip(first, second, strict=True)]
        # The ratio of the scores is e to the power of this; the mean is stable near 1, too.
        exponent = sum(terms)
        larger = max(one.score, other.score)
        mean = larger * (expm1(-abs(exponent)) / -abs(exponent) if exponent else 1)
        shares = [mean * term for term in terms]
    parts = (
        DifferencePart(name=name, share=share, one=a, other=b)
        for name, share, a, b in zip(names, shares, *values, strict=True)
    )
    return _made(one, other, parts, " ".join(zeros) or None)


def _chrf(one: ChrfScore, other: ChrfScore) -> Decomposition:
    chrf = one.metric
    if chrf.eps_smoothing:
        pairs = list(zip(_fractions(one), _fractions(other), strict=True))
    else:
        pairs = [(_averages(one), _averages(other))]
    shares = [0.0, 0.0]
    for (precision, recall), (low_precision, low_recall) in pairs:
        whole, none = (precision, recall), (low_precision, low_recall)
        mixed = _f_score((precision, low_recall), chrf.beta)
        swapped = _f_score((low_precision, recall), chrf.beta)
        first, last = _f_score(whole, chrf.beta), _f_score(none, chrf.beta)
        shares[0] += 100 * (first - swapped + mixed - last) / 2 / len(pairs)
        shares[1] += 100 * (first - mixed + swapped - last) / 2 / len(pairs)
    values = (one.precision, other.precision), (one.recall, other.recall)
    parts = (
        DifferencePart(name=name, share=share, one=a, other=b)
        for name, share, (a, b) in zip(("precision", "recall"), shares, values, strict=True)
    )
    return _made(one, other, parts)


def _averages(score: ChrfScore) -> tuple[float, float]:
    return score.precision / 100, score.recall / 100


def _fractions(score: ChrfScore) -> Iterator[tuple[float, float]]:
    """Yield precision and recall of each order, from 0 to 1; tiny where they are undefined."""
    for precision, recall in zip(score.precisions, score.recalls, strict=True):
        yield (
            _EPSILON if precision is None else precision / 100,
            _EPSILON if recall is None else recall / 100,
        )


def _f_score(parts: tuple[float, float], beta: float) -> float:
    """Return the F-score of a precision and a recall, which no counts need to have."""
    precision, recall = parts
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def _ter(one: TerScore, other: TerScore) -> Decomposition:
    names = ("insertions", "deletions", "substitutions", "shifts")
    edits = [(getattr(one, name), getattr(other, name)) for name in names]
    lengths = one.ref_len, other.ref_len
    if not all(lengths):
        known = None
        reason = one.reason or other.reason
    else:
        known = 100 * (1 / lengths[0] + 1 / lengths[1]) / 2
        reason = None
    parts = [
        DifferencePart(name=name, share=None if known is None else known * (a - b), one=a, other=b)
        for name, (a, b) in zip(names, edits, strict=True)
    ]
    if lengths[0] != lengths[1]:
        share = None
        if known is not None:
            share = 100 * (one.edits + other.edits) / 2 * (1 / lengths[0] - 1 / lengths[1])
        parts.append(
            DifferencePart(name="reference length", share=share, one=lengths[0], other=lengths[1])
        )
    return _made(one, other, parts, reason)
