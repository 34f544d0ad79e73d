"""Scores of Spark data frames, and columns of scores."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, overload

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812  # As everybody calls it.
from pyspark.sql.types import DoubleType, LongType, StructField, StructType

from truebleu.engines.arrow import partial_sums, stored_rows
from truebleu.engines.job import (
    check_type,
    chosen_counting,
    column_scores,
    overflow,
    own_exception,
    stored_columns,
)
from truebleu.engines.spark.columns import quoted, selected, several, written
from truebleu.engines.spark.functions import arrow_function, functions
from truebleu.errors import EmptyInputError, SettingsError
from truebleu.metrics.storage import KEY, check_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from pyspark.sql import GroupedData
    from typing_extensions import Unpack

    from truebleu.engines.arrow import Count
    from truebleu.engines.job import Job, Metrics, Nulls, Options
    from truebleu.engines.spark.columns import Selection
    from truebleu.metrics import BleuSettings, Metric, MetricName, Score

    Columns: TypeAlias = str | Column | Iterable[str | Column]


@overload
def corpus_score(
    frame: DataFrame, hypothesis: str | Column, references: Columns, **kw: Unpack[Options]
) -> Score: ...
@overload
def corpus_score(
    frame: DataFrame,
    hypothesis: str | Column,
    references: Columns,
    *,
    group_by: Columns,
    **kw: Unpack[Options],
) -> DataFrame: ...
def corpus_score(
    frame: DataFrame,
    hypothesis: str | Column,
    references: Columns,
    *,
    group_by: Columns | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | DataFrame:
    """Score a data frame, or its groups.

    The result does not depend on the partitions, nor on tasks that fail and are retried.

    Parameters
    ----------
    frame : DataFrame
    hypothesis : str or Column
        The column of hypotheses: its name, or an expression. ``x.mt`` is the column ``mt`` of the
        frame with the alias ``x`` after a join. Case is ignored where the session ignores it.
    references : str or Column, or iterable of these
        The columns of references: strings, or arrays of strings.
    group_by : str or Column, or iterable of these, optional
        Score each group of rows that are equal in these columns.
    nulls, metric, **settings
        As for :func:`truebleu.engines.arrow.corpus_score`, and so are the columns of groups, and
        most errors. The executors need the class of a metric: install its module there, or define
        it in the main program.

    Returns
    -------
    Score, or DataFrame if there are groups
        One row per group. It is computed by an action, which raises faults in the rows as Spark's
        ``PythonException``, with the message of this package in it.
    """
    counting = chosen_counting(metric, settings, nulls)
    selection = selected(frame, hypothesis, references, group_by, metric=counting)
    return scored(sums_of_groups(selection), selection.job)


def segment_score(
    hypothesis: str | Column,
    *references: Columns,
    nulls: Nulls = "error",
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Column:
    """Score every row by itself.

    Parameters
    ----------
    hypothesis, *references : str or Column
        Columns of strings; references also of arrays of strings, or lists of columns.
    nulls, metric, **settings
        As for :func:`corpus_score`.

    Returns
    -------
    Column of double
        For ``frame.withColumn("bleu", ...)``.
    """
    counting = chosen_counting(metric, settings, nulls)
    columns, names = _texts(hypothesis, references)
    return functions(counting, names)["segment_score"](*columns)


def stats(
    hypothesis: str | Column,
    *references: Columns,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Column:
    """Count every row.

    Parameters are those of :func:`segment_score`.

    Returns
    -------
    Column of struct of bigint
        A field for each column of :func:`truebleu.engines.arrow.stats`.
    """
    counting = chosen_counting(metric, settings, nulls)
    columns, names = _texts(hypothesis, references)
    return functions(counting, names)["stats"](*columns)


@overload
def score_stats(
    frame: DataFrame, *, metric: Metrics = ..., **settings: Unpack[BleuSettings]
) -> Score: ...
@overload
def score_stats(
    frame: DataFrame, *, group_by: Columns, metric: Metrics = ..., **settings: Unpack[BleuSettings]
) -> DataFrame: ...
def score_stats(
    frame: DataFrame,
    *,
    group_by: Columns | None = None,
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | DataFrame:
    """Add up stored statistics, or sums of them, and score the sum.

    Parameters
    ----------
    frame : DataFrame
        With the columns of statistics; of structs that :func:`stats` makes,
        ``frame.select("stats.*")``.
    group_by
        As for :func:`corpus_score`.
    metric, **settings
        As for :func:`truebleu.engines.arrow.score_stats`, and so are results and errors, which the
        action raises as Spark's ``PythonException``.
    """
    chosen = chosen_counting(metric, settings, "error").metric
    check_type(frame, DataFrame, "frame", "a Spark data frame")
    stored_columns(chosen, frame.columns)
    selection = selected(frame, KEY, chosen.fields, group_by, metric=chosen, stored=True)
    found = scored(sums_of_groups(selection, stored_rows), selection.job)
    return found.drop(selection.job.segments) if isinstance(found, DataFrame) else found


def _texts(
    hypothesis: str | Column, references: Sequence[Columns]
) -> tuple[list[str | Column], list[str]]:
    """Return the columns of a row, and what messages call them."""
    # Other functions begin with the data frame.
    check_type(hypothesis, (str, Column), "hypothesis", "a column, or the name of one,")
    found = [hypothesis, *(name for each in references for name in several(each, "a reference"))]
    if len(found) == 1:
        raise SettingsError("there are no references: name at least one column")
    return found, list(map(written, found))


def sums_of_groups(selection: Selection, how: Count | None = None) -> DataFrame:
    """Add up the rows of each group: the columns of the groups, the sums, the ends, the keys."""
    job, names = selection.job, list(selection.names)
    groups = {f"group_{index}": name for index, name in enumerate(job.groups)}
    numbers = (*job.sums, *job.ends, KEY)
    fields = [StructField(alias, selection.type_of(name)) for alias, name in groups.items()]
    schema = StructType(fields + [StructField(name, LongType()) for name in numbers])

    def partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        named = (pa.RecordBatch.from_arrays(each.columns, names) for each in batches)
        found = partial_sums(named, job, count=how)
        if len(found):  # A partition may be empty.
            yield from found.rename_columns([*groups, *numbers]).to_batches()

    counted = selection.frame.mapInArrow(partition, schema)
    return added(counted.groupBy(*groups), job).withColumnsRenamed(groups)


def added(parts: GroupedData, job: Job) -> DataFrame:
    """Add up the statistics of groups; a sum beyond int64 is null."""
    # sum() wraps unless the session is in ANSI mode.
    joins = [F.try_sum(quoted(name)).alias(name) for name in job.sums]
    joins += [F.min(job.fewest).alias(job.fewest), F.max(job.most).alias(job.most)]
    joins += [F.min(KEY).alias(KEY), F.max(KEY).alias(job.last_key)]
    return parts.agg(*joins)


def scored(sums: DataFrame, job: Job) -> Score | DataFrame:
    """Score sums: of all rows, or of each group."""
    if job.groups:
        for metric, names in job.scored:
            sums = sums.withColumn(metric.identifier, scores_of_sums(job, metric, names))
        return sums.select(*map(quoted, job.results))
    with own_exceptions():
        [row] = sums.collect()
    *numbers, fewest, most, first_key, last_key = row
    if first_key is None:
        raise EmptyInputError("there are no rows to score")
    check_keys([first_key, last_key], job.metric.counting_key)
    return job.total(job.stats(numbers, fewest, most))


def scores_of_sums(job: Job, metric: Metric, names: Sequence[str]) -> Column:
    """Score the sums of groups."""

    def score(*columns: pa.Array) -> pa.Array:
        *fields, first_key, last_key = columns
        for keys in (first_key, last_key):
            check_keys(keys, job.metric.counting_key)
        if any(field.null_count for field in fields):
            raise overflow()
        return pa.array(column_scores(metric, fields))

    return arrow_function(score, DoubleType())(*map(quoted, (*names, KEY, job.last_key)))


@contextmanager
def own_exceptions() -> Iterator[None]:
    """Raise an exception of this package where Spark passes it on as text."""
    try:
        yield
    except (PySparkException, Py4JError) as error:  # The latter by iterators.
        raise (own_exception(str(error)) or error) from error
