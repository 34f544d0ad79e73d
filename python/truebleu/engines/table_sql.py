"""What is written as SQL about columns of files: texts, and whole numbers."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from truebleu.engines.duckdb import quoted
from truebleu.errors import InputError, InputTypeError, UnknownNameError
from truebleu.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Text, or a list of texts of varying or fixed length.
_TEXT = re.compile(r"(?P<text>VARCHAR|ENUM\(.*\))(?P<list>\[\d*\])?", re.DOTALL)

_SIGNED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_WHOLE_NUMBERS = (*_SIGNED, *(f"U{name}" for name in _SIGNED))

# What DuckDB would pass on as values of Python that differ from it: infinite ones as the last day,
# nanoseconds cut off, and zones only with another library. These are read from text instead.
_FROM_TEXT: dict[str, Callable[[str], object] | None] = {
    "DATE": date.fromisoformat,
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP WITH TIME ZONE"),
        datetime.fromisoformat,
    ),
    # Python has no type for these.
    **dict.fromkeys(("TIMESTAMP_NS", "TIMESTAMPTZ_NS", "TIME_NS")),
}

# Two intervals of DuckDB may be equal and still differ, such as a month and 30 days.
_NO_KEY = re.compile(r"(STRUCT|MAP|UNION|TUPLE|VARIANT|INTERVAL)\b.*|.*\[\d*\]", re.DOTALL)


class GroupKey(NamedTuple):
    """How a column to group by is read.

    Attributes
    ----------
    sql : str
        What is selected.
    parse : callable, optional
        Makes the value of Python that is exactly equal; ValueError if there is none.
    """

    sql: str
    parse: Callable[[str], object] | None = None

    def value(self, cell: object) -> object:
        """Return the value of a group: different for different groups."""
        if self.parse is None or not isinstance(cell, str):
            return cell
        try:
            return self.parse(cell)
        except ValueError:
            return cell


def group_key(name: str, kind: str) -> GroupKey:
    """Read a column to group by.

    Raises
    ------
    InputTypeError
        If it is a column of lists, structs or the like.
    """
    if _NO_KEY.fullmatch(kind):
        raise InputTypeError(f"column {name!r} is a column of {kind}: groups need plain values")
    if kind in _FROM_TEXT:
        return GroupKey(f"{quoted(name)}::VARCHAR", _FROM_TEXT[kind])
    return GroupKey(quoted(name))


def is_list(kind: str) -> bool:
    """Whether a type is that of lists of texts."""
    found = _TEXT.fullmatch(kind)
    return found is not None and found["list"] is not None


def check_known(name: str, known: Iterable[str]) -> None:
    """Refuse a column that is missing; raises UnknownNameError."""
    if name not in known:
        known = list(known)
        raise UnknownNameError(
            f"there is no column {name!r}; the columns are {', '.join(known)}"
            f"{did_you_mean(name, known)}"
        )


def text(name: str, types: Mapping[str, str], *, lists: bool) -> str:
    """Write a column of text, or of lists of texts where `lists` allows them.

    Raises
    ------
    UnknownNameError
        If there is no such column.
    InputTypeError
        If it holds something else.
    """
    check_known(name, types)
    kind = types[name]
    if not _TEXT.fullmatch(kind) or (is_list(kind) and not lists):
        raise InputTypeError(f"column {name!r} is of type {kind}; a column of strings is needed")
    if kind in ("VARCHAR", "VARCHAR[]"):
        return quoted(name)
    # One type for all, so that columns can be joined.
    return f"{quoted(name)}::VARCHAR{'[]' if is_list(kind) else ''}"


def references(names: Sequence[str], types: Mapping[str, str]) -> tuple[str, str]:
    """Write the references of a row, and their number; errors are those of :func:`text`."""
    columns = [text(name, types, lists=True) for name in names]
    lists = [is_list(types[name]) for name in names]
    if not any(lists) and len(names) == 1:
        return columns[0], "1"
    parts = [name if is_list else f"[{name}]" for name, is_list in zip(columns, lists, strict=True)]
    joined = parts[0] if len(parts) == 1 else f"list_concat({', '.join(parts)})"
    return joined, f"list_count({joined})"


def whole_number(name: str, kind: str) -> str:
    """Write a column as whole numbers; what is none is null.

    Raises
    ------
    InputError
        If it is of another type.
    """
    if kind == "VARCHAR":  # As everything is in CSV; a plain cast would round fractions.
        cell = quoted(name)
        return f"CASE WHEN regexp_full_match({cell}, '-?[0-9]+') THEN {cell}::BIGINT END"
    if kind not in _WHOLE_NUMBERS:
        # A sum of DuckDB is a HUGEINT, which Parquet and Arrow do not have.
        if re.fullmatch(r"DECIMAL\(\d+,0\)", kind):
            return quoted(name)
        cast = "; cast sums to BIGINT before they are stored" if kind in ("DOUBLE", "FLOAT") else ""
        raise InputError(
            f"statistics are whole numbers, but column {name!r} is of type {kind}{cast}"
        )
    return quoted(name)
