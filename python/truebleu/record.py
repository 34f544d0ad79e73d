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
        names = [name for base in type(self).__mro__ for name in getattr(base, "__slots__", ())]
        values = {name: getattr(self, name) for name in names if hasattr(self, name)}
        # A view of a dict cannot be pickled.
        views = {name: dict(v) for name, v in values.items() if isinstance(v, MappingProxyType)}
        return _remake, (type(self), values | views, list(views))


def _remake(kind: type[Any], values: dict[str, Any], views: list[str]) -> Any:
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, MappingProxyType(value) if name in views else value)
    return made
