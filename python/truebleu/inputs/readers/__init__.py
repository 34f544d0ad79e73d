"""Files that are not lines of text, read as what they are: the registry READERS."""

from __future__ import annotations

from truebleu.errors import InputError
from truebleu.inputs import forms
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import TABLES, Wording
from truebleu.inputs.readers.arrow import ArrowFile
from truebleu.inputs.readers.base import Reader
from truebleu.inputs.readers.json_file import JsonFile
from truebleu.inputs.readers.json_lines import JsonLines
from truebleu.inputs.readers.markup import Markup
from truebleu.inputs.readers.separated import TABBED, Separated

READERS: dict[str, type[Reader]] = {
    forms.MARKUP: Markup,
    forms.JSON: JsonFile,
    forms.JSON_LINES: JsonLines,
    forms.CSV: Separated,
    forms.TSV: Separated,
    forms.TABLE: ArrowFile,
}
"""What reads each form of :mod:`truebleu.inputs.forms`."""

FORM_OF_SUFFIX = {
    ".csv": forms.CSV,
    **dict.fromkeys(TABBED, forms.TSV),
    **dict.fromkeys(forms.JSON_SUFFIXES, forms.JSON_LINES),
    **dict.fromkeys(forms.BINARY_TABLES, forms.TABLE),
}
"""The forms of tables by their suffix, before that of a compression."""

# How many columns a message names.
_MOST_NAMED = 12


def open_table(path: str, *, no_header: bool = False, wording: Wording = TABLES) -> Reader:
    """Open a file that has columns, whose suffix or first lines say what it is."""
    file = LineFile(path)
    try:
        form = FORM_OF_SUFFIX.get(forms.suffix_of(path)) or recognised(file) or _of_columns(file)
        return READERS[form](file, form, no_header=no_header, wording=wording)
    except BaseException:
        file.__exit__()
        raise


def recognised(file: LineFile) -> str | None:
    """Return what a file is by its name and its first lines; None if they are text."""
    if forms.suffix_of(file.name) in forms.BINARY_TABLES:
        return forms.TABLE
    lines = _first_lines(file)
    return forms.recognise(file.name, lines, []) if lines else None


def _of_columns(file: LineFile) -> str:
    return forms.JSON_LINES if any(map(forms.json_object, _first_lines(file)[:1])) else forms.TSV


def _first_lines(file: LineFile) -> list[str]:
    """Return the first lines that are not blank, and leave them in the file."""
    lines = file.lines.texts(min(forms.FIRST_LINES, file.fill()))
    return [line for line in lines if line.strip()]


def described(reader: Reader) -> str:
    """Say what a file is that is not lines of text, and which columns it has."""
    columns = ", ".join(reader.columns[:_MOST_NAMED])
    more = ", ..." if len(reader.columns) > _MOST_NAMED else ""
    having = f"with the columns {columns}{more}" if columns else "without a column of strings"
    if reader.inside is not None:
        having = f"with text inside a list, in {reader.inside}"
    return f"{reader.name} is {reader.form} {having}, not lines of text"


def refusal(reader: Reader) -> InputError:
    """Return the error where no column is named, with the call in Python that reads one."""
    advice = "write the text into a file, one segment per line"
    column, *options = [*reader.likely(""), None]
    if column is not None:
        words = [repr(str(reader.file.path)), f"column={column!r}", *filter(None, options)]
        advice = f"`read_texts({', '.join(words)})` reads one of them"
    return InputError(f"{described(reader)}: {advice}{reader.as_text('it')}")
