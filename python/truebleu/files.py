"""Files of segments, a line each: opened, decompressed, and read side by side in blocks."""

from __future__ import annotations

import sys

from truebleu import _core, formatting
from truebleu.errors import EmptyInputError, EncodingError, LengthMismatchError, MissingExtraError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Readable(Protocol):
        """What is needed of a binary file."""

        def read(self, size: int, /) -> bytes | None:
            """Return up to `size` bytes; none at the end."""

        def close(self) -> None:
            """Close the file."""


STANDARD_INPUT = "-"

_BLOCK = 1 << 21
_SMALLEST_BLOCK = 1 << 16


def open_binary(path: str) -> Readable:
    """Open a file for reading, decompressed by its suffix.

    Parameters
    ----------
    path : str
        ``-`` is standard input; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` are decompressed.

    Returns
    -------
    binary file

    Raises
    ------
    OSError
        If it cannot be opened.
    MissingExtraError
        If ``.zst`` needs a package that is not installed.
    """
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer
    suffix = path.rpartition(".")[2].lower()
    if suffix == "gz":
        import gzip

        return gzip.open(path, "rb")
    if suffix == "bz2":
        import bz2

        return bz2.open(path, "rb")
    if suffix == "xz":
        import lzma

        return lzma.open(path, "rb")
    if suffix == "zst":
        return _open_zst(path)
    return open(path, "rb", buffering=0)  # LineFile closes it.


def _open_zst(path: str) -> Readable:
    try:
        from zstandard import ZstdDecompressor
    except ImportError as error:
        raise MissingExtraError(f"{path}: to read .zst, pip install 'truebleu[zstd]'") from error
    return _Zst(open(path, "rb", buffering=0), ZstdDecompressor().decompressobj)


class _Zst:
    """A .zst file that notices where it was cut off; zstandard's own reader does not."""

    def __init__(self, file: Any, start: Callable[[], Any]) -> None:
        self._file = file
        self._start = start
        self._frame: Any = None
        self._rest = b""

    def read(self, size: int, /) -> bytes:
        out: bytes = b""
        while not out:
            # Compressed, a little can be a lot.
            block = self._rest or self._file.read(min(size, _SMALLEST_BLOCK))
            if not block:
                if self._frame is not None:
                    raise EOFError("it ends in the middle of a frame")
                break
            frame = self._frame = self._frame or self._start()
            out, self._rest = frame.decompress(block), b""
            if frame.eof:
                self._frame, self._rest = None, frame.unused_data
        return out

    def close(self) -> None:
        self._file.close()


class LineFile:
    """The lines of one file, block by block.

    LF, CRLF and CR end a line alike, a byte-order mark is dropped, and every line counts, empty
    ones too. Use as a context manager.

    Parameters
    ----------
    path : str
        See :func:`open_binary`.
    block : int
        Bytes to read at a time.
    """

    def __init__(self, path: str, block: int = _BLOCK) -> None:
        """Open the file."""
        self.path = path
        self.name = "standard input" if path == STANDARD_INPUT else path
        self.lines = _core.Lines()
        self.read_bytes = 0
        self._block = block
        self._ended = False
        self._file = open_binary(path)

    def fill(self) -> int:
        """Read until at least one line is ready or the file ends.

        Returns
        -------
        int
            The number of lines that are ready.

        Raises
        ------
        EncodingError
            If a line is not UTF-8.
        OSError
            If reading fails, or a compressed file is damaged.
        """
        try:
            while not self._ended and not self.lines.available:
                block = self._read()
                if block:
                    self.lines.push(block)
                else:
                    self._ended = True
                    self.lines.finish()
        except _core.InvalidUtf8Error as error:
            line, byte = error.args
            raise EncodingError(
                f"{self.name}, line {line:,}, byte {byte:,}: not UTF-8; convert the file, for "
                "example with iconv"
            ) from None
        return self.lines.available

    def _read(self) -> bytes:
        try:
            block = self._file.read(self._block) or b""
        except OSError as error:
            if error.errno is not None:
                raise OSError(error.errno, error.strerror, self.name) from error
            raise OSError(f"{self.name}: damaged: {error}") from error
        except (EOFError, ValueError, ArithmeticError) as error:
            raise OSError(f"{self.name}: damaged: {error}") from error
        except Exception as error:
            # zlib, lzma and zstandard have errors of their own.
            if type(error).__module__ == "builtins":
                raise
            raise OSError(f"{self.name}: damaged: {error}") from error
        self.read_bytes += len(block)
        return block

    def count_all(self) -> int:
        """Read to the end and return how many lines the file has."""
        while self.fill():
            self.lines.drop_front(self.lines.available)
        return self.lines.total

    def __enter__(self) -> LineFile:
        """Return itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the file, unless it is standard input."""
        if self.path != STANDARD_INPUT:
            self._file.close()


def open_all(paths: list[str]) -> list[LineFile]:
    """Open files that will be read side by side.

    The more there are, the smaller the blocks, so that memory stays bounded.

    Raises
    ------
    OSError
        If one cannot be opened.
    """
    block = max(_SMALLEST_BLOCK, 2 * _BLOCK // max(2, len(paths)))
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
    """Read files of equally many lines together.

    Parameters
    ----------
    files : list of LineFile

    Yields
    ------
    int
        How many lines all of them have ready; when the next number is asked for, these are
        gone.

    Raises
    ------
    LengthMismatchError
        If one file ends before another: with both counts and the line that is alone.
    EmptyInputError
        If none has any line.
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
            f"line {shortest + 1:,} of {more.name} has no counterpart"
        )
    if not longest:
        raise EmptyInputError(f"{files[0].name} has no lines: there is no segment to score")
