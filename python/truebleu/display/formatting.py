"""Numbers, counts and p-values as text: the one place that rounds them for people."""

from __future__ import annotations

# By its number: while Python looks up a name, Ctrl-C becomes a SyntaxError.
MINUS = "\u2212"


def with_minus(text: str) -> str:
    """Give negative numbers a minus for a hyphen."""
    import re  # Slow to load, and few numbers are negative.

    return re.sub(r"(?<![^\s\[(])-(?=\d)", MINUS, text)


"""The sign of negative numbers on pages and in papers, where a hyphen would be too short."""

# Decimals of a p-value; smaller ones get two significant digits instead.
_DECIMALS = 4

# More of them would be too many zeros to count.
_MOST_DECIMALS = 9


def decimals(value: float, form: str = ".2f") -> str:
    """Write a number as :func:`format` does, without a sign where only zeros are left of it."""
    text = format(value, form)
    if text[:1] in ("-", "+") and not text.strip("-+0."):
        return format(0.0, form.replace("+", ""))
    return text


def count(number: int, noun: str) -> str:
    """Write a number of things: ``1 test``, ``2 tests``, ``1,234 tests``."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def percent(share: float) -> str:
    """Write a share, such as a confidence level, in percent: ``95%``, ``99.99999%``."""
    return f"{100 * share:.12g}%"


FLOOR = "†"
"""The mark of a p-value that is the smallest that its number of trials can give."""


def p_value(value: float, *, at_floor: bool = False) -> str:
    """Write a p-value, and mark one that is the smallest that its number of trials can give."""
    return _trimmed(value, _p_decimals(value)) + FLOOR * at_floor


def greatest_p_value(value: float) -> str:
    """Write the greatest of several p-values, rounded up: ``≤ 0.0003`` holds for each of them."""
    from math import ceil

    places = _p_decimals(value)
    # The inner rounding keeps what is exact up to an error of floats from going up.
    return "≤ " + _trimmed(ceil(round(value * 10**places, 6)) / 10**places, places)


def _p_decimals(value: float) -> int:
    from math import floor, log10

    return 1 - floor(log10(value)) if 0 < value < 10.0 ** (1 - _DECIMALS) else _DECIMALS


def _trimmed(value: float, places: int) -> str:
    if places > _MOST_DECIMALS:
        return f"{value:.1e}"
    text = f"{value:.{places}f}"
    least = len("0.") + _DECIMALS
    return text[:least] + text[least:].rstrip("0")
