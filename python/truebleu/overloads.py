"""``overload`` of :mod:`typing`, without importing it: that would cost more than the package."""

from __future__ import annotations

__all__ = ["overload"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import overload
else:

    def overload(function: object) -> object:
        """Do nothing: the declared types are for type checkers."""
        return function
