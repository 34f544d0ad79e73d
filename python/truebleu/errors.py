"""What can go wrong, as one tree of exceptions.

::

    TruebleuError
    ├── InputError (ValueError)         the data
    │   ├── EmptyInputError             no segments, or a segment without references
    │   ├── LengthMismatchError         not as many of one as of the other
    │   └── EncodingError               bytes that are not UTF-8
    ├── InputTypeError (TypeError)      the data have the wrong type or shape
    ├── SettingsError (ValueError)      a setting outside its range, or two at odds
    │   └── UnknownNameError            a name that is not in the registry
    ├── StatsMismatchError (ValueError) statistics that were counted differently
    ├── ModelError (OSError)            a model that cannot be fetched, read or trusted
    └── MissingExtraError (ImportError) an optional package; the message says which to install

    SettingsWarning (UserWarning)       settings that work and are rarely meant
    FewUnitsWarning (UserWarning)       too little data to tell a difference from chance

Every message names what was given, where, and what would be right.
"""

import os
import sys
from contextvars import ContextVar, Token

_PACKAGE = os.path.dirname(__file__) + os.sep  # noqa: PTH120  # pathlib is slow to load.


class TruebleuError(Exception):
    """The root of all exceptions that truebleu raises on purpose."""


class InputError(TruebleuError, ValueError):
    """The data cannot be scored."""


class EmptyInputError(InputError):
    """A corpus has no segments, or a segment no references."""


class LengthMismatchError(InputError):
    """Hypotheses and references differ in number. Nothing is ever truncated."""


class EncodingError(InputError):
    """A file holds bytes that are not UTF-8."""


class InputTypeError(TruebleuError, TypeError):
    """The data have a type or shape that cannot be what is meant."""


class SettingsError(TruebleuError, ValueError):
    """A setting is outside its range, or two settings are at odds."""


class UnknownNameError(SettingsError):
    """A name is not in the registry; the message lists those that are."""


class StatsMismatchError(TruebleuError, ValueError):
    """Statistics were counted under different settings, so they do not add up."""


class ModelError(TruebleuError, OSError):
    """The model of a tokenizer cannot be fetched, read or trusted."""


class MissingExtraError(TruebleuError, ImportError):
    """An optional package is not installed; the message says what to install."""


class SettingsWarning(UserWarning):
    """Settings that work but are rarely what is meant."""


class FewUnitsWarning(UserWarning):
    """There are too few segments, or documents, to tell a difference from chance."""


_given: ContextVar[set[str] | None] = ContextVar("_given", default=None)


class WarnOnce:
    """While it lasts, a warning is given once: several systems may have one thing in common."""

    __slots__ = ("_token",)
    _token: Token[set[str] | None]

    def __enter__(self) -> None:
        """Begin; inside of another, that one goes on."""
        given = _given.get()
        self._token = _given.set(set() if given is None else given)

    def __exit__(self, *_: object) -> None:
        """End."""
        _given.reset(self._token)


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the line that called into this package, however deep inside of it this is called."""
    import warnings

    given = _given.get()
    if given is not None:
        if message in given:
            return
        given.add(message)
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
