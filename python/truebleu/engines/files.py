"""Files, folders and addresses that hold a table, as a stream of Arrow: the registry FORMATS."""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from glob import glob, has_magic
from itertools import chain, islice
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from truebleu.engines import lakes
from truebleu.engines.job import missing
from truebleu.errors import (
    EmptyInputError,
    InputError,
    SettingsError,
    SettingsWarning,
    UnknownNameError,
    warn,
)
from truebleu.inputs import forms
from truebleu.inputs.readers import FORM_OF_SUFFIX, open_table
from truebleu.inputs.readers.arrow import (
    first_line,
    open_source,
    record_batches,
    refusing,
    schema_of,
)
from truebleu.inputs.readers.base import check_known

try:
    import pyarrow as pa
    from pyarrow import fs
except ImportError as error:
    raise missing("pyarrow", "arrow") from error

if TYPE_CHECKING:
    from typing import Any

    from truebleu.inputs.readers.base import Reader

    Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    Progress = Callable[[int, int | None], None]

# Rows of a batch.
_ROWS = 1 << 16

# How many blocks of objects are read at most to know which texts are lists.
_FIRST = 16

# What Spark and Hive call a folder whose key is null.
_NULL = "__HIVE_DEFAULT_PARTITION__"


class File(NamedTuple):
    """A file of a table, here or on the file system of an address."""

    path: str
    system: fs.FileSystem | None = None

    @property
    def keys(self) -> dict[str, str | None]:
        """What the names of folders say about all rows, as text: ``day=01`` is not ``day=1``."""
        parts = [name.partition("=") for name in PurePosixPath(self.path).parts[:-1]]
        return {
            key: None if value == _NULL else unquote(value)
            for key, equals, value in parts
            if key and equals
        }

    @contextmanager
    def open(self) -> Iterator[Any]:
        """Open the file for Arrow, whose errors name it."""
        with refusing(self.path):
            if self.system is not None:
                source = self.system.open_input_file(self.path)
            else:
                try:
                    source = pa.OSFile(self.path)
                except UnicodeEncodeError:
                    raise InputError(
                        f"{self.path!r}: the name of a table must be UTF-8; rename the file"
                    ) from None
            with source:
                yield source


class Wanted(NamedTuple):
    """The columns to read: texts, and `labels`, which may be of any type."""

    texts: Sequence[str] = ()
    labels: Sequence[str] = ()
    no_header: bool = False

    @property
    def names(self) -> list[str]:
        """The names of all, each once."""
        return list(dict.fromkeys([*self.texts, *self.labels]))

    def of(self, names: Container[str]) -> Wanted:
        """Return those that have one of some names."""
        texts = [name for name in self.texts if name in names]
        labels = [name for name in self.labels if name in names]
        return Wanted(texts, labels, self.no_header)


# Batches, each with the share of the file that is read by then.
Parts = Iterator[tuple[pa.RecordBatch, float]]


class Format(NamedTuple):
    """How a file is read: its columns, and batches of those that are wanted."""

    schema: Callable[[File, Wanted], pa.Schema]
    batches: Callable[[File, Wanted], Parts]


def _schema_of_arrow(file: File, _: Wanted) -> pa.Schema:
    with file.open() as source:
        return schema_of(open_source(source))


def _arrow(file: File, wanted: Wanted) -> Parts:
    with file.open() as source:
        size = source.size()
        batches = record_batches(open_source(source), wanted.names, _ROWS)
        yield from _ahead((each.select(wanted.names), source.tell() / size) for each in batches)


def _ahead(parts: Parts) -> Parts:
    """Read each part while the one before is counted: a fifth less time for a file of Parquet."""
    with ThreadPoolExecutor(1) as thread:
        following = thread.submit(next, parts, None)
        while (part := following.result()) is not None:
            following = thread.submit(next, parts, None)
            yield part


def _reader(file: File, wanted: Wanted) -> Reader:
    """Open a table that is text."""
    if file.system is not None:
        raise SettingsError(
            f"{file.path}: what is read from an address is Parquet or Arrow; download it, or store "
            "it as Parquet"
        )
    return open_table(file.path, no_header=wanted.no_header)


def _schema_of_texts(file: File, wanted: Wanted) -> pa.Schema:
    """Return the columns of a file, of which any object may have others."""
    with _reader(file, wanted) as reader:
        # Of cells, a number is a name, too, and of objects, what later ones have.
        others = (name for name in wanted.names if name not in file.keys and reader.knows(name))
        found = dict.fromkeys([*reader.names, *others], pa.string())
        if reader.form != forms.JSON_LINES or not wanted.texts:
            return pa.schema(found.items())
        # In objects, a text may be a list; the first that is not null tells. None may have it.
        with suppress(UnknownNameError):
            for columns in islice(reader.batches(wanted.texts, waits=False), _FIRST):
                types = (pa.array(column).type for column in columns)
                found |= dict(zip(wanted.texts, types, strict=True))
                if pa.null() not in found.values():
                    break
    return pa.schema(found.items())


def _texts(file: File, wanted: Wanted) -> Parts:
    with _reader(file, wanted) as reader:
        names, size = [*wanted.texts, *wanted.labels], os.stat(file.path).st_size  # noqa: PTH116
        for columns in reader.batches(wanted.texts, wanted.labels):
            found = dict(zip(names, map(pa.array, columns), strict=True))
            batch = pa.RecordBatch.from_pydict(found)
            yield batch, min(1.0, reader.file.read_bytes / max(1, size))


_ARROW, _TEXTS = Format(_schema_of_arrow, _arrow), Format(_schema_of_texts, _texts)

FORMATS = {
    suffix: _ARROW if form == forms.TABLE else _TEXTS for suffix, form in FORM_OF_SUFFIX.items()
}
"""How files are read, by the suffix of their names."""


_ALL = Wanted()


def reader_of(schema: pa.Schema, batches: Iterable[pa.RecordBatch] = ()) -> pa.RecordBatchReader:
    """Return batches, all of which have these columns, as a stream."""
    return pa.RecordBatchReader.from_batches(schema, batches)


def is_paths(data: object) -> bool:
    """Whether a table is given by the names of its files."""
    several = data if isinstance(data, list | tuple) else [data]
    return all(isinstance(each, str | os.PathLike) for each in several)


def open_files(
    paths: Paths, wanted: Wanted = _ALL, progress: Progress | None = None
) -> pa.RecordBatchReader:
    """Open files of one format as one stream, in their order.

    Parameters
    ----------
    paths
        See :func:`truebleu.engines.arrow.corpus_score`.
    wanted : Wanted, optional
        The columns to read; if none is named, all. If one is missing, or is in a file twice, the
        stream has the names of all columns, and no batches.
    progress : callable, optional
        Called after each batch with the percentage of the files that is read, and 100.
    """
    several = [paths] if isinstance(paths, str | os.PathLike) else paths
    given = [os.fspath(each) for each in several]
    if not given:
        raise EmptyInputError("paths is empty: at least one file is needed")
    if any(lakes.kind_of(Path(path)) for path in given):
        return _of_lake(given, wanted)
    files = list(chain.from_iterable(map(_find, given)))
    read = _format_of(files)
    schemas = [read.schema(file, wanted) for file in files]
    all_names = [[*schema.names, *file.keys] for file, schema in zip(files, schemas, strict=True)]
    known = list(dict.fromkeys(chain.from_iterable(all_names)))
    wanted = wanted if wanted.names else wanted._replace(texts=known)
    for schema in schemas:
        counts = Counter(schema.names)
        if any(counts[name] > 1 for name in wanted.names):
            return reader_of(schema)
    if not set(wanted.names) <= set(known):
        return reader_of(pa.schema([(name, pa.null()) for name in known]))
    for file, names in zip(files, all_names, strict=True):
        # Without hypotheses, or any references, a file has nothing to score.
        for several in (wanted.texts[:1], wanted.texts[1:]):
            if several and not {*several} & {*names}:
                check_known(file.path, several[0], names)
    joined = pa.schema([_joined(name, files, schemas) for name in wanted.names])
    return reader_of(joined, _batches(files, read, schemas, wanted, joined, progress))


def _of_lake(paths: Sequence[str], wanted: Wanted) -> pa.RecordBatchReader:
    if len(paths) > 1:
        raise SettingsError(f"{paths[0]} and {paths[1]}: a table with a log is given alone")
    try:
        schema, read = lakes.open_lake(paths[0])
        chosen = wanted.names or schema.names
        if not set(chosen) <= set(schema.names):
            return reader_of(schema)
        batches = read(chosen)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # Of any of two libraries.
        raise InputError(f"{paths[0]}: {first_line(error)}") from None
    return reader_of(pa.schema([schema.field(name) for name in chosen]), _named(paths[0], batches))


def _named(name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    with refusing(name):
        yield from batches


def _joined(name: str, files: Sequence[File], schemas: Sequence[pa.Schema]) -> pa.Field:
    """Return the column that holds the values of those of all files."""
    found: dict[pa.DataType, str] = {}
    for file, schema in zip(files, schemas, strict=True):
        if name in schema.names:
            found.setdefault(schema.field(name).type, file.path)
        elif name in file.keys:
            found.setdefault(pa.string(), file.path)
    if len(found) == 1:
        return pa.field(name, next(iter(found)))
    plain = [pa.schema([(name, _decoded(kind))]) for kind in found]
    try:
        return pa.unify_schemas(plain, promote_options="permissive").field(0)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        (one, first), (other, second), *_ = found.items()
        raise InputError(
            f"column {name!r} is of type {one} in {first}, and of type {other} in {second}; score "
            "them apart, or store it alike"
        ) from None


def _decoded(kind: pa.DataType) -> pa.DataType:
    """Return the type of the texts in a dictionary or a view."""
    if pa.types.is_dictionary(kind):
        return _decoded(kind.value_type)
    return pa.string() if kind == pa.string_view() else kind


def _batches(
    files: Sequence[File],
    read: Format,
    schemas: Sequence[pa.Schema],
    wanted: Wanted,
    joined: pa.Schema,
    progress: Progress | None,
) -> Iterator[pa.RecordBatch]:
    missing: list[UnknownNameError] = []
    for number, (file, schema) in enumerate(zip(files, schemas, strict=True)):
        there = wanted.of(schema.names)
        # Of a file that has none of the columns, the rows count all the same.
        there = there if there.names else Wanted(labels=schema.names[:1])
        try:
            for batch, share in read.batches(file, there):
                with refusing(file.path):
                    columns = [_column(batch, field, file) for field in joined]
                yield pa.RecordBatch.from_arrays(columns, schema=joined)
                if progress is not None:
                    progress(int(100 * (number + share) / len(files)), 100)
        except UnknownNameError as error:  # No object of a file has a field: others may.
            missing.append(error)
    if len(missing) == len(files):
        raise missing[0]


def _column(batch: pa.RecordBatch, field: pa.Field, file: File) -> pa.Array:
    """Return a column of a file, or else what the name of a folder says."""
    column = batch.column(field.name) if field.name in batch.schema.names else None
    if column is not None and column.type != field.type:
        column = column.cast(field.type)
    if field.name not in file.keys:
        return pa.nulls(len(batch), field.type) if column is None else column
    key = file.keys[field.name]
    if column is None:
        return pa.repeat(pa.scalar(key, pa.string()), len(batch)).cast(field.type)
    # A number may be 1 in the one and 01 in the other.
    found = {str(each).lstrip("0") for each in column.unique().to_pylist()}
    if found - {str(key).lstrip("0")}:
        warn(
            f"column {field.name!r} has other values than the names of folders say: the column "
            "counts",
            SettingsWarning,
        )
    return column


def _find(path: str) -> list[File]:
    """Return the files that a path, a folder, a pattern or an address stands for."""
    if path == "-":
        raise SettingsError("a table cannot be read from standard input (-): name a file")
    if "://" in path:
        return _at_address(path)
    pattern: tuple[str, ...] = ()
    if Path(path).is_dir():
        given = Path(path)
        found = [file for file in given.rglob("*") if forms.suffix_of(str(file)) in FORMATS]
    elif Path(path).exists():
        return [File(str(Path(path)))]
    else:
        pattern = Path(path).parts
        fixed = _fixed(pattern)
        given, pattern = Path(*pattern[:fixed]), pattern[fixed:]
        found = [Path(file) for file in glob(path, recursive=True)]  # noqa: PTH207  # May be absolute.
    files = [file for file in found if file.is_file() and not _skipped(file, given, pattern)]
    if not files:
        raise _nothing_at(path, is_folder=not pattern)
    lakes.refuse_files({file.parent for file in files})
    return [File(name) for name in sorted(map(str, files))]


def _nothing_at(path: str, *, is_folder: bool) -> FileNotFoundError:
    why = os.strerror(errno.ENOENT)
    if is_folder:
        why = f"There is no table, whose name ends in {', '.join(FORMATS)}, in the folder"
    return FileNotFoundError(errno.ENOENT, why, path)


def _fixed(parts: Sequence[str]) -> int:
    """Return how many parts of a path are before the first pattern."""
    return next((place for place, part in enumerate(parts) if has_magic(part)), 0)


def _at_address(address: str) -> list[File]:
    """Return the files at an address, in a folder, or of a pattern of parts of a path."""
    try:
        system, path = fs.FileSystem.from_uri(address)
        parts = PurePosixPath(path).parts
        pattern = parts[_fixed(parts) :] if has_magic(path) else ()
        given = path if not pattern else str(PurePosixPath(*parts[: len(parts) - len(pattern)]))
        info = system.get_file_info(given)
        if info.type == fs.FileType.Directory:
            infos = system.get_file_info(fs.FileSelector(given, recursive=True))
        else:
            infos = [info] * (info.type == fs.FileType.File)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{address}: Arrow cannot open it ({first_line(error)}); download it, or score a data "
            "set of pyarrow.dataset, with the file system that it needs"
        ) from None
    logs = [lakes.LOGS[each.base_name] for each in infos if each.base_name in lakes.LOGS]
    if logs:
        raise InputError(
            f"{address} is a table of {logs[0]}: its log says which files count. Open it with its "
            "own library, and score that data set"
        )
    if info.type == fs.FileType.File:
        return [File(given, system)]
    files = [
        each.path
        for each in infos
        if each.type == fs.FileType.File
        and forms.suffix_of(each.path) in FORMATS
        and not _skipped(PurePosixPath(each.path), PurePosixPath(given), pattern)
        and (not pattern or PurePosixPath(each.path).match(path))
    ]
    if not files:
        raise _nothing_at(address, is_folder=info.type == fs.FileType.Directory and not pattern)
    return [File(name, system) for name in sorted(files)]


def _skipped(file: PurePath, given: PurePath, pattern: tuple[str, ...]) -> bool:
    """Whether a file below a folder is not part of the table, by the rules of Spark."""
    # Unless a part of the pattern means such names.
    hidden = {"_", "."} - {part.lstrip("[")[:1] for part in pattern}
    return any(
        name[0] in hidden and not (name[0] == "_" and "=" in name)
        for name in file.relative_to(given).parts
    )


def _format_of(files: Sequence[File]) -> Format:
    """Return what reads these files, all of one format."""
    suffixes = {forms.suffix_of(file.path): file.path for file in files}
    for suffix, path in suffixes.items():
        if suffix not in FORMATS:
            raise SettingsError(f"{path}: the name of a table must end in {', '.join(FORMATS)}")
    found = {FORM_OF_SUFFIX[suffix] for suffix in suffixes}
    if len(found) > 1 and found != {forms.CSV, forms.TSV}:
        raise SettingsError(f"these files are of several formats: {', '.join(sorted(suffixes))}")
    return FORMATS[forms.suffix_of(files[0].path)]
