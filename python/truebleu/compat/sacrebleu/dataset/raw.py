"""Raw files of test sets and their text, where sacreBLEU keeps them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from truebleu.compat.sacrebleu.cache import archive_type, sacrelogger
from truebleu.downloads.digests import digests_of
from truebleu.downloads.fetch import Download, fetched, locked
from truebleu.errors import DownloadError
from truebleu.test_sets.archives import archive_path, extract
from truebleu.test_sets.descriptions import Archive
from truebleu.test_sets.registry import registered_sets
from truebleu.writing import write_whole


def fetch_members(
    archives: Mapping[str, tuple[str, str | None]], folder: Path, members: Collection[str]
) -> None:
    """Put archives, and those of their members that are not there, in a folder.

    Archives, each with its address and MD5, are kept once, however many test sets have them, and
    checked whenever they are unpacked. A member may also be the name of an archive that is not
    unpacked. A file is written as a whole or not at all, by one process at a time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        for name, (url, md5) in archives.items():
            path = _archive(url, md5, folder / name)
            missing = {member for member in members if not (folder / member).exists()}
            kind = archive_type(name)
            if kind is not None and missing:
                sacrelogger.info(f"Extracting {folder / name} to {folder}")
                _unpack(path, kind, folder, missing)
    missing = {member for member in members if not (folder / member).exists()}
    if missing:
        raise DownloadError(
            f"{' and '.join(archives) or folder} has no file {' and no '.join(sorted(missing))}"
        )


def _archive(url: str, md5: str | None, target: Path) -> Path:
    """Put an archive in its place, unless it is there; return the path of a copy of it."""
    if md5 is not None and target.exists() and digests_of(target).md5 == md5:
        return target
    if md5 is not None or not target.exists():
        sacrelogger.info(f"Downloading {url} to {target}")
    if md5 is None:
        return fetched(Download(name=target.name, urls=(url,)), target)
    known = {each.md5: each for one in registered_sets().values() for each in one.archives}
    archive = known.get(md5)
    if archive is None or url not in archive.urls:
        archive = Archive(name=target.name, urls=(url,), md5=md5)
    path = archive_path(archive)
    _link(path, target)
    return path


def _link(path: Path, target: Path) -> None:
    """Make a file another name of `path`, or a copy if the two are on different disks."""
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        os.link(path, part)
    except OSError:
        with path.open("rb") as source, part.open("xb") as copy:
            shutil.copyfileobj(source, copy)
    part.replace(target)


def _unpack(path: Path, kind: str, folder: Path, members: Iterable[str]) -> None:
    temporary = folder / ".part"
    # A process that was killed may have left one.
    shutil.rmtree(temporary, ignore_errors=True)
    parts = {member: temporary / member for member in members}
    try:
        for member in extract(path, kind, parts, path.name):
            target = folder / member
            target.parent.mkdir(parents=True, exist_ok=True)
            with parts[member].open("rb") as file:
                os.fsync(file.fileno())
            parts[member].replace(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_texts(texts: Mapping[str, Iterable[str]]) -> None:
    """Write the lines of text files, each as a whole or not at all; all are in one folder."""
    for path, lines in texts.items():
        with locked(Path(path).with_name("text")):
            write_whole(Path(path), "".join(f"{line}\n" for line in lines).encode())
