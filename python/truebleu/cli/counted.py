"""Statistics of systems, groups or documents, with what each is called."""

from __future__ import annotations

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.metrics.stats import Stats

    Label = tuple[object, ...]


class Counted(Record):
    """What has been counted, for each metric and label.

    Attributes
    ----------
    header : tuple
        What the parts of a label are.
    labels : list of tuple
        What each score will be of: a system, a group or a document, or a system and one of these.
    counted : list of list of Stats
        For each metric the statistics of each label: a row per segment, or a sum.
    segments : list of int
        The number of segments of each label.
    """

    header: Label
    labels: list[Label]
    counted: list[list[Stats]]
    segments: list[int]
