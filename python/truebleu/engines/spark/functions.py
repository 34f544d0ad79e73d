"""Functions of columns, for data frames of Spark and for its SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812  # As everybody calls it.
from pyspark.sql.types import DataType, DoubleType, LongType, StructField, StructType

from truebleu.engines import arrow
from truebleu.engines.job import count_columns, countings, sql_name
from truebleu.errors import InputTypeError
from truebleu.metrics.storage import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import Column, SparkSession
    from typing_extensions import Unpack

    from truebleu.engines.job import Counting, Metrics, Nulls
    from truebleu.metrics.bleu.settings import BleuSettings

    Function = Callable[..., Column]


def register(
    session: SparkSession,
    *,
    nulls: Nulls = "error",
    metric: Metrics = None,
    prefix: str = "",
    **settings: Unpack[BleuSettings],
) -> None:
    """Add functions for a metric to the SQL of a session, replacing any of the same names.

    The names begin with the metric's identifier, here ``bleu``. A reference is a string, or an
    array of strings such as ``array(ref_a, ref_b)``.

    - ``bleu_corpus_score(hypothesis, reference)`` is an aggregate: it scores a group of rows, or,
      with ``OVER``, a window of them. Spark sends all their texts to one task, and refuses
      ``FILTER``, ``DISTINCT`` and aggregates of its own beside it; sums of statistics take these.
    - ``bleu_segment_score(hypothesis, reference)`` scores a row by itself.
    - ``bleu_stats(hypothesis, reference)`` counts a row: a struct of the metric's fields and
      ``key``. Spark's own ``sum`` adds up its fields, and only moves sums.
    - ``bleu_score_stats(stats)`` scores such a struct, or one of sums, as a corpus.

    Parameters
    ----------
    session : SparkSession
    nulls, metric, prefix, **settings
        As for :func:`truebleu.engines.duckdb.register`.
    """
    if not hasattr(getattr(session, "udf", None), "register"):
        raise InputTypeError(
            f"session is of type {type(session).__name__}; a session of Spark is needed"
        )
    for counting in countings(metric, settings, nulls):
        name = sql_name(prefix, counting.metric)
        for what, function in (functions(counting) | _aggregates(counting)).items():
            session.udf.register(f"{name}_{what}", function)


def functions(counting: Counting, names: Sequence[str] | None = None) -> dict[str, Function]:
    """Return those of :func:`truebleu.engines.arrow.functions` for columns of Spark."""
    fields = (*counting.metric.fields, KEY)
    kinds = {"stats": StructType([StructField(name, LongType()) for name in fields])}
    found = arrow.functions(counting, names)
    return {
        what: arrow_function(each, kinds.get(what, DoubleType())) for what, each in found.items()
    }


def _aggregates(counting: Counting) -> dict[str, Function]:
    metric = counting.metric

    def corpus_score(*columns: pa.Array) -> float | None:
        rows, _ = count_columns(*arrow.arguments(counting, columns), each=False)
        return float(metric.score(rows).score) if len(rows) else None

    # By which Spark knows an aggregate.
    corpus_score.__annotations__ = {"columns": pa.Array, "return": float}
    return {} if metric.segment_only else {"corpus_score": F.arrow_udf(corpus_score, DoubleType())}


def arrow_function(function: Callable[..., pa.Array], kind: DataType) -> Function:
    """Turn a function of arrays into one of columns."""
    # Spark looks annotations up: without any, it passes arrays.
    function.__annotations__ = {}
    found: Function = F.arrow_udf(function, kind)
    return found
