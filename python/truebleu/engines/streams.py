"""Whatever speaks Arrow, opened as a stream of batches: the registry KINDS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from truebleu.engines.files import Wanted, is_paths, open_files, reader_of
from truebleu.engines.job import as_names, missing
from truebleu.errors import InputError, InputTypeError

try:
    import pyarrow as pa
except ImportError as error:
    raise missing("pyarrow", "arrow") from error

# Rows of a piece: at most, and at least unless the stream ends. Smaller batches are joined, since
# each piece costs as much as hundreds of rows.
_MOST = 1 << 16
_FEWEST = 1 << 14

# No more bytes than this are joined. They are estimated from one batch of sixteen: to ask each for
# its bytes would cost more than to count a small one.
_MANY_BYTES = 1 << 24
_SAMPLED = 16


class Kind(NamedTuple):
    """How data of a library is recognised, what its columns are called, and how some are read."""

    is_it: Callable[[Any], bool]
    names: Callable[[Any], Iterable[str]]
    read: Callable[[Any, list[str]], pa.RecordBatchReader]


def open_reader(
    data: Any, texts: Sequence[str] = (), labels: Sequence[str] = ()
) -> pa.RecordBatchReader:
    """Open files, or whatever exports a stream of Arrow; only the named columns are read, if any.

    In files of text, `texts` must be strings, and `labels` may be anything.
    """
    names = [*as_names(texts, "texts"), *as_names(labels, "labels")]
    if is_paths(data):
        return open_files(data, Wanted(texts, labels))
    kind = next(each for each in KINDS if each.is_it(data))
    known = list(kind.names(data))
    # If a column is missing, or there are two, a message will list all that there are.
    chosen = list(dict.fromkeys(names))
    chosen = chosen if all(known.count(name) == 1 for name in chosen) else []
    return kind.read(data, chosen)


def _lazy_frame(frame: Any, names: list[str]) -> pa.RecordBatchReader:
    chosen = frame.select(names) if names else frame
    schema = chosen.collect_schema().to_frame().to_arrow().schema
    tables = (part.to_arrow().cast(schema) for part in chosen.collect_batches())
    batches = (batch for table in tables for batch in table.to_batches())
    return reader_of(schema, batches)


def _hugging_face(data: Any, names: list[str]) -> pa.RecordBatchReader:
    """Read a data set in its own order, which need not be that of its table."""
    chosen = data.select_columns(names) if names else data
    tables = chosen.with_format("arrow").iter(_MOST)
    first = next(tables, None)
    if first is None:
        return reader_of(pa.schema([(name, pa.null()) for name in data.column_names or names]))
    batches = (batch for table in chain([first], tables) for batch in table.to_batches())
    return reader_of(first.schema, batches)


def _pandas(frame: Any, names: list[str]) -> pa.RecordBatchReader:
    return _table_reader(_table_of(frame[names] if names else frame), [])


def _data_set(data: Any, names: list[str]) -> pa.RecordBatchReader:
    return data.scanner(columns=names or None).to_reader()


def _stream(data: Any, _: list[str]) -> pa.RecordBatchReader:
    if not hasattr(data, "__arrow_c_stream__"):
        raise InputTypeError(
            "a table, a data set, a stream of Arrow or the name of a file is needed, not "
            f"{type(data).__name__}"
        )
    try:
        return pa.RecordBatchReader.from_stream(data)
    except ValueError as error:
        raise InputError(f"data is no stream of Arrow that can be read: {error}") from error


def _table_of(frame: Any) -> pa.Table:
    """Convert a frame of pandas, whose own streams have the index as well."""
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (TypeError, ValueError) as error:
        why = "; ".join(map(str, error.args))
        raise InputTypeError(f"the frame cannot be read as columns of Arrow: {why}") from None
    for field in table.schema:
        # As groups, they would be numbers.
        if getattr(field.type, "extension_name", "") == "pandas.period":
            raise InputTypeError(
                f"column {field.name!r} has periods, which Arrow does not have: convert it to text "
                "with .astype(str)"
            )
    return table


def _table_reader(table: pa.Table, names: list[str]) -> pa.RecordBatchReader:
    """Read a table in batches; those of one in many chunks are joined in Arrow."""
    # Arrow's own streams would import every batch anew, which takes as long as scoring some rows.
    table = table.select(names) if names else table
    chunks = max((column.num_chunks for column in table.columns), default=0)
    if chunks * _FEWEST <= len(table):
        return table.to_reader()
    slices = (table.slice(start, _MOST) for start in range(0, len(table), _MOST))
    joined = (batch for part in slices for batch in _combined(part))
    return reader_of(table.schema, joined)


def _combined(table: pa.Table) -> list[pa.RecordBatch]:
    # Chunks may have dictionaries of their own.
    batches: list[pa.RecordBatch] = table.unify_dictionaries().combine_chunks().to_batches()
    return batches


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda data: all(hasattr(data, name) for name in names)


def _is(kind: Any) -> Callable[[Any], bool]:
    return lambda data: isinstance(data, kind)


def _of_schema(data: Any) -> Iterable[str]:
    names: list[str] = data.schema.names
    return names


KINDS = (
    Kind(_is(pa.Table), _of_schema, _table_reader),
    Kind(
        _is(pa.RecordBatch),
        _of_schema,
        lambda data, names: _table_reader(pa.Table.from_batches([data]), names),
    ),
    Kind(_is(pa.RecordBatchReader), _of_schema, lambda data, _: data),
    # A lazy frame of Polars, and another; a data set of Hugging Face; a frame of pandas.
    Kind(_has("collect_batches"), lambda data: data.collect_schema().names(), _lazy_frame),
    Kind(
        _has("lazy", "get_columns"),
        lambda data: data.columns,
        lambda data, names: _stream(data.select(names) if names else data, names),
    ),
    Kind(_has("with_format", "iter"), lambda data: data.column_names or (), _hugging_face),
    Kind(_has("iloc", "columns"), lambda data: data.columns, _pandas),
    # A data set of pyarrow, and a scanner of one.
    Kind(_has("scanner", "schema"), _of_schema, _data_set),
    Kind(_has("to_reader", "projected_schema"), lambda _: (), lambda data, _: data.to_reader()),
    # All that is left, such as relations of DuckDB.
    Kind(lambda _: True, lambda _: (), _stream),
)
"""What is read, in the order in which it is tried."""


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
