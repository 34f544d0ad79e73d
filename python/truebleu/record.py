"""The base class of immutable values, and how values are written for people and as plain data."""

from __future__ import annotations

from math import isnan
from types import MappingProxyType

from truebleu.errors import InputTypeError, written
from truebleu.suggestions import add_hints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self
    from typing import Generic as Generic  # noqa: PLC0414  # Imported from here by others.

    from typing_extensions import dataclass_transform
else:

    class Generic:
        """Do nothing; stands in for the class of typing."""

        __slots__ = ()

        def __class_getitem__(cls, _: object) -> type:
            return cls

    def dataclass_transform(**_: object) -> object:
        """Do nothing; stands in for the decorator of typing."""
        return lambda cls: cls


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """An immutable value that is created from its fields, given by keyword.

    The public attributes that a subclass annotates are its fields, in that order. A field that is
    assigned in the class body has that value as its default. Two records are equal if they have the
    same type and all their attributes are equal. Subclasses may declare ``__slots__``, and may
    override creation (with :meth:`_fill`), comparison, hashing and ``repr``.
    """

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    _needed: tuple[str, ...] = ()

    def __init_subclass__(cls, *, init: bool = True) -> None:
        """Collect the fields; `init` is False, for type checkers, if there is a constructor."""
        super().__init_subclass__()
        add_hints(cls)
        annotated = [
            name
            for name, annotation in cls.__annotations__.items()
            if not name.startswith("_") and "ClassVar[" not in str(annotation)
        ]
        cls._fields = tuple(dict.fromkeys((*cls._fields, *annotated)))
        # A class attribute is a default, unless it is the descriptor of a slot.
        slots = _slots(cls)
        cls._needed = tuple(n for n in cls._fields if not hasattr(cls, n) or n in slots)

    def __init__(self, *others: Any, **values: Any) -> None:
        """Set the fields; raise InputTypeError if one is missing, unknown, or given by position."""
        cls = type(self)
        if others:
            raise InputTypeError(
                f"{cls.__name__} takes its fields by name: {', '.join(self._fields)}"
            )
        for name in values:
            if name not in self._fields:
                raise InputTypeError(f"{cls.__name__} has no field {name!r}")
        for name in self._needed:
            if name not in values:
                raise InputTypeError(f"{cls.__name__} needs {name!r}")
        self._fill(**values)

    def _fill(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _attributes(self) -> dict[str, Any]:
        """Return all attributes that are set or have a default."""
        names = dict.fromkeys((*self._fields, *_slots(*type(self).__mro__)))
        values = {name: getattr(self, name) for name in names if hasattr(self, name)}
        return values | getattr(self, "__dict__", {})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        return {name: plain(getattr(self, name)) for name in self._fields}

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields replaced."""
        values = {name: getattr(self, name) for name in self._fields}
        return type(self)(**(values | changes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(self) is not type(other):
            return NotImplemented
        mine, others = self._attributes(), other._attributes()
        return mine.keys() == others.keys() and all(
            _equal(value, others[name]) for name, value in mine.items()
        )

    def __hash__(self) -> int:
        return hash(_hashable(self._attributes()))

    def __repr__(self) -> str:
        """Show the fields, shortened: ``to_dict`` has all of them, with all digits."""
        fields = ", ".join(f"{name}={brief(getattr(self, name))}" for name in self._fields)
        return shortened(f"{type(self).__name__}({fields})")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the attributes; unpickling cannot assign them one by one."""
        attributes = self._attributes()
        # A mapping proxy cannot be pickled.
        proxies = [name for name, v in attributes.items() if isinstance(v, MappingProxyType)]
        attributes |= {name: dict(attributes[name]) for name in proxies}
        return _restore, (type(self), attributes, proxies)

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Restore the attributes that a subclass has added."""
        self._fill(**attributes)


def plain(value: Any) -> Any:
    """Return records, arrays and collections as plain Python values."""
    if isinstance(value, Record) or hasattr(value, "same_as"):  # A score is a float.
        return value.to_dict()
    if isinstance(value, dict | MappingProxyType):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def brief(value: Any, most: int = 60) -> str:
    """Write a value for people, on one line and in about `most` characters."""
    if isinstance(value, float):
        return repr(float(f"{value:.6g}"))
    if isinstance(value, str):
        return repr(value) if len(value) <= most else f"{value[: most - 5]!r}..."
    if hasattr(value, "shape"):
        return f"<{type(value).__name__} of shape {value.shape}>"
    if isinstance(value, list | tuple | dict | MappingProxyType):
        text = _items(value, most) if len(value) <= most else ""
        kind = "dict" if isinstance(value, MappingProxyType) else type(value).__name__
        return text if 0 < len(text) <= most else f"<{kind} of {len(value):,}>"
    text = written(value)
    short = len(text) <= most or not isinstance(value, Record)
    return shortened(text, most) if short else f"<{type(value).__name__}>"


def _items(value: Any, most: int) -> str:
    if hasattr(value, "items"):
        pairs = (f"{brief(key, most - 2)}: {brief(item, most - 2)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    items = ", ".join(brief(item, most - 2) for item in value)
    if isinstance(value, list):
        return f"[{items}]"
    return f"({items},)" if len(value) == 1 else f"({items})"


def shortened(text: str, most: int = 200) -> str:
    """Cut a text that has more than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def added_attributes(value: Any, base: type) -> dict[str, Any] | None:
    """Return the attributes that subclasses of `base` have added, or None if there are none."""
    mro = type(value).__mro__
    names = _slots(*mro[: mro.index(base)])
    added = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return {**added, **getattr(value, "__dict__", {})} or None


def _equal(one: Any, other: Any) -> bool:
    """Compare two attributes; scores that only have the same number are not equal here."""
    # As in a list or a dict, what is identical is equal: NaN, too, and an array.
    return one is other or bool(one.same_as(other) if hasattr(one, "same_as") else one == other)


def _hashable(value: Any) -> Any:
    """Return what stands for an attribute in a hash: the same for attributes that are equal."""
    if isinstance(value, dict | MappingProxyType):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_hashable, value))
    # Undefined scores are equal, although their numbers are not.
    return None if isinstance(value, float) and isnan(value) else value


def _slots(*classes: type) -> list[str]:
    """Return the names of all slots of some classes."""
    slots = [vars(cls).get("__slots__", ()) for cls in classes]
    names = [name for each in slots for name in ([each] if isinstance(each, str) else each)]
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def _restore(cls: type[Any], attributes: dict[str, Any], proxies: list[str]) -> Any:
    restored = object.__new__(cls)
    for name, value in attributes.items():
        object.__setattr__(restored, name, MappingProxyType(value) if name in proxies else value)
    return restored
