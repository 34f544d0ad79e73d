"""Scores of files that hold tables, in memory that does not grow. Needs ``truebleu[duckdb]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from truebleu.engines.job import Job, as_names, chosen_metric, scores_of_rows
from truebleu.engines.table_reader import Tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.engines.table_reader import Group
    from truebleu.metrics.base import Metric
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats

__all__ = ["Tables", "corpus_score", "score_stats", "sentence_score", "stats"]


@overload
def corpus_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: None = ...,
    where: str | None = ...,
    threads: int | None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> Score: ...


@overload
def corpus_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str],
    where: str | None = ...,
    threads: int | None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> dict[Group, Score]: ...


def corpus_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | dict[Group, Score]:
    """Score files: Parquet, CSV, TSV, JSON Lines or Arrow.

    Parameters
    ----------
    paths : str or iterable of str
        Files of one format, which their suffix tells; patterns such as ``data/*.parquet``; or
        folders. ``key=value`` in the names of folders is a column. In folders and patterns, files
        and folders whose names begin with ``_`` or ``.`` are skipped, except ``_key=value``. Or one
        table with a transaction log, which Polars reads: the folder of a table of Delta Lake, or
        the folder or metadata file of one of Iceberg.
    hypothesis : str
        The column of hypotheses.
    references : str or iterable of str
        The columns of references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        Score each group of rows that are equal in these columns.
    where : str, optional
        Score only the rows for which this SQL expression is true: one expression over the
        columns, without a subquery. It cannot read other files, or write any. It is tried on the
        first rows, and refused if that takes more than some seconds.
    threads : int, optional
        Default: all processors.
    metric : Metric or str, optional
        A metric, or its name. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Returns
    -------
    Score, or dict if there are groups
        For each group, as a tuple of its values, its score; sorted by group. A value that Python
        has no equal of, such as a time in nanoseconds, is text.

    Raises
    ------
    UnknownNameError
        If a column is missing.
    InputTypeError
        If a column holds anything but text, a hypothesis is null, or groups are lists or structs.
    EmptyInputError
        If there are no rows, or a row has no reference.
    InputError
        If a file does not hold what its suffix says, or is part of a table with a transaction log
        (Delta Lake, Iceberg, Hudi), or such a table cannot be read; or the name of a column is that
        of another in other case.
    SettingsError
        If `where` is not one valid expression that is true or false, or takes too long.
    OSError
        If there is no such file, or a compressed one is damaged.
    """
    job = Job(hypothesis, references, group_by, metric=chosen_metric(metric, settings))
    with Tables(paths, threads) as tables:
        return _scores(job.metric, tables.sums(job, where), job.groups)


def sentence_score(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> NDArray[np.float64]:
    """Score every row by itself, in the order of the files.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    ndarray of float64
        One score per row.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    with Tables(paths, threads) as tables:
        counted = tables.stats(job, where)
    return scores_of_rows(job.metric.for_segments, counted.data)


def stats(
    paths: str | Iterable[str],
    hypothesis: str,
    references: str | Iterable[str],
    *,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Stats:
    """Count every row, in the order of the files.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    Stats
        One row of statistics per row.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    with Tables(paths, threads) as tables:
        return tables.stats(job, where)


def score_stats(
    paths: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    where: str | None = None,
    threads: int | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | dict[Group, Score]:
    """Add up statistics that are stored in files, and score the sum.

    Parameters
    ----------
    paths : str or iterable of str
        As for :func:`corpus_score`: tables with a column for each field of the metric, and
        ``key``, as the ``stats`` of all engines write them.
    group_by, where, threads, metric, **settings
        As there; the settings are those under which the statistics were counted.

    Returns
    -------
    Score, or dict if there are groups
        As there. The signature leaves the number of references out, because it is not stored.

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
    chosen.check_addable()
    with Tables(paths, threads) as tables:
        found = tables.stored(chosen, group_by, where)
    return _scores(chosen, found, as_names(group_by, "group_by"))


def _scores(
    metric: Metric, sums: dict[Group, Stats], groups: tuple[str, ...]
) -> Score | dict[Group, Score]:
    """Score the sum of each group; without groups, the one sum."""
    scores = {group: metric.score(stats) for group, stats in sums.items()}
    return scores if groups else scores[()]
