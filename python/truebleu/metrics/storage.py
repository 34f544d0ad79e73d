"""Stored statistics: the key of their settings, and the conversion of columns to rows."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import InputError, StatsMismatchError, UnknownNameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

MAGIC = b"truebleu-stats-2\n"
"""The first bytes of stored statistics, which name the layout and its version."""

# The first version of the layout had the same keys.
_KEYED = b"truebleu-stats-1\n"

DIGEST = 8
"""Bytes of the digest that stored statistics end with."""

KEY = "key"
"""The column of stored statistics that identifies the settings they were counted under."""


def packed(numbers: Iterable[int]) -> bytes:
    """Return numbers as little-endian int64; raises InputError if one is too large."""
    try:
        return b"".join(number.to_bytes(8, "little", signed=True) for number in numbers)
    except OverflowError:
        raise overflow() from None


def overflow() -> InputError:
    """Return an error about a sum that is too large."""
    return InputError("a sum of statistics does not fit into int64: add up fewer rows at a time")


def group_numbers(groups: Any, size: int, count: int) -> NDArray[np.int64]:
    """Check the group numbers of rows, and return them as int64."""
    import numpy as np

    numbers = array(groups, "groups")
    if numbers.size == size == 0:
        return np.empty(0, np.int64)
    if numbers.shape != (size,) or numbers.dtype.kind not in "iu":
        raise InputError(
            f"groups has dtype {numbers.dtype} and shape {numbers.shape}; one whole number for "
            f"each of {formatting.count(size, 'row')} is needed"
        )
    least, most = int(numbers.min()), int(numbers.max())
    if not 0 <= least <= most < count:
        raise InputError(
            f"groups has numbers from {least} to {most}, but {count} groups are numbered from 0 to "
            f"{count - 1}"
        )
    return np.ascontiguousarray(numbers, np.int64)


def array(values: Any, name: str) -> NDArray[Any]:
    """Convert values to an array."""
    import numpy as np

    # The mask of a masked array in a list counts too; asarray would drop it.
    masked = isinstance(values, np.ma.MaskedArray) or (
        isinstance(values, list | tuple)
        and any(isinstance(each, np.ma.MaskedArray) for each in values)
    )
    if masked and np.ma.getmaskarray(np.ma.asarray(values)).any():
        raise InputError(
            f"statistics are whole numbers and never null, but {name} has masked values"
        )
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: rows of equal length are needed: {error}") from error


def digest(stored: bytes) -> bytes:
    """Return what shows that stored bytes are whole: the first bytes of their SHA-256."""
    from hashlib import sha256

    return sha256(stored).digest()[:DIGEST]


def stored_key(counting_key: str) -> int:
    """Return the number that identifies a counting key: the same everywhere, in every release."""
    from hashlib import sha256

    digest = sha256(_KEYED + counting_key.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


def check_columns(
    fields: Iterable[str], available: Container[str], kind: type[Exception] = UnknownNameError
) -> None:
    """Refuse stored statistics that lack a column: one of the fields, or ``key``."""
    for name in (*fields, KEY):
        if name not in available:
            raise kind(
                f"there is no column {name!r}; statistics are stored in the columns "
                f"{', '.join(fields)} and {KEY}; those of another metric need metric="
            )


def check_keys(keys: ArrayLike, counting_key: str) -> None:
    """Check that stored statistics were counted under the expected settings."""
    import numpy as np

    expected = stored_key(counting_key)
    column = array(keys, KEY)
    if column.dtype.kind not in "iu":
        raise StatsMismatchError(f"keys of statistics are int64 and never null, not {column.dtype}")
    distinct = np.unique(column).tolist()
    unexpected = [key for key in distinct if key != expected]
    if unexpected:
        mixed = " and others" if len(distinct) > 1 else ""
        raise StatsMismatchError(
            f"these statistics have the key {unexpected[0]}{mixed}, but those counted under "
            f"{counting_key} have the key {expected}: count or score with the same settings"
        )


def from_columns(columns: Sequence[Any], names: Sequence[str], *keys: Any) -> NDArray[np.int64]:
    """Convert columns, one per field, to rows; columns `keys` must be as long."""
    import numpy as np

    arrays = [_decimals(array(each, name)) for each, name in zip(columns, names, strict=True)]
    shapes = {each.shape for each in (*arrays, *(array(key, KEY) for key in keys))}
    if len(shapes) > 1 or len(*shapes) != 1:
        different = " and ".join(map(str, sorted(shapes)))
        raise InputError(f"columns of equal length are needed, but their shapes are {different}")
    for name, column in zip(names, arrays, strict=True):
        if column.dtype.kind not in "iu":
            raise InputError(
                f"statistics are whole numbers and never null, but {name} is {column.dtype}"
            )
    # Stacking unsigned and signed columns without a conversion would give floats.
    return np.stack([int64(column) for column in arrays], axis=1)


def _decimals(column: NDArray[Any]) -> NDArray[Any]:
    """Convert decimals that are whole numbers, as sums in DuckDB are; leave anything else."""
    from decimal import Decimal

    if column.dtype.kind != "O" or not all(isinstance(each, Decimal) for each in column.flat):
        return column
    import numpy as np

    # NaN and infinity are no whole numbers either.
    if not all(each.is_finite() and each == each.to_integral_value() for each in column.flat):
        return column
    numbers = [int(each) for each in column.flat]
    if any(abs(number) >> 63 for number in numbers):
        raise InputError("statistics are int64, but the array holds a larger number")
    return np.array(numbers, np.int64).reshape(column.shape)


def int64(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """Convert integers to little-endian int64; raises InputError if one is too large."""
    import numpy as np

    if numbers.dtype.kind == "u" and numbers.size and numbers.max() > np.iinfo(np.int64).max:
        raise InputError("statistics are int64, but the array holds a larger number")
    return np.ascontiguousarray(numbers, "<i8")
