"""A real number that is more than a float."""

from __future__ import annotations

from numbers import Real

from truebleu.errors import InputTypeError, written
from truebleu.record import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, overload

    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    Made = TypeVar("Made")


class _Converting(type):
    """Converts a number to float when a class is called with nothing else.

    ``statistics.mean`` and others convert their result by calling the type of the data.
    """

    def __call__(cls: type[Made], *parts: Any) -> Made:
        """Create a value, or convert one number."""
        if not parts:
            raise InputTypeError(f"{cls.__name__} is made by a metric")
        if len(parts) == 1:
            try:
                return float(parts[0])  # type: ignore[return-value]
            except (TypeError, ValueError, OverflowError):
                raise InputTypeError(
                    f"{cls.__name__} is made by a metric; {written(parts[0])} is no number that "
                    "could be a float"
                ) from None
        made: Made = type.__call__(cls, *parts)
        return made


class Number(Value, metaclass=_Converting):
    """A value with a number, which stands for it in arithmetic, comparisons and hashing.

    The result of arithmetic is a plain float, because it has lost what the value knows about the
    number. ``==`` compares numbers, too: equal hashes and an order that is consistent with
    equality leave no other choice. :meth:`same_as` compares everything.
    """

    __slots__ = ()

    def __float__(self) -> float:
        """Return the number."""
        raise NotImplementedError

    def same_as(self, other: object) -> bool:
        """Tell whether another value is equal in everything, not only in its number."""
        raise NotImplementedError

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the number as an array without dimensions."""
        import numpy as np

        array: NDArray[np.float64] = np.array(float(self))
        return array if dtype is None else array.astype(dtype)

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return two integers whose quotient is the number."""
        return float(self).as_integer_ratio()

    def conjugate(self) -> float:
        """Return the number."""
        return float(self)

    @property
    def real(self) -> float:
        """The number."""
        return float(self)

    @property
    def imag(self) -> float:
        """0."""
        return 0.0

    def __complex__(self) -> complex:
        """Return the number."""
        return complex(float(self))

    def __bool__(self) -> bool:
        """Tell whether the number is not 0."""
        return float(self) != 0

    def __hash__(self) -> int:
        """Hash the number."""
        return hash(float(self))

    def __eq__(self, other: object) -> bool:
        """Compare the number."""
        return float(self) == (float(other) if isinstance(other, Number) else other)

    def __ne__(self, other: object) -> bool:
        """Compare the number."""
        # Without it, Python would negate what ``==`` returns, which is an array for an array.
        return float(self) != (float(other) if isinstance(other, Number) else other)

    def __lt__(self, other: float | Number) -> bool:
        """Compare the number."""
        return float(self) < other

    def __le__(self, other: float | Number) -> bool:
        """Compare the number."""
        return float(self) <= other

    def __gt__(self, other: float | Number) -> bool:
        """Compare the number."""
        return float(self) > other

    def __ge__(self, other: float | Number) -> bool:
        """Compare the number."""
        return float(self) >= other

    def __add__(self, other: float | Number) -> float:
        """Add."""
        return float(self) + other

    def __radd__(self, other: float) -> float:
        """Add, as the second operand."""
        return other + float(self)

    def __sub__(self, other: float | Number) -> float:
        """Subtract."""
        return float(self) - other

    def __rsub__(self, other: float) -> float:
        """Subtract, as the second operand."""
        return other - float(self)

    def __mul__(self, other: float | Number) -> float:
        """Multiply."""
        return float(self) * other

    def __rmul__(self, other: float) -> float:
        """Multiply, as the second operand."""
        return other * float(self)

    def __truediv__(self, other: float | Number) -> float:
        """Divide."""
        return float(self) / other

    def __rtruediv__(self, other: float) -> float:
        """Divide, as the second operand."""
        return other / float(self)

    def __floordiv__(self, other: float | Number) -> float:
        """Divide and round down."""
        return float(self) // other

    def __rfloordiv__(self, other: float) -> float:
        """Divide and round down, as the second operand."""
        return other // float(self)

    def __mod__(self, other: float | Number) -> float:
        """Return the remainder of a division."""
        return float(self) % other

    def __rmod__(self, other: float) -> float:
        """Return the remainder of a division, as the second operand."""
        return other % float(self)

    def __pow__(self, other: float | Number) -> float:
        """Raise to a power."""
        return float(self) ** other

    def __rpow__(self, other: float) -> float:
        """Raise to a power, as the second operand."""
        power: float = other ** float(self)
        return power

    def __divmod__(self, other: float) -> tuple[float, float]:
        """Return quotient and remainder."""
        return divmod(float(self), float(other))

    def __rdivmod__(self, other: float) -> tuple[float, float]:
        """Return quotient and remainder, as the second operand."""
        return divmod(float(other), float(self))

    def __neg__(self) -> float:
        """Change the sign."""
        return -float(self)

    def __pos__(self) -> float:
        """Return the number."""
        return float(self)

    def __abs__(self) -> float:
        """Return the number without its sign."""
        return abs(float(self))

    def __trunc__(self) -> int:
        """Round towards 0."""
        return int(float(self))

    def __int__(self) -> int:
        """Round towards 0."""
        return int(float(self))

    def __floor__(self) -> int:
        """Round down."""
        return int(float(self) // 1)

    def __ceil__(self) -> int:
        """Round up."""
        return -int(-float(self) // 1)

    if TYPE_CHECKING:

        @overload
        def __round__(self, digits: None = None) -> int: ...
        @overload
        def __round__(self, digits: int) -> float: ...

    def __round__(self, digits: int | None = None) -> float:
        """Round as ``round`` does a float."""
        return round(float(self), digits)


Real.register(Number)
