"""Scores of Parquet files that Spark's executors read with Arrow, around the JVM."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, overload

import pyarrow as pa

from truebleu.engines.job import Job, chosen_metric
from truebleu.engines.spark import parquet
from truebleu.engines.spark.columns import is_case_sensitive, matching
from truebleu.engines.spark.sums import counted, scored
from truebleu.errors import EmptyInputError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score

    Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@overload
def corpus_score_of_files(
    session: SparkSession,
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> Score: ...


@overload
def corpus_score_of_files(
    session: SparkSession,
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str],
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> DataFrame: ...


def corpus_score_of_files(
    session: SparkSession,
    paths: Paths,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | DataFrame:
    """Score plain Parquet files, which the executors read with Arrow.

    The result is that of :func:`corpus_score` for ``session.read.parquet(paths)``, without the way
    of all text through the JVM. Executors must reach the files under the same paths.

    Parameters
    ----------
    session : SparkSession
    paths : str or PathLike, or iterable of these
        Files, folders, patterns of local files (``*``, ``**``), or addresses that Arrow opens, such
        as ``s3://`` and ``hdfs://``. Names that begin with ``_`` or ``.`` are skipped in folders,
        and files without a byte.
    hypothesis : str
        The column of hypotheses. Case is ignored where the session ignores it.
    references : str or iterable of str
        The columns of references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        Score each group of rows that are equal in these columns: of strings, numbers, booleans or
        dates.
    metric, **settings
        As for :func:`corpus_score`.

    Returns
    -------
    Score, or DataFrame if there are groups
        As for :func:`corpus_score`.

    Raises
    ------
    FileNotFoundError
        If there are no files.
    InputError
        If files are not plain Parquet: of another format, encrypted, or of a table with a
        transaction log (Delta Lake, Iceberg, Hudi). Nor may columns be in the names of folders.
    UnknownNameError, InputTypeError, EmptyInputError
        As for :func:`corpus_score`.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_metric(metric, settings))
    exact = is_case_sensitive(session)
    same = partial(matching, exact=exact)
    job.check(job.columns, ignore_case=not exact)
    parts = parquet.parts_of(paths)
    if not parts:
        raise EmptyInputError("there are no rows to score")
    arrow_types = parquet.types_of_groups(parts[0][0], job, same)
    empty = pa.schema(list(arrow_types.items())).empty_table()
    schema = session.createDataFrame(empty).schema if job.groups else ()
    types = {field.name: field.dataType for field in schema}

    def count(batches: Iterator[pa.RecordBatch]) -> pa.Table:
        # A task for each part.
        [number] = (each for batch in batches for each in batch.column(0).to_pylist())
        return parquet.sums_of_part(parts[number], job, same, arrow_types)

    numbers = session.range(0, len(parts), 1, len(parts))
    return scored(counted(numbers, count, job, types), job)
