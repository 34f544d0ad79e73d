"""What people are told about TER."""

from __future__ import annotations

from functools import partial

from truebleu._core import TER_UNITS, ter_steps
from truebleu.metrics.about import About, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from truebleu.metrics.about import Steps

_PAPER = Work(
    key="snover-etal-2006-study",
    author="Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, "
    "John",
    title="A Study of Translation Edit Rate with Targeted Human Annotation",
    where="Proceedings of the 7th Conference of the Association for Machine Translation in the "
    "Americas: Technical Papers",
    year="2006",
    pages="223--231",
    url="https://aclanthology.org/2006.amta-papers.25",
)


class TerAbout(About):
    """What people are told about TER."""

    terms: ClassVar[dict[str, str]] = {
        "edits": (
            "Insertions, deletions and substitutions of words, and shifts of phrases, that turn "
            "the output into the reference. If a segment has several references, they are those of "
            "the reference with the fewest."
        ),
        "shifts": (
            "Phrases of the output that were moved to another place, each counted as one edit."
        ),
        "reference length": (
            "Words of the references; for a segment with several references, the mean of their "
            "lengths."
        ),
    }
    repeated = ("ref_len",)
    details: ClassVar[dict[str, str]] = {
        "edits": "edits",
        "shifts": "shifts",
        "ref_len": "reference length",
    }
    reference_length = ("ref_len_units", TER_UNITS)
    papers = (_PAPER,)

    @property
    def summary(self) -> str:
        """What TER measures."""
        return (
            "Translation edit rate: how many edits turn the output into the reference, per 100 "
            "words of the reference. An edit inserts, deletes or replaces a word, or shifts a "
            "phrase. Edits and lengths are summed over all segments first, so the score of a "
            "corpus is not the mean of its segments' scores. Lower is better, and a score may "
            "exceed 100."
        )

    @property
    def formula(self) -> dict[str, Any]:
        """The fields whose sum is divided by a length, and that length."""
        *kinds, _ = self.metric.fields
        return {"kind": "ter", "kinds": kinds, "length": "ref_len"}

    @property
    def steps(self) -> Steps:
        """The function that aligns two texts with edits."""
        return partial(ter_steps, self.metric._core)
