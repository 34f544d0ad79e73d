"""A base for values that never change."""

from __future__ import annotations

from types import MappingProxyType

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any


class Frozen:
    """Attributes are set once, while the object is made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse."""
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        """Refuse."""
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the attributes; setting them one by one would be refused."""
        values = _slots(self, type(self).__mro__)
        # A view of a dict cannot be pickled.
        views = {name: dict(v) for name, v in values.items() if isinstance(v, MappingProxyType)}
        # A subclass without slots has attributes of its own, too.
        return _remake, (type(self), values | views, list(views)), getattr(self, "__dict__", None)

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Take over the attributes of a subclass, past what refuses to set them."""
        for name, value in attributes.items():
            object.__setattr__(self, name, value)


def kept(value: Any, base: type) -> dict[str, Any] | None:
    """Return the attributes that subclasses of `base` have added; None if there are none."""
    mro = type(value).__mro__
    added = _slots(value, mro[: mro.index(base)])
    return {**added, **getattr(value, "__dict__", {})} or None


def _slots(value: Any, kinds: tuple[type, ...]) -> dict[str, Any]:
    """Return the attributes in the slots of some classes."""
    slots = [vars(kind).get("__slots__", ()) for kind in kinds]
    names = [name for each in slots for name in ([each] if isinstance(each, str) else each)]
    known = [name for name in names if name not in ("__dict__", "__weakref__")]
    return {name: getattr(value, name) for name in known if hasattr(value, name)}


def _remake(kind: type[Any], values: dict[str, Any], views: list[str]) -> Any:
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, MappingProxyType(value) if name in views else value)
    return made
