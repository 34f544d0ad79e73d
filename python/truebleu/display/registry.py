"""Every output format by name."""

from __future__ import annotations

from truebleu.display import data, markup, text
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Format(Record):
    """A way to write a result.

    Parameters
    ----------
    help : str
        A line for ``--help``.
    write : callable
        From blocks, or from plain values, to text.
    terminal : callable, optional
        The same for a terminal with colors.
    of_values : bool
        Whether it writes what ``to_dict`` returns, and not blocks.
    plain : bool
        Whether it is for programs, and writes nothing but tables: what other formats say beside a
        table stands in columns.
    """

    help: str
    write: Callable[[Any], str]
    terminal: Callable[[Any], str] | None = None
    of_values: bool = False
    plain: bool = False


FORMATS = {
    "text": Format(help="plain text", write=text.plain, terminal=text.colored),
    "json": Format(help="all values, every digit", write=data.json_document, of_values=True),
    "jsonl": Format(help="one JSON object per line", write=data.json_lines, of_values=True),
    "tsv": Format(help="tab-separated values", write=data.tsv, plain=True),
    "markdown": Format(help="for a README", write=markup.markdown),
    "latex": Format(help="a tabular for a paper, with booktabs", write=markup.latex),
    "html": Format(help="for a web page", write=markup.html),
}
"""The formats, by the names that ``--format`` takes."""
