"""The exceptions and warnings of the package.

::

    TruebleuError
    ├── InputError (ValueError)         the data
    │   ├── EmptyInputError             no segments, or a segment without references
    │   ├── LengthMismatchError         inputs that differ in length
    │   └── EncodingError               bytes that are not UTF-8
    ├── InputTypeError (TypeError)      data of the wrong type or shape, or an argument
    │                                   that a function does not have
    ├── AttributeNameError (AttributeError)  an attribute that has another name here
    ├── SettingsError (ValueError)      a setting outside its range, or two that conflict
    │   └── UnknownNameError            an unknown name; the message lists the choices
    ├── StatsMismatchError (ValueError) statistics counted under different settings
    ├── DownloadError (OSError)         a file that cannot be downloaded, unpacked or verified
    │   └── ModelError                  a tokenizer's model, for the same reasons
    └── MissingExtraError (ImportError) a missing optional package; the message names it

    SettingsWarning (UserWarning)       valid settings that are probably a mistake
    SmallSampleWarning (UserWarning)    too little data for a reliable interval or test

Every message says what was given, where, and what is needed instead.
"""

import os
import sys
from contextvars import ContextVar, Token

# Characters of a value in a message.
_LONGEST = 1000

_PACKAGE = os.path.dirname(__file__) + os.sep  # noqa: PTH120  # pathlib is slow to load.


def visible(text: str) -> str:
    """Write characters that would move the cursor or turn the writing direction as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class TruebleuError(Exception):
    """The base class of all exceptions about data, settings and downloads.

    >>> import truebleu
    >>> try:
    ...     truebleu.corpus_bleu([], [])
    ... except truebleu.TruebleuError as error:
    ...     print(error)
    hypotheses is empty: there is no segment to score
    """

    def __str__(self) -> str:
        """Return the message, in which no name can move the cursor of a terminal."""
        # Polars adds lines of its own.
        own, added, rest = super().__str__().partition("\n\nThis error occurred in ")
        return visible(own) + added + "\n".join(map(visible, rest.split("\n")))


class InputError(TruebleuError, ValueError):
    """The data cannot be scored."""


class EmptyInputError(InputError):
    """A corpus has no segments, or a segment has no references."""


class LengthMismatchError(InputError):
    """Inputs differ in length, such as hypotheses and references. Nothing is ever truncated."""


class EncodingError(InputError):
    """A file contains bytes that are not UTF-8."""


class InputTypeError(TruebleuError, TypeError):
    """The data have the wrong type or shape, or a function does not have an argument."""


class AttributeNameError(TruebleuError, AttributeError):
    """An attribute has another name here than in other packages; the message has it."""


class SettingsError(TruebleuError, ValueError):
    """A setting is outside its range, or two settings conflict."""


class UnknownNameError(SettingsError):
    """A name is unknown; the message lists the choices."""


class StatsMismatchError(TruebleuError, ValueError):
    """Statistics were counted under different settings, so they cannot be added or scored."""


class DownloadError(TruebleuError, OSError):
    """A file cannot be downloaded, unpacked or read, or is not the expected one."""


class ModelError(DownloadError):
    """A tokenizer's model cannot be downloaded, read or verified."""


class MissingExtraError(TruebleuError, ImportError):
    """An optional package is not installed; the message says what to install."""


class SettingsWarning(UserWarning):
    """Settings are valid but probably a mistake."""


class SmallSampleWarning(UserWarning):
    """There are too few segments or documents for a reliable interval or test."""


for _class in (
    *(TruebleuError, InputError, InputTypeError, LengthMismatchError, SettingsError),
    *(StatsMismatchError, SettingsWarning, SmallSampleWarning),
):
    # Tracebacks and pickles refer to these classes by their public names.
    _class.__module__ = "truebleu"
del _class

_messages: ContextVar[dict[str, None] | None] = ContextVar("_messages", default=None)


class WarnOnce:
    """A context that issues each warning only once, however many systems it applies to."""

    __slots__ = ("_token",)
    _token: Token[dict[str, None] | None]

    def __enter__(self) -> dict[str, None]:
        """Start to record messages; a nested context shares the record of the outer one."""
        messages = _messages.get()
        messages = {} if messages is None else messages
        self._token = _messages.set(messages)
        return messages

    def __exit__(self, *_: object) -> None:
        """Return to the state before the context."""
        _messages.reset(self._token)


def written(value: object) -> str:
    """Write a value for a message, as ``repr`` does; of a huge number, only the size."""
    try:
        text = repr(value)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
    except RecursionError:
        return f"a deeply nested {type(value).__name__}"
    except ValueError:
        # Python writes no number of more than some thousand digits.
        if not isinstance(value, int):
            return f"a {type(value).__name__} with a number of thousands of digits"
        return f"a number of about {int(value.bit_length() * 0.30103):,} digits"


def wrong_type(what: str, value: object, needed: str) -> InputTypeError:
    """Return the error for a value of the wrong type; `needed` says what is needed instead."""
    return InputTypeError(f"{what} is of type {type(value).__name__}; {needed}")


def warn(message: str, category: type[Warning], *, through: str | None = None) -> None:
    """Issue a warning that points to the line that called into this package.

    It may have called it `through` another package, which is accelerated.
    """
    import warnings

    message = visible(message)
    messages = _messages.get()
    if messages is not None:
        if message in messages:
            return
        messages[message] = None
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and (
        frame.f_code.co_filename.startswith(_PACKAGE)
        or frame.f_globals.get("__name__", "").partition(".")[0] == through
    ):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
