"""Streams of record batches: from any table, in pieces of a useful size; keys of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truebleu.engines.job import missing
from truebleu.errors import InputTypeError

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError as error:
    raise missing("pyarrow", "arrow") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

# Rows of a piece: at most, and at least unless the stream ends. Smaller batches are joined, since
# each piece costs as much as hundreds of rows.
_MOST = 1 << 16
_FEWEST = 1 << 14

# No more bytes than this are joined. They are estimated from one batch of sixteen: to ask each for
# its bytes would cost more than to count a small one.
_MANY_BYTES = 1 << 24
_SAMPLED = 16

# Of the decimals that Arrow can group.
_DIGITS = 38


def open_reader(data: Any, names: Sequence[str] | None = None) -> pa.RecordBatchReader:
    """Open a table, a stream, or a data set, of which only the columns `names` are read.

    Raises
    ------
    InputTypeError
        If it is something else.
    """
    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    # If a column is missing, a message will list all that there are.
    schema = getattr(data, "schema", None)
    # So it does if several columns have the same name.
    there = isinstance(schema, pa.Schema) and all(schema.names.count(n) == 1 for n in names or ())
    known = list(dict.fromkeys(names or ())) if there else None
    if hasattr(data, "scanner"):
        data = data.scanner(columns=known or None)
    # Arrow's own streams would import every batch anew, which takes as long as scoring some rows.
    if isinstance(data, pa.Table):
        return _table_reader(data.select(known) if known else data)
    if hasattr(data, "to_reader"):  # The scanner of a data set.
        data = data.to_reader()
    if isinstance(data, pa.RecordBatchReader):
        return data
    if not hasattr(data, "__arrow_c_stream__"):
        raise InputTypeError(
            f"a table, a data set or a stream of Arrow is needed, not {type(data).__name__}"
        )
    return pa.RecordBatchReader.from_stream(data)


def _table_reader(table: pa.Table) -> pa.RecordBatchReader:
    """Read a table in batches; those of one in many chunks are joined in Arrow."""
    chunks = max((column.num_chunks for column in table.columns), default=0)
    if chunks * _FEWEST <= len(table):
        return table.to_reader()
    slices = (table.slice(start, _MOST) for start in range(0, len(table), _MOST))
    joined = (batch for part in slices for batch in _combined(part))
    return pa.RecordBatchReader.from_batches(table.schema, joined)


def _combined(table: pa.Table) -> list[pa.RecordBatch]:
    # Chunks may have dictionaries of their own.
    batches: list[pa.RecordBatch] = table.unify_dictionaries().combine_chunks().to_batches()
    return batches


def pieces(batches: Iterable[pa.RecordBatch], names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the columns `names` of all rows, cutting large batches and joining small ones."""
    chosen = list(dict.fromkeys(names))
    waiting: list[pa.RecordBatch] = []
    size = estimated_bytes = 0
    for batch in batches:
        if len(waiting) % _SAMPLED == 0:
            estimated_bytes += _SAMPLED * batch.nbytes
        waiting.append(batch)
        size += batch.num_rows
        if size >= _FEWEST or estimated_bytes >= _MANY_BYTES:
            yield from _joined(waiting, chosen)
            waiting, size, estimated_bytes = [], 0, 0
    if size:
        yield from _joined(waiting, chosen)


def _joined(batches: list[pa.RecordBatch], names: list[str]) -> Iterator[pa.RecordBatch]:
    table = pa.Table.from_batches(batches).select(names)
    for batch in _combined(table) if len(batches) > 1 else table.to_batches():
        for start in range(0, len(batch), _MOST):
            yield batch.slice(start, _MOST)


def group_key(column: pa.Array, name: str) -> pa.Array:
    """Return a column to group by and to sort, in which equal values are alike to the bit.

    Raises
    ------
    InputTypeError
        If it is a column of lists, structs or the like.
    """
    kind, types = column.type, pa.types
    if isinstance(column, pa.ExtensionArray):
        return group_key(column.storage, name)
    if types.is_dictionary(kind):
        # The dictionaries of two batches may differ.
        return group_key(column.dictionary, name).take(column.indices)
    if types.is_run_end_encoded(kind):
        return group_key(pc.run_end_decode(column), name)
    if types.is_nested(kind) or types.is_interval(kind):
        raise InputTypeError(f"column {name!r} is a column of {kind}: groups need plain values")
    # Arrow does not group or sort these, but all their values are among those of another type.
    if types.is_float16(kind):
        column = column.cast(pa.float32())
    elif types.is_decimal(kind) and kind.bit_width < 128:
        column = column.cast(pa.decimal128(_DIGITS, kind.scale))
    elif kind == pa.string_view():
        column = column.cast(pa.large_string())
    elif kind == pa.binary_view():
        column = column.cast(pa.large_binary())
    return _one_zero_and_nan(column) if types.is_floating(column.type) else column


def _one_zero_and_nan(column: pa.Array) -> pa.Array:
    """Replace -0.0 by 0.0 and every NaN by the same one: Arrow groups floats by their bits."""
    zero, nan = (pa.scalar(value, column.type) for value in (0.0, float("nan")))
    column = pc.if_else(pc.equal(column, zero), zero, column)
    return pc.if_else(pc.is_nan(column), nan, column)
