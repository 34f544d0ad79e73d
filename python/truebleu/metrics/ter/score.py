"""A TER score and its parts."""

from __future__ import annotations

from truebleu._core import TER_UNITS
from truebleu.metrics.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.display.words import Words

UNITS = TER_UNITS
"""Units of a row's reference length in a word; a multiple of all numbers of references up to 16."""


class TerScore(Score):
    """A translation edit rate and its parts; see :class:`Score`.

    ``score`` is the number of edits per 100 words of the references: lower is better, and it may
    exceed 100. Created by :class:`truebleu.Ter`; do not create it yourself.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> score = truebleu.corpus_ter(hypotheses, references)
    >>> score.edits, score.substitutions, score.ref_len
    (1, 1, 6.0)
    """

    __module__ = "truebleu"

    __slots__ = ()

    @property
    def edits(self) -> int:
        """All edits: insertions, deletions, substitutions and shifts."""
        return sum(self._numbers()[:4])

    @property
    def insertions(self) -> int:
        """Words of the references that the hypotheses lack."""
        return self._numbers()[0]

    @property
    def deletions(self) -> int:
        """Words of the hypotheses that the references do not have."""
        return self._numbers()[1]

    @property
    def substitutions(self) -> int:
        """Words of the hypotheses that are replaced by words of the references."""
        return self._numbers()[2]

    @property
    def shifts(self) -> int:
        """Phrases of the hypotheses that were moved, each at the cost of one edit."""
        return self._numbers()[3]

    @property
    def ref_len(self) -> float:
        """Words of the references; for a segment with several, the mean of their lengths."""
        return self._numbers()[4] / UNITS

    @property
    def _length(self) -> float:
        return self.ref_len

    def _reason(self, say: Words) -> str | None:
        if self._numbers()[4]:
            return None
        return say(
            "The references are empty, so the rate is undefined; it is 100 by convention."
            if self.edits
            else "The references are empty, so the rate is undefined; it is 0, because there are "
            "no edits."
        )

    def details(self) -> dict[str, str]:
        """Return the cells that a table shows beside the score, by column header."""
        length = self.ref_len
        return {
            "edits": str(self.edits),
            "ref_len": f"{length:.0f}" if length.is_integer() else f"{length:.2f}",
            "ins": str(self.insertions),
            "del": str(self.deletions),
            "sub": str(self.substitutions),
            "shifts": str(self.shifts),
        }

    def _more(self) -> dict[str, Any]:
        return {"edits": self.edits, "ref_len": self.ref_len}
