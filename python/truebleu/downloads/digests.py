"""Checksums of files, and a record of the first one."""

from __future__ import annotations

import hashlib

from truebleu.errors import DownloadError
from truebleu.record import Record
from truebleu.writing import write_whole

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from pathlib import Path

BLOCK = 1 << 16
"""Bytes that are read at a time."""


class Digests(Record):
    """The checksums of a file, in hexadecimal digits.

    Attributes
    ----------
    md5, sha256 : str
    """

    md5: str
    sha256: str


def digests_of(path: Path) -> Digests:
    """Return the checksums of a file.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    # MD5 is what the publishers of test sets give; it detects damage, not attacks.
    md5, sha256 = hashlib.md5(usedforsecurity=False), hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            md5.update(block)
            sha256.update(block)
    return Digests(md5=md5.hexdigest(), sha256=sha256.hexdigest())


def beside(path: Path, suffix: str) -> Path:
    """Return the file with a longer name; those of ``test.en`` and ``test.de`` are not the same."""
    return path.with_name(f"{path.name}{suffix}")


def record_of(path: Path) -> Path:
    """Return where the SHA-256 of the first version of a file is recorded."""
    return beside(path, ".sha256")


def compare_with_first(digests: Digests, path: Path) -> None:
    """Compare the SHA-256 of a file with that of its first version, or record it as the first.

    Parameters
    ----------
    digests : Digests
        Of the file.
    path : Path
        Where the file is kept.

    Raises
    ------
    DownloadError
        If they differ.
    """
    record = record_of(path)
    try:
        expected = record.read_text("ascii").strip()
    except FileNotFoundError:
        write_whole(record, f"{digests.sha256}\n".encode())
        return
    if digests.sha256 != expected:
        raise DownloadError(
            f"{path}: the SHA-256 is {digests.sha256}, but that of the first download was "
            f"{expected}; if you trust the new one, delete {record} and try again"
        )
