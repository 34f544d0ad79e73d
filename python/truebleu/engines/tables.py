"""Scores of files that hold tables, in memory that does not grow. Needs ``truebleu[duckdb]``.

DuckDB reads the files, and calls the function that counts their rows.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, overload

from truebleu.engines import table_sql
from truebleu.engines.duckdb import add_function, quoted, stats_function, without_annotations
from truebleu.engines.formats import (
    check_compressed,
    check_exact,
    check_names,
    find,
    first_line,
    paths_of,
    source_of,
)
from truebleu.engines.job import (
    Job,
    as_names,
    chosen_metric,
    missing,
    no_hypothesis,
    no_reference,
    scores_of_rows,
    stats_of_sums,
    stored_columns,
)
from truebleu.errors import EmptyInputError, InputError, StatsMismatchError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.storage import KEY, check_keys

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

    Group = tuple[object, ...]

__all__ = ["Tables", "corpus_score", "score_stats", "sentence_score", "stats"]


@overload
def corpus_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: None = ...,
    where: str | None = ...,
    threads: int | None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> Score: ...


@overload
def corpus_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str],
    where: str | None = ...,
    threads: int | None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> dict[Group, Score]: ...


def corpus_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | dict[Group, Score]:
    """Score files: Parquet, CSV, TSV, JSON Lines or Arrow.

    Parameters
    ----------
    paths : str or iterable of str
        Files of one format, which their suffix tells; patterns such as ``data/*.parquet``; or
        folders. ``key=value`` in the names of folders is a column. In folders and patterns, files
        and folders whose names begin with ``_`` or ``.`` are skipped, except ``_key=value``. Or one
        table with a transaction log, which Polars reads: the folder of a table of Delta Lake, or
        the folder or metadata file of one of Iceberg.
    hypothesis : str
        The column of hypotheses.
    references : str or iterable of str
        The columns of references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        Score each group of rows that are equal in these columns.
    where : str, optional
        Score only the rows for which this SQL expression is true: one expression over the
        columns, without a subquery. It cannot read other files, or write any. It is tried on the
        first rows, and refused if that takes more than some seconds.
    threads : int, optional
        Default: all processors.
    metric : Metric or str, optional
        A metric, or its name. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Returns
    -------
    Score, or dict if there are groups
        For each group, as a tuple of its values, its score; sorted by group. A value that Python
        has no equal of, such as a time in nanoseconds, is text.

    Raises
    ------
    UnknownNameError
        If a column is missing.
    InputTypeError
        If a column holds anything but text, a hypothesis is null, or groups are lists or structs.
    EmptyInputError
        If there are no rows, or a row has no reference.
    InputError
        If a file does not hold what its suffix says, or is part of a table with a transaction log
        (Delta Lake, Iceberg, Hudi), or such a table cannot be read; or the name of a column is that
        of another in other case.
    SettingsError
        If `where` is not one valid expression that is true or false, or takes too long.
    OSError
        If there is no such file, or a compressed one is damaged.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_metric(metric, settings))
    with Tables(paths, threads) as tables:
        return _scores(job.metric, tables.sums(job, where), job.groups)


def sentence_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> NDArray[np.float64]:
    """Score every row by itself, in the order of the files.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    ndarray of float64
        One score per row.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    with Tables(paths, threads) as tables:
        counted = tables.stats(job, where)
    return scores_of_rows(job.metric, counted.data, segment=True)


def stats(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Stats:
    """Count every row, in the order of the files.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    Stats
        One row of statistics per row.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    with Tables(paths, threads) as tables:
        return tables.stats(job, where)


def score_stats(
    paths: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | dict[Group, Score]:
    """Add up statistics that are stored in files, and score the sum.

    Parameters
    ----------
    paths : str or iterable of str
        As for :func:`corpus_score`: tables with a column for each field of the metric, and
        ``key``, as the ``stats`` of all engines write them.
    group_by, where, threads, metric, **settings
        As there; the settings are those under which the statistics were counted.

    Returns
    -------
    Score, or dict if there are groups
        As there. The signature leaves the number of references out, because it is not stored.

    Raises
    ------
    StatsMismatchError
        If they were counted under other settings.
    UnknownNameError
        If a column is missing.
    InputError
        If the columns are not of whole numbers, or hold nulls or numbers that no text can have.
    """
    chosen = chosen_metric(metric, settings)
    chosen._check_addable()
    with Tables(paths, threads) as tables:
        found = tables.stored(chosen, group_by, where)
    return _scores(chosen, found, as_names(group_by, "group_by"))


def _scores(
    metric: Metric, sums: dict[Group, Stats], groups: tuple[str, ...]
) -> Score | dict[Group, Score]:
    """Score the sum of each group; without groups, the one sum."""
    scores = {group: metric.score(stats) for group, stats in sums.items()}
    return scores if groups else scores[()]


class Tables:
    """Files of one format, open for queries. A context manager that closes them.

    Parameters
    ----------
    paths : str or iterable of str
        As for :func:`corpus_score`.
    threads : int, optional
        Default: all processors.
    progress : callable, optional
        Called from time to time with the percentage of a query that is done, and 100.

    Raises
    ------
    OSError
        If there is no such file.
    SettingsError
        If they are of several formats, or of an unknown one.
    EmptyInputError
        If there are no paths.
    InputError
        If the name of a file is not UTF-8.
    """

    def __init__(
        self,
        paths: str | Iterable[str],
        threads: int | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> None:
        self._made_of = as_names(paths, "paths"), threads, progress
        found = list(chain.from_iterable(map(find, self._made_of[0])))
        if not found:
            raise EmptyInputError("paths is empty: at least one file is needed")
        self._source = source_of(found)
        self._files = found
        self._what = found[0] if len(found) == 1 else f"{found[0]} and {len(found) - 1:,} more"
        self._caught: list[BaseException] = []
        self._functions = 0
        self._progress = progress
        check_compressed(found)
        self.connection = duckdb.connect()
        for setting, value in (
            ("threads", thread_count(threads)),
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

    def sums(self, job: Job, where: str | None = None) -> dict[Group, Stats]:
        """Count the rows, and add up those of each group.

        Parameters
        ----------
        job : Job
        where : str, optional
            As for :func:`corpus_score`, and so are the errors.

        Returns
        -------
        dict
            For each group, as a tuple of its values, one row; without groups, for ``()``.
        """
        return {group: stats for group, (stats, _) in self.sums_and_sizes(job, where).items()}

    def sums_and_sizes(self, job: Job, where: str | None = None) -> dict[Group, tuple[Stats, int]]:
        """Do what :meth:`sums` does, and return the number of rows of each group as well."""
        counted, given = job.unused("counted"), job.unused("given")
        sums = [f"sum({counted}.{quoted(field)})::BIGINT" for field in job.fields]
        numbers = [*sums, "count(*)", f"min({given})", f"max({given})"]
        found: dict[Group, tuple[Stats, int]] = {}
        query, types = self._counted(job, where)
        for group, row in self._grouped(job.groups, numbers, f"({query})", types):
            *sums_of_group, fewest, most = row
            found[group] = job.stats(sums_of_group, fewest, most), sums_of_group[-1]
        return found

    def stats(self, job: Job, where: str | None = None) -> Stats:
        """Count every row, in the order of the files, whatever its group.

        Parameters and errors are those of :meth:`sums`.

        Returns
        -------
        Stats
        """
        import numpy as np

        parts: list[Stats] = []
        kind = job.metric._stats_type
        chosen = f"{job.unused('counted')}, {job.unused('given')}"
        query = f"SELECT {chosen} FROM ({self._counted(job, where, corpus=False)[0]})"
        with self._explained():
            for batch in self.connection.sql(query).to_arrow_reader():
                data = kind.from_columns(batch.column(0).flatten(), job.metric).data
                given = np.asarray(batch.column(1))
                parts.append(kind(data, job.metric, int(given.min()), int(given.max())))
        if not parts:
            raise EmptyInputError("there are no rows to score")
        return kind.join(parts)

    def texts(
        self, hypotheses: Sequence[str], references: Sequence[str], where: str | None = None
    ) -> tuple[list[list[str]], list[list[str]]]:
        """Return the texts of each column of hypotheses, and the references of each row."""
        names = [*hypotheses, *references]
        types = self.columns(names, where)
        columns_of_text = [table_sql.text(n, types, lists=n not in hypotheses) for n in names]
        query = f"SELECT {', '.join(columns_of_text)} FROM {self._rows(names, where)}"
        with self._explained():
            found = self.connection.sql(query).fetchall()
        if not found:
            raise EmptyInputError("there are no rows to score")
        columns = list(map(list, zip(*found, strict=True)))
        outputs = columns[: len(hypotheses)]
        for name, column in zip(hypotheses, outputs, strict=True):
            if None in column:
                raise no_hypothesis(name)
        several = [
            [
                text
                for cell in row
                for text in (cell if isinstance(cell, list) else [cell])
                if text is not None
            ]
            for row in zip(*columns[len(hypotheses) :], strict=True)
        ]
        if not all(several):
            raise no_reference(references)
        return outputs, several

    def stored(
        self, metric: Metric, group_by: str | Iterable[str] | None = None, where: str | None = None
    ) -> dict[Group, Stats]:
        """Add up stored statistics.

        Parameters and errors are those of :func:`score_stats`.

        Returns
        -------
        dict
            As for :meth:`sums`.
        """
        groups = as_names(group_by, "group_by")
        types = self.columns([*groups, *metric.fields, KEY], where)
        names = stored_columns(metric, types)
        for name in groups:
            table_sql.check_known(name, types)
        *fields, key = [table_sql.whole_number(name, types[name]) for name in names]
        numbers = [f"sum({field})::BIGINT" for field in fields]
        numbers += [f"count({number})" for number in (*fields, key)]
        numbers += ["count(*)", f"min({key})", f"max({key})"]
        found: dict[Group, Stats] = {}
        table = self._rows([*groups, *names], where)
        for group, row in self._grouped(groups, numbers, table, types):
            sums, counts = row[: len(fields)], row[len(fields) : -3]
            size, *keys = row[-3:]
            if not size:
                raise EmptyInputError("there are no rows to score")
            for name, count in zip(names, counts, strict=True):
                if count < size:
                    kind = StatsMismatchError if name == KEY else InputError
                    raise kind(
                        f"{self._what}: statistics and their keys are whole numbers and never "
                        f"null, but {name!r} has something else"
                    )
            check_keys(keys, metric.counting_key)
            found[group] = stats_of_sums(metric, sums, -1, -1)
        return found

    def columns(self, named: Sequence[str] = (), where: str | None = None) -> dict[str, str]:
        """Return the names and types of the columns, as a query over those `named` reads them.

        Raises
        ------
        InputError
            If one of these, or one in the condition `where`, has the name of another in SQL.
        """
        with self._explained():
            check_names(self.connection, self._source, self._files, named, where)
            source = self._source(self.connection, self._files, named)
            found = self.connection.execute(f"DESCRIBE FROM {source}").fetchall()
        return {name: str(kind) for name, kind, *_ in found}

    def _rows(self, names: Sequence[str], where: str | None) -> str:
        """Write what stands behind ``FROM`` to read some columns of the rows that `where` wants."""
        with self._explained():
            source = self._source(self.connection, self._files, names)
            condition = table_sql.condition(self.connection, where, source)
            # The condition was tried on rows of it, and a stream is read once.
            return f"{self._source(self.connection, self._files, names)} {condition}"

    def _grouped(
        self, groups: Sequence[str], numbers: Sequence[str], table: str, types: Mapping[str, str]
    ) -> list[tuple[Group, Sequence[int]]]:
        """Compute some numbers of each group, in the order of the groups."""
        with self._explained():
            floats = [name for name in groups if types[name] == "DOUBLE"]
            check_exact(self._source, self._files, floats)
        keys = [table_sql.group_key(name, types[name]) for name in groups]
        query = f"SELECT {', '.join([*(key.sql for key in keys), *numbers])} FROM {table}"
        if groups:
            names = ", ".join(map(quoted, groups))
            query += f" GROUP BY {names} ORDER BY {names}"
        with self._explained():
            found = self.connection.sql(query).fetchall()
        if not found:
            raise EmptyInputError("there are no rows to score, and so no groups")
        return [
            (
                tuple(key.value(cell) for key, cell in zip(keys, row, strict=False)),
                row[len(groups) :],
            )
            for row in found
        ]

    def _counted(
        self, job: Job, where: str | None, *, corpus: bool = True
    ) -> tuple[str, dict[str, str]]:
        """Write a query for groups, statistics and numbers of references; return types, too."""
        types = self.columns(job.columns, where)
        job.check(types, corpus=corpus, keyed=False)
        hypothesis = table_sql.text(job.hypothesis, types, lists=False)
        references, given = table_sql.references(job.references, types)
        table = self._rows(job.columns, where)
        groups = "".join(f"{quoted(group)}, " for group in job.groups)
        count = self._register(job)
        return (
            f"SELECT {groups}{count}({hypothesis}, {references}) "
            f"AS {job.unused('counted')}, {given} AS {job.unused('given')} "
            f"FROM {table}"
        ), types

    def _register(self, job: Job) -> str:
        """Add the function that counts to DuckDB, and return its name."""
        names = [job.hypothesis, " and ".join(job.references)]
        count = stats_function(job.metric, names, job.observed)

        def caught(*columns: pa.ChunkedArray) -> pa.Array:
            try:
                if self._progress is not None:
                    self._progress(max(0, int(self.connection.query_progress())), 100)
                return count(*columns)
            except (Exception, KeyboardInterrupt) as error:  # A metric in Python may raise any.
                self._caught.append(error)
                raise

        self._functions += 1
        name = f"truebleu_count_{self._functions}"
        result = duckdb.struct_type(dict.fromkeys(job.fields, "BIGINT"))
        add_function(self.connection, name, without_annotations(caught), result)
        return name

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise the exception that DuckDB passes on as text, or one about its own."""
        try:
            yield
        except (OSError, duckdb.Error, pa.ArrowException) as error:
            if self._caught:
                raise self._caught[0] from None
            if isinstance(error, duckdb.InterruptException):
                raise KeyboardInterrupt from None
            raise InputError(f"{self._what}: {first_line(error)}") from None
