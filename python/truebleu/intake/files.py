"""Files of lines, read side by side; or columns of what is no lines, in their place."""

from __future__ import annotations

import os

from truebleu._core import Lines
from truebleu.errors import EmptyInputError, InputError
from truebleu.inputs import forms, pairing
from truebleu.inputs.files import LineFile, LinesInMemory, longest_line, open_all, side_by_side
from truebleu.inputs.lines import check_kind, lines_in
from truebleu.intake.given import Given, Reading
from truebleu.intake.systems import SystemFile, pipe_of, refuse_twice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu.inputs.readers.base import Reader

    # What a file is to the caller, and its path.
    Other = tuple[str | None, str]
    # A file, what it is to the caller, what form it has, and whether that is unclear.
    Form = tuple[LineFile, str | None, str | None, bool]


class Segments(LineFile):
    """The segments of a file, block by block, as if they were the lines of one."""

    unit = "segment"

    def __init__(self, reader: Reader, column: str, role: str) -> None:
        self.path, self.name = reader.file.path, reader.name
        self._reader = reader
        # An object may lack a reference, and only that.
        nulls = role == forms.REFERENCE
        self._batches = reader.batches([column], nulls=nulls, lists=False, waits=False)
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


def read_blocks(
    given: Given,
    others: Sequence[Other] = (),
    progress: Callable[[int, int | None], None] | None = None,
) -> Iterator[tuple[list[LineFile], int]]:
    """Read files side by side: yield all, and how many lines they have ready.

    These are the systems, the references, of which a file may hold several sets, and `others` with
    what they are: sources, the IDs of documents, or (None) lines as they are. `progress` is told
    how many bytes were read, and of how many if that is known.
    """
    files_of = [
        *((forms.HYPOTHESIS, path) for path in given.systems),
        *((forms.REFERENCE, path) for path in given.references),
        *others,
    ]
    refuse_twice(path for _, path in files_of)
    opened = _opened([path for _, path in files_of])
    size = _size(opened)
    reading, systems, line = given.reading, len(given.systems), 0
    try:
        files = _as_they_are(opened, [role for role, _ in files_of], reading)
        references = files[systems : len(files) - len(others)]
        for file in references if reading.skips_empty else ():
            file.lines.skip_empty()
        watch = pairing.Watch()
        for count in side_by_side(files):
            if references and not reading.as_text:
                watch.look(files[:systems], references, count)
            if reading.skips_empty:
                _refuse_without_references(references, count, line)
            yield files, count
            line += count
            if progress is not None:
                progress(sum(file.read_bytes for file in files), size)
        if references and not reading.as_text:
            watch.end(files[: systems + len(references)])
    finally:
        for file in opened:
            file.__exit__()


def read_columns(
    given: Given,
    others: Sequence[Other] = (),
    progress: Callable[[int, int | None], None] | None = None,
) -> tuple[list[list[str]], list[list[Any]], list[list[str]]]:
    """Return the lines of each system, of each set of references, and of each of the others."""
    columns: list[list[Any]] = []
    for files, count in read_blocks(given, others, progress):
        columns = columns or [[] for _ in files]
        for column, file in zip(columns, files, strict=True):
            column.extend(file.lines.texts(count))
    systems, last = len(given.systems), len(columns) - len(others)
    return columns[:systems], columns[systems:last], columns[last:]


def read_file(path: str, role: str | None = None, reading: Reading | None = None) -> list[str]:
    """Read the lines of one file, or what its role needs if it is something else."""
    given = Given(reading=reading or Reading())
    try:
        [lines] = read_columns(given, [(role, path)])[2]
    except EmptyInputError:
        if role is None:
            raise
        raise EmptyInputError(f"{path} has no lines: one for each segment is needed") from None
    return lines


def _as_they_are(
    files: list[LineFile], roles: Sequence[str | None], reading: Reading
) -> list[LineFile]:
    """Return files of lines as they are, and what others are read as, or refuse these."""
    first: list[list[str]] = []
    # What is on the side of the outputs, and on the other.
    sides: dict[bool, list[str]] = {True: [], False: []}
    found: list[Form] = []
    for file, role in zip(files, roles, strict=True):
        form = None
        try:
            file.fill()
        except InputError:
            if role is None or not file.path.lower().endswith(forms.BINARY_TABLES):
                raise
            form = forms.TABLE
        ready = file.lines.texts(min(forms.FIRST_LINES, file.lines.available))
        first.append([] if form else [line for line in ready if line.strip()])
        found.append((file, role, form, False))
        if role not in (None, forms.DOCUMENT) and getattr(file.path, "column", None) is None:
            sides[role == forms.HYPOTHESIS] += first[-1]
    for number, ((file, role, form, _), lines) in enumerate(zip(list(found), first, strict=True)):
        if form is None and role is not None and lines:
            against = sides[role != forms.HYPOTHESIS]
            known = _form(file, role, lines, against, as_text=reading.as_text)
            found[number] = file, role, *known
            if role != forms.DOCUMENT and not (known[0] or reading.as_text):
                check_kind(file.name, lines, _again(file))
    return _read(found, reading) if any(form for _, _, form, _ in found) else files


def _again(file: LineFile) -> Callable[[], list[str]]:
    """Return what reads a file from the beginning, or of a pipe what is read so far."""
    if isinstance(file.path, LinesInMemory) or pipe_of(file.path):
        return lambda: file.lines.texts(file.lines.available)
    return lambda: lines_in(file.path)


def _form(
    file: LineFile, role: str, lines: list[str], against: list[str], *, as_text: bool
) -> tuple[str | None, bool]:
    """Return what a file is, None if it is text, and whether that is unclear."""
    if isinstance(file.path, LinesInMemory):
        return None, False
    if getattr(file.path, "column", None) is not None:
        other = forms.JSON_LINES if forms.json_object(lines[0]) else forms.TSV
        return forms.recognise(file.name, lines, []) or other, False
    form = None if as_text else forms.recognise(file.name, lines, against)
    if role == forms.DOCUMENT and form != forms.MARKUP:
        return None, False
    return form, form == forms.JSON_LINES and any(map(forms.json_object, against))


def _read(found: Sequence[Form], reading: Reading) -> list[LineFile]:
    """Return files of lines as they are, and the segments of others; refuse what is unclear.

    A set of several references is as many files.
    """
    # Most files are lines, and readers are slow to load.
    from truebleu.inputs.readers import READERS

    files: list[LineFile] = []
    refused: list[tuple[str, Reader]] = []
    for file, given, form, unclear in found:
        if form is None:
            files.append(file)
            continue
        role = str(given)
        reader = READERS[form](file, form, no_header=reading.no_header, wording=reading.wording)
        column = getattr(file.path, "column", None)
        columns = [column] if column is not None else reader.chosen(role)
        if unclear or not columns:
            refused.append((role, reader))
        elif column is None and reader.is_guess:
            reading.note(f"{file.name}: the field {columns[0]!r} is read")
        files += [Segments(reader, name, role) for name in columns]
    if refused:
        raise reading.refuse(refused)
    return files


def _refuse_without_references(references: list[LineFile], count: int, before: int) -> None:
    """Raise EmptyInputError if a segment has no reference; `before` segments were read before."""
    columns = [file.lines.texts(count) for file in references]
    for number, several in enumerate(zip(*columns, strict=True), before + 1):
        if all(text is None for text in several):
            names = ", ".join(file.name for file in references)
            raise EmptyInputError(
                f"{names}, line {number:,}: the segment has no reference left; leave it out"
            )


def _opened(paths: list[str]) -> list[LineFile]:
    """Open all files; if one is missing that was given as ``NAME=FILE``, say so."""
    try:
        return open_all(paths)
    except FileNotFoundError as error:
        for system in paths:
            if isinstance(system, SystemFile) and system.text != system == error.filename:
                raise FileNotFoundError(
                    error.errno,
                    f"{error.strerror}; {system.text} is read as a system called {system.name} "
                    f"in the file {system}, since there is no file {system.text}",
                    error.filename,
                ) from None
        raise


def _size(files: list[LineFile]) -> int | None:
    """Return how many bytes there are to read, if that can be known."""
    if any(file.path.endswith((".gz", ".bz2", ".xz", ".zst")) for file in files):
        return None
    try:
        return sum(os.stat(file.path).st_size for file in files)  # noqa: PTH116  # pathlib is slow to load.
    except OSError:
        return None
