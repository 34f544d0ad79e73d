"""Lines of raw files, and how sacreBLEU cleans them."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import contextmanager

from truebleu.downloads.places import byte_limit, too_large
from truebleu.errors import EncodingError, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any, BinaryIO

# What to do about a damaged file.
REPLACE = "delete the file, so that it is unpacked or downloaded again"


@contextmanager
def open_raw(path: Path) -> Iterator[BinaryIO]:
    """Open a file, decompressed if its name ends in ``.gz``.

    A kilobyte can be decompressed to a megabyte: the limit is that of archives.

    Raises
    ------
    InputError
        In the body of the ``with``, if a compressed file is damaged.
    DownloadError
        There, if more is decompressed than is allowed.
    """
    try:
        is_gz = path.name.endswith(".gz")
        with io.BufferedReader(_Decompressed(path)) if is_gz else path.open("rb") as file:
            yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: damaged ({error}); {REPLACE}") from error


class _Decompressed(io.RawIOBase):
    """What is in a ``.gz``, up to the limit of :func:`~truebleu.downloads.places.byte_limit`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._left = self._limit = byte_limit()
        self._file = gzip.open(path)  # noqa: SIM115  # Closed by close.

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer)
        self._left -= count
        if self._left < 0:
            raise too_large(f"{self._path}: what is unpacked", self._limit)
        return count

    def close(self) -> None:
        # Also called for one that could not be opened.
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


def lines_of(path: Path) -> Iterator[str]:
    r"""Yield the lines of a file, each with its line feed; only ``\n`` ends a line.

    Raises
    ------
    EncodingError
        If a line is not UTF-8.
    InputError
        If a compressed file is damaged.
    DownloadError
        If more is decompressed than is allowed.
    OSError
        If the file cannot be read.
    """
    with open_raw(path) as file:
        for number, line in enumerate(file, 1):
            try:
                text = line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise EncodingError(
                    f"{path}, line {number:,}, byte {error.start + 1:,}: not UTF-8; {REPLACE}"
                ) from None
            yield text


def clean(text: str) -> str:
    """Return a text without whitespace at its ends, any other run of it being one space."""
    return " ".join(text.split())
