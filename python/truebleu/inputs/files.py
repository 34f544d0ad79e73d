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
    MissingExtraError,
    SettingsError,
)
from truebleu.inputs.forms import HEAD, iconv, refuse_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol

    class Readable(Protocol):
        """What is needed of a binary file."""

        def read(self, size: int, /) -> bytes | None:
            """Return up to `size` bytes; none at the end."""

        def close(self) -> None:
            """Close the file."""


STANDARD_INPUT = "-"

BLOCK = 1 << 20
SMALLEST_BLOCK = 1 << 16

# How much of a compressed file is read at a time.
_COMPRESSED_BLOCK = 1 << 16

_LONGEST_LINE = 1 << 26


def _plain_file(path: str) -> Readable:
    """Open a file that is not compressed; the caller closes it."""
    return open(path, "rb", buffering=0)


_COMPRESSIONS = ("gz", "bz2", "xz", "zst")


def _decompressed(path: str) -> Readable:
    suffix = _suffix(path)
    if suffix == "gz":
        import zlib

        # 31: with the header and the checksum of gzip.
        return _Compressed(path, lambda: zlib.decompressobj(31))
    if suffix == "bz2":
        import bz2

        return _Compressed(path, bz2.BZ2Decompressor)
    if suffix == "xz":
        from lzma import FORMAT_XZ, LZMADecompressor

        return _Compressed(path, lambda: LZMADecompressor(FORMAT_XZ))
    try:
        from zstandard import ZstdDecompressor
    except ImportError as error:
        raise MissingExtraError(f"{path}: to read .zst, pip install 'truebleu[zstd]'") from error
    return _Compressed(path, ZstdDecompressor().decompressobj, bounded=False)


def longest_line() -> int:
    """Return how many bytes a line may have, so that no file fills the memory."""
    chosen = os.environ.get("TRUEBLEU_MAX_LINE") or str(_LONGEST_LINE)
    # Python reads no number of thousands of digits.
    is_number = chosen.isascii() and chosen.isdecimal() and len(chosen) < 20
    if not (is_number and 0 < int(chosen) <= sys.maxsize):
        raise SettingsError(
            f"TRUEBLEU_MAX_LINE is {chosen!r}; a number of bytes is needed, such as {_LONGEST_LINE}"
        )
    return int(chosen)


def open_binary(path: str) -> Readable:
    """Open a file for reading, and decompress it if its suffix says so; ``-`` is standard input."""
    if isinstance(path, LinesInMemory):
        return path.open()
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer
    return _decompressed(path) if _suffix(path) in _COMPRESSIONS else _plain_file(path)


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _is_plain(path: str) -> bool:
    """Whether a path is that of a file on a disk, which the core reads, and is not compressed."""
    if path == STANDARD_INPUT or isinstance(path, LinesInMemory) or _suffix(path) in _COMPRESSIONS:
        return False
    return os.path.isfile(path)  # noqa: PTH113  # pathlib is slow to load.


class _Compressed:
    """A compressed file: one or more streams, and nothing else.

    The standard library would accept an empty file, and its readers of bz2 and lzma ignore
    anything after a stream that is not another one. `start` makes a decompressor for one stream;
    a `bounded` one can limit how much it returns.
    """

    def __init__(self, path: str, start: Callable[[], Any], *, bounded: bool = True) -> None:
        self._file = _plain_file(path)
        self.close = self._file.close
        self._start = start
        self._bounded = bounded
        # A small block may decompress to one that is 32,000 times as large.
        self._least = _COMPRESSED_BLOCK if bounded else _COMPRESSED_BLOCK >> 6
        self._stream: Any = start()
        self._block = b""

    def read(self, size: int, /) -> bytes:
        out: bytes = b""
        while not out and (self._stream is not None or self._next()):
            stream = self._stream
            block = self._block
            if not block and getattr(stream, "needs_input", True):
                block = self._file.read(self._least) or b""
                if not block:
                    raise EOFError("it ends in the middle of a stream")
            out = stream.decompress(block, size) if self._bounded else stream.decompress(block)
            if stream.eof:
                self._stream, self._block = None, stream.unused_data
            else:
                self._block = getattr(stream, "unconsumed_tail", b"")
        return out

    def _next(self) -> bool:
        self._block = self._block or self._file.read(_COMPRESSED_BLOCK) or b""
        if self._block:
            self._stream = self._start()
        return bool(self._block)


class LinesInMemory(str):
    """The name of texts that are read as if they were the lines of a file of that name."""

    lines: list[str]

    def __new__(cls, name: str, lines: list[str]) -> LinesInMemory:
        """Keep the lines."""
        made = super().__new__(cls, name)
        made.lines = lines
        return made

    def open(self) -> Readable:
        """Return the file."""
        from io import BytesIO

        return BytesIO(as_lines(self.lines, self))


def as_lines(texts: Iterable[str], name: str) -> bytes:
    """Return texts as :func:`lines_of_texts` does; of two byte-order marks, the core drops one."""
    return b"\xef\xbb\xbf" + lines_of_texts(texts, name)


def lines_of_texts(texts: Iterable[str], name: str) -> bytes:
    """Return texts as lines of a file in UTF-8; a line break within a text counts as a space."""
    lines = []
    for number, text in enumerate(texts, 1):
        line = text.replace("\r\n", " ").replace("\r", " ").replace("\n", " ")
        try:
            lines.append(f"{line}\n".encode())
        except UnicodeEncodeError as error:
            raise EncodingError(
                f"{name}, segment {number:,}: the text has half of a surrogate pair "
                f"(U+{ord(line[error.start]):04X}), which is no character; correct the text"
            ) from None
    return b"".join(lines)


class LineFile:
    """The lines of one file, block by block or `as_they_come`; LF, CRLF and CR all end a line."""

    unit = "line"

    def __init__(
        self,
        path: str,
        block: int = BLOCK,
        *,
        as_they_come: bool = False,
    ) -> None:
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
            self._take = self._stream.read
            if as_they_come:
                self._take = getattr(self._stream, "read1", self._take)
            self.lines = Lines(longest)

    @property
    def read_bytes(self) -> int:
        """The number of bytes read so far, decompressed."""
        return self.lines.read_bytes

    def fill(self, least: int = 1) -> int:
        """Read until lines are ready or the file ends; return how many are, 0 at the end.

        Where it does not take much memory, these are at `least` as many as are asked for.
        """
        try:
            if self._stream is None:
                self._read_file(least)
            else:
                self._read_stream(least)
        except InvalidUtf8Error as error:
            line, byte = error.args
            if self._stream is None:
                with open(self.path, "rb", buffering=0) as file:
                    self._first = file.read(HEAD)
            refuse_binary(self.name, self._first)
            remedy = iconv(self.path, self._first)
            raise EncodingError(
                f"{self.name}, line {line:,}, byte {byte:,}: not UTF-8{remedy}"
            ) from None
        except InputError as error:
            raise InputError(f"{self.name}, {error}") from None
        except OSError as error:
            raise _named(error, self.name) from error
        return self.lines.available

    def _read_file(self, least: int) -> None:
        before = -1
        # The core keeps two blocks ready, and reads no more then.
        while before < self.read_bytes:
            before = self.read_bytes
            self.lines.read()
            if self.lines.available >= least:
                break

    def _read_stream(self, least: int) -> None:
        # Not before all lines are counted: the writer of a pipe may wait for their scores.
        while not self._ended and (
            not self.lines.available
            or (self.lines.available < least and self.read_bytes < 2 * self._block)
        ):
            block = _read(self._take, self._block)
            if block:
                self._first = self._first or block[:HEAD]
                self.lines.push(block)
            else:
                self._ended = True
                self.lines.finish()

    def separator(self) -> str:
        """Say where the file has U+2028, as far as it is read; nothing if it has none."""
        if self.lines.separator is None:
            return ""
        return (
            f"{self.name}, {self.unit} {self.lines.separator:,} has a line separator (U+2028), "
            "which is a space here, but ends a line for others, such as str.splitlines in Python: "
            "replace it with a space before lines are split or counted"
        )

    def count_all(self) -> int:
        """Read to the end and return how many lines the file has."""
        while self.fill():
            self.lines.drop_front(self.lines.available)
        return self.lines.total

    def __enter__(self) -> LineFile:
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the stream, unless it is standard input; the core closes what it reads itself."""
        if self._stream is not None and self.path != STANDARD_INPUT:
            self._stream.close()


def _read(take: Callable[[int], bytes | None], size: int) -> bytes:
    """Return the next block, decompressed; any error is an OSError."""
    try:
        return take(size) or b""
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
    if error.errno is None:
        return OSError(f"{name}: {error}")
    return OSError(error.errno, error.strerror, name)


def open_all(paths: list[str]) -> list[LineFile]:
    """Open files that will be read side by side: the more files, the smaller the blocks."""
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
    """Yield how many lines all files have ready, which are dropped before the next number."""
    while count := min(file.fill() for file in files):
        yield count
        for file in files:
            file.lines.drop_front(count)
    totals = [file.count_all() for file in files]
    longest, shortest = max(totals), min(totals)
    if longest != shortest:
        more, fewer = files[totals.index(longest)], files[totals.index(shortest)]
        lines = formatting.count(shortest, fewer.unit)
        raise LengthMismatchError(
            f"{fewer.name} has {lines} but {more.name} has {longest:,}: "
            f"{more.unit} {shortest + 1:,} of {more.name} has no matching {fewer.unit}"
            + "".join(f"; {said}" for file in (more, fewer) if (said := file.separator()))
        )
    if not longest:
        raise EmptyInputError(f"{files[0].name} has no lines: there is no segment to score")
