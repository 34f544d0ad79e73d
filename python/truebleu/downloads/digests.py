"""Checksums of files, and a record of the first one."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from truebleu.display.text import visible
from truebleu.downloads.places import requires_checksum
from truebleu.errors import DownloadError
from truebleu.record import Record
from truebleu.writing import write_whole

BLOCK = 1 << 16
"""Bytes that are read at a time."""


class Digests(Record):
    """The checksums of a file, in hexadecimal digits."""

    md5: str
    sha256: str


def digests_of(path: Path) -> Digests:
    """Return the checksums of a file."""
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


def compare_with_first(digests: Digests, path: Path, *, published: bool) -> None:
    """Compare the SHA-256 of a file with that of its first version, or record it as the first.

    Unless the file has been compared with a published checksum, the first one is taken on trust:
    that is logged, or refused if TRUEBLEU_REQUIRE_CHECKSUM is set.
    """
    record = record_of(path)
    try:
        expected = record.read_bytes().strip().lower()
    except FileNotFoundError:
        if not published:
            _trust(digests, path)
        # A link to nothing would lead to where the record is written.
        record.unlink(missing_ok=True)
        write_whole(record, f"{digests.sha256}\n".encode())
        return
    if re.fullmatch(rb"[0-9a-f]{64}", expected) is None:
        raise DownloadError(
            f"{record} is damaged: it should have the 64 hexadecimal digits of a SHA-256. If you "
            f"trust {path}, whose SHA-256 is {digests.sha256}, delete {record} and try again"
        )
    if digests.sha256 != expected.decode():
        raise DownloadError(
            f"{path}: the SHA-256 is {digests.sha256}, but that of its first version was "
            f"{expected.decode()}; if you trust the new one, delete {record} and try again"
        )


def unknown_checksum(path: Path, how: str) -> DownloadError:
    """Say that a file is refused because nobody has said which one is expected."""
    return DownloadError(
        f"no checksum is known for {path}, and TRUEBLEU_REQUIRE_CHECKSUM forbids trusting "
        f"the first download: {how}, compare its SHA-256 with one that you trust, "
        f"write that to {record_of(path)}, and try again"
    )


def _trust(digests: Digests, path: Path) -> None:
    """Log that a checksum is recorded that nobody has published, or refuse that."""
    if requires_checksum():
        raise unknown_checksum(path, f"its SHA-256 is {digests.sha256}")
    import logging

    logging.getLogger("truebleu").warning(
        "truebleu: %s has no published checksum; its SHA-256, %s, is recorded in %s, and any other "
        "file will be refused",
        visible(path.name),
        digests.sha256,
        visible(str(record_of(path))),
    )
