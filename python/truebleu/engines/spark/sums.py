"""Sums of statistics in Spark: counted in the executors, added up and scored by columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, GroupedData
from pyspark.sql import functions as F  # noqa: N812  # As everybody calls it.
from pyspark.sql.types import DoubleType, LongType, StructField, StructType

from truebleu.engines.arrow import partial_sums
from truebleu.engines.job import Job, column_scores, overflow, own_exception
from truebleu.engines.spark.columns import Selection, quoted
from truebleu.engines.spark.functions import arrow_function
from truebleu.errors import EmptyInputError
from truebleu.metrics.metric import Metric
from truebleu.metrics.score import Score
from truebleu.metrics.storage import KEY, check_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.engines.arrow import Count


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
