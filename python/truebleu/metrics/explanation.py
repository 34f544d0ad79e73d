"""What explanations of all metrics share: parts of a difference, n-grams, and influence."""

from __future__ import annotations

from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.display.words import words_in
from truebleu.record import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from truebleu.display.words import Language, Words
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

    Ngram = tuple[Any, ...]

# The segments that are shown.
_MOST_SEGMENTS = 10


class DifferencePart(Result):
    """What one component, or one change of texts or settings, contributes to a difference.

    >>> import truebleu
    >>> one, other = (truebleu.sentence_ter(text, "a b c d") for text in ("a b c", "a b"))
    >>> truebleu.decompose(one, other).parts[0]
    <insertions 2 -> 1: -25.00>

    Attributes
    ----------
    name : str
        BLEU: ``order 1``, ``order 2``, … (the precision of n-grams) and ``brevity penalty``; chrF:
        ``precision`` and ``recall``; TER: ``insertions``, ``deletions``, ``substitutions``,
        ``shifts`` and, if the references differ in length, ``reference length``. Of a change, what
        is changed, such as ``tokenizer``.
    share : float or None
        Points of the difference; None if it is undefined.
    one, other : float or str
        The component of each score: a percentage, the brevity penalty, or a number of edits or
        words. Of a change, what is there after it, and before.
    why : str
        What a change does to this text, in a few words.
    """

    name: str
    share: float | None
    one: float | str
    other: float | str
    why: str = ""

    def __str__(self) -> str:
        return repr(self)[1:-1]

    def __repr__(self) -> str:
        one, other, share = self.cells()
        return f"<{self.name} {other} -> {one}: {share}>"

    def cells(self) -> tuple[str, str, str]:
        """Write what there is of each score, and the share."""
        share = "undefined" if self.share is None else decimals(self.share, "+.2f")
        one, other = (
            each if isinstance(each, str) else f"{each:.6g}" for each in (self.one, self.other)
        )
        return one, other, share


class Explanation(Shown):
    """How a score is calculated."""

    score: Score
    # Not a field: it is about how the explanation is shown.
    _language: Language = "en"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        names = [name for name in self._fields if name != "score"]
        return {**self.score.to_dict(), **{name: plain(getattr(self, name)) for name in names}}

    def _in(self, language: Language) -> Self:
        """Show it in this language."""
        if language != "en":
            self._fill(_language=language)
        return self

    @property
    def _say(self) -> Words:
        return words_in(self._language)


def ngrams(tokens: Sequence[Any], order: int) -> list[Ngram]:
    """List the n-grams of a sequence of tokens."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def influence_of(metric: Metric, stats: Stats, score: Score) -> tuple[float, ...]:
    """Return for each segment by how much exactly the score changes if it is left out."""
    rows = stats.to_numpy()
    total = stats.sum().to_numpy()[0]
    without = metric._row_scores((total - rows).astype("<i8").tobytes())
    return tuple(each - score.score for each in memoryview(without).cast("d"))


def influence_block(
    say: Words, influence: Sequence[float], *, higher_is_better: bool = True
) -> Block:
    """Show the most influential segments."""
    ranked = sorted(enumerate(influence, 1), key=lambda each: -abs(each[1]))
    rows = []
    for number, points in ranked[:_MOST_SEGMENTS]:
        style = "bad" if (points > 0) == higher_is_better else "good"
        rows.append((style, (str(number), decimals(points, "+.4f"))))
    heading = say("most influential segments: change of the score without them")
    return Block(heading, [], (say("segment"), say("points")), rows)
