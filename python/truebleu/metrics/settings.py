"""The settings of a metric: one row of a table for each, from which all else follows."""

from __future__ import annotations

from truebleu._core import UNICODE_FORMS
from truebleu.errors import SettingsError, written
from truebleu.inputs.numbers import number_within, real_number, whole_number
from truebleu.metrics.signatures import Field, Grammar, Reader
from truebleu.record import Record
from truebleu.suggestions import meant_setting, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any, Literal

    UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]

SEVERAL_METRICS = (
    "here it is metric=, such as metric='chrf'; corpus scores of engines also take a list of them"
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


def choice(key: str, names: dict[Any, str], **options: Any) -> Field:
    """Create the field of a setting that has a name for each value; the first is the default."""
    return Field(
        key=key,
        write=names.get,
        read=read_choice({name: value for value, name in names.items()}),
        default=next(iter(names.values())),
        **options,
    )


def read_choice(values: dict[str, Any]) -> Callable[[str], Any]:
    """Return `read` of a field, given the value of the setting for each name."""

    def read(name: str) -> Any:
        if name not in values:
            raise ValueError(f"one of {', '.join(values)} is needed")
        return values[name]

    return read


def read_number(text: str) -> int:
    """Return the whole number that a value is; raises ValueError."""
    # Python reads only some thousand digits; no setting has more than 18.
    if not text.isdecimal() or len(text) > 18:
        raise ValueError("a whole number is needed")
    return int(text)


VERSION = Field(
    key="version", short=("v",), compared="never", about="version of the software that scored"
)
"""The version of the tool that wrote the signature."""


def references_field(owner: str) -> Field:
    """Create the field of the number of references; `owner` is the class of the metric."""
    return Field(
        key="nrefs",
        short=("#", "numrefs"),
        compared="if present",
        # sacreBLEU 1.x writes ? when it is used as a library.
        normalize=lambda number: None if number == "?" else number,
        warning=f"the signature says {{}}, which is not a setting of {owner}: pass that many "
        "references for each segment",
        harmless=("1", "?"),
        about="references per segment",
    )


def unicode_field(counting: int | None = None) -> Field:
    """Create the field of the version of Unicode."""
    return Field(
        key="unicode",
        attributes=("_unicode",),
        counting=counting,
        compared="if present",
        local=True,
        about="version of Unicode",
    )


_TEST_SETS = (
    ("test", "t", "test set"),
    ("lang", "l", "language pair"),
    ("origlang", "o", "language that the segments were written in"),
    ("subset", "S", "documents that were scored, by country or domain"),
)
_RESAMPLING: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("bs", (), "bootstrap samples for intervals"),
    ("ar", (), "trials of each test by approximate randomization, at most"),
    ("stop", (), "extreme trials after which a test stops"),
    ("exact", (), "tests for which all possible swaps were enumerated"),
    ("alpha", (), "significance level of the tests; 1 - it is the level of intervals"),
    ("margin", (), "margin of tests of non-inferiority and equivalence"),
    ("runs", (), "runs of each system"),
    ("sets", (), "test sets that scores are means over"),
    ("corpora", (), "corpora that share no segments, and were compared"),
    ("units", (), "what was resampled, and the length of blocks in segments"),
    ("seed", ("rs",), "seed of the random numbers"),
)


def outside_fields(owner: str) -> tuple[Field, ...]:
    """Create the fields of what is no setting of a metric: test sets, intervals and tests."""
    test_set = (
        f"the signature names the test set ({{}}), which is not a setting of {owner}: pass its "
        "segments and references yourself, or use the option -t of truebleu score"
    )
    resampling = (
        f"the signature describes an interval or a significance test ({{}}), which {owner} does "
        "not compute: pass these settings to compare or confidence_interval"
    )
    return (
        *(
            Field(key=key, short=(short,), compared="if present", warning=test_set, about=about)
            for key, short, about in _TEST_SETS
        ),
        *(
            Field(key=key, short=short, compared="never", warning=resampling, about=about)
            for key, short, about in _RESAMPLING
        ),
    )


class Table:
    """The settings of a metric, in the order of its ``repr``; `owner` is its class.

    `name` is what people call the metric. `signature` has the keys of the fields of signatures in
    their order, `others` the fields that are not settings; `reader` knows what is odd about old
    ones. `together` checks settings that depend on each other, in a dict of all, which it may
    change.
    """

    def __init__(
        self,
        owner: str,
        *settings: Setting,
        name: str,
        signature: str,
        reader: type[Reader] = Reader,
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
        self.reader = reader(owner, name, self.grammar)

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
