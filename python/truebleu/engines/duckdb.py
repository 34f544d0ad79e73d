"""Scores in SQL. Needs ``truebleu[duckdb]``."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from truebleu.engines.job import check_type, countings, missing, sql_name
from truebleu.errors import SettingsError
from truebleu.metrics.storage import KEY

try:
    import duckdb
    import pyarrow as _  # noqa: F401
except ImportError as error:
    raise missing("DuckDB and pyarrow", "duckdb") from error

from truebleu.engines.arrow import functions

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.engines.job import Counting, Metrics, Nulls
    from truebleu.metrics import BleuSettings, Metric

    Function = Callable[..., Any]

__all__ = ["register"]

# The functions of each metric that any connection has, and a number that tells them apart. DuckDB
# calls them in all connections to a database, but keeps them only as long as the one that added
# them: without this reference, the others would call freed memory.
_KEPT: dict[Counting, tuple[int, dict[str, Function]]] = {}
_REGISTERING = Lock()


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    nulls: Nulls = "error",
    metric: Metrics = None,
    prefix: str = "",
    **settings: Unpack[BleuSettings],
) -> None:
    """Add functions for a metric to a connection.

    Their names begin with the metric's identifier, here ``bleu``. A reference is a string, or a
    list of strings such as ``[ref_a, ref_b]``.

    - ``bleu_corpus_score(hypothesis, reference)`` is an aggregate: it scores a group of rows.
    - ``bleu_segment_score(hypothesis, reference)`` scores a row by itself.
    - ``bleu_stats(hypothesis, reference)`` counts a row: a struct of the metric's fields and
      ``key``, which stands for the settings they were counted under.
    - ``bleu_sum(stats)`` is an aggregate: it adds up such structs, provided that they have one key.
    - ``bleu_score_stats(stats)`` scores such a struct, sum, or row of a table as a corpus.

    Parameters
    ----------
    connection : DuckDBPyConnection
    nulls : {"error", "empty", "skip"}
        As for :func:`truebleu.engines.arrow.corpus_score`.
    metric : Metric or str, or list of these, optional
        A metric, or its name, or several. Default: BLEU.
    prefix : str
        Goes before all names, to have a metric under several settings side by side.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Raises
    ------
    SettingsError
        If the database has functions of these names for other settings, or they would not be names.

    Notes
    -----
    Every cursor and every connection to a file is a connection of its own: register on each.
    Cursors of a database in memory share the functions.

    The aggregates are macros, since DuckDB has no aggregates in Python: it refuses ``DISTINCT``,
    ``FILTER`` and ``OVER`` behind them. Its sums of the statistics take all of these. Faults in the
    data are raised as DuckDB's ``InvalidInputException``. The score of no rows is null. Close the
    connection when you are done: DuckDB 2.0 complains otherwise.

    Examples
    --------
    >>> import duckdb
    >>> from truebleu.engines.duckdb import register
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> rows = "(VALUES ('a b c d e', 'a b c d x'), ('f g h i j', 'f g h i j')) AS t(mt, ref)"
    >>> connection.sql(f"SELECT round(bleu_corpus_score(mt, ref), 2) FROM {rows}").fetchall()
    [(83.76,)]
    >>> query = f"SELECT round(bleu_segment_score(mt, [ref, 'a b c d']), 2) FROM {rows}"
    >>> connection.sql(query).fetchall()
    [(66.87,), (100.0,)]
    >>> connection.close()
    """
    check_type(connection, duckdb.DuckDBPyConnection, "connection", "a connection of DuckDB")
    for counting in countings(metric, settings, nulls):
        chosen = counting.metric
        name = sql_name(prefix, chosen)
        with _REGISTERING:
            first = _add_functions(connection, counting, name)
            if not chosen.segment_only:
                _add_macros(connection, chosen, name, everywhere=first)


def _add_functions(connection: duckdb.DuckDBPyConnection, counting: Counting, name: str) -> bool:
    """Add the functions of a metric to the database; return False if it has them already."""
    metric = counting.metric
    number, known = _KEPT.setdefault(counting, (len(_KEPT), _functions(counting)))
    try:
        found = connection.execute(f"SELECT {name}_registration()").fetchall()
    except duckdb.CatalogException:
        found = []
    if found:
        if found != [(number,)]:
            raise _taken(f"{name}_corpus_score")
        return False
    row = duckdb.struct_type(dict.fromkeys((*metric.fields, KEY), "BIGINT"))
    try:
        for what, kind in (("segment_score", "DOUBLE"), ("stats", row), ("score_stats", "DOUBLE")):
            new, more = f"{name}_{what}", {"type": "arrow", "null_handling": "special"}
            connection.create_function(new, known[what], None, kind, **more)
    except (duckdb.NotImplementedException, duckdb.CatalogException):
        raise _taken(new) from None
    # This one has no columns, and is not called with any.
    connection.create_function(
        f"{name}_registration", known["registration"], [], "INTEGER", type="native"
    )
    return True


def _functions(counting: Counting) -> dict[str, Function]:
    """Return the functions of a metric, by the end of their names."""
    number, found = len(_KEPT), functions(counting)
    for each in found.values():
        each.__annotations__ = {}  # DuckDB would take types from these.
    return {"registration": lambda: number, **found}


def _add_macros(
    connection: duckdb.DuckDBPyConnection, metric: Metric, name: str, *, everywhere: bool
) -> None:
    """Add the aggregates to a connection or, where nothing is stored, to its whole database."""
    # A sum is a HUGEINT, which does not overflow; the cast fails if it does not fit.
    sums = "".join(
        f"{field} := sum(stats.{field})::BIGINT, " for field in map(quoted, metric.fields)
    )
    mixed = "statistics of different settings cannot be added: their keys differ"
    macros = (
        f"{name}_sum(stats) AS struct_pack({sums}"
        f"{KEY} := CASE WHEN min(stats.{KEY}) < max(stats.{KEY}) "
        f"THEN error('{mixed}')::BIGINT ELSE min(stats.{KEY}) END)",
        f"{name}_corpus_score(hypothesis, reference) AS "
        f"{name}_score_stats({name}_sum({name}_stats(hypothesis, reference)))",
    )
    path = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    places = ["TEMP"]
    # A macro in a file would stay there, without the functions that it calls.
    if everywhere and connection.execute(path).fetchall() == [(None,)]:
        places.append("")
    for macro in macros:
        for place in places:
            connection.execute(f"CREATE OR REPLACE {place} MACRO {macro}")


def quoted(name: str) -> str:
    """Quote the name of a column."""
    return '"' + name.replace('"', '""') + '"'


def _taken(name: str) -> SettingsError:
    return SettingsError(
        f"this database has a function {name!r} already, for another metric or other settings: "
        "choose a prefix"
    )
