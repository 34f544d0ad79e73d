"""``--text``: strings in place of files, each of them one segment."""

from __future__ import annotations

from truebleu.display.text import width
from truebleu.errors import EncodingError, InputError, SettingsError
from truebleu.inputs.files import STANDARD_INPUT, LinesInMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

# Columns of a terminal that a text takes as the name of a system.
_WIDEST_NAME = 40


def use_texts(options: Namespace) -> None:
    """Let the systems and the references be the strings that were given.

    Raises
    ------
    SettingsError
        If there are no references, or options for tables or documents.
    InputError
        If a string has a line break, or is not UTF-8.
    """
    for name in ("hypotheses", "reference_columns", "where", "documents"):
        if getattr(options, name, None):
            raise SettingsError("--text takes strings: leave out options for tables and documents")
    if not options.references:
        raise SettingsError("--text needs references: give strings with -r")
    options.systems = [_lines(path.text, _name(path.text)) for path in options.systems]
    options.references = [
        _lines(text, f"reference {number}") for number, text in enumerate(options.references, 1)
    ]


def _lines(text: str, name: str) -> LinesInMemory:
    shown = text if len(text) <= _WIDEST_NAME else f"{text[:_WIDEST_NAME]}..."
    if "\n" in text or "\r" in text:
        raise InputError(
            f"{shown!r} has a line break: each string is one segment; for several, give files"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise EncodingError(f"{shown!r} is not UTF-8") from None
    return LinesInMemory(name, [text])


def _name(text: str) -> str:
    """Call a system what it says, as far as that fits."""
    if text in ("", STANDARD_INPUT):
        return repr(text)
    if width(text) <= _WIDEST_NAME:
        return text
    shown = text[:_WIDEST_NAME]
    while width(shown) > _WIDEST_NAME - len("..."):
        shown = shown[:-1]
    return f"{shown.rstrip()}..."
