"""Scores of plain Parquet files that Spark's executors read with Arrow, around the JVM.

They are cut into parts: the row groups that one task reads.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, overload

import pyarrow as pa
from pyarrow import fs
from pyarrow import parquet as pq

from truebleu.engines.arrow import join_sums, partial_sums
from truebleu.engines.formats import find, first_line, is_lake
from truebleu.engines.job import Job, chosen_counting
from truebleu.engines.spark.columns import is_case_sensitive, matching
from truebleu.engines.spark.sums import counted, scored
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    SettingsError,
    TruebleuError,
    UnknownNameError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    from truebleu.engines.job import Metrics, Nulls, Options, Texts
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.score import Score

    Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

    # From a name and the columns there are to those that it stands for.
    Matching = Callable[[str, Iterable[str]], list[str]]

# The bytes of a part, which a core counts in well under a second; and how many parts there may be.
_PART = 1 << 24
_PARTS = 10_000

_SUFFIXES = (".parquet", ".pq")

# The names under which Spark knows file systems of Arrow.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}

# What says that other files belong to a table than those that are there.
_LOGS = ("_delta_log", "_spark_metadata", ".hoodie", "metadata.json")

_REMEDY = "score a data frame of it instead, with corpus_score"


@overload
def corpus_score_of_files(
    session: SparkSession, paths: Paths, hypothesis: str, references: Texts, **kw: Unpack[Options]
) -> Score: ...


@overload
def corpus_score_of_files(
    session: SparkSession,
    paths: Paths,
    hypothesis: str,
    references: Texts,
    *,
    group_by: Texts,
    **kw: Unpack[Options],
) -> DataFrame: ...


def corpus_score_of_files(
    session: SparkSession,
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | DataFrame:
    """Score plain Parquet files, which the executors read with Arrow.

    The result is that of :func:`corpus_score` for ``session.read.parquet(paths)``, without the way
    of all text through the JVM. Executors must reach the files under the same paths.

    Parameters
    ----------
    session : SparkSession
    paths : str or PathLike, or iterable of these
        Files, folders, patterns of local files (``*``, ``**``), or addresses that Arrow opens, such
        as ``s3://`` and ``hdfs://``. Names that begin with ``_`` or ``.`` are skipped in folders,
        and files without a byte.
    hypothesis, references, group_by, nulls, metric, **settings
        As for :func:`corpus_score`, by name, and so are the result and these errors besides others.
        Groups are of strings, numbers, booleans or dates.

    Raises
    ------
    FileNotFoundError
        If there are no files.
    InputError
        If files are not plain Parquet: of another format, encrypted, or of a table with a
        transaction log (Delta Lake, Iceberg, Hudi). Nor may columns be in the names of folders.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_counting(metric, settings, nulls))
    exact = is_case_sensitive(session)
    same = partial(matching, exact=exact)
    job.check(job.columns, ignore_case=not exact)
    parts = parts_of(paths)
    if not parts:
        raise EmptyInputError("there are no rows to score")
    arrow_types = types_of_groups(parts[0][0], job, same)
    empty = pa.schema(list(arrow_types.items())).empty_table()
    schema = session.createDataFrame(empty).schema if job.groups else ()
    types = {field.name: field.dataType for field in schema}

    def count(batches: Iterator[pa.RecordBatch]) -> pa.Table:
        # A task for each part.
        [number] = (each for batch in batches for each in batch.column(0).to_pylist())
        return sums_of_part(parts[number], job, same, arrow_types)

    numbers = session.range(0, len(parts), 1, len(parts))
    return scored(counted(numbers, count, job, types), job)


@dataclass(frozen=True)
class Piece:
    """The row groups of a file that begin in a range of its bytes."""

    filesystem: fs.FileSystem
    path: str
    size: int
    start: int
    stop: int


def parts_of(paths: Paths) -> list[list[Piece]]:
    """Find files, and cut them into parts of about the same size; no footer is read for it."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    files = [file for path in several for file in _files(os.fspath(path))]
    total = sum(file.size for file in files)
    count = min(max(1, -(-total // _PART)), _PARTS)
    # Files behind one another, cut evenly.
    parts: list[list[Piece]] = [[] for _ in range(count)]
    before = 0
    for file in files:
        for part in range(before * count // total, (before + file.size - 1) * count // total + 1):
            start = max(0, -(-part * total // count) - before)
            stop = min(file.size, -(-(part + 1) * total // count) - before)
            parts[part].append(Piece(file.filesystem, file.path, file.size, start, stop))
        before += file.size
    return [part for part in parts if part]


def _files(path: str) -> list[Piece]:
    """Find the files that a path stands for, whole; those without a byte have no rows."""
    if "://" in path:
        system, found = _remote(path)
    elif is_lake(path):
        raise InputError(f"{path} is a table whose log says which files count: {_REMEDY}")
    else:
        system = fs.LocalFileSystem()
        # Executors may be in other folders.
        found = system.get_file_info([str(Path(name).absolute()) for name in find(path)])
    for info in found:
        if not info.path.lower().endswith(_SUFFIXES):
            raise InputError(f"{info.path} is not plain Parquet: {_REMEDY}")
    return [Piece(system, info.path, info.size, 0, info.size) for info in found if info.size]


def _remote(uri: str) -> tuple[fs.FileSystem, list[fs.FileInfo]]:
    """Find files by the address of a file or a folder, by the rules of Spark."""
    scheme, _, rest = uri.partition("://")
    try:
        system, path = fs.FileSystem.from_uri(f"{_SCHEMES.get(scheme, scheme)}://{rest}")
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise SettingsError(f"Arrow cannot open {uri} ({first_line(error)}): {_REMEDY}") from None
    info = system.get_file_info(path)
    if info.type == fs.FileType.File:
        return system, [info]
    if info.type == fs.FileType.NotFound:
        raise FileNotFoundError(f"there is no {uri}; patterns are for local files only")
    found = system.get_file_info(fs.FileSelector(path, recursive=True))
    for each in found:
        if each.path.endswith(_LOGS):
            raise InputError(f"{uri} is a table whose log says which files count: {_REMEDY}")

    def is_part(each: fs.FileInfo) -> bool:
        names = PurePosixPath(each.path).relative_to(path).parts
        hidden = any(name[0] == "." or (name[0] == "_" and "=" not in name) for name in names)
        return each.type == fs.FileType.File and not hidden

    files = sorted(filter(is_part, found), key=lambda each: each.path)
    if not files:
        raise FileNotFoundError(f"there are no Parquet files in {uri}")
    return system, files


def types_of_groups(piece: Piece, job: Job, matching: Matching) -> dict[str, pa.DataType]:
    """Return the types of the columns of groups."""
    with _opened(piece) as file:
        schema = file.schema_arrow
        names = _columns(schema, piece, job, matching)
        return {name: _plain(schema.field(names[name]).type, name) for name in job.groups}


def sums_of_part(
    part: Sequence[Piece], job: Job, matching: Matching, types: Mapping[str, pa.DataType]
) -> pa.Table:
    """Count a part, and add up the rows of each group, as :func:`arrow.partial_sums` does."""
    found = []
    for piece in part:
        with _opened(piece) as file:
            names = _columns(file.schema_arrow, piece, job, matching)
            found.append(partial_sums(_batches(file, piece, names, types), job))
    counted = [sums for sums in found if len(sums)]
    return join_sums(counted, job) if counted else found[0]


def _batches(
    file: pq.ParquetFile, piece: Piece, names: Mapping[str, str], types: Mapping[str, pa.DataType]
) -> Iterator[pa.RecordBatch]:
    chosen = list(set(names.values()))
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        if not group.num_rows:
            continue  # It may have no bytes either.
        first = group.column(0)
        # Where the bytes of the row group begin.
        offset = min(filter(None, (first.dictionary_page_offset, first.data_page_offset)))
        if not piece.start <= offset < piece.stop:
            continue
        # Arrow reads lists of dictionaries from one row group at a time only.
        for batch in file.iter_batches(1 << 16, [number], chosen, use_threads=False):
            columns = [
                batch.column(actual).cast(types[name]) if name in types else batch.column(actual)
                for name, actual in names.items()
            ]
            yield pa.RecordBatch.from_arrays(columns, list(names))


def _columns(schema: pa.Schema, piece: Piece, job: Job, matching: Matching) -> dict[str, str]:
    folders = {part.partition("=")[0] for part in PurePosixPath(piece.path).parts if "=" in part}
    found = {}
    for name in job.columns:
        if matching(name, folders):
            raise SettingsError(f"column {name!r} is in the name of a folder: {_REMEDY}")
        matches = matching(name, schema.names)
        if not matches:
            raise UnknownNameError(
                f"there is no column {name!r}; the columns are {', '.join(schema.names)}"
            )
        if len(matches) > 1:
            raise SettingsError(f"{len(matches)} columns are called {name!r}: rename one")
        found[name] = matches[0]
    return found


def _plain(kind: pa.DataType, name: str) -> pa.DataType:
    """Return the type that Spark has for the values of a group."""
    types = pa.types
    if types.is_dictionary(kind):
        return _plain(kind.value_type, name)
    if types.is_string(kind) or types.is_large_string(kind):
        return pa.string()
    if types.is_unsigned_integer(kind):
        wider = {8: pa.int16(), 16: pa.int32(), 32: pa.int64(), 64: pa.decimal128(20)}
        return wider[kind.bit_width]
    if types.is_integer(kind) or types.is_boolean(kind) or types.is_date32(kind):
        return kind
    if types.is_float32(kind) or types.is_float64(kind) or types.is_decimal128(kind):
        return kind
    raise InputTypeError(f"column {name!r} is of type {kind}: to group by it, {_REMEDY}")


@contextmanager
def _opened(piece: Piece) -> Iterator[pq.ParquetFile]:
    """Open the file of a piece; say in which file something is wrong."""
    try:
        with piece.filesystem.open_input_file(piece.path) as source:
            if source.size() != piece.size:
                raise InputError("the file has changed since scoring began: score it again")
            yield pq.ParquetFile(source, pre_buffer=True)
    except TruebleuError as error:
        raise type(error)(f"{piece.path}: {error}") from None
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{piece.path}: it cannot be read as plain Parquet ({first_line(error)}): {_REMEDY}"
        ) from None
