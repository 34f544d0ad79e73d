"""The settings of BLEU: their names, defaults and ranges."""

from __future__ import annotations

import os

from truebleu import _core
from truebleu.errors import SettingsError, SettingsWarning, UnknownNameError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypedDict

    from truebleu.tokenization import Tokenizer

    class BleuSettings(TypedDict, total=False):
        """Keyword arguments of :class:`truebleu.Bleu`, which explains them."""

        tokenizer: Tokenizer
        lowercase: bool
        max_order: int | None
        weights: Sequence[float] | Sequence[Sequence[float]] | None
        smoothing: str
        smooth_value: float | None
        effective_order: bool
        reference_length: str


DEFAULTS: dict[str, Any] = {
    "tokenizer": "13a",
    "lowercase": False,
    "max_order": None,
    "weights": None,
    "smoothing": "exp",
    "smooth_value": None,
    "effective_order": False,
    "reference_length": "closest",
}

# Orders are few; a number like this is a mistake, and a row of statistics would be huge.
_LARGEST_ORDER = 1000


def check(settings: BleuSettings) -> dict[str, Any]:
    """Complete settings with the defaults and bring them into one form.

    Parameters
    ----------
    settings : BleuSettings
        What the caller has chosen.

    Returns
    -------
    dict
        All settings but the tokenizer checked; weights as a tuple of tuples, empty if uniform;
        smooth_value filled in if the smoothing takes one.

    Raises
    ------
    SettingsError
        If a setting is unknown, outside its range, or at odds with another.
    """
    for name in settings:
        if name not in DEFAULTS:
            raise SettingsError(f"setting {name!r} is unknown; there are {', '.join(DEFAULTS)}")
    checked = {**DEFAULTS, **settings}
    for name in ("lowercase", "effective_order"):
        if not isinstance(checked[name], bool):
            raise SettingsError(f"{name} is {checked[name]!r}; True or False is needed")
    _check_name(checked, "smoothing", _core.SMOOTHINGS)
    _check_name(checked, "reference_length", _core.REFERENCE_LENGTHS)
    checked["smooth_value"] = _smooth_value(checked["smoothing"], checked["smooth_value"])
    checked["max_order"], checked["weights"] = _orders(checked["max_order"], checked["weights"])
    return checked


def _check_name(settings: dict[str, Any], setting: str, known: Any) -> None:
    name = settings[setting]
    if name not in known:
        raise UnknownNameError(f"{setting} {name!r} is unknown; choose one of {', '.join(known)}")


def _smooth_value(smoothing: str, value: Any) -> float | None:
    usual = _core.SMOOTHINGS[smoothing]
    if value is None:
        return usual
    if usual is None:
        raise SettingsError(
            f"smoothing {smoothing!r} takes no smooth_value, but {value!r} is given"
        )
    if not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise SettingsError(f"smooth_value is {value!r}; a finite number from 0 up is needed")
    return float(value)


def _orders(max_order: Any, weights: Any) -> tuple[int, tuple[tuple[float, ...], ...]]:
    """Bring the two settings about orders into agreement."""
    if max_order is not None and (not isinstance(max_order, int) or isinstance(max_order, bool)):
        raise SettingsError(f"max_order is {max_order!r}; a whole number is needed")
    if max_order is not None and not 1 <= max_order <= _LARGEST_ORDER:
        raise SettingsError(f"max_order is {max_order}; it must be from 1 to {_LARGEST_ORDER:,}")
    if weights is None:
        return max_order or 4, ()
    several = _weight_lists(weights)
    longest = max(map(len, several))
    if max_order is None:
        max_order = longest
    elif longest != max_order:
        raise SettingsError(
            f"there are weights for {longest} orders, but max_order is {max_order}; "
            "give as many weights, or leave max_order out"
        )
    # Written-out uniform weights are the default, to the last bit.
    if several == ((1 / max_order,) * max_order,):
        return max_order, ()
    return max_order, several


def _weight_lists(weights: Any) -> tuple[tuple[float, ...], ...]:
    try:
        lists = list(weights)
        if not lists or not hasattr(lists[0], "__iter__"):
            lists = [lists]
        several = tuple(tuple(float(weight) for weight in each) for each in lists)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"weights is {weights!r}; a sequence of numbers, or several such sequences, is needed"
        ) from error
    for each in several:
        if not each or not all(0 <= weight < float("inf") for weight in each):
            raise SettingsError(
                f"weights {each!r}: one finite number from 0 up per order is needed"
            )
        if not any(each):
            raise SettingsError(f"weights {each!r} are all 0")
        if abs(sum(each) - 1) > 0.02:
            import warnings

            warnings.warn(
                f"weights {each!r} add up to {sum(each):g}, not 1: the score is not a mean",
                SettingsWarning,
                stacklevel=5,
            )
    return several


def thread_count(threads: int | None) -> int:
    """Return how many threads to use.

    Raises
    ------
    SettingsError
        If it is not a whole number from 1 up.
    """
    if threads is None:
        value = os.environ.get("TRUEBLEU_THREADS")
        if value is None:
            return os.cpu_count() or 1
        threads = int(value) if value.isdecimal() else 0
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise SettingsError("threads (or TRUEBLEU_THREADS) must be a whole number from 1 up")
    return threads
