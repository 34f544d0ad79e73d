"""Scores in expressions of Polars. Needs ``truebleu[polars]``.

Importing this module gives every expression a namespace ``truebleu``, see :class:`Expressions`.
Data frames, lazy ones too, are scored by :mod:`truebleu.engines.arrow`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from truebleu._core import add_groups
from truebleu.engines.job import (
    by_field,
    chosen_counting,
    chosen_metric,
    column_scores,
    count_columns,
    joined_places,
    missing,
    scores_of_rows,
    segment_scores,
    stored_columns,
)
from truebleu.errors import InputTypeError, LengthMismatchError, SettingsError
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.stats import Stats
from truebleu.metrics.storage import KEY

try:
    import polars as pl
except ImportError as error:
    raise missing("Polars", "polars") from error
if tuple(map(int, pl.__version__.split(".")[:2])) < (1, 36):
    # It refuses `implode` with `item`; before 1.33, functions of several columns were not lazy.
    raise missing("Polars 1.36 or later", "polars")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.engines.job import Counting, Nulls, Places
    from truebleu.metrics import BleuSettings, Metric, MetricName

    Columns: TypeAlias = Iterable[pl.Series]
    Part = TypeVar("Part")
    Reference: TypeAlias = str | pl.Expr

__all__ = ["Expressions"]

# Rows that one thread reads, checks and counts at a time.
_PIECE = 1 << 16
# Chunks with fewer rows on average are joined: reading a chunk takes as long as counting many rows.
_SMALL_CHUNK = 1 << 10

_SCORE = pl.Float64()


@pl.api.register_expr_namespace("truebleu")
class Expressions:
    """The namespace ``truebleu`` of an expression.

    The expression gives hypotheses, or, for :meth:`score_stats`, statistics. References are names
    of columns, or expressions, of strings or of lists of strings; a literal stands for all rows.
    All methods take a `metric`, or its name, or the settings of :class:`truebleu.Bleu`. A column of
    scores is named after the metric's identifier, such as ``bleu``, and of statistics
    ``bleu_stats``.

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
        *references: Reference | Iterable[Reference],
        nulls: Nulls = "error",
        metric: Metric | MetricName | None = None,
        **settings: Unpack[BleuSettings],
    ) -> pl.Expr:
        """Score all rows, or all of a group, together: one value of Float64, null without rows."""
        counting = chosen_counting(metric, settings, nulls)
        counting.metric._check_addable()
        # With a list for each group, one call gets the rows of every group, and no others.
        groups = [text.implode() for text in self._texts(references)]
        # One value: otherwise, the streaming engine may compute it for each piece of a column.
        score = map_columns(groups, partial(_group_scores, counting)).item()
        return score.alias(counting.metric.identifier)

    def segment_score(
        self,
        *references: Reference | Iterable[Reference],
        nulls: Nulls = "error",
        metric: Metric | MetricName | None = None,
        **settings: Unpack[BleuSettings],
    ) -> pl.Expr:
        """Score every row by itself: a value of Float64 for each."""
        counting = chosen_counting(metric, settings, nulls)
        score = map_columns(self._texts(references), partial(_segment_scores, counting))
        return score.alias(counting.metric.identifier)

    def stats(
        self,
        *references: Reference | Iterable[Reference],
        nulls: Nulls = "error",
        metric: Metric | MetricName | None = None,
        **settings: Unpack[BleuSettings],
    ) -> pl.Expr:
        """Count every row: a struct of Int64 with the columns of :func:`stats`."""
        counting = chosen_counting(metric, settings, nulls)
        dtype = _structs((*counting.metric.fields, KEY))
        counts = map_columns(self._texts(references), partial(_row_counts, counting), dtype)
        return counts.alias(f"{counting.metric.identifier}_stats")

    def score_stats(
        self, *, metric: Metric | MetricName | None = None, **settings: Unpack[BleuSettings]
    ) -> pl.Expr:
        """Score structs of statistics, or of sums of them: each as a corpus, as Float64."""
        chosen = chosen_metric(metric, settings)
        score = map_columns([self._expression], partial(_stored_scores, chosen))
        return score.alias(chosen.identifier)

    def _texts(self, references: Sequence[Reference | Iterable[Reference]]) -> list[pl.Expr]:
        several = [[each] if isinstance(each, str | pl.Expr) else list(each) for each in references]
        columns = [
            pl.col(each) if isinstance(each, str) else each for part in several for each in part
        ]
        if not columns:
            raise SettingsError("there are no references: name at least one column")
        return [self._expression, *columns]


def map_columns(
    columns: Sequence[pl.Expr],
    function: Callable[[Columns], pl.Series],
    dtype: pl.DataType = _SCORE,
) -> pl.Expr:
    """Apply a function of whole columns, which pickle can send, and which treats each row alone.

    The streaming engine evaluates an expression as often as it occurs in a query, also if it is one
    of Polars' own: ten sums of fields of one struct would count every text ten times. A score is
    therefore one function of all texts. It is no plugin, whose errors would reach the user as a
    ``ComputeError``, whatever they were. Metrics of the core release the interpreter while they
    count, so Polars' threads work side by side.
    """
    return pl.map_batches(columns, function, return_dtype=dtype, is_elementwise=True)


def _structs(names: Iterable[str]) -> pl.DataType:
    return pl.Struct(dict.fromkeys(names, pl.Int64()))


def _row_counts(counting: Counting, columns: Columns) -> pl.Series:
    """Count rows into structs: the statistics, and ``key``."""
    texts = _broadcast(columns)
    counted = _in_pieces(texts, lambda _, piece: _count(counting, piece))
    rows = Stats.join([each for each, _ in counted] or [Stats(b"", counting.metric, -1, -1)])
    frame = pl.DataFrame(by_field(rows)).with_columns(pl.lit(rows.key, pl.Int64).alias(KEY))
    return _in_places(frame.to_struct(texts[0].name), joined_places(counted))


def _in_places(values: pl.Series, places: Places) -> pl.Series:
    """Return the value of each row; that of one that was skipped is null."""
    return values if places is None else values.gather(places)


def _segment_scores(counting: Counting, columns: Columns) -> pl.Series:
    """Score every row by itself."""
    texts = _broadcast(columns)
    names = [text.name for text in texts]

    def score(_: int, piece: list[pl.Series]) -> pl.Series:
        scores, places = segment_scores(counting, piece[0], piece[1:], names)
        return _in_places(pl.Series(names[0], scores), places)

    empty = pl.Series(names[0], [], pl.Float64)
    return pl.concat([empty, *_in_pieces(texts, score)])


def _group_scores(counting: Counting, columns: Columns) -> pl.Series:
    """Score lists of texts, one list per group; without rows, the score is null."""
    groups = list(columns)
    length = max(map(len, groups))
    # Repeating and filtering lists copies texts, and one list may have those of a whole frame.
    if length > 1:
        groups = [each.new_from_index(0, length) if len(each) == 1 else each for each in groups]
    there = groups[0].list.len() > 0
    some_groups = groups if there.all() else [each.filter(there) for each in groups]
    sums, sizes = _group_sums(counting, some_groups)
    some = sizes > 0
    rows = np.frombuffer(sums, "<i8").reshape(-1, len(counting.metric.fields))[some].tobytes()
    scores = pl.Series(groups[0].name, scores_of_rows(counting.metric, rows))
    return _where(there, _where(pl.Series(some), scores))


def _where(there: pl.Series, values: pl.Series) -> pl.Series:
    """Return values for the rows for which there are any, and null for the others."""
    return values.gather((there.cum_sum().cast(pl.Int64) - 1).set(~there, None))


def _group_sums(counting: Counting, groups: Sequence[pl.Series]) -> tuple[bytes, NDArray[np.int64]]:
    """Count the rows of all groups, add up those of each, and tell how many it has."""
    metric = counting.metric
    length = len(groups[0])
    sizes = [group.list.len().to_numpy() for group in groups]
    largest = np.max(sizes, axis=0).astype(np.int64)
    if not length:
        return b"", largest
    numbers = np.repeat(np.arange(length), largest)
    texts = [_as_text(group.list.explode()) for group in groups]
    for place, size in enumerate(sizes):
        if (size == 1).all():
            texts[place] = texts[place].gather(numbers)  # A literal stands for all rows.
        elif (size != largest).any():
            different = f"{groups[0].name!r} and {groups[place or 1].name!r}"
            raise LengthMismatchError(f"columns {different} differ in length")

    def count(start: int, piece: list[pl.Series]) -> tuple[NDArray[np.int64], bytes]:
        rows, places = _count(counting, piece)
        of_rows = numbers[start : start + len(piece[0])]
        first, last = int(of_rows[0]), int(of_rows[-1])
        if places is not None:
            skipped = [place is None for place in places]
            np.subtract.at(largest, of_rows[skipped], 1)
            of_rows = of_rows[np.logical_not(skipped)]
        sums = add_groups(rows.data, metric.fields, of_rows - first, last - first + 1)
        return np.arange(first, last + 1), sums

    parts = _in_pieces(texts, count)
    data = b"".join(sums for _, sums in parts)
    owners = np.concatenate([owners for owners, _ in parts])
    return add_groups(data, metric.fields, owners, length), largest


def _stored_scores(metric: Metric, columns: Columns) -> pl.Series:
    """Score structs of statistics, or of sums of them."""
    [stored] = columns
    if not isinstance(stored.dtype, pl.Struct):
        raise InputTypeError(
            f"column {stored.name!r} is of type {stored.dtype}; a struct of statistics is needed"
        )
    names = stored_columns(metric, [field.name for field in stored.dtype.fields])
    rows = stored.struct.unnest().select(names)
    # Those of no rows are null; sums of them are 0, without a key.
    there = rows.select(pl.any_horizontal(pl.col(KEY).is_not_null(), pl.all() != 0)).to_series()
    there = there.fill_null(value=False)
    *fields, keys = rows.filter(there)
    found = pl.Series(stored.name, column_scores(metric, fields, keys))
    return _where(there, found)


def _count(counting: Counting, texts: Sequence[pl.Series]) -> tuple[Stats, Places]:
    """Count hypotheses and columns of references."""
    return count_columns(counting, texts[0], texts[1:], [text.name for text in texts])


def _in_pieces(
    texts: Sequence[pl.Series], function: Callable[[int, list[pl.Series]], Part]
) -> list[Part]:
    """Apply a function to pieces of columns, on several threads if there are several pieces.

    The streaming engine passes small pieces, on threads of its own; otherwise, Polars passes whole
    columns to one. The function takes the number of the first row, and the piece.
    """
    length = len(texts[0])
    if length <= _PIECE or len({len(text) for text in texts}) > 1:
        # Columns of different lengths are refused where they are counted.
        return [function(0, list(texts))] if length else []

    starts = range(0, length, _PIECE)
    pieces = ([text.slice(start, _PIECE) for text in texts] for start in starts)
    with ThreadPoolExecutor(thread_count(None)) as threads:
        return list(threads.map(function, starts, pieces))


def _broadcast(columns: Columns) -> list[pl.Series]:
    """Read columns of text; one of a single value, such as a literal, stands for all rows."""
    texts = list(map(_as_text, columns))
    length = next((len(text) for text in texts if len(text) != 1), 1)
    return [text.new_from_index(0, length) if len(text) == 1 else text for text in texts]


def _as_text(series: pl.Series) -> pl.Series:
    """Turn arrays into lists, and categories into strings; anything else is left as it is."""
    dtype = series.dtype
    if isinstance(dtype, pl.Array):
        series = series.arr.to_list()
        dtype = series.dtype
    is_list = isinstance(dtype, pl.List)
    if isinstance(dtype.inner if is_list else dtype, pl.Categorical | pl.Enum):
        series = series.cast(pl.List(pl.String) if is_list else pl.String)
    chunks = series.n_chunks()
    return series.rechunk() if chunks > 1 and len(series) < chunks * _SMALL_CHUNK else series
