"""The files of systems: their names, and which of them are one file."""

from __future__ import annotations

import os
from itertools import takewhile

from truebleu.errors import SettingsError, SettingsWarning, warn
from truebleu.inputs.files import STANDARD_INPUT, LinesInMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


def refuse_same_names(systems: Iterable[SystemFile]) -> None:
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


# Other names of standard input.
_STANDARD_INPUTS = (STANDARD_INPUT, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def refuse_twice(paths: Iterable[str]) -> None:
    """Refuse to read standard input or a pipe more than once, under whatever names."""
    seen: dict[object, str] = {}
    for path in paths:
        which = pipe_of(path)
        if which is not None and which in seen:
            called = "standard input (-)" if which == STANDARD_INPUT else path
            raise SettingsError(f"{called} can be read only once")
        seen[which] = path


def pipe_of(path: str) -> object:
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

    pipes = S_ISFIFO(found.st_mode) or S_ISSOCK(found.st_mode)
    return (found.st_dev, found.st_ino) if pipes else None


# What separates the fields of a file's name: a hyphen does not, as in ``online-A``.
_UP_TO_SEPARATOR = r"[^./_]*[./_]|[^./_]+"
_FROM_SEPARATOR = r"[./_][^./_]*|[^./_]+"


def system_names(systems: Sequence[str]) -> list[str]:
    """Name systems as the user does, or by what distinguishes the names of their files.

    Fields that all names of files begin or end with are cut; folders are left out if the names of
    the files differ. Of two alike the second gets a number; names that were given stay as they are.
    """
    given = {getattr(path, "name", None) for path in systems}
    files = [path for path in systems if isinstance(path, SystemFile) and not path.name]
    cut = _distinguishing(dict.fromkeys(path for path in files if path != STANDARD_INPUT))
    names: list[str] = []
    for path in systems:
        by_file = "standard input" if path == STANDARD_INPUT else cut.get(path, path)
        unique, number = by_file, 1
        while unique in names or unique in given:
            number += 1
            unique = f"{by_file} ({number})"
        names.append(getattr(path, "name", None) or unique)
    return names


def _distinguishing(paths: Iterable[str]) -> dict[str, str]:
    """Return the part of each path that tells it from the others."""
    names = {path: os.path.basename(path) or path for path in paths}  # noqa: PTH119
    if len(set(names.values())) < len(names):
        names = {path: path for path in names}
    if len(names) < 2:
        return names
    import re

    ends = [re.findall(_FROM_SEPARATOR, name) for name in names.values()]
    cut = _shared([each[::-1] for each in ends])
    starts = [re.findall(_UP_TO_SEPARATOR, "".join(each[: len(each) - cut])) for each in ends]
    cut = _shared(starts)
    # A number alone says too little.
    while cut and not all(any(map(str.isalpha, "".join(each[cut:]))) for each in starts):
        cut -= 1
    return {path: "".join(each[cut:]) for path, each in zip(names, starts, strict=True)}


def _shared(names: Sequence[list[str]]) -> int:
    """Return with how many equal fields all names begin, without the last of any."""
    columns = zip(*(each[:-1] for each in names), strict=False)
    return sum(1 for _ in takewhile(lambda fields: len(set(fields)) == 1, columns))
