"""Files that hold tables: found, told apart, and read by DuckDB. The registry is FORMATS."""

from __future__ import annotations

import errno
import os
from glob import escape, glob
from pathlib import Path
from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.errors import InputError, SettingsError

try:
    import pyarrow as pa
except ImportError as error:
    raise rows.missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    # A connection, the files, and the columns of text, to what stands in FROM.
    Source = Callable[[Any, Sequence[str], Sequence[str]], str]

_COMPRESSED = (".gz", ".zst")


def first_line(error: Exception) -> str:
    """Return what matters of a long message."""
    return str(error).partition("\n")[0]


def find(path: str) -> list[str]:
    """Return the files that a path, a folder or a pattern stands for.

    Raises
    ------
    FileNotFoundError
        If there are none.
    SettingsError
        If it is standard input: tables are read in places, and told apart by their names.
    """
    if path == "-":
        raise SettingsError("a table cannot be read from standard input (-): name a file")
    if Path(path).is_dir():
        found = [str(file) for file in Path(path).rglob("*") if _suffix(str(file)) in FORMATS]
    elif Path(path).exists():
        return [path]
    else:
        found = glob(path, recursive=True)  # noqa: PTH207  # The path may be absolute.
    files = sorted(file for file in found if Path(file).is_file())
    if not files:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return files


def _suffix(path: str) -> str:
    *before, last = ["", *Path(path.lower()).suffixes]
    return before[-1] if last in _COMPRESSED and before else last


def source_of(files: Sequence[str]) -> Source:
    """Return what reads files of one format.

    Raises
    ------
    SettingsError
        If they are of several, or of none that is known.
    """
    suffixes = {_suffix(file): file for file in files}
    for suffix, file in suffixes.items():
        if suffix not in FORMATS:
            raise SettingsError(f"{file}: the name of a table ends in one of {', '.join(FORMATS)}")
    formats = {FORMATS[suffix] for suffix in suffixes}
    if len(formats) > 1:
        raise SettingsError(f"these files are of several formats: {', '.join(sorted(suffixes))}")
    return formats.pop()


def _text(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _names(files: Sequence[str]) -> str:
    """Write the names of files, which DuckDB would take for patterns."""
    return _list(map(escape, files))


def _types(connection: Any, read: str) -> dict[str, str]:
    """Return the columns, and their types, of a call that is not closed yet."""
    return {
        name: kind for name, kind, *_ in connection.execute(f"DESCRIBE FROM {read})").fetchall()
    }


def _parquet(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
    return f"read_parquet({_names(files)}, union_by_name = true)"


def _separated(separator: str, quote: str) -> Source:
    def source(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
        # Text is text, whatever it looks like.
        read = (
            f"read_csv({_names(files)}, delim = {_text(separator)}, quote = {_text(quote)}, "
            f"escape = {_text(quote)}, header = true, all_varchar = true, union_by_name = true"
        )
        # And what is empty is not null, in all columns: DuckDB mixes them up if some are named.
        return f"{read}, force_not_null = {_list(_types(connection, read))})"

    return source


def _jsonl(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
    read = f"read_json({_names(files)}, format = 'newline_delimited', union_by_name = true"
    types = _types(connection, read)
    for name in texts:
        # A string that looks like a date is a string.
        if types[name] in {"DATE", "TIME", "TIMESTAMP", "UUID"}:
            types[name] = "VARCHAR"
    columns = ", ".join(f"{_text(name)}: {_text(kind)}" for name, kind in types.items())
    return f"{read}, columns = {{{columns}}})"


def _arrow(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
    schema = _opened(files[0]).schema
    reader = pa.RecordBatchReader.from_batches(schema, _batches(files, schema))
    connection.register("truebleu_arrow", reader)
    return "truebleu_arrow"


def _opened(path: str) -> Any:
    """Open a file or a stream of Arrow, which is read where it is on disk."""
    from pyarrow import ipc

    source = pa.memory_map(path)
    magic = source.read(6)
    source.seek(0)
    return ipc.open_file(source) if magic == b"ARROW1" else ipc.open_stream(source)


def _batches(files: Sequence[str], schema: Any) -> Iterator[Any]:
    for path in files:
        opened = _opened(path)
        if opened.schema.names != schema.names:
            raise InputError(f"{path} has other columns than {files[0]}")
        if hasattr(opened, "num_record_batches"):
            yield from map(opened.get_batch, range(opened.num_record_batches))
        else:
            yield from opened


_csv = _separated(",", '"')
# Quotes are characters like others: text is full of them.
_tsv = _separated("\t", "")

FORMATS: dict[str, Source] = {
    ".parquet": _parquet,
    ".pq": _parquet,
    ".csv": _csv,
    ".tsv": _tsv,
    ".tab": _tsv,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".arrow": _arrow,
    ".arrows": _arrow,
    ".feather": _arrow,
    ".ipc": _arrow,
}
