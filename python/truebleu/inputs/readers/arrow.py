"""Parquet, and files and streams of Arrow, whose columns have types."""

from __future__ import annotations

from contextlib import contextmanager

from truebleu.errors import (
    InputError,
    InputTypeError,
    MissingExtraError,
    SettingsError,
    TruebleuError,
)
from truebleu.inputs.arrow import read
from truebleu.inputs.readers.base import Reader, check_known, likely_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu._core import Column

# So few that a batch of long texts is not large.
_ROWS = 1 << 13

# How much is read at a time, so that a column of a large group of rows is not read as a whole.
_BUFFER = 1 << 20


class ArrowFile(Reader):
    """Columns of text, also inside structs: ``a.b`` is the field b of a struct a.

    Labels are arrays of PyArrow, of any type.
    """

    def _open(self) -> None:
        try:
            import pyarrow as pa
        except ImportError as error:
            raise MissingExtraError(
                f"{self.name}: to read it, pip install 'truebleu[arrow]'"
            ) from error
        self._pa = pa
        # Other libraries would take some paths for addresses.
        self._source = pa.OSFile(str(self.file.path))
        self._rows = 0
        with refusing(self.name):
            self._opened = open_source(self._source)
            self._schema = schema_of(self._opened)
        self.columns = [name for name, kind in self._fields(self._schema) if self._is_text(kind)]

    def _fields(self, fields: Any, before: str = "") -> Iterator[tuple[str, Any]]:
        for field in fields:
            yield before + field.name, field.type
            if self._pa.types.is_struct(field.type):
                yield from self._fields(field.type, f"{before}{field.name}.")

    def _is_text(self, kind: Any) -> bool:
        types = self._pa.types
        if types.is_list(kind) or types.is_large_list(kind) or types.is_dictionary(kind):
            kind = kind.value_type
        return bool(
            types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
        )

    def likely(self, role: str) -> Sequence[str]:
        """See :meth:`Reader.likely`."""
        return likely_of(role, {name: [""] for name in self.columns})

    def _batches(
        self, names: Sequence[str], labels: Sequence[str], *, nulls: bool, lists: bool, waits: bool
    ) -> Iterator[tuple[Any, ...]]:
        from pyarrow import compute

        paths = [self._path(name) for name in (*names, *labels)]
        rows = 0
        with refusing(self.name):
            # Of Parquet, only what has these names is read.
            for batch in record_batches(self._opened, [*names, *labels]):
                columns = [batch.column(first) for first, *_ in paths]
                arrays = [
                    compute.struct_field(column, inside) if inside else column
                    for column, (_, *inside) in zip(columns, paths, strict=True)
                ]
                texts = [
                    self._text(array, name, rows, nulls=nulls, lists=lists)
                    for array, name in zip(arrays, names, strict=False)
                ]
                yield *texts, *arrays[len(names) :]
                rows += batch.num_rows

    def _path(self, name: str) -> list[str]:
        """Return the names that lead to a column."""
        known = [path for path, _ in self._fields(self._schema)]
        check_known(self.name, name, known)
        if known.count(name) > 1:
            raise SettingsError(
                f"{self.name} has {known.count(name)} columns called {name!r}: give them "
                "different names"
            )
        for column in self._schema.names:
            if name == column:
                return [name]
        column = max((c for c in self._schema.names if name.startswith(f"{c}.")), key=len)
        return [column, *name.removeprefix(f"{column}.").split(".")]

    def _text(self, array: Any, name: str, rows: int, *, nulls: bool, lists: bool) -> Column:
        column = read(array, f"{self.name}: {name!r}", rows)
        if column.has_lists and not lists:
            raise InputTypeError(
                f"{self.name}: {name!r} is a column of lists; a column of strings is needed"
            )
        if not nulls and (null := column.first_null) is not None:
            raise InputError(
                f"{self.name}, row {rows + null + 1:,}: {name!r} is null; a string is needed"
            )
        return column

    def __exit__(self, *exception: object) -> None:
        self._source.close()


def open_source(source: Any) -> Any:
    """Open Parquet, or a file or a stream of Arrow."""
    from pyarrow import ipc

    magic = source.read(6)
    source.seek(0)
    if not magic.startswith(b"PAR1"):
        return (ipc.open_file if magic == b"ARROW1" else ipc.open_stream)(source)
    from pyarrow.parquet import ParquetFile

    return ParquetFile(source, pre_buffer=False, buffer_size=_BUFFER)


def schema_of(opened: Any) -> Any:
    """Return the columns of what is open, and their types."""
    return getattr(opened, "schema_arrow", None) or opened.schema


def record_batches(opened: Any, names: Sequence[str], rows: int = _ROWS) -> Iterator[Any]:
    """Yield batches, which of Parquet have the columns of some names only, and so many rows."""
    if hasattr(opened, "iter_batches"):
        # Arrow reads lists of dictionaries from one row group at a time only.
        for number in range(opened.num_row_groups):
            # Without threads of Arrow: a process that ends while they run may be aborted.
            yield from opened.iter_batches(rows, [number], [*names], use_threads=False)
    elif hasattr(opened, "num_record_batches"):
        yield from map(opened.get_batch, range(opened.num_record_batches))
    else:
        yield from opened


def first_line(error: Exception) -> str:
    """Return the first line of a message, which says the most."""
    return str(error).partition("\n")[0]


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Raise errors of Arrow about a file as those of this package."""
    import pyarrow as pa

    try:
        yield
    except TruebleuError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        if isinstance(error, MemoryError) or "Cannot allocate memory" in str(error):
            raise MemoryError(f"{name}: {first_line(error)}") from None
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError(f"{name}: no valid table ({first_line(error)})") from error
