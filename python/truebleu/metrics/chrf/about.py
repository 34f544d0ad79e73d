"""What people are told about chrF."""

from __future__ import annotations

from truebleu.metrics.about import About, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    import numpy as np
    from numpy.typing import NDArray

_PAPER = Work(
    key="popovic-2015-chrf",
    author="Popovi{\\'c}, Maja",
    title="chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
    where="Proceedings of the Tenth Workshop on Statistical Machine Translation",
    year="2015",
    pages="392--395",
    url="https://aclanthology.org/W15-3049",
)
_PAPER_ON_WORDS = Work(
    key="popovic-2017-chrf",
    author="Popovi{\\'c}, Maja",
    title="chr{F}++: words helping character n-grams",
    where="Proceedings of the Second Conference on Machine Translation",
    year="2017",
    pages="612--618",
    url="https://aclanthology.org/W17-4770",
)


class ChrfAbout(About):
    """What people are told about chrF."""

    terms: ClassVar[dict[str, str]] = {
        "precision": (
            "The share of the n-grams of the output that occur in the reference, averaged over the "
            "orders. If a segment has several references, only the one with the highest score "
            "counts."
        ),
        "recall": (
            "The share of the n-grams of the reference that occur in the output, averaged over the "
            "orders."
        ),
    }
    details: ClassVar[dict[str, str]] = {"precision": "precision", "recall": "recall"}
    reference_length = ("word_1_ref", 1)

    @property
    def short_name(self) -> str:
        """The name without the usual beta, such as ``chrF++``."""
        usual = type(self.metric)()
        if self.metric.beta != usual.beta:
            return super().short_name
        return "chrF" + super().short_name.removeprefix(usual.name)

    @property
    def summary(self) -> str:
        """What chrF measures."""
        highest = {"characters": self.metric.char_order, "words": self.metric.word_order}
        orders = " and ".join(_orders(most, units) for units, most in highest.items() if most)
        return (
            "How much of the output occurs in the references and how much of the references in the "
            f"output, from 0 to 100: the F-score of {orders}, in which recall counts "
            f"{self.metric.beta:g} times as much as precision. Counts are summed over all segments "
            f"first, so the score of a corpus is not the mean of its segments' scores. "
            f"{self.direction}"
        )

    @property
    def works(self) -> tuple[Work, ...]:
        """The works to cite for chrF, or chrF++."""
        papers = (_PAPER, _PAPER_ON_WORDS) if self.metric.word_order else (_PAPER,)
        return (*papers, *super().works)

    @property
    def marks(self) -> dict[str, Any] | None:
        """Up to which order n-grams of characters are compared, and which characters."""
        chrf = self.metric
        if not chrf.char_order or chrf.unicode_form:
            return None
        keeps = {"lowercase": chrf.lowercase, "whitespace": chrf.whitespace}
        return {"orders": chrf.char_order, "unit": "character", **keeps}

    @property
    def orders(self) -> list[str]:
        """The names of the orders, as the fields have them."""
        return [name.removesuffix("_hyp") for name in self.metric.fields[::3]]

    @property
    def formula(self) -> dict[str, Any] | None:
        """The square of beta; None for the mean of the F-scores of all orders."""
        if self.metric.eps_smoothing:
            return None
        return {"kind": "chrf", "squaredBeta": self.metric.beta**2}

    def columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return the fields from which a page knows the others: n characters have n - 1 pairs."""
        return {
            f"row.{name}": rows[:, place]
            for place, name in enumerate(self.metric.fields)
            if name.endswith("_match") or "_1_" in name
        }


def _orders(highest: int, units: str) -> str:
    """Name the n-grams of some units up to an order."""
    return f"1 to {highest} {units} in a row" if highest > 1 else f"single {units}"
