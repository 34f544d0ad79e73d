"""The SGML of WMT until 2020, and IWSLT's XML, read line by line as sacreBLEU reads them.

Tags are recognized at the beginning of a line only, and entities stay as they are: ``&amp;`` is
five characters, and scores other than BLEU's with 13a tokens depend on it.
"""

from __future__ import annotations

from truebleu.test_sets.parsing.fields import ATTRIBUTES
from truebleu.test_sets.parsing.lines import clean, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_SEGMENT, _END, _DOCUMENT = "<seg ", "</seg>", "<doc "


def read_segments(path: Path) -> list[str]:
    """Return the segments of a file; one that does not end on its line keeps its tag."""
    segments = []
    for line in lines_of(path):
        if line.startswith(_SEGMENT):
            start, end = line.find(">") + 1, line.rfind(_END)
            if 0 < start <= end:
                line = line[start:end] + line[end + len(_END) :]  # noqa: PLW2901
            segments.append(clean(line))
    return segments


def read_attributes(path: Path) -> dict[str, list[str]]:
    """Return the attributes of the document that each segment of a file belongs to.

    A document without an attribute has the last one before it, or an empty one.
    """
    columns: dict[str, list[str]] = {name: [] for name in ATTRIBUTES}
    latest = dict.fromkeys(ATTRIBUTES, "")
    for line in lines_of(path):
        if line.startswith(_DOCUMENT):
            for name in ATTRIBUTES:
                value, closed, _ = line.partition(f'{name}="')[2].partition('"')
                if closed:
                    latest[name] = value
        elif line.startswith(_SEGMENT):
            for name, column in columns.items():
                column.append(latest[name])
    return columns
