"""Finding files that hold tables, and how DuckDB reads each format: the registry FORMATS."""

from __future__ import annotations

import errno
import os
import re
from glob import escape, glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.engines.lakes import is_lake, read_lake, refuse_files_of_lakes
from truebleu.errors import InputError, SettingsError
from truebleu.inputs.files import read_through

try:
    import pyarrow as pa
except ImportError as error:
    raise rows.missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    # From a connection, the files, and the columns of text to what goes into FROM.
    Source = Callable[[Any, Sequence[str], Sequence[str]], str]

_COMPRESSED = (".gz", ".zst")


def first_line(error: Exception) -> str:
    """Return the first line of a message, which says the most."""
    return str(error).partition("\n")[0]


def find(path: str) -> list[str]:
    """Return the files that a path, a folder or a pattern stands for.

    Raises
    ------
    FileNotFoundError
        If there are none.
    SettingsError
        If it is standard input: tables need random access and a known file suffix.
    InputError
        If the files are part of a table with a transaction log, or have a name that is not UTF-8.
    """
    if path == "-":
        raise SettingsError("a table cannot be read from standard input (-): name a file")
    pattern: tuple[str, ...] = ("**",)
    if is_lake(path):
        return [path]
    if Path(path).is_dir():
        given = Path(path)
        found = [file for file in given.rglob("*") if _suffix(str(file)) in FORMATS]
    elif Path(path).exists():
        return [_opened_as(Path(path))]
    else:
        parts = Path(path).parts
        fixed = next((i for i, part in enumerate(parts) if has_magic(part)), 0)
        given = Path(*parts[:fixed])
        pattern = parts[fixed:]
        found = [Path(file) for file in glob(path, recursive=True)]  # noqa: PTH207  # May be absolute.
    files = [file for file in found if file.is_file() and not _skipped(file, given, pattern)]
    if not files:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    refuse_files_of_lakes({file.parent for file in files})
    return sorted(map(_opened_as, files))


def _opened_as(file: Path) -> str:
    """Return the name under which DuckDB opens a file.

    Raises
    ------
    InputError
        If it cannot open it, because the name is not UTF-8.
    """
    name = str(file)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name!r}: the name of a table must be UTF-8; rename the file") from None
    # DuckDB takes ~ at the beginning for the home folder.
    return str(file.absolute()) if name.startswith("~") else name


# A part of a pattern that is meant to match names with an underscore begins with one, with a choice
# that lists it, or with any single character, unless the part matches every name.
_MEANS_UNDERSCORE = re.compile(r"_|\[(?!!)[^]]*_[^]]*]|\?(?![*?]*\*)")


def _skipped(file: Path, given: Path, pattern: tuple[str, ...]) -> bool:
    """Whether a file below a folder is not part of the table, by the rules of Spark."""
    names = file.relative_to(given).parts
    if "**" in pattern:
        # Any number of folders.
        first, behind = pattern.index("**"), pattern[::-1].index("**")
        middle = ("**",) * (len(names) - first - behind)
        pattern = (*pattern[:first], *middle, *pattern[len(pattern) - behind :])
    return any(
        (name[0] == "." and meant[0] != ".")
        or (name[0] == "_" and "=" not in name and not _MEANS_UNDERSCORE.match(meant))
        for name, meant in zip(names, pattern, strict=True)
    )


def _suffix(path: str) -> str:
    *before, last = ["", *Path(path.lower()).suffixes]
    return before[-1] if last in _COMPRESSED and before else last


def source_of(files: Sequence[str]) -> Source:
    """Return what reads files of one format.

    Raises
    ------
    SettingsError
        If they are of several formats, or of an unknown one.
    """
    if any(map(is_lake, files)):
        return read_lake
    suffixes = {_suffix(file): file for file in files}
    for suffix, file in suffixes.items():
        if suffix not in FORMATS:
            raise SettingsError(f"{file}: the name of a table must end in {', '.join(FORMATS)}")
    formats = {FORMATS[suffix] for suffix in suffixes}
    if len(formats) > 1:
        raise SettingsError(f"these files are of several formats: {', '.join(sorted(suffixes))}")
    return formats.pop()


def _text(text: str) -> str:
    """Quote a string."""
    return "'" + text.replace("'", "''") + "'"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _names(files: Sequence[str]) -> str:
    """Write the names of files, escaped because DuckDB would take them for patterns."""
    return _list(map(escape, files))


def paths_of(files: Sequence[str]) -> str:
    """Write the files that DuckDB may open, both as they are and escaped: it checks both."""
    return _list([*files, *map(escape, files)])


def check_compressed(files: Sequence[str]) -> None:
    """Read compressed files to their end: DuckDB ignores checksums and truncation.

    Raises
    ------
    OSError
        If one is damaged.
    """
    for file in files:
        if file.lower().endswith(_COMPRESSED):
            read_through(file)


def _types(connection: Any, read: str) -> dict[str, str]:
    """Return the names and types of the columns; the last ``)`` of the call is missing yet."""
    return {
        name: kind for name, kind, *_ in connection.execute(f"DESCRIBE FROM {read})").fetchall()
    }


def _parquet(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
    return f"read_parquet({_names(files)}, union_by_name = true)"


def _separated(separator: str, quote: str) -> Source:
    def source(connection: Any, files: Sequence[str], texts: Sequence[str]) -> str:
        # Everything is text, whatever it looks like.
        read = (
            f"read_csv({_names(files)}, delim = {_text(separator)}, quote = {_text(quote)}, "
            f"escape = {_text(quote)}, header = true, all_varchar = true, union_by_name = true"
        )
        # Empty is not null. All columns are listed: DuckDB mixes them up if only some are.
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
    """Map an Arrow file or stream into memory."""
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
# Quotes are ordinary characters: text is full of them.
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
