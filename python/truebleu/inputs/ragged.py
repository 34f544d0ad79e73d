"""Token ids of many segments in one array."""

from __future__ import annotations

from truebleu._core import unpadded
from truebleu.display.formatting import count
from truebleu.display.shown import Result
from truebleu.errors import InputError, InputTypeError, written, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Ints = NDArray[np.int64]


RAW = (str, bytes, bytearray, memoryview)
"""Types whose items are characters or bytes, not tokens, although they are sequences."""


def contiguous(array: Any) -> Any:
    """Return the array as the core reads it; only one of an unusual layout is copied."""
    import numpy as np

    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))


def _id(number: int | None, name: str) -> int | None:
    """Check the id of padding or of the end; a number that no array can have becomes None."""
    from operator import index

    try:
        whole = None if number is None else index(number)
    except TypeError:
        raise InputTypeError(f"{name} is {written(number)}; a whole number is needed") from None
    return whole if whole is not None and abs(whole) < 1 << 64 else None


def _pads(pad: Any) -> list[int]:
    """Check the id of padding, or several."""
    try:
        several = [*pad]
    except TypeError:
        several = [pad]
    ids = {_id(each, "pad") for each in several}
    return [each for each in ids if each is not None]


def negative_id(name: str, index: int, number: int) -> InputError:
    """Return the error for an item of `name` with a negative id."""
    return InputError(
        f"{name}: item {index:,} has the ID {number}, but a negative ID is no token; to drop "
        f"padding, give pad={number}, or several IDs as pad=[0, {number}], to token_rewards or "
        "Ragged.from_padded"
    )


class Ragged(Result):
    """Token ids of many segments in one array.

    Segment ``i`` is ``values[offsets[i]:offsets[i + 1]]``.

    >>> import truebleu
    >>> truebleu.Ragged.from_padded([[5, 6, 0], [7, 0, 0]], pad=0)
    <Ragged: 2 segments, 3 IDs>

    Parameters
    ----------
    values : array_like of int, one-dimensional
        The token ids of all segments: signed or unsigned integers of 8 to 64 bits, not bytes.
    offsets : array_like of int, one more than there are segments
        Never decreasing, from 0 to the number of values.
    """

    __module__ = "truebleu"

    __slots__ = ("offsets", "values")
    offsets: ArrayLike
    values: ArrayLike

    def __init__(self, values: ArrayLike, offsets: ArrayLike) -> None:
        """Keep the two; their numbers are checked when they are scored.

        Raises
        ------
        InputTypeError
            If one of them is not an array.
        """
        for name, array in (("values", values), ("offsets", offsets)):
            if isinstance(array, type) or not hasattr(array, "__len__"):
                raise wrong_type(name, array, "an array is needed")
        self._fill(values=values, offsets=offsets)

    # The truth value of comparing two arrays is an error.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"<Ragged: {count(len(self), 'segment')}, {count(len(self.values), 'ID')}>"  # type: ignore[arg-type]

    def __len__(self) -> int:
        return max(len(self.offsets) - 1, 0)  # type: ignore[arg-type]  # Any array has a length.

    @classmethod
    def from_padded(
        cls,
        ids: ArrayLike,
        *,
        pad: int | Iterable[int] | None = None,
        end_of_sequence: int | None = None,
    ) -> Ragged:
        """Read a batch of padded token ids, one segment per row, as models take and return it.

        Parameters
        ----------
        ids : array_like of int, shape (segments, length)
            CPU tensors are accepted, too.
        pad : int or iterable of int, optional
            The id of padding, or several, such as ``[0, -100]``; dropped wherever they stand.
        end_of_sequence : int, optional
            The id that ends a segment; it and everything after it are dropped.

        Returns
        -------
        Ragged

        Raises
        ------
        InputTypeError
            If it is not a two-dimensional array of integers, or an id is not a whole number.
        InputError
            If a negative id is left, which is no token.
        """
        return cls._from_padded("ids", ids, pad, end_of_sequence)

    @classmethod
    def _from_padded(cls, name: str, ids: Any, pad: Any, end_of_sequence: Any) -> Ragged:
        import numpy as np

        if isinstance(ids, RAW):
            raise InputTypeError(f"an array of integers is needed, not {type(ids).__name__}")
        try:
            table = np.asarray(ids)
        except ValueError as error:
            raise InputTypeError(f"an array of integers is needed: {error}") from None
        if table.ndim != 2 or table.dtype.kind not in "iu":
            raise InputTypeError(
                f"a two-dimensional array of integers is needed, not one of {table.dtype} with "
                f"{table.ndim} dimensions"
            )
        values, offsets = unpadded(
            contiguous(table),
            table.shape[1],
            pads=_pads(pad),
            end_of_sequence=_id(end_of_sequence, "end_of_sequence"),
        )
        if not table.size:
            return cls(table.ravel(), np.zeros(len(table) + 1, np.int64))
        native = table.dtype.newbyteorder("=")
        found = cls(np.frombuffer(values, native), np.frombuffer(offsets, "<i8"))
        found.arrays(name)
        return found

    def arrays(self, name: str) -> tuple[Any, Ints]:
        """Check and return values and offsets; messages call them `name`."""
        import numpy as np

        if isinstance(self.values, RAW) or isinstance(self.offsets, RAW):
            raise InputTypeError(f"{name}: Ragged needs two arrays of integers, not bytes")
        values, offsets = np.asarray(self.values), np.asarray(self.offsets)
        if values.ndim != 1 or offsets.ndim != 1 or values.dtype.kind not in "iu":
            raise InputTypeError(f"{name}: Ragged needs two one-dimensional arrays of integers")
        if offsets.dtype.kind not in "iu" or len(offsets) == 0:
            raise InputTypeError(f"{name}: Ragged needs integer offsets, one more than segments")
        if offsets[0] != 0 or offsets[-1] != len(values) or (offsets[1:] < offsets[:-1]).any():
            raise InputTypeError(
                f"{name}: the offsets of Ragged must rise from 0 to the number of values, "
                f"{len(values):,}"
            )
        if len(values) and values.min() < 0:
            first = (values < 0).argmax()
            index = int(offsets.searchsorted(first, "right")) - 1
            raise negative_id(name, index, int(values[first]))
        return values, offsets.astype(np.int64, copy=False)

    def for_core(self, name: str) -> tuple[Any, Ints] | None:
        """Return values and offsets, not copied; None if a value does not fit into int64."""
        import numpy as np

        values, offsets = self.arrays(name)
        if values.dtype == np.uint64 and len(values) and values.max() > np.iinfo(np.int64).max:
            return None
        return contiguous(values), offsets

    def split(self, name: str) -> list[Any]:
        """Return one array per segment."""
        from itertools import pairwise

        values, offsets = self.arrays(name)
        return [values[start:end] for start, end in pairwise(offsets)]
