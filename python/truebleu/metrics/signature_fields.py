"""Fields of signatures that several metrics have."""

from __future__ import annotations

from truebleu.metrics.signature import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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

VERSION = Field(key="version", short=("v",), compared="never")
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
    )


def outside_fields(owner: str) -> tuple[Field, ...]:
    """Create the fields of what is no setting of a metric: test sets, intervals and tests.

    `owner` is the class of the metric, for warnings.
    """
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
            Field(key=key, short=(short,), compared="if present", warning=test_set)
            for key, short in (("test", "t"), ("lang", "l"), ("origlang", "o"), ("subset", "S"))
        ),
        *(
            Field(key=key, short=short, compared="never", warning=resampling)
            for key, short in (
                ("bs", ()),
                ("bt", ()),
                ("ar", ()),
                ("stop", ()),
                ("exact", ()),
                ("alpha", ()),
                ("seed", ("rs",)),
                ("ci", ()),
                ("sided", ()),
                ("units", ()),
            )
        ),
    )
