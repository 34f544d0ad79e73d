"""BLEU in SQL. Needs ``truebleu[duckdb]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.errors import EmptyInputError, SettingsError
from truebleu.metrics.bleu import Bleu

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise rows.missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Unpack

    from truebleu._core import Observed
    from truebleu.metrics.settings import BleuSettings

__all__ = ["register"]

_NAMES = ("hypotheses", "references")


def register(
    connection: duckdb.DuckDBPyConnection, *, prefix: str = "", **settings: Unpack[BleuSettings]
) -> None:
    """Give a connection functions for BLEU.

    References are strings, or lists of strings such as ``[ref_a, ref_b]``.

    - ``bleu(hypothesis, reference)`` scores a row as :func:`truebleu.sentence_bleu` does.
    - ``corpus_bleu(hypothesis, reference)`` is an aggregate: it scores all rows of a group.
    - ``bleu_stats(hypothesis, reference)`` counts a row: a struct of ``hyp_len``, ``ref_len``,
      ``match_1``, ..., ``total_1``, ..., and ``key``, which stands for the settings.
    - ``bleu_sum(stats)`` is an aggregate: it adds up such structs, if they have one key.
    - ``bleu_score(stats)`` scores such a struct, or one of sums, if its key is that of these
      settings, and if it can be the counts of a text.

    Parameters
    ----------
    connection : DuckDBPyConnection
    prefix : str
        Goes before all names, for several choices of settings side by side.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Raises
    ------
    SettingsError
        If the connection has functions of these names already, or the prefix is no name.

    Notes
    -----
    What is wrong with the data comes as DuckDB's ``InvalidInputException``: a hypothesis that is
    null, a row without reference, a group without rows. Close the connection in the end: DuckDB
    2.0 complains when a program stops and functions are still there.

    Examples
    --------
    >>> import duckdb
    >>> from truebleu.engines.duckdb import register
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> rows = "(VALUES ('a b c d e', 'a b c d x'), ('f g h i j', 'f g h i j')) AS t(mt, ref)"
    >>> connection.sql(f"SELECT round(corpus_bleu(mt, ref), 2) FROM {rows}").fetchall()
    [(83.76,)]
    >>> connection.sql(f"SELECT round(bleu(mt, [ref, 'a b c d']), 2) FROM {rows}").fetchall()
    [(66.87,), (100.0,)]
    >>> connection.close()
    """
    if prefix and not prefix.isidentifier():
        raise SettingsError(f"prefix is {prefix!r}; letters, digits and _ are needed")
    bleu = Bleu(**settings)
    names = rows.fields(bleu)
    row = duckdb.struct_type(dict.fromkeys((*names, rows.KEY), "BIGINT"))
    functions: list[tuple[str, Callable[..., object], object, object]] = [
        (f"{prefix}bleu", sentence_function(bleu.for_segments), None, "DOUBLE"),
        (f"{prefix}bleu_stats", _keyed_stats(bleu), None, row),
        (f"{prefix}bleu_score", score_function(bleu), [row], "DOUBLE"),
    ]
    for name, function, parameters, result in functions:
        add_function(connection, name, function, parameters, result)
    if not bleu.sentence_only:
        # The sum is a HUGEINT, which does not overflow; the cast says so if it does not fit.
        sums = "".join(f"{name} := sum(stats.{name})::BIGINT, " for name in names)
        mixed = "statistics of different settings do not add up: their keys differ"
        connection.execute(
            f"CREATE OR REPLACE TEMP MACRO {prefix}bleu_sum(stats) AS struct_pack({sums}"
            f"{rows.KEY} := CASE WHEN min(stats.{rows.KEY}) < max(stats.{rows.KEY}) "
            f"THEN error('{mixed}')::BIGINT ELSE min(stats.{rows.KEY}) END)"
        )
        connection.execute(
            f"CREATE OR REPLACE TEMP MACRO {prefix}corpus_bleu(hypothesis, reference) AS "
            f"{prefix}bleu_score({prefix}bleu_sum({prefix}bleu_stats(hypothesis, reference)))"
        )


def add_function(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    function: Callable[..., object],
    parameters: object,
    result: object,
) -> None:
    """Give a connection a function of columns; without parameters it takes any.

    Raises
    ------
    SettingsError
        If it has one of that name.
    """
    try:
        connection.create_function(
            name,
            # Bare, because DuckDB would make types of its own out of annotations.
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
    bleu: Bleu, names: Sequence[str] = _NAMES, observed: Observed | None = None
) -> Callable[..., pa.Array]:
    """Return the function that counts rows, and adds what there is to observe to `observed`."""
    fields = rows.fields(bleu)

    def count(hypotheses: pa.ChunkedArray, *references: pa.ChunkedArray) -> pa.Array:
        texts = (hypotheses, _given(references), names)
        counted, _, _ = rows.count(bleu, *texts, observed=observed)
        columns = [pa.array(column) for column in rows.by_field(bleu, counted)]
        return pa.StructArray.from_arrays(columns, fields)

    return count


def _keyed_stats(bleu: Bleu) -> Callable[..., pa.Array]:
    """Return the function that counts rows and writes the key beside them."""
    count, key = stats_function(bleu), pa.scalar(rows.key(bleu), pa.int64())

    def keyed(*columns: pa.ChunkedArray) -> pa.Array:
        counted = count(*columns)
        fields = [*counted.flatten(), pa.repeat(key, len(counted))]
        return pa.StructArray.from_arrays(fields, [*rows.fields(bleu), rows.KEY])

    return keyed


def sentence_function(bleu: Bleu) -> Callable[..., pa.Array]:
    """Return the function that scores rows by themselves."""

    def score(hypotheses: pa.ChunkedArray, *references: pa.ChunkedArray) -> pa.Array:
        return pa.array(rows.sentence_scores(bleu, hypotheses, _given(references), _NAMES))

    return score


def score_function(bleu: Bleu) -> Callable[[pa.ChunkedArray], pa.Array]:
    """Return the function that scores statistics."""

    def score(stats: pa.ChunkedArray) -> pa.Array:
        *fields, keys = stats.combine_chunks().flatten()
        if any(column.null_count for column in (*fields, keys)):
            raise EmptyInputError("there are no rows to score, or a group has none")
        return pa.array(rows.given_scores(bleu, fields, keys))

    return score


def _given(references: Sequence[pa.ChunkedArray]) -> Sequence[pa.ChunkedArray]:
    if len(references) != 1:
        raise SettingsError(
            f"{len(references)} references given: one is needed, or a list like [ref_a, ref_b]"
        )
    return references
