"""Scores of Ray data sets. Needs ``truebleu[ray]``, on the workers too.

Each block is counted where it is, and Ray adds up rows of statistics.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, overload

from truebleu.engines.job import (
    Job,
    check_type,
    chosen_counting,
    missing,
    overflow,
    own_exception,
)
from truebleu.errors import EmptyInputError, SettingsError, TruebleuError
from truebleu.metrics.storage import KEY, check_keys

try:
    import pyarrow as pa
    from ray.data import Dataset
    from ray.data.aggregate import Max, Min, Sum
    from ray.exceptions import RayError
except ImportError as error:
    raise missing("Ray Data and pyarrow", "ray") from error

from truebleu.engines import arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ray.data.aggregate import AggregateFn
    from typing_extensions import Unpack

    from truebleu.engines.job import Metrics, Nulls, Options, Texts
    from truebleu.metrics import BleuSettings, Metric, MetricName, Score

__all__ = ["corpus_score", "score_stats", "segment_score", "stats"]

# Arrow's sums of int64 wrap, sums of these do not.
WIDE = pa.decimal128(38)

# Rows that are counted at a time, whatever the size of blocks.
_ROWS = 1 << 16

# Ray adds up groups in so many tasks: each costs some time to start, and Ray's default is 200.
_TASKS = 10


@overload
def corpus_score(
    dataset: Dataset, hypothesis: str, references: Texts, **kw: Unpack[Options]
) -> Score: ...
@overload
def corpus_score(
    dataset: Dataset,
    hypothesis: str,
    references: Texts,
    *,
    group_by: Texts,
    **kw: Unpack[Options],
) -> Dataset: ...
def corpus_score(
    dataset: Dataset,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | Dataset:
    """Score a data set, or its groups. The result does not depend on the blocks.

    Parameters
    ----------
    dataset : Dataset
    hypothesis, references, group_by, nulls, metric, **settings
        As for :func:`truebleu.engines.arrow.corpus_score`, and so are the columns of groups, and
        the errors. The workers need the class of a metric: install its module there, or define it
        in the main program.

    Returns
    -------
    Score, or Dataset if there are groups
        One row per group. It is computed when it is consumed; faults in its rows are then raised as
        Ray's ``UserCodeException``, with the message of this package at the top.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_counting(metric, settings, nulls))
    job.check(_names(dataset))
    return _scored(dataset, job)


def _scored(dataset: Dataset, job: Job, how: arrow.Count | None = None) -> Score | Dataset:
    """Count blocks, add up the rows of each group, and score the sums."""

    def count(block: pa.Table) -> pa.Table:
        return cast(arrow.partial_sums(block.to_reader(), job, count=how), job, WIDE)

    def score(sums: pa.Table) -> pa.Table:
        try:
            sums = cast(sums, job, pa.int64())
        except pa.ArrowInvalid:
            raise overflow() from None
        return arrow.score_sums(sums, job)

    counted = _mapped(dataset.select_columns(job.columns), count)
    joins = aggregations(job)
    if job.groups:
        grouped = counted.groupby(list(job.groups), num_partitions=_TASKS)
        return _mapped(grouped.aggregate(*joins), score)
    try:
        found = counted.aggregate(*joins)
    except RayError as error:
        raise (own_exception(str(error)) or error) from error
    if found is None or found[job.segments] is None:
        raise EmptyInputError("there are no rows to score")
    check_keys([found[KEY], found[job.last_key]], job.metric.counting_key)
    sums = [found[name] for name in job.sums]
    return job.total(job.stats(sums, found[job.fewest], found[job.most]))


def segment_score(
    dataset: Dataset,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    nulls: Nulls = "error",
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Dataset:
    """Score every row by itself.

    Parameters and errors are those of :func:`corpus_score`. The new column is called as the
    metric's identifier, such as ``bleu``.

    Returns
    -------
    Dataset
        With a column of scores added.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    names = _names(dataset)
    job.check(names, corpus=False)
    added = job.metric.identifier
    _refuse_taken([added], names)
    function = arrow.functions(job.counting, job.texts)["segment_score"]

    def score(block: pa.Table) -> pa.Table:
        return block.append_column(added, function(*(block[name] for name in job.texts)))

    return _mapped(dataset, score)


def stats(
    dataset: Dataset,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Dataset:
    """Count every row.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    Dataset
        With the columns of :func:`truebleu.engines.arrow.stats` added.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    names = _names(dataset)
    job.check(names, corpus=False)
    _refuse_taken([*job.fields, KEY], names)

    def count(block: pa.Table) -> pa.Table:
        texts = hypothesis, job.references
        counted = arrow.stats(block, *texts, threads=1, **job.counting._asdict())
        for name in counted.column_names:
            block = block.append_column(name, counted[name])
        return block

    return _mapped(dataset, count)


def score_stats(
    dataset: Dataset,
    *,
    group_by: str | Iterable[str] | None = None,
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | Dataset:
    """Add up stored statistics, or sums of them, and score the sum.

    Parameters are those of :func:`corpus_score` and of :func:`truebleu.engines.arrow.score_stats`,
    and so are the results and errors.
    """
    job = arrow.stored_job(metric, settings, group_by)
    arrow.check_stored(job, _names(dataset))
    found = _scored(dataset, job, arrow.stored_rows)
    return found.drop_columns([job.segments]) if isinstance(found, Dataset) else found


def _mapped(dataset: Dataset, function: Callable[[pa.Table], pa.Table]) -> Dataset:
    """Apply a function to all rows, some at a time."""

    @wraps(function)
    def mapped(block: pa.Table) -> pa.Table:
        try:
            return function(block)
        except TruebleuError as error:
            # Ray shows the traceback first. Without frames of this package, the message is on top.
            message = error.with_traceback(None)
        raise message

    return dataset.map_batches(mapped, batch_format="pyarrow", batch_size=_ROWS)


def aggregations(job: Job) -> list[AggregateFn]:
    """Return what joins the sums of blocks."""
    return [
        *(Sum(name, alias_name=name) for name in job.sums),
        Min(job.fewest, alias_name=job.fewest),
        Max(job.most, alias_name=job.most),
        Min(KEY, alias_name=KEY),
        Max(KEY, alias_name=job.last_key),
    ]


def cast(sums: pa.Table, job: Job, kind: pa.DataType) -> pa.Table:
    """Cast the sums to another type."""
    names = sums.schema.names
    fields = [pa.field(name, kind) if name in job.sums else sums.field(name) for name in names]
    return sums.cast(pa.schema(fields))


def _names(dataset: Dataset) -> list[str]:
    check_type(dataset, Dataset, "dataset", "a Ray data set")
    schema = dataset.schema()
    if schema is None:
        raise EmptyInputError("there are no rows to score")
    return list(schema.names)


def _refuse_taken(added: Iterable[str], names: list[str]) -> None:
    """Refuse the names of new columns that are there already."""
    for name in added:
        if name in names:
            raise SettingsError(f"the data set has a column {name!r} already; rename it")
