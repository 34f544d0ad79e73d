"""Descriptions of test sets: the TOML file, and what it says."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

from truebleu.downloads.places import cache_folder
from truebleu.errors import DownloadError, InputError
from truebleu.record import Record
from truebleu.test_sets.registry import PairFiles
from truebleu.tokenizers.registry import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any


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


def read_sets(path: Path, text: str | None = None) -> dict[str, OwnSet]:
    """Return the test sets that a TOML file describes, or would with another text, by name."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        content = tomllib.loads(path.read_text("utf-8") if text is None else text)
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
