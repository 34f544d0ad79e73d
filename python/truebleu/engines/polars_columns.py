"""What expressions of Polars call: functions of whole columns, which can be pickled.

The streaming engine evaluates an expression as often as it occurs in a query, also if it is one of
Polars' own. The expression of a score is therefore one function of all texts: ten sums of fields of
one struct would count every text ten times.

They are functions in Python, not plugins, because an error of a plugin reaches the user as a
``ComputeError`` of Polars, whatever it was. Metrics of the core release the interpreter while they
read and count, so Polars' threads work side by side.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from truebleu._core import add_groups
from truebleu.engines.job import (
    by_field,
    column_scores,
    count_columns,
    missing,
    overflow,
    scores_of_rows,
    sentence_scores,
    stored_columns,
)
from truebleu.errors import EmptyInputError, InputTypeError, LengthMismatchError
from truebleu.metrics.storage import KEY, stored_key
from truebleu.metrics.threads import thread_count

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

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.engines.job import Job
    from truebleu.metrics.base import Metric

    Columns: TypeAlias = Iterable[pl.Series]
    Part = TypeVar("Part")

# Rows that one thread reads, checks and counts at a time.
_PIECE = 1 << 16
# Chunks with fewer rows on average are joined: reading a chunk takes as long as counting many rows.
_SMALL_CHUNK = 1 << 10


def map_columns(columns: Sequence[pl.Expr], function: ColumnFunction) -> pl.Expr:
    """Apply a function of whole columns that treats each row by itself."""
    return pl.map_batches(columns, function, return_dtype=function.dtype, is_elementwise=True)


class ColumnFunction:
    """A function of whole columns.

    It is a class, not a closure, so that pickle can send a query to other processes.

    Parameters
    ----------
    metric : Metric

    Attributes
    ----------
    dtype : DataType
        What the function returns a column of.
    """

    dtype: pl.DataType = pl.Float64()

    def __init__(self, metric: Metric) -> None:
        """Keep the metric."""
        self.metric = metric

    def __call__(self, columns: Columns) -> pl.Series:
        """Compute the column."""
        raise NotImplementedError


class RowCounts(ColumnFunction):
    """Counts rows into structs: the statistics and ``key``."""

    def __init__(self, metric: Metric) -> None:
        """Name the fields."""
        super().__init__(metric)
        self.dtype = pl.Struct(dict.fromkeys((*metric.fields, *self.constants(0, 0)), pl.Int64()))

    def constants(self, _fewest: int, _most: int) -> dict[str, int]:
        """Return what all rows have in common, given the fewest and the most references."""
        return {KEY: stored_key(self.metric.counting_key)}

    def __call__(self, columns: Columns) -> pl.Series:
        """Count hypotheses and columns of references."""
        texts = list(map(_as_text, columns))
        counted = _in_pieces(texts, lambda _, piece: _count(self.metric, piece))
        data = b"".join(data for data, _, _ in counted)
        # Without rows, no number of references is known; nor is there a row to say so.
        fewest = min((fewest for _, fewest, _ in counted), default=0)
        most = max((most for _, _, most in counted), default=0)
        found = dict(zip(self.metric.fields, by_field(self.metric, data), strict=True))
        constants = self.constants(fewest, most).items()
        frame = pl.DataFrame(found).with_columns(
            pl.lit(value, pl.Int64).alias(name) for name, value in constants
        )
        return frame.to_struct(texts[0].name)


class JobCounts(RowCounts):
    """Counts rows into structs: the statistics, and the other columns that a job adds up."""

    def __init__(self, job: Job) -> None:
        """Keep the names."""
        self.job = job
        super().__init__(job.metric)

    def constants(self, fewest: int, most: int) -> dict[str, int]:
        """Return the number of segments of a row, and the numbers of references."""
        return {self.job.segments: 1, self.job.fewest: fewest, self.job.most: most}


class SentenceScores(ColumnFunction):
    """Scores every row by itself."""

    def __call__(self, columns: Columns) -> pl.Series:
        """Score hypotheses and columns of references."""
        texts = list(map(_as_text, columns))

        def score(_: int, piece: list[pl.Series]) -> NDArray[np.float64]:
            names = [text.name for text in piece]
            return sentence_scores(self.metric, piece[0], piece[1:], names)

        return _joined(texts[0].name, _in_pieces(texts, score))


class GroupScores(ColumnFunction):
    """Scores lists of texts, one list per group."""

    def __call__(self, columns: Columns) -> pl.Series:
        """Score hypotheses and columns of references."""
        groups = list(columns)
        return pl.Series(
            groups[0].name, scores_of_rows(self.metric.for_corpora, self._sums(groups))
        )

    def _sums(self, groups: Sequence[pl.Series]) -> bytes:
        """Count the rows of all groups, and add up those of each."""
        import numpy as np

        hypotheses, *references = (group.list.len() for group in groups)
        if not (hypotheses > 0).all():
            raise EmptyInputError("there are no rows to score, or a group has none")
        for series, sizes in zip(groups[1:], references, strict=True):
            if not sizes.equals(hypotheses):
                raise LengthMismatchError(
                    f"columns {groups[0].name!r} and {series.name!r} differ in length"
                )
        if not len(hypotheses):
            return b""
        fields = self.metric.fields
        numbers = np.repeat(np.arange(len(hypotheses)), hypotheses.to_numpy())

        def count(start: int, piece: list[pl.Series]) -> tuple[NDArray[np.int64], bytes]:
            data, _, _ = _count(self.metric, piece)
            of_rows = numbers[start : start + len(piece[0])]
            first, last = int(of_rows[0]), int(of_rows[-1])
            sums = add_groups(data, fields, of_rows - first, last - first + 1)
            return np.arange(first, last + 1), sums

        texts = [_as_text(group.list.explode()) for group in groups]
        parts = _in_pieces(texts, count)
        data = b"".join(sums for _, sums in parts)
        return add_groups(
            data, fields, np.concatenate([owners for owners, _ in parts]), len(hypotheses)
        )


class StoredScores(ColumnFunction):
    """Scores structs of statistics, or of sums of them."""

    def __call__(self, columns: Columns) -> pl.Series:
        """Score one column."""
        [stored] = columns
        if not isinstance(stored.dtype, pl.Struct):
            raise InputTypeError(
                f"column {stored.name!r} is of type {stored.dtype}; a struct of statistics is "
                "needed"
            )
        names = stored_columns(self.metric, [field.name for field in stored.dtype.fields])
        *fields, keys = map(stored.struct.field, names)
        return pl.Series(stored.name, column_scores(self.metric, fields, keys))


class SumScores(ColumnFunction):
    """Scores sums of statistics, one column per field; a sum that did not fit is null."""

    def __call__(self, columns: Columns) -> pl.Series:
        """Score the columns of the metric's fields."""
        sums = list(columns)
        if any(field.null_count() for field in sums):
            raise overflow()
        return pl.Series(self.metric.identifier, column_scores(self.metric, sums))


def _count(metric: Metric, texts: Sequence[pl.Series]) -> tuple[bytes, int, int]:
    """Count hypotheses and columns of references."""
    return count_columns(metric, texts[0], texts[1:], [text.name for text in texts])


def _in_pieces(
    texts: Sequence[pl.Series], function: Callable[[int, list[pl.Series]], Part]
) -> list[Part]:
    """Apply a function to pieces of columns, on several threads if there are several pieces.

    The streaming engine passes small pieces, on several threads of its own. Otherwise, Polars
    passes the whole column to one thread.

    Parameters
    ----------
    texts : sequence of Series
        Of equal length.
    function : function
        Takes the number of the first row, and the columns of the piece.

    Returns
    -------
    list
        What it returned for each piece, in order; empty if there are no rows.
    """
    length = len(texts[0])
    if length <= _PIECE or len({len(text) for text in texts}) > 1:
        # Columns of different lengths are refused where they are counted.
        return [function(0, list(texts))] if length else []

    def of_piece(start: int) -> Part:
        return function(start, [text.slice(start, _PIECE) for text in texts])

    with ThreadPoolExecutor(thread_count(None)) as threads:
        return list(threads.map(of_piece, range(0, length, _PIECE)))


def _joined(name: str, parts: Sequence[NDArray[np.float64]]) -> pl.Series:
    import numpy as np

    return pl.Series(name, np.concatenate(parts) if parts else [], pl.Float64)


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
