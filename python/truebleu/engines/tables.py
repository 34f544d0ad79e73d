"""Scores of files that hold tables, in memory that does not grow. Needs ``truebleu[duckdb]``.

DuckDB reads the files into a stream of Arrow, and :mod:`truebleu.engines.arrow` does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import contextmanager
from itertools import chain
from os import PathLike, fspath
from typing import TYPE_CHECKING, overload

from truebleu.engines import table_sql
from truebleu.engines.duckdb import quoted
from truebleu.engines.formats import (
    check_compressed,
    check_exact,
    check_names,
    explained,
    find,
    first_line,
    paths_of,
    source_of,
)
from truebleu.engines.job import (
    Job,
    as_names,
    chosen_counting,
    chosen_metric,
    missing,
    no_hypothesis,
    no_reference,
    present,
    stored_columns,
)
from truebleu.errors import EmptyInputError, InputError, StatsMismatchError
from truebleu.inputs.arrow import read
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.storage import KEY, check_keys

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise missing("DuckDB and pyarrow", "duckdb") from error

from truebleu.engines import arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.engines.job import Metrics, Nulls, Places, Queries, Texts
    from truebleu.metrics import BleuSettings, Metric, MetricName, Score, Stats

    Paths = str | PathLike[str] | Iterable[str | PathLike[str]]

# Rows of a batch.
_ROWS = 1 << 16

__all__ = ["Tables", "corpus_score", "score_stats", "sentence_score", "stats"]


@overload
def corpus_score(
    paths: Paths, hypothesis: str, references: Texts, **kw: Unpack[Queries]
) -> Score: ...
@overload
def corpus_score(
    paths: Paths, hypothesis: str, references: Texts, *, group_by: Texts, **kw: Unpack[Queries]
) -> pa.Table: ...
def corpus_score(
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | pa.Table:
    """Score files: Parquet, CSV, TSV, JSON Lines or Arrow.

    Parameters
    ----------
    paths : str or PathLike, or iterable of these
        Files of one format, which their suffix tells; patterns such as ``data/*.parquet``; or
        folders. ``key=value`` in the names of folders is a column. In folders and patterns, files
        and folders whose names begin with ``_`` or ``.`` are skipped, except ``_key=value``. Or one
        table with a transaction log, which Polars reads: the folder of a table of Delta Lake, or
        the folder or metadata file of one of Iceberg. Or one address that Polars reads, such as
        ``s3://bucket/*.parquet``, ``gs://`` or ``https://``: of Parquet, JSON Lines, Arrow files
        or, without a suffix, Delta Lake.
    hypothesis, references, group_by, threads, nulls, metric, **settings
        As for :func:`truebleu.engines.arrow.corpus_score`, and so are the results, and these errors
        besides others.
    where : str, optional
        Score only the rows for which this SQL expression is true: one expression over the
        columns, without a subquery. It cannot read other files, or write any. It is tried on the
        first rows, and refused if that takes more than some seconds.
    storage_options : mapping, optional
        What Polars needs to read an address: credentials, a region, an endpoint.

    Returns
    -------
    Score, or Table if there are groups

    Raises
    ------
    InputError
        If a file does not hold what its suffix says, or is part of a table with a transaction log,
        or such a table cannot be read; or names of columns differ at most in case.
    SettingsError
        If `where` is not one valid expression that is true or false, or takes too long.
    OSError
        If there is no such file, or a compressed one is damaged.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_counting(metric, settings, nulls))
    with Tables(paths, threads, None, storage_options) as tables:
        return arrow.scored(tables.sums(job, where), job)


def sentence_score(
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    where: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pa.ChunkedArray:
    """Score every row by itself, in the order of the files.

    Parameters and errors are those of :func:`corpus_score`; the result is that of
    :func:`truebleu.engines.arrow.sentence_score`.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    with Tables(paths, threads, None, storage_options) as tables:
        reader = tables.read(job, where, corpus=False)
        names = hypothesis, job.references
        return arrow.sentence_score(reader, *names, threads=threads, nulls=nulls, metric=job.metric)


def stats(
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    where: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> pa.Table:
    """Count every row, in the order of the files.

    Parameters and errors are those of :func:`corpus_score`; the result is that of
    :func:`truebleu.engines.arrow.stats`.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    with Tables(paths, threads, None, storage_options) as tables:
        reader = tables.read(job, where, corpus=False)
        names = hypothesis, job.references
        return arrow.stats(reader, *names, threads=threads, nulls=nulls, metric=job.metric)


def score_stats(
    paths: Paths,
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | pa.Table:
    """Add up statistics that are stored in files, and score the sum.

    Parameters are those of :func:`corpus_score`, and errors those of
    :func:`truebleu.engines.arrow.score_stats`, whose columns the files have.

    Returns
    -------
    Score, or Table if there are groups
        As there, without ``segments``. The signature leaves the number of references out, because
        it is not stored.
    """
    chosen = chosen_metric(metric, settings)
    # Rows of statistics stand in the place of texts.
    job = Job(KEY, chosen.fields, group_by, metric=chosen)
    with Tables(paths, threads, None, storage_options) as tables:
        found = arrow.scored(tables.stored(job, where), job)
    return found.drop_columns(job.segments) if isinstance(found, pa.Table) else found


class Tables:
    """Files of one format, open for queries: see :func:`corpus_score`. A context manager.

    One query at a time: another, also from another thread, is an InputError until it has ended.
    `progress` is called from time to time with the percentage of a query that is done, and 100.
    """

    def __init__(
        self,
        paths: Paths,
        threads: int | None = None,
        progress: Callable[[int, int | None], None] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        several: Any = [paths] if isinstance(paths, str | PathLike) else paths
        if isinstance(several, Iterable):
            several = [fspath(each) if isinstance(each, PathLike) else each for each in several]
        self._made_of = as_names(several, "paths"), threads, progress, storage_options
        found = list(chain.from_iterable(map(find, self._made_of[0])))
        if not found:
            raise EmptyInputError("paths is empty: at least one file is needed")
        self._source = source_of(found, storage_options)
        self._files = found
        self._what = found[0] if len(found) == 1 else f"{found[0]} and {len(found) - 1:,} more"
        self._threads = thread_count(threads)
        self._progress = progress
        check_compressed(found)
        self.connection = duckdb.connect()
        for setting, value in (
            ("threads", self._threads),
            # Nothing is downloaded.
            ("autoinstall_known_extensions", "false"),
            # DuckDB keeps track of its progress, but does not print it.
            ("enable_progress_bar", "true"),
            ("enable_progress_bar_print", "false"),
            # Times with a zone are the same everywhere.
            ("TimeZone", "'UTC'"),
            # A name in a query is never a Python variable.
            ("python_enable_replacements", "false"),
            # Whatever a query says, it reads these files only.
            ("allowed_paths", paths_of(found)),
            ("enable_external_access", "false"),
            ("lock_configuration", "true"),
        ):
            self.connection.execute(f"SET {setting} = {value}")

    def __reduce__(self) -> tuple[object, ...]:
        """Open the files again: a copy, or another process, has a connection of its own."""
        return type(self), self._made_of

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def read(
        self, job: Job, where: str | None = None, *, corpus: bool = True
    ) -> pa.RecordBatchReader:
        """Read the columns of a job as a stream of Arrow, in the order of the files."""
        types = self.columns(job.columns, where)
        self._check(job, types, corpus=corpus)
        return self._stream(map(quoted, job.columns), job.columns, where)

    def sums(self, job: Job, where: str | None = None) -> pa.Table:
        """Count the rows, and add up those of each group: see :func:`arrow.partial_sums`."""
        return arrow.partial_sums(self.read(job, where), job, self._threads)

    def stats(self, job: Job, where: str | None = None) -> Stats:
        """Count every row, in the order of the files, whatever its group."""
        found, _ = arrow.count_rows(self.read(job, where, corpus=False), job, self._threads)
        if not len(found):
            raise EmptyInputError("there are no rows to score")
        return found

    def texts(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        where: str | None = None,
        *,
        nulls: bool = False,
    ) -> tuple[list[list[str]], list[list[str]]]:
        """Return the texts of each column of hypotheses, and the references of each row.

        Rows without one of them are an error, unless there may be `nulls`.
        """
        names = [*hypotheses, *references]
        for name in names:
            table_sql.check_known(name, self.columns(names, where))
        table = self._stream(map(quoted, names), names, where).read_all()
        if not len(table):
            raise EmptyInputError("there are no rows to score")
        columns = [read(table[name], f"column {name!r}") for name in names]
        outputs = columns[: len(hypotheses)]
        for name, column in zip(hypotheses, outputs, strict=True):
            if column.first_null is not None and not nulls:
                raise no_hypothesis(name)
        cells = zip(*(column.texts() for column in columns[len(hypotheses) :]), strict=True)
        several = list(map(present, cells))
        if not all(several) and not nulls:
            raise no_reference(references)
        return [column.texts() for column in outputs], several

    def labels(self, name: str, where: str | None = None) -> list[str]:
        """Return the labels of a column, in the order of :meth:`texts`."""
        table_sql.check_known(name, self.columns([name], where))
        column = self._stream([quoted(name)], [name], where).read_all()[name]
        return list(map(str, column.to_pylist()))

    def stored(self, job: Job, where: str | None = None) -> pa.Table:
        """Add up stored statistics, which are the texts of the job: see :meth:`sums`."""
        job.metric._check_addable()
        types = self.columns(job.columns, where)
        stored_columns(job.metric, types)
        self._check(job, types)
        chosen = [quoted(name) for name in job.groups]
        chosen += [f"{table_sql.whole_number(n, types[n])} AS {quoted(n)}" for n in job.texts]

        def count(batch: pa.RecordBatch, job: Job, _: int, *, each: bool) -> tuple[Stats, Places]:
            key, *fields = (batch.column(name) for name in job.texts)
            for name, column in zip(job.texts, (key, *fields), strict=True):
                if column.null_count:
                    kind = StatsMismatchError if name == KEY else InputError
                    raise kind(
                        f"{self._what}: statistics and their keys are whole numbers and never "
                        f"null, but {name!r} has something else"
                    )
            check_keys(key, job.metric.counting_key)
            rows = job.metric._stats_type.from_columns(fields, job.metric)
            return (rows if each else rows.sum()), None

        return arrow.partial_sums(self._stream(chosen, job.columns, where), job, count=count)

    def columns(self, named: Sequence[str] = (), where: str | None = None) -> dict[str, str]:
        """Return the names and types of the columns, as a query over those `named` reads them."""
        with self._explained():
            check_names(self.connection, self._source, self._files, named, where)
            source = self._source(self.connection, self._files, named)
            found = self.connection.execute(f"DESCRIBE FROM {source}").fetchall()
        return {name: str(kind) for name, kind, *_ in found}

    def _check(self, job: Job, types: Mapping[str, str], *, corpus: bool = True) -> None:
        job.check(types, corpus=corpus)
        floats = [name for name in job.groups if types[name] == "DOUBLE"]
        with self._explained():
            check_exact(self._source, self._files, floats)

    def _stream(
        self, chosen: Iterable[str], names: Sequence[str], where: str | None
    ) -> pa.RecordBatchReader:
        """Run a query over the columns `names` of the rows that `where` wants."""
        with self._explained():
            source = self._source(self.connection, self._files, names)
            condition = table_sql.condition(self.connection, where, source)
            # The condition was tried on rows of it, and a stream is read once.
            source = self._source(self.connection, self._files, names)
            query = f"SELECT {', '.join(chosen)} FROM {source} {condition}"
            reader = self.connection.sql(query).to_arrow_reader(_ROWS)

        def batches() -> Iterator[pa.RecordBatch]:
            while True:
                with self._explained():
                    batch = next(reader, None)
                if batch is None:
                    return
                if self._progress is not None:
                    self._progress(max(0, int(self.connection.query_progress())), 100)
                yield batch

        return pa.RecordBatchReader.from_batches(reader.schema, batches())

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise the exception that DuckDB passes on as text, or one about its own."""
        try:
            yield
        except (OSError, duckdb.Error, pa.ArrowException) as error:
            if isinstance(error, duckdb.InterruptException):
                raise KeyboardInterrupt from None
            if _lacks_memory(error):
                raise MemoryError(f"{self._what}: {first_line(error)}") from None
            where = explained(error, self._files)
            raise InputError(where or f"{self._what}: {first_line(error)}") from None


def _lacks_memory(error: Exception) -> bool:
    """Whether DuckDB or Arrow have found too little memory; Arrow passes on text of DuckDB's."""
    if isinstance(error, MemoryError | duckdb.OutOfMemoryException):
        return True
    return any(text in str(error) for text in ("Out of Memory Error", "Cannot allocate memory"))
