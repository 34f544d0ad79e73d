"""Archives of test sets: where they are, and the few members that are needed of each."""

from __future__ import annotations

import lzma
import stat
import tarfile
import zipfile
import zlib
from pathlib import Path

from truebleu.downloads.digests import BLOCK, beside, compare_with_first, digests_of, record_of
from truebleu.downloads.fetch import Download, fetched, locked
from truebleu.downloads.places import (
    byte_limit,
    named_errors,
    sacrebleu_folder,
    second_limit,
    too_large,
)
from truebleu.downloads.transfer import Deadline, copy_to
from truebleu.errors import DownloadError, InputError
from truebleu.test_sets.registry import known_sets, registered_sets
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO

    from truebleu.test_sets.descriptions import Archive, Description

    # A name, and the file; None if it is something else.
    Member = tuple[str, IO[bytes] | None]

DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error, lzma.LZMAError),
    # Of zipfile: a password is needed, or a compression that it does not know.
    *(RuntimeError, NotImplementedError),
)
"""What the modules that unpack archives raise if one is damaged."""


def archive_path(archive: Archive, *, offline: bool | None = None) -> Path:
    """Return the file of an archive, which is verified; download it if nobody has it yet."""
    path = archive.path
    theirs = _of_sacrebleu(archive) if archive.md5 and not path.exists() else None
    if theirs is not None:
        return theirs
    # What was said before about a file that nobody has yet may have been a slip.
    if archive.sha256 and not (archive.md5 or (path.exists() and record_of(path).exists())):
        with named_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(record_of(path), f"{archive.sha256}\n".encode())
    download = Download(name=archive.name, urls=archive.urls, md5=archive.md5 or None)
    return fetched(download, path, offline=offline)


def _of_sacrebleu(archive: Archive) -> Path | None:
    """Return the file that sacreBLEU has downloaded for any set, if it is the published one."""
    for test_set in registered_sets().values():
        if archive in test_set.archives:
            name = f"{test_set.file_name}.{archive.name}"
            path = sacrebleu_folder() / test_set.name / "raw" / name
            if path.is_file() and digests_of(path).md5 == archive.md5:
                return path
    return None


def import_archive(path: Path) -> list[str]:
    """Copy an archive that was downloaded by other means; return the sets that it is of.

    It is recognized by its checksum.
    """
    with named_errors(path):
        digests = digests_of(path)
        known = {
            (test_set.name, archive.path)
            for test_set in known_sets().values()
            for archive in test_set.archives_of()
            if archive.md5 == digests.md5 or archive.sha256 == digests.sha256
        }
        if not known:
            raise DownloadError(
                f"{path} has the MD5 {digests.md5}, which is not that of an archive of any test "
                "set: it may be incomplete, or another version"
            )
        for kept in {kept for _, kept in known}:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with locked(kept):
                if kept.exists() and digests_of(kept) == digests:
                    continue
                # Not the name that a download has, which may be the very file to import.
                part = beside(kept, ".import")
                try:
                    copy_to(part, str(path), path.name, byte_limit(), Deadline(second_limit()))
                    if digests_of(part) != digests:
                        raise DownloadError(f"{path} has changed while it was read; try again")
                    compare_with_first(digests, kept, published=True)
                    part.replace(kept)
                finally:
                    part.unlink(missing_ok=True)
    names = {name for name, _ in known}
    return [name for name in known_sets() if name in names]


def unpacked(
    test_set: Description, pair: str, folder: Path, *, offline: bool | None
) -> dict[str, Path]:
    """Return the files of a language pair by name: those beside its description, or unpacked ones.

    These are in the folder. A ``.gz`` is decompressed when it is read.
    """
    names, expected = test_set.names(pair), test_set.sha256
    if not test_set.is_downloaded:
        return {name: file_beside(test_set, name, expected.get(name)) for name in names}
    targets = {name: target_of(folder, name) for name in names}
    missing = {*names}
    for archive in test_set.archives_of(pair):
        has_names = archive.kind in ("tar", "zip")
        wanted = missing if has_names else missing & {archive.name}
        if wanted:
            path = archive_path(archive, offline=offline)
            _compare(test_set, path, archive.sha256)
            targets_there = {name: targets[name] for name in wanted}
            found = extract(path, archive.kind, targets_there, archive.name)
            for name in found if has_names else ():
                _compare(test_set, targets[name], expected.get(name))
            missing = missing - found
    if missing:
        archives = ", ".join(each.name for each in test_set.archives)
        raise DownloadError(
            f"{test_set.name} {pair}: {archives} has no file {' and no '.join(sorted(missing))}"
        )
    return targets


def file_beside(test_set: Description, name: str, sha256: str | None = None) -> Path:
    """Return the path of a file in the folder of a description; it must be unchanged."""
    toml = test_set.path
    if Path(name).is_absolute() or ".." in Path(name).parts or "\0" in name:
        raise InputError(f"{toml}: {name!r} is not a path in the folder of this file")
    path = toml.parent / name
    if not stat.S_ISREG(path.stat().st_mode):
        # A device or a pipe may never end, whatever size it has.
        raise InputError(f"{toml}: {name!r} is not a regular file")
    if not path.resolve().is_relative_to(toml.parent.resolve()):
        raise InputError(f"{toml}: {name!r} is a link that leads out of the folder of this file")
    if path.stat().st_size > byte_limit():
        raise too_large(str(path), byte_limit())
    _compare(test_set, path, sha256)
    return path


def _compare(test_set: Description, path: Path, sha256: str | None) -> None:
    found = digests_of(path).sha256 if sha256 else sha256
    if found != sha256:
        raise DownloadError(
            f"{path} has the SHA-256 {found}, but {test_set.path} says {sha256}: restore the file, "
            "or correct the checksum if the change is intended"
        )


def target_of(folder: Path, name: str) -> Path:
    """Return where a member is unpacked to; no name may lead out of the folder."""
    parts = name.split("/")
    if not all(parts) or {".", ".."} & set(parts) or "\\" in name or ":" in name:
        raise DownloadError(f"{name!r} is not a path below the folder of an archive")
    return folder.joinpath(*parts)


def extract(path: Path, kind: str, targets: Mapping[str, Path], name: str) -> set[str]:
    """Unpack some members of an archive to their targets; return those that there are.

    A tar may be compressed in any way; a ``file`` is its only member. The last of several with one
    name counts. Messages call the archive `name`.
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
            target.unlink(missing_ok=True)
            # What is new is no link to another file.
            with source, target.open("xb") as out:
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


def _of_file(path: Path, targets: Mapping[str, Path], limit: int, name: str) -> Iterator[Member]:
    [inside] = targets
    with path.open("rb") as file:
        yield inside, file


_MEMBERS = {"tar": _of_tar, "zip": _of_zip, "file": _of_file}
