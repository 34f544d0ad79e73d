"""Columns of other libraries in Arrow's memory layout, checked and read without a copy."""

from __future__ import annotations

from truebleu._core import Column, InvalidUtf8Error
from truebleu.display import formatting
from truebleu.errors import (
    EmptyInputError,
    EncodingError,
    InputError,
    InputTypeError,
    LengthMismatchError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def is_column(items: Any) -> bool:
    """Tell whether this is a column, or a piece of one, that the core can read in place."""
    if isinstance(items, Column):
        return True
    if not (hasattr(items, "__arrow_c_stream__") or hasattr(items, "__arrow_c_array__")):
        return False
    dtype = getattr(items, "dtype", None)
    if hasattr(items, "tolist") and dtype is not None:
        return hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", "") == "pyarrow"
    return not hasattr(items, "columns")


def read(items: Any, name: str, before: int = 0) -> Column:
    """Open a column of text, or of lists of texts, if it is valid; messages call it `name`.

    It may be a piece of a column, `before` which are so many rows.
    """
    if isinstance(items, Column):
        return items
    try:
        column = Column(items)
        column.check()
    except TypeError as error:
        raise InputTypeError(
            f"{name} is a column of {error}; a column of strings is needed"
        ) from None
    except InvalidUtf8Error as error:
        row, byte = error.args
        raise EncodingError(f"{name}[{before + row - 1}]: byte {byte} is not UTF-8") from None
    except ValueError as error:
        raise InputError(f"{name} is {error}") from None
    return column


def corpus(
    hypotheses: Any, references: Any, streams: Any = None
) -> tuple[Column, list[Column]] | None:
    """Open the hypotheses and references, or streams, of a corpus if all are Arrow columns."""
    if isinstance(hypotheses, list) or not is_column(hypotheses):
        return None
    named: Sequence[tuple[str, Any]] = [("references", references)]
    if references is None and isinstance(streams, list | tuple) and streams:
        named = [(f"reference_streams[{index}]", stream) for index, stream in enumerate(streams)]
    elif streams is not None:
        return None
    if not all(is_column(items) for _, items in named):
        return None
    outputs = read(hypotheses, "hypotheses")
    if not len(outputs):
        raise EmptyInputError("hypotheses is empty: there is no segment to score")
    if outputs.has_lists:
        raise InputTypeError(
            "hypotheses is a column of lists; a column of strings is needed (for input that is "
            "already tokens, set tokenizer='pretokenized')"
        )
    null = outputs.first_null
    if null is not None:
        raise InputTypeError(
            f"hypotheses[{null}] is null; a str is needed (for an empty output, '')"
        )
    columns = [read(items, name) for name, items in named]
    for (name, _), column in zip(named, columns, strict=True):
        if len(column) != len(outputs):
            segments = formatting.count(len(outputs), "segment")
            raise LengthMismatchError(f"hypotheses has {segments} but {name} has {len(column):,}")
    return outputs, columns


def as_list(items: Any, name: str) -> list[Any]:
    """Convert a column to a list of Python objects."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(items, method):
            try:
                return list(getattr(items, method)())
            except (ValueError, OverflowError, SystemError) as error:
                raise InputError(f"{name} is a column that cannot be read: {error}") from error
    return read(items, name).texts()


def first_missing(columns: Sequence[Column]) -> int:
    """Return the first row that has no reference in any column."""
    rows = zip(*(column.texts() for column in columns), strict=True)
    cells = ([[each] if isinstance(each, str) else each or [] for each in row] for row in rows)
    missing = (all(text is None for cell in row for text in cell) for row in cells)
    return next(index for index, each in enumerate(missing) if each)
