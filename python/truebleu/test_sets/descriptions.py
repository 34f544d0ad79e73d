"""Descriptions of test sets: what a TOML file says, or the JSON of sacreBLEU's."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from truebleu.downloads.digests import record_of
from truebleu.downloads.places import cache_folder
from truebleu.errors import DownloadError, InputError
from truebleu.record import Record
from truebleu.suggestions import similar_names
from truebleu.test_sets.parsing import OF_ROWS
from truebleu.tokenizers.registry import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    from truebleu.tokenizers.registry import TokenizerName

    ArchiveKind = Literal["tar", "zip", "file"]

SACREBLEU = Path(__file__).with_name("described") / "sacrebleu.json"
"""The test sets that sacreBLEU 2.6.0 knows; as TOML, they would take 100 ms to read, not 3."""

_KINDS = ("text", "tsv", "sgml", "wmt-xml", "jsonl", "parquet", "sgml+text", "iwslt-xml")
_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# Fields of a pair that are files of their own.
_EXTRA = ("docid", "domain", "origlang")
_SET_NAME = re.compile(r"\w[\w./+:-]*")
_LANGUAGE = re.compile(r"\w+")
_PAIR_NAME = re.compile(r"\w+-[\w-]+")


class Archive(Record):
    """A file that is downloaded from one of its mirrors; others than archives are one member."""

    name: str
    urls: tuple[str, ...]
    md5: str = ""
    sha256: str = ""

    @property
    def kind(self) -> ArchiveKind:
        """How members are read; only a ``tar`` and a ``zip`` have names for them."""
        if self.name.endswith(".zip"):
            return "zip"
        return "tar" if self.name.endswith(_TARS) else "file"

    @property
    def path(self) -> Path:
        """Where it is kept: by its MD5, or else its URLs, so that only the same ones share it."""
        key = hashlib.sha256("\n".join(self.urls).encode()).hexdigest()[:16]
        plain = re.sub(r"[^\w.+-]", "_", self.name.rpartition("/")[2])[-99:]
        return cache_folder() / "archives" / (self.md5 or f"{key}-{plain}")


class PairFiles(Record):
    """The files of a language pair: the source, then the references, as paths within archives.

    Of a ``tsv``, each begins with its column, counted from 0, and a colon. Of a ``wmt-xml``, a
    single file has everything, and some of its references are scored with, such as ``ref:A``. Other
    fields may have files of their own. Of files of rows, only those `where` fields have these
    values are of the pair.
    """

    members: tuple[str, ...]
    scored: tuple[str, ...]
    extra: dict[str, str]
    where: dict[str, str]

    def names(self, kind: str) -> list[str]:
        """Return the names of all files."""
        return [split_member(kind, each)[0] for each in (*self.members, *self.extra.values())]


def split_member(kind: str, member: str) -> tuple[str, int | str | None]:
    """Return the path of a member, and what is written before it: a column or a JSON field."""
    column, colon, name = member.partition(":")
    # Python reads no number of thousands of digits.
    if kind == "tsv" and colon and column.isdecimal() and len(column) < 10:
        return name, int(column)
    if kind in OF_ROWS and colon:
        return name, column
    return member, None


class Description(Record):
    """A test set, such as ``wmt24``, and the file that describes it.

    Its files are in archives, or in a folder on servers; otherwise, beside the description.
    """

    name: str
    kind: str
    description: str
    path: Path
    pairs: Mapping[str, PairFiles]
    archives: tuple[Archive, ...]
    folders: tuple[str, ...]
    sha256: Mapping[str, str]
    license: str
    citation: str
    tokenizer: TokenizerName | None
    skip: str
    split: str

    @property
    def file_name(self) -> str:
        """The name in names of files."""
        return self.name.replace("/", "_").replace(":", "_")

    @property
    def is_downloaded(self) -> bool:
        """Whether its files are not those beside the description."""
        return bool(self.archives or self.folders)

    @property
    def about(self) -> str:
        """The description, the licence, and whether any checksum is known."""
        archives = self.archives_of()
        known = any(each.md5 or each.sha256 or record_of(each.path).exists() for each in archives)
        unverified = "not verified: the first download records its checksum"
        parts = (self.description, self.license, "" if known or not archives else unverified)
        return "; ".join(filter(None, parts))

    def names(self, *pairs: str) -> list[str]:
        """Return the names of the files of some language pairs, or of all."""
        every = self.pairs.once() if isinstance(self.pairs, EveryPair) else self.pairs
        files = [self.pairs[pair].names(self.kind) for pair in pairs or every]
        return list(dict.fromkeys(name for names in files for name in names))

    def archives_of(self, *pairs: str) -> list[Archive]:
        """Return the archives of some pairs, or of all: first those that are called like folders.

        Of several, en-fr.tgz is likely to have en-fr/x.
        """
        if not self.folders:
            named = {name.partition("/")[0] for name in self.names(*pairs)} if pairs else set()
            return sorted(self.archives, key=lambda each: each.name.partition(".")[0] not in named)
        return [
            Archive(
                name=name,
                urls=tuple(f"{url}{quote(name)}" for url in self.folders),
                sha256=self.sha256.get(name, ""),
            )
            for name in self.names(*pairs)
        ]


class EveryPair(Mapping[str, PairFiles]):
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

    def __getitem__(self, pair: str) -> PairFiles:
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

    def similar(self, pair: str) -> list[str]:
        """Return the pair whose languages have such names or codes: eng-kor, En-ko."""
        found: list[str] = []
        for side in pair.lower().split("-"):
            codes = self._codes.items()
            named = [name for name, code in codes if side in re.split("[._-]", code.lower())]
            known = [side] if side in self._codes else named or similar_names(side, self._codes)
            found += known[:1]
        return [meant] if (meant := "-".join(found)) in self else []

    def __iter__(self) -> Iterator[str]:
        return (f"{one}-{other}" for one in self._codes for other in self._codes if one != other)

    def __len__(self) -> int:
        return len(self._codes) * (len(self._codes) - 1)


def read_sets(path: Path, text: str | None = None) -> dict[str, Description]:
    """Return the test sets that a file describes, or would with another text, by name."""
    try:
        content = _parsed(path, path.read_text("utf-8") if text is None else text)
    except OSError as error:
        raise DownloadError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    tables = _Table(path, (), content)
    tables.refuse_unknown("sets", "archives")
    sets, archives = tables.table("sets"), tables.table("archives", {})
    return {name: _read_set(name, sets.table(name), archives) for name in sets.values}


def _parsed(path: Path, text: str) -> Any:
    if path == SACREBLEU:
        return json.loads(text)
    import tomllib

    return tomllib.loads(text)


def the_set(path: Path) -> Description:
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

    def table(self, name: str, default: Any = None) -> _Table:
        return _Table(self.path, (*self.keys, name), self.get(name, default))

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self.values and default is None:
            raise self.wrong(f"lacks {name!r}")
        return self.values.get(name, default)

    def text(self, name: str, default: str | None = None) -> str:
        value = self.get(name, default)
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


def _read_set(name: str, table: _Table, archives: _Table) -> Description:
    table.refuse_unknown(
        *("kind", "description", "pairs", "languages", "url", "archives", "sha256"),
        *("license", "citation", "tokenizer", "skip", "split"),
    )
    if not _SET_NAME.fullmatch(name) or name.endswith(".toml"):
        raise table.wrong(f"is called {name!r}; letters, digits and ._/+:- are allowed")
    kind = table.text("kind")
    if kind not in _KINDS:
        raise table.wrong(f"has kind = {kind!r}; choose one of {', '.join(_KINDS)}")
    tokenizer: Any = table.text("tokenizer", "") or None
    if tokenizer and tokenizer not in NAMES:
        raise table.wrong(f"has tokenizer = {tokenizer!r}; choose one of {', '.join(NAMES)}")
    sha256 = _digests(table)
    found, folders = _archives(table, archives, sha256)
    return Description(
        name=name,
        kind=kind,
        description=table.text("description", f"described in {table.path.name}"),
        path=table.path,
        pairs=_read_pairs(kind, table),
        archives=found,
        folders=folders,
        sha256=sha256,
        license=table.text("license", ""),
        citation=table.text("citation", ""),
        tokenizer=tokenizer,
        skip=table.text("skip", ""),
        split=table.text("split", ""),
    )


def _read_pairs(kind: str, table: _Table) -> Mapping[str, PairFiles]:
    if "languages" in table.values:
        if "pairs" in table.values:
            raise table.wrong("has both 'pairs' and 'languages'; one is needed")
        return EveryPair(kind, table.table("languages"))
    pairs = table.table("pairs")
    for pair in pairs.values:
        if not _PAIR_NAME.fullmatch(pair):
            raise pairs.wrong(f"has {pair!r}; a language pair is called like en-de")
    return {pair: _read_pair(kind, pairs.table(pair)) for pair in pairs.values}


def _archives(
    table: _Table, named: _Table, sha256: Mapping[str, str]
) -> tuple[tuple[Archive, ...], tuple[str, ...]]:
    """Return the archives of a set; or the mirrors of a folder of its files; or neither."""
    if "archives" in table.values:
        if "url" in table.values:
            raise table.wrong("has both 'url' and 'archives'; one is needed")
        return tuple(_archive(named.table(each), sha256) for each in table.texts("archives")), ()
    if "url" not in table.values:
        return (), ()
    urls = tuple(table.texts("url"))
    if all(url.endswith("/") for url in urls):
        return (), urls
    archive = _archive(_Table(table.path, table.keys, {"url": list(urls)}), sha256)
    if archive.kind not in ("tar", "zip"):
        raise table.wrong(
            f"has url = {list(urls)!r}; each ends in the same .zip, {', '.join(_TARS)}, or in the "
            "/ of a folder of files"
        )
    return (archive,), ()


def _archive(table: _Table, sha256: Mapping[str, str]) -> Archive:
    table.refuse_unknown("url", "md5", "sha256")
    urls = tuple(table.texts("url"))
    names = {url.rpartition("/")[2] for url in urls}
    if len(names) > 1 or "" in names:
        raise table.wrong(f"has url = {list(urls)!r}; each ends in the same name of a file")
    [name] = names
    md5, known = table.text("md5", ""), table.text("sha256", sha256.get(name, "")).lower()
    for what, value, digits in (("md5", md5, 32), ("sha256", known, 64)):
        if value and not re.fullmatch(f"[0-9a-f]{{{digits}}}", value):
            raise table.wrong(f"has {what} = {value!r}; {digits} hexadecimal digits are needed")
    return Archive(name=name, urls=urls, md5=md5, sha256=known)


def _digests(table: _Table) -> dict[str, str]:
    if "sha256" not in table.values:
        return {}
    digests = table.table("sha256")
    found = {name: digests.text(name).lower() for name in digests.values}
    for name, digest in found.items():
        if not re.fullmatch("[0-9a-f]{64}", digest):
            raise digests.wrong(f"has {name!r} = {digest!r}; 64 hexadecimal digits are needed")
    return found


def _read_pair(kind: str, table: _Table) -> PairFiles:
    table.refuse_unknown("src", "ref", *_EXTRA, "where")
    source, references = table.text("src"), tuple(table.texts("ref"))
    is_one, where = kind == "wmt-xml", table.table("where", {})
    return PairFiles(
        members=(source,) if is_one else (source, *references),
        scored=references if is_one else (),
        extra={name: table.text(name) for name in _EXTRA if name in table.values},
        where={name: where.text(name) for name in where.values},
    )
