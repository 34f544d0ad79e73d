"""The text in raw files of test sets, byte for byte as sacreBLEU extracts it."""

from __future__ import annotations

from truebleu.errors import InputError
from truebleu.inputs.markup import ATTRIBUTES, is_reference
from truebleu.inputs.markup.sgml import attributes_of, segments_of
from truebleu.test_sets.parsing.raw import (
    OF_ROWS,
    REPLACE,
    lines_of,
    open_raw,
    read_column,
    read_rows,
    read_text,
    separate_fields,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any


def read_fields(
    name: str,
    kind: str,
    members: Sequence[tuple[Path, int | str | None]],
    scored: Sequence[str] = (),
    **rows: Any,
) -> dict[str, list[str]]:
    """Return the fields of a language pair, in sacreBLEU's order.

    Members are the files of the source and of each reference, with the column of a ``tsv``, counted
    from 0; by default, the source is column 0, and references column 1. A ``wmt-xml`` is one file,
    and needs one of the references `scored`, such as ``ref:A``. `rows` are what
    :func:`read_rows` takes. Each field has a line for each
    segment, but files that differ in length do so here, too:

    - Usually: ``src``, ``ref`` (or ``ref:0``, ``ref:1``, ...).
    - Of ``sgml``, ``sgml+text`` and ``iwslt-xml`` also ``docid``, ``genre``, ``origlang``.
    - Of ``wmt-xml``: ``src``, ``ref:NAME`` for each translator, ``docid``, ``origlang``, the
      systems by name, ``domain``.
    """
    if kind == "wmt-xml":
        # Only this kind needs a parser of XML.
        from truebleu.inputs.markup.wmt_xml import read_wmt_xml

        [(path, _)] = members
        with open_raw(path) as file:
            fields = read_wmt_xml(str(path), file, f"; {REPLACE}")
        if scored and not fields.keys() & set(scored):
            available = ", ".join(field for field in fields if is_reference(field))
            raise InputError(f"{path}: needs {' or '.join(scored)}, but there is only {available}")
        return fields
    names = separate_fields(name, kind, len(members) - 1)
    texts = [
        read_rows(path, kind, str(column or ("source", "target")[number > 0]), **rows)
        if kind in OF_ROWS
        else _read_member(kind, path, column, default=int(number > 0))
        for number, (path, column) in enumerate(members)
    ]
    if names[-1] in ATTRIBUTES:
        texts += attributes_of(lines_of(members[0][0])).values()
    return dict(zip(names, texts, strict=True))


def _read_member(kind: str, path: Path, column: Any, default: int) -> list[str]:
    if kind == "tsv":
        return read_column(path, default if column is None else column)
    is_text = kind == "text" or (kind == "sgml+text" and not path.name.endswith(".sgm"))
    return read_text(path) if is_text else segments_of(lines_of(path))
