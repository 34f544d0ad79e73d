"""Files that are recognisably something else than lines of text: markup, JSON, tables, binary."""

from __future__ import annotations

from truebleu.errors import InputError, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")

HYPOTHESIS, REFERENCE, SOURCE, DOCUMENT = "hypothesis", "reference", "source", "document"
"""What a file is to a command."""

MARKUP, JSON, JSON_LINES, TABLE = "SGML or XML", "JSON", "JSON Lines", "a table"
CSV, TSV = "a table (CSV)", "a table (TSV)"
"""What a file can be that is not one segment per line."""

_DOCUMENT = "save it as plain text, one segment per line"
_TABLE = "give it a name that ends in .{}, and name its columns with --hypothesis-column"
_SUFFIX = "give it a name that ends in .{}"

BINARY_TABLES = (".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc")
"""The suffixes of tables that are no text."""

JSON_SUFFIXES = (".jsonl", ".ndjson")
"""The suffixes of JSON Lines."""

# What a file begins with that is no text: what it is, and what to do.
_BINARY = {
    b"PAR1": ("a Parquet table", _TABLE.format("parquet")),
    b"ARROW1": ("an Arrow table", _TABLE.format("arrow")),
    b"%PDF-": ("a PDF document", _DOCUMENT),
    b"\xd0\xcf\x11\xe0": ("a document of Microsoft Office", _DOCUMENT),
    b"PK\x03\x04": ("a ZIP archive, such as .docx and .xlsx", _DOCUMENT),
    b"\x1f\x8b": ("compressed", _SUFFIX.format("gz")),
    b"BZh": ("compressed", _SUFFIX.format("bz2")),
    b"\xfd7zXZ": ("compressed", _SUFFIX.format("xz")),
    b"\x28\xb5\x2f\xfd": ("compressed", _SUFFIX.format("zst")),
    b"{\\rtf": ("a document in RTF", _DOCUMENT),
    b"%!PS": ("a document in PostScript", _DOCUMENT),
}
# Of these, the first lines may be valid UTF-8.
_MAY_BE_ASCII = ("%PDF-", "PK\x03\x04", "{\\rtf", "%!PS")

HEAD = 1 << 14
"""How many bytes :func:`refuse_binary` and :func:`iconv` look at."""

FIRST_LINES = 100
"""How many lines tell what a file is."""

# As few bytes above ASCII tell no encoding.
_ENOUGH_BYTES = 4

# What markup begins with that has segments.
_MARKUP = ("srcset", "refset", "tstset", "hypset", "mteval", "dataset")


class Wording:
    """How messages call what the caller can do about a file."""

    def __init__(self, as_text: str = "", no_header: str = "") -> None:
        """Take what reads a file as it is, and what says that a table has no header."""
        self.as_text, self.no_header = as_text, no_header


PYTHON = Wording("read_lines(path, as_text=True)", "no_header=True")
"""The words of functions in Python."""

TABLES = Wording(no_header="--no-header (in Python: read_texts, with no_header=True)")
"""The words of what reads tables only."""


def refuse_binary(name: str, head: bytes) -> None:
    """Refuse a file by its first bytes, if they are those of a format that is no text."""
    for magic, (what, remedy) in _BINARY.items():
        if head.startswith(magic):
            raise InputError(f"{name} is {what}, not lines of text: {remedy}")


def iconv(path: str, head: bytes) -> str:
    """Say what converts a file to UTF-8 that begins so."""
    odd, nul = head[1::2].count(0), head.count(0)
    high = [at for at, byte in enumerate(head) if byte > 0x7F]
    alone = sum(max(head[at - 1 : at] + head[at + 1 : at + 2], default=0) < 0x80 for at in high)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "UTF-16"
    elif 4 * nul > len(head):
        encoding = "UTF-16LE" if 2 * odd > nul else "UTF-16BE"
    elif len(high) >= _ENOUGH_BYTES and 2 * alone > len(high):
        encoding = "WINDOWS-1252"
    else:
        return "; convert the file, for example with iconv"
    # Slow to load.
    from shlex import quote

    command = f"iconv -f {encoding} -t UTF-8 {quote(path)} > {quote(f'{path}.txt')}"
    return f", but probably {encoding}: `{command}` converts it"


def recognise(name: str, lines: Sequence[str], against: Sequence[str]) -> str | None:
    """Return what a file is by its first lines, which are not empty; None if they are text.

    Markup is recognised, and JSON and tables that are named so. JSON Lines and tables of another
    name are recognised if no line on the other side, `against`, is of this form: JSON can be the
    right translation.
    """
    if lines[0].startswith(_MAY_BE_ASCII):
        refuse_binary(name, lines[0].encode())
    if all(map(_of_nbest, lines)) and _only_here(_of_nbest, against):
        raise InputError(
            f"{name} is an n-best list of Moses, not one segment per line: `truebleu mbr {name} "
            "--input-format moses` chooses one for each; --as-text reads it as it is"
        )
    suffix = suffix_of(name)
    if _is_markup(suffix, lines):
        return MARKUP
    if suffix == ".json" and lines[0].lstrip()[0] in "[{":
        # Some call JSON Lines so.
        return JSON_LINES if len(lines) > 1 and all(map(json_object, lines)) else JSON
    by_name = suffix in JSON_SUFFIXES
    if all(map(json_object, lines)) and (by_name or _only_here(json_object, against)):
        return JSON_LINES
    if _is_table(suffix, lines, against) and not all(map(of_fairseq, lines)):
        return CSV if suffix == ".csv" else TSV
    return None


def _of_nbest(line: str) -> bool:
    number, bars, _ = line.partition(" ||| ")
    return bool(bars) and number.strip().isdecimal()


def of_fairseq(line: str) -> bool:
    """Whether a line is one of the log of fairseq-generate."""
    name = line.partition("\t")[0]
    return (name[1:2] == "-" and name[0].isupper() and name[2:].isdecimal()) or " | INFO | " in line


def suffix_of(name: str) -> str:
    """Return the suffix of the name of a file, before that of its compression."""
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    *before, suffix = ["", *(f".{part}" for part in base.split(".")[1:])]
    return before[-1] if suffix in _COMPRESSED and before else suffix


def _is_markup(suffix: str, lines: Sequence[str]) -> bool:
    root = root_of(lines)
    if suffix in (".sgm", ".sgml"):
        return lines[0].lstrip().startswith("<") and root not in ("tmx", "xliff")
    return root in _MARKUP and (suffix == ".xml" or len(lines) > 1)


def root_of(lines: Sequence[str]) -> str | None:
    """Return the name of the first element of markup; None if that is none.

    Where each line begins alike, each is a document, and may be a segment.
    """
    first = [line.lstrip()[:6] for line in lines[:2]]
    if first[0][:1] != "<" or first[0] in first[1:]:
        return None
    for line in lines:
        for tag in line.split("<")[1:]:
            if tag[:1].isalpha():
                return tag.partition(">")[0].split()[0].rpartition(":")[2].strip("/").lower()
    return None


def _is_table(suffix: str, lines: Sequence[str], against: Sequence[str]) -> bool:
    tabs = {line.count("\t") for line in lines}
    if suffix == ".tsv":
        return 0 not in tabs
    if suffix == ".csv":
        return all(any(mark in line for mark in ',;\t"') for line in lines)
    same = len(tabs) == 1 and max(tabs) > 1 and len(lines) > 1
    return same and _only_here(lambda line: "\t" in line, against)


def _only_here(has_form: Callable[[str], object], against: Sequence[str]) -> bool:
    """Whether there are lines to compare with, and none of them has this form."""
    return bool(against) and not any(map(has_form, against))


def json_value(text: str | bytes) -> Any:
    """Read JSON; what is none is a ValueError, and an object that has a key twice an InputError."""
    import json

    return json.loads(text, object_pairs_hook=_with_unique_keys)


def json_of_lines(name: str, lines: list[str]) -> Any:
    """Read a file of JSON; the message on a key that an object has twice has its last line."""
    from bisect import bisect

    def has_key_twice(last: int) -> bool:
        try:
            json_value("\n".join(lines[: last + 1]))
        except (ValueError, RecursionError) as error:
            return isinstance(error, InputError)
        return False

    try:
        return json_value("\n".join(lines))
    except InputError as error:
        last = bisect(range(len(lines)), False, key=has_key_twice)
        raise InputError(f"{name}, line {last + 1:,}: {error}") from None


def _with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"an object has the key {written(twice)} twice")
    return found


def json_object(line: str) -> dict[str, object] | None:
    """Return the object that a line is, if it has a field that may hold a text, or several."""
    if not line.lstrip().startswith("{"):
        return None
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if any(isinstance(each, str | dict | list) for each in found.values()) else None
