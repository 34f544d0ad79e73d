"""What functions were given besides texts: the documents and metrics that these know."""

from __future__ import annotations

from truebleu.inputs.frames import check_indexes, is_frame
from truebleu.metrics.stats_saved import SavedStats
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any


class Known(Record):
    """What is known of the texts, or statistics, that a function was given.

    Attributes
    ----------
    references : iterable or None
        The references, without the test set that they are of.
    metrics : Any
        The metrics that were asked for, or those of saved statistics.
    documents : iterable or None
        The document of each segment, if a test set or saved statistics know it.
    saved : SavedStats or None
        Statistics in place of texts.
    """

    references: Any
    metrics: Any
    documents: Iterable[Hashable] | None = None
    saved: SavedStats | None = None


def known_of(references: Any, units: Any, systems: Any = None, metrics: Any = None) -> Known:
    """Return what a test set or saved statistics know.

    Columns of pandas with the IDs of units need the same index as references.
    """
    check_indexes([("references", references), ("units", units)])
    if isinstance(systems, SavedStats):
        several = [*systems.metrics.values()]
        if metrics is None:
            metrics = several if len(several) > 1 else several[0]
        return Known(
            references=references, metrics=metrics, documents=systems.documents, saved=systems
        )
    if is_frame(references) or not hasattr(references, "documents"):
        return Known(references=references, metrics=metrics)
    return Known(references=references.references, metrics=metrics, documents=references.documents)
