"""What there is to show, whatever the format: headings, lines and tables."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.display.formatting import with_minus
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    Kind = Literal["code", "note", "lead", "best", "count", "marked", "name"]


class Cell(Record):
    """A line, or a cell of a table, that is more than its text.

    Its kind: ``code``, such as a signature; a ``note``, which explains, and need not be said again
    of other metrics; a ``lead``, which says what came out, where tables stand beside drawings: in
    pages; the ``best`` of its column; a ``count``, with separators of thousands that programs do
    not get; a ``name``, which is what its row is about; or a ``marked`` text.
    """

    text: str
    kind: Kind

    def __init__(self, text: str, kind: Kind) -> None:
        self._fill(text=text, kind=kind)


if TYPE_CHECKING:
    Line = str | Cell
    Row = tuple[str, Sequence[Line]]

# A line across the table.
RULE: Row = ("rule", ())


def text_of(line: Line) -> str:
    """Return what a line or a cell says."""
    return line if isinstance(line, str) else line.text


def kind_of(line: Line) -> str:
    """Return what a line or a cell is besides its text; nothing if it is only that."""
    return "" if isinstance(line, str) else line.kind


class Block(Record):
    """A heading, some lines, and a table; each may be missing.

    All of it is data: whatever is in a line or a cell shows as itself, in every format. Without a
    heading, text is not indented. A row is a style (``best``, ``good``, ``clipped``, ``bad`` or
    none) and its cells; `align` has a letter for each column, ``l`` or ``r``, by default ``r`` for
    all but the first. A block may be `about` one of several things, such as metrics. Pages draw the
    `intervals` of columns, of which one may have `differences`, with the value in the middle, and
    points behind the end; so do terminals. On pages, a block that is `folded` opens by a click, and
    is not drawn; one that `is_figure` is only there.
    """

    about: str
    align: str
    differences: str
    folded: bool
    header: Sequence[str]
    heading: str
    is_figure: bool
    intervals: Mapping[str, Sequence[Sequence[float] | None]]
    lines: Sequence[Line]
    rows: Sequence[Row]

    def __init__(
        self,
        heading: str = "",
        lines: Sequence[Line] = (),
        header: Sequence[str] = (),
        rows: Sequence[Row] = (),
        align: str = "",
        about: str = "",
        *,
        intervals: Mapping[str, Sequence[Sequence[float] | None]] = MappingProxyType({}),
        differences: str = "",
        folded: bool = False,
        is_figure: bool = False,
    ) -> None:
        align = align or "l" + "r" * (len(header) - 1)
        self._fill(about=about, align=align, header=header, heading=heading, lines=lines, rows=rows)
        self._fill(intervals=intervals, differences=differences, folded=folded)
        self._fill(is_figure=is_figure)

    def table(self) -> list[Sequence[Line]]:
        """Return the rows that have cells, the header first; nothing if there are none."""
        return [self.header, *(cells for _, cells in self.rows if cells)] if self.rows else []


def signed(row: Sequence[Line], align: str) -> list[Line]:
    """Give negative numbers, which are on the right of their columns, a minus for a hyphen."""
    sides = [*zip(row, align.ljust(len(row)), strict=True)]
    if not any(side == "r" and "-" in text_of(cell) for cell, side in sides):
        return [*row]
    found: list[Line] = []
    for cell, side in sides:
        text = with_minus(text_of(cell)) if side == "r" else text_of(cell)
        found.append(text if isinstance(cell, str) else Cell(text, cell.kind))
    return found


def without_leads(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leave out what only pages say."""
    for block in blocks:
        if not block.is_figure:
            yield block.replace(lines=[line for line in block.lines if kind_of(line) != "lead"])


def said_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """Leave out what explains one metric, if it was said of another."""
    said: dict[Line, str] = {}
    for block in blocks:
        yield block.replace(
            lines=[
                line
                for line in block.lines
                if kind_of(line) != "note" or said.setdefault(line, block.about) == block.about
            ]
        )
