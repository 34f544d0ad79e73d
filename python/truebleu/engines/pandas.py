"""Scores of pandas data frames. Needs ``truebleu[pandas]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from truebleu.engines.job import (
    Job,
    by_field,
    check_type,
    chosen_counting,
    chosen_metric,
    column_scores,
    missing,
    scores_of_rows,
    stored_columns,
)
from truebleu.errors import EmptyInputError, InputTypeError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.storage import KEY

try:
    import pandas as pd
    import pyarrow as pa
except ImportError as error:
    raise missing("pandas and pyarrow", "pandas") from error

from truebleu.engines.arrow import count_rows, group_key, open_reader, stored_scores

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from pandas import DataFrame
    from typing_extensions import Unpack

    from truebleu.engines.job import Metrics, Nulls, Places, Texts, Threads
    from truebleu.metrics import BleuSettings, Metric, MetricName, Score, Stats

__all__ = ["corpus_score", "score_stats", "sentence_score", "stats"]


@overload
def corpus_score(
    frame: DataFrame, hypothesis: str, references: Texts, **kw: Unpack[Threads]
) -> Score: ...
@overload
def corpus_score(
    frame: DataFrame, hypothesis: str, references: Texts, *, group_by: Texts, **kw: Unpack[Threads]
) -> pd.DataFrame: ...
def corpus_score(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | pd.DataFrame:
    """Score a data frame, or its groups.

    Parameters
    ----------
    frame : DataFrame
    hypothesis, references, group_by, threads, nulls, metric, **settings
        As for :func:`truebleu.engines.arrow.corpus_score`, and so are the errors.

    Returns
    -------
    Score, or DataFrame if there are groups
        One row per group, with the columns of that function; the group is the index.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_counting(metric, settings, nulls))
    counted, places = _count(frame, job, threads)
    if not job.groups:
        if not len(counted):
            raise EmptyInputError("there are no rows to score")
        return job.total(counted)
    if places is not None:
        frame = frame[[place is not None for place in places]]
    columns = [_group_key(frame[name]) for name in job.groups]
    try:
        groups = frame.groupby(columns, dropna=False, observed=True)
        sizes = groups.size()
    except TypeError as error:
        names = " and ".join(map(repr, job.groups))
        raise InputTypeError(
            f"pandas cannot group by {names}: {error}; groups need plain values"
        ) from None
    sums = counted.sums(groups.ngroup().to_numpy("i8"), len(sizes))
    found = _table(sums, sizes.index)
    found.insert(0, job.segments, sizes.to_numpy())
    for place, (each, fields) in enumerate(job.scored):
        columns = [found[name].to_numpy() for name in fields]
        found.insert(place, each.identifier, column_scores(each, columns))
    return found


def sentence_score(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pd.Series:
    """Score every row by itself.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    Series of float64
        One score per row, with the index of the frame.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    counted, places = _count(frame, job, threads, corpus=False)
    found = scores_of_rows(job.metric, counted.data, segment=True)
    return _in_places(pd.Series(found, name=job.metric.identifier), places, frame.index)


def stats(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> pd.DataFrame:
    """Count every row.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    DataFrame of int64, or Int64 if rows were skipped
        With the columns of :func:`truebleu.engines.arrow.stats`, and the index of the frame.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    counted, places = _count(frame, job, threads, corpus=False)
    table = _table(counted, pd.RangeIndex(len(counted)))
    return _in_places(table if places is None else table.astype("Int64"), places, frame.index)


def score_stats(
    frame: pd.DataFrame,
    *,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pd.Series:
    """Score stored statistics, or sums of them: each row as a corpus.

    Parameters and errors are those of :func:`truebleu.engines.arrow.score_stats`. In a frame,
    ``key`` may be a level of the index, as it is after ``groupby``.

    Returns
    -------
    Series of float64
        One score per row, with the index of the frame.
    """
    chosen = chosen_metric(metric, settings)
    _check_frame(frame)
    table = frame.reset_index(KEY) if KEY in frame.index.names else frame
    columns = [pa.chunked_array(pa.array(table[name])) for name in stored_columns(chosen, table)]
    found = stored_scores(chosen, columns).to_numpy(zero_copy_only=False)
    return pd.Series(found, index=frame.index, name=chosen.identifier)


def _check_frame(frame: Any) -> None:
    check_type(frame, pd.DataFrame, "frame", "a DataFrame of pandas")


def _group_key(column: pd.Series) -> pd.Series:
    if isinstance(column.dtype, pd.ArrowDtype):
        # pandas takes floats for different by bits, and cannot sort values of all types.
        chunks = pa.chunked_array(pa.array(column)).chunks
        keys = pa.chunked_array([group_key(chunk, str(column.name)) for chunk in chunks])
        return pd.Series(keys, column.index, pd.ArrowDtype(keys.type), column.name)
    # No index of pandas can be of these.
    return column.astype("float32") if column.dtype == "float16" else column


def _count(
    frame: pd.DataFrame, job: Job, threads: int | None, *, corpus: bool = True
) -> tuple[Stats, Places]:
    _check_frame(frame)
    job.check(frame.columns, corpus=corpus)
    return count_rows(open_reader(frame, job.texts), job, thread_count(threads))


def _in_places(found: Any, places: Places, index: pd.Index) -> Any:
    """Return the values of each row; those of one that was skipped are missing."""
    if places is not None:
        found = found.reindex([-1 if place is None else place for place in places])
    return found.set_axis(index)


def _table(counted: Stats, index: pd.Index) -> pd.DataFrame:
    # A list would have another type if it is empty.
    return pd.DataFrame(by_field(counted), index).assign(
        **{KEY: pd.Series(counted.key, index, "int64")}
    )
