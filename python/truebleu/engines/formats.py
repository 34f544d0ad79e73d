"""Finding files that hold tables, and how DuckDB reads each format: the registry FORMATS.

Addresses such as ``s3://``, and tables with a transaction log, of Delta Lake and Iceberg, are read
by Polars. It does not read all the rest: of CSV, it fills short rows silently and refuses columns
in another order; it has no ``key=value`` folders of CSV and no streams of Arrow; and a condition
that takes too long cannot be stopped.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from glob import escape, glob, has_magic
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from truebleu.engines.job import missing
from truebleu.errors import InputError, InputTypeError, SettingsError, written
from truebleu.inputs.files import SMALLEST_BLOCK, LineFile, longest_line, read_through
from truebleu.inputs.forms import json_value
from truebleu.inputs.separators import SAMPLE, TABBED, separator_of

try:
    import pyarrow as pa
except ImportError as error:
    raise missing("DuckDB and pyarrow", "duckdb") from error

from truebleu.engines.arrow import open_reader
from truebleu.engines.duckdb import quoted

# From a connection, the files, and the columns of texts and groups to what goes into FROM.
Source = Callable[[Any, Sequence[str], Sequence[str]], str]
# From a connection and a file to the names of its columns.
StoredNames = Callable[[Any, str], list[str]]

_COMPRESSED = (".gz", ".zst")

# Objects of JSON whose keys are looked at, as many as DuckDB takes to find types.
_SAMPLED_OBJECTS = 20_480


def first_line(error: Exception) -> str:
    """Return the first line of a message, which says the most."""
    return str(error).partition("\n")[0]


def find(path: str) -> list[str]:
    """Return the files that a path, a folder or a pattern stands for; there is at least one."""
    if path == "-":
        raise SettingsError("a table cannot be read from standard input (-): name a file")
    pattern: tuple[str, ...] = ()
    if "://" in path or is_lake(path):
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
    """Return the name under which DuckDB opens a file; it must be UTF-8."""
    name = str(file)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name!r}: the name of a table must be UTF-8; rename the file") from None
    # DuckDB takes ~ at the beginning for the home folder.
    return str(file.absolute()) if name.startswith("~") else name


def _skipped(file: Path, given: Path, pattern: tuple[str, ...]) -> bool:
    """Whether a file below a folder is not part of the table, by the rules of Spark."""
    # Unless a part of the pattern means such names.
    hidden = {"_", "."} - {part.lstrip("[")[:1] for part in pattern}
    return any(
        name[0] in hidden and not (name[0] == "_" and "=" in name)
        for name in file.relative_to(given).parts
    )


def _suffix(path: str) -> str:
    *before, last = ["", *Path(path.lower()).suffixes]
    return before[-1] if last in _COMPRESSED and before else last


def source_of(files: Sequence[str], storage_options: Mapping[str, Any] | None = None) -> Source:
    """Return what reads these files, all of one format."""
    if any("://" in file or is_lake(file) for file in files):
        return partial(_by_polars, storage_options)
    suffixes = {_suffix(file): file for file in files}
    for suffix, file in suffixes.items():
        if suffix not in FORMATS:
            raise SettingsError(f"{file}: the name of a table must end in {', '.join(FORMATS)}")
    formats = {FORMATS[suffix] for suffix in suffixes}
    if len(formats) > 1:
        raise SettingsError(f"these files are of several formats: {', '.join(sorted(suffixes))}")
    return formats.pop()


def _text(text: str) -> str:
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
    """Read compressed files to their end: DuckDB ignores checksums and truncation."""
    for file in files:
        if file.lower().endswith(_COMPRESSED):
            read_through(file)


def _types(connection: Any, read: str) -> dict[str, str]:
    """Return the names and types of the columns; the last ``)`` of the call is missing yet."""
    return {
        name: kind for name, kind, *_ in connection.execute(f"DESCRIBE FROM {read})").fetchall()
    }


def _parquet(connection: Any, files: Sequence[str], named: Sequence[str]) -> str:
    return f"read_parquet({_names(files)}, union_by_name = true)"


def _csv(connection: Any, files: Sequence[str], named: Sequence[str]) -> str:
    read = f"{_cells(files)}, header = true, union_by_name = true"
    # Empty is not null. All columns are listed: DuckDB mixes them up if only some are.
    return f"{read}, force_not_null = {_list(_types(connection, read))})"


def _tsv(connection: Any, files: Sequence[str], named: Sequence[str]) -> str:
    return _csv(connection, files, named)


def _cells(files: Sequence[str]) -> str:
    """Write what reads cells; the end of the call is missing yet."""
    found = {_separator(file): file for file in files}
    (separator, file), *more = found.items()
    if more:
        raise InputError(
            f"{file} is separated by {separator!r}, but {more[0][1]} by {more[0][0]!r}"
        )
    # With tabs, quotes are ordinary characters: text is full of them.
    quote = _text("" if separator == "\t" else '"')
    # Everything is text, whatever it looks like.
    return (
        f"read_csv({_names(files)}, delim = {_text(separator)}, quote = {quote}, "
        f"escape = {quote}, all_varchar = true"
    )


def _separator(path: str) -> str:
    if _suffix(path) in TABBED:
        return "\t"
    with LineFile(path, SMALLEST_BLOCK) as file:
        ready = file.lines.texts(min(file.fill(), SAMPLE))
        return separator_of(_suffix(path), ready, longest_line())


# How a string, or a list of strings, of JSON is read, and what tells that a value is one.
_JSON_TEXTS = {
    "a string": ("$", "json_type({0}) = 'VARCHAR'"),
    "a list of strings": (
        "$[*]",
        "json_type({0}) = 'ARRAY' AND list_has_all(['VARCHAR', 'NULL'], json_type({0}, '$[*]'))",
    ),
}
_NO_TEXT = re.compile(r"(a string|a list of strings) is needed in column (.*)")

# The types that DuckDB finds in text, or in text beside something else.
_TEXTS = ("VARCHAR", "JSON", "DATE", "TIME", "UUID")


def _jsonl(connection: Any, files: Sequence[str], named: Sequence[str]) -> str:
    read = f"read_json({_names(files)}, format = 'newline_delimited', union_by_name = true"
    types = _types(connection, read)
    strict = []
    for name in named:
        kind = types.get(name, "")
        if not kind.startswith(_TEXTS) or kind.count("[]") > 1:
            continue
        # The types of the first rows say nothing about the others: a string is a string.
        types[name] = "JSON"
        needed = "a list of strings" if kind.endswith("[]") else "a string"
        (path, is_text), cell = _JSON_TEXTS[needed], quoted(name)
        strict.append(
            f"CASE WHEN {cell} IS NULL OR ({is_text.format(cell)}) THEN {cell} ->> '{path}' "
            f"ELSE error({_text(f'{needed} is needed in column {name}')}) END AS {cell}"
        )
    columns = ", ".join(f"{_text(name)}: {_text(kind)}" for name, kind in types.items())
    source = f"{read}, columns = {{{columns}}})"
    return f"(SELECT * REPLACE ({', '.join(strict)}) FROM {source})" if strict else source


def explained(error: Exception, files: Sequence[str]) -> str | None:
    """Return where JSON has something else than text, if that is the error of DuckDB."""
    found = _NO_TEXT.search(first_line(error))
    if found is None:
        return None
    needed, name = found.groups()
    for file in files:
        for number, cell in enumerate(_cells_of_json(file, name), 1):
            listed = cell if needed == "a list of strings" else [cell]
            parts = [] if cell is None else listed if isinstance(listed, list) else [0]
            if not set(map(type, parts)) <= {str, type(None)}:
                return f"{file}, line {number:,}: {name!r} is {written(cell)}; {needed} is needed"
    return None


def _cells_of_json(path: str, name: str) -> Iterator[Any]:
    with LineFile(path) as file:
        while count := file.fill():
            for line in file.lines.texts(count):
                yield json_value(line).get(name) if line.strip() else None
            file.lines.drop_front(count)


def _arrow(connection: Any, files: Sequence[str], named: Sequence[str]) -> str:
    schema = _opened(files[0]).schema
    # DuckDB reads a duration to the last digit as a number only, as in Parquet.
    read = pa.schema(
        field.with_type(pa.int64()) if pa.types.is_duration(field.type) else field
        for field in schema
    )
    batches = (batch.cast(read) for batch in _batches(files, schema))
    reader = pa.RecordBatchReader.from_batches(read, batches)
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


def _header(connection: Any, file: str) -> list[str]:
    found = connection.execute(f"FROM {_cells([file])}, header = false) LIMIT 1").fetchone()
    return [cell for cell in found or () if cell]


def _keys(connection: Any, file: str) -> list[str]:
    objects = f"(FROM read_ndjson_objects({_names([file])}) LIMIT {_SAMPLED_OBJECTS})"
    query = f"SELECT DISTINCT unnest(json_keys(json)) FROM {objects} ORDER BY 1"
    return [name for (name,) in connection.execute(query).fetchall()]


def _parquet_schema(file: str) -> Any:
    from pyarrow import parquet

    # A path would be taken for an address if it begins like one.
    return parquet.read_schema(pa.memory_map(file))


# The names of columns as they stand in a file: DuckDB renames those that are equal to it.
_STORED_NAMES: dict[Source, StoredNames] = {
    _parquet: lambda _, file: list(_parquet_schema(file).names),
    _csv: _header,
    _tsv: _header,
    _jsonl: _keys,
    _arrow: lambda _, file: list(_opened(file).schema.names),
}


def check_names(
    connection: Any, source: Source, files: Sequence[str], used: Sequence[str], where: str | None
) -> None:
    """Refuse columns of the first file that differ at most in case, if one of them is used."""
    if source not in _STORED_NAMES or not (used or where):
        return
    # A number is what DuckDB adds to the name of the second.
    named = {part.casefold() for name in used for part in (name, re.sub(r"_\d+$", "", name))}
    alike: dict[str, list[str]] = {}
    for name in _STORED_NAMES[source](connection, files[0]):
        alike.setdefault(name.casefold(), []).append(name)
    for folded, names in alike.items():
        if len(names) > 1 and (folded in named or folded in str(where or "").casefold()):
            raise InputError(
                f"{files[0]}: the names of the columns {' and '.join(map(repr, names))} differ at "
                "most in case, which SQL ignores; rename all but one"
            )


def check_exact(source: Source, files: Sequence[str], floats: Sequence[str]) -> None:
    """Refuse to group by decimals of more than 38 digits, which DuckDB reads as `floats`."""
    if source is not _parquet or not floats:
        return
    for field in chain.from_iterable(map(_parquet_schema, files)):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if field.name in floats and pa.types.is_decimal(kind):
            raise InputTypeError(
                f"column {field.name!r} is a column of {kind}: groups of decimals in files have at "
                "most 38 digits; store them as text, or score the table with truebleu.engines.arrow"
            )


_DELTA, _ICEBERG = "Delta Lake", "Iceberg"

# Where tables keep a transaction log.
_LOGS = {
    "_delta_log": _DELTA,
    "metadata/*.metadata.json": _ICEBERG,
    ".hoodie": "Hudi",
    "_spark_metadata": "Spark's streams",
}

# What else Polars needs to read a table; and how Spark reads the others.
_LIBRARIES = {_DELTA: "deltalake", _ICEBERG: "pyiceberg"}
_BY_SPARK = {
    "Hudi": 'spark.read.format("hudi").load({!r})',
    "Spark's streams": "spark.read.load({!r})",
}


def is_lake(path: str) -> bool:
    """Whether a path is that of a whole table with a log, or of a metadata file of Iceberg."""
    return _kind(Path(path)) is not None or _is_metadata(Path(path))


def _is_metadata(path: Path) -> bool:
    return path.name.endswith(".metadata.json") and path.is_file()


def _kind(folder: Path) -> str | None:
    """Return the kind of a table by the log in its folder."""
    found = (kind for log, kind in _LOGS.items() if next(folder.glob(log), None) is not None)
    return next(found, None) if folder.is_dir() else None


def refuse_files_of_lakes(folders: Iterable[Path]) -> None:
    """Refuse files that belong to a table with a log, since only the log knows which count."""
    for folder in {above for each in folders for above in (each, *each.resolve().parents)}:
        kind = _kind(folder)
        if kind is not None:
            _check_readable(folder, kind)
            raise InputError(
                f"{folder} is a table of {kind}: its log says which files count. Give the folder "
                "itself, or name the files"
            )


def _check_readable(folder: Path | str, kind: str) -> None:
    """Refuse a table that cannot be read here, with what to do."""
    if kind in _BY_SPARK:
        how = (
            f"Read it with {_BY_SPARK[kind].format(str(folder))} and score that with "
            "truebleu.engines.spark"
        )
    else:
        libraries = ("polars", _LIBRARIES[kind])
        if all(find_spec(name) is not None for name in libraries):
            return
        how = f"To read it, pip install {' '.join(libraries)}"
    raise InputError(
        f"{folder} is a table of {kind}: its log says which files count. {how}, or name the files "
        "themselves"
    )


def _by_polars(
    storage_options: Mapping[str, Any] | None,
    connection: Any,
    files: Sequence[str],
    named: Sequence[str],
) -> str:
    """Register what Polars reads as a stream; return its name."""
    if len(files) > 1:
        raise SettingsError(
            f"{files[0]} and {files[1]}: an address, or a table with a log, is given alone; an "
            "address may be a pattern"
        )
    [path] = files
    try:
        reader = open_reader(_scan(path, storage_options))
    except (SettingsError, InputError, MemoryError):
        raise
    except Exception as error:  # Of any of three libraries.
        raise InputError(f"{path}: {first_line(error)}") from None
    connection.register("truebleu_arrow", reader)
    return "truebleu_arrow"


def _scan(path: str, storage_options: Mapping[str, Any] | None) -> Any:
    """Return a lazy frame of Polars."""
    how: dict[str, Any] = {"storage_options": storage_options}
    suffix = _suffix(path) if "://" in path else ""
    if not suffix:
        local = Path(path)
        kind = _ICEBERG if _is_metadata(local) else _kind(local) or _DELTA
        _check_readable(path, kind)
        import polars as pl

        return pl.scan_iceberg(_metadata(local)) if kind == _ICEBERG else pl.scan_delta(path, **how)
    if find_spec("polars") is None:
        raise missing(f"Polars to read {path}", "polars")
    import polars as pl

    scans: dict[Source, Any] = {
        _parquet: partial(pl.scan_parquet, hive_partitioning=True),
        _arrow: partial(pl.scan_ipc, hive_partitioning=True),
        _jsonl: partial(pl.scan_ndjson, infer_schema_length=None),
    }
    if (
        suffix == ".arrows"
        or path.lower().endswith(_COMPRESSED)
        or FORMATS.get(suffix) not in scans
    ):
        raise SettingsError(
            f"{path}: what is read from an address is Parquet, JSON Lines or an Arrow file, not "
            "compressed, or a table of Delta Lake; download it, or store it as Parquet"
        )
    return scans[FORMATS[suffix]](path, **how)


def _metadata(path: Path) -> str:
    """Return the metadata file that describes the current state of a table, if it can be known."""
    if _is_metadata(path):
        return str(path)
    folder = path / "metadata"
    found = sorted(folder.glob("*.metadata.json"))
    hint = folder / "version-hint.text"
    if hint.is_file():
        version = hint.read_text("utf-8").strip()
        # A catalog of Hadoop, which is the folder itself.
        found = [each for each in found if each.name == f"v{version}.metadata.json"] or found
    if len(found) > 1:
        raise InputError(
            f"{path} has {len(found)} files of metadata, and only the catalog knows which is "
            f"current: give that one, such as {found[-1]}"
        )
    return str(found[0])
