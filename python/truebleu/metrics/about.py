"""What people are told about a metric: in reports, charts and files."""

from __future__ import annotations

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar

    import numpy as np
    from numpy.typing import NDArray

    # Words of both texts, shifts, and the kind of each edit.
    Steps = Callable[
        [str, str], tuple[list[str], list[str], list[tuple[int, int, int, int]], list[str]]
    ]


class Work(Record):
    """A work to cite, as in BibTeX."""

    key: str
    author: str
    title: str
    where: str
    year: str
    pages: str
    url: str


_SIGNATURES = Work(
    key="post-2018-call",
    author="Post, Matt",
    title="A Call for Clarity in Reporting {BLEU} Scores",
    where="Proceedings of the Third Conference on Machine Translation: Research Papers",
    year="2018",
    pages="186--191",
    url="https://aclanthology.org/W18-6319",
)


class About:
    """What people are told about any metric; those of which there is more to tell override it."""

    terms: ClassVar[Mapping[str, str]] = {}
    """What reports on the metric explain, beside what all of them do."""
    details: ClassVar[Mapping[str, str]] = {}
    """For the columns of a score's details, the terms that explain them."""
    papers: ClassVar[tuple[Work, ...]] = ()
    """The papers that define the metric."""
    repeated: ClassVar[tuple[str, ...]] = ()
    """Columns of a score's details that a report leaves out: others tell them, or all are equal."""
    charts: ClassVar[tuple[str, ...]] = ()
    """Charts of a report that not every metric has."""

    reference_length: ClassVar[tuple[str, int]] = ("", 1)
    """The field with the length of references, if it is there, and what a token adds to it."""

    def __init__(self, metric: Any) -> None:
        self.metric = metric

    @property
    def short_name(self) -> str:
        """The name of the metric, without settings that are usual."""
        return str(self.metric.name)

    @property
    def summary(self) -> str:
        """What the metric measures; by default the first paragraph of its docstring."""
        about = (type(self.metric).__doc__ or "").strip().partition("\n\n")[0]
        return " ".join([*about.split(), self.direction])

    @property
    def direction(self) -> str:
        """Whether higher scores are better, in a sentence."""
        return f"{'Higher' if self.metric.higher_is_better else 'Lower'} is better."

    @property
    def computed_by(self) -> str:
        """The scores, in a sentence that goes on with the name and version of this package."""
        return f"{self.metric.name} as computed by"

    @property
    def works(self) -> tuple[Work, ...]:
        """The works to cite for the metric."""
        return (*self.papers, _SIGNATURES)

    @property
    def marks(self) -> dict[str, Any] | None:
        """Up to which order n-grams are compared, of which ``unit``: token or character."""
        return None

    @property
    def orders(self) -> list[str]:
        """The names of the orders in the counts, three counts of each; none of other metrics."""
        return []

    @property
    def formula(self) -> dict[str, Any] | None:
        """What it takes to score any segments together, for a page; None if a page cannot."""
        return None

    @property
    def arithmetic(self) -> dict[str, Any]:
        """What a page needs to repeat the arithmetic of a segment, beside :meth:`columns`."""
        return {}

    @property
    def steps(self) -> Steps | None:
        """The function that aligns two texts with edits; None if the metric counts none."""
        return None

    def columns(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return numbers of each row that a page needs, beside those that it shows."""
        return {}

    def lengths(self, score: Any) -> tuple[int, int] | None:
        """Return the tokens of hypotheses and references that a score was computed from."""
        return None
