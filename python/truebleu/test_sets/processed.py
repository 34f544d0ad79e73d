"""Fields of a test set as files of lines, with their checksums in a manifest."""

from __future__ import annotations

import hashlib
import json
import re

from truebleu.errors import DownloadError, EmptyInputError, LengthMismatchError
from truebleu.test_sets.parsing.raw import is_system
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    Fields = dict[str, list[str]]

_FORMAT = 1
_MANIFEST = "manifest.json"


def check_sides(what: str, fields: Mapping[str, list[str]]) -> None:
    """Refuse fields that are empty or differ in length.

    Systems may lack documents: the outputs of others are still worth having.

    Raises
    ------
    EmptyInputError, LengthMismatchError
        The message begins with `what`.
    """
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


def file_name(number: int, field: str) -> str:
    """Return the name of the file of a field: ``02-docid``.

    The names of systems are those that somebody gave them: the number keeps two apart, and what a
    file system may not like is replaced.
    """
    return f"{number:02}-{re.sub(r'[^A-Za-z0-9_.]+', '-', field)[:60]}"


def write_fields(folder: Path, fields: Fields, source: Mapping[str, Any]) -> None:
    """Write fields, and the manifest last; only one process may do so at a time.

    Parameters
    ----------
    folder : Path
    fields : dict of str to list of str
        As many lines in each.
    source : mapping
        What the fields are made of, as JSON.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MANIFEST).unlink(missing_ok=True)
    written = {}
    for number, (field, lines) in enumerate(fields.items()):
        content = "".join(f"{line}\n" for line in lines).encode()
        write_whole(folder / file_name(number, field), content)
        written[field] = {"lines": len(lines), "sha256": hashlib.sha256(content).hexdigest()}
    manifest = {"format": _FORMAT, "source": source, "fields": written}
    write_whole(folder / _MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1).encode())


def stored_fields(folder: Path, source: Mapping[str, Any]) -> Fields | None:
    """Return fields that were written; None if there are none of this format and source.

    Raises
    ------
    DownloadError
        If a file is no longer what was written.
    """
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        if (manifest["format"], manifest["source"]) != (_FORMAT, source):
            return None
        expected = [(field, each["sha256"]) for field, each in manifest["fields"].items()]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DownloadError(
            f"{folder / _MANIFEST} is damaged ({error}); delete the folder {folder}, so that the "
            "test set is unpacked again"
        ) from error
    return {
        field: _verified(folder / file_name(number, field), sha256)
        for number, (field, sha256) in enumerate(expected)
    }


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
    return lines_of(content)


def lines_of(content: bytes) -> list[str]:
    r"""Return the lines of a file; only ``\n`` ends one.

    Raises
    ------
    ValueError
        If the last line does not end, or one is not UTF-8.
    """
    *lines, rest = content.decode("utf-8").split("\n")
    if rest:
        raise ValueError("the last line does not end")
    return lines
