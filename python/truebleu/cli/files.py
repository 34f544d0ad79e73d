"""Files of lines, read side by side; or strings in their place."""

from __future__ import annotations

import os

from truebleu.cli.output import Bar
from truebleu.display.text import width
from truebleu.errors import (
    EmptyInputError,
    EncodingError,
    InputError,
    SettingsError,
    SettingsWarning,
    warn,
)
from truebleu.inputs import forms, pairing
from truebleu.inputs.files import STANDARD_INPUT, LineFile, LinesInMemory, open_all, side_by_side
from truebleu.inputs.lines import check_kind, lines_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.cli.parameters import Namespace


class SystemFile(str):
    """The path of a system's output, with the name that was given for it, and the whole `text`.

    ``name=path`` is split at the first ``=`` if no ``/`` comes before it and no file is called like
    the whole.
    """

    __slots__ = ("column", "name", "text")
    name: str | None
    text: str
    column: str | None

    def __new__(cls, text: str) -> SystemFile:
        """Split the text; see the class."""
        name, equals, path = text.partition("=")
        named = bool(name and equals) and "/" not in name and not os.path.exists(text)  # noqa: PTH110
        made = super().__new__(cls, path if named else text)
        made.name, made.text, made.column = name if named else None, text, None
        return made

    def of_name(self, path: str) -> SystemFile:
        """Return another path of the same name."""
        made = str.__new__(SystemFile, path)
        made.name, made.text, made.column = self.name, path, self.column
        return made

    def of_column(self, column: str, name: str | None) -> SystemFile:
        """Return one of the columns of this file."""
        made = str.__new__(SystemFile, self)
        made.name, made.text, made.column = name, self.text, column
        return made


def refuse_same_names(systems: list[SystemFile]) -> None:
    """Refuse to call two systems by one name, and warn of one file that is two systems."""
    given: dict[str, str] = {}
    paths: dict[tuple[str, str | None], str] = {}
    for system in systems:
        if system.name in given:
            raise SettingsError(
                f"two systems are called {system.name!r}: {given[system.name]} and {system.text}; "
                "give each a name of its own"
            )
        if system.name is not None:
            given[system.name] = system.text
        path = os.path.realpath(system), system.column
        if path in paths:
            warn(f"{paths[path]} and {system.text} are the same file", SettingsWarning)
        paths[path] = system.text


# Columns of a terminal that a text takes as the name of a system.
_WIDEST_NAME = 40

# Other names of standard input.
_STANDARD_INPUTS = (STANDARD_INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def refuse_twice(paths: Iterable[str]) -> None:
    """Refuse to read standard input or a pipe more than once, under whatever names."""
    seen: dict[object, str] = {}
    for path in paths:
        which = _pipe(path)
        if which is not None and which in seen:
            called = "standard input (-)" if which == STANDARD_INPUT else path
            raise SettingsError(f"{called} can be read only once")
        seen[which] = path


def _pipe(path: str) -> object:
    """Return what identifies standard input or a pipe; None for other files."""
    if isinstance(path, LinesInMemory):
        return None
    if path in _STANDARD_INPUTS:
        return STANDARD_INPUT
    try:
        found = os.stat(path)  # noqa: PTH116  # pathlib is slow to load.
    except (OSError, ValueError):
        return None
    from stat import S_ISFIFO, S_ISSOCK

    is_pipe = S_ISFIFO(found.st_mode) or S_ISSOCK(found.st_mode)
    return (found.st_dev, found.st_ino) if is_pipe else None


def read_blocks(
    options: Namespace, others: Sequence[tuple[str | None, str]] = ()
) -> Iterator[tuple[list[LineFile], int]]:
    """Read files side by side: yield all, and how many lines they have ready.

    These are the systems, the references, of which a file may hold several sets, and `others` with
    what they are: sources, the IDs of documents, or (None) lines as they are.
    """
    given = [
        *((forms.HYPOTHESIS, path) for path in options.systems),
        *((forms.REFERENCE, path) for path in options.references or ()),
        *others,
    ]
    refuse_twice(path for _, path in given)
    opened = _opened([path for _, path in given])
    size = _size(opened)
    line = 0
    try:
        files = _as_they_are(opened, [role for role, _ in given], options)
        references = files[len(options.systems) : len(files) - len(others)]
        skips = getattr(options, "missing_references", None) == "skip"
        for file in references if skips else ():
            file.lines.skip_empty()
        with Bar("scoring") as bar:
            for count in side_by_side(files):
                if references and not (line or options.as_text):
                    _check_pairing(files, len(options.systems), references, count)
                if skips:
                    _refuse_without_references(references, count, line)
                yield files, count
                line += count
                bar.update(sum(file.read_bytes for file in files), size)
    finally:
        for file in opened:
            file.__exit__()


def _check_pairing(
    files: list[LineFile], systems: int, references: list[LineFile], count: int
) -> None:
    count = min(count, pairing.FIRST_LINES)
    first = [(file.name, file.lines.texts(count)) for file in (*files[:systems], *references)]
    pairing.check(first[:systems], first[systems:])


def _as_they_are(
    files: list[LineFile], roles: Sequence[str | None], options: Namespace
) -> list[LineFile]:
    """Return files of lines as they are, and what others are read as, or refuse these."""
    first: list[list[str]] = []
    # What is on the side of the outputs, and on the other.
    sides: dict[bool, list[str]] = {True: [], False: []}
    found: list[tuple[LineFile, str | None, str | None, bool]] = []
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
            found[number] = (
                file,
                role,
                *_form(file, role, lines, sides[role != forms.HYPOTHESIS], options),
            )
            if role != forms.DOCUMENT and not (found[number][2] or options.as_text):
                check_kind(file.name, lines, _again(file))
    if not any(form for _, _, form, _ in found):
        return files
    from truebleu.cli.readers import read

    return read(found, options)


def _again(file: LineFile) -> Callable[[], list[str]]:
    """Return what reads a file from the beginning, or of a pipe what is read so far."""
    if isinstance(file.path, LinesInMemory) or _pipe(file.path):
        return lambda: file.lines.texts(file.lines.available)
    return lambda: lines_in(file.path)


def _form(
    file: LineFile, role: str, lines: list[str], against: list[str], options: Namespace
) -> tuple[str | None, bool]:
    """Return what a file is, None if it is text, and whether that is unclear."""
    if isinstance(file.path, LinesInMemory):
        return None, False
    if getattr(file.path, "column", None) is not None:
        other = forms.JSON_LINES if forms.json_object(lines[0]) else forms.TSV
        return forms.recognise(file.name, lines, []) or other, False
    form = None if options.as_text else forms.recognise(file.name, lines, against)
    if role == forms.DOCUMENT and form != forms.MARKUP:
        return None, False
    return form, form == forms.JSON_LINES and any(map(forms.json_object, against))


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


def read_columns(
    options: Namespace, others: Sequence[tuple[str | None, str]] = ()
) -> tuple[list[list[str]], list[list[Any]], list[list[str]]]:
    """Return the lines of each system, of each set of references, and of each of the others."""
    columns: list[list[Any]] = []
    for files, count in read_blocks(options, others):
        columns = columns or [[] for _ in files]
        for column, file in zip(columns, files, strict=True):
            column.extend(file.lines.texts(count))
    systems, last = len(options.systems), len(columns) - len(others)
    return columns[:systems], columns[systems:last], columns[last:]


def read_lines(path: str, role: str | None = None, *, as_text: bool = False) -> list[str]:
    """Read the lines of one file, or what its role needs if it is something else."""
    from truebleu.cli.parameters import Namespace

    options = Namespace(systems=[], references=[], as_text=as_text, arguments=[])
    try:
        [lines] = read_columns(options, [(role, path)])[2]
    except EmptyInputError:
        if role is None:
            raise
        raise EmptyInputError(f"{path} has no lines: one for each segment is needed") from None
    return lines


def _size(files: list[LineFile]) -> int | None:
    """Return how many bytes there are to read, if that can be known."""
    if any(file.path.endswith((".gz", ".bz2", ".xz", ".zst")) for file in files):
        return None
    try:
        return sum(os.stat(file.path).st_size for file in files)  # noqa: PTH116  # pathlib is slow to load.
    except OSError:
        return None


def use_texts(options: Namespace) -> None:
    """``--text``: let systems and references be the strings that were given, a segment each."""
    for name in ("hypotheses", "reference_columns"):
        if getattr(options, name, None):
            raise SettingsError("--text takes strings: leave out options for tables")
    if not options.references:
        raise SettingsError("--text needs references: give strings with -r")
    options.systems = [_as_file(path.text, _shown(path.text)) for path in options.systems]
    options.references = [
        _as_file(text, f"reference {number}") for number, text in enumerate(options.references, 1)
    ]


def _as_file(text: str, name: str) -> LinesInMemory:
    """Return a file with one line; raises InputError for a line break and what is not UTF-8."""
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


def _shown(text: str) -> str:
    """Call a system what it says, as far as that fits."""
    if text in ("", STANDARD_INPUT):
        return repr(text)
    if width(text) <= _WIDEST_NAME:
        return text
    shown = text[:_WIDEST_NAME]
    while width(shown) > _WIDEST_NAME - len("..."):
        shown = shown[:-1]
    return f"{shown.rstrip()}..."
