"""Rows of statistics where they are stored: names, key, and what no text has."""

from __future__ import annotations

from truebleu._core import check_rows as core_check_rows
from truebleu.display import formatting
from truebleu.errors import InputError, StatsMismatchError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

MAGIC = b"truebleu-stats-1\n"
"""The layout of stored statistics, and its version."""

KEY = "key"
"""The column beside stored statistics that says under which settings they were counted."""

# The end of a counting key. What stands before may be the path of a model, with any text in it.
_SHAPE = r"\|orders:([1-9]\d{0,3})\|len:[a-z-]+(\|phantom:yes)?\Z"


def check_header(counting_key: str, width: int, fewest: int, most: int) -> None:
    """Refuse what stands above stored rows if it contradicts itself; raises InputError."""
    import re

    found = re.search(_SHAPE, counting_key)
    if found is None or width != 2 + 2 * int(found[1]) or not -1 <= fewest <= most:
        raise InputError(
            "these bytes were not written by BleuStats.to_bytes: their header says rows of "
            f"{width} numbers, and from {fewest} to {most} references, for {counting_key!r}"
        )


def group_numbers(groups: Any, size: int, count: int) -> NDArray[np.int64]:
    """Return the number of each row's group as int64.

    Raises
    ------
    InputError
        If there is not a number below `count` for each of `size` rows.
    """
    import numpy as np

    numbers = array(groups, "groups")
    if numbers.size == size == 0:
        return np.empty(0, np.int64)
    if numbers.shape != (size,) or numbers.dtype.kind not in "iu":
        raise InputError(
            f"groups is an array of {numbers.dtype} and shape {numbers.shape}; a whole number "
            f"for each of {formatting.count(size, 'row')} is needed"
        )
    least, most = int(numbers.min()), int(numbers.max())
    if not 0 <= least <= most < count:
        raise InputError(
            f"groups has numbers from {least} to {most}, but {count} groups have those from 0 to "
            f"{count - 1}"
        )
    return np.ascontiguousarray(numbers, np.int64)


def array(values: Any, name: str) -> NDArray[Any]:
    """Return values as an array; refuse what is masked.

    Raises
    ------
    InputError
        If some are masked, or they are no array.
    """
    import numpy as np

    # A list of masked arrays has a mask, too, and asarray would drop it.
    masked = isinstance(values, np.ma.MaskedArray) or (
        isinstance(values, list | tuple)
        and any(isinstance(each, np.ma.MaskedArray) for each in values)
    )
    if masked and np.ma.getmaskarray(np.ma.asarray(values)).any():
        raise InputError(f"statistics are whole numbers and never null, but {name} has masked ones")
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: rows of equal length are needed: {error}") from error


def field_names(width: int) -> tuple[str, ...]:
    """Name the numbers in a row of statistics."""
    orders = range(1, width // 2)
    return (
        "hyp_len",
        "ref_len",
        *(f"match_{order}" for order in orders),
        *(f"total_{order}" for order in orders),
    )


def stored_key(counting_key: str) -> int:
    """Return the number that stands for a counting key where statistics are stored.

    The first 8 bytes of the SHA-256 of the layout's version and the key, as a little-endian
    int64: the same in every process, on every machine and in every release.
    """
    from hashlib import sha256

    digest = sha256(MAGIC + counting_key.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little", signed=True)


def check_keys(keys: ArrayLike, counting_key: str) -> None:
    """Refuse stored statistics that were counted under other settings.

    Raises
    ------
    StatsMismatchError
        With the stored key, and the one that is expected.
    """
    import numpy as np

    expected = stored_key(counting_key)
    try:
        column = array(keys, KEY)
    except InputError as error:
        raise StatsMismatchError(f"keys of statistics are int64 and never null: {error}") from error
    if column.dtype.kind not in "iu":
        raise StatsMismatchError(f"keys of statistics are int64 and never null, not {column.dtype}")
    found = np.unique(column).tolist()
    others = [key for key in found if key != expected]
    if others:
        mixed = " and others" if len(found) > 1 else ""
        raise StatsMismatchError(
            f"these statistics have the key {others[0]}{mixed}, but those counted under "
            f"{counting_key} have the key {expected}: count or score with the same settings"
        )


def from_fields(table: Sequence[Any], counting_key: str, *keys: Any) -> bytes:
    """Turn columns, a field each, into rows; refuse rows that no text has.

    Parameters
    ----------
    table : sequence of columns
    counting_key : str
    *keys : columns
        What stands beside them: as long as they are.

    Raises
    ------
    InputError
        If a field has nulls, no whole numbers, or a row cannot be the counts of a text; or if the
        columns differ in length.
    """
    import numpy as np

    names = field_names(len(table))
    columns = [array(field, name) for field, name in zip(table, names, strict=True)]
    shapes = {column.shape for column in (*columns, *(array(key, KEY) for key in keys))}
    if len(shapes) > 1 or len(*shapes) != 1:
        found = " and ".join(map(str, sorted(shapes)))
        raise InputError(f"columns of equal length are needed, but their shapes are {found}")
    for name, column in zip(names, columns, strict=True):
        if column.dtype.kind not in "iu":
            raise InputError(
                f"statistics are whole numbers and never null, but {name} is {column.dtype}"
            )
    # Joined as they are, unsigned and signed numbers would become floats.
    return checked(np.stack([_signed(column) for column in columns], axis=1), counting_key)


def checked(rows: NDArray[np.integer], counting_key: str) -> bytes:
    """Return rows of whole numbers as bytes; refuse those that no text has."""
    data = _signed(rows).tobytes()
    check_rows(data, rows.shape[1], counting_key)
    return data


def _signed(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    import numpy as np

    if numbers.dtype.kind == "u" and numbers.size and numbers.max() > np.iinfo(np.int64).max:
        raise InputError("statistics are int64, but the array holds a larger number")
    return np.ascontiguousarray(numbers, "<i8")


def check_rows(data: bytes, width: int, counting_key: str) -> None:
    """Refuse rows that no text has; raises InputError."""
    core_check_rows(data, width, counting_key.endswith("|phantom:yes"))
