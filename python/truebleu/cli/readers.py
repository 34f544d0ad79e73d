"""Columns of files that are not lines of text, in place of files of lines."""

from __future__ import annotations

import shlex
from itertools import chain

from truebleu._core import Lines
from truebleu.cli.output import say
from truebleu.errors import InputError
from truebleu.inputs import forms
from truebleu.inputs.files import LineFile, longest_line
from truebleu.inputs.forms import HYPOTHESIS, REFERENCE
from truebleu.inputs.readers import READERS, described
from truebleu.inputs.readers.base import Wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from truebleu.cli.parameters import Namespace
    from truebleu.inputs.readers.base import Reader

    # A file, what it is to the command, what form it has, and whether that is unclear.
    Form = tuple[LineFile, str | None, str | None, bool]

_WORDING = Wording("--as-text", "--no-header")
_OPTIONS = {HYPOTHESIS: "--hypothesis-column", REFERENCE: "--reference-column"}


class Segments(LineFile):
    """The segments of a file, block by block, as if they were the lines of one."""

    unit = "segment"

    def __init__(self, reader: Reader, column: str, role: str) -> None:
        self.path, self.name = reader.file.path, reader.name
        self._reader = reader
        # An object may lack a reference, and only that.
        self._batches = reader.batches([column], nulls=role == REFERENCE, lists=False, waits=False)
        self.lines = Lines(longest_line())

    @property
    def read_bytes(self) -> int:
        """The number of bytes of the file that were read so far."""
        return self._reader.file.read_bytes

    def fill(self, least: int = 1) -> int:
        """Read until segments are ready or the file ends; return how many are."""
        while self.lines.available < least and (batch := next(self._batches, None)):
            try:
                self.lines.push_column(batch[0])
            except InputError as error:
                raise InputError(f"{self.name}, {error}") from None
        return self.lines.available

    def __exit__(self, *exception: object) -> None:
        self._reader.__exit__()


def read(found: Sequence[Form], options: Namespace) -> list[LineFile]:
    """Return files of lines as they are, and the segments of others; refuse what is unclear.

    Each comes with what it is to the command, its form, and whether it is unclear if it is text. A
    set of several references is as many files.
    """
    files: list[LineFile] = []
    refused: list[tuple[str, Reader]] = []
    no_header = getattr(options, "no_header", False)
    for file, given, form, unclear in found:
        if form is None:
            files.append(file)
            continue
        role = str(given)
        reader = READERS[form](file, form, no_header=no_header, wording=_WORDING)
        column = getattr(file.path, "column", None)
        columns = [column] if column is not None else reader.chosen(role)
        if unclear or not columns:
            refused.append((role, reader))
        elif column is None and reader.is_guess and not getattr(options, "quiet", False):
            note = f"{file.name}: the field {columns[0]!r} is read"
            say(note)
        files += [Segments(reader, name, role) for name in columns]
    if refused:
        raise _refusal(refused, options)
    return files


def _refusal(refused: Sequence[tuple[str, Reader]], options: Namespace) -> InputError:
    """Say what the first file is, and write the command that reads a column of each."""
    words: dict[str, list[str]] = {}
    for role, reader in refused:
        option = "--column" if "column" in options else _OPTIONS.get(role)
        if option is not None and {"column", "hypotheses"} & vars(options).keys():
            suggested = reader.likely(role)
            if role == HYPOTHESIS and "baseline" in options and reader.form == forms.MARKUP:
                suggested = [",".join(reader.columns)]  # All systems of a set.
            words.setdefault(option, [option, *suggested])
    advice = "write the text into a file, one segment per line"
    if words and all(len(each) > 1 for each in words.values()):
        given = chain.from_iterable(words.values())
        command = shlex.join(["truebleu", *options.arguments, *given])
        advice = f"`{command}` reads one of them"
    _, first = refused[0]
    return InputError(f"{described(first)}: {advice}{first.as_text('it')}")
