"""BLEU of Arrow tables and streams of batches. Needs ``truebleu[arrow]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.errors import EmptyInputError, InputTypeError
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.threads import thread_count

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError as error:
    raise rows.missing("pyarrow", "arrow") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

__all__ = ["corpus_bleu", "partial_sums", "score_sums", "sentence_bleu"]

# Rows that are counted at a time, and sums that are kept before equal groups are joined.
_PIECE = 1 << 16
_SUMS = 1 << 16

# Functions that join the sums of groups.
_JOINS = {rows.FEWEST: "min", rows.MOST: "max"}

_LARGEST = 2**63 - 1


def corpus_bleu(
    data: Any,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore | pa.Table:
    """Score a table, or a stream of batches, in memory that does not grow with it.

    Parameters
    ----------
    data : Table, RecordBatch, RecordBatchReader, or anything with ``__arrow_c_stream__``
        Such as a data set's scanner, or a relation of DuckDB.
    hypothesis : str
        The column of the hypotheses.
    references : str or iterable of str
        The columns of the references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        The columns that tell groups apart.
    threads : int, optional
        All processors by default.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    BleuScore, or Table if there are groups
        A row for each group, in the order of their columns: these, ``bleu``, ``segments``, the
        statistics, and ``key``, which stands for the settings they were counted under.

    Raises
    ------
    UnknownNameError
        If a column is not there.
    InputTypeError
        If a column holds something else than text, or a hypothesis is null.
    EmptyInputError
        If there are no rows, or a row has no reference.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from truebleu.engines.arrow import corpus_bleu
    >>> table = pa.table({"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]})
    >>> print(corpus_bleu(table, "mt", "ref"))
    BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)
    """
    plan = rows.Plan(hypothesis, references, group_by, bleu=Bleu(**settings))
    reader = _reader(data)
    plan.check(reader.schema.names)
    sums = partial_sums(reader, plan, thread_count(threads))
    if plan.groups:
        if not len(sums):
            raise EmptyInputError("there are no rows to score, and so no groups")
        return score_sums(sums, plan).sort_by([(name, "ascending") for name in plan.groups])
    return score_total(sums, plan)


def sentence_bleu(
    data: Any,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> pa.ChunkedArray:
    """Score every row by itself, as :func:`truebleu.sentence_bleu` does.

    Parameters and errors are those of :func:`corpus_bleu`.

    Returns
    -------
    ChunkedArray of double
        From 0 to 100.
    """
    plan = rows.Plan(hypothesis, references, bleu=rows.for_sentences(settings))
    reader = _reader(data)
    plan.check(reader.schema.names, corpus=False)
    chunks = [
        pa.array(
            rows.sentence_scores(
                plan.bleu, *_texts(batch, plan), plan.texts, threads=thread_count(threads)
            )
        )
        for batch in _pieces(reader)
    ]
    return pa.chunked_array(chunks, pa.float64())


def partial_sums(
    batches: Iterable[pa.RecordBatch],
    plan: rows.Plan,
    threads: int = 1,
    schema: pa.Schema | None = None,
) -> pa.Table:
    """Count batches, and add up the rows of each group.

    Parameters
    ----------
    batches : iterable of RecordBatch
    plan : Plan
    threads : int
    schema : Schema, optional
        That of the batches. Without it, and without rows, the columns of groups are missing.

    Returns
    -------
    Table
        For each group, in no particular order, its columns, the sums of the statistics, the
        number of segments, the fewest and the most references that one has, and ``key``, which
        stands for the settings. Without groups one row, or none if there were no rows.
    """
    parts: list[pa.Table] = []
    waiting = 0
    for batch in _pieces(batches):
        part = _count(batch, plan, threads)
        parts.append(part)
        waiting += len(part)
        if waiting > _SUMS:
            parts = [_join(parts, plan)]
            # Groups that all differ are joined when they have doubled, not each time.
            waiting = -len(parts[0])
    return _join(parts, plan) if parts else _empty(plan, schema)


def _empty(plan: rows.Plan, schema: pa.Schema | None) -> pa.Table:
    """Return the sums of no rows."""
    table = {}
    if schema is not None:
        table = {name: _key(pa.array([], schema.field(name).type), name) for name in plan.groups}
    names = (*plan.sums, *_JOINS, rows.KEY)
    return pa.table(table | {name: pa.array([], pa.int64()) for name in names})


def score_sums(sums: pa.Table, plan: rows.Plan) -> pa.Table:
    """Score the sums of groups.

    Returns
    -------
    Table
        The columns of the groups, ``bleu``, ``segments``, the statistics, and ``key``.

    Raises
    ------
    StatsMismatchError
        If they were counted under other settings.
    InputError
        If a row cannot be the counts of a text.
    """
    fields = [sums[name] for name in plan.fields]
    keys = [sums[name] for name in (rows.KEY, plan.last_key) if name in sums.schema.names]
    found = rows.given_scores(plan.bleu, fields, *keys)
    scored = sums.append_column(rows.SCORE, pa.array(found))
    return scored.select([*plan.groups, rows.SCORE, rows.SEGMENTS, *plan.fields, rows.KEY])


def score_total(sums: pa.Table, plan: rows.Plan) -> BleuScore:
    """Score the sum of all rows.

    Raises
    ------
    EmptyInputError
        If there are none.
    StatsMismatchError
        If some were counted under other settings.
    """
    if not len(sums):
        raise EmptyInputError("there are no rows to score")
    rows.check_keys(plan.bleu, sums[rows.KEY])
    [row] = sums.to_pylist()
    return plan.bleu.score(
        plan.stats([row[name] for name in plan.sums], row[rows.FEWEST], row[rows.MOST])
    )


def _reader(data: Any) -> pa.RecordBatchReader:
    if hasattr(data, "to_reader") and not hasattr(data, "__arrow_c_stream__"):
        data = data.to_reader()  # A scanner of a data set.
    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    if not hasattr(data, "__arrow_c_stream__"):
        raise InputTypeError(f"a table or a stream of Arrow is needed, not {type(data).__name__}")
    return pa.RecordBatchReader.from_stream(data)


def _pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for start in range(0, len(batch), _PIECE):
            yield batch.slice(start, _PIECE)


def _texts(batch: pa.RecordBatch, plan: rows.Plan) -> tuple[pa.Array, list[pa.Array]]:
    own, *others = (batch.column(name) for name in plan.texts)
    return own, others


def _count(batch: pa.RecordBatch, plan: rows.Plan, threads: int) -> pa.Table:
    each = bool(plan.groups)
    counted, fewest, most = rows.count(
        plan.bleu, *_texts(batch, plan), plan.texts, each=each, threads=threads
    )
    size = len(batch) if each else 1
    table = {name: _key(batch.column(name), name) for name in plan.groups}
    fields = rows.by_field(plan.bleu, counted)
    table |= {name: pa.array(field) for name, field in zip(plan.fields, fields, strict=True)}
    table[rows.SEGMENTS] = _constant(len(batch) // size, size)
    table[rows.FEWEST] = _constant(fewest, size)
    table[rows.MOST] = _constant(most, size)
    table[rows.KEY] = _constant(plan.key, size)
    return _join([pa.table(table)], plan)


def _key(column: pa.Array, name: str) -> pa.Array:
    """Return a column that groups can be told apart by."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        # The dictionaries of two batches may differ.
        return column.cast(kind.value_type)
    if pa.types.is_nested(kind):
        raise InputTypeError(f"column {name!r} is a column of {kind}: groups need plain values")
    return column


def _constant(value: int, size: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, pa.int64()), size)


def _join(parts: Sequence[pa.Table], plan: rows.Plan) -> pa.Table:
    """Add up the rows of equal groups."""
    table = pa.concat_tables(parts)
    _check_sums(table, plan)
    names = (*plan.sums, *_JOINS)
    joins = [(name, _JOINS.get(name, "sum")) for name in names]
    # Statistics of different keys do not add up.
    joined = table.group_by([*plan.groups, rows.KEY]).aggregate(joins)
    # Names as they were, and in their order.
    columns = [joined[name] for name in plan.groups]
    columns += [joined[f"{name}_{how}"] for name, how in joins]
    return pa.table([*columns, joined[rows.KEY]], [*plan.groups, *names, rows.KEY])


def _check_sums(table: pa.Table, plan: rows.Plan) -> None:
    """Refuse sums that may leave int64, where Arrow would wrap."""
    for name in plan.sums:
        most = pc.max(table[name]).as_py()
        if most is not None and most > _LARGEST // len(table):
            raise rows.overflow()
