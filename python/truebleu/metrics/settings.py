"""The settings of a metric: one row of a table for each, from which all else follows."""

from __future__ import annotations

from truebleu._core import UNICODE_FORMS
from truebleu.errors import SettingsError, written
from truebleu.inputs.numbers import number_within, real_number, whole_number
from truebleu.metrics.signature import VERSION, Field, Grammar, outside_fields, references_field
from truebleu.record import Record
from truebleu.suggestions import meant_setting, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any, Literal

    UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]

SEVERAL_METRICS = (
    "only compare takes several metrics; here, metric= is one metric, such as metric='chrf'"
)
"""What to say if ``metrics`` is passed where one metric is computed."""

LARGEST_ORDER = 1000
"""Larger orders are mistakes, and would make rows of statistics huge."""


class Setting(Record):
    """A setting of a metric.

    `check` takes the name and what was given, and returns the value to keep; without one, it is
    checked elsewhere. A setting without a `field` is shown with another one. The `option` of the
    command is what it takes (a function of a word, bool for ``--x`` and ``--no-x``, or None for a
    flag), what that is called, and help.
    """

    name: str
    default: Any = None
    check: Callable[[str, Any], Any] | None = None
    field: Field | None = None
    option: tuple[Any, str, str]


class Table:
    """The settings of a metric, in the order of its ``repr``; `owner` is its class.

    `signature` has the keys of the fields of signatures in their order, `others` the fields that
    are not settings. `together` checks settings that depend on each other, in a dict of all, which
    it may change.
    """

    def __init__(
        self,
        owner: str,
        *settings: Setting,
        signature: str,
        others: tuple[Field, ...] = (),
        together: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.owner = owner
        self.settings = settings
        self.defaults = {each.name: each.default for each in settings}
        self._together = together
        fields = {field.key: field for field in others}
        for each in settings:
            if each.field is not None:
                names = each.field.attributes or (each.name,)
                about = each.option[-1].partition(" (")[0].partition(":")[0]
                fields[each.field.key] = each.field.replace(attributes=names, about=about)
        self.grammar = Grammar(
            references_field(owner),
            *(fields[key] for key in signature.split()),
            VERSION,
            *outside_fields(owner),
        )

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check settings, and fill in the defaults."""
        check_names(given, self.defaults)
        checked = dict(self.defaults)
        for each in self.settings:
            if each.name in given and given[each.name] is not each.default:
                value = given[each.name]
                checked[each.name] = each.check(each.name, value) if each.check else value
        if self._together is not None:
            self._together(checked)
        return checked


def check_names(settings: Iterable[str], known: Iterable[str]) -> None:
    """Raise SettingsError, which lists the settings that are known, unless all are."""
    known = list(known)
    for name in settings:
        if name == "metrics":
            raise SettingsError(SEVERAL_METRICS)
        if name not in known:
            raise SettingsError(
                f"setting {name!r} is unknown; choose one of {', '.join(known)}"
                f"{meant_setting(name, known)}"
            )


def checked_progress(progress: Any) -> None:
    """Check that progress can be reported to this: a function, or None."""
    if progress is not None and not callable(progress):
        raise SettingsError(
            f"progress is {written(progress)}; a function of two numbers, done and total, is needed"
        )


def flag(name: str, value: Any) -> bool:
    """Return a setting that is True or False."""
    value = _of_python(value)
    if not isinstance(value, bool):
        raise SettingsError(f"{name} is {written(value)}; True or False is needed")
    return value


def _of_python(value: Any) -> Any:
    """Return NumPy's True and False as Python's; NumPy need not be loaded for that."""
    kind = type(value)
    named = kind.__module__, kind.__name__.rstrip("_")
    return bool(value) if named == ("numpy", "bool") else value


def switch(name: str, field: Field, about: str) -> Setting:
    """Create a setting that is off by default, and an option that turns it on."""
    return Setting(name=name, default=False, check=flag, field=field, option=(None, "", about))


def unicode_form(counting: int | None = None) -> Setting:
    """Create the setting of the Unicode normal form that text is converted to first."""
    return Setting(
        name="unicode_form",
        check=optional(one_of(UNICODE_FORMS)),
        field=Field(key="form", read=str, default="none", counting=counting),
        option=(str, "FORM", f"Unicode normal form of the text: one of {', '.join(UNICODE_FORMS)}"),
    )


def flag_or_none(name: str, value: Any) -> bool | None:
    """Return a setting that is True, False or None."""
    value = _of_python(value)
    if not isinstance(value, bool | None):
        raise SettingsError(f"{name} is {written(value)}; True, False or None is needed")
    return value


def one_of(names: Collection[str]) -> Callable[[str, Any], str]:
    """Return the check of a setting that is one of some names."""

    def check(setting: str, name: Any) -> str:
        if not isinstance(name, str) or name not in names:
            raise unknown_name(setting, name, names)
        return name

    return check


def optional(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    """Return the check of a setting that may also be None."""
    return lambda name, value: None if value is None else check(name, value)


def order(name: str, value: Any, smallest: int = 1) -> int:
    """Return a setting that is an n-gram order, from `smallest` up."""
    number = whole_number(value)
    if number is None:
        raise SettingsError(f"{name} is {written(value)}; a whole number is needed")
    if not smallest <= number <= LARGEST_ORDER:
        raise SettingsError(
            f"{name} is {written(number)}; it must be from {smallest} to {LARGEST_ORDER:,}"
        )
    return number


def order_or_zero(name: str, value: Any) -> int:
    """Return a setting that is an n-gram order, or 0."""
    return order(name, value, smallest=0)


def layout_number(name: str, value: Any) -> int:
    """Return a number of decimals, or of spaces of indentation."""
    return number_within(name, value, 0, 100)


def number(name: str, value: Any) -> float:
    """Return a setting that is a finite number from 0 up."""
    checked = real_number(value)
    if not 0 <= checked < float("inf"):
        raise SettingsError(f"{name} is {written(value)}; a finite number from 0 up is needed")
    return checked
