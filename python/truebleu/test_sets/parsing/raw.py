"""Raw files of test sets: the names of their fields, their lines, and the segments in these."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from contextlib import contextmanager
from types import MappingProxyType

from truebleu.downloads.places import byte_limit, line_limit, too_large
from truebleu.errors import EncodingError, InputError, TruebleuError
from truebleu.inputs.markup import ATTRIBUTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Any, BinaryIO

# What to do about a damaged file.
REPLACE = "delete the file, so that it is unpacked or downloaded again"

OF_ROWS = ("jsonl", "parquet")
"""Kinds of files of rows with named fields, whose texts may have line breaks."""


def separate_fields(name: str, kind: str, references: int) -> list[str]:
    """Return the fields of a set with files for each, in sacreBLEU's order."""
    has_documents = kind not in ("text", "tsv", *OF_ROWS) and not name.startswith("wmt08")
    names = ["ref"] if references == 1 else [f"ref:{number}" for number in range(references)]
    return ["src", *names, *(ATTRIBUTES if has_documents else ())]


_ANY: Mapping[str, str] = MappingProxyType({})


@contextmanager
def open_raw(path: Path) -> Iterator[BinaryIO]:
    """Open a file, decompressed up to the limit of archives if its name ends in ``.gz``."""
    try:
        is_gz = path.name.endswith(".gz")
        with io.BufferedReader(_Decompressed(path)) if is_gz else path.open("rb") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged ({error}); {REPLACE}") from error


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
                    f"{path}, line {number:,}, byte {error.start + 1:,}: not UTF-8; {REPLACE}"
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


def read_rows(
    path: Path, kind: str, field: str, skip: str = "", where: Mapping[str, str] = _ANY
) -> list[str]:
    """Return a field of each row, a JSON object or one of Parquet; ``refs.refA`` is inside another.

    Rows in which the field `skip` is true, or a field has another value than `where` says, are
    left out. Line breaks inside a text stay.
    """
    texts = []
    is_json, parts = kind == "jsonl", field.split(".")
    place, what_is_needed = ("line", "JSON object") if is_json else ("row", "row")
    rows = lines_of(path) if is_json else _parquet_rows(path, [parts[0], skip, *where])
    for number, line in enumerate(rows, 1):
        try:
            value = row = json.loads(line) if is_json else line
            if (skip and row[skip]) or any(row[name] != each for name, each in where.items()):
                continue
            for name in parts:
                value = value[name]
            if not isinstance(value, str):
                raise TypeError(f"{field} is not a text")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(
                f"{path}, {place} {number:,}: {what}; a {what_is_needed} with the text {field} is "
                "needed"
            ) from error
        texts.append(value)
    if where and not texts:
        raise InputError(f'{path}: there is no {place} with {dict(where)}, its "where"')
    return texts


def _parquet_rows(path: Path, columns: list[str]) -> Iterator[Any]:
    from truebleu.metrics.stats_tables import pyarrow

    pa = pyarrow()
    import pyarrow.parquet as pq

    try:
        # Without threads of Arrow: a process that ends soon after they have begun may be aborted.
        with pq.ParquetFile(path, pre_buffer=False) as file:
            groups = range(file.metadata.num_row_groups)
            size = sum(file.metadata.row_group(each).total_byte_size for each in groups)
            if size > byte_limit():
                raise too_large(f"{path}: what is unpacked", byte_limit())
            if file.metadata.num_rows > line_limit():
                raise too_large(str(path), line_limit(), "rows")
            for batch in file.iter_batches(1 << 13, columns=columns, use_threads=False):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        if isinstance(error, TruebleuError):
            raise
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path}: no valid Parquet ({reason}); {REPLACE}") from error
