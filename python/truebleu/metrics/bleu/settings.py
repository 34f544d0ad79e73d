"""The settings of BLEU: their names, defaults and ranges."""

from __future__ import annotations

from collections.abc import Mapping

from truebleu._core import DIVIDING_SMOOTHINGS, REFERENCE_LENGTHS, SMOOTHINGS, UNICODE_FORMS
from truebleu.errors import SettingsError, SettingsWarning, warn, written
from truebleu.metrics import setting_checks
from truebleu.record import Record, added_attributes, plain
from truebleu.suggestions import unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, TypedDict

    from typing_extensions import Self

    from truebleu.tokenizers.registry import Tokenizer

    Smoothing = (
        Literal["none", "floor", "add-k", "exp", "lin-och", "nist", "skip-zero", "compare-mt"]
        | Literal["method0", "method1", "method2", "method3"]
        | Literal["method4", "method5", "method6", "method7"]
    )
    ReferenceLength = Literal["closest", "closest-first", "shortest", "longest", "average"]
    UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]

    class BleuSettings(TypedDict, total=False):
        """Keyword arguments of :class:`truebleu.Bleu`; see there."""

        tokenizer: Tokenizer
        unicode_form: UnicodeForm | None
        lowercase: bool
        max_order: int | None
        weights: Sequence[float] | Sequence[Sequence[float]] | None
        smoothing: Smoothing
        smooth_value: float | None
        effective_order: bool | None
        reference_length: ReferenceLength
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


def check(settings: BleuSettings) -> dict[str, Any]:
    """Check settings, and fill in the defaults.

    Parameters
    ----------
    settings : BleuSettings
        The settings that the caller has passed.

    Returns
    -------
    dict
        All settings; the tokenizer is not checked. `weights` is a tuple of tuples, empty if
        uniform; `smooth_value` is filled in if the smoothing takes one.

    Raises
    ------
    SettingsError
        If a setting is unknown, outside its range, or conflicts with another.
    """
    setting_checks.check_names(settings, DEFAULTS)
    checked = {**DEFAULTS, **settings}
    for name in ("lowercase", "phantom_ngrams"):
        setting_checks.flag(name, checked[name])
    if not isinstance(checked["effective_order"], bool | None):
        given = written(checked["effective_order"])
        raise SettingsError(f"effective_order is {given}; True, False or None is needed")
    if checked["unicode_form"] is not None:
        _check_name(checked, "unicode_form", UNICODE_FORMS)
    _check_name(checked, "smoothing", SMOOTHINGS)
    _check_name(checked, "reference_length", REFERENCE_LENGTHS)
    checked["smooth_value"] = _smooth_value(checked["smoothing"], checked["smooth_value"])
    checked["max_order"], checked["weights"] = _orders(checked["max_order"], checked["weights"])
    return checked


def check_tokens(settings: dict[str, Any]) -> None:
    """Raise SettingsError for settings that change text, because the input is already tokens."""
    if settings["lowercase"]:
        raise SettingsError(
            "lowercase needs text: with tokenizer='pretokenized', lower-case the tokens yourself"
        )
    if settings["unicode_form"] is not None:
        raise SettingsError(
            "unicode_form needs text: with tokenizer='pretokenized', normalize the tokens yourself"
        )


def _check_name(settings: dict[str, Any], setting: str, known: Any) -> None:
    name = settings[setting]
    if not isinstance(name, str) or name not in known:
        raise unknown_name(setting, name, known)


def _smooth_value(smoothing: str, value: Any) -> float | None:
    default = SMOOTHINGS[smoothing]
    if value is None:
        return default
    if default is None:
        raise SettingsError(
            f"smoothing {smoothing!r} takes no smooth_value, but {written(value)} is given"
        )
    number = setting_checks.number("smooth_value", value)
    if number == 0 and smoothing in DIVIDING_SMOOTHINGS:
        raise SettingsError(f"smooth_value is 0, and smoothing {smoothing!r} divides by it")
    return number


def _orders(max_order: Any, weights: Any) -> tuple[int, tuple[tuple[float, ...], ...]]:
    """Derive the highest order from the weights, or the other way round, and check both."""
    lists = () if weights is None else _weight_lists(weights)
    longest = max(map(len, lists), default=4)
    order = setting_checks.order("max_order", longest if max_order is None else max_order)
    if lists and longest != order:
        raise SettingsError(
            f"there are weights for {longest} orders, but max_order is {order}; "
            "give as many weights, or leave max_order out"
        )
    # Uniform weights that are written out give the same score as the default, to the last bit.
    if lists == ((1 / order,) * order,):
        return order, ()
    return order, lists


def _weight_lists(weights: Any) -> tuple[tuple[float, ...], ...]:
    try:
        items = list(weights)
        if not items or not hasattr(items[0], "__iter__"):
            items = [items]
        if any(isinstance(each, str | bytes | bytearray | Mapping) for each in (weights, *items)):
            raise TypeError  # Digits and bytes are numbers, too, but not these.
        lists = tuple(tuple(float(weight) for weight in each) for each in items)
    except (TypeError, ValueError, OverflowError) as error:
        raise SettingsError(
            f"weights is {written(weights)}; a sequence of numbers, or several such sequences, is "
            "needed"
        ) from error
    for each in lists:
        if not each or not all(0 <= weight < float("inf") for weight in each):
            raise SettingsError(
                f"weights {each!r}: one finite number from 0 up per order is needed"
            )
        if not any(each):
            raise SettingsError(f"weights {each!r} are all 0")
        # 0.333 for a third is rounding; 0.33 changes the score.
        if abs(sum(each) - 1) > 0.005:
            warn(
                f"weights {each!r} add up to {sum(each):g}, not 1, so the score is not a "
                "weighted geometric mean",
                SettingsWarning,
            )
    return lists


class Settings(Record):
    """The settings of BLEU, as attributes; compares equal if all settings are equal.

    Attributes
    ----------
    tokenizer_name : str
        The name of the tokenizer in signatures.
    unicode : str or None
        The versions of Unicode that the tokens depend on; None if they depend on none.
    """

    __slots__ = ()
    effective_order: bool | None
    lowercase: bool
    max_order: int
    phantom_ngrams: bool
    reference_length: ReferenceLength
    smooth_value: float | None
    smoothing: Smoothing
    tokenizer: Tokenizer
    tokenizer_name: str
    unicode: str | None
    unicode_form: UnicodeForm | None
    weights: tuple[tuple[float, ...], ...]

    def settings(self) -> dict[str, Any]:
        """Return the settings as keyword arguments.

        Returns
        -------
        dict
            Arguments for an equal metric: ``Bleu(**bleu.settings()) == bleu``.
        """
        settings: dict[str, Any] = {name: getattr(self, name) for name in DEFAULTS}
        settings["weights"] = settings["weights"] or None
        return settings

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain Python values; the tokenizer by its name."""
        return {**plain(self.settings()), "tokenizer": self.tokenizer_name}

    def replace(self, **changes: Any) -> Self:
        """Return the same metric with other settings."""
        make: Any = type(self)
        made: Self = make(**{**self.settings(), **changes})
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the checked settings, and attributes that a subclass has added."""
        checked = {name: getattr(self, name) for name in DEFAULTS}
        base = next(cls for cls in type(self).__mro__ if "_set" in vars(cls))
        return _restore, (type(self), checked), added_attributes(self, base)

    def __eq__(self, other: object) -> bool:
        """Compare the settings."""
        if not isinstance(other, Settings):
            return NotImplemented
        return self.settings() == other.settings()

    def __hash__(self) -> int:
        """Hash the settings."""
        return hash(tuple(self.settings().values()))

    def __repr__(self) -> str:
        """Return the settings as a call of Bleu."""
        settings = self.settings().items()
        return f"Bleu({', '.join(f'{name}={value!r}' for name, value in settings)})"


def _restore(cls: Any, checked: dict[str, Any]) -> Any:
    restored = object.__new__(cls)
    restored._set(checked)
    return restored
