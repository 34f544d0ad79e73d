"""How many threads to use."""

from __future__ import annotations

import os

from truebleu.errors import SettingsError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

# No machine has more processors; a larger number means as many as there are.
_MOST_THREADS = 1 << 16


def whole_number(number: Any) -> int | None:
    """Return an int, Python's or NumPy's, as Python's; None if it is none."""
    try:
        return None if isinstance(number, bool) else int(number.__index__())
    except (AttributeError, TypeError):
        return None


def _processors() -> int:
    """Return how many processors there are; asking the system takes longer than a sentence."""
    global _known_processors  # noqa: PLW0603
    if not _known_processors:
        _known_processors = os.cpu_count() or 1
    return _known_processors


_known_processors = 0


def thread_count(threads: int | None) -> int:
    """Return how many threads to use.

    Raises
    ------
    SettingsError
        If it is not a whole number from 1 up.
    """
    name, given, number = "threads", repr(threads), whole_number(threads)
    if threads is None:
        value = os.environ.get("TRUEBLEU_THREADS")
        if value is None:
            return _processors()
        name, given = "TRUEBLEU_THREADS", repr(value)
        number = int(value) if value.isdecimal() else None
    if number is None or number < 1:
        raise SettingsError(f"{name} is {given}; a whole number from 1 up is needed")
    return min(number, _MOST_THREADS)
