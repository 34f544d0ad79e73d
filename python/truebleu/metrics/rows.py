"""Rows of integer counts, which can be added."""

from __future__ import annotations

import sys

from truebleu._core import add_groups, add_rows
from truebleu.display import formatting
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    SettingsError,
    StatsMismatchError,
    written,
)
from truebleu.metrics import storage
from truebleu.metrics.threads import whole_number
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol

    from numpy.typing import ArrayLike
    from typing_extensions import Self

    class Layout(Protocol):
        """What tells which statistics a metric makes."""

        @property
        def counting_key(self) -> str:
            """The settings that the counts depend on."""


class Rows(Record, init=False):
    """One row of integer counts per segment, all counted under the same settings.

    Rows can be added. A corpus, a document, a bootstrap sample or the work of many machines is a
    sum of rows. Rows counted under different settings cannot be added.
    """

    __slots__ = ("counting_key", "data", "fewest", "fields", "most", "sentence_only")
    counting_key: str
    """The settings that the counts depend on, as a string."""
    data: bytes
    """The rows as little-endian int64."""
    fewest: int
    """The smallest number of references of a segment; -1 if unknown."""
    fields: tuple[str, ...]
    """The names of the counts in a row."""
    most: int
    """The largest number of references of a segment; -1 if unknown."""
    sentence_only: bool
    """Whether rows of several segments cannot be added."""

    def __init__(self, data: bytes, layout: Any, fewest: int, most: int) -> None:
        """Wrap rows (little-endian int64), and the range of references per segment."""
        key, sentence_only = layout.counting_key, layout.sentence_only
        self._set(data, key, layout.fields, fewest, most, sentence_only)

    def _set(
        self,
        data: bytes,
        key: str,
        fields: tuple[str, ...],
        fewest: int,
        most: int,
        sentence_only: bool,
    ) -> None:
        if len(data) % (8 * len(fields)):
            raise InputError(f"{len(data)} bytes are not whole rows of {len(fields)} int64")
        self._fill(
            data=data,
            fewest=fewest,
            counting_key=key,
            most=most,
            sentence_only=sentence_only,
            fields=fields,
        )

    def with_data(self, data: bytes, fewest: int, most: int) -> Self:
        """Return a table of other rows with the same settings."""
        table = object.__new__(type(self))
        table._set(data, self.counting_key, self.fields, fewest, most, self.sentence_only)
        return table

    @property
    def width(self) -> int:
        """The number of counts in a row."""
        return len(self.fields)

    @property
    def key(self) -> int:
        """The number that identifies :attr:`counting_key` in stored statistics."""
        return storage.stored_key(self.counting_key)

    @property
    def references(self) -> int | None:
        """References per segment; -1 if their number varies, None if unknown."""
        if self.most < 0:
            return None
        return self.most if self.fewest == self.most else -1

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.data) // (8 * self.width)

    def __getitem__(self, index: int | slice) -> Self:
        """Return a slice of the rows, or one row as a table."""
        size = 8 * self.width
        if isinstance(index, slice):
            rows = range(*index.indices(len(self)))
            if rows.step == 1:
                data = self.data[rows.start * size : max(rows.start, rows.stop) * size]
            else:
                data = b"".join(self.data[row * size : (row + 1) * size] for row in rows)
        else:
            row = self._row(index)
            data = self.data[row * size : (row + 1) * size]
        return self.with_data(data, self.fewest, self.most)

    def _row(self, index: Any) -> int:
        """Return the number of a row, counted from the start."""
        row = whole_number(index)
        if row is None:
            raise InputTypeError(
                f"rows are chosen by whole numbers and slices, not by a value of type "
                f"{type(index).__name__}"
            )
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row}; there are {len(self):,}, counted from 0")
        return row % len(self)

    def __iter__(self) -> Iterator[Self]:
        """Yield the rows, each as a table of one row."""
        return (self[row] for row in range(len(self)))

    def sum(self) -> Self:
        """Sum all rows.

        Returns
        -------
        Rows
            One row: the statistics of all segments together.

        Raises
        ------
        SettingsError
            If there are several rows, but the metric is only defined for one segment.
        InputError
            If the sum does not fit into int64.
        """
        if len(self) == 1:
            return self
        self._check_addable()
        return self.with_data(add_rows(self.data, self.fields), self.fewest, self.most)

    def sums(self, groups: ArrayLike, count: int) -> Self:
        """Sum the rows of each group.

        Parameters
        ----------
        groups : array_like of int, shape (rows,)
            The group number of each row, from 0 to `count` - 1.
        count : int
            Number of groups.

        Returns
        -------
        Rows
            One row per group; all zeros for a group without rows.

        Raises
        ------
        SettingsError, InputError
            As for :meth:`sum`, and if `groups` does not hold one valid group number per row.
        MemoryError
            If the sums of so many groups do not fit into memory.
        """
        n_groups = whole_number(count)
        if n_groups is None or n_groups < 0:
            raise SettingsError(f"count is {written(count)}; a whole number from 0 up is needed")
        numbers = storage.group_numbers(groups, len(self), n_groups)
        if n_groups > sys.maxsize:
            raise MemoryError(f"not enough memory for the sums of {n_groups} groups")
        if len(numbers) > n_groups:
            self._check_addable()
        sums = add_groups(self.data, self.fields, numbers, n_groups)
        return self.with_data(sums, self.fewest, self.most)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Concatenate the rows of several tables.

        Parameters
        ----------
        parts : sequence of Rows
            At least one table.

        Returns
        -------
        Rows

        Raises
        ------
        StatsMismatchError
            If the tables were counted under different settings.
        EmptyInputError
            If there is no table.
        InputTypeError
            If a part is something else.
        """
        parts = list(parts)
        for index, part in enumerate(parts):
            if not isinstance(part, Rows):
                raise InputTypeError(
                    f"parts[{index}] is of type {type(part).__name__}; statistics are needed"
                )
        if not parts:
            raise EmptyInputError("parts is empty: there are no statistics to join")
        first, *rest = parts
        for other in rest:
            first.check_key(other)
        fewest = min(part.fewest for part in parts)
        most = max(part.most for part in parts)
        return first.with_data(b"".join(part.data for part in parts), fewest, most)

    def __add__(self, other: Self | int) -> Self:
        """Return one row: the sum of all rows of both tables."""
        if isinstance(other, int) and other == 0:
            return self.sum()  # The start value of the built-in sum().
        if not isinstance(other, Rows):
            return NotImplemented
        self.check_key(other)
        self._check_addable()
        both = add_rows(self.data + other.data, self.fields)
        fewest = min(self.fewest, other.fewest)
        return self.with_data(both, fewest, max(self.most, other.most))

    __radd__ = __add__

    def check_key(self, other: Rows) -> None:
        """Raise StatsMismatchError if `other` was counted under other settings."""
        if self.counting_key != other.counting_key:
            raise StatsMismatchError(
                f"statistics counted under different settings cannot be added: {self.counting_key} "
                f"and {other.counting_key}"
            )

    def _check_addable(self) -> None:
        if self.sentence_only:
            raise SettingsError(
                "the score is only defined for one sentence: statistics of several segments cannot "
                "be added; score each row, or choose another smoothing"
            )

    def __eq__(self, other: object) -> bool:
        """Compare rows and settings."""
        if not isinstance(other, Rows):
            return NotImplemented
        return (self.counting_key, self.data) == (other.counting_key, other.data)

    def __hash__(self) -> int:
        """Hash rows and settings."""
        return hash((self.counting_key, self.data))

    def __repr__(self) -> str:
        """Show the size and the settings."""
        rows = formatting.count(len(self), "row")
        return f"<{type(self).__name__}: {rows} of {self.width}, {self.counting_key}>"

    def _repr_html_(self) -> str:
        """Show the size and the sum in a notebook."""
        import struct

        from truebleu.display import markup
        from truebleu.display.blocks import Block, Code

        sums = struct.unpack(f"<{self.width}q", add_rows(self.data, self.fields))
        cells = zip(self.fields, sums, strict=True)
        rows = [("", (name, f"{number:,}")) for name, number in cells]
        lines = [formatting.count(len(self), "row"), Code(self.counting_key)]
        return markup.html([Block(type(self).__name__, lines, ("field", "sum"), rows)])
