"""Archives of test sets: where they are, and the few members that are needed of each."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import tarfile
import tempfile
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path

from truebleu.downloads.digests import BLOCK, beside, compare_with_first, digests_of
from truebleu.downloads.fetch import Download, fetched, locked
from truebleu.downloads.places import (
    byte_limit,
    cache_folder,
    named_errors,
    sacrebleu_folder,
    second_limit,
    too_large,
)
from truebleu.downloads.transfer import Deadline, copy_to, discard
from truebleu.errors import DownloadError, InputError
from truebleu.test_sets.registry import registered_sets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO

    from truebleu.test_sets.registry import Archive, RegisteredSet

    # A name, and the file; None if it is something else.
    Member = tuple[str, IO[bytes] | gzip.GzipFile | None]

DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error, lzma.LZMAError),
    # Of zipfile: a password is needed, or a compression that it does not know.
    *(RuntimeError, NotImplementedError),
)
"""What the modules that unpack archives raise if one is damaged."""


def archive_folder() -> Path:
    """Return the folder of archives; each is called by its MD5."""
    return cache_folder() / "archives"


def archive_path(archive: Archive, *, offline: bool | None = None) -> Path:
    """Return the file of an archive, whose MD5 is checked; download it if nobody has it yet."""
    path = archive_folder() / archive.md5
    theirs = None if path.exists() else _of_sacrebleu(archive)
    if theirs is not None:
        return theirs
    download = Download(name=archive.name, urls=archive.urls, md5=archive.md5)
    return fetched(download, path, offline=offline)


def _of_sacrebleu(archive: Archive) -> Path | None:
    """Return the file that sacreBLEU has downloaded for any set, if it is the published one."""
    for test_set in registered_sets().values():
        if archive in test_set.archives:
            path = sacrebleu_folder() / test_set.name / "raw" / test_set.raw_name(archive)
            if path.is_file() and digests_of(path).md5 == archive.md5:
                return path
    return None


def import_archive(path: Path) -> Archive:
    """Copy an archive that was downloaded by other means; it is recognized by its MD5."""
    with named_errors(path):
        digests = digests_of(path)
        known = {each.md5: each for one in registered_sets().values() for each in one.archives}
        if digests.md5 not in known:
            raise DownloadError(
                f"{path} has the MD5 {digests.md5}, which is not that of an archive of any test "
                "set: it may be incomplete, or another version"
            )
        kept = archive_folder() / digests.md5
        kept.parent.mkdir(parents=True, exist_ok=True)
        with locked(kept):
            if not (kept.exists() and digests_of(kept) == digests):
                # Not the name that a download has, which may be the very file to import.
                part = beside(kept, ".import")
                copy_to(part, str(path), path.name, byte_limit(), Deadline(second_limit()))
                if digests_of(part) != digests:
                    discard(part)
                    raise DownloadError(f"{path} has changed while it was read; try again")
                compare_with_first(digests, kept, published=True)
                part.replace(kept)
    return known[digests.md5]


@contextmanager
def unpacked(
    test_set: RegisteredSet, pair: str, *, offline: bool | None = None
) -> Iterator[list[tuple[Path, int | str | None]]]:
    """Unpack the files of a language pair, and delete them in the end.

    Yields the source and the references, with the column of a ``tsv``; a single file of a
    ``wmt-xml``. A ``.gz`` is decompressed and has lost the suffix. Temporary paths in the message
    of an InputError in the body of the ``with`` become names.
    """
    members = [split_member(test_set.kind, member) for member in test_set.pairs[pair].members]
    wanted = list(dict.fromkeys(name for name, _ in members))
    with tempfile.TemporaryDirectory(prefix="truebleu-") as folder:
        targets = {name: target_of(Path(folder), name) for name in wanted}
        missing = set(wanted)
        for archive in _ordered(test_set, wanted):
            raw = test_set.raw_name(archive)
            own = {"tar": missing, "zip": missing}.get(archive.type, missing & {raw})
            if own:
                path = archive_path(archive, offline=offline)
                named = {name: targets[name] for name in own}
                missing -= extract(path, archive.type, named, archive.name)
        if missing:
            names = ", ".join(each.name for each in test_set.archives)
            raise DownloadError(
                f"{test_set.name} {pair}: {names} has no file {' and no '.join(sorted(missing))}"
            )
        try:
            yield [(targets[name], column) for name, column in members]
        except InputError as error:
            # The folder is gone when the message is read.
            message = str(error).replace(f"{folder}{os.sep}", f"{test_set.name}: ")
            raise type(error)(message) from error


def split_member(kind: str, member: str) -> tuple[str, int | str | None]:
    """Return the path of a member, and what is written before it: a column or a JSON field."""
    column, colon, name = member.partition(":")
    # Python reads no number of thousands of digits.
    if kind == "tsv" and colon and column.isdecimal() and len(column) < 10:
        return name, int(column)
    if kind == "jsonl" and colon:
        return name, column
    return member, None


def target_of(folder: Path, name: str) -> Path:
    """Return where a member is unpacked to; no name may lead out of the folder."""
    parts = name.split("/")
    if not all(parts) or {".", ".."} & set(parts) or "\\" in name or ":" in name:
        raise DownloadError(f"{name!r} is not a path below the folder of an archive")
    return folder.joinpath(*parts[:-1], parts[-1].removesuffix(".gz"))


def _ordered(test_set: RegisteredSet, wanted: list[str]) -> list[Archive]:
    """Return the archives, first those with the name of a folder that is wanted: en-fr.tgz."""
    folders = {name.partition("/")[0] for name in wanted}
    return sorted(test_set.archives, key=lambda each: each.name.partition(".")[0] not in folders)


def extract(path: Path, kind: str, targets: Mapping[str, Path], name: str) -> set[str]:
    """Unpack some members of an archive to their targets; return those that there are.

    A tar may be compressed in any way; a ``gz`` and a ``file`` have only one member. The last of
    several with one name counts. Messages call the archive `name`.
    """
    found = set()
    room = limit = byte_limit()
    try:
        if kind != "file" and not path.stat().st_size:
            # gzip would take it for one that has nothing in it.
            raise EOFError("the file is empty")
        for member, source in _MEMBERS[kind](path, targets, limit, name):
            target = targets[member]
            if source is None:
                raise DownloadError(f"{name}: {member} is a link or a folder; a file is needed")
            target.parent.mkdir(parents=True, exist_ok=True)
            with source, target.open("wb") as out:
                while block := source.read(BLOCK):
                    room -= len(block)
                    if room < 0:
                        raise too_large(f"{name}: what is unpacked", limit)
                    out.write(block)
            found.add(member)
    except DAMAGED as error:
        if isinstance(error, DownloadError):
            raise
        raise DownloadError(f"{path} ({name}) cannot be unpacked: {error}") from error
    return found


def _of_tar(path: Path, targets: Mapping[str, Path], limit: int, name: str) -> Iterator[Member]:
    with tarfile.open(path, "r|*") as archive:
        while (member := archive.next()) is not None:
            # tarfile would remember all members, however many there are.
            archive.members = []  # type: ignore[attr-defined]
            if member.offset_data + member.size > limit:
                raise too_large(f"{name}: what is unpacked", limit)
            inside = member.name.removeprefix("./")
            if inside in targets:
                yield inside, archive.extractfile(member) if member.isreg() else None


def _of_zip(path: Path, targets: Mapping[str, Path], limit: int, name: str) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            inside = member.filename.removeprefix("./")
            if inside in targets:
                is_link = stat.S_ISLNK(member.external_attr >> 16)
                yield inside, None if is_link else archive.open(member)


def _of_gz(path: Path, targets: Mapping[str, Path], limit: int, name: str) -> Iterator[Member]:
    [inside] = targets
    with gzip.open(path) as file:
        yield inside, file


def _of_file(path: Path, targets: Mapping[str, Path], limit: int, name: str) -> Iterator[Member]:
    [inside] = targets
    with path.open("rb") as file:
        yield inside, file


_MEMBERS = {"tar": _of_tar, "zip": _of_zip, "gz": _of_gz, "file": _of_file}
