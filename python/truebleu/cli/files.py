"""Files of lines, read side by side; or strings in their place."""

from __future__ import annotations

import os

from truebleu.cli.output import Bar
from truebleu.display.text import width
from truebleu.errors import EncodingError, InputError, SettingsError, SettingsWarning, warn
from truebleu.inputs import forms
from truebleu.inputs.files import STANDARD_INPUT, LineFile, LinesInMemory, open_all, side_by_side

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence


class SystemFile(str):
    """The path of a system's output, with the name that was given for it, and the whole `text`.

    ``name=path`` is split at the first ``=`` if no ``/`` comes before it and no file is called like
    the whole.
    """

    __slots__ = ("name", "text")
    name: str | None
    text: str

    def __new__(cls, text: str) -> SystemFile:
        """Split the text; see the class."""
        name, equals, path = text.partition("=")
        named = bool(name and equals) and "/" not in name and not os.path.exists(text)  # noqa: PTH110
        made = super().__new__(cls, path if named else text)
        made.name, made.text = name if named else None, text
        return made


def refuse_same_names(systems: list[SystemFile]) -> None:
    """Refuse to call two systems by one name, and warn of one file that is two systems."""
    given: dict[str, str] = {}
    paths: dict[str, str] = {}
    for system in systems:
        if system.name in given:
            raise SettingsError(
                f"two systems are called {system.name!r}: {given[system.name]} and {system.text}; "
                "give each a name of its own"
            )
        if system.name is not None:
            given[system.name] = system.text
        path = os.path.realpath(system)
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
    systems: list[str], references: list[str], labels: Sequence[str] = (), *, as_text: bool
) -> Iterator[tuple[list[LineFile], int]]:
    """Read files side by side: yield all, in this order, and how many lines they have ready.

    `references` are sources as well; `labels` whatever else has one line per segment, such as the
    IDs of documents. If not `as_text`, files are refused that are no lines of text.
    """
    paths = [*systems, *references, *labels]
    refuse_twice(paths)
    files = _opened(systems, paths)
    size = _size(files)
    judged = as_text
    try:
        with Bar("scoring") as bar:
            for count in side_by_side(files):
                if not judged:
                    refuse_other_forms(files, len(systems), len(paths) - len(labels))
                    judged = True
                yield files, count
                bar.update(sum(file.read_bytes for file in files), size)
    finally:
        for file in files:
            file.__exit__()


def _opened(systems: Sequence[str], paths: list[str]) -> list[LineFile]:
    """Open all files; if one is missing that was given as ``NAME=FILE``, say so."""
    try:
        return open_all(paths)
    except FileNotFoundError as error:
        for system in systems:
            if isinstance(system, SystemFile) and system.name and system == error.filename:
                raise FileNotFoundError(
                    error.errno,
                    f"{error.strerror}; {system.text} is read as a system called {system.name} "
                    f"in the file {system}, since there is no file {system.text}",
                    error.filename,
                ) from None
        raise


def read_columns(
    systems: list[str], references: list[str], labels: Sequence[str] = (), *, as_text: bool
) -> list[list[str]]:
    """Read files as a whole, see :func:`read_blocks`; return the lines of each."""
    columns: list[list[str]] = [[] for _ in (*systems, *references, *labels)]
    for files, count in read_blocks(systems, references, labels, as_text=as_text):
        for column, file in zip(columns, files, strict=True):
            column.extend(file.lines.texts(count))
    return columns


def read_corpus(
    systems: list[str], references: list[str], *, as_text: bool
) -> tuple[list[str], list[list[str]]]:
    """Read the lines of one system as a whole, and the references of each."""
    hypotheses, *streams = read_columns(systems, references, as_text=as_text)
    return hypotheses, [list(several) for several in zip(*streams, strict=True)]


def read_lines(path: str, *, as_text: bool = True) -> list[str]:
    """Read the lines of one file, by default of any form."""
    [lines] = read_columns([path], [], as_text=as_text)
    return lines


def refuse_other_forms(files: list[LineFile], systems: int, texts: int) -> None:
    """Refuse files that are not lines of text; the first are outputs of `systems`."""
    first = [file.first_lines() for file in files[:texts]]
    forms.refuse_other_forms(first[:systems], first[systems:])


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
    for name in ("hypotheses", "reference_columns", "where", "documents"):
        if getattr(options, name, None):
            raise SettingsError("--text takes strings: leave out options for tables and documents")
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
