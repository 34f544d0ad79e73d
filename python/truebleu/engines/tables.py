"""BLEU of files that hold tables, in memory that does not grow. Needs ``truebleu[duckdb]``."""

from __future__ import annotations

import json
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.engines.duckdb import add_function, stats_function
from truebleu.engines.formats import check_compressed, find, first_line, paths_of, source_of
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    SettingsError,
    TruebleuError,
)
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.stats import BleuStats
from truebleu.metrics.threads import thread_count

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise rows.missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

    Group = tuple[object, ...]

__all__ = ["Tables", "corpus_bleu"]

_LISTS = "VARCHAR[]"


def corpus_bleu(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore | dict[Group, BleuScore]:
    """Score files: Parquet, CSV, TSV, JSON Lines or Arrow.

    Parameters
    ----------
    paths : str or iterable of str
        Files of one format, told by their suffix; patterns such as ``data/*.parquet``; folders.
        ``key=value`` in the names of folders is a column. Of a folder or a pattern, files and
        folders whose names begin with ``_`` or ``.`` are skipped, except ``_key=value``.
    hypothesis : str
        The column of the hypotheses.
    references : str or iterable of str
        The columns of the references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        The columns that tell groups apart.
    where : str, optional
        Score only the rows for which this SQL expression is true: one expression over the
        columns, without a subquery. It can read no other file, and write none.
    threads : int, optional
        All processors by default.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    BleuScore, or dict if there are groups
        For each group, as the tuple of its values, its score, in the order of these.

    Raises
    ------
    UnknownNameError
        If a column is not there.
    InputTypeError
        If a column holds something else than text, or a hypothesis is null.
    EmptyInputError
        If there are no rows, or a row has no reference.
    InputError
        If a file cannot be read as what its suffix says, or belongs to a table that has a log of
        those that count (Delta Lake, Iceberg, Hudi).
    SettingsError
        If `where` is not one expression, or means nothing.
    OSError
        If there is no such file, or a compressed one is damaged.
    """
    plan = rows.Plan(hypothesis, references, group_by, bleu=Bleu(**settings))
    with Tables(paths, threads) as tables:
        sums = tables.sums(plan, where)
    scores = {group: plan.bleu.score(stats) for group, stats in sums.items()}
    return scores if plan.groups else scores[()]


class Tables:
    """Files of one format, open for questions. A context that closes them.

    Parameters
    ----------
    paths : str or iterable of str
    threads : int, optional
    progress : callable, optional
        Is told from time to time how far a question is, in percent, and of how much: 100.

    Raises
    ------
    OSError
        If there is no such file.
    SettingsError
        If they are of several formats, or of none that is known.
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
        """Find the files."""
        self._made_of = rows.several(paths, "paths"), threads, progress
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
        self._connection = duckdb.connect()
        for setting, value in (
            ("threads", thread_count(threads)),
            # Nothing is fetched from anywhere.
            ("autoinstall_known_extensions", "false"),
            # So that it knows how far it is; it is told to somebody else.
            ("enable_progress_bar", "true"),
            ("enable_progress_bar_print", "false"),
            # A name in a query is never a variable of Python.
            ("python_enable_replacements", "false"),
            # Whatever a query says, it reads these files only.
            ("allowed_paths", paths_of(found)),
            ("enable_external_access", "false"),
            ("lock_configuration", "true"),
        ):
            self._connection.execute(f"SET {setting} = {value}")

    def __reduce__(self) -> tuple[object, ...]:
        """Open the files once more: a copy, or another process, has a connection of its own."""
        return type(self), self._made_of

    def __enter__(self) -> Tables:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the files."""
        self._connection.close()

    def sums(self, plan: rows.Plan, where: str | None = None) -> dict[Group, BleuStats]:
        """Add up the rows of each group.

        Parameters
        ----------
        plan : Plan
        where : str, optional
            As for :func:`corpus_bleu`, and so are the errors.

        Returns
        -------
        dict
            For each group, as the tuple of its values, one row; without groups, for ``()``.
        """
        groups = [_name(group) for group in plan.groups]
        counted, given = plan.unused("counted"), plan.unused("given")
        sums = [f"sum({counted}.{field})::BIGINT" for field in plan.fields]
        order = f"GROUP BY {', '.join(groups)} ORDER BY {', '.join(groups)}" if groups else ""
        chosen = ", ".join([*groups, *sums, "count(*)", f"min({given})", f"max({given})"])
        query = f"SELECT {chosen} FROM ({self._counted(plan, where)}) {order}"
        found: dict[Group, BleuStats] = {}
        with self._explaining():
            for row in self._connection.sql(query).fetchall():
                *numbers, fewest, most = row[len(groups) :]
                found[row[: len(groups)]] = plan.stats(numbers, fewest, most)
        if not found:
            raise EmptyInputError("there are no rows to score, and so no groups")
        return found

    def stats(self, plan: rows.Plan, where: str | None = None) -> BleuStats:
        """Count every row, in the order of the files, whatever its group.

        Parameters and errors are those of :meth:`sums`.

        Returns
        -------
        BleuStats
        """
        import numpy as np

        parts: list[BleuStats] = []
        chosen = f"{plan.unused('counted')}, {plan.unused('given')}"
        query = f"SELECT {chosen} FROM ({self._counted(plan, where)})"
        with self._explaining():
            for batch in self._connection.sql(query).to_arrow_reader():
                data = rows.from_fields(plan.bleu, batch.column(0).flatten())
                given = np.asarray(batch.column(1))
                parts.append(BleuStats(data, plan.bleu, int(given.min()), int(given.max())))
        if not parts:
            raise EmptyInputError("there are no rows to score")
        return BleuStats.join(parts)

    def columns(self) -> dict[str, str]:
        """Return the names and types of the columns."""
        with self._explaining():
            source = self._source(self._connection, self._files, [])
            found = self._connection.execute(f"DESCRIBE FROM {source}").fetchall()
        return {name: str(kind) for name, kind, *_ in found}

    def _counted(self, plan: rows.Plan, where: str | None) -> str:
        """Write a query for the groups, the statistics and the number of references of rows."""
        types = self.columns()
        plan.check(types, keyed=False)
        for name in plan.texts:
            allowed = ("VARCHAR",) if name == plan.hypothesis else ("VARCHAR", _LISTS)
            if types[name] not in allowed:
                raise InputTypeError(
                    f"column {name!r} is of type {types[name]}; a column of strings is needed"
                )
        references, given = _references(plan, types)
        source = self._source(self._connection, self._files, [*plan.texts])
        groups = "".join(f"{_name(group)}, " for group in plan.groups)
        condition = ""
        if where is not None:
            try:
                self._check(where)
                # The end of the line, because it may end in a comment.
                condition = f"WHERE ({where}\n)"
                self._connection.execute(f"EXPLAIN SELECT 1 FROM {source} {condition}")
            except (duckdb.Error, ValueError) as error:
                raise SettingsError(f"where {where!r}: {first_line(error)}") from None
        count = self._register(plan)
        return (
            f"SELECT {groups}{count}({_name(plan.hypothesis)}, {references}) "
            f"AS {plan.unused('counted')}, {given} AS {plan.unused('given')} "
            f"FROM {source} {condition}"
        )

    def _check(self, where: str) -> None:
        """Parse a condition by itself: what is one expression there is one in a query, too."""
        if not isinstance(where, str):
            raise ValueError("one SQL expression is needed, as a str")
        where.encode()  # A lone surrogate is no text to DuckDB.
        duckdb.SQLExpression(where)
        parse = "SELECT json_serialize_sql(?::VARCHAR)"
        parsed, *_ = self._connection.execute(parse, [f"SELECT ({where}\n)"]).fetchone()
        tree = json.loads(parsed)
        if tree["error"]:
            raise ValueError(f"Parser Error: {tree['error_message']}")
        # Quotes within texts are escaped there.
        if '"class":"SUBQUERY"' in parsed:
            raise ValueError("a subquery is not allowed, only an expression over the columns")

    def _register(self, plan: rows.Plan) -> str:
        """Give DuckDB the function that counts, and return its name."""
        names = [plan.hypothesis, " and ".join(plan.references)]
        count = stats_function(plan.bleu, names, plan.observed)

        def caught(*columns: pa.ChunkedArray) -> pa.Array:
            try:
                if self._progress is not None:
                    self._progress(max(0, int(self._connection.query_progress())), 100)
                return count(*columns)
            except (TruebleuError, KeyboardInterrupt) as error:
                self._caught.append(error)
                raise

        self._functions += 1
        name = f"truebleu_count_{self._functions}"
        result = duckdb.struct_type(dict.fromkeys(plan.fields, "BIGINT"))
        add_function(self._connection, name, caught, None, result)
        return name

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say what was wrong: by our own exception, which DuckDB passes on as text, or by its."""
        try:
            yield
        except (OSError, duckdb.Error, pa.ArrowException) as error:
            if self._caught:
                raise self._caught[0] from None
            if isinstance(error, duckdb.InterruptException):
                raise KeyboardInterrupt from None
            raise InputError(f"{self._what}: {first_line(error)}") from None


def _references(plan: rows.Plan, types: dict[str, str]) -> tuple[str, str]:
    """Write the references of a row, and their number, as SQL."""
    names = [_name(name) for name in plan.references]
    lists = [types[name] == _LISTS for name in plan.references]
    if not any(lists) and len(names) == 1:
        return names[0], "1"
    parts = [name if own else f"[{name}]" for name, own in zip(names, lists, strict=True)]
    joined = parts[0] if len(parts) == 1 else f"list_concat({', '.join(parts)})"
    return joined, f"list_count({joined})"


def _name(name: str) -> str:
    """Quote the name of a column."""
    return '"' + name.replace('"', '""') + '"'
