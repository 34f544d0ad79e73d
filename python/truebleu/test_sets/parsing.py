"""The text in raw files of test sets, byte for byte as sacreBLEU extracts it."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import contextmanager
from types import MappingProxyType

from truebleu._core import Column
from truebleu.downloads.places import byte_limit, line_limit, too_large
from truebleu.errors import EncodingError, InputError
from truebleu.inputs.markup import ATTRIBUTES, is_reference
from truebleu.inputs.markup.sgml import attributes_of, segments_of
from truebleu.inputs.readers import open_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any, BinaryIO

OF_ROWS = ("jsonl", "parquet")
"""Kinds of files of rows with named fields, whose texts may have line breaks."""

_ANY: Mapping[str, str] = MappingProxyType({})


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
    and needs one of the references `scored`, such as ``ref:A``. `rows` are what :func:`read_rows`
    takes. Each field has a line for each segment, but files that differ in length do so here, too:

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
            fields = read_wmt_xml(str(path), file)
        if scored and not fields.keys() & set(scored):
            available = ", ".join(field for field in fields if is_reference(field))
            raise InputError(f"{path}: needs {' or '.join(scored)}, but there is only {available}")
        return fields
    names = separate_fields(name, kind, len(members) - 1)
    texts = [
        read_rows(path, str(column or ("source", "target")[number > 0]), **rows)
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


def separate_fields(name: str, kind: str, references: int) -> list[str]:
    """Return the fields of a set with files for each, in sacreBLEU's order."""
    has_documents = kind not in ("text", "tsv", *OF_ROWS) and not name.startswith("wmt08")
    names = ["ref"] if references == 1 else [f"ref:{number}" for number in range(references)]
    return ["src", *names, *(ATTRIBUTES if has_documents else ())]


@contextmanager
def open_raw(path: Path) -> Iterator[BinaryIO]:
    """Open a file, decompressed up to the limit of archives if its name ends in ``.gz``."""
    try:
        is_gz = path.name.endswith(".gz")
        with io.BufferedReader(_Decompressed(path)) if is_gz else path.open("rb") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged ({error})") from error


class _Decompressed(io.RawIOBase):
    """What is in a ``.gz``, up to the limit of :func:`~truebleu.downloads.places.byte_limit`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._left = self._limit = byte_limit()
        self._file = gzip.open(path)  # noqa: SIM115  # Closed by close.

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer)
        self._left -= count
        if self._left < 0:
            raise too_large(f"{self._path}: what is unpacked", self._limit)
        return count

    def close(self) -> None:
        # Also called for one that could not be opened.
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


def lines_of(path: Path) -> Iterator[str]:
    r"""Yield the lines of a file, each with its line feed; only ``\n`` ends a line."""
    limit = line_limit()
    with open_raw(path) as file:
        for number, line in enumerate(file, 1):
            if number > limit:
                raise too_large(str(path), limit, "lines")
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise EncodingError(
                    f"{path}, line {number:,}, byte {error.start + 1:,}: not UTF-8"
                ) from None
            yield text


def read_text(path: Path) -> list[str]:
    """Return the lines of a file, without whitespace at their ends."""
    return [line.rstrip() for line in lines_of(path)]


def read_column(path: Path, column: int) -> list[str]:
    """Return a column of a table without a header, as it is; columns are counted from 0."""
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


def read_rows(path: Path, field: str, skip: str = "", where: Mapping[str, str] = _ANY) -> list[str]:
    """Return a field of each row of JSON Lines or Parquet; ``refs.refA`` is inside another.

    Rows in which the field `skip` is true, or a field has another value than `where` says, are
    left out. Line breaks inside a text stay.
    """
    texts: list[str] = []
    number, limit, room = 0, line_limit(), byte_limit()
    labels = [*where, *([skip] if skip else ())]
    with open_table(str(path)) as table:
        for column, *others in table.batches([field], labels, lists=False):
            for text, *values in zip(column.texts(), *map(_values, others), strict=True):
                number += 1
                if number > limit:
                    raise too_large(str(path), limit, "rows")
                if (skip and str(values.pop()).lower() == "true") or values != [*where.values()]:
                    continue
                if text is None:
                    raise InputError(f"{path}, row {number:,}: no {field}, which has to be a text")
                room -= len(text)
                if room < 0:
                    raise too_large(f"{path}: what is unpacked", byte_limit())
                texts.append(text)
    if where and not texts:
        raise InputError(f'{path}: there is no row with {dict(where)}, its "where"')
    return texts


def _values(label: Any) -> list[Any]:
    """Return the values of a column of JSON, or of an array of Arrow."""
    return label.texts() if isinstance(label, Column) else label.to_pylist()
