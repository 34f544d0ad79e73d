"""NLTK's fraction, which keeps the numbers it was made from."""

from __future__ import annotations

import fractions
import sys
from typing import Any


class Fraction(fractions.Fraction):
    """A fraction that is not reduced: 2/4 means that two of four n-grams match."""

    _normalize: bool
    _given: tuple[Any, Any]

    def __new__(
        cls, numerator: Any = 0, denominator: Any = None, _normalize: bool = False
    ) -> Fraction:
        """Keep the numbers as they are unless `_normalize` is set."""
        options = {} if sys.version_info >= (3, 12) else {"_normalize": _normalize}
        made: Fraction = super().__new__(cls, numerator, denominator, **options)
        made._normalize = _normalize
        made._given = numerator, denominator
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the numbers as given; the base class would reduce them."""
        return type(self), (*self._given, self._normalize)

    def __deepcopy__(self, memo: Any = None) -> Fraction:
        """Return the object itself, which is immutable."""
        return self

    __copy__ = __deepcopy__

    @property
    def numerator(self) -> Any:
        """The numerator as given."""
        return super().numerator if self._normalize else self._given[0]

    @property
    def denominator(self) -> Any:
        """The denominator as given."""
        return super().denominator if self._normalize else self._given[1]
