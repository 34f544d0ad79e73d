"""What is written as SQL about tables in files: whole numbers, and a condition."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from threading import Event, Timer

from truebleu.engines.duckdb import quoted
from truebleu.engines.formats import first_line
from truebleu.engines.job import missing
from truebleu.errors import InputError, SettingsError, UnknownNameError, written
from truebleu.suggestions import did_you_mean

try:
    import duckdb
except ImportError as error:
    raise missing("DuckDB and pyarrow", "duckdb") from error

_SIGNED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_WHOLE_NUMBERS = (*_SIGNED, *(f"U{name}" for name in _SIGNED))

# A comparison with something that is neither a number nor in single quotes, at the end.
_UNQUOTED = re.compile(
    r"""(?s)(?P<before>.*(?:=|<>)\s*)(?P<text>"[^"']+"|[^\W\d][^"'()=<>]*?)\s*"""
)

_UNKNOWN = re.compile(r'Referenced column "(.*?)" not found')

# A condition is tried on so many rows, for so many seconds at most.
_FIRST_ROWS = 1 << 10
_SECONDS = 3.0


def check_known(name: str, known: Iterable[str]) -> None:
    """Refuse a column that is missing."""
    if name not in known:
        known = list(known)
        raise UnknownNameError(
            f"there is no column {name!r}; the columns are {', '.join(known)}"
            f"{did_you_mean(name, known)}"
        )


def whole_number(name: str, kind: str) -> str:
    """Write a column as whole numbers; what is none is null."""
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
    """Write the condition of a query that reads `source`, which stands behind ``FROM``."""
    if where is None:
        return ""
    if not isinstance(where, str):
        raise SettingsError(f"where is {written(where)}; a condition, as a str, is needed")
    first = "truebleu_first"
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {first} AS FROM {source} LIMIT {_FIRST_ROWS}")
    stopped = Event()

    def stop() -> None:
        stopped.set()
        connection.interrupt()

    timer = Timer(_SECONDS, stop)
    timer.start()
    try:
        _check(connection, where)
        # The end of the line, because it may end in a comment.
        described = connection.execute(f"DESCRIBE SELECT ({where}\n) FROM {first}").fetchall()
        kind = str(described[0][1])
        filtered = f"WHERE ({where}\n)"
        # DuckDB stops between batches only: one that is too much is not much more than the last.
        for power in range(_FIRST_ROWS.bit_length() if kind == "BOOLEAN" else 0):
            if stopped.is_set():  # Between two queries.
                raise duckdb.InterruptException
            tried = f"(FROM {first} LIMIT {1 << power})"
            connection.execute(f"SELECT count(*) FROM {tried} {filtered}").fetchall()
    except duckdb.InterruptException:
        if not stopped.is_set():
            raise KeyboardInterrupt from None
        raise SettingsError(
            f"where {where!r}: trying it on the first {_FIRST_ROWS:,} rows took more than "
            f"{_SECONDS:g} seconds, so it was stopped; compute less for each row, or store what it "
            "computes as a column"
        ) from None
    except (duckdb.Error, ValueError) as error:
        columns = [name for name, *_ in connection.execute(f"DESCRIBE {first}").fetchall()]
        message = first_line(error)
        raise SettingsError(f"where {where!r}: {message}{_hint(where, message, columns)}") from None
    finally:
        timer.cancel()
        timer.join()
    if kind != "BOOLEAN":
        raise SettingsError(
            f"where {where!r}: a condition is true or false, but this is of type {kind}; compare "
            "it with something, as in \"year = '2024'\""
        )
    return filtered


def _check(connection: duckdb.DuckDBPyConnection, where: str) -> None:
    """Parse a condition by itself: if it is one expression there, it is one in a query."""
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


def _hint(where: str, message: str, columns: Sequence[str]) -> str:
    """Return the end of a message: the column that was meant, or text in quotes if it has none."""
    unknown = _UNKNOWN.search(message)
    if unknown and (meant := did_you_mean(unknown[1], columns)):
        return meant
    found = _UNQUOTED.fullmatch(where)
    if found is None:
        return f"; the columns are {', '.join(columns)}" if unknown else ""
    quoted = "{}'{}'".format(found["before"], found["text"].strip('"'))
    return f'; text needs single quotes, within the double quotes of the condition: "{quoted}"'
