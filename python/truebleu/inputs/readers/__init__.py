"""Files that are not lines of text, read as what they are: the registry READERS."""

from __future__ import annotations

from truebleu.inputs import forms
from truebleu.inputs.files import LineFile
from truebleu.inputs.readers.base import TABLES, Reader, Wording
from truebleu.inputs.readers.json_file import JsonFile
from truebleu.inputs.readers.json_lines import JsonLines
from truebleu.inputs.readers.separated import Separated
from truebleu.inputs.separators import TABBED

READERS: dict[str, type[Reader]] = {
    forms.JSON: JsonFile,
    forms.JSON_LINES: JsonLines,
    forms.CSV: Separated,
    forms.TSV: Separated,
}
"""What reads each form of :mod:`truebleu.inputs.forms`."""

FORM_OF_SUFFIX = {
    ".csv": forms.CSV,
    **dict.fromkeys(TABBED, forms.TSV),
    **dict.fromkeys(forms.JSON_SUFFIXES, forms.JSON_LINES),
}
"""The form of files that are tables by their suffix, before that of a compression."""


def open_table(path: str, *, no_header: bool = False, wording: Wording = TABLES) -> Reader:
    """Open a file that has columns, whose suffix or first lines say what it is."""
    file = LineFile(path)
    try:
        form = FORM_OF_SUFFIX.get(forms.suffix_of(path)) or _form(file)
        return READERS[form](file, form, no_header=no_header, wording=wording)
    except BaseException:
        file.__exit__()
        raise


def _form(file: LineFile) -> str:
    first = file.lines.texts(min(forms.FIRST_LINES, file.fill()))
    lines = [line for line in first if line.strip()]
    if not lines:
        return forms.TSV
    by_object = forms.JSON_LINES if forms.json_object(lines[0]) else forms.TSV
    return forms.recognise(file.name, lines, []) or by_object
