"""Test sets of your own: a TOML file beside the files that it names."""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path

from truebleu.downloads.digests import digests_of
from truebleu.downloads.fetch import locked
from truebleu.downloads.places import byte_limit, cache_folder, named_errors, too_large
from truebleu.errors import DownloadError, InputError
from truebleu.record import Record
from truebleu.test_sets.archives import split_member
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.parsing.raw import REPLACE
from truebleu.test_sets.registry import PairFiles, registered_sets
from truebleu.test_sets.store import check_sides
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu.test_sets.store import Fields

_KINDS = ("text", "tsv", "sgml", "wmt-xml")
# Fields of a pair that are text files of their own.
_EXTRA = ("docid", "domain", "origlang")
_SET_NAME = re.compile(r"\w[\w./+-]*")
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
    table.refuse_unknown("kind", "description", "pairs")
    if not _SET_NAME.fullmatch(name) or name.endswith(".toml"):
        raise table.wrong(f"is called {name!r}; letters, digits and ._/+- are allowed")
    kind = table.text("kind")
    if kind not in _KINDS:
        raise table.wrong(f"has kind = {kind!r}; choose one of {', '.join(_KINDS)}")
    pairs = table.table("pairs")
    for pair in pairs.values:
        if not _PAIR_NAME.fullmatch(pair):
            raise pairs.wrong(f"has {pair!r}; a language pair is called like en-de")
    return OwnSet(
        name=name,
        kind=kind,
        description=table.text("description", f"described in {path.name}"),
        path=path,
        pairs={pair: _read_pair(kind, pairs.table(pair)) for pair in pairs.values},
    )


def _read_pair(kind: str, table: _Table) -> OwnPair:
    table.refuse_unknown("src", "ref", *_EXTRA, "sha256")
    source, references = table.text("src"), table.texts("ref")
    if kind == "wmt-xml":
        files = PairFiles(members=(source,), scored=tuple(references))
    else:
        files = PairFiles(members=(source, *references))
    digests = table.table("sha256") if "sha256" in table.values else None
    return OwnPair(
        files=files,
        extra={name: table.text(name) for name in _EXTRA if name in table.values},
        sha256={name: digests.text(name).lower() for name in digests.values} if digests else {},
    )


def fields_of_own(own: OwnSet, pair: str) -> Fields:
    """Return the fields of a language pair, as :func:`~truebleu.test_sets.store.fields_of` does."""
    files = own.pairs[pair]
    members = [split_member(own.kind, member) for member in files.files.members]
    named = {name for name, _ in members} | {*files.extra.values()}
    unused = sorted({*files.sha256} - named)
    if unused:
        raise InputError(f"{own.path}: {pair} has the sha256 of {unused[0]}, which it does not use")
    with named_errors(own.path):
        try:
            paths = {name: _checked(own, name, files.sha256.get(name)) for name in named}
            fields = read_fields(
                own.name,
                own.kind,
                [(paths[name], column) for name, column in members],
                files.files.scored,
            )
            for field, name in files.extra.items():
                fields[field] = read_fields(own.name, "text", [(paths[name], None)])["src"]
        except InputError as error:
            # The file is nobody else's: nothing would bring it back.
            raise type(error)(str(error).removesuffix(f"; {REPLACE}")) from error
    check_sides(f"{own.name} {pair}", fields)
    return fields


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
    if sha256 is not None:
        found = digests_of(path).sha256
        if found != sha256:
            raise DownloadError(
                f"{path} has the SHA-256 {found}, but {own.path} says {sha256}: restore the file, "
                "or correct the checksum if the change is intended"
            )
    return path


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
        if name in registered_sets():
            raise InputError(f"{path}: {name} is the name of a test set of sacreBLEU's")
    with named_errors(_added_path()):
        _added_path().parent.mkdir(parents=True, exist_ok=True)
        with locked(_added_path()):
            added = {name: str(each) for name, each in added_sets().items()}
            added |= dict.fromkeys(names, str(path.absolute()))
            write_whole(_added_path(), json.dumps(added, ensure_ascii=False, indent=1).encode())
    return names


def _added_path() -> Path:
    return cache_folder() / "sets" / "added.json"
