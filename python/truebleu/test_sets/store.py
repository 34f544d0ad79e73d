"""Test sets on disk: found, or unpacked and kept."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from truebleu.downloads.fetch import locked
from truebleu.downloads.places import cache_folder, named_errors, sacrebleu_folder
from truebleu.errors import (
    DownloadError,
    EmptyInputError,
    InputError,
    LengthMismatchError,
    UnknownNameError,
)
from truebleu.inputs.markup import is_reference, is_system
from truebleu.suggestions import similar_names
from truebleu.test_sets.archives import unpacked
from truebleu.test_sets.descriptions import EveryPair, split_member
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.parsing.raw import OF_ROWS, REPLACE, separate_fields
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu.test_sets.descriptions import Description

    Fields = dict[str, list[str]]

_FORMAT = 1
MANIFEST = "manifest.json"


def folder_of(test_set: Description, pair: str) -> Path:
    """Return the folder that the fields of a language pair are kept in."""
    # Languages of a description may have any name.
    return cache_folder() / "sets" / test_set.file_name / re.sub(r"[^\w.-]", "_", pair)


def fields_of(test_set: Description, pair: str, *, offline: bool | None = None) -> Fields:
    """Return the fields of a language pair: those kept, sacreBLEU's, or unpacked ones."""
    check_pair(test_set.name, pair, test_set.pairs)
    if not test_set.is_downloaded:
        # Files beside a description are read quickly, and may change.
        with named_errors(test_set.path):
            return _read(test_set, pair)
    return (
        kept_fields(test_set, pair)
        or fields_of_sacrebleu(test_set, pair)
        or _unpack_and_keep(test_set, pair, offline=offline)
    )


def check_pair(name: str, pair: str, pairs: Any) -> None:
    """Refuse a language pair that a test set does not have."""
    if pair not in pairs:
        back = "-".join(reversed(pair.split("-")))
        if isinstance(pairs, EveryPair):
            similar = pairs.similar(pair)
        else:
            similar = [back] if back in pairs else similar_names(pair, pairs)
        hint = f"; did you mean {similar[0]}?" if similar else ""
        raise UnknownNameError(
            f"{name} has no language pair {pair!r}; choose one of {some(pairs)}{hint}"
        )


def some(pairs: Any) -> str:
    """Return the names of language pairs, or of the languages that have all pairs."""
    if isinstance(pairs, EveryPair):
        return f"the pairs of {', '.join(pairs.files)}"
    return ", ".join(pairs)


def check_sides(what: str, fields: Mapping[str, list[str]]) -> None:
    """Refuse fields that are empty or differ in length; systems may lack documents."""
    first, *others = (field for field in fields if not is_system(field))
    count = len(fields[first])
    for other in others:
        if len(fields[other]) != count:
            raise LengthMismatchError(
                f"{what}: {first} has {count:,} segments but {other} has {len(fields[other]):,}; "
                "nothing is scored, because it is unknown which belong together"
            )
    if not count:
        raise EmptyInputError(f"{what}: there is no segment in {first}")


def kept_fields(test_set: Description, pair: str) -> Fields | None:
    """Return the fields that are kept, or None if there are none."""
    folder = folder_of(test_set, pair)
    with named_errors(folder):
        return _stored_fields(folder, _source(test_set, pair))


def _source(test_set: Description, pair: str) -> dict[str, Any]:
    """Return what the fields depend on: another release may have another registry."""
    files = test_set.pairs[pair]
    archives = test_set.archives or test_set.archives_of(pair)
    more = {"extra": files.extra, "skip": test_set.skip, "sha256": test_set.expected(pair)}
    more |= {"where": files.where, "split": test_set.split}
    return {
        "archives": [each.md5 or [each.sha256, *each.urls] for each in archives],
        "kind": test_set.kind,
        "members": list(files.members),
        **{name: value for name, value in more.items() if value},
    }


def _read(test_set: Description, pair: str, *, offline: bool | None = None) -> Fields:
    """Return the fields in the files of a language pair, which may be downloaded first."""
    kind, files = test_set.kind, test_set.pairs[pair]
    with tempfile.TemporaryDirectory(prefix="truebleu-") as folder:
        try:
            paths = unpacked(test_set, pair, Path(folder), offline=offline)
            split = (split_member(kind, member) for member in files.members)
            members = [(paths[name], column) for name, column in split]
            rows: dict[str, Any] = {"skip": test_set.skip, "where": files.where}
            fields = read_fields(test_set.name, kind, members, files.scored, **rows)
            for field, member in files.extra.items():
                name, column = split_member(kind, member)
                own = "text" if column is None else kind
                found = read_fields(test_set.name, own, [(paths[name], column)], **rows)
                fields[field] = found["src"]
        except (InputError, DownloadError) as error:
            # The folder is gone by then, and files of users are not fetched again.
            message = str(error).replace(f"{folder}{os.sep}", f"{test_set.name}: ")
            if not test_set.is_sacrebleus:
                message = message.removesuffix(f"; {REPLACE}")
            raise type(error)(message) from error
    check_sides(f"{test_set.name} {pair}", fields)
    return _split(f"{test_set.name} {pair}", fields, test_set.split) if test_set.split else fields


def _split(what: str, fields: Fields, mark: str) -> Fields:
    """Cut the texts of each row at a mark, into equally many; other fields are repeated."""
    texts = [field for field in fields if field == "src" or is_reference(field)]
    parts: Fields = {field: [] for field in fields}
    for number in range(len(fields["src"])):
        cut = {field: fields[field][number].split(mark) for field in texts}
        sizes = {field: len(each) for field, each in cut.items()}
        for field in texts:
            if sizes[field] != sizes["src"]:
                raise LengthMismatchError(
                    f"{what}: text {number + 1:,} of src has {sizes['src']:,} parts between "
                    f"{mark!r}, but that of {field} has {sizes[field]:,}"
                )
        for field, lines in fields.items():
            parts[field] += cut.get(field) or [lines[number]] * sizes["src"]
    return parts


def _unpack_and_keep(test_set: Description, pair: str, *, offline: bool | None) -> Fields:
    folder = folder_of(test_set, pair)
    with named_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            # Another process may have done so in the meantime.
            kept = kept_fields(test_set, pair)
            if kept is not None:
                return kept
            fields = _read(test_set, pair, offline=offline)
            _write_fields(folder, fields, _source(test_set, pair))
            return fields


def file_name(number: int, field: str) -> str:
    """Return the name of the file of a field: ``02-docid``; the number keeps names apart."""
    return f"{number:02}-{re.sub(r'[^A-Za-z0-9_.]+', '-', field)[:60]}"


def _write_fields(folder: Path, fields: Fields, source: Mapping[str, Any]) -> None:
    """Write fields, and the manifest last; only one process may do so at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    written = {}
    for number, (field, lines) in enumerate(fields.items()):
        written_lines = map(json.dumps, lines) if source["kind"] in OF_ROWS else lines
        content = "".join(f"{line}\n" for line in written_lines).encode()
        write_whole(folder / file_name(number, field), content)
        written[field] = {"lines": len(lines), "sha256": hashlib.sha256(content).hexdigest()}
    manifest = {"format": _FORMAT, "source": source, "fields": written}
    write_whole(folder / MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1).encode())


def _stored_fields(folder: Path, source: Mapping[str, Any]) -> Fields | None:
    """Return fields that were written; None if there are none of this format and source."""
    try:
        content = (folder / MANIFEST).read_bytes()
        manifest = json.loads(content)
        if (manifest["format"], manifest["source"]) != (_FORMAT, source):
            return None
        expected = [(field, each["sha256"]) for field, each in manifest["fields"].items()]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DownloadError(
            f"{folder / MANIFEST} is damaged ({error}); delete the folder {folder}, so that the "
            "test set is unpacked again"
        ) from error
    try:
        fields = {
            field: _verified(folder / file_name(number, field), sha256)
            for number, (field, sha256) in enumerate(expected)
        }
    except DownloadError:
        # Another process, which has the lock, may be unpacking the set again.
        with suppress(FileNotFoundError):
            if (folder / MANIFEST).read_bytes() == content:
                raise
        return None
    # Texts that may have line breaks are kept as JSON.
    if source["kind"] not in OF_ROWS:
        return fields
    return {field: list(map(json.loads, lines)) for field, lines in fields.items()}


def _verified(path: Path, expected: str) -> list[str]:
    try:
        content = path.read_bytes()
        found = hashlib.sha256(content).hexdigest()
    except FileNotFoundError:
        content, found = b"", "missing"
    if found != expected:
        raise DownloadError(
            f"{path} has been changed since the test set was unpacked: its SHA-256 is {found}, "
            f"but {expected} was written; delete the folder {path.parent}, so that the test set "
            "is unpacked again"
        )
    return _lines_of(content)


def _lines_of(content: bytes) -> list[str]:
    r"""Return the lines of a file; only ``\n`` ends one, and that the last one does, too."""
    *lines, rest = content.decode("utf-8").split("\n")
    if rest:
        raise ValueError("the last line does not end")
    return lines


def fields_of_sacrebleu(test_set: Description, pair: str) -> Fields | None:
    """Return the fields that sacreBLEU has extracted, if they are complete.

    sacreBLEU keeps no checksums. Files that differ in length, or end within a line, are what an
    interrupted run leaves behind. Only systems may lack documents.
    """
    try:
        paths = files_of_sacrebleu(test_set, pair)
        fields = {
            field: _lines_of(paths[name].read_bytes())
            for field, name in _file_names(test_set, pair, paths).items()
        }
    except (OSError, ValueError, KeyError):
        return None
    lengths = {len(lines) for field, lines in fields.items() if not is_system(field)}
    return fields if len(lengths) == 1 and lengths != {0} else None


def files_of_sacrebleu(test_set: Description, pair: str) -> dict[str, Path]:
    """Return the files of a language pair, by what their names end in, in alphabetical order."""
    if not test_set.is_sacrebleus:
        return {}
    prefix = f"{test_set.file_name}.{pair}."
    paths = (sacrebleu_folder() / test_set.name).glob(f"{prefix}*")
    return {path.name[len(prefix) :]: path for path in sorted(paths)}


def _file_names(test_set: Description, pair: str, paths: dict[str, Path]) -> dict[str, str]:
    """Return the fields in sacreBLEU's order, and what the name of the file of each ends in."""
    members, scored = test_set.pairs[pair].members, test_set.pairs[pair].scored
    if test_set.kind == "wmt-xml":
        # The names of systems and of other references are only in the names of files. Of those,
        # names that begin with "ref-" had a colon.
        inner = {"src", "docid", "origlang", "domain"}
        references = [name for name in paths if name == "ref" or name.startswith("ref-")]
        fields = {
            "src": "src",
            **{name.replace("ref-", "ref:", 1): name for name in references},
            **{name: name for name in ("docid", "origlang")},
            **{name: name for name in paths if name not in {*inner, *references}},
            **({"domain": "domain"} if "domain" in paths else {}),
        }
        if not fields.keys() & set(scored):
            raise KeyError(scored)
        return fields
    names = separate_fields(test_set.name, test_set.kind, len(members) - 1)
    return {name: name.replace(":", "-") for name in names}
