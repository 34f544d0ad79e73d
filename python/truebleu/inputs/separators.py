"""What separates the cells of a table in a file of text."""

from __future__ import annotations

from truebleu._core import Lines, RowError, Rows
from truebleu.inputs.files import as_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE = 100
"""How many lines tell what the separator is."""

TABBED = (".tsv", ".tab")
"""The suffixes of tables that are separated by tabs."""


def separator_of(suffix: str, lines: Sequence[str], longest: int) -> str:
    """Return the separator of a file by its suffix, or else by its first lines, which all agree."""
    if suffix in TABBED:
        return "\t"
    likely = ",;\t" if suffix == ".csv" else "\t,;"
    for separator in likely:
        try:
            rows = rows_of(lines, separator, longest)
        except RowError:
            continue
        if rows and len(rows[0]) > 1:
            return separator
    first = next(filter(None, lines), "")
    return next(filter(first.__contains__, likely), likely[0])


def rows_of(lines: Sequence[str], separator: str, longest: int) -> list[list[str]]:
    """Return the cells of the rows that end in the first lines of a file."""
    ready = Lines(longest)
    ready.push(as_lines(lines, ""))
    rows = Rows.separated(ord(separator), separator != "\t", False, None, longest)
    rows.push(ready)
    [column] = rows.take()
    return column.texts()
