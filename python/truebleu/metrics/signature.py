"""Signatures of metrics: their fields, and how these are written, read and compared."""

from __future__ import annotations

from truebleu.errors import InputTypeError, SettingsError
from truebleu.record import Record, brief, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, Protocol, TypeVar

    T = TypeVar("T")

    class Signed(Protocol):
        """A score, or anything else that has a signature."""

        @property
        def signature(self) -> str:
            """Everything that the score depends on, as a reproducibility string."""


class Field(Record):
    """One field ``key:value`` of a signature; `short` are other names of it.

    It shows `attributes` of the metric, which `write` converts to the value, or to None to leave
    the field out; without any, it is written only if :meth:`Grammar.write` is given the value.
    `read` converts the value to the setting, or to a tuple of several `settings` (by default the
    attributes), and raises ValueError; a field without it sets nothing. `default` is the value if a
    signature does not have the field, and `counting` the position in counting keys, if statistics
    depend on it.

    Scores are only comparable if the field is equal in both: "always", "never", or only "if
    present" in both. `normalize` converts the value to the one that is `compared`, or to None if
    the value leaves the setting open. A `local` value depends on the installed software, such as
    the version of Unicode. Fields that no setting can reproduce have a `warning`, in which ``{}``
    is replaced by all fields that share it, except for `harmless` values. `about` is what the field
    is, in words, or what the setting does.
    """

    key: str
    short: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    write: Callable[..., object] | None = None
    read: Callable[[str], Any] | None = None
    settings: tuple[str, ...] = ()
    default: str | None = None
    counting: int | None = None
    compared: Literal["always", "if present", "never"] = "always"
    normalize: Callable[[str], str | None] | None = None
    local: bool = False
    warning: str | None = None
    harmless: tuple[str, ...] = ()
    about: str = ""

    def value(self, settings: object) -> object:
        """Return the value to write, or None to leave the field out."""
        if self.write is not None:
            return self.write(*[getattr(settings, name) for name in self.attributes])
        return getattr(settings, self.attributes[0])

    def settings_of(self, value: str) -> dict[str, Any]:
        """Return the settings that a value stands for."""
        if self.read is None:
            return {}
        names = self.settings or self.attributes
        setting = self._checked(self.read, value)
        return dict(zip(names, setting if len(names) > 1 else [setting], strict=True))

    def sentence(self, value: str) -> str:
        """Say in words what a value means."""
        setting = None if self.read is None else self._checked(self.read, value)
        text = f"{self.about}: {value}"
        if isinstance(setting, bool):
            text = self.about if setting else f"do not {self.about}"
        return f"{text[:1].upper()}{text[1:]}."

    def compared_value(self, value: str | None) -> str | None:
        """Return what to compare, given the value in a signature, or None if it has none."""
        effective = self.default if value is None else value
        if effective is None or self.normalize is None:
            return effective
        return self._checked(self.normalize, effective)

    def _checked(self, function: Callable[[str], T], value: str) -> T:
        try:
            return function(value)
        except ValueError as error:
            raise SettingsError(
                f"signature field {brief(f'{self.key}:{value}')}: {shortened(str(error))}"
            ) from error


LONGEST = 100_000
"""Characters of the longest signature that is read; 1,000 weights have 20,000."""


def checked_text(text: str) -> str:
    """Return a text that may be a signature."""
    if not isinstance(text, str):
        raise InputTypeError(f"the signature is of type {type(text).__name__}, not str")
    if len(text) > LONGEST:
        raise SettingsError(
            f"the signature has {len(text):,} characters; at most {LONGEST:,} are read: pass only "
            "the line with the signature"
        )
    return text


class Grammar:
    """Writes, reads and compares the signatures of a metric, given their fields in order."""

    def __init__(self, *fields: Field) -> None:
        self.fields = fields

    def counting(self, *extra: Field) -> Grammar:
        """Return the grammar of counting keys, with `extra` fields that no signature has."""
        counted = [field for field in (*self.fields, *extra) if field.counting is not None]
        return Grammar(*sorted(counted, key=lambda field: field.counting or 0))

    def write(self, settings: object, **values: object) -> str:
        """Write a signature of an object; `values`, by key, take the place of its settings."""
        written = []
        for field in self.fields:
            given = field.key in values or not field.attributes
            value = values.get(field.key) if given else field.value(settings)
            if value is not None:
                written.append(f"{field.key}:{value}")
        return "|".join(written)

    def read(self, values: Mapping[str, str]) -> dict[str, Any]:
        """Return the settings of a signature, given the values of its fields by key."""
        settings: dict[str, Any] = {}
        for field in self.fields:
            if field.key in values:
                settings |= field.settings_of(values[field.key])
        return settings

    def sentences(self, values: Mapping[str, str]) -> dict[str, str]:
        """Say in words what each field means, given the values by key."""
        return {
            f"{field.key}:{values[field.key]}": field.sentence(values[field.key])
            for field in self.fields
            if field.key in values
        }

    def differences(self, first: Mapping[str, str], second: Mapping[str, str]) -> list[str]:
        """Describe the fields in which two signatures differ so that scores are not comparable."""
        differences = []
        for field in self.fields:
            if field.compared == "never":
                continue
            one, other = (field.compared_value(each.get(field.key)) for each in (first, second))
            if one != other and not (field.compared == "if present" and None in (one, other)):
                differences.append(f"{field.key} is {one} in one and {other} in the other")
        return differences

    def warnings(self, settings: object, values: Mapping[str, str]) -> list[str]:
        """Return warnings about fields that the settings read from them do not reproduce."""
        messages = []
        unsupported: dict[str, list[str]] = {}
        for field in self.fields:
            value = values.get(field.key)
            if value is None or value in field.harmless:
                continue
            if field.warning is not None:
                unsupported.setdefault(field.warning, []).append(f"{field.key}:{value}")
            elif field.local:
                installed = field.value(settings)
                # sacreBLEU may write the name of the setting alone, without a version.
                if value not in (installed, *(getattr(settings, name) for name in field.settings)):
                    messages.append(
                        f"the signature says {field.key}:{value}, but this installation has "
                        f"{field.key}:{installed}: the score may differ"
                    )
        return messages + [text.format(", ".join(fields)) for text, fields in unsupported.items()]


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


VARIABLE = "var"
"""The value of ``nrefs`` if the number of references varies."""

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
