"""What is written as SQL about columns of files: texts, whole numbers, and the user's condition."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from truebleu.engines.duckdb import quoted
from truebleu.engines.formats import first_line
from truebleu.errors import InputError, InputTypeError, SettingsError, UnknownNameError
from truebleu.suggestions import did_you_mean

try:
    import duckdb
except ImportError as error:
    from truebleu.engines import rows

    raise rows.missing("DuckDB and pyarrow", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Text, or a list of texts of varying or fixed length.
_TEXT = re.compile(r"(?P<text>VARCHAR|ENUM\(.*\))(?P<list>\[\d*\])?", re.DOTALL)

_SIGNED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_WHOLE_NUMBERS = (*_SIGNED, *(f"U{name}" for name in _SIGNED))


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


def condition(connection: duckdb.DuckDBPyConnection, where: str | None, source: str) -> str:
    """Write the condition of a query over `source`.

    Raises
    ------
    SettingsError
        If it is not one expression over the columns of `source` that is true or false.
    """
    if where is None:
        return ""
    try:
        _check_expression(connection, where)
        # The end of the line, because it may end in a comment.
        described = connection.execute(f"DESCRIBE SELECT ({where}\n) FROM {source}").fetchall()
    except (duckdb.Error, ValueError) as error:
        raise SettingsError(f"where {where!r}: {first_line(error)}") from None
    kind = str(described[0][1])
    if kind != "BOOLEAN":
        raise SettingsError(
            f"where {where!r}: a condition is true or false, but this is of type {kind}; compare "
            "it with something, as in \"year = '2024'\""
        )
    query = f"WHERE ({where}\n)"
    try:
        connection.execute(f"EXPLAIN SELECT 1 FROM {source} {query}")
    except duckdb.Error as error:
        raise SettingsError(f"where {where!r}: {first_line(error)}") from None
    return query


def _check_expression(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    """Parse a condition by itself: if it is one expression there, it is one in a query."""
    if not isinstance(where, str):
        raise ValueError("one SQL expression is needed, as a str")
    where.encode()  # DuckDB does not take lone surrogates.
    # Comments can be nested, but then there is something wrong with it anyway.
    if not re.sub(r"--[^\n]*|/\*.*?\*/", "", where, flags=re.DOTALL).strip():
        raise ValueError("the condition is empty; leave it out to use all rows")
    duckdb.SQLExpression(where)
    parse = "SELECT json_serialize_sql(?::VARCHAR)"
    [(parsed,)] = connection.execute(parse, [f"SELECT ({where}\n)"]).fetchall()
    tree = json.loads(parsed)
    if tree["error"]:
        raise ValueError(f"Parser Error: {tree['error_message']}")
    # Quotes within strings are escaped there.
    if '"class":"SUBQUERY"' in parsed:
        raise ValueError("a subquery is not allowed, only an expression over the columns")
