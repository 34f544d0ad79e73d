"""Means of several corpus scores: over the runs of a system, or over test sets."""

from __future__ import annotations

import struct
from statistics import fmean

from truebleu.metrics.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


class MeanScore(Score):
    """The mean of several corpus scores: of the runs of a system, or of its test sets.

    Immutable. Behaves like the number ``score.score``; its counts are those of all together.

    Created by :func:`truebleu.compare_runs` and :func:`truebleu.compare_sets`; do not create it
    yourself.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> sets = {name: ({"good": good, "bad": bad}, references) for name in "xy"}
    >>> len(truebleu.compare_sets(sets).average.systems["good"].score.scores)
    2

    Attributes
    ----------
    scores : tuple of Score
        The corpus scores.
    """

    __slots__ = ("scores",)
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, scores: Sequence[Score]) -> Self:
        """Return the mean of scores under the same metric."""
        first = scores[0]
        numbers = [sum(each) for each in zip(*(score._numbers() for score in scores), strict=True)]
        row = struct.pack(f"<{len(numbers)}q", *numbers)
        made = cls._made(fmean(scores), first.metric, row, first._parts[2], False)
        object.__setattr__(made, "scores", tuple(scores))
        return made

    @property
    def note(self) -> str:
        """What it is, beside the score."""
        return "mean of several corpus scores"

    def rescore(self, metric: Any) -> Self:
        """Score the same statistics under other settings; see :meth:`Score.rescore`."""
        return self.of([score.rescore(metric) for score in self.scores])

    def details(self) -> dict[str, str]:
        """Return the number of scores."""
        return {"scores": str(len(self.scores))}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "metric": self.metric.name,
            "score": self.score,
            "fraction": self.fraction,
            "scores": [score.score for score in self.scores],
            "signature": self.signature,
            "reason": self.reason,
        }
