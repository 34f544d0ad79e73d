"""Test sets that TOML files describe: their texts lie beside them, or are downloaded."""

from __future__ import annotations

import functools
import hashlib
import json
import stat
import tempfile
from pathlib import Path
from urllib.parse import quote

from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.fetch import Download, fetched, locked
from truebleu.downloads.places import byte_limit, cache_folder, named_errors, too_large
from truebleu.errors import DownloadError, InputError
from truebleu.test_sets.archives import extract, split_member, target_of
from truebleu.test_sets.descriptions import EveryPair, OwnSet, read_sets
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.parsing.raw import REPLACE
from truebleu.test_sets.registry import registered_sets
from truebleu.test_sets.store import check_sides
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from truebleu.test_sets.store import Fields


def names_of(own: OwnSet, pair: str) -> list[str]:
    """Return the names of the files of a language pair."""
    files = own.pairs[pair]
    members = [split_member(own.kind, member)[0] for member in files.files.members]
    extra = [split_member(own.kind, name)[0] for name in files.extra.values()]
    return list(dict.fromkeys([*members, *extra]))


def path_of(own: OwnSet, name: str) -> Path:
    """Return where a file is, or its archive; or will be, once it is downloaded."""
    if not own.urls:
        return own.path.parent / name
    whole = own.archive or name
    # Another description of the same name finds nothing that was downloaded for this one.
    key = hashlib.sha256(own.urls[0].encode()).hexdigest()[:16]
    return target_of(own.folder, whole).parent / f"{key}-{whole.rpartition('/')[2]}"


def pairs_on_disk(own: OwnSet) -> int:
    """Return how many language pairs need not be downloaded."""
    if own.urls and isinstance(own.pairs, EveryPair):
        count = sum(path_of(own, name).exists() for name in own.pairs.files.values())
        return count * (count - 1)
    return sum(own_on_disk(own, pair) for pair in own.pairs)


def own_on_disk(own: OwnSet, pair: str) -> bool:
    """Whether a language pair need not be downloaded."""
    return not own.urls or all(path_of(own, name).exists() for name in names_of(own, pair))


def fields_of_own(own: OwnSet, pair: str, *, offline: bool | None = None) -> Fields:
    """Return the fields of a language pair, as :func:`~truebleu.test_sets.store.fields_of` does."""
    files = own.pairs[pair]
    members = [split_member(own.kind, member) for member in files.files.members]
    named = names_of(own, pair)
    unused = sorted({*files.sha256} - {*named})
    if unused:
        raise InputError(f"{own.path}: {pair} has the sha256 of {unused[0]}, which it does not use")
    with named_errors(own.path), tempfile.TemporaryDirectory(prefix="truebleu-") as folder:
        try:
            if own.urls:
                paths = _downloaded(own, named, Path(folder), offline=offline)
                for name, path in paths.items():
                    _compare(own, path, files.sha256.get(name))
            else:
                sums = {**own.sha256, **files.sha256}
                paths = {name: _checked(own, name, sums.get(name)) for name in named}
            fields = read_fields(
                own.name,
                own.kind,
                [(paths[name], column) for name, column in members],
                files.files.scored,
                own.skip,
            )
            for field, name in files.extra.items():
                inside, column = split_member(own.kind, name)
                kind = "text" if column is None else own.kind
                fields[field] = read_fields(
                    own.name, kind, [(paths[inside], column)], skip=own.skip
                )["src"]
        except InputError as error:
            # The file is nobody else's: nothing would bring it back.
            raise type(error)(str(error).removesuffix(f"; {REPLACE}")) from error
    check_sides(f"{own.name} {pair}", fields)
    return fields


def _downloaded(
    own: OwnSet, names: list[str], folder: Path, *, offline: bool | None
) -> dict[str, Path]:
    """Return the paths of downloaded files, those of an archive unpacked to the folder."""
    found = {}
    for whole in [own.archive] if own.archive else names:
        path, expected = path_of(own, whole), own.sha256.get(whole)
        if expected and not record_of(path).exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(record_of(path), f"{expected}\n".encode())
        urls = own.urls if own.archive else tuple(f"{url}{quote(whole)}" for url in own.urls)
        found[whole] = fetched(Download(name=whole, urls=urls), path, offline=offline)
        _compare(own, path, expected)
    if not own.archive:
        return found
    targets = {name: target_of(folder, name) for name in names}
    kind = "zip" if own.archive.endswith(".zip") else "tar"
    missing = {*names} - extract(found[own.archive], kind, targets, own.archive)
    if missing:
        raise DownloadError(f"{own.name}: {own.archive} has no file {min(missing)}")
    return targets


def _checked(own: OwnSet, name: str, sha256: str | None) -> Path:
    """Return the path of a file, which must be in the folder of the TOML file, and unchanged."""
    if Path(name).is_absolute() or ".." in Path(name).parts or "\0" in name:
        raise InputError(f"{own.path}: {name!r} is not a path in the folder of this file")
    path = own.path.parent / name
    if not stat.S_ISREG(path.stat().st_mode):
        # A device or a pipe may never end, whatever size it has.
        raise InputError(f"{own.path}: {name!r} is not a regular file")
    if not path.resolve().is_relative_to(own.path.parent.resolve()):
        raise InputError(
            f"{own.path}: {name!r} is a link that leads out of the folder of this file"
        )
    if path.stat().st_size > byte_limit():
        raise too_large(str(path), byte_limit())
    _compare(own, path, sha256)
    return path


def _compare(own: OwnSet, path: Path, sha256: str | None) -> None:
    if sha256 is not None:
        found = digests_of(path).sha256
        if found != sha256:
            raise DownloadError(
                f"{path} has the SHA-256 {found}, but {own.path} says {sha256}: restore the file, "
                "or correct the checksum if the change is intended"
            )


def verified_files(own: OwnSet) -> Iterator[tuple[Path, str]]:
    """Yield each file that was downloaded, and what is wrong with it, or nothing."""
    for record in sorted(own.folder.rglob("*.sha256")):
        path = record.with_suffix("")
        if path.exists():
            try:
                compare_with_first(digests_of(path), path, published=True)
            except DownloadError as error:
                yield path, str(error)
            else:
                yield path, ""


def write_checksums(path: Path) -> list[tuple[OwnSet, str, str]]:
    """Write the missing checksums of files on disk into a TOML file; return set, name, SHA-256."""
    with named_errors(path):
        return _written_checksums(path)


def _written_checksums(path: Path) -> list[tuple[OwnSet, str, str]]:
    found = []
    sets = read_sets(path)
    text = path.read_bytes().decode("utf-8")
    for own in sets.values():
        pairs = own.pairs.once() if isinstance(own.pairs, EveryPair) else own.pairs
        known = {*own.sha256}.union(*(own.pairs[pair].sha256 for pair in pairs))
        names = {name for pair in pairs for name in names_of(own, pair)}
        wanted = sorted(({own.archive} if own.archive else names) - known)
        added = [
            (own, name, digests_of(file).sha256)
            for name in wanted
            if (file := path_of(own, name) if own.urls else _checked(own, name, None)).exists()
        ]
        header = f"[sets.{json.dumps(own.name, ensure_ascii=False)}.sha256]\n"
        lines = "".join(
            f"{json.dumps(name, ensure_ascii=False)} = {json.dumps(digest)}\n"
            for _, name, digest in added
        )
        bare = f"[sets.{own.name}.sha256]\n"
        header = bare if bare in text else header
        if added and header in text:
            text = text.replace(header, header + lines, 1)
        elif added and own.sha256:
            raise InputError(f"{path}: add these lines to the sha256 of {own.name}:\n{lines}")
        elif added:
            text = f"{text.rstrip()}\n\n{header}{lines}"
        found += added
    if found:
        # A file that could not be read any more is not written.
        read_sets(path, text)
        write_whole(path, text.encode())
    return found


@functools.cache
def shipped_sets() -> dict[str, OwnSet]:
    """Return the test sets that the package describes besides sacreBLEU's."""
    paths = sorted(Path(__file__).with_name("described").glob("*.toml"))
    return {name: each for path in paths for name, each in read_sets(path).items()}


def added_sets() -> dict[str, Path]:
    """Return the TOML files of the test sets that were added, by the names of these."""
    path = _added_path()
    try:
        added = json.loads(path.read_text("utf-8"))
        return {str(name): Path(each) for name, each in added.items()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise DownloadError(
            f"{path} is damaged ({error}); delete it, and add them again"
        ) from error


def add_sets(path: Path) -> list[str]:
    """Let the test sets of a TOML file be known by their names, which are returned."""
    names = list(read_sets(path))
    for name in names:
        if name in registered_sets() or name in shipped_sets():
            owner = "sacreBLEU" if name in registered_sets() else "truebleu"
            raise InputError(f"{path}: {name} is the name of a test set of {owner}'s")
    with named_errors(_added_path()):
        _added_path().parent.mkdir(parents=True, exist_ok=True)
        with locked(_added_path()):
            added = {name: str(each) for name, each in added_sets().items()}
            added |= dict.fromkeys(names, str(path.absolute()))
            write_whole(_added_path(), json.dumps(added, ensure_ascii=False, indent=1).encode())
    return names


# Of a description that is downloaded.
_MOST_BYTES = 10_000_000


def downloaded_description(url: str) -> Path:
    """Return the path of a TOML file that is downloaded; its test sets need URLs."""
    key = hashlib.sha256(url.encode()).hexdigest()[:16]
    path = cache_folder() / "files" / "described" / f"{key}.toml"
    fetched(Download(name=url, urls=(url,)), path, check=_all_have_urls)
    return path


def _all_have_urls(path: Path) -> None:
    if path.stat().st_size > _MOST_BYTES:
        raise too_large(str(path), _MOST_BYTES)
    for own in read_sets(path).values():
        if not own.urls:
            raise InputError(f"{own.name} has no url, and its files are not beside what is fetched")


def _added_path() -> Path:
    return cache_folder() / "sets" / "added.json"
