"""The test sets that sacreBLEU 2.6.0 knows, as data: ``registry.json``."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

from truebleu.errors import UnknownNameError
from truebleu.record import Record
from truebleu.suggestions import similar_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    ArchiveType = Literal["tar", "zip", "gz", "file"]
    Kind = Literal["sgml", "sgml+text", "iwslt-xml", "text", "tsv", "wmt-xml"]

_FILE = Path(__file__).with_name("registry.json")


class Archive(Record):
    """A file that is downloaded from one of its mirrors; only ``tar`` and ``zip`` are unpacked."""

    urls: tuple[str, ...]
    md5: str
    type: ArchiveType

    @property
    def name(self) -> str:
        """The name of the file on its server."""
        return self.urls[0].rpartition("/")[2]


class PairFiles(Record):
    """The files of a language pair: the source, then the references, as paths within archives.

    Of a ``tsv``, each begins with its column, counted from 0, and a colon. Of a ``wmt-xml``, a
    single file has everything; sacreBLEU scores with some of its references, such as ``ref:A``.
    """

    members: tuple[str, ...]
    scored: tuple[str, ...] = ()


class RegisteredSet(Record):
    """A test set of the registry, such as ``wmt24``; its kind is how its files are read."""

    name: str
    kind: Kind
    description: str
    archives: tuple[Archive, ...]
    pairs: Mapping[str, PairFiles]

    @property
    def file_name(self) -> str:
        """The name in names of files."""
        return self.name.replace("/", "_")

    def raw_name(self, archive: Archive) -> str:
        """Return the name that sacreBLEU gives to an archive of the set."""
        return f"{self.file_name}.{archive.name}"


@functools.cache
def registered_sets() -> dict[str, RegisteredSet]:
    """Return the test sets by name, in sacreBLEU's order."""
    values = json.loads(_FILE.read_text("utf-8"))
    archives = {
        key: Archive(urls=tuple(each["urls"]), md5=each["md5"], type=each["type"])
        for key, each in values["archives"].items()
    }
    return {
        name: RegisteredSet(
            name=name,
            kind=each["kind"],
            description=each["description"],
            archives=tuple(archives[key] for key in each["archives"]),
            pairs={
                pair: PairFiles(
                    members=tuple(files["members"]), scored=tuple(files.get("scored", ()))
                )
                for pair, files in each["pairs"].items()
            },
        )
        for name, each in values["sets"].items()
    }


@functools.cache
def countries() -> dict[str, dict[str, str]]:
    """Return, for some sets, the country and domain of documents by their names."""
    found: dict[str, dict[str, str]] = json.loads(_FILE.read_text("utf-8"))["countries"]
    return found


@functools.cache
def papers() -> dict[str, str]:
    """Return the addresses of papers about sets, where sacreBLEU has an entry for BibTeX."""
    found: dict[str, str] = json.loads(_FILE.read_text("utf-8"))["papers"]
    return found


def registered_set(name: str) -> RegisteredSet:
    """Return a test set, also by its year or the name of its files, or say what is similar."""
    known = registered_sets()
    # wmt2014, or newstest2014.
    year = re.fullmatch(r"(?:wmt|newstest)20(\d\d)", name)
    name = f"wmt{year[1]}" if year and f"wmt{year[1]}" in known else name
    if name not in known:
        similar = similar_names(name, known, 3)
        hint = f"; did you mean {' or '.join(similar)}?" if similar else "."
        raise UnknownNameError(
            f"test set {name!r} is unknown{hint} `truebleu data list` lists all; for your own, "
            "give the path of its TOML file"
        )
    return known[name]
