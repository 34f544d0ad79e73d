"""Which test sets are on disk, and whether they are still what they were."""

from __future__ import annotations

from contextlib import suppress

from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.places import sacrebleu_folder
from truebleu.errors import TruebleuError
from truebleu.record import Record
from truebleu.test_sets.archives import archive_folder, split_member
from truebleu.test_sets.own import OwnSet, added_sets, fields_of_own, read_sets
from truebleu.test_sets.registry import registered_sets
from truebleu.test_sets.sacrebleu_files import fields_of_sacrebleu, files_of_sacrebleu
from truebleu.test_sets.store import folder_of, kept_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from truebleu.test_sets.registry import Archive, RegisteredSet


class Place(Record):
    """Where a language pair of a test set is.

    Attributes
    ----------
    path : Path
        The folder of its files; of a set of your own, the TOML file.
    size : int
        Bytes of its files.
    """

    path: Path
    size: int


def known_sets() -> dict[str, RegisteredSet | OwnSet]:
    """Return all test sets by name: those of sacreBLEU, then those that were added.

    One whose TOML file has gone, or is no longer right, is left out.
    """
    found: dict[str, RegisteredSet | OwnSet] = dict(registered_sets())
    for name, path in added_sets().items():
        with suppress(TruebleuError, KeyError):
            found[name] = read_sets(path)[name]
    return found


def place_of(test_set: RegisteredSet | OwnSet, pair: str) -> Place | None:
    """Return where a language pair is; None if it has to be downloaded or unpacked first."""
    if isinstance(test_set, OwnSet):
        files = test_set.pairs[pair]
        members = {split_member(test_set.kind, member)[0] for member in files.files.members}
        paths = [test_set.path.parent / name for name in members | {*files.extra.values()}]
        return Place(path=test_set.path, size=_size(paths))
    folder = folder_of(test_set, pair)
    if (folder / "manifest.json").exists():
        return Place(path=folder, size=_size(folder.iterdir()))
    if fields_of_sacrebleu(test_set, pair) is not None:
        paths = list(files_of_sacrebleu(test_set, pair).values())
        return Place(path=sacrebleu_folder() / test_set.name, size=_size(paths))
    return None


def is_on_disk(test_set: RegisteredSet | OwnSet, pair: str) -> bool:
    """Whether a language pair need not be downloaded, as far as names of files tell."""
    if is_kept(test_set, pair):
        return True
    return not isinstance(test_set, OwnSet) and "src" in files_of_sacrebleu(test_set, pair)


def is_kept(test_set: RegisteredSet | OwnSet, pair: str) -> bool:
    """Whether a language pair is one of your own, or has been unpacked by truebleu."""
    return isinstance(test_set, OwnSet) or (folder_of(test_set, pair) / "manifest.json").exists()


def _size(paths: Iterator[Path] | list[Path]) -> int:
    return sum(path.stat().st_size for path in paths if path.is_file())


def archives_on_disk() -> list[tuple[Archive, Path]]:
    """Return the archives that are kept."""
    known = {each.md5: each for one in registered_sets().values() for each in one.archives}
    paths = [(archive, archive_folder() / md5) for md5, archive in known.items()]
    return [(archive, path) for archive, path in paths if path.exists()]


def verified_archive(archive: Archive, path: Path) -> str:
    """Return what is wrong with an archive; nothing if it is the one that was published."""
    digests = digests_of(path)
    if digests.md5 != archive.md5:
        return f"{path}: the MD5 is {digests.md5}, but {archive.md5} was published; delete it"
    try:
        if record_of(path).exists():
            compare_with_first(digests, path, published=True)
    except TruebleuError as error:
        return str(error)
    return ""


def verified_pair(test_set: RegisteredSet | OwnSet, pair: str) -> str:
    """Return what is wrong with a language pair; nothing if its files are as they were."""
    try:
        if isinstance(test_set, OwnSet):
            fields_of_own(test_set, pair)
        else:
            kept_fields(test_set, pair)
    except TruebleuError as error:
        return str(error)
    return ""
