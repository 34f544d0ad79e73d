"""A chrF score and its parts."""

from __future__ import annotations

from truebleu.metrics.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.display.words import Words


class ChrfScore(Score):
    """A chrF score from 0 to 100 and its parts; see :class:`Score`.

    Created by :class:`truebleu.Chrf`; do not create it yourself.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> score = truebleu.corpus_chrf(hypotheses, references)
    >>> round(score.precision, 2), round(score.recall, 2)
    (64.17, 74.38)
    """

    __module__ = "truebleu"

    __slots__ = ()

    @property
    def matches(self) -> tuple[int, ...]:
        """N-grams in both texts, of each order: those of characters, then those of words."""
        return self._numbers()[2::3]

    @property
    def hyp_totals(self) -> tuple[int, ...]:
        """N-grams of the hypotheses, except of orders that a segment's reference lacks."""
        return self._numbers()[0::3]

    @property
    def ref_totals(self) -> tuple[int, ...]:
        """N-grams of the references of each order."""
        return self._numbers()[1::3]

    @property
    def _length(self) -> float:
        return self.ref_totals[0]

    @property
    def precisions(self) -> tuple[float | None, ...]:
        """The precision of each order in percent; None if the hypotheses have no such n-gram."""
        return _percent(self.matches, self.hyp_totals)

    @property
    def recalls(self) -> tuple[float | None, ...]:
        """The recall of each order in percent; None if the references have no such n-gram."""
        return _percent(self.matches, self.ref_totals)

    @property
    def precision(self) -> float:
        """The mean precision in percent, over the orders that both sides have; 0 if there are none.

        With ``eps_smoothing``, the score is not computed from it.
        """
        return self._mean(self.precisions)

    @property
    def recall(self) -> float:
        """The mean recall in percent, over the same orders as :attr:`precision`."""
        return self._mean(self.recalls)

    def _mean(self, percentages: tuple[float | None, ...]) -> float:
        totals = zip(self.hyp_totals, self.ref_totals, strict=True)
        known = [
            each
            for each, (hyp, ref) in zip(percentages, totals, strict=True)
            if each is not None and hyp and ref
        ]
        return sum(known) / len(known) if known else 0.0

    def _reason(self, say: Words) -> str | None:
        if any(self.matches):
            return None
        if not any(self.ref_totals):
            return say("The references are empty.")
        if not any(self.hyp_totals):
            # An order counts in segments that have it on both sides.
            return say("The hypotheses are empty, or their references are.")
        return say("No character or word of the hypotheses occurs in their references.")

    def details(self) -> dict[str, str]:
        """Return the cells that a table shows beside the score, by column header."""
        return {"precision": f"{self.precision:.1f}", "recall": f"{self.recall:.1f}"}

    def _more(self) -> dict[str, Any]:
        return {
            "precision": self.precision,
            "recall": self.recall,
            "precisions": list(self.precisions),
            "recalls": list(self.recalls),
        }


def _percent(matches: tuple[int, ...], totals: tuple[int, ...]) -> tuple[float | None, ...]:
    return tuple(
        100 * match / total if total else None for match, total in zip(matches, totals, strict=True)
    )
