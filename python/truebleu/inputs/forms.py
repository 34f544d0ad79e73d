"""Files that are recognisably something else than lines of text: markup, JSON, tables, binary."""

from __future__ import annotations

from truebleu.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    FirstLines = tuple[str | None, list[str]]

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")

_AS_TEXT = "--as-text reads it as it is"

# How many fields of JSON are named.
_MOST_FIELDS = 8

_COLUMNS = (
    "if it has hypotheses and references, `truebleu score {} --hypothesis-column COLUMN "
    "--reference-column COLUMN` reads them; else write one segment per line into a file"
)
_DOCUMENT = "save it as plain text, one segment per line"
_SUFFIX = "give it a name that ends in .{}"

# What a file begins with that is no text: what it is, and what to do.
_BINARY = {
    b"PAR1": ("a Parquet table", _COLUMNS),
    b"ARROW1": ("an Arrow table", _COLUMNS),
    b"%PDF-": ("a PDF document", _DOCUMENT),
    b"\xd0\xcf\x11\xe0": ("a document of Microsoft Office", _DOCUMENT),
    b"PK\x03\x04": ("a ZIP archive, such as .docx and .xlsx", _DOCUMENT),
    b"\x1f\x8b": ("compressed", _SUFFIX.format("gz")),
    b"BZh": ("compressed", _SUFFIX.format("bz2")),
    b"\xfd7zXZ": ("compressed", _SUFFIX.format("xz")),
    b"\x28\xb5\x2f\xfd": ("compressed", _SUFFIX.format("zst")),
}
# Of these, the first lines may be valid UTF-8.
_MAY_BE_ASCII = ("%PDF-", "PK\x03\x04")

LONGEST_MAGIC = max(map(len, _BINARY))
"""How many bytes :func:`refuse_binary` needs."""

# What markup begins with.
_MARKUP = (
    *("?xml", "!doctype", "srcset", "refset", "tstset", "hypset", "mteval", "dataset"),
    *("xliff", "tmx"),
)


def refuse_binary(name: str, head: bytes) -> None:
    """Refuse a file by its first bytes, if they are those of a format that is no text."""
    for magic, (what, remedy) in _BINARY.items():
        if head.startswith(magic):
            raise InputError(f"{name} is {what}, not lines of text: {remedy.format(name)}")


def refuse_other_forms(files: Sequence[FirstLines], others: Sequence[FirstLines]) -> None:
    """Refuse files that are recognisably not one segment per line.

    Markup is refused, and JSON and tables that are named so. JSON Lines and tables of another name
    are refused if no line on the other side is of this form: JSON can be the right translation.
    Outputs of systems and references come as the name of each file, None for lines that are in no
    file, and its first lines.
    """
    sides = [
        [(name, [line for line in lines if line.strip()]) for name, lines in side]
        for side in (files, others)
    ]
    for side, opposite in (sides, sides[::-1]):
        against = [line for _, lines in opposite for line in lines]
        for name, lines in side:
            if name is not None and lines:
                if lines[0].startswith(_MAY_BE_ASCII):
                    refuse_binary(name, lines[0].encode())
                _refuse_form(name, lines, against)


def _refuse_form(name: str, lines: list[str], against: list[str]) -> None:
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    *before, suffix = ["", *(f".{part}" for part in base.split(".")[1:])]
    if suffix in _COMPRESSED and before:
        suffix = before[-1]
    what, example = None, "TABLE.jsonl"
    columns: list[str] = []
    if _is_markup(suffix, lines):
        raise InputError(
            f"{name} is SGML or XML, not lines of text: write the text of each segment on a line "
            "of its own; for the references of a test set, see -t, which also takes a .toml file "
            f"that describes one in SGML or XML; {_AS_TEXT}"
        )
    if suffix == ".json" and lines[0].lstrip()[0] in "[{":
        what = "JSON"
    elif _is_json(suffix, lines, against):
        what, columns = "JSON Lines", list(_json_object(lines[0]) or ())[:_MOST_FIELDS]
    elif _is_table(suffix, lines, against):
        what = "a table (CSV)" if suffix == ".csv" else "a table (TSV)"
        example = "TABLE.tsv"
    if what is not None:
        known = f" with the fields {', '.join(columns)}" if columns else ""
        table = name if suffix in (".csv", ".tsv", ".jsonl") else example
        raise InputError(
            f"{name} is {what}{known}, not lines of text: {_COLUMNS.format(table)}; {_AS_TEXT}"
        )


def _is_markup(suffix: str, lines: list[str]) -> bool:
    if suffix in (".sgm", ".sgml", ".xml"):
        return lines[0].lstrip().startswith("<")
    # Where each line begins alike, each is a document, and may be a segment.
    first, *rest = map(_markup, lines[:2])
    return first is not None and bool(rest) and rest[0] != first


def _markup(line: str) -> str | None:
    """Return what a line begins with, if that is the beginning of a file of markup."""
    start = line.lstrip().lower()
    for name in _MARKUP:
        if start.startswith(f"<{name}") and not start[len(name) + 1 :][:1].isalnum():
            return name
    return None


def _is_json(suffix: str, lines: list[str], against: list[str]) -> bool:
    if not all(map(_json_object, lines)):
        return False
    return suffix in (".jsonl", ".ndjson") or _only_here(_json_object, against)


def _is_table(suffix: str, lines: list[str], against: list[str]) -> bool:
    tabs = {line.count("\t") for line in lines}
    if suffix == ".tsv":
        return 0 not in tabs
    if suffix == ".csv":
        return all(any(mark in line for mark in ',;\t"') for line in lines)
    same = len(tabs) == 1 and max(tabs) > 1 and len(lines) > 1
    return same and _only_here(lambda line: "\t" in line, against)


def _only_here(has_form: Callable[[str], object], against: list[str]) -> bool:
    """Whether there are lines to compare with, and none of them has this form."""
    return bool(against) and not any(map(has_form, against))


def _json_object(line: str) -> dict[str, object] | None:
    """Return the object that a line is, if it has a field that may hold a text."""
    if not line.lstrip().startswith("{"):
        return None
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if any(isinstance(each, str | dict) for each in found.values()) else None
