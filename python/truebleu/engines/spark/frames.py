"""Scores of Spark data frames, and columns of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from pyspark.sql import Column, DataFrame

from truebleu.engines.arrow import stored_rows
from truebleu.engines.job import check_type, chosen_counting, stored_columns
from truebleu.engines.spark.columns import selected, several, written
from truebleu.engines.spark.functions import functions
from truebleu.engines.spark.sums import scored, sums_of_groups
from truebleu.errors import SettingsError
from truebleu.metrics.storage import KEY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from typing_extensions import Unpack

    from truebleu.engines.job import Metrics, Nulls, Options
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
