"""The settings of BLEU: their names, defaults and ranges."""

from __future__ import annotations

from truebleu._core import DIVIDING_SMOOTHINGS, REFERENCE_LENGTHS, SMOOTHINGS, UNICODE_FORMS
from truebleu.errors import SettingsError, SettingsWarning, UnknownNameError, warn
from truebleu.metrics.threads import whole_number
from truebleu.record import Frozen, kept

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypedDict

    from truebleu.tokenizers.registry import Tokenizer

    class BleuSettings(TypedDict, total=False):
        """Keyword arguments of :class:`truebleu.Bleu`, which explains them."""

        tokenizer: Tokenizer
        unicode_form: str | None
        lowercase: bool
        max_order: int | None
        weights: Sequence[float] | Sequence[Sequence[float]] | None
        smoothing: str
        smooth_value: float | None
        effective_order: bool | None
        reference_length: str
        phantom_ngrams: bool


DEFAULTS: dict[str, Any] = {
    "tokenizer": "13a",
    "unicode_form": None,
    "lowercase": False,
    "max_order": None,
    "weights": None,
    "smoothing": "exp",
    "smooth_value": None,
    "effective_order": None,
    "reference_length": "closest",
    "phantom_ngrams": False,
}

# Orders are few; a number like this is a mistake, and a row of statistics would be huge.
LARGEST_ORDER = 1000


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
    for name in ("lowercase", "phantom_ngrams"):
        if not isinstance(checked[name], bool):
            raise SettingsError(f"{name} is {checked[name]!r}; True or False is needed")
    if not isinstance(checked["effective_order"], bool | None):
        raise SettingsError(
            f"effective_order is {checked['effective_order']!r}; True, False or None is needed"
        )
    if checked["unicode_form"] is not None:
        _check_name(checked, "unicode_form", UNICODE_FORMS)
    _check_name(checked, "smoothing", SMOOTHINGS)
    _check_name(checked, "reference_length", REFERENCE_LENGTHS)
    checked["smooth_value"] = _smooth_value(checked["smoothing"], checked["smooth_value"])
    checked["max_order"], checked["weights"] = _orders(checked["max_order"], checked["weights"])
    return checked


def check_tokens(settings: dict[str, Any]) -> None:
    """Refuse settings that change text, where there is none."""
    if settings["lowercase"]:
        raise SettingsError(
            "lowercase needs text: with tokenizer=None, lower-case the tokens yourself"
        )
    if settings["unicode_form"] is not None:
        raise SettingsError(
            "unicode_form needs text: with tokenizer=None, normalize the tokens yourself"
        )


def _check_name(settings: dict[str, Any], setting: str, known: Any) -> None:
    name = settings[setting]
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError(f"{setting} {name!r} is unknown; choose one of {', '.join(known)}")


def _smooth_value(smoothing: str, value: Any) -> float | None:
    usual = SMOOTHINGS[smoothing]
    if value is None:
        return usual
    if usual is None:
        raise SettingsError(
            f"smoothing {smoothing!r} takes no smooth_value, but {value!r} is given"
        )
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if isinstance(value, bool | str) or not 0 <= number < float("inf"):
        raise SettingsError(f"smooth_value is {value!r}; a finite number from 0 up is needed")
    if number == 0 and smoothing in DIVIDING_SMOOTHINGS:
        raise SettingsError(f"smooth_value is 0, and smoothing {smoothing!r} divides by it")
    return number


def _orders(max_order: Any, weights: Any) -> tuple[int, tuple[tuple[float, ...], ...]]:
    """Bring the two settings about orders into agreement."""
    several = () if weights is None else _weight_lists(weights)
    longest = max(map(len, several), default=4)
    order = longest if max_order is None else whole_number(max_order)
    if order is None:
        raise SettingsError(f"max_order is {max_order!r}; a whole number is needed")
    if not 1 <= order <= LARGEST_ORDER:
        raise SettingsError(f"max_order is {order}; it must be from 1 to {LARGEST_ORDER:,}")
    if several and longest != order:
        raise SettingsError(
            f"there are weights for {longest} orders, but max_order is {order}; "
            "give as many weights, or leave max_order out"
        )
    # Written-out uniform weights are the default, to the last bit.
    if several == ((1 / order,) * order,):
        return order, ()
    return order, several


def _weight_lists(weights: Any) -> tuple[tuple[float, ...], ...]:
    try:
        lists = list(weights)
        if not lists or not hasattr(lists[0], "__iter__"):
            lists = [lists]
        several = tuple(tuple(float(weight) for weight in each) for each in lists)
    except (TypeError, ValueError, OverflowError) as error:
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
        # Thirds as 0.333 are rounded; as 0.33 they move the score.
        if abs(sum(each) - 1) > 0.005:
            warn(
                f"weights {each!r} add up to {sum(each):g}, not 1, so the score is not a "
                "weighted geometric mean",
                SettingsWarning,
            )
    return several


class Settings(Frozen):
    """One choice of settings, kept as attributes; equal if they are.

    Attributes
    ----------
    tokenizer_name : str
        The tokenizer as signatures have it.
    unicode : str or None
        The versions of Unicode that the tokens depend on, if they do.
    """

    __slots__ = ()
    effective_order: bool | None
    lowercase: bool
    max_order: int
    phantom_ngrams: bool
    reference_length: str
    smooth_value: float | None
    smoothing: str
    tokenizer: Tokenizer
    tokenizer_name: str
    unicode: str | None
    unicode_form: str | None
    weights: tuple[tuple[float, ...], ...]

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments.

        Returns
        -------
        dict
            ``Bleu(**bleu.settings()) == bleu``.
        """
        settings: dict[str, Any] = {name: getattr(self, name) for name in DEFAULTS}
        settings["weights"] = settings["weights"] or None
        return settings

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the settings, which need no second check, and what a subclass has added."""
        checked = {name: getattr(self, name) for name in DEFAULTS}
        base = next(kind for kind in type(self).__mro__ if "_set" in vars(kind))
        return _remake, (type(self), checked), kept(self, base)

    def __eq__(self, other: object) -> bool:
        """Compare the settings."""
        if not isinstance(other, Settings):
            return NotImplemented
        return self.settings() == other.settings()

    def __hash__(self) -> int:
        """Hash the settings."""
        return hash(tuple(self.settings().values()))

    def __repr__(self) -> str:
        """Write the settings down as a call."""
        settings = self.settings().items()
        return f"Bleu({', '.join(f'{name}={value!r}' for name, value in settings)})"


def _remake(kind: Any, checked: dict[str, Any]) -> Any:
    made = object.__new__(kind)
    made._set(checked)
    return made
