"""Every output format by name, and those for programs: TSV, CSV, JSON and JSON Lines."""

from __future__ import annotations

from truebleu.display import text
from truebleu.display.blocks import kind_of, text_of
from truebleu.record import Record, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from truebleu.display.blocks import Block, Line

# What would end a cell is a space in it.
_ENDS = str.maketrans("\t\n\r", "   ")


def tsv(blocks: Sequence[Block]) -> str:
    """Write the tables as tab-separated values, with an empty line between two."""
    tables = ["".join(map(tsv_row, block.table())) for block in blocks if block.rows]
    return "\n".join(tables)


def tsv_row(cells: Iterable[Line]) -> str:
    """Write one row, its end included; what would move the cursor of a terminal is an escape."""
    return "\t".join(map(_cell, cells)) + "\n"


def _cell(cell: Line) -> str:
    written = text_of(cell)
    if kind_of(cell) == "count":
        return written.replace(",", "")
    return written if written.isprintable() else text.visible(written.translate(_ENDS))


def comma_separated(blocks: Sequence[Block]) -> str:
    """Write the tables as comma-separated values, with an empty line between two.

    Text that spreadsheets would run as a formula begins with an apostrophe.
    """
    import csv
    import io

    tables = []
    for table in filter(None, (block.table() for block in blocks)):
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(map(_text, row) for row in table)
        tables.append(file.getvalue())
    return "\n".join(tables)


def _text(cell: Line) -> str:
    written = _cell(cell)
    signs = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
    if not written.lstrip().startswith(signs):
        return written
    try:
        float(written.replace(",", "").removesuffix("%"))
    except ValueError:
        return f"'{written}"
    return written


def json_document(values: Any) -> str:
    """Write plain values as JSON, indented."""
    import json

    return _escaped(json.dumps(values, ensure_ascii=False, indent=1, default=_plain)) + "\n"


def json_lines(values: Any) -> str:
    """Write each item of a list as JSON on a line of its own; anything else on one line."""
    return "".join(map(json_line, values if isinstance(values, list) else [values]))


def json_line(value: Any) -> str:
    """Write one value as JSON on one line, its end included."""
    import json

    return _escaped(json.dumps(value, ensure_ascii=False, default=_plain)) + "\n"


def _escaped(document: str) -> str:
    """Write what would move the cursor of a terminal as JSON escapes, which mean the same."""
    if not document.isprintable():
        import json

        for c in sorted(set(document) - {"\n"}):
            if not c.isprintable():
                document = document.replace(c, json.dumps(c)[1:-1])
    return document


def _plain(value: Any) -> Any:
    """Return records and arrays as plain values, and whatever else JSON does not know as text."""
    found = plain(value)
    return str(value) if found is value else found


def _marked_up(name: str) -> Callable[[Sequence[Block]], str]:
    """Return what writes blocks in a language of markup, which is loaded when it is needed."""

    def write(blocks: Sequence[Block]) -> str:
        from truebleu.display import markup

        written: str = getattr(markup, name)(blocks)
        return written

    return write


class Format(Record):
    """A way to write a result, and the same for a terminal, given its columns and `colors`.

    One `of_values` writes what ``to_dict`` returns, all others blocks; one that is `plain` is for
    programs: what other formats say beside a table stands in its columns.
    """

    help: str
    write: Callable[[Any], str]
    terminal: Callable[..., str] | None = None
    of_values: bool = False
    plain: bool = False


FORMATS = {
    "text": Format(help="plain text", write=text.plain, terminal=text.for_terminal),
    "json": Format(help="all values, every digit", write=json_document, of_values=True),
    "jsonl": Format(help="one JSON object per line", write=json_lines, of_values=True),
    "tsv": Format(help="tab-separated values", write=tsv, plain=True),
    "csv": Format(help="comma-separated values", write=comma_separated, plain=True),
    "markdown": Format(help="for a README", write=_marked_up("markdown")),
    "latex": Format(help="a tabular for a paper, with booktabs", write=_marked_up("latex")),
    "html": Format(help="for a web page", write=_marked_up("html")),
}
"""The formats, by the names that ``--format`` takes."""
