"""Scores of plain Parquet files that Spark finds, and its executors read with Arrow.

They are cut into parts: the row groups that one task reads.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, overload
from urllib.parse import quote, unquote

import pyarrow as pa
from py4j.protocol import Py4JError
from pyarrow import fs
from pyarrow import parquet as pq
from pyspark.errors import PySparkException

from truebleu.engines.arrow import join_sums, partial_sums
from truebleu.engines.job import chosen_counting
from truebleu.engines.spark.columns import is_case_sensitive, matching, selected
from truebleu.engines.spark.sums import counted, scored
from truebleu.errors import (
    EmptyInputError,
    InputError,
    SettingsError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.inputs.readers.arrow import first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    from truebleu.engines.job import Job, Metrics, Nulls, Options, Texts
    from truebleu.metrics import BleuSettings, Score

    Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

# The bytes of a part, which a core counts in well under a second; and how many parts there may be.
_PART = 1 << 24
_PARTS = 10_000

# Folders that say that other files belong to a table than those that are there: of Delta Lake, Hudi
# and, with files of metadata, Iceberg.
_LOGS = ("_delta_log", ".hoodie", "metadata")

_MISSING = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA")
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
        What ``session.read.parquet`` takes: files, folders, patterns, or addresses, if Arrow opens
        them as well, such as ``s3://`` and ``hdfs://``.
    hypothesis, references, group_by, nulls, metric, **settings
        As for :func:`corpus_score`, by name, and so are the result and these errors besides others.

    Raises
    ------
    FileNotFoundError
        If there are no files.
    InputError
        If files are not plain Parquet: of another format, encrypted, or of a table with a
        transaction log (Delta Lake, Iceberg, Hudi). Nor may columns be in the names of folders.
    """
    counting = chosen_counting(metric, settings, nulls)
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    try:
        frame = session.read.parquet(*(os.fspath(path) for path in several))
    except (PySparkException, Py4JError) as error:
        condition = error.getCondition() if isinstance(error, PySparkException) else None
        kind = FileNotFoundError if condition in _MISSING else InputError
        raise kind(f"Spark cannot read it as Parquet: {first_line(error)}") from None
    selection = selected(frame, hypothesis, references, group_by, metric=counting)
    job, exact = selection.job, is_case_sensitive(session)
    parts = parts_of(frame.inputFiles(), [name for name in frame.columns if name in job.columns])
    if not parts:
        raise EmptyInputError("there are no rows to score")
    schema = selection.frame.limit(0).toArrow().schema
    places = {name: selection.names.index(name) for name in job.groups}
    arrow_types = {name: schema.field(place).type for name, place in places.items()}

    def count(batches: Iterator[pa.RecordBatch]) -> pa.Table:
        # A task for each part.
        [number] = (each for batch in batches for each in batch.column(0).to_pylist())
        return sums_of_part(parts[number], job, arrow_types, exact=exact)

    numbers = session.range(0, len(parts), 1, len(parts))
    types = {name: selection.type_of(name) for name in job.groups}
    return scored(counted(numbers, count, job, types), job)


class Piece(NamedTuple):
    """Each `shares`-th row group of a file, from number `share`."""

    filesystem: fs.FileSystem
    path: str
    share: int
    shares: int


def parts_of(addresses: Iterable[str], columns: Sequence[str] = ()) -> list[list[Piece]]:
    """Cut files into parts of about the same size; no footer is read for it."""
    files = list(_files(sorted(addresses)))
    folders = {each for _, path, _ in files for each in PurePosixPath(path).parents}
    for name in {folder.name.partition("=")[0] for folder in folders if "=" in folder.name}:
        if name in columns:
            raise SettingsError(f"column {name!r} is in the name of a folder: {_REMEDY}")
    for system in {id(system): system for system, *_ in files}.values():
        _refuse_lakes(system, [str(folder) for folder in folders if "=" not in folder.name])
    pieces = [
        Piece(system, path, share, shares)
        for system, path, size in files
        for shares in [-(-size // _PART)]
        for share in range(shares)
    ]
    count = min(-(-sum(size for *_, size in files) // _PART), _PARTS)
    return [pieces[number::count] for number in range(count)]


def _files(addresses: Iterable[str]) -> Iterator[tuple[fs.FileSystem, str, int]]:
    """Open addresses, and yield their sizes."""
    head = ""
    for address in addresses:
        # Spark has names of its own for a file system of Arrow.
        uri = unquote(address.replace("s3a://", "s3://", 1))
        if not head or not uri.startswith(head):
            try:
                system, path = fs.FileSystem.from_uri(quote(uri, ":/@"))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                why = f"Arrow cannot open {uri} ({first_line(error)})"
                raise SettingsError(f"{why}: {_REMEDY}") from None
            head = uri.removesuffix(path)
        info = system.get_file_info(uri.removeprefix(head))
        yield system, info.path, info.size or 0


def _refuse_lakes(system: fs.FileSystem, folders: Sequence[str]) -> None:
    """Refuse folders in which only a log knows which files count."""
    for log in system.get_file_info([f"{each}/{log}" for each in folders for log in _LOGS]):
        if log.type != fs.FileType.Directory:
            continue
        inside = system.get_file_info(fs.FileSelector(log.path))
        if log.base_name != "metadata" or any(".metadata.json" in each.path for each in inside):
            folder = PurePosixPath(log.path).parent
            raise InputError(f"{folder} is a table whose log says which files count: {_REMEDY}")


def sums_of_part(
    part: Sequence[Piece], job: Job, types: Mapping[str, pa.DataType], *, exact: bool
) -> pa.Table:
    """Count a part, and add up the rows of each group, as :func:`arrow.partial_sums` does."""
    found = []
    for piece in part:
        with _explained(piece), piece.filesystem.open_input_file(piece.path) as source:
            file = pq.ParquetFile(source, pre_buffer=True)
            names = {name: _column(name, file.schema_arrow, exact=exact) for name in job.columns}
            found.append(partial_sums(_batches(file, piece, names, types), job))
    counted = [sums for sums in found if len(sums)]
    return join_sums(counted, job) if counted else found[0]


@contextmanager
def _explained(piece: Piece) -> Iterator[None]:
    """Say in which file something is wrong."""
    try:
        yield
    except TruebleuError as error:
        raise type(error)(f"{piece.path}: {error}") from None
    except (pa.ArrowException, OSError) as error:
        why = f"it cannot be read as plain Parquet ({first_line(error)})"
        raise InputError(f"{piece.path}: {why}: {_REMEDY}") from None


def _column(name: str, schema: pa.Schema, *, exact: bool) -> str:
    """Return the one column of a file that a name stands for."""
    matches = matching(name, schema.names, exact=exact)
    if not matches:
        raise UnknownNameError(
            f"there is no column {name!r}; the columns are {', '.join(schema.names)}"
        )
    if len(matches) > 1:
        raise SettingsError(f"{len(matches)} columns are called {name!r}: rename one")
    return matches[0]


def _batches(
    file: pq.ParquetFile, piece: Piece, names: Mapping[str, str], types: Mapping[str, pa.DataType]
) -> Iterator[pa.RecordBatch]:
    chosen = list(set(names.values()))
    for number in range(piece.share, file.num_row_groups, piece.shares):
        # Arrow reads lists of dictionaries from one row group at a time only.
        for batch in file.iter_batches(1 << 16, [number], chosen, use_threads=False):
            table = {name: batch.column(actual) for name, actual in names.items()}
            table |= {name: table[name].cast(kind) for name, kind in types.items()}
            yield pa.RecordBatch.from_pydict(table)
