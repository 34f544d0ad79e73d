"""The statistics that add up."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from truebleu._core import add_groups, add_rows
from truebleu.display import formatting
from truebleu.errors import (
    InputError,
    InputTypeError,
    SettingsError,
    StatsMismatchError,
    UnknownNameError,
)
from truebleu.metrics import layout
from truebleu.metrics.layout import KEY, MAGIC
from truebleu.metrics.threads import whole_number
from truebleu.record import Frozen, kept

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from truebleu.metrics.formula import Formula


class BleuStats(Frozen):
    """What a score depends on: a row of whole numbers per segment.

    A row is ``[hyp_len, ref_len, match_1, ..., match_N, total_1, ..., total_N]``. Rows add, so
    a corpus, a document, a bootstrap sample or the work of many machines is a sum of rows, and
    :meth:`truebleu.Bleu.score` makes a score of any such sum.

    ``a + b`` and :meth:`sum` give a table of one row. Statistics that were counted with another
    tokenizer, case, order or reference length refuse to be added.

    Made by :meth:`truebleu.Bleu.stats`, never by hand. Immutable.
    """

    __slots__ = ("_data", "_fewest", "_key", "_most", "_sentence_only", "_width")
    _data: bytes
    _fewest: int
    _key: str
    _most: int
    _sentence_only: bool
    _width: int

    def __init__(self, data: bytes, formula: Formula, fewest: int, most: int) -> None:
        """Wrap rows that the core has counted (little-endian int64)."""
        self._fill(
            data,
            formula.counting_key,
            formula.row_width,
            fewest,
            most,
            formula.sentence_only,
        )

    def _fill(
        self, data: bytes, key: str, width: int, fewest: int, most: int, sentence_only: bool
    ) -> None:
        if len(data) % (8 * width):
            raise InputError(f"{len(data)} bytes are not whole rows of {width} int64")
        values = (data, fewest, key, most, sentence_only, width)
        for name, value in zip(sorted(BleuStats.__slots__), values, strict=True):
            object.__setattr__(self, name, value)

    def _with(self, data: bytes, fewest: int, most: int) -> BleuStats:
        other = object.__new__(BleuStats)
        other._fill(data, self._key, self._width, fewest, most, self._sentence_only)
        return other

    @property
    def counting_key(self) -> str:
        """The settings under which these were counted, as a string."""
        return self._key

    @property
    def key(self) -> int:
        """The number that stands for :attr:`counting_key` where statistics are stored."""
        return layout.stored_key(self._key)

    @property
    def references(self) -> int | None:
        """References per segment; -1 if their number varies, None if it is unknown."""
        if self._most < 0:
            return None
        return self._most if self._fewest == self._most else -1

    @property
    def data(self) -> bytes:
        """The rows as little-endian int64."""
        return self._data

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._data) // (8 * self._width)

    def __getitem__(self, index: int | slice) -> BleuStats:
        """Return some of the rows; of one row, a table of that row."""
        size = 8 * self._width
        if isinstance(index, slice):
            rows = range(*index.indices(len(self)))
            if rows.step == 1:
                data = self._data[rows.start * size : max(rows.start, rows.stop) * size]
            else:
                data = b"".join(self._data[row * size : (row + 1) * size] for row in rows)
        else:
            row = range(len(self))[index]
            data = self._data[row * size : (row + 1) * size]
        return self._with(data, self._fewest, self._most)

    def __iter__(self) -> Iterator[BleuStats]:
        """Yield the rows, each as a table of one row."""
        return (self[row] for row in range(len(self)))

    def sum(self) -> BleuStats:
        """Add the rows up.

        Returns
        -------
        BleuStats
            One row: the statistics of all segments together.

        Raises
        ------
        SettingsError
            If the smoothing is only defined for one sentence and there are several.
        InputError
            If the sum does not fit into int64.
        """
        if len(self) == 1:
            return self
        self._check_addable()
        return self._with(add_rows(self._data, self._width), self._fewest, self._most)

    def sums(self, groups: ArrayLike, count: int) -> BleuStats:
        """Add up the rows of each group.

        Parameters
        ----------
        groups : array_like of int, shape (rows,)
            For each row the number of its group, from 0.
        count : int
            How many groups there are.

        Returns
        -------
        BleuStats
            A row per group.

        Raises
        ------
        SettingsError, InputError
            As for :meth:`sum`, and if there is not one known group for each row.
        MemoryError
            If there is none for so many groups.
        """
        known = whole_number(count)
        if known is None or known < 0:
            raise SettingsError(f"count is {count!r}; a whole number from 0 up is needed")
        numbers = layout.group_numbers(groups, len(self), known)
        if known > sys.maxsize:
            raise MemoryError(f"there is no memory for the sums of {known} groups")
        if len(numbers) > known:
            self._check_addable()
        added = add_groups(self._data, self._width, numbers, known)
        return self._with(added, self._fewest, self._most)

    @classmethod
    def join(cls, parts: Sequence[BleuStats]) -> BleuStats:
        """Put the rows of several tables below each other.

        Parameters
        ----------
        parts : sequence of BleuStats
            At least one.

        Returns
        -------
        BleuStats

        Raises
        ------
        StatsMismatchError
            If they were counted under different settings.
        """
        first, *rest = parts
        for other in rest:
            first._check_key(other)
        fewest = min(part._fewest for part in parts)
        most = max(part._most for part in parts)
        return first._with(b"".join(part._data for part in parts), fewest, most)

    def __add__(self, other: BleuStats | int) -> BleuStats:
        """Join two corpora: one row, the sum of all rows of both."""
        if isinstance(other, int) and other == 0:
            return self.sum()  # The start of the builtin sum().
        if not isinstance(other, BleuStats):
            return NotImplemented
        self._check_key(other)
        self._check_addable()
        both = add_rows(self._data + other._data, self._width)
        fewest = min(self._fewest, other._fewest)
        return self._with(both, fewest, max(self._most, other._most))

    __radd__ = __add__

    def _check_key(self, other: BleuStats) -> None:
        if self._key != other._key:
            raise StatsMismatchError(
                f"statistics of different settings do not add up: {self._key} and {other._key}"
            )

    def _check_addable(self) -> None:
        if self._sentence_only:
            raise SettingsError(
                "this smoothing is only defined for one sentence: statistics of several segments "
                "cannot be added; score each row, or choose another smoothing"
            )

    def to_numpy(self) -> NDArray[np.int64]:
        """Copy the rows into an array.

        Returns
        -------
        ndarray of int64, shape (rows, 2 + 2 N)
        """
        import numpy as np

        return np.frombuffer(self._data, "<i8").astype(np.int64).reshape(-1, self._width)

    @classmethod
    def from_numpy(cls, array: ArrayLike, like: Formula | BleuStats) -> BleuStats:
        """Read rows out of an array, such as the result of an all-reduce.

        Parameters
        ----------
        array : array_like of int, shape (rows, 2 + 2 N) or (2 + 2 N,)
        like : Bleu or BleuStats
            Under whose settings the rows were counted.

        Returns
        -------
        BleuStats

        Raises
        ------
        InputError
            If the array is not of whole numbers, beyond int64, masked, of another width, or holds
            what no text has: negative counts, or more matches than n-grams.
        InputTypeError
            If `like` is something else.
        """
        import numpy as np

        model = cls._like(like)
        rows = np.atleast_2d(layout.array(array, "the array"))
        if rows.dtype.kind not in "iu":
            raise InputError(f"statistics are whole numbers, but the array is {rows.dtype}")
        if rows.ndim != 2 or rows.shape[1] != model._width:
            raise InputError(
                f"the array has shape {np.shape(array)}; rows of {model._width} are needed"
            )
        return model._with(layout.checked(rows, model._key), model._fewest, model._most)

    @classmethod
    def from_table(cls, table: Any, like: Formula | BleuStats) -> BleuStats:
        """Read statistics that were stored in a table.

        Parameters
        ----------
        table : mapping from names to columns
            A data frame of pandas or Polars, a table of Arrow, or a dict of arrays, with the
            columns that the ``stats`` of :mod:`truebleu.engines` write: ``hyp_len``, ``ref_len``,
            ``match_1``, ..., ``total_1``, ..., and ``key``.
        like : Bleu or BleuStats
            Under whose settings the rows were counted.

        Returns
        -------
        BleuStats

        Raises
        ------
        StatsMismatchError
            If they were counted under other settings.
        UnknownNameError
            If a column is missing.
        InputError
            If the columns are not of whole numbers, differ in length, or hold nulls or what no
            text has.
        InputTypeError
            If it is no such table, or `like` is something else.
        """
        model = cls._like(like)
        if hasattr(table, "collect"):
            # Its rows are not there yet, whatever library it is of.
            raise InputTypeError(f"a {type(table).__name__} is no table yet: collect it first")
        known = getattr(table, "column_names", getattr(table, "columns", None))
        if known is None and isinstance(table, Mapping):
            known = table
        if known is None:
            raise InputTypeError(
                f"a data frame, a table of Arrow or a dict of columns is needed, not a value of "
                f"type {type(table).__name__}"
            )
        names = layout.field_names(model._width)
        for name in (*names, KEY):
            if name not in known:
                raise UnknownNameError(
                    f"there is no column {name!r}; statistics are stored in the columns "
                    f"{', '.join(names)} and {KEY}"
                )
        layout.check_keys(table[KEY], model._key)
        data = layout.from_fields([table[name] for name in names], model._key, table[KEY])
        return model._with(data, model._fewest, model._most)

    @classmethod
    def _like(cls, like: Any) -> BleuStats:
        """Return statistics of the settings of a Bleu, or of statistics."""
        if isinstance(like, BleuStats):
            return like
        if not isinstance(getattr(like, "counting_key", None), str):
            raise InputTypeError(
                f"like is of type {type(like).__name__}; a Bleu or BleuStats is needed"
            )
        return cls(b"", like, -1, -1)

    def to_bytes(self) -> bytes:
        """Write everything down, settings included, for another process.

        Returns
        -------
        bytes
            To be read by :meth:`from_bytes`.
        """
        fields = (self._key, self._width, self._fewest, self._most, int(self._sentence_only))
        header = "\t".join(map(str, fields))
        return MAGIC + header.encode() + b"\n" + self._data

    @classmethod
    def from_bytes(cls, data: bytes) -> BleuStats:
        """Read what :meth:`to_bytes` wrote.

        Raises
        ------
        InputError
            If the bytes are something else, contradict themselves, or the rows are those of no
            text.
        InputTypeError
            If it is no bytes.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise InputTypeError(f"bytes are needed, not {type(data).__name__}")
        data = bytes(data)
        header, newline, rows = data.removeprefix(MAGIC).partition(b"\n")
        try:
            key, *numbers = header.decode().split("\t")
            width, fewest, most, sentence_only = map(int, numbers)
        except ValueError:
            newline = b""
        if not data.startswith(MAGIC) or not newline:
            raise InputError("these bytes were not written by BleuStats.to_bytes")
        layout.check_header(key, width, fewest, most)
        stats = object.__new__(cls)
        stats._fill(rows, key, width, fewest, most, bool(sentence_only))
        layout.check_rows(rows, width, key)
        return stats

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as bytes."""
        return type(self).from_bytes, (self.to_bytes(),), kept(self, BleuStats)

    def __eq__(self, other: object) -> bool:
        """Compare rows and settings."""
        if not isinstance(other, BleuStats):
            return NotImplemented
        return (self._key, self._data) == (other._key, other._data)

    def __hash__(self) -> int:
        """Hash rows and settings."""
        return hash((self._key, self._data))

    def __repr__(self) -> str:
        """Tell the size and the settings."""
        return f"<BleuStats: {formatting.count(len(self), 'row')} of {self._width}, {self._key}>"
