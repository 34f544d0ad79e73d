"""Blocks and values as data for programs: TSV, JSON and JSON Lines."""

from __future__ import annotations

from truebleu.record import plain

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.display.blocks import Block

# What would end a cell is a space in it.
_ENDS = str.maketrans("\t\n\r", "   ")


def tsv(blocks: Sequence[Block]) -> str:
    """Write the tables as tab-separated values, with an empty line between two."""
    tables = ["".join(map(tsv_row, block.table())) for block in blocks if block.rows]
    return "\n".join(tables)


def tsv_row(cells: Iterable[str]) -> str:
    """Write one row, its end included."""
    return "\t".join(cell.translate(_ENDS) for cell in cells) + "\n"


def json_document(values: Any) -> str:
    """Write plain values as JSON, indented."""
    import json

    return json.dumps(values, ensure_ascii=False, indent=1, default=_plain) + "\n"


def json_lines(values: Any) -> str:
    """Write each item of a list as JSON on a line of its own; anything else on one line."""
    return "".join(map(json_line, values if isinstance(values, list) else [values]))


def json_line(value: Any) -> str:
    """Write one value as JSON on one line, its end included."""
    import json

    return json.dumps(value, ensure_ascii=False, default=_plain) + "\n"


def _plain(value: Any) -> Any:
    """Return records and arrays as plain values, and whatever else JSON does not know as text."""
    found = plain(value)
    return str(value) if found is value else found
