"""Rows of statistics where they are stored: names, key, and what no text has."""

from __future__ import annotations

from truebleu._core import check_rows as core_check_rows
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
    column = np.asarray(keys)
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


def from_fields(table: Sequence[Any], counting_key: str) -> bytes:
    """Turn columns, a field each, into rows; refuse rows that no text has.

    Raises
    ------
    InputError
        If a field has nulls, no whole numbers, or a row cannot be the counts of a text.
    """
    import numpy as np

    names = field_names(len(table))
    columns = [np.asarray(field) for field in table]
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
    core_check_rows(data, width, "phantom:yes" in counting_key.split("|"))
