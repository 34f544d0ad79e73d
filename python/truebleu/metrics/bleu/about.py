"""What people are told about BLEU."""

from __future__ import annotations

from truebleu.metrics.about import About, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    import numpy as np
    from numpy.typing import NDArray

# The smoothings that leave a precision as it is if the order has a match.
_PLAIN = ("exp", "floor", "none")

_PAPER = Work(
    key="papineni-etal-2002-bleu",
    author="Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    title="{B}leu: a Method for Automatic Evaluation of Machine Translation",
    where="Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year="2002",
    pages="311--318",
    url="https://aclanthology.org/P02-1040",
)


class BleuAbout(About):
    """What people are told about BLEU."""

    terms: ClassVar[dict[str, str]] = {
        "precision": (
            "The share of the n-grams of the output that occur in a reference. An n-gram is "
            "credited at most as often as it occurs in the one reference that has it most often."
        ),
        "n-gram": (
            "n tokens in a row: one token is an n-gram of order 1, four are one of order 4. Tokens "
            "are what the tokenizer named in the signature makes of the text."
        ),
        "clipped": (
            "Said of an n-gram that occurs in the output more often than in any one reference. The "
            "surplus is not credited, so repeating a good word earns nothing."
        ),
        "brevity penalty": (
            "1 if the output has at least as many tokens as the references, else exp(1 - "
            "references / output). Precision alone would favor outputs that say little."
        ),
        "length ratio": (
            "Tokens of the output divided by tokens of the references. Of several references of a "
            "segment, the signature says whose length counts; by default it is the closest."
        ),
    }
    details: ClassVar[dict[str, str]] = {
        "precisions": "precision",
        "BP": "brevity penalty",
        "ratio": "length ratio",
    }
    repeated = ("BP", "ref_len")
    reference_length = ("ref_len", 1)
    papers = (_PAPER,)
    charts = ("precision", "ngrams", "frequency")

    @property
    def summary(self) -> str:
        """What BLEU measures."""
        return (
            "How much of the output occurs in the references, from 0 to 100: the geometric mean of "
            f"the n-gram precisions of orders 1 to {self.metric.max_order}"
            f"{', times the brevity penalty' * self.metric.brevity_penalty}. Counts are summed "
            "over all segments first, so the score of a corpus is not the mean of its segments' "
            "scores."
        )

    @property
    def marks(self) -> dict[str, Any]:
        """Up to which order n-grams of tokens are compared."""
        return {"orders": self.metric.max_order, "unit": "token"}

    @property
    def formula(self) -> dict[str, Any] | None:
        """The weights; None for what only the core does, as smoothing orders with a match."""
        bleu = self.metric
        if bleu.smoothing not in _PLAIN or bleu.phantom_ngrams or not bleu.brevity_penalty:
            return None
        return {"kind": "bleu", "weights": self.metric._order_weights}

    @property
    def arithmetic(self) -> dict[str, Any]:
        """What a page needs to repeat the arithmetic of a segment."""
        return {"weights": self.metric._order_weights, "skipsZeros": self.metric._core.skips_zeros}

    def columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return smoothed precisions, penalty, and how many orders count, of every segment.

        A precision that is just matches by n-grams is 0 here: a page knows those.
        """
        import numpy as np

        bleu = self.metric
        data = rows.astype("<i8").tobytes()
        precisions, penalties, effective = bleu._parts_of_rows(data)
        columns: dict[str, NDArray[Any]] = {
            "penalty": penalties.astype(np.float32),
            "effective": effective.astype(np.int64),
        }
        fields = dict(zip(bleu.fields, rows.T, strict=True))
        for order in range(1, bleu.max_order + 1):
            precision = precisions[:, order - 1]
            matches, totals = fields[f"match_{order}"], fields[f"total_{order}"]
            plain = 100 * matches / np.maximum(totals, 1)
            smoothed = np.where(np.abs(precision - plain) < 1e-9, 0, precision)
            columns[f"precision_{order}"] = smoothed.astype(np.float32)
        return columns

    def lengths(self, score: Any) -> tuple[int, int]:
        """Return the tokens of hypotheses and references."""
        return score.hyp_len, score.ref_len
