"""What there is to show, whatever the format: headings, lines and tables."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Row = tuple[str, Sequence[str]]

# A line across the table.
RULE: Row = ("rule", ())


class Code(str):
    """A line to be set as code where the format can do so, such as a signature."""


class Note(str):
    """A line that explains, and need not be said again of other metrics."""


class Lead(str):
    """A line that says what came out, where tables stand beside drawings: in pages."""


class Best(str):
    """A cell that is the best of its column, set in bold where the format can do so."""


class Counts(str):
    """A cell of whole numbers, with separators of thousands that programs do not get."""


class Block(Record):
    """A heading, some lines, and a table; each may be missing.

    All of it is data: whatever is in a line or a cell shows as itself, in every format. Without a
    heading, text is not indented. A row is a style (``best``, ``good``, ``clipped``, ``bad`` or
    none) and its cells; `align` has a letter for each column, ``l`` or ``r``, by default ``r`` for
    all but the first. A block may be `about` one of several things, such as metrics. Pages draw the
    `intervals` of a column, of `differences` or not, with the value in the middle, and points
    behind the end; so do terminals. A block that is `folded` opens by a click, on pages.
    """

    about: str
    align: str
    differences: bool
    folded: bool
    header: Sequence[str]
    heading: str
    intervals: Mapping[str, Sequence[Sequence[float] | None]]
    lines: Sequence[str]
    rows: Sequence[Row]

    def __init__(
        self,
        heading: str = "",
        lines: Sequence[str] = (),
        header: Sequence[str] = (),
        rows: Sequence[Row] = (),
        align: str = "",
        about: str = "",
        *,
        intervals: Mapping[str, Sequence[Sequence[float] | None]] = MappingProxyType({}),
        differences: bool = False,
        folded: bool = False,
    ) -> None:
        align = align or "l" + "r" * (len(header) - 1)
        self._fill(about=about, align=align, header=header, heading=heading, lines=lines, rows=rows)
        self._fill(intervals=intervals, differences=differences, folded=folded)

    def table(self) -> list[Sequence[str]]:
        """Return the rows that have cells, the header first; nothing if there are none."""
        return [self.header, *(cells for _, cells in self.rows if cells)] if self.rows else []


def without_leads(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leave out what only pages say."""
    for block in blocks:
        yield block.replace(lines=[line for line in block.lines if not isinstance(line, Lead)])


def said_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leave out what explains one metric, if it was said of another."""
    said: dict[str, str] = {}
    for block in blocks:
        yield block.replace(
            lines=[
                line
                for line in block.lines
                if not isinstance(line, Note) or said.setdefault(line, block.about) == block.about
            ]
        )
