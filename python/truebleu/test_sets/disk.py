"""Which test sets are on disk, and whether they are unchanged."""

from __future__ import annotations

from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.places import cache_folder
from truebleu.errors import TruebleuError
from truebleu.test_sets.descriptions import EveryPair, split_member
from truebleu.test_sets.store import fields_of, kept_at, kept_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from truebleu.test_sets.descriptions import Archive, Description


def place_of(test_set: Description, pair: str) -> tuple[str, int]:
    """Return the file or folder that a language pair is in, and the bytes of its files."""
    kept, archives = kept_at(test_set, pair), cache_folder() / "archives"
    if not test_set.is_downloaded:
        return _place(test_set.path, [test_set.path.parent / name for name in test_set.names(pair)])
    if kept.exists():
        return _place(kept, [kept])
    if is_on_disk(test_set, pair):
        return _place(archives, [each.path for each in test_set.archives_of(pair)])
    return "not on disk", 0


def _place(path: Path, files: Iterable[Path]) -> tuple[str, int]:
    return str(path), sum(each.stat().st_size for each in files if each.is_file())


def is_on_disk(test_set: Description, pair: str) -> bool:
    """Whether a language pair need not be downloaded, as far as names of files tell."""
    archives = test_set.archives_of(pair)
    return kept_at(test_set, pair).exists() or all(each.path.exists() for each in archives)


def pairs_on_disk(test_set: Description) -> int:
    """Return how many language pairs need not be downloaded."""
    pairs = test_set.pairs
    if not isinstance(pairs, EveryPair):
        return sum(is_on_disk(test_set, pair) for pair in pairs)
    archives = test_set.archives_of()
    there = [each.name for each in archives if each.path.exists()]
    if len(there) == len(archives):
        return len(pairs)
    files = (split_member(test_set.kind, name)[0] for name in pairs.files.values())
    count = sum(name in there for name in files)
    return count * (count - 1)


def kept_pairs(test_set: Description) -> list[str]:
    """Return the language pairs whose text can be verified: unpacked, or beside a description."""
    if not test_set.is_downloaded:
        return list(test_set.pairs)
    files = (cache_folder() / "sets" / test_set.file_name).glob("*.json")
    names = sorted({path.stem.rpartition(".")[0] for path in files})
    return [name for name in names if name in test_set.pairs and kept_at(test_set, name).exists()]


def verified_pair(test_set: Description, pair: str) -> str:
    """Return what is wrong with a language pair; nothing if its files are as they were."""
    try:
        if test_set.is_downloaded:
            kept_fields(test_set, pair)
        else:
            fields_of(test_set, pair, offline=True)
    except TruebleuError as error:
        return str(error)
    return ""


def archives_on_disk(test_sets: Iterable[Description]) -> dict[Path, Archive]:
    """Return the archives that are kept, by their paths."""
    known = {each.path: each for one in test_sets for each in one.archives_of()}
    return {path: archive for path, archive in known.items() if path.exists()}


def verified_archive(archive: Archive) -> str:
    """Return what is wrong with an archive; nothing if it is the one that was published."""
    path = archive.path
    digests = digests_of(path)
    if digests.md5 != (archive.md5 or digests.md5):
        return f"{path}: the MD5 is {digests.md5}, but {archive.md5} was published; delete it"
    try:
        if record_of(path).exists():
            compare_with_first(digests, path, published=True)
    except TruebleuError as error:
        return str(error)
    return ""
