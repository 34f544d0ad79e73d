"""A base for values that never change."""


class Frozen:
    """Attributes are set once, while the object is made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse."""
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        """Refuse."""
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")
