"""What there is to show, whatever the format: headings, lines and tables."""

from __future__ import annotations

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = tuple[str, Sequence[str]]

# A line across the table.
RULE: Row = ("rule", ())


class Code(str):
    """A line to be set as code where the format can do so, such as a signature."""


class Best(str):
    """A cell that is the best of its column, set in bold where the format can do so."""


class Block(Record):
    """A heading, some lines, and a table; each may be missing.

    All of it is data: whatever is in a line or a cell shows as itself, in every format. Without a
    heading, text is not indented. A row is a style (``best``, ``good``, ``clipped``, ``bad`` or
    none) and its cells; `align` has a letter for each column, ``l`` or ``r``, by default ``r`` for
    all but the first. A block may be `about` one of several things, such as metrics.
    """

    about: str
    align: str
    header: Sequence[str]
    heading: str
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
    ) -> None:
        align = align or "l" + "r" * (len(header) - 1)
        self._fill(about=about, align=align, header=header, heading=heading, lines=lines, rows=rows)

    def table(self) -> list[Sequence[str]]:
        """Return the rows that have cells, the header first; nothing if there are none."""
        return [self.header, *(cells for _, cells in self.rows if cells)] if self.rows else []
