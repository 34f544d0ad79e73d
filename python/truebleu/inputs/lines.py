"""The lines of a file as a list: of a file by its path, and of one that is open."""

from __future__ import annotations

from truebleu._core import Lines
from truebleu.errors import EncodingError, InputError, InputTypeError, wrong_type
from truebleu.inputs.files import BLOCK, LineFile, LinesInMemory, longest_line
from truebleu.inputs.forms import BINARY_TABLES, FIRST_LINES, PYTHON, TABLE, recognise, suffix_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike
    from typing import Any, NoReturn

# How many of the first lines, at either end of them, are looked at, and what is rare where a line
# of text begins.
_EITHER_END = 8
_MARKS = frozenset('=:|]><"')


def read_lines(path: str | PathLike[str], *, as_text: bool = False) -> list[str]:
    r"""Read the lines of a file, as the command does.

    The file is UTF-8. LF, CRLF and CR all end a line, and no other character does: unlike
    `str.splitlines`, this keeps U+2028 within a segment. Line ends are cut, an empty line is an
    empty string, and a byte-order mark is dropped.

    Parameters
    ----------
    path : str or path-like
        Files named ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed; ``-`` is standard
        input.
    as_text : bool, default False
        Read any file, even one that is recognizably no lines of text, such as subtitles with times
        or a translation memory.

    Returns
    -------
    list of str
        One segment per line; an empty list for an empty file.

    Raises
    ------
    OSError
        If the file cannot be read, or is damaged.
    InputTypeError, InputError
        If `path` is not the path of a file, or the file is no lines of text: the message says
        what reads or converts it, such as :func:`read_texts`.
    EncodingError
        If a line is not UTF-8; the message has its number.
    MissingExtraError
        If the package that ``.zst`` needs is not installed.

    Warns
    -----
    SettingsWarning
        If the file looks like something else, such as numbered lines.

    Examples
    --------
    >>> from truebleu import corpus_bleu, read_lines
    >>> hypotheses = read_lines("examples/system-strong.en")
    >>> references = read_lines("examples/reference-a.en")
    >>> round(corpus_bleu(hypotheses, references), 2)
    50.21
    """
    path = checked_path(path)
    if not isinstance(as_text, bool):
        raise wrong_type("as_text", as_text, "True or False is needed")
    try:
        texts = lines_in(path)
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; the path of a file is needed") from None
    except InputError:
        if suffix_of(path) not in BINARY_TABLES:
            raise
        _refuse(LineFile(path), TABLE)
    if not as_text:
        first = texts[:FIRST_LINES]
        lines = [line for line in first if line.strip()]
        if form := recognise(path, lines, []) if lines else None:
            _refuse(LineFile(LinesInMemory(path, texts)), form)
        check_kind(path, first, lambda: texts)
    return texts


def _refuse(file: LineFile, form: str) -> NoReturn:
    """Refuse a file that is not lines, and name the call that reads a column of it."""
    from truebleu.inputs.readers import READERS, refusal

    with READERS[form](file, form, wording=PYTHON) as reader:
        raise refusal(reader)


def lines_in(path: str) -> list[str]:
    """Read the lines of any file."""
    texts: list[str] = []
    with LineFile(path) as file:
        while count := file.fill():
            texts += file.lines.texts(count)
            file.lines.drop_front(count)
    return texts


def check_kind(name: str, first: Sequence[str], whole: Callable[[], Iterable[str]]) -> None:
    """Refuse or warn of what is of one of :mod:`truebleu.inputs.kinds`, as its first lines show."""
    lines = [line for line in first if line.strip()]
    strange = any("\0" in line or " --> " in line for line in lines)
    if len(lines) > 2 * _EITHER_END and not strange:
        lines = [*lines[:_EITHER_END], *lines[-_EITHER_END:]]
    odd = sum(
        not line[0].isalpha() or "\t" in line or " ||| " in line or not _MARKS.isdisjoint(line[:40])
        for line in lines
    )
    if strange or 8 * odd > 3 * len(lines):
        # Slow to load, and hardly ever needed.
        from truebleu.inputs.kinds import check

        check(name, lines, whole)


def checked_path(path: Any) -> str:
    """Return a path as a str that a system call takes, or refuse it."""
    from os import PathLike, fsencode, fspath

    if not isinstance(path, str | PathLike):
        raise wrong_type("path", path, "the path of a file, as a str, is needed")
    name: str = fspath(path)
    if "\0" in name:
        raise InputError(f"path is {name!r}; a path cannot contain NUL")
    try:
        fsencode(name)
    except UnicodeEncodeError:
        raise InputError(f"path is {name!r}; no file can have this name") from None
    return name


def is_open_file(items: Any) -> bool:
    """Tell whether this is a file that is open, or anything else that is read like one."""
    return hasattr(items, "read") and hasattr(items, "readline")


def lines_of(file: Any, name: str) -> list[str]:
    """Read what is left of a text file, open with any ``newline``, as :func:`read_lines` does."""
    lines, texts = Lines(longest_line()), []
    where = f"{name} ({getattr(file, 'name', type(file).__name__)})"
    try:
        while block := file.read(BLOCK):
            if not isinstance(block, str):
                raise InputTypeError(
                    f"{where} is open in binary mode; open it as text, with encoding='utf-8', or "
                    "pass read_lines(path)"
                )
            lines.push(block.encode())
            texts += _taken(lines)
    except UnicodeError as error:
        encoding = getattr(file, "encoding", None) or "UTF-8"
        raise EncodingError(f"{where} is not {encoding}: {error}") from None
    except ValueError as error:
        raise InputError(f"{where} cannot be read: {error}") from None
    lines.finish()
    return texts + _taken(lines)


def _taken(lines: Lines) -> list[str]:
    count = lines.available
    texts = lines.texts(count)
    lines.drop_front(count)
    return texts
