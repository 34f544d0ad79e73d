"""Scores in SQL. Needs ``truebleu[duckdb]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.engines.job import chosen_metric
from truebleu.errors import EmptyInputError, SettingsError
from truebleu.metrics.storage import KEY, stored_key

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise rows.missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Unpack

    from truebleu._core import Observed
    from truebleu.metrics.base import Metric
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.registry import MetricName

    Function = Callable[..., pa.Array]

__all__ = ["register"]

_NAMES = ("hypotheses", "references")


def register(
    connection: duckdb.DuckDBPyConnection,
    *,
    metric: Metric | MetricName | None = None,
    prefix: str = "",
    **settings: Unpack[BleuSettings],
) -> None:
    """Add functions for a metric to a connection.

    Their names begin with the metric's identifier, here ``bleu``. A reference is a string, or a
    list of strings such as ``[ref_a, ref_b]``.

    - ``bleu_corpus_score(hypothesis, reference)`` is an aggregate: it scores all rows of a group
      together.
    - ``bleu_sentence_score(hypothesis, reference)`` scores a row by itself.
    - ``bleu_stats(hypothesis, reference)`` counts a row: a struct of the metric's fields and
      ``key``, which stands for the settings they were counted under.
    - ``bleu_sum(stats)`` is an aggregate: it adds up such structs, provided that they have one key.
    - ``bleu_score_stats(stats)`` scores such a struct, or such a sum, as a corpus. It refuses
      another key, and numbers that no text can have.

    Parameters
    ----------
    connection : DuckDBPyConnection
    metric : Metric or str, optional
        A metric, or its name. Default: BLEU.
    prefix : str
        Goes before all names, to have a metric under several settings side by side.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Raises
    ------
    SettingsError
        If the connection has functions of these names already, or they would not be valid names.

    Notes
    -----
    Faults in the data are raised as DuckDB's ``InvalidInputException``: a hypothesis that is null,
    a row without a reference, a group without rows. Close the connection when you are done: DuckDB
    2.0 complains if functions are still registered when a program ends.

    Examples
    --------
    >>> import duckdb
    >>> from truebleu.engines.duckdb import register
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> rows = "(VALUES ('a b c d e', 'a b c d x'), ('f g h i j', 'f g h i j')) AS t(mt, ref)"
    >>> connection.sql(f"SELECT round(bleu_corpus_score(mt, ref), 2) FROM {rows}").fetchall()
    [(83.76,)]
    >>> query = f"SELECT round(bleu_sentence_score(mt, [ref, 'a b c d']), 2) FROM {rows}"
    >>> connection.sql(query).fetchall()
    [(66.87,), (100.0,)]
    >>> connection.close()
    """
    chosen = chosen_metric(metric, settings)
    name = f"{prefix}{chosen.identifier}"
    if not name.isidentifier():
        raise SettingsError(
            f"prefix is {prefix!r}; letters, digits and _ are needed, as {name!r} begins the names "
            "of the functions"
        )
    row = duckdb.struct_type(dict.fromkeys((*chosen.fields, KEY), "BIGINT"))
    add_function(connection, f"{name}_sentence_score", _sentence_function(chosen), None, "DOUBLE")
    add_function(connection, f"{name}_stats", _keyed_function(chosen), None, row)
    add_function(connection, f"{name}_score_stats", _score_function(chosen), [row], "DOUBLE")
    if chosen.sentence_only:
        return
    # A sum is a HUGEINT, which does not overflow; the cast fails if it does not fit.
    sums = "".join(
        f"{field} := sum(stats.{field})::BIGINT, " for field in map(quoted, chosen.fields)
    )
    mixed = "statistics of different settings cannot be added: their keys differ"
    connection.execute(
        f"CREATE OR REPLACE TEMP MACRO {name}_sum(stats) AS struct_pack({sums}"
        f"{KEY} := CASE WHEN min(stats.{KEY}) < max(stats.{KEY}) "
        f"THEN error('{mixed}')::BIGINT ELSE min(stats.{KEY}) END)"
    )
    connection.execute(
        f"CREATE OR REPLACE TEMP MACRO {name}_corpus_score(hypothesis, reference) AS "
        f"{name}_score_stats({name}_sum({name}_stats(hypothesis, reference)))"
    )


def quoted(name: str) -> str:
    """Quote the name of a column."""
    return '"' + name.replace('"', '""') + '"'


def add_function(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: Function,
    parameters: object,
    result: object,
) -> None:
    """Add a function of columns to a connection; without `parameters` it takes any.

    Raises
    ------
    SettingsError
        If the connection has one of that name.
    """
    try:
        connection.create_function(
            name,
            # A lambda has no annotations, from which DuckDB would take types.
            lambda *columns: function(*columns),  # noqa: PLW0108
            parameters,
            result,
            type="arrow",
            null_handling="special",
        )
    except (duckdb.NotImplementedException, duckdb.CatalogException):
        raise SettingsError(
            f"this connection has a function {name!r} already: choose a prefix"
        ) from None


def stats_function(
    metric: Metric, names: Sequence[str] = _NAMES, observed: Observed | None = None
) -> Function:
    """Return a function that counts rows.

    Parameters
    ----------
    metric : Metric
    names : sequence of str
        What messages call the hypotheses and the references.
    observed : Observed, optional
        Collects what warnings are about.
    """

    def count(hypotheses: pa.ChunkedArray, *references: pa.ChunkedArray) -> pa.Array:
        columns = (hypotheses, _checked(references), names)
        data, _, _ = rows.count(metric, *columns, observed=observed)
        fields = [pa.array(column) for column in rows.by_field(metric, data)]
        return pa.StructArray.from_arrays(fields, metric.fields)

    return count


def _keyed_function(metric: Metric) -> Function:
    """Return a function that counts rows, and writes the key beside them."""
    count, key = stats_function(metric), pa.scalar(stored_key(metric.counting_key), pa.int64())

    def keyed(*columns: pa.ChunkedArray) -> pa.Array:
        counted = count(*columns)
        fields = [*counted.flatten(), pa.repeat(key, len(counted))]
        return pa.StructArray.from_arrays(fields, [*metric.fields, KEY])

    return keyed


def _sentence_function(metric: Metric) -> Function:
    """Return a function that scores rows by themselves."""

    def score(hypotheses: pa.ChunkedArray, *references: pa.ChunkedArray) -> pa.Array:
        return pa.array(rows.sentence_scores(metric, hypotheses, _checked(references), _NAMES))

    return score


def _score_function(metric: Metric) -> Function:
    """Return a function that scores statistics."""

    def score(stats: pa.ChunkedArray) -> pa.Array:
        *fields, keys = stats.combine_chunks().flatten()
        if any(column.null_count for column in (*fields, keys)):
            raise EmptyInputError("there are no rows to score, or a group has none")
        return pa.array(rows.column_scores(metric, fields, keys))

    return score


def _checked(references: Sequence[pa.ChunkedArray]) -> Sequence[pa.ChunkedArray]:
    if len(references) != 1:
        raise SettingsError(
            f"{len(references)} references given: one is needed, or a list like [ref_a, ref_b]"
        )
    return references
