"""Scores in Polars: of frames, and in expressions. Needs ``truebleu[polars]``.

Importing this module gives every expression a namespace ``truebleu``, see :class:`Expressions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, overload

from truebleu.engines.job import Job, check_type, chosen_metric, missing, stored_columns
from truebleu.errors import SettingsError
from truebleu.metrics.storage import KEY

try:
    import polars as pl
except ImportError as error:
    raise missing("Polars", "polars") from error

from truebleu.engines.polars_columns import (
    GroupScores,
    JobCounts,
    RowCounts,
    SentenceScores,
    StoredScores,
    SumScores,
    map_columns,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Unpack

    from truebleu.metrics.base import Metric
    from truebleu.metrics.bleu.settings import BleuSettings
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score

    Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)

__all__ = ["Expressions", "corpus_score", "score_stats", "sentence_score", "stats"]


@pl.api.register_expr_namespace("truebleu")
class Expressions:
    """The namespace ``truebleu`` of an expression.

    The expression gives hypotheses, or, for :meth:`score_stats`, statistics. References are names
    of columns, or expressions, of strings or of lists of strings. All methods take a `metric`, or
    its name, or the settings of :class:`truebleu.Bleu`.

    Examples
    --------
    >>> import polars as pl
    >>> import truebleu.engines.polars
    >>> frame = pl.DataFrame(
    ...     {
    ...         "lang": ["de", "de", "fr"],
    ...         "mt": ["a b c d e", "f g h i j", "k l m n"],
    ...         "ref": ["a b c d x", "f g h i j", "k l m n"],
    ...     }
    ... )
    >>> score = pl.col("mt").truebleu.corpus_score("ref").round(2)
    >>> frame.group_by("lang").agg(score).sort("lang").rows()
    [('de', 83.76), ('fr', 100.0)]
    """

    def __init__(self, expression: pl.Expr) -> None:
        """Keep the expression."""
        self._expression = expression

    def corpus_score(
        self,
        *references: str | pl.Expr,
        metric: Metric | MetricName | None = None,
        **settings: Unpack[BleuSettings],
    ) -> pl.Expr:
        """Score all rows, or all rows of a group, together.

        Returns
        -------
        Expr of Float64
            One value.
        """
        chosen = chosen_metric(metric, settings)
        chosen.check_addable()
        # With a list for each group, one call gets the rows of every group, and no others.
        groups = [text.implode() for text in self._texts(references)]
        # One value: otherwise, the streaming engine may compute it for each piece of a column.
        return map_columns(groups, GroupScores(chosen)).item()

    def sentence_score(
        self,
        *references: str | pl.Expr,
        metric: Metric | MetricName | None = None,
        **settings: Unpack[BleuSettings],
    ) -> pl.Expr:
        """Score every row by itself.

        Returns
        -------
        Expr of Float64
            One value per row.
        """
        chosen = chosen_metric(metric, settings)
        return map_columns(self._texts(references), SentenceScores(chosen))

    def stats(
        self,
        *references: str | pl.Expr,
        metric: Metric | MetricName | None = None,
        **settings: Unpack[BleuSettings],
    ) -> pl.Expr:
        """Count every row.

        Returns
        -------
        Expr of Struct of Int64
            One row of statistics per row: a field of the struct for each field of the metric; and
            ``key``, which stands for the settings they were counted under.
        """
        chosen = chosen_metric(metric, settings)
        return map_columns(self._texts(references), RowCounts(chosen))

    def score_stats(
        self, *, metric: Metric | MetricName | None = None, **settings: Unpack[BleuSettings]
    ) -> pl.Expr:
        """Score structs of statistics, or of sums of them: each as a corpus.

        Returns
        -------
        Expr of Float64
            One value per row.
        """
        chosen = chosen_metric(metric, settings)
        return map_columns([self._expression], StoredScores(chosen))

    def _texts(self, references: Sequence[str | pl.Expr]) -> list[pl.Expr]:
        if not references:
            raise SettingsError("there are no references: name at least one column")
        columns = [pl.col(each) if isinstance(each, str) else each for each in references]
        return [self._expression, *columns]


@overload
def corpus_score(
    frame: pl.DataFrame | pl.LazyFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: None = ...,
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> Score: ...


@overload
def corpus_score(
    frame: Frame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str],
    metric: Metric | MetricName | None = ...,
    **settings: Unpack[BleuSettings],
) -> Frame: ...


def corpus_score(
    frame: pl.DataFrame | pl.LazyFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Score | pl.DataFrame | pl.LazyFrame:
    """Score a frame, or its groups, in one pass and in memory that does not grow with its rows.

    Parameters
    ----------
    frame : DataFrame or LazyFrame
    hypothesis : str
        The column of hypotheses.
    references : str or iterable of str
        The columns of references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        Score each group of rows that are equal in these columns.
    metric : Metric or str, optional
        A metric, or its name. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Returns
    -------
    Score, or a frame of the kind of `frame` if there are groups
        One row per group: the columns of `group_by`; the score, in a column named after the
        metric's identifier, such as ``bleu``; ``segments``; the statistics; and ``key``, which
        stands for the settings they were counted under. A LazyFrame is computed when it is
        collected.

    Raises
    ------
    UnknownNameError
        If a column is missing.
    InputTypeError
        If a column holds anything but text, or a hypothesis is null.
    EmptyInputError
        If there are no rows, or a row has no reference.

    Examples
    --------
    >>> import polars as pl
    >>> from truebleu.engines.polars import corpus_score
    >>> frame = pl.LazyFrame({"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]})
    >>> print(corpus_score(frame, "mt", "ref"))
    BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)
    """
    job = Job(hypothesis, references, group_by, metric=chosen_metric(metric, settings))
    lazy = _lazy(frame)
    job.check(lazy.collect_schema().names())

    counts = map_columns(list(map(pl.col, job.texts)), JobCounts(job))
    name = job.unused("rows")
    counted = lazy.select(*job.groups, counts.alias(name)).unnest(name)
    # Cast, because a sum of Int64 wraps; one that does not fit becomes null.
    sums = [pl.col(each).cast(pl.Int128).sum().cast(pl.Int64, strict=False) for each in job.sums]
    if job.groups:
        found = counted.group_by(job.groups, maintain_order=True).agg(sums)
        key = pl.lit(job.key, pl.Int64).alias(KEY)
        score = map_columns(list(map(pl.col, job.fields)), SumScores(job.metric))
        scored = found.with_columns(score.alias(job.score), key)
        return _like(frame, scored.select(job.results))
    ends = [pl.col(job.fewest).min(), pl.col(job.most).max()]
    table = counted.select(*sums, *ends).collect(engine="streaming")
    *row, fewest, most = table.row(0)
    return job.metric.score(job.stats(row, fewest, most))


def sentence_score(
    frame: pl.DataFrame | pl.LazyFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pl.Series | pl.LazyFrame:
    """Score every row by itself.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    Series of Float64, or a LazyFrame with one such column if `frame` is one
        One score per row.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    lazy = _lazy(frame)
    job.check(lazy.collect_schema().names(), corpus=False)
    texts = Expressions(pl.col(hypothesis))
    score = texts.sentence_score(*job.references, metric=job.metric)
    return _column(frame, lazy.select(score.alias(job.score)))


def stats(
    frame: Frame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> Frame:
    """Count every row.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    A frame of the kind of `frame`, of Int64
        One row of statistics per row: a column for each field of the metric; and ``key``, which
        stands for the settings they were counted under. :func:`score_stats` and
        :meth:`truebleu.Stats.from_table` read them.
    """
    job = Job(hypothesis, references, metric=chosen_metric(metric, settings))
    lazy = _lazy(frame)
    job.check(lazy.collect_schema().names(), corpus=False)
    counts = Expressions(pl.col(hypothesis)).stats(*job.references, metric=job.metric)
    return _like(frame, lazy.select(counts).unnest(hypothesis))


def score_stats(
    frame: pl.DataFrame | pl.LazyFrame,
    *,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pl.Series | pl.LazyFrame:
    """Score stored statistics, or sums of them: each row as a corpus.

    Parameters
    ----------
    frame : DataFrame or LazyFrame
        With the columns of :func:`stats`.
    metric, **settings
        As for :func:`corpus_score`; those under which the statistics were counted.

    Returns
    -------
    Series of Float64, or a LazyFrame with one such column if `frame` is one
        One score per row.

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
    lazy = _lazy(frame)
    names = stored_columns(chosen, lazy.collect_schema().names())
    score = Expressions(pl.struct(names)).score_stats(metric=chosen)
    return _column(frame, lazy.select(score.alias(chosen.identifier)))


def _lazy(frame: pl.DataFrame | pl.LazyFrame) -> pl.LazyFrame:
    check_type(frame, (pl.DataFrame, pl.LazyFrame), "frame", "a DataFrame or LazyFrame of Polars")
    return frame.lazy()


def _like(frame: Frame, found: pl.LazyFrame) -> Frame:
    """Collect a result if the frame it was made of is not lazy."""
    return found.collect() if isinstance(frame, pl.DataFrame) else found


def _column(frame: pl.DataFrame | pl.LazyFrame, found: pl.LazyFrame) -> pl.Series | pl.LazyFrame:
    """Collect a column if the frame it was made of is not lazy."""
    return found.collect().to_series() if isinstance(frame, pl.DataFrame) else found
