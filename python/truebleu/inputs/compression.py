"""Compressed files, read as if they were not."""

from __future__ import annotations

from truebleu.errors import MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Readable(Protocol):
        """What is needed of a binary file."""

        def read(self, size: int, /) -> bytes | None:
            """Return up to `size` bytes; none at the end."""

        def close(self) -> None:
            """Close the file."""


# How much of a compressed file is read at a time.
_BLOCK = 1 << 16


def open_plain(path: str) -> Readable:
    """Open a file that is not compressed; the caller closes it."""
    return open(path, "rb", buffering=0)


def _gz(path: str) -> Readable:
    import zlib

    # 31: with the header and the checksum of gzip.
    return _Compressed(open_plain(path), lambda: zlib.decompressobj(31), padding=1)


def _bz2(path: str) -> Readable:
    import bz2

    return _Compressed(open_plain(path), bz2.BZ2Decompressor)


def _xz(path: str) -> Readable:
    import lzma

    return _Compressed(open_plain(path), lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), padding=4)


def _zst(path: str) -> Readable:
    try:
        from zstandard import ZstdDecompressor
    except ImportError as error:
        raise MissingExtraError(f"{path}: to read .zst, pip install 'truebleu[zstd]'") from error
    return _Compressed(open_plain(path), ZstdDecompressor().decompressobj, bounded=False)


# What opens a file, by its suffix.
DECOMPRESSED: dict[str, Callable[[str], Readable]] = {
    "gz": _gz,
    "bz2": _bz2,
    "xz": _xz,
    "zst": _zst,
}


class _Compressed:
    """A compressed file: one or more streams, and nothing else.

    The standard library would accept an empty file, and its readers of bz2 and lzma ignore
    anything after a stream that is not another one.

    Parameters
    ----------
    file : binary file
    start : callable
        Makes a decompressor for one stream.
    bounded : bool
        Whether the decompressor can limit how much it returns.
    padding : int
        Zero bytes may follow a stream in multiples of this number; 0 if none may.
    """

    def __init__(
        self, file: Readable, start: Callable[[], Any], *, bounded: bool = True, padding: int = 0
    ) -> None:
        self._file = file
        self._start = start
        self._bounded = bounded
        # A small block may decompress to one that is 32,000 times as large.
        self._least = _BLOCK if bounded else _BLOCK >> 6
        self._padding = padding
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
        """Start the next stream, if there is one."""
        zeros = 0
        block = self._block or self._file.read(_BLOCK) or b""
        while self._padding and block.startswith(b"\0"):
            rest = block.lstrip(b"\0")
            zeros += len(block) - len(rest)
            block = rest or self._file.read(_BLOCK) or b""
        if self._padding and zeros % self._padding:
            raise ValueError(
                f"{zeros:,} zero bytes follow a stream; a multiple of {self._padding} is needed"
            )
        self._block = block
        if block:
            self._stream = self._start()
        return bool(block)

    def close(self) -> None:
        self._file.close()
