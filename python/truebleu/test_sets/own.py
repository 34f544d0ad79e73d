"""Test sets that TOML files describe: their texts lie beside them, or are downloaded."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.fetch import Download, fetched, locked
from truebleu.downloads.places import byte_limit, cache_folder, named_errors, too_large
from truebleu.errors import DownloadError, InputError
from truebleu.record import Record
from truebleu.test_sets.archives import extract, split_member, target_of
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.parsing.raw import REPLACE
from truebleu.test_sets.registry import PairFiles, registered_sets
from truebleu.test_sets.store import check_sides
from truebleu.tokenizers.registry import NAMES
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.test_sets.store import Fields

_KINDS = ("text", "tsv", "sgml", "wmt-xml", "jsonl")
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# Fields of a pair that are text files of their own.
_EXTRA = ("docid", "domain", "origlang")
_SET_NAME = re.compile(r"\w[\w./+:-]*")
_LANGUAGE = re.compile(r"\w+")
_PAIR_NAME = re.compile(r"\w+-[\w-]+")


class OwnPair(Record):
    """A language pair of a test set of your own, with paths in the folder of the TOML file."""

    files: PairFiles
    extra: Mapping[str, str]
    sha256: Mapping[str, str]


class OwnSet(Record):
    """A test set of your own, and the path of the TOML file that describes it."""

    name: str
    kind: str
    description: str
    path: Path
    pairs: Mapping[str, OwnPair]
    urls: tuple[str, ...]
    sha256: Mapping[str, str]
    license: str
    citation: str
    tokenizer: str
    skip: str

    @property
    def archive(self) -> str:
        """The name of the archive that has all files, or nothing if each has its own URL."""
        return self.urls[0].rpartition("/")[2] if self.urls else ""

    @property
    def folder(self) -> Path:
        """Where downloaded files are kept."""
        return cache_folder() / "files" / self.name.replace("/", "_").replace(":", "_")

    @property
    def about(self) -> str:
        """The description, the licence, and whether any checksum is known."""
        checked = not self.urls or self.sha256 or any(self.folder.rglob("*.sha256"))
        unverified = "" if checked else "not verified: the first download records its checksum"
        return "; ".join(filter(None, (self.description, self.license, unverified)))


class EveryPair(Mapping[str, OwnPair]):
    """Every pair of some languages, made when it is asked for: 204 have 41,412."""

    def __init__(self, kind: str, table: _Table) -> None:
        table.refuse_unknown("file", "codes", *_EXTRA)
        self._kind, self._table = kind, table
        codes = table.table("codes")
        self._codes = {name: codes.text(name) for name in codes.values}
        for name in self._codes:
            if not _LANGUAGE.fullmatch(name):
                raise codes.wrong(f"has the language {name!r}; letters, digits and _ are allowed")
        if len(self._codes) < 2:
            raise codes.wrong("needs two languages or more")
        self.files = {name: self._file(name) for name in self._codes}

    def _file(self, language: str) -> str:
        return self._table.text("file").replace("{}", self._codes.get(language, language))

    def __getitem__(self, pair: str) -> OwnPair:
        sides = pair.split("-")
        known = {*self._codes, *self._codes.values()}
        if len(sides) != 2 or sides[0] == sides[1] or not known.issuperset(sides):
            raise KeyError(pair)
        values = {name: self._table.values[name] for name in _EXTRA if name in self._table.values}
        values |= zip(("src", "ref"), map(self._file, sides), strict=True)
        return _read_pair(self._kind, _Table(self._table.path, self._table.keys, values))

    def once(self) -> list[str]:
        """Return pairs that have each language once at least."""
        first, *others = self._codes
        return [f"{first}-{other}" for other in others]

    def __iter__(self) -> Iterator[str]:
        return (f"{one}-{other}" for one in self._codes for other in self._codes if one != other)

    def __len__(self) -> int:
        return len(self._codes) * (len(self._codes) - 1)


def read_sets(path: Path) -> dict[str, OwnSet]:
    """Return the test sets that a TOML file describes, by name."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DownloadError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    tables = _Table(path, (), content)
    tables.refuse_unknown("sets")
    sets = tables.table("sets")
    return {name: _read_set(path, name, sets.table(name)) for name in sets.values}


def the_set(path: Path) -> OwnSet:
    """Return the only test set of a TOML file."""
    sets = read_sets(path)
    if len(sets) != 1:
        raise InputError(
            f"{path} has {len(sets)} test sets ({', '.join(sets)}), but one is needed: use "
            f"`truebleu data add {path}`, and then the name of one"
        )
    [own] = sets.values()
    return own


class _Table:
    """A table of a TOML file, and where it is, for messages."""

    def __init__(self, path: Path, keys: tuple[str, ...], values: Any) -> None:
        self.path, self.keys, self.values = path, keys, values
        if not isinstance(values, dict):
            raise self.wrong("is not a table")

    def wrong(self, what: str) -> InputError:
        where = f"[{'.'.join(self.keys)}]" if self.keys else "the file"
        return InputError(f"{self.path}: {where} {what}")

    def refuse_unknown(self, *known: str) -> None:
        unknown = [name for name in self.values if name not in known]
        if unknown:
            raise self.wrong(
                f"has the unknown key {unknown[0]!r}; choose one of {', '.join(known)}"
            )

    def table(self, name: str) -> _Table:
        return _Table(self.path, (*self.keys, name), self.get(name))

    def get(self, name: str) -> Any:
        if name not in self.values:
            raise self.wrong(f"lacks {name!r}")
        return self.values[name]

    def text(self, name: str, default: str | None = None) -> str:
        value = self.get(name) if default is None else self.values.get(name, default)
        if not isinstance(value, str):
            raise self.wrong(f"has {name} = {value!r}; a string is needed")
        return value

    def texts(self, name: str) -> list[str]:
        value = self.get(name)
        several = [value] if isinstance(value, str) else value
        if not (isinstance(several, list) and several):
            raise self.wrong(f"has {name} = {value!r}; a string or a list of strings is needed")
        for each in several:
            if not isinstance(each, str):
                raise self.wrong(f"has {each!r} in {name}; a string is needed")
        return several


def _read_set(path: Path, name: str, table: _Table) -> OwnSet:
    table.refuse_unknown(
        *("kind", "description", "pairs", "languages", "url", "sha256"),
        *("license", "citation", "tokenizer", "skip"),
    )
    if not _SET_NAME.fullmatch(name) or name.endswith(".toml"):
        raise table.wrong(f"is called {name!r}; letters, digits and ._/+:- are allowed")
    kind = table.text("kind")
    if kind not in _KINDS:
        raise table.wrong(f"has kind = {kind!r}; choose one of {', '.join(_KINDS)}")
    tokenizer = table.text("tokenizer", "")
    if tokenizer and tokenizer not in NAMES:
        raise table.wrong(f"has tokenizer = {tokenizer!r}; choose one of {', '.join(NAMES)}")
    return OwnSet(
        name=name,
        kind=kind,
        description=table.text("description", f"described in {path.name}"),
        path=path,
        pairs=_read_pairs(kind, table),
        urls=_urls(table),
        sha256=_digests(table),
        license=table.text("license", ""),
        citation=table.text("citation", ""),
        tokenizer=tokenizer,
        skip=table.text("skip", ""),
    )


def _read_pairs(kind: str, table: _Table) -> Mapping[str, OwnPair]:
    if "languages" in table.values:
        if "pairs" in table.values:
            raise table.wrong("has both 'pairs' and 'languages'; one is needed")
        return EveryPair(kind, table.table("languages"))
    pairs = table.table("pairs")
    for pair in pairs.values:
        if not _PAIR_NAME.fullmatch(pair):
            raise pairs.wrong(f"has {pair!r}; a language pair is called like en-de")
    return {pair: _read_pair(kind, pairs.table(pair)) for pair in pairs.values}


def _urls(table: _Table) -> tuple[str, ...]:
    urls = table.texts("url") if "url" in table.values else []
    names = {url.rpartition("/")[2] for url in urls}
    if len(names) > 1 or (names and "" not in names and not names.pop().endswith(_ARCHIVES)):
        raise table.wrong(
            f"has url = {urls!r}; each ends in the same {', '.join(_ARCHIVES)}, or in the / of a "
            "folder of files"
        )
    return tuple(urls)


def _digests(table: _Table) -> dict[str, str]:
    if "sha256" not in table.values:
        return {}
    digests = table.table("sha256")
    found = {name: digests.text(name).lower() for name in digests.values}
    for name, digest in found.items():
        if not re.fullmatch("[0-9a-f]{64}", digest):
            raise digests.wrong(f"has {name!r} = {digest!r}; 64 hexadecimal digits are needed")
    return found


def _read_pair(kind: str, table: _Table) -> OwnPair:
    table.refuse_unknown("src", "ref", *_EXTRA, "sha256")
    source, references = table.text("src"), table.texts("ref")
    if kind == "wmt-xml":
        files = PairFiles(members=(source,), scored=tuple(references))
    else:
        files = PairFiles(members=(source, *references))
    return OwnPair(
        files=files,
        extra={name: table.text(name) for name in _EXTRA if name in table.values},
        sha256=_digests(table),
    )


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
    found = []
    text = path.read_bytes().decode("utf-8")
    for own in read_sets(path).values():
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
        if added and header in text:
            text = text.replace(header, header + lines, 1)
        elif added and own.sha256:
            raise InputError(f"{path}: add these lines to the sha256 of {own.name}:\n{lines}")
        elif added:
            text = f"{text.rstrip()}\n\n{header}{lines}"
        found += added
    if found:
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


def downloaded_description(url: str) -> Path:
    """Return the path of a TOML file that is downloaded; its test sets need URLs."""
    key = hashlib.sha256(url.encode()).hexdigest()[:16]
    path = cache_folder() / "files" / "described" / f"{key}.toml"
    fetched(Download(name=url, urls=(url,)), path, check=_all_have_urls)
    return path


def _all_have_urls(path: Path) -> None:
    for own in read_sets(path).values():
        if not own.urls:
            raise InputError(f"{own.name} has no url, and its files are not beside what is fetched")


def _added_path() -> Path:
    return cache_folder() / "sets" / "added.json"
