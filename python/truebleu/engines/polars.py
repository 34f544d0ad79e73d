"""BLEU in expressions of Polars: eager, lazy and streaming. Needs ``truebleu[polars]``.

Importing this module gives every expression a namespace ``bleu``, see :class:`BleuExpressions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truebleu._core import add_groups
from truebleu.engines import rows
from truebleu.errors import EmptyInputError, LengthMismatchError, SettingsError
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.threads import thread_count

try:
    import polars as pl
except ImportError as error:
    raise rows.missing("Polars", "polars") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

__all__ = ["BleuExpressions", "corpus_bleu"]

# Rows in one piece from which threads of our own pay.
_LARGE = 1 << 17


@pl.api.register_expr_namespace("bleu")
class BleuExpressions:
    """The namespace ``bleu`` of an expression that gives hypotheses.

    References are the names of columns, or expressions, of strings or of lists of strings. All
    methods take the settings of :class:`truebleu.Bleu`.

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
    >>> frame.group_by("lang").agg(pl.col("mt").bleu.corpus("ref").round(2)).sort("lang").rows()
    [('de', 83.76), ('fr', 100.0)]
    """

    def __init__(self, hypotheses: pl.Expr) -> None:
        """Keep the expression."""
        self._hypotheses = hypotheses

    def sentence(self, *references: str | pl.Expr, **settings: Unpack[BleuSettings]) -> pl.Expr:
        """Score every row by itself, as :func:`truebleu.sentence_bleu` does.

        Returns
        -------
        Expr of Float64
            From 0 to 100.
        """
        bleu = rows.for_sentences(settings)

        def score(texts: Sequence[pl.Series]) -> pl.Series:
            names = [series.name for series in texts]
            found = rows.sentence_scores(bleu, texts[0], texts[1:], names)
            return pl.Series(texts[0].name, found)

        return self._map(score, references, pl.Float64())

    def stats(self, *references: str | pl.Expr, **settings: Unpack[BleuSettings]) -> pl.Expr:
        """Count every row.

        Returns
        -------
        Expr of Struct of Int64
            ``hyp_len``, ``ref_len``, ``match_1``, ..., ``total_1``, ...: fields that add up; and
            ``key``, by which :meth:`truebleu.BleuStats.from_table` knows the settings they were
            counted under.
        """
        bleu = Bleu(**settings)
        names = rows.fields(bleu)
        key = pl.lit(rows.key(bleu), pl.Int64).alias(rows.KEY)

        def count(texts: Sequence[pl.Series]) -> pl.Series:
            table = dict(zip(names, _fields(bleu, texts), strict=True))
            frame = pl.DataFrame(table).with_columns(key)
            return frame.to_struct(texts[0].name)

        fields = dict.fromkeys((*names, rows.KEY), pl.Int64())
        return self._map(count, references, pl.Struct(fields))

    def corpus(self, *references: str | pl.Expr, **settings: Unpack[BleuSettings]) -> pl.Expr:
        """Score all rows, or all rows of a group, together.

        Returns
        -------
        Expr of Float64
            One value, from 0 to 100.
        """
        bleu = Bleu(**settings)
        rows.check_addable(bleu)

        def score(groups: Sequence[pl.Series]) -> pl.Series:
            return pl.Series(groups[0].name, rows.scores(bleu, _sums(bleu, groups)))

        # A list for each group, so that one call sees the rows of every group, and only these.
        texts = [text.implode() for text in self._texts(references)]
        return pl.map_batches(texts, score, return_dtype=pl.Float64(), is_elementwise=True)

    def _map(
        self,
        function: Callable[[Sequence[pl.Series]], pl.Series],
        references: Sequence[str | pl.Expr],
        dtype: pl.DataType,
    ) -> pl.Expr:
        return pl.map_batches(
            self._texts(references), function, return_dtype=dtype, is_elementwise=True
        )

    def _texts(self, references: Sequence[str | pl.Expr]) -> list[pl.Expr]:
        if not references:
            raise SettingsError("there are no references: name at least one column")
        others = [pl.col(each) if isinstance(each, str) else each for each in references]
        return [self._hypotheses, *others]


def corpus_bleu(
    frame: pl.DataFrame | pl.LazyFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore | pl.LazyFrame:
    """Score a frame, or its groups, in one pass and in memory that does not grow.

    Parameters
    ----------
    frame : DataFrame or LazyFrame
    hypothesis : str
        The column of the hypotheses.
    references : str or iterable of str
        The columns of the references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        The columns that tell groups apart.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    BleuScore, or LazyFrame if there are groups
        A row for each group: its columns, ``bleu``, ``segments``, the statistics, and ``key``,
        which stands for the settings they were counted under. What is not collected is not
        computed.

    Raises
    ------
    UnknownNameError
        If a column is not there.
    InputTypeError, EmptyInputError
        If a column holds something else, a hypothesis is null, a row has no reference, or there
        are no rows.

    Examples
    --------
    >>> import polars as pl
    >>> from truebleu.engines.polars import corpus_bleu
    >>> frame = pl.LazyFrame({"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]})
    >>> print(corpus_bleu(frame, "mt", "ref"))
    BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)
    """
    plan = rows.Plan(hypothesis, references, group_by, bleu=Bleu(**settings))
    lazy = frame.lazy()
    plan.check(lazy.collect_schema().names())
    counts = pl.map_batches(list(plan.texts), _Counter(plan), **_counted(plan))
    name = plan.unused("rows")
    counted = lazy.select(*plan.groups, counts.alias(name)).unnest(name)
    sums = [_sum(pl.col(name)) for name in plan.sums]
    if plan.groups:
        found = counted.group_by(plan.groups, maintain_order=True).agg(sums)
        names = (*plan.groups, rows.SCORE, rows.SEGMENTS, *plan.fields)
        key = pl.lit(plan.key, pl.Int64).alias(rows.KEY)
        return found.with_columns(_score(plan)).select(*names, key)
    ends = [pl.col(rows.FEWEST).min(), pl.col(rows.MOST).max()]
    table = counted.select(*sums, *ends).collect(engine="streaming")
    *row, fewest, most = table.row(0)
    return plan.bleu.score(plan.stats(row, fewest, most))


def _sum(counts: pl.Expr) -> pl.Expr:
    """Add counts up; a sum beyond int64 is null, where Polars' own wraps."""
    return counts.cast(pl.Int128).sum().cast(pl.Int64, strict=False)


def _scores(bleu: Bleu, sums: Sequence[pl.Series]) -> NDArray[np.float64]:
    """Score sums of fields."""
    if any(field.null_count() for field in sums):
        raise rows.overflow()
    return rows.given_scores(bleu, sums)


def _counted(plan: rows.Plan) -> dict[str, Any]:
    names = (*plan.sums, rows.FEWEST, rows.MOST)
    return {"return_dtype": pl.Struct(dict.fromkeys(names, pl.Int64())), "is_elementwise": True}


def _score(plan: rows.Plan) -> pl.Expr:
    def score(found: Sequence[pl.Series]) -> pl.Series:
        return pl.Series(rows.SCORE, _scores(plan.bleu, found))

    fields = [pl.col(name) for name in plan.fields]
    scored = pl.map_batches(fields, score, return_dtype=pl.Float64(), is_elementwise=True)
    return scored.alias(rows.SCORE)


class _Counter:
    """Counts a piece of a frame."""

    def __init__(self, plan: rows.Plan) -> None:
        """Keep the plan."""
        self._plan = plan

    def __call__(self, texts: Sequence[pl.Series]) -> pl.Series:
        """Return a struct for each row."""
        plan = self._plan
        size = len(texts[0])
        counted, fewest, most = b"", 0, 0
        if size:
            counted, fewest, most = _count(plan.bleu, texts)
        table = dict(zip(plan.fields, rows.by_field(plan.bleu, counted), strict=True))
        constants = {rows.SEGMENTS: 1, rows.FEWEST: fewest, rows.MOST: most}
        frame = pl.DataFrame(table).with_columns(
            pl.lit(value, pl.Int64).alias(name) for name, value in constants.items()
        )
        return frame.to_struct(texts[0].name)


def _count(bleu: Bleu, texts: Sequence[pl.Series]) -> tuple[bytes, int, int]:
    # Polars works on pieces side by side, unless it gives out the whole column at once.
    threads = 1 if len(texts[0]) < _LARGE else thread_count(None)
    names = [series.name for series in texts]
    return rows.count(bleu, texts[0], texts[1:], names, threads=threads)


def _fields(bleu: Bleu, texts: Sequence[pl.Series]) -> NDArray[np.int64]:
    return rows.by_field(bleu, _count(bleu, texts)[0] if len(texts[0]) else b"")


def _sums(bleu: Bleu, groups: Sequence[pl.Series]) -> bytes:
    """Count lists of texts, a list for each group, and add up the rows of each."""
    import numpy as np

    own, *others = (group.list.len() for group in groups)
    if not (own > 0).all():
        raise EmptyInputError("there are no rows to score, or a group has none")
    for series, sizes in zip(groups[1:], others, strict=True):
        if not sizes.equals(own):
            raise LengthMismatchError(
                f"columns {groups[0].name!r} and {series.name!r} differ in length"
            )
    if not len(own):
        return b""
    counted, _, _ = _count(bleu, [group.list.explode() for group in groups])
    numbers = np.repeat(np.arange(len(own)), own.to_numpy())
    return add_groups(counted, bleu.row_width, numbers, len(own))
