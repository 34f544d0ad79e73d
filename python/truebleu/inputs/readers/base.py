"""What all readers of files with columns have in common."""

from __future__ import annotations

from truebleu._core import RowError
from truebleu.display.formatting import count as count_of
from truebleu.errors import EncodingError, InputError, UnknownNameError, written
from truebleu.inputs.forms import HYPOTHESIS, REFERENCE, SOURCE, TABLE, TABLES, Wording
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu._core import Column, Rows
    from truebleu.inputs.files import LineFile

SAMPLE = 100
"""How many lines tell what columns a file has."""

# How columns of each are often called.
_CALLED = {
    HYPOTHESIS: ("hypothesis", "hyp", "prediction", "output", "mt", "translation", "text"),
    REFERENCE: ("reference", "ref", "target", "tgt", "translation", "text"),
    SOURCE: ("source", "src", "text"),
}


class Reader:
    """A file of which some `columns` may be text.

    Columns are read once, in batches of rows; only markup, JSON and Arrow can be read again.
    """

    columns: Sequence[str] = ()
    """The names of the columns that may be text."""

    inside: str | None = None
    """Where there is text in a list, if there is no other."""

    is_guess = False
    """Whether a chosen column is the only possible one, and not known to be meant."""

    unit = "line"

    def __init__(
        self, file: LineFile, form: str, *, no_header: bool = False, wording: Wording = TABLES
    ) -> None:
        """Look at the first lines of a file of this form, which stay in it."""
        self.file, self.form, self.name = file, form, file.name
        self._no_header, self._wording = no_header, wording
        self._open()

    def as_text(self, what: str = "the file") -> str:
        """Return the end of messages, on what reads the file as it is."""
        option = self._wording.as_text
        return f"; {option} reads {what} as it is" if option and self.form != TABLE else ""

    def _open(self) -> None:
        """Find the columns."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all columns, as far as they are known."""
        return self.columns

    def knows(self, column: str) -> bool:
        """Whether this may be one of the columns, by a name or by a number."""
        return True

    def chosen(self, role: str) -> Sequence[str]:
        """Return the columns that are clearly meant; none if that is unclear."""
        return ()

    def likely(self, role: str) -> Sequence[str]:
        """Return the columns to suggest if it is unclear."""
        return self.columns[:1]

    def batches(
        self,
        names: Sequence[str],
        labels: Sequence[str] = (),
        *,
        nulls: bool = True,
        lists: bool = True,
        waits: bool = True,
    ) -> Iterator[tuple[Column, ...]]:
        """Yield columns of texts, and then of labels: for each name one, of the same rows.

        A column of JSON may have `nulls`, and `lists` of strings. Labels may be no strings. A batch
        is large, or does not wait for more than the rows that are ready if `waits` is false.
        """
        return self._batches(names, labels, nulls=nulls, lists=lists, waits=waits)

    def _batches(
        self, names: Sequence[str], labels: Sequence[str], *, nulls: bool, lists: bool, waits: bool
    ) -> Iterator[tuple[Column, ...]]:
        raise NotImplementedError

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *exception: object) -> None:
        self.file.__exit__()

    def _read(self, rows: Rows, names: Sequence[str], *, waits: bool) -> Iterator[list[Column]]:
        """Yield batches of rows of these columns."""
        try:
            while self.file.fill():
                while rows.push(self.file.lines) or (len(rows) and not waits):
                    yield rows.take()
            rows.finish()
        except RowError as error:
            raise self._bad_row(error, rows, names) from None
        if len(rows):
            yield rows.take()

    def _others(self, problem: str, line: int) -> str:
        """Say which lines behind this one have the same problem, and what leaves them out."""
        return ""

    def _bad_row(self, error: RowError, rows: Rows, names: Sequence[str]) -> Exception:
        """Say what is wrong with a row, and what is right."""
        line, column, problem, value = error.args
        where = f"{self.name}, {self.unit} {line:,}"
        if column is None:
            said = f"{_of_row(problem, value, line)}{self._others(problem, line)}"
            return InputError(f"{where}{said}{self.as_text()}")
        name = repr(names[column])
        if problem == "half":
            return EncodingError(
                f"{where}: {name} has half of a surrogate pair (U+{value}), which is no character; "
                "correct the text"
            )
        needed = {
            "list": "a list of strings, as above,",
            "label": "a value of the type of those above",
        }.get(problem, "a string")
        shown = problem if problem in ("missing", "null") else _shown(value)
        return InputError(f"{where}: {name} is {shown}; {needed} is needed")


def _of_row(problem: str, value: str, line: int) -> str:
    if problem == "cells":
        found, first = map(int, value.split())
        return f" has {count_of(found, 'cell')}, and the first {first}"
    if problem == "after quote":
        opened = "" if int(value) == line else f", which line {int(value):,} opened"
        return f": not well-formed CSV (text after a closing quote{opened})"
    if problem == "twice":
        return f": an object has the key {written(value)} twice"
    if problem == "long":
        return (
            f" has more than {value} bytes: is a quote open? If not, set the environment variable "
            "TRUEBLEU_MAX_LINE to a larger number"
        )
    return {
        "empty": " is empty: delete it",
        "open quote": ": not well-formed CSV (a quote is never closed)",
        "object": " is not a JSON object",
    }[problem]


def _shown(value: str) -> str:
    """Write a value of JSON for a message, as Python does."""
    import json

    try:
        return written(json.loads(value))
    except (ValueError, RecursionError):
        return f"{value[:_MOST_SHOWN]} ..."


_MOST_SHOWN = 1000


def check_known(name: str, column: str, known: Iterable[str]) -> None:
    """Refuse a column that a file does not have."""
    known = list(known)
    if not known:
        raise UnknownNameError(f"{name} has no column {column!r}, nor any other")
    if column not in known:
        raise UnknownNameError(
            f"{name} has no column {column!r}; choose one of {', '.join(known)}"
            f"{did_you_mean(column, known)}"
        )


def likely_of(role: str, columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the column that is called as such columns are, or whose texts are the longest."""
    for called in _CALLED.get(role, ()):
        found = [name for name in columns if name.lower().rpartition(".")[2] == called]
        if found:
            return found[:1]
    return sorted(columns, key=lambda name: -sum(map(len, columns[name])))[:1]


def unique(names: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Return each name once, and the places of all names in these."""
    once = list(dict.fromkeys(names))
    return once, [once.index(name) for name in names]


def lines_of(file: LineFile) -> Iterator[str]:
    """Yield all lines of a file."""
    while count := file.fill():
        yield from file.lines.texts(count)
        file.lines.drop_front(count)
