"""What separates the cells of a table in a file of text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE = 100
"""How many lines tell what the separator is."""

TABBED = (".tsv", ".tab")
"""The suffixes of tables that are separated by tabs."""


def separator_of(suffix: str, lines: Sequence[str], longest: int) -> str:
    """Return the separator of a file by its suffix, or else by its first lines, which all agree."""
    import csv

    if suffix in TABBED:
        return "\t"
    # It is that of the whole process, and so is never lowered.
    csv.field_size_limit(max(longest, csv.field_size_limit()))
    likely = ",;\t" if suffix == ".csv" else "\t,;"
    for separator in likely:
        quotes = None if separator == "\t" else '"'
        broken = (f"{line}\n" for line in lines)
        rows = [*filter(None, csv.reader(broken, delimiter=separator, quotechar=quotes))]
        # The last cell of a sample may have more lines.
        sizes = set(map(len, rows[:-1] if len(lines) == SAMPLE else rows))
        if len(sizes) == 1 and max(sizes) > 1:
            return separator
    first = next(filter(None, lines), "")
    return next(filter(first.__contains__, likely), likely[0])
