"""Why two scores differ: parts of the difference that add up to it."""

from __future__ import annotations

from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Shown
from truebleu.errors import InputTypeError, SettingsError
from truebleu.metrics.score import Score
from truebleu.metrics.signatures import assert_comparable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.metrics.explanation import DifferencePart


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
    explanation = one.metric._explanation()  # A hook of metrics.
    if explanation is None:
        raise SettingsError(
            f"a difference in {one.metric.name} cannot be decomposed; only those in BLEU, chrF and "
            "TER can"
        )
    parts, reason = explanation.decompose(one, other)
    delta = one.score - other.score
    return Decomposition(delta=delta, parts=parts, reason=reason, metric=one.metric.name)
