"""Lists whose items are made when somebody looks at them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Lazy(list):  # type: ignore[type-arg]  # Not generic, like the lists that they stand for.
    """A list that `make` fills before anything is read from it or changed.

    C code that reads the items of a list reads those of a subclass by iteration, except for the sum
    of two lists.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], list[Any]]) -> None:
        super().__init__()
        self._make: Callable[[], list[Any]] | None = make

    @property
    def is_untouched(self) -> bool:
        """Whether nobody has looked."""
        return self._make is not None

    def _fill(self) -> None:
        make = self._make
        if make is not None:
            # Other threads may be here, too, with the same items.
            list.__setitem__(self, slice(None), make())
            self._make = None

    def __radd__(self, other: list[Any]) -> list[Any]:
        return [*other, *self]

    def __reduce__(self) -> tuple[object, ...]:
        return list, ([*self],)


def _filling(name: str) -> Callable[..., Any]:
    method = getattr(list, name)

    def filling(self: Lazy, *arguments: Any, **options: Any) -> Any:
        self._fill()
        return method(self, *arguments, **options)

    return filling


for _name in vars(list).keys() - {"__new__", "__init__", "__getattribute__", "__hash__", "__doc__"}:
    if callable(getattr(list, _name)):
        setattr(Lazy, _name, _filling(_name))
