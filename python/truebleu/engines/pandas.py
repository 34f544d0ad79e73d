"""Scores of pandas data frames. Needs ``truebleu[pandas]``.

Columns that are stored in Arrow's layout are read where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, overload

from truebleu.engines.job import (
    Job,
    by_field,
    check_type,
    chosen_metric,
    count_columns,
    missing,
    no_hypothesis,
    scores_of_rows,
)
from truebleu.errors import EmptyInputError, InputTypeError
from truebleu.inputs.arrow import is_column
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.storage import KEY

try:
    import pandas as pd
except ImportError as error:
    raise missing("pandas", "pandas") from error

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

__all__ = ["corpus_score", "score_stats", "sentence_score", "stats"]


@overload
def corpus_score(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: None = ...,
    threads: int | None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> Score: ...


@overload
def corpus_score(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str],
    threads: int | None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> pd.DataFrame: ...


def corpus_score(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | pd.DataFrame:
    """Score a data frame, or its groups.

    Parameters
    ----------
    frame : DataFrame
    hypothesis : str
        The column of hypotheses.
    references : str or iterable of str
        The columns of references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        Score each group of rows that are equal in these columns.
    threads : int, optional
        Default: all processors.
    metric : Metric or str, optional
        A metric, or its name. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Returns
    -------
    Score, or DataFrame if there are groups
        One row per group, with the group as its index: the score, in a column named after the
        metric's identifier, such as ``bleu``; ``segments``; the statistics; and ``key``, which
        stands for the settings they were counted under.

    Raises
    ------
    UnknownNameError
        If a column is missing.
    InputTypeError
        If a column holds anything but text, or a hypothesis is missing.
    EmptyInputError
        If there are no rows, or a row has no reference.

    Examples
    --------
    >>> import pandas as pd
    >>> from truebleu.engines.pandas import corpus_score
    >>> frame = pd.DataFrame({"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]})
    >>> print(corpus_score(frame, "mt", "ref"))
    BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)
    """
    job = Job(hypothesis, references, group_by, metric=chosen_metric(metric, settings))
    _check_frame(frame)
    job.check(frame.columns)
    counted = _count(frame, job, threads)
    if not job.groups:
        return job.metric.score(counted)
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
    found = _table(sums, job, sizes.index)
    found.insert(0, job.score, scores_of_rows(job.metric, sums.data))
    found.insert(1, job.segments, sizes.to_numpy())
    return found


def sentence_score(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
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
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    _check_frame(frame)
    job.check(frame.columns, corpus=False)
    data = _count(frame, job, threads).data if len(frame) else b""
    found = scores_of_rows(job.metric, data, segment=True)
    return pd.Series(found, index=frame.index, name=job.score)


def stats(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pd.DataFrame:
    """Count every row.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    DataFrame of int64
        One row of statistics per row, with the index of the frame: a column for each field of the
        metric; and ``key``, which stands for the settings they were counted under.
        :func:`score_stats` and :meth:`truebleu.Stats.from_table` read them.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    _check_frame(frame)
    job.check(frame.columns, corpus=False)
    none = job.metric._stats_type(b"", job.metric, -1, -1)
    return _table(_count(frame, job, threads) if len(frame) else none, job, frame.index)


def score_stats(
    frame: pd.DataFrame,
    *,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pd.Series:
    """Score stored statistics, or sums of them: each row as a corpus.

    Parameters
    ----------
    frame : DataFrame
        With the columns of :func:`stats`; ``key`` may be a level of the index, as it is after
        ``groupby``.
    metric, **settings
        As for :func:`corpus_score`; those under which the statistics were counted.

    Returns
    -------
    Series of float64
        One score per row, with the index of the frame.

    Raises
    ------
    StatsMismatchError
        If they were counted under other settings.
    UnknownNameError
        If a column is missing.
    InputError
        If the columns are not of whole numbers, or hold nulls or numbers that no text can have.
    """
    chosen = chosen_metric(metric, settings)
    _check_frame(frame)
    table = frame.reset_index(KEY) if KEY in frame.index.names else frame
    counted = chosen._stats_type.from_table(table, chosen)
    found = scores_of_rows(chosen, counted.data)
    return pd.Series(found, index=frame.index, name=chosen.identifier)


def _check_frame(frame: Any) -> None:
    check_type(frame, pd.DataFrame, "frame", "a DataFrame of pandas")


def _group_key(column: pd.Series) -> pd.Series:
    if isinstance(column.dtype, pd.ArrowDtype):
        import pyarrow as pa

        from truebleu.engines.arrow import group_key

        # pandas takes floats for different by bits, and cannot sort values of all types.
        chunks = pa.chunked_array(pa.array(column)).chunks
        keys = pa.chunked_array([group_key(chunk, str(column.name)) for chunk in chunks])
        return pd.Series(keys, column.index, pd.ArrowDtype(keys.type), column.name)
    # No index of pandas can be of these.
    return column.astype("float32") if column.dtype == "float16" else column


def _count(frame: pd.DataFrame, job: Job, threads: int | None) -> Stats:
    if not len(frame):
        raise EmptyInputError("there are no rows to score")
    hypotheses, *references = (frame[name] for name in job.texts)
    threads = thread_count(threads)
    if all(map(is_column, (hypotheses, *references))):
        counted = count_columns(job.metric, hypotheses, references, job.texts, threads=threads)
        data, fewest, most = counted
        return job.metric._stats_type(data, job.metric, fewest, most)
    if hypotheses.isna().any():
        raise no_hypothesis(job.hypothesis)
    cells = zip(*(map(_listed, column.tolist()) for column in references), strict=True)
    several = [list(chain.from_iterable(row)) for row in cells]
    return job.metric._count_stats(hypotheses.tolist(), several, threads=threads)


def _listed(item: object) -> list[object]:
    """Return what a cell holds: one reference, several, or, if it is None or NaN, none."""
    if isinstance(item, str):
        return [item]
    if isinstance(item, Iterable):
        return list(item)
    return [] if pd.isna(item) else [item]


def _table(counted: Stats, job: Job, index: pd.Index) -> pd.DataFrame:
    fields = by_field(job.metric, counted.data)
    table = dict(zip(job.fields, fields, strict=True))
    # A list would have another type if it is empty.
    return pd.DataFrame(table, index=index).assign(**{KEY: pd.Series(job.key, index, "int64")})
