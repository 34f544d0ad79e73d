"""The statistics of a metric: rows of counts that add up, and how they are read and written."""

from __future__ import annotations

import sys
from types import SimpleNamespace

from truebleu._core import add_groups, add_rows, check_counts, check_rows
from truebleu.display import formatting
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    SettingsError,
    StatsMismatchError,
    written,
    wrong_type,
)
from truebleu.inputs.numbers import number_within, whole_number
from truebleu.metrics import storage
from truebleu.metrics.bleu.score import field_names
from truebleu.metrics.storage import KEY, MAGIC
from truebleu.record import Record, added_attributes, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol, Self

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    class Layout(Protocol):
        """What tells which statistics a metric makes: the metric, or such statistics."""

        @property
        def counting_key(self) -> str:
            """The settings that the counts depend on."""

        @property
        def fields(self) -> tuple[str, ...]:
            """The names of the counts in a row."""


class Stats(Record, init=False):
    """The sufficient statistics of a score: one row of integer counts per segment.

    Rows can be added. A corpus, a document, a bootstrap sample or the work of many machines is a
    sum of rows, and the ``score`` method of a metric scores any such sum. ``a + b`` and :meth:`sum`
    give a table of one row. Statistics counted under different settings cannot be added. A row of
    BLEU is ``[hyp_len, ref_len, match_1, ..., match_N, total_1, ..., total_N]``, where the matches
    are clipped.

    Immutable. Created by the ``stats`` method of a metric; do not create it yourself.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.Ter().stats(hypotheses, references).fields
    ('insertions', 'deletions', 'substitutions', 'shifts', 'ref_len_units')
    """

    __module__ = "truebleu"

    __slots__ = ("counting_key", "data", "fewest", "fields", "most", "segment_only")
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
    segment_only: bool
    """Whether rows of several segments cannot be added."""

    def __init__(self, data: bytes, layout: Layout, fewest: int, most: int) -> None:
        """Wrap rows (little-endian int64), and the range of references per segment."""
        if not layout.fields or len(data) % (8 * len(layout.fields)):
            raise InputError(f"{len(data)} bytes are not whole rows of {len(layout.fields)} int64")
        ends = whole_number(fewest), whole_number(most)
        if None in ends or not -1 <= fewest <= most:
            raise InputError(
                f"segments with {brief(fewest)} to {brief(most)} references: these are whole "
                "numbers, the smaller one first, and -1 if they are unknown"
            )
        self._wrap(layout, data, fewest, most)

    @classmethod
    def of_counts(cls, layout: Layout, data: bytes, fewest: int, most: int) -> Self:
        """Wrap what a metric has just counted, which needs no check."""
        made = object.__new__(cls)
        made._wrap(layout, data, fewest, most)
        return made

    def _wrap(self, layout: Layout, data: bytes, fewest: int, most: int) -> None:
        self._fill(data=data, fields=layout.fields, counting_key=layout.counting_key)
        # Whether rows cannot be added. Some type checkers want no class variable in a protocol.
        self._fill(fewest=fewest, most=most, segment_only=getattr(layout, "segment_only", False))

    def _with_data(self, data: bytes, *tables: Stats) -> Self:
        """Return other rows under the same settings, of segments of these tables, or of this."""
        # Of tables without rows, the references say nothing.
        known = [each for each in tables if each.data] or tables or (self,)
        fewest, most = min(each.fewest for each in known), max(each.most for each in known)
        return type(self)(data, self, fewest, most if fewest >= 0 else -1)

    def _take(self, places: Sequence[int]) -> Self:
        """Return the rows at these places, in their order."""
        return self._with_data(self.to_numpy()[places].tobytes())

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
        if self.fewest < 0:
            return None
        return self.most if self.fewest == self.most else -1

    def __len__(self) -> int:
        return len(self.data) // (8 * self.width)

    def __getitem__(self, index: int | slice) -> Self:
        """Return a slice of the rows, or one row as a table."""
        if isinstance(index, slice):
            rows = range(len(self))[index]
            if rows.step != 1:
                return self._take(rows)
            start, stop = rows.start, max(rows.start, rows.stop)
        else:
            number = whole_number(index)
            if number is None:
                raise wrong_type("the index", index, "a whole number or a slice is needed")
            if not -len(self) <= number < len(self):
                raise IndexError(
                    f"there is no row {number}; there are {len(self):,}, counted from 0"
                )
            start = number % len(self)
            stop = start + 1
        size = 8 * self.width
        return self._with_data(self.data[start * size : stop * size])

    def __iter__(self) -> Iterator[Self]:
        """Yield the rows, each as a table of one row."""
        return (self[row] for row in range(len(self)))

    def sum(self) -> Self:
        """Return one row, the statistics of all segments together.

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
        return self._with_data(add_rows(self.data, self.fields))

    def sums(self, groups: ArrayLike, count: int) -> Self:
        """Return the sum of the rows of each group; zeros for a group without rows.

        Parameters
        ----------
        groups : array_like of int, shape (rows,)
            The group number of each row, from 0 to `count` - 1.
        count : int
            Number of groups.

        Raises
        ------
        SettingsError, InputError
            As for :meth:`sum`, and if `groups` does not hold one valid group number per row.
        MemoryError
            If the sums of so many groups do not fit into memory.
        """
        n_groups = number_within("count", count, 0)
        numbers = storage.group_numbers(groups, len(self), n_groups)
        if n_groups > sys.maxsize:
            raise MemoryError(f"not enough memory for the sums of {written(n_groups)} groups")
        if len(numbers) > n_groups:
            self._check_addable()
        sums = add_groups(self.data, self.fields, numbers, n_groups)
        return self._with_data(sums)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of several tables, one after the other.

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
            if not isinstance(part, Stats):
                raise wrong_type(f"parts[{index}]", part, "statistics are needed")
        if not parts:
            raise EmptyInputError("parts is empty: there are no statistics to join")
        first, *rest = parts
        for other in rest:
            first.check_key(other)
        return first._with_data(b"".join(part.data for part in parts), *parts)

    def __add__(self, other: Self | int) -> Self:
        """Return one row: the sum of all rows of both tables."""
        if isinstance(other, int) and other == 0:
            return self.sum()  # The start value of the built-in sum().
        if not isinstance(other, Stats):
            return NotImplemented
        self.check_key(other)
        self._check_addable()
        return self._with_data(add_rows(self.data + other.data, self.fields), self, other)

    __radd__ = __add__

    def check_key(self, other: Stats) -> None:
        """Raise StatsMismatchError if `other` was counted under other settings."""
        if self.counting_key != other.counting_key:
            raise StatsMismatchError(
                f"statistics counted under different settings cannot be added: {self.counting_key} "
                f"and {other.counting_key}"
            )

    def _check_addable(self) -> None:
        if self.segment_only:
            raise SettingsError(
                "the score is only defined for one segment: statistics of several segments cannot "
                "be added; score each row, or choose another smoothing"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stats):
            return NotImplemented
        return (self.counting_key, self.data) == (other.counting_key, other.data)

    def __hash__(self) -> int:
        return hash((self.counting_key, self.data))

    def __repr__(self) -> str:
        rows = formatting.count(len(self), "row")
        return f"<{type(self).__name__}: {rows} of {self.width}, {self.counting_key}>"

    def _repr_html_(self) -> str:
        import struct

        from truebleu.display import markup
        from truebleu.display.blocks import Block, Cell

        sums = struct.unpack(f"<{self.width}q", add_rows(self.data, self.fields))
        cells = zip(self.fields, sums, strict=True)
        rows = [("", (name, f"{number:,}")) for name, number in cells]
        lines = formatting.count(len(self), "row"), Cell(self.counting_key, "code")
        return markup.html([Block(type(self).__name__, lines, ("field", "sum"), rows)])

    def to_numpy(self) -> NDArray[np.int64]:
        """Copy the rows into an array.

        Returns
        -------
        ndarray of int64, shape (rows, fields)
            For BLEU with n-grams up to order N, there are 2 + 2 N fields.
        """
        import numpy as np

        return np.frombuffer(self.data, "<i8").astype(np.int64).reshape(-1, self.width)

    @classmethod
    def from_numpy(cls, array: ArrayLike, like: Layout | Stats) -> Self:
        """Create statistics from an array, such as the result of an all-reduce.

        Parameters
        ----------
        array : array_like of int, shape (rows, fields) or (fields,)
        like : Metric or Stats
            A metric, or statistics, with the settings under which the rows were counted.

        Raises
        ------
        InputError
            If the array has another type or shape, masked values, numbers beyond int64, or
            impossible counts: negative ones, or more matches than n-grams.
        InputTypeError
            If `like` is neither a metric nor statistics.
        """
        import numpy as np

        model = cls._like(like)
        rows = np.atleast_2d(storage.array(array, "the array"))
        if rows.dtype.kind not in "iu":
            raise InputError(f"statistics are whole numbers, but the array is {rows.dtype}")
        if rows.ndim != 2 or rows.shape[1] != model.width:
            raise InputError(
                f"the array has shape {np.shape(array)}; rows of {model.width} are needed"
            )
        data = storage.int64(rows).tobytes()
        model.check_rows(data, model.fields, model.counting_key)
        return model._with_data(data)

    @classmethod
    def from_table(cls, table: Any, like: Layout | Stats) -> Self:
        """Create statistics from a table in which they were stored.

        Parameters
        ----------
        table : mapping from names to columns
            A pandas or Polars data frame, an Arrow table, or a dict of arrays, with the columns
            that the ``stats`` functions of :mod:`truebleu.engines` write: one per field, and
            ``key``.
        like : Metric or Stats
            As for :meth:`from_numpy`.

        Raises
        ------
        StatsMismatchError
            If the stored statistics were counted under other settings.
        UnknownNameError
            If a column is missing.
        InputError, InputTypeError
            As for :meth:`from_numpy`, and if `table` is not such a table, or has nulls.
        """
        from collections.abc import Mapping

        model = cls._like(like)
        if hasattr(table, "collect"):
            # A lazy frame has no rows yet, whichever library it comes from.
            raise InputTypeError(f"a {type(table).__name__} is not a table yet: collect it first")
        names = getattr(table, "column_names", getattr(table, "columns", None))
        if names is None and isinstance(table, Mapping):
            names = table
        if names is None:
            raise InputTypeError(
                f"a data frame, an Arrow table or a dict of columns is needed, not a value of type "
                f"{type(table).__name__}"
            )
        storage.check_columns(model.fields, names)
        storage.check_keys(table[KEY], model.counting_key)
        columns = [table[name] for name in model.fields]
        return cls.from_columns(columns, model, table[KEY])

    @classmethod
    def from_columns(cls, columns: Sequence[Any], like: Layout | Stats, *keys: Any) -> Self:
        """Create statistics from columns in the order of fields, as long as those of `keys`."""
        model = cls._like(like)
        data = storage.from_columns(columns, model.fields, *keys).tobytes()
        model.check_rows(data, model.fields, model.counting_key)
        return model._with_data(data)

    @classmethod
    def _like(cls, like: Any) -> Self:
        """Return statistics with the settings of `like`: `like` itself, or an empty table."""
        if isinstance(like, cls):
            return like
        if isinstance(like, type) or not hasattr(like, "counting_key"):
            raise wrong_type("like", like, "a metric, or Stats, is needed")
        return cls(b"", like, -1, -1)

    @classmethod
    def check_rows(cls, data: bytes, fields: tuple[str, ...], counting_key: str) -> None:
        """Raise InputError if a row has impossible counts."""
        # Rows of BLEU have an order of fields that no other metric has.
        if fields == field_names(len(fields)) and counting_key.startswith("tok:"):
            check_rows(data, len(fields), counting_key.endswith("|phantom:yes"))
        else:
            check_counts(data, fields)

    def to_bytes(self) -> bytes:
        """Return the rows and their settings as bytes, which :meth:`from_bytes` reads."""
        import json

        names = ("counting_key", "fields", "fewest", "most", "segment_only")
        header = json.dumps({name: getattr(self, name) for name in names})
        stored = MAGIC + header.encode() + b"\n" + self.data
        return stored + storage.digest(stored)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Create statistics from the output of :meth:`to_bytes`.

        Raises
        ------
        InputError
            If the bytes were not written by :meth:`to_bytes`, are inconsistent, or hold impossible
            counts.
        InputTypeError
            If `data` is not bytes-like.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise InputTypeError(f"bytes are needed, not {type(data).__name__}")
        stored, end = bytes(data)[: -storage.DIGEST], bytes(data)[-storage.DIGEST :]
        if not stored.startswith(MAGIC):
            raise InputError(f"these bytes were not written by {cls.__name__}.to_bytes")
        if storage.digest(stored) != end:
            raise InputError(
                f"these {len(data):,} bytes are damaged: they do not end with the SHA-256 of what "
                "is before it"
            )
        import json

        header, _, rows = stored.removeprefix(MAGIC).partition(b"\n")
        try:
            found = json.loads(header)
            "".join(found["fields"]).encode()  # The core takes names that are UTF-8.
            layout = SimpleNamespace(
                counting_key=str(found["counting_key"]),
                fields=tuple(found["fields"]),
                segment_only=bool(found["segment_only"]),
            )
            ends = found["fewest"], found["most"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(
                f"these bytes were not written by {cls.__name__}.to_bytes: {error!r}"
            ) from None
        stats = cls(rows, layout, *ends)
        cls.check_rows(rows, stats.fields, stats.counting_key)
        return stats

    def __reduce__(self) -> tuple[object, ...]:
        # Attributes that a class outside of this package has added.
        bases = type(self).__mro__
        mine = next(base for base in bases if base.__module__.partition(".")[0] == "truebleu")
        added = added_attributes(self, mine)
        return type(self).from_bytes, (self.to_bytes(),), added
