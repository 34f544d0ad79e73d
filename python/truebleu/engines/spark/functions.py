"""Scores and statistics of rows as columns of Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812  # As everybody calls it.
from pyspark.sql.types import DoubleType, LongType, StructField, StructType

from truebleu.engines.job import (
    by_field,
    check_type,
    chosen_metric,
    column_scores,
    count_columns,
    sentence_scores,
)
from truebleu.engines.spark.columns import written
from truebleu.engines.spark.sums import arrow_function
from truebleu.errors import SettingsError
from truebleu.metrics.storage import KEY, stored_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from truebleu.metrics.base import Metric
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.registry import MetricName


def sentence_score(
    hypothesis: str | Column,
    *references: str | Column,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Column:
    """Score every row by itself.

    Parameters
    ----------
    hypothesis, *references : str or Column
        Columns of strings; references also of arrays of strings.
    metric, **settings
        As for :func:`corpus_score`.

    Returns
    -------
    Column of double
        For ``frame.withColumn("bleu", ...)``.
    """
    chosen = chosen_metric(metric, settings)
    names = _names(hypothesis, references)

    def score(hypotheses: pa.Array, *several: pa.Array) -> pa.Array:
        return pa.array(sentence_scores(chosen, hypotheses, several, names))

    return arrow_function(score, DoubleType())(hypothesis, *references)


def stats(
    hypothesis: str | Column,
    *references: str | Column,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Column:
    """Count every row.

    Parameters
    ----------
    hypothesis, *references : str or Column
        Columns of strings; references also of arrays of strings.
    metric, **settings
        As for :func:`corpus_score`.

    Returns
    -------
    Column of struct of bigint
        One row of statistics per row: a field of the struct for each field of the metric; and
        ``key``, which stands for the settings they were counted under. :func:`score_stats` reads
        them.
    """
    chosen = chosen_metric(metric, settings)
    names = _names(hypothesis, references)
    fields, key = (*chosen.fields, KEY), stored_key(chosen.counting_key)

    def count(hypotheses: pa.Array, *several: pa.Array) -> pa.Array:
        data = b""
        if len(hypotheses):
            data, _, _ = count_columns(chosen, hypotheses, several, names)
        columns = [*map(pa.array, by_field(chosen, data))]
        columns.append(pa.repeat(pa.scalar(key, pa.int64()), len(hypotheses)))
        return pa.StructArray.from_arrays(columns, fields)

    kind = StructType([StructField(name, LongType()) for name in fields])
    return arrow_function(count, kind)(hypothesis, *references)


def score_stats(
    stats: str | Column,
    *,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Column:
    """Score stored statistics, or sums of them: each row as a corpus.

    Parameters
    ----------
    stats : str or Column
        Structs as :func:`stats` makes them. If their fields are columns of their own,
        ``F.struct("*")``, or the struct of these columns.
    metric, **settings
        As for :func:`corpus_score`; those under which the statistics were counted.

    Returns
    -------
    Column of double

    Notes
    -----
    Statistics that were counted under other settings, or are null, or that no text can have, are
    raised as Spark's ``PythonException`` by the action.
    """
    chosen = chosen_metric(metric, settings)
    _check_column(stats, "stats")
    column = F.col(stats) if isinstance(stats, str) else stats

    def score(*columns: pa.Array) -> pa.Array:
        *fields, keys = columns
        return pa.array(column_scores(chosen, fields, keys))

    numbers = [column.getField(name) for name in (*chosen.fields, KEY)]
    return arrow_function(score, DoubleType())(*numbers)


def _names(hypothesis: str | Column, references: Sequence[str | Column]) -> tuple[str, ...]:
    """Return what messages call the columns of a row."""
    if not references:
        raise SettingsError("there are no references: name at least one column")
    _check_column(hypothesis, "hypothesis")
    for each in references:
        _check_column(each, "a reference")
    return tuple(map(written, (hypothesis, *references)))


def _check_column(given: object, what: str) -> None:
    """Refuse what is no column, such as the data frame that other functions begin with."""
    check_type(given, (str, Column), what, "a column, or the name of one,")
