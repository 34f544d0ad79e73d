"""Test sets on disk: found, or unpacked and kept."""

from __future__ import annotations

from truebleu.downloads.fetch import locked
from truebleu.downloads.places import cache_folder
from truebleu.errors import DownloadError, UnknownNameError
from truebleu.test_sets.archives import unpacked
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.processed import check_sides, stored_fields, write_fields
from truebleu.test_sets.sacrebleu_files import fields_of_sacrebleu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from truebleu.test_sets.processed import Fields
    from truebleu.test_sets.registry import RegisteredSet


def folder_of(test_set: RegisteredSet, pair: str) -> Path:
    """Return the folder that the fields of a language pair are kept in."""
    return cache_folder() / "sets" / test_set.file_name / pair


def fields_of(test_set: RegisteredSet, pair: str, *, offline: bool | None = None) -> Fields:
    """Return the fields of a language pair, byte for byte as sacreBLEU extracts them.

    They are those that were kept; else those that sacreBLEU has extracted; else they are unpacked
    from the archives, which are downloaded if necessary, and kept.

    Parameters
    ----------
    test_set : RegisteredSet
    pair : str
    offline : bool, optional
        Whether to raise an error instead of downloading. Default: the environment variable
        TRUEBLEU_OFFLINE.

    Returns
    -------
    dict of str to list of str
        As :func:`~truebleu.test_sets.parsing.read_fields` returns them, all of one length.

    Raises
    ------
    UnknownNameError
        If the set does not have the pair.
    DownloadError
        If a file cannot be downloaded or unpacked, or is not the one that was published or kept.
    InputError
        If an archive has other text in it than it should.
    """
    check_pair(test_set.name, pair, test_set.pairs)
    return (
        kept_fields(test_set, pair)
        or fields_of_sacrebleu(test_set, pair)
        or _unpack_and_keep(test_set, pair, offline=offline)
    )


def check_pair(name: str, pair: str, pairs: Any) -> None:
    """Refuse a language pair that a test set does not have.

    Raises
    ------
    UnknownNameError
        The message lists those that it has.
    """
    if pair not in pairs:
        raise UnknownNameError(
            f"{name} has no language pair {pair!r}; choose one of {', '.join(pairs)}"
        )


def kept_fields(test_set: RegisteredSet, pair: str) -> Fields | None:
    """Return the fields that are kept, or None if there are none.

    Raises
    ------
    DownloadError
        If they have been changed, or cannot be read.
    """
    folder = folder_of(test_set, pair)
    try:
        return stored_fields(folder, _source(test_set, pair))
    except OSError as error:
        if isinstance(error, DownloadError):
            raise
        raise DownloadError(f"{error.filename or folder}: {error.strerror or error}") from error


def _source(test_set: RegisteredSet, pair: str) -> dict[str, Any]:
    """Return what the fields depend on: another release may have another registry."""
    return {
        "archives": [archive.md5 for archive in test_set.archives],
        "kind": test_set.kind,
        "members": list(test_set.pairs[pair].members),
    }


def _unpack_and_keep(test_set: RegisteredSet, pair: str, *, offline: bool | None) -> Fields:
    folder = folder_of(test_set, pair)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            # Another process may have done so in the meantime.
            kept = kept_fields(test_set, pair)
            if kept is not None:
                return kept
            fields = _unpack(test_set, pair, offline=offline)
            write_fields(folder, fields, _source(test_set, pair))
            return fields
    except OSError as error:
        if isinstance(error, DownloadError):
            raise
        raise DownloadError(f"{error.filename or folder}: {error.strerror or error}") from error


def _unpack(test_set: RegisteredSet, pair: str, *, offline: bool | None) -> Fields:
    scored = test_set.pairs[pair].scored
    with unpacked(test_set, pair, offline=offline) as members:
        fields = read_fields(test_set.name, test_set.kind, members, scored)
    check_sides(f"{test_set.name} {pair}", fields)
    return fields
