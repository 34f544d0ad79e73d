"""Numbers that callers give, and the number of threads."""

from __future__ import annotations

import os

from truebleu.errors import SettingsError, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PROCESSORS = os.cpu_count() or 1

MOST_PER_PROCESSOR = 4
"""Threads for each processor, at most: those that wait for one gain nothing."""


def whole_number(number: Any) -> int | None:
    """Convert an integer of Python or NumPy to int; return None for anything else."""
    try:
        return None if isinstance(number, bool) else int(number.__index__())
    except (AttributeError, TypeError):
        return None


def real_number(number: Any) -> float:
    """Convert a real number, also a fraction or one of NumPy, to float; NaN for anything else."""
    from numbers import Complex, Number, Real

    # A Decimal is a number that is not complex.
    is_real = isinstance(number, Real) or not isinstance(number, Complex)
    is_number = isinstance(number, Number) and not isinstance(number, bool)
    try:
        return float(number if is_number and is_real else "nan")
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def number_within(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number that is at least, and at most, as large as others."""
    number = whole_number(value)
    if number is None or number < least or (most is not None and number > most):
        upper = "up" if most is None else f"to {most:,}"
        raise SettingsError(
            f"{name} is {written(value)}; a whole number from {least} {upper} is needed"
        )
    return number


def thread_count(threads: int | None) -> int:
    """Return the number of threads, by default TRUEBLEU_THREADS; at most four per processor."""
    name, number = "threads", whole_number(threads)
    given: object = threads
    if given is None:
        value = os.environ.get("TRUEBLEU_THREADS")
        if value is None:
            return _PROCESSORS
        name, given = "TRUEBLEU_THREADS", value
        number = int(value) if value.isdecimal() and len(value) < 20 else None
    if number is None or number < 1:
        raise SettingsError(f"{name} is {written(given)}; a whole number from 1 up is needed")
    return min(number, MOST_PER_PROCESSOR * _PROCESSORS)
