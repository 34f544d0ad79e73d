"""CSV with quotes, and TSV without; columns are called by their names or by numbers from 1."""

from __future__ import annotations

import re

from truebleu._core import Lines, RowError, Rows
from truebleu.errors import SettingsError
from truebleu.inputs import forms
from truebleu.inputs.files import as_lines, longest_line
from truebleu.inputs.readers.base import SAMPLE, Reader, check_known, likely_of, unique

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from truebleu._core import Column

TABBED = (".tsv", ".tab")
"""The suffixes of tables that are separated by tabs."""

# What columns are called by what they hold. Other words, also codes of languages, may be text.
_NAME = re.compile(
    r"(?i)(\S*(?!\s)[\W_])?(id|docid|doc|document|domain|topic|url|source|src|target|tgt|references?|refs?|"
    r"hypothes[ei]s|hyp|outputs?|predictions?|translations?|systems?|mt|texts?|sentences?|segments?)"
    r"((?!\s)[\W_\d]\S*)?"
)
# Short, neither a number nor a sentence.
_LIKE_NAME = re.compile(r"[^\W\d](?:[\w./:()-]| (?! )){0,39}(?<![ .])")


class Separated(Reader):
    """Cells between separators, which the suffix or the first rows tell."""

    def _open(self) -> None:
        count = self.file.fill(SAMPLE)
        first = self.file.lines.texts(min(SAMPLE, count))
        longest = longest_line()
        self._separator = separator_of(forms.suffix_of(self.name), first, longest)
        try:
            self._first = rows_of(first, self._separator, longest)
        except RowError:
            # Reading says what is wrong.
            self._first = rows_of(first[:1], self._separator, longest)
        self._header = False if self._no_header else _has_header(self._first)
        # If it is unclear, rows that look like the first make it one of them.
        is_name = self._header is None and not any(
            each.count(" ") > 3 for each in (self._first or [[]])[0]
        )
        named = self._header or (is_name and not all(map(_like_names, self._first)))
        self.columns = self._names() if named else self._numbers()

    def _names(self) -> list[str]:
        first = self._first[0] if self._first else []
        return [name or str(number) for number, name in enumerate(first, 1)]

    def _numbers(self) -> list[str]:
        return [str(number) for number in range(1, len(self._names()) + 1)]

    @property
    def names(self) -> list[str]:
        """See :attr:`Reader.names`: numbers if no row has names."""
        return self._numbers() if self._header is False else self._names()

    def knows(self, column: str) -> bool:
        """See :meth:`Reader.knows`."""
        return column in self._names() or column in self._numbers()

    def likely(self, role: str) -> Sequence[str]:
        """See :meth:`Reader.likely`."""
        named = self.columns == self._names()
        columns = zip(self.columns, *self._first[named:], strict=True)
        found = likely_of(role, {name: cells for name, *cells in columns})
        unclear = self._header is None and not named
        return [*found, self._wording.no_header] if unclear and self._wording.no_header else found

    def _batches(
        self, names: Sequence[str], labels: Sequence[str], *, nulls: bool, lists: bool, waits: bool
    ) -> Iterator[tuple[Column, ...]]:
        wanted = [*names, *labels]
        named = [self._is_name(column) for column in wanted]
        places, order = unique([*map(self._place, wanted, named)])
        header = bool(self._header) or any(named)
        separator, longest = ord(self._separator), longest_line()
        rows = Rows.separated(separator, self._separator != "\t", header, places, longest)
        for batch in self._read(rows, wanted, waits=waits):
            yield tuple(batch[place] for place in order)

    def _is_name(self, column: str) -> bool:
        """Whether this is a name in the first row; a number is one in a row of names only."""
        if self._no_header or column not in self._names():
            return False
        return self._header is not False or column not in self._numbers()

    def _place(self, column: str, named: bool) -> int:
        names, numbers = self._names(), self._numbers()
        if named:
            if names.count(column) > 1:
                raise SettingsError(
                    f"{self.name} has {names.count(column)} columns called {column!r}: give them "
                    "different names"
                )
            return names.index(column)
        check_known(
            self.name, column, numbers if self._header is False else unique([*names, *numbers])[0]
        )
        place = int(column) - 1
        if self._header is None:
            option = self._wording.no_header
            raise SettingsError(
                f"{self.name}, line 1: {names[place]!r} may be a text, or the name of column "
                f"{column}: if it is a text, add {option}; if it is a name, give it instead of "
                f"{column}"
            )
        return place


def _like_names(row: list[str]) -> bool:
    """Whether cells may be the names of columns; pandas writes its index without a name."""
    names = row if row[0] else row[1:]
    return bool(names) and all(map(_LIKE_NAME.fullmatch, names))


def _has_header(rows: list[list[str]]) -> bool | None:
    """Tell whether the first row has the names of columns; None if it may have them."""
    if not rows or not _like_names(rows[0]):
        return False
    clear = len(set(rows[0])) == len(rows[0]) and any(map(_NAME.fullmatch, rows[0]))
    return True if clear else None


def separator_of(suffix: str, lines: Sequence[str], longest: int) -> str:
    """Return the separator of a file by its suffix, or else by its first lines, which all agree."""
    if suffix in TABBED:
        return "\t"
    likely = ",;\t" if suffix == ".csv" else "\t,;"
    for separator in likely:
        try:
            rows = rows_of(lines, separator, longest)
        except RowError:
            continue
        if rows and len(rows[0]) > 1:
            return separator
    first = next(filter(None, lines), "")
    return next(filter(first.__contains__, likely), likely[0])


def rows_of(lines: Sequence[str], separator: str, longest: int) -> list[list[str]]:
    """Return the cells of the rows that end in the first lines of a file."""
    ready = Lines(longest)
    ready.push(as_lines(lines, ""))
    rows = Rows.separated(ord(separator), separator != "\t", False, None, longest)
    rows.push(ready)
    [column] = rows.take()
    return column.texts()
