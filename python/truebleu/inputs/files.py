"""Files with one segment per line, decompressed and read side by side in blocks."""

from __future__ import annotations

import os
import sys

from truebleu._core import InvalidUtf8Error, Lines
from truebleu.display import formatting
from truebleu.errors import (
    EmptyInputError,
    EncodingError,
    InputError,
    LengthMismatchError,
    SettingsError,
)
from truebleu.inputs.compression import DECOMPRESSED, open_plain
from truebleu.inputs.forms import LONGEST_MAGIC, refuse_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from truebleu.inputs.compression import Readable


STANDARD_INPUT = "-"

BLOCK = 1 << 20
SMALLEST_BLOCK = 1 << 16

_LONGEST_LINE = 1 << 26

# How many lines tell what a file is.
_FIRST_LINES = 100


def longest_line() -> int:
    """Return how many bytes a line of a file may have: TRUEBLEU_MAX_LINE, by default 64 MiB.

    So a file that is no text, or decompresses to a single line without end, does not fill the
    memory.

    Raises
    ------
    SettingsError
        If the environment variable is not a whole number from 1 up.
    """
    chosen = os.environ.get("TRUEBLEU_MAX_LINE") or str(_LONGEST_LINE)
    # Python reads no number of thousands of digits.
    is_number = chosen.isascii() and chosen.isdecimal() and len(chosen) < 20
    if not (is_number and 0 < int(chosen) <= sys.maxsize):
        raise SettingsError(
            f"TRUEBLEU_MAX_LINE is {chosen!r}; a number of bytes is needed, such as {_LONGEST_LINE}"
        )
    return int(chosen)


def open_binary(path: str) -> Readable:
    """Open a file for reading, and decompress it if its suffix says so.

    Parameters
    ----------
    path : str
        ``-`` is standard input. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed on the
        fly; a file may have several streams, but nothing else after one.

    Returns
    -------
    binary file

    Raises
    ------
    OSError
        If it cannot be opened.
    MissingExtraError
        If the package that ``.zst`` needs is not installed.
    """
    if isinstance(path, LinesInMemory):
        return path.open()
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer
    return DECOMPRESSED.get(_suffix(path), open_plain)(path)


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _is_plain(path: str) -> bool:
    """Whether a path is that of a file on a disk, which the core reads, and is not compressed."""
    if path == STANDARD_INPUT or isinstance(path, LinesInMemory) or _suffix(path) in DECOMPRESSED:
        return False
    return os.path.isfile(path)  # noqa: PTH113  # pathlib is slow to load.


class LinesInMemory(str):
    """The name of lines that are read as if they were in a file of that name.

    Parameters
    ----------
    name : str
        What messages call it.
    lines : list of str
        A CR within a line counts as a space, because it would end the line in a file.
    """

    __slots__ = ("lines",)
    lines: list[str]

    def __new__(cls, name: str, lines: list[str]) -> LinesInMemory:
        """Keep the lines; see the class."""
        made = super().__new__(cls, name)
        made.lines = lines
        return made

    def open(self) -> Readable:
        """Return the file."""
        from io import BytesIO

        # The first of two byte-order marks is dropped.
        text = "".join(f"{line}\n" for line in self.lines)
        return BytesIO(f"\ufeff{text}".replace("\r", " ").encode())


class LineFile:
    """The lines of one file, block by block.

    LF, CRLF and CR all end a line, a byte-order mark is dropped, and every line counts, even an
    empty one. Use as a context manager.

    Parameters
    ----------
    path : str
        See :func:`open_binary`; or :class:`LinesInMemory`.
    block : int
        The number of bytes to read at a time.
    """

    def __init__(self, path: str, block: int = BLOCK) -> None:
        """Open the file."""
        self.path = path
        self.name = "standard input" if path == STANDARD_INPUT else path
        self._block = block
        self._ended = False
        # None if the core reads the file.
        self._stream: Readable | None = None
        self._first = b""
        longest = longest_line()
        if _is_plain(path):
            try:
                self.lines = Lines.open(path, block, longest)
            except OSError as error:
                raise _named(error, self.name) from None
        else:
            self._stream = open_binary(path)
            self.lines = Lines(longest)

    @property
    def read_bytes(self) -> int:
        """The number of bytes read so far, decompressed."""
        return self.lines.read_bytes

    def fill(self) -> int:
        """Read until at least one line is ready or the file ends.

        Returns
        -------
        int
            The number of lines that are ready; 0 at the end.

        Raises
        ------
        EncodingError
            If a line is not UTF-8.
        InputError
            If a line is longer than :func:`longest_line` says.
        OSError
            If reading fails, or a compressed file is damaged.
        """
        try:
            if self._stream is None:
                self.lines.read()
            else:
                self._read_stream(self._stream)
        except InvalidUtf8Error as error:
            line, byte = error.args
            refuse_binary(self.name, self._head())
            raise EncodingError(
                f"{self.name}, line {line:,}, byte {byte:,}: not UTF-8; convert the file, for "
                "example with iconv"
            ) from None
        except InputError as error:
            raise InputError(f"{self.name}, {error}") from None
        except OSError as error:
            raise _named(error, self.name) from error
        return self.lines.available

    def _read_stream(self, stream: Readable) -> None:
        # Not before all lines are counted: the writer of a pipe may wait for their scores.
        while not self._ended and not self.lines.available:
            block = _read(stream, self._block)
            if block:
                self._first = self._first or block[:LONGEST_MAGIC]
                self.lines.push(block)
            else:
                self._ended = True
                self.lines.finish()

    def _head(self) -> bytes:
        """Return the first bytes of the file, decompressed."""
        if self._stream is None:
            with open(self.path, "rb", buffering=0) as file:
                return file.read(LONGEST_MAGIC)
        return self._first

    def first_lines(self) -> tuple[str | None, list[str]]:
        """Return the name of the file, None if it is in memory, and some lines that are ready."""
        name = None if isinstance(self.path, LinesInMemory) else self.name
        return name, self.lines.texts(min(_FIRST_LINES, self.lines.available))

    def count_all(self) -> int:
        """Read to the end and return how many lines the file has."""
        while self.fill():
            self.lines.drop_front(self.lines.available)
        return self.lines.total

    def __enter__(self) -> LineFile:
        """Return itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the stream, unless it is standard input; the core closes what it reads itself."""
        if self._stream is not None and self.path != STANDARD_INPUT:
            self._stream.close()


def _read(stream: Readable, size: int) -> bytes:
    """Return the next block, decompressed; any error is an OSError."""
    try:
        return stream.read(size) or b""
    except (OSError, EOFError, ValueError, ArithmeticError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise OSError(f"damaged: {error}") from error
    except Exception as error:
        # zlib, lzma and zstandard raise their own exceptions.
        if type(error).__module__ == "builtins":
            raise
        raise OSError(f"damaged: {error}") from error


def _named(error: OSError, name: str) -> OSError:
    """Return the same error with the name of the file."""
    if error.errno is None:
        return OSError(f"{name}: {error}")
    return OSError(error.errno, error.strerror, name)


def read_through(path: str) -> None:
    """Read a file to its end.

    Raises
    ------
    OSError
        If reading fails, or a compressed file is damaged.
    """
    stream = open_binary(path)
    try:
        while _read(stream, BLOCK):
            pass
    except OSError as error:
        raise _named(error, path) from error
    finally:
        stream.close()


def open_all(paths: list[str]) -> list[LineFile]:
    """Open files that will be read side by side.

    The more files, the smaller the blocks, so that memory stays bounded.

    Raises
    ------
    OSError
        If one cannot be opened.
    """
    block = max(SMALLEST_BLOCK, 2 * BLOCK // max(2, len(paths)))
    opened: list[LineFile] = []
    try:
        for path in paths:
            opened += [LineFile(path, block)]
    except BaseException:
        for file in opened:
            file.__exit__()
        raise
    return opened


def side_by_side(files: list[LineFile]) -> Iterator[int]:
    """Read files that have the same number of lines, block by block.

    Parameters
    ----------
    files : list of LineFile

    Yields
    ------
    int
        The number of lines that every file has ready; they are dropped when the next number is
        requested.

    Raises
    ------
    LengthMismatchError
        If one file ends before another; the message has both counts and the first line without
        a counterpart.
    EmptyInputError
        If the files have no lines.
    """
    while count := min(file.fill() for file in files):
        yield count
        for file in files:
            file.lines.drop_front(count)
    totals = [file.count_all() for file in files]
    longest, shortest = max(totals), min(totals)
    if longest != shortest:
        more, fewer = files[totals.index(longest)], files[totals.index(shortest)]
        lines = formatting.count(shortest, "line")
        raise LengthMismatchError(
            f"{fewer.name} has {lines} but {more.name} has {longest:,}: "
            f"line {shortest + 1:,} of {more.name} has no matching line"
        )
    if not longest:
        raise EmptyInputError(f"{files[0].name} has no lines: there is no segment to score")
