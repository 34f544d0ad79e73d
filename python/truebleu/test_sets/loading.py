"""Test sets as Python objects, and which of them are on disk, and still what they were."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from truebleu.display.shown import Result
from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.places import sacrebleu_folder
from truebleu.errors import InputError, SettingsWarning, TruebleuError, warn, wrong_type
from truebleu.record import Record
from truebleu.test_sets.archives import archive_folder
from truebleu.test_sets.descriptions import OwnSet, read_sets, the_set
from truebleu.test_sets.own import (
    added_sets,
    fields_of_own,
    names_of,
    own_on_disk,
    path_of,
    shipped_sets,
)
from truebleu.test_sets.parsing.raw import is_reference, is_system
from truebleu.test_sets.registry import registered_set, registered_sets
from truebleu.test_sets.store import (
    check_pair,
    fields_of,
    fields_of_sacrebleu,
    files_of_sacrebleu,
    folder_of,
    has_manifest,
    kept_fields,
)
from truebleu.tokenizers.registry import BY_LANGUAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from truebleu.test_sets.registry import Archive, PairFiles, RegisteredSet
    from truebleu.test_sets.store import Fields
    from truebleu.tokenizers.registry import TokenizerName


class TestSet(Result):
    """A test set in one language pair.

    Attributes
    ----------
    name : str
        Such as ``wmt24``.
    pair : str
        The language pair, such as ``en-de``.
    sources : list of str
        One source per segment.
    references : list of list of str
        For each segment, the references that sacreBLEU uses, equally many for all segments. One
        that the test set lacks is an empty string.
    documents : list of str or None
        The ID of the document of each segment, if the set has documents.
    domains : list of str or None
        The domain of each segment, such as ``news``, if the set says so; before 2021, the genre.
    origlang : list of str or None
        The language in which each segment was written, if the set says so.
    systems : mapping of str to list of str
        The system outputs that come with the set; some of WMT21 to WMT24 have them. Systems that
        lack documents are left out.
    tokenizer : str
        The tokenizer that sacreBLEU uses for BLEU in the target language: ``zh``, ``ja-mecab``,
        ``ko-mecab``, or ``13a`` for any other.
    """

    # pytest would take the class for a test.
    __test__ = False

    name: str
    pair: str
    sources: list[str]
    references: list[list[str]]
    documents: list[str] | None
    domains: list[str] | None
    origlang: list[str] | None
    systems: Mapping[str, list[str]]
    tokenizer: TokenizerName

    @property
    def signature(self) -> str:
        """The fields that name the test set in signatures: ``test:wmt24|lang:en-de``."""
        return f"test:{self.name}|lang:{self.pair}"

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        return (
            f"TestSet(name={self.name!r}, pair={self.pair!r}, segments={len(self)}, "
            f"references={len(self.references[0])}, systems={len(self.systems)})"
        )


def load_test_set(
    name: str | os.PathLike[str], pair: str, *, offline: bool | None = None
) -> TestSet:
    """Load a test set that sacreBLEU knows, or one of your own.

    Sets that neither truebleu nor sacreBLEU has on disk are downloaded, and checked against the
    published MD5. The text is the same, byte for byte, as in sacreBLEU.

    Parameters
    ----------
    name : str or os.PathLike
        The name of a test set, such as ``wmt24``; or the path of a TOML file that describes one.
    pair : str
        A language pair, such as ``en-de``.
    offline : bool, optional
        Whether to raise an error instead of downloading. Default: whether the environment
        variable TRUEBLEU_OFFLINE is set.

    Returns
    -------
    TestSet

    Raises
    ------
    UnknownNameError
        If there is no such test set, or it does not have the pair.
    DownloadError
        If a file cannot be downloaded or unpacked, or is not the expected one.
    InputError
        If the text of a file is invalid, or its fields differ in length.

    Warns
    -----
    SettingsWarning
        If a system lacks segments, and is left out.

    Examples
    --------
    >>> test_set = load_test_set("examples/test_set.toml", "de-en")
    >>> test_set
    TestSet(name='example', pair='de-en', segments=72, references=2, systems=0)
    >>> test_set.tokenizer
    '13a'
    """
    test_set = find_set(name)
    if not isinstance(pair, str):
        raise wrong_type("pair", pair, "a str such as 'en-de' is needed")
    check_pair(test_set.name, pair, test_set.pairs)
    if isinstance(test_set, OwnSet):
        fields = fields_of_own(test_set, pair, offline=offline)
    else:
        fields = fields_of(test_set, pair, offline=offline)
    tokenizer = test_set.tokenizer if isinstance(test_set, OwnSet) else ""
    return _made(test_set.name, pair, fields, files_of(test_set, pair), tokenizer)


def find_set(name: str | os.PathLike[str]) -> RegisteredSet | OwnSet:
    """Return a test set by its name, or by the path of the TOML file that describes it."""
    if isinstance(name, os.PathLike) or (isinstance(name, str) and name.endswith(".toml")):
        return the_set(Path(name))
    if not isinstance(name, str):
        raise wrong_type("the name of a test set", name, "a str or a pathlib.Path is needed")
    if name not in registered_sets():
        if name in shipped_sets():
            return shipped_sets()[name]
        added = added_sets()
        if name in added:
            sets = read_sets(added[name])
            if name not in sets:
                raise InputError(f"{added[name]} no longer describes {name}, but {', '.join(sets)}")
            return sets[name]
    return registered_set(name)


def files_of(test_set: RegisteredSet | OwnSet, pair: str) -> PairFiles:
    """Return the files of a language pair."""
    if isinstance(test_set, OwnSet):
        return test_set.pairs[pair].files
    return test_set.pairs[pair]


def _made(name: str, pair: str, fields: Fields, files: PairFiles, tokenizer: Any) -> TestSet:
    # A set has "ref", or "ref:0" and so on, or the names of translators.
    everyone = list(filter(is_reference, fields))
    scored = [field for field in everyone if field in files.scored] if files.scored else everyone
    if not scored:
        raise InputError(
            f"{name} {pair} has no reference {' or '.join(files.scored)}; it has "
            f"{', '.join(everyone) or 'none at all'}"
        )
    systems = {field: lines for field, lines in fields.items() if is_system(field)}
    for system in [each for each in systems if len(systems[each]) != len(fields["src"])]:
        warn(
            f"{name} {pair}: the system {system} has {len(systems.pop(system)):,} segments of "
            f"{len(fields['src']):,}, and is left out: it is unknown which are missing",
            SettingsWarning,
        )
    language = pair.partition("-")[2].partition("_")[0]
    return TestSet(
        name=name,
        pair=pair,
        sources=fields["src"],
        references=[list(each) for each in zip(*(fields[field] for field in scored), strict=True)],
        documents=_unless_empty(fields.get("docid")),
        domains=_unless_empty(fields.get("domain", fields.get("genre"))),
        origlang=_unless_empty(fields.get("origlang")),
        systems=MappingProxyType(systems),
        tokenizer=tokenizer or BY_LANGUAGE.get(language, "13a"),
    )


def _unless_empty(lines: list[str] | None) -> list[str] | None:
    """Return None for a field without any text: SGML files may lack attributes."""
    return lines if lines and any(lines) else None


class Place(Record):
    """Where a language pair is, a folder or the TOML file of your own, and bytes of its files."""

    path: Path
    size: int


def known_sets() -> dict[str, RegisteredSet | OwnSet]:
    """Return the test sets of sacreBLEU by name, then those that were added and can be read."""
    found: dict[str, RegisteredSet | OwnSet] = {**registered_sets(), **shipped_sets()}
    for name, path in added_sets().items():
        with suppress(TruebleuError, KeyError):
            found[name] = read_sets(path)[name]
    return found


def place_of(test_set: RegisteredSet | OwnSet, pair: str) -> Place | None:
    """Return where a language pair is; None if it has to be downloaded or unpacked first."""
    if isinstance(test_set, OwnSet):
        if not own_on_disk(test_set, pair):
            return None
        paths = [path_of(test_set, name) for name in names_of(test_set, pair)]
        path = test_set.folder if test_set.urls else test_set.path
        return Place(path=path, size=_size({*paths}))
    if has_manifest(test_set, pair):
        folder = folder_of(test_set, pair)
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
    if isinstance(test_set, OwnSet):
        return own_on_disk(test_set, pair)
    return has_manifest(test_set, pair)


def _size(paths: Iterable[Path]) -> int:
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
            fields_of_own(test_set, pair, offline=True)
        else:
            kept_fields(test_set, pair)
    except TruebleuError as error:
        return str(error)
    return ""
