"""Test sets on disk: unpacked once, kept, and verified whenever they are used."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path

from truebleu.downloads.digests import compare_with_first, digests_of, record_of
from truebleu.downloads.fetch import locked
from truebleu.downloads.places import cache_folder, named_errors
from truebleu.errors import (
    EmptyInputError,
    LengthMismatchError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.inputs.markup import is_reference, is_system
from truebleu.suggestions import similar_names
from truebleu.test_sets.archives import unpacked
from truebleu.test_sets.descriptions import EveryPair, split_member
from truebleu.test_sets.parsing import read_fields
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu.test_sets.descriptions import Description

    Fields = dict[str, list[str]]

_FORMAT = 2


def kept_at(test_set: Description, pair: str) -> Path:
    """Return the file that the fields of a language pair are kept in.

    Its name depends on all that the fields depend on: another release may have another description.
    """
    files = test_set.pairs[pair]
    archives = test_set.archives or test_set.archives_of(pair)
    source = [
        *(_FORMAT, test_set.kind, test_set.skip, test_set.split, files.to_dict()),
        [test_set.sha256.get(name) for name in test_set.names(pair)],
        [each.md5 or [each.sha256, *each.urls] for each in archives],
    ]
    key = hashlib.sha256(json.dumps(source).encode()).hexdigest()[:16]
    # Languages of a description may have any name.
    plain = re.sub(r"[^\w.-]", "_", pair)
    return cache_folder() / "sets" / test_set.file_name / f"{plain}.{key}.json"


def fields_of(test_set: Description, pair: str, *, offline: bool | None = None) -> Fields:
    """Return the fields of a language pair, which are kept, or else unpacked first."""
    check_pair(test_set.name, pair, test_set.pairs)
    if not test_set.is_downloaded:
        # Files beside a description are read quickly, and may change.
        with named_errors(test_set.path):
            return _read(test_set, pair)
    return kept_fields(test_set, pair) or _unpack_and_keep(test_set, pair, offline=offline)


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
    path = kept_at(test_set, pair)
    with named_errors(path):
        # The record is written last.
        if not (path.exists() and record_of(path).exists()):
            return None
        compare_with_first(digests_of(path), path, published=True)
        fields: Fields = json.loads(path.read_bytes())
        return fields


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
        except TruebleuError as error:
            # The folder is gone by then.
            message = str(error).replace(f"{folder}{os.sep}", f"{test_set.name}: ")
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
    path = kept_at(test_set, pair)
    with named_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            # Another process may have done so in the meantime.
            fields = kept_fields(test_set, pair)
            if fields is None:
                fields = _read(test_set, pair, offline=offline)
                # What is new is no link to another file.
                for old in (path, record_of(path)):
                    old.unlink(missing_ok=True)
                write_whole(path, json.dumps(fields).encode())
                compare_with_first(digests_of(path), path, published=True)
    return fields
