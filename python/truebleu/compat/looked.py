"""Lists that know when somebody looks into them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Looked(list):  # type: ignore[type-arg]  # Not generic, like the lists that they stand for.
    """A list that is told before anything is read from it or changed."""

    __slots__ = ()

    def _look(self) -> None:
        raise NotImplementedError


def _looking(name: str) -> Callable[..., Any]:
    method = getattr(list, name)

    def looking(self: Looked, *arguments: Any, **options: Any) -> Any:
        self._look()
        return method(self, *arguments, **options)

    return looking


for _name in vars(list).keys() - {"__new__", "__init__", "__getattribute__", "__hash__", "__doc__"}:
    if callable(getattr(list, _name)):
        setattr(Looked, _name, _looking(_name))
