"""Plain text, one segment per line, and tables with one segment per row."""

from __future__ import annotations

from truebleu.errors import InputError
from truebleu.test_sets.parsing.lines import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def read_text(path: Path) -> list[str]:
    """Return the lines of a file, without whitespace at their ends."""
    return [line.rstrip() for line in lines_of(path)]


def read_column(path: Path, column: int) -> list[str]:
    """Return a column of a table, as it is.

    Parameters
    ----------
    path : Path
        A file with columns that tabs separate, and no header.
    column : int
        Counted from 0.

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        If a line has fewer columns.
    """
    cells = []
    for number, line in enumerate(lines_of(path), 1):
        row = line.removesuffix("\n").split("\t")
        if column >= len(row):
            raise InputError(
                f"{path}, line {number:,}: column {column} is needed, counted from 0, but the line "
                f"has only {len(row)}"
            )
        cells.append(row[column])
    return cells
