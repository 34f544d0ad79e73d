"""Checks of single settings, and what to say if one is wrong."""

from __future__ import annotations

from truebleu.errors import SettingsError, written
from truebleu.metrics.threads import whole_number
from truebleu.suggestions import meant_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SEVERAL_METRICS = (
    "only compare takes several metrics; here, metric= is one metric, such as metric='chrf'"
)
"""What to say if ``metrics`` is passed where one metric is computed."""

LARGEST_ORDER = 1000
"""Larger orders are mistakes, and would make rows of statistics huge."""


def check_names(settings: Iterable[str], known: Iterable[str]) -> None:
    """Check that all settings are known.

    Raises
    ------
    SettingsError
        If one is not; the message lists those that are.
    """
    known = list(known)
    for name in settings:
        if name == "metrics":
            raise SettingsError(SEVERAL_METRICS)
        if name not in known:
            raise SettingsError(
                f"setting {name!r} is unknown; choose one of {', '.join(known)}"
                f"{meant_setting(name, known)}"
            )


def flag(name: str, value: Any) -> bool:
    """Return a setting that is True or False.

    Raises
    ------
    SettingsError
        If it is something else.
    """
    if not isinstance(value, bool):
        raise SettingsError(f"{name} is {written(value)}; True or False is needed")
    return value


def order(name: str, value: Any, smallest: int = 1) -> int:
    """Return a setting that is an n-gram order.

    Raises
    ------
    SettingsError
        If it is not a whole number, or outside the range.
    """
    number = whole_number(value)
    if number is None:
        raise SettingsError(f"{name} is {written(value)}; a whole number is needed")
    if not smallest <= number <= LARGEST_ORDER:
        raise SettingsError(
            f"{name} is {written(number)}; it must be from {smallest} to {LARGEST_ORDER:,}"
        )
    return number


def layout_number(name: str, value: Any) -> int:
    """Return a number of decimals, or of spaces of indentation.

    Raises
    ------
    SettingsError
        If it is not a whole number from 0 to 100.
    """
    number = whole_number(value)
    if number is None or not 0 <= number <= 100:
        raise SettingsError(f"{name} is {written(value)}; a whole number from 0 to 100 is needed")
    return number


def number(name: str, value: Any) -> float:
    """Return a setting that is a finite number from 0 up.

    Raises
    ------
    SettingsError
        If it is something else.
    """
    try:
        checked = float(value)
    except (TypeError, ValueError, OverflowError):
        checked = -1.0
    if isinstance(value, bool | str) or not 0 <= checked < float("inf"):
        raise SettingsError(f"{name} is {written(value)}; a finite number from 0 up is needed")
    return checked
