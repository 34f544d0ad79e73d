"""The statistics of a metric, and how they are read and written."""

from __future__ import annotations

from collections.abc import Mapping

from truebleu._core import check_counts
from truebleu.errors import InputError, InputTypeError, UnknownNameError
from truebleu.metrics import storage
from truebleu.metrics.rows import Rows
from truebleu.metrics.storage import KEY, MAGIC
from truebleu.record import added_attributes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Self

    from truebleu.metrics.rows import Layout


class Stats(Rows, init=False):
    """The sufficient statistics of a score: one row of integer counts per segment.

    Rows can be added. A corpus, a document, a bootstrap sample or the work of many machines is a
    sum of rows, and the ``score`` method of a metric scores any such sum. ``a + b`` and :meth:`sum`
    give a table of one row. Statistics counted under different settings cannot be added.

    Immutable. Created by the ``stats`` method of a metric; do not create it yourself.
    """

    __module__ = "truebleu"

    __slots__ = ()

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

        Returns
        -------
        Stats

        Raises
        ------
        InputError
            If the array is not of an integer type, does not fit into int64, has masked values or
            the wrong width, or holds impossible counts: negative ones, or more matches than
            n-grams.
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
        return model.with_data(data, model.fewest, model.most)

    @classmethod
    def from_table(cls, table: Any, like: Layout | Stats) -> Self:
        """Create statistics from a table in which they were stored.

        Parameters
        ----------
        table : mapping from names to columns
            A pandas or Polars data frame, an Arrow table, or a dict of arrays, with the columns
            that the ``stats`` functions of :mod:`truebleu.engines` write: one per field (for BLEU
            ``hyp_len``, ``ref_len``, ``match_1``, ..., ``total_1``, ...), and ``key``.
        like : Metric or Stats
            A metric, or statistics, with the settings under which the rows were counted.

        Returns
        -------
        Stats

        Raises
        ------
        StatsMismatchError
            If the stored statistics were counted under other settings.
        UnknownNameError
            If a column is missing.
        InputError
            If a column is not of an integer type, the columns differ in length, or they hold nulls
            or impossible counts.
        InputTypeError
            If `table` is not such a table, or `like` is neither a metric nor statistics.
        """
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
        for name in (*model.fields, KEY):
            if name not in names:
                raise UnknownNameError(
                    f"there is no column {name!r}; statistics are stored in the columns "
                    f"{', '.join(model.fields)} and {KEY}"
                )
        storage.check_keys(table[KEY], model.counting_key)
        columns = [table[name] for name in model.fields]
        return model.from_columns(columns, model, table[KEY])

    @classmethod
    def from_columns(cls, columns: Sequence[Any], like: Layout | Stats, *keys: Any) -> Self:
        """Create statistics from columns, one per field; see :meth:`from_table`.

        Parameters
        ----------
        columns : sequence of columns
            In the order of the fields.
        like : Metric or Stats
            As in :meth:`from_table`.
        *keys : columns
            Columns ``key`` that were stored with them. Only their length is checked.
        """
        model = cls._like(like)
        data = storage.from_columns(columns, model.fields, *keys).tobytes()
        model.check_rows(data, model.fields, model.counting_key)
        return model.with_data(data, model.fewest, model.most)

    @classmethod
    def _like(cls, like: Any) -> Self:
        """Return statistics with the settings of `like`: `like` itself, or an empty table."""
        kind = getattr(like, "stats_type", None)
        if not isinstance(like, type) and kind is not None and issubclass(kind, cls):
            made: Self = kind(b"", like, -1, -1)
            return made
        if isinstance(like, cls):
            return like
        raise InputTypeError(
            f"like is of type {type(like).__name__}; a metric, or {cls.__name__}, is needed"
        )

    @classmethod
    def check_rows(cls, data: bytes, fields: tuple[str, ...], counting_key: str) -> None:
        """Check that no row has impossible counts.

        Raises
        ------
        InputError
            If a count is negative or, in rows of chrF, the n-grams of a row contradict each other;
            the message names the row and the field.
        """
        check_counts(data, fields)

    def to_bytes(self) -> bytes:
        """Serialize the rows and their settings.

        Returns
        -------
        bytes
            Input for :meth:`from_bytes`, in any process.
        """
        values = (self.counting_key, self.width, self.fewest, self.most, int(self.sentence_only))
        header = "\t".join(map(str, (*values, *self._stored_names(self.fields))))
        return MAGIC + header.encode() + b"\n" + self.data

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
        data = bytes(data)
        header, newline, rows = data.removeprefix(MAGIC).partition(b"\n")
        try:
            key, *values = header.decode().split("\t")
            width, fewest, most, sentence_only = map(int, values[:4])
        except ValueError:
            newline = b""
        if not data.startswith(MAGIC) or not newline:
            raise InputError(f"these bytes were not written by {cls.__name__}.to_bytes")
        fields = cls._read_names(key, width, values[4:])
        if fields is None or not -1 <= fewest <= most:
            raise InputError(
                f"these bytes were not written by {cls.__name__}.to_bytes: their header says rows "
                f"of {width} numbers, and from {fewest} to {most} references, for {key!r}"
            )
        stats = object.__new__(cls)
        stats._set(rows, key, fields, fewest, most, bool(sentence_only))
        cls.check_rows(rows, fields, key)
        return stats

    @staticmethod
    def _stored_names(fields: tuple[str, ...]) -> tuple[str, ...]:
        """Return the field names to store."""
        return fields

    @staticmethod
    def _read_names(key: str, width: int, stored: list[str]) -> tuple[str, ...] | None:
        """Return the field names, or None if they contradict the rest of the header."""
        return tuple(stored) if len(stored) == width > 0 else None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as bytes."""
        added = added_attributes(self, _package_class(type(self)))
        return type(self).from_bytes, (self.to_bytes(),), added


def _package_class(cls: type) -> type:
    """Return the class itself if this package defines it, else its nearest base that it does."""
    return next(base for base in cls.__mro__ if base.__module__.partition(".")[0] == "truebleu")
