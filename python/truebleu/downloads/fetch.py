"""Files that are downloaded once, and verified whenever they are used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from truebleu.downloads import places
from truebleu.downloads.digests import (
    beside,
    compare_with_first,
    digests_of,
    record_of,
    unknown_checksum,
)
from truebleu.downloads.transfer import Deadline, copy_to
from truebleu.errors import DownloadError
from truebleu.record import Record


class Download(Record):
    """A file that can be downloaded: what messages call it, where it is, and its published MD5.

    The URLs are tried in this order. HTTP is accepted from this machine, and with a checksum.
    """

    name: str
    urls: tuple[str, ...]
    md5: str | None = None


def fetched(
    download: Download,
    path: Path,
    *,
    check: Callable[[Path], object] | None = None,
    offline: bool | None = None,
) -> Path:
    """Return the path of a file, and download it first if it is not there.

    Its MD5 is compared with the published one, its SHA-256 with that of the first download, which
    is recorded beside it; if it differs, or cannot be downloaded, DownloadError is raised, as by
    `check` for a downloaded file that is not what is needed.
    """
    with places.named_errors(path):
        # A cache that cannot be written to can still be read.
        if path.exists() and record_of(path).exists():
            _verify(download, path)
            return path
        if download.md5 is None and not record_of(path).exists() and places.requires_checksum():
            # Nothing is asked of a server, and nothing is read.
            raise unknown_checksum(path, f"download it from {' or '.join(download.urls)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            if not path.exists():
                _download(download, path, check, offline=places.is_offline(offline))
            else:
                _verify(download, path)
    return path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock, so that no two processes write the same file, or files of a folder, at once."""
    from filelock import FileLock

    with FileLock(beside(path, ".lock")):
        yield


def _verify(download: Download, path: Path) -> None:
    digests = digests_of(path)
    if download.md5 not in (None, digests.md5):
        raise DownloadError(
            f"{path}: the MD5 is {digests.md5}, but that of {download.name} is {download.md5}; "
            "delete the file and try again"
        )
    compare_with_first(digests, path, published=download.md5 is not None)


def _download(
    download: Download, path: Path, check: Callable[[Path], object] | None, *, offline: bool
) -> None:
    """Download from the first source that has the file, and move it to its place."""
    part = beside(path, ".part")
    failures = []
    deadline = Deadline(places.second_limit())
    try:
        for source in sources(download):
            try:
                if offline and places.is_url(source):
                    raise DownloadError(
                        "downloads are off: TRUEBLEU_OFFLINE is set, or offline=True"
                    )
                if source in download.urls and not (download.md5 or places.is_safe(source)):
                    raise DownloadError(places.INSECURE)
                copy_to(part, source, download.name, places.byte_limit(), deadline)
                _compare_with_published(part, download.md5)
            except DownloadError as error:
                failures.append((source, str(error)))
                continue
            if check is not None:
                check(part)
            compare_with_first(digests_of(part), path, published=download.md5 is not None)
            part.replace(path)
            return
    finally:
        part.unlink(missing_ok=True)
    several = len(failures) > 1 and not offline
    reasons = [f"{source}: {reason}" if several else reason for source, reason in failures]
    checksum = f" with the MD5 {download.md5}" if download.md5 else ""
    raise DownloadError(
        f"{download.name} cannot be downloaded ({'; '.join(dict.fromkeys(reasons))}); download "
        f"{download.urls[0]}{checksum} where there is a network, and put the file at {path}"
    )


def _compare_with_published(part: Path, md5: str | None) -> None:
    found = digests_of(part).md5 if md5 else md5
    if found != md5:
        raise DownloadError(f"the MD5 is {found}, but {md5} was published")


def sources(download: Download) -> list[str]:
    """Return where a file may be: in the mirror TRUEBLEU_MIRROR, and at its URLs.

    The mirror is a base URL or a folder; in it, a file has the path ``HOST/PATH`` of its URL.
    """
    mirror = os.environ.get("TRUEBLEU_MIRROR")
    found = []
    for url in download.urls:
        if not places.is_url(url):
            raise DownloadError(f"{url} is neither http nor https")
        if mirror:
            try:
                parts = urlsplit(url)
            except ValueError as error:
                raise DownloadError(f"{url} is not a valid URL: {error}") from error
            below = f"{parts.netloc}{parts.path}"
            if ".." in below.split("/"):
                raise DownloadError(f"{url} has '..' in its path")
            found.append(f"{mirror.rstrip('/')}/{below}")
    return [*found, *download.urls]
