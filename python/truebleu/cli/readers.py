"""Files that are not lines of text, read as what they are: the registry READERS."""

from __future__ import annotations

import csv
import re
import shlex
from html import unescape
from itertools import chain, islice

from truebleu._core import Lines
from truebleu.cli.fields import LABELS, REFERENCES, flat, inside_lists, last
from truebleu.cli.output import say
from truebleu.display.formatting import count as count_of
from truebleu.errors import InputError, SettingsError, UnknownNameError, written
from truebleu.inputs import forms
from truebleu.inputs.files import LineFile, as_lines, longest_line
from truebleu.inputs.forms import DOCUMENT, HYPOTHESIS, REFERENCE, SOURCE
from truebleu.inputs.separators import SAMPLE, separator_of
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.cli.parameters import Namespace

    # A file, what it is to the command, what form it has, and whether that is unclear.
    Form = tuple[LineFile, str | None, str | None, bool]

# How columns of each are often called.
_CALLED = {
    HYPOTHESIS: ("hypothesis", "hyp", "prediction", "output", "mt", "translation", "text"),
    REFERENCE: ("reference", "ref", "target", "tgt", "translation", "text"),
    SOURCE: ("source", "src", "text"),
}

# How many columns a message names.
_MOST_NAMED = 12

# What is in a tag, and what it ends with; each part ends where the next one cannot begin.
_TAGS = re.compile(r"(?i)<(/?seg|doc|(?:src|ref|tst|hyp)set)\b([^<>]*)>")
_ATTRIBUTES = re.compile(r"""\b(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']*))""")


class Reader:
    """A file: `texts` are the columns that may be meant, and `inside` is a path into lists."""

    texts: Sequence[str]
    inside: str | None = None

    def chosen(self, role: str) -> Sequence[str]:
        """Return the columns that are clearly meant; none if that is unclear."""
        return ()

    def likely(self, role: str) -> Sequence[str]:
        """Return what is suggested if it is unclear."""
        return self.texts[:1]

    def column(self, column: str, role: str) -> Iterator[str]:
        """Yield the texts of a column; can be called once, or for each column of markup."""
        raise NotImplementedError


class _Markup(Reader):
    """The SGML of NIST and WMT, and the XML of WMT since 2021."""

    def __init__(self, name: str, lines: Iterator[str], options: Namespace) -> None:
        self._name = name
        text = "\n".join(lines)
        fields_of = _fields_of_xml if "<dataset" in text else _fields_of_sgml
        self._fields = fields_of(name, text) if "<seg" in text.lower() else {}
        if not any(self._fields.values()):
            raise InputError(
                f"{name} is markup without segments (<seg>), not lines of text: save it as plain "
                "text, one segment per line; --as-text reads it as it is"
            )
        self.texts = list(self._fields)

    def chosen(self, role: str) -> Sequence[str]:
        from truebleu.test_sets.parsing.raw import is_reference, is_system

        if role in (SOURCE, DOCUMENT):
            field = "src" if role == SOURCE else "docid"
            return [field] if field in self._fields else []
        systems = list(filter(is_system, self._fields))
        references = list(filter(is_reference, self._fields))
        if role == REFERENCE and references:
            return references
        # A reference may be scored as well.
        self.texts = systems or references or ["src"]
        return self.texts if len(self.texts) == 1 and self.texts != ["src"] else []

    def column(self, column: str, role: str) -> Iterator[str]:
        _check_known(self._name, column, self._fields)
        return iter(self._fields[column])


def _fields_of_xml(name: str, text: str) -> dict[str, list[str]]:
    from io import BytesIO
    from pathlib import Path

    from truebleu.test_sets.parsing.raw import REPLACE
    from truebleu.test_sets.parsing.wmt_xml import read_wmt_xml

    try:
        return read_wmt_xml(Path(name), BytesIO(text.encode()))
    except InputError as error:
        # That is for test sets that were downloaded.
        problem = str(error).removesuffix(f"; {REPLACE}")
        raise InputError(f"{problem}; --as-text reads the file as it is") from None


def _fields_of_sgml(name: str, text: str) -> dict[str, list[str]]:
    """Return the segments of each system or reference, entities decoded, and IDs of documents."""
    from truebleu.test_sets.parsing.raw import attributes_of, reference_field, segments_of

    lines = list(_one_tag_each(name, text))
    texts = segments_of(lines)
    about = attributes_of(lines, ("set", "sysid", "docid", "number"))
    fields: dict[str, list[str]] = {}
    documents: dict[str, list[str]] = {}
    for text_, kind, system, document in zip(
        texts, about["set"], about["sysid"], about["docid"], strict=True
    ):
        field = "src" if kind == "src" else system or "system"
        if kind == "ref":
            # Without a name, as in WMT.
            field = reference_field(system)
        fields.setdefault(field, []).append(_ENTITY.sub(lambda match: unescape(match[0]), text_))
        documents.setdefault(field, []).append(document)
    first = next(iter(documents), None)
    for field, ids_ in documents.items():
        if ids_ != documents[str(first)]:
            raise InputError(
                f"{name}: {field} and {first} differ in their documents, segments or order"
            )
    if first is not None and any(documents[first]):
        fields["docid"] = documents[first]
    return fields


def _one_tag_each(name: str, text: str) -> Iterator[str]:
    """Yield lines of which each has one tag, as those of test sets do."""
    segment: re.Match[str] | None = None
    for number, tag in enumerate(_TAGS.finditer(text)):
        kind = tag[1][:3].lower()
        if kind != "/se" and segment is not None:
            break
        rest = " ".join(_ATTRIBUTES.sub(_attribute, tag[2]).split())
        if kind == "seg" and not rest.endswith("/"):
            segment = tag
            continue
        if kind == "/se" and segment is None:
            continue
        if kind in ("seg", "/se"):
            inside = text[segment.end() : tag.start()] if segment is not None else ""
            line = f"<seg >{' '.join(inside.split())}</seg>"
            segment = None
        elif kind == "doc":
            line = f"<doc {rest}"
        else:
            ids = re.search(r'(?:sysid|refid)="([^"]+)"', rest)
            line = f'<doc set="{kind}" sysid="{ids[1] if ids else ""}" docid="" number="{number}"'
        yield line
    if segment is not None:
        line_number = text.count("\n", 0, segment.start()) + 1
        raise InputError(
            f"{name}, line {line_number:,}: there is no </seg> for {written(segment[0])}; "
            "--as-text reads the file as it is"
        )


_ENTITY = re.compile(r"&#?\w{1,40};")


def _attribute(match: re.Match[str]) -> str:
    value = match[2] or match[3] or match[4] or ""
    return f"""{match[1].lower()}="{value.replace('"', "'")}\""""


class _Objects(Reader):
    """JSON Lines, or a list of objects; ``a.b`` is the field b of an object a."""

    def __init__(self, name: str, lines: Iterator[str], options: Namespace) -> None:
        self._name = name
        self._quiet = getattr(options, "quiet", False)
        self._objects = self._read(lines)
        self._first = list(islice(self._objects, SAMPLE))
        first = self._first[0][1] if self._first else {}
        self.texts = [
            field
            for field in first
            if all(isinstance(each.get(field), str) for _, each in self._first)
        ]
        inside = {path: text for path, text in inside_lists(first) if last(path) not in LABELS}
        if not self._possible(REFERENCE):
            self.inside = max(inside, key=lambda path: len(inside[path]), default=None)

    def _read(self, lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"line {number:,}"
                try:
                    found = forms.json_value(line)
                except InputError as error:
                    raise InputError(f"{self._name}, {where}: {error}") from None
                except (ValueError, RecursionError):
                    found = None
                yield where, self._fields(found, where)

    def _fields(self, found: object, where: str) -> dict[str, Any]:
        if not isinstance(found, dict):
            raise InputError(
                f"{self._name}, {where} is not a JSON object; --as-text reads the file as it is"
            )
        return flat(found)

    def chosen(self, role: str) -> Sequence[str]:
        if len(self.texts) != 1 or not self._possible(role):
            return ()
        if not self._quiet:
            note = f"{self._name}: the field {self.texts[0]!r} is read"
            say(note)
        return self.texts

    def likely(self, role: str) -> Sequence[str]:
        possible = self._possible(role)
        return _likely(role, {n: [each[n] for _, each in self._first] for n in possible})

    def _possible(self, role: str) -> list[str]:
        never = LABELS | REFERENCES if role == HYPOTHESIS else LABELS
        return [field for field in self.texts if last(field) not in never]

    def column(self, column: str, role: str) -> Iterator[str]:
        _check_known(self._name, column, dict.fromkeys(f for _, o in self._first for f in o))
        for where, each in chain(self._first, self._objects):
            text = each.get(column)
            if text is None and role == REFERENCE:
                text = ""
            if not isinstance(text, str):
                raise InputError(
                    f"{self._name}, {where}: {column!r} is {written(text)}; a string is needed"
                )
            yield text


class _Json(_Objects):
    """A list of objects, or of strings."""

    def _read(self, lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        try:
            found = forms.json_of_lines(self._name, list(lines))
        except InputError:
            raise
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{self._name} is not well-formed JSON ({error}); --as-text reads it as it is"
            ) from None
        if not isinstance(found, list):
            raise InputError(
                f"{self._name} is JSON without a list of objects or strings, not lines of text: "
                "write one object per line; --as-text reads it as it is"
            )
        self._quiet = self._quiet or all(isinstance(each, str) for each in found)
        for number, each in enumerate(found, 1):
            each = {"text": each} if isinstance(each, str) else each  # noqa: PLW2901
            yield f"item {number:,}", self._fields(each, f"item {number:,}")


class _Separated(Reader):
    """CSV with quotes, or TSV without; columns are called by their names or by numbers from 1."""

    def __init__(self, name: str, lines: Iterator[str], options: Namespace) -> None:
        self._name = name
        first = list(islice(lines, SAMPLE))
        separator = separator_of(forms.suffix_of(name), first, longest_line())
        lines = (f"{line}\n" for line in chain(first, lines))
        if separator == "\t":
            reader = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        else:
            reader = csv.reader(lines, delimiter=separator, strict=True)
        self._rows = self._read(reader)
        self._first = list(islice(self._rows, SAMPLE))
        rows = [row for _, row in self._first]
        self._header = False if getattr(options, "no_header", False) else _has_header(rows)
        # If it is unclear, rows that look like the first make it one of them.
        is_name = self._header is None and not any(
            each.count(" ") > 3 for each in (rows or [[]])[0]
        )
        named = self._header or (is_name and not all(map(_like_names, rows)))
        self.texts = self._names() if named else self._numbers()

    def _read(self, reader: Any) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows, and the line that each ends on; text that is in no column is refused."""
        size, line = None, 0
        try:
            for row in filter(None, reader):
                size, line = size or len(row), reader.line_num
                if len(row) > size:
                    raise InputError(
                        f"{self._name}, line {line:,} has {count_of(len(row), 'cell')}, and the "
                        f"first {size}; --as-text reads the file as it is"
                    )
                yield line, row
        except csv.Error as error:
            raise InputError(
                f"{self._name}, line {line + 1:,}: not well-formed CSV ({error}); --as-text reads "
                "the file as it is"
            ) from None

    def _names(self) -> list[str]:
        first = self._first[0][1] if self._first else []
        return [name or str(number) for number, name in enumerate(first, 1)]

    def _numbers(self) -> list[str]:
        return [str(number) for number in range(1, len(self._names()) + 1)]

    def likely(self, role: str) -> Sequence[str]:
        rows = [row for _, row in self._first[self.texts == self._names() :]]
        whole = (row for row in rows if len(row) == len(self.texts))
        columns = zip(self.texts, *whole, strict=True)
        found = _likely(role, {name: cells for name, *cells in columns})
        unclear = self._header is None and self.texts != self._names()
        return [*found, "--no-header"] if unclear else found

    def column(self, column: str, role: str) -> Iterator[str]:
        names = self._names()
        rows = chain(self._first, self._rows)
        if column in names and self._header is not False:
            if names.count(column) > 1:
                raise SettingsError(
                    f"{self._name} has {names.count(column)} columns called {column!r}: give them "
                    "different names"
                )
            place = names.index(column)
            next(rows)
        else:
            numbers = self._numbers()
            known = numbers if self._header is False else dict.fromkeys([*names, *numbers])
            _check_known(self._name, column, known)
            place = int(column) - 1
            if self._header is None:
                raise SettingsError(
                    f"{self._name}, line 1: these may be the names of columns, or cells; use "
                    f"{names[place]!r} instead of {column} for a name, or add --no-header"
                )
            if self._header:
                next(rows)
        for line, row in rows:
            if place >= len(row):
                raise InputError(
                    f"{self._name}, line {line:,} has {count_of(len(row), 'cell')}; there is no "
                    f"column {column}"
                )
            yield row[place]


# What columns are called by what they hold. Other words, also codes of languages, may be text.
_NAME = re.compile(
    r"(?i)(\S*(?!\s)[\W_])?(id|docid|doc|document|domain|topic|url|source|src|target|tgt|references?|refs?|"
    r"hypothes[ei]s|hyp|outputs?|predictions?|translations?|systems?|mt|texts?|sentences?|segments?)"
    r"((?!\s)[\W_\d]\S*)?"
)
# Short, neither a number nor a sentence.
_LIKE_NAME = re.compile(r"[^\W\d](?:[\w./:()-]| (?! )){0,39}(?<![ .])")


def _like_names(row: list[str]) -> bool:
    """Whether cells may be the names of columns; pandas writes its index without a name."""
    names = row if row[0] else row[1:]
    return bool(names) and all(map(_LIKE_NAME.fullmatch, names))


def _has_header(rows: list[list[str]]) -> bool | None:
    """Tell whether the first row has the names of columns; None if it may have them."""
    if not rows or not _like_names(rows[0]):
        return False
    clear = len(set(rows[0])) == len(rows[0]) and any(map(_NAME.fullmatch, rows[0]))
    return True if clear else None


def _likely(role: str, columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the column that is called as such columns are, or whose texts are the longest."""
    for called in _CALLED.get(role, ()):
        found = [name for name in columns if name.lower().rpartition(".")[2] == called]
        if found:
            return found[:1]
    return sorted(columns, key=lambda name: -sum(map(len, columns[name])))[:1]


def _check_known(name: str, column: str, known: Iterable[str]) -> None:
    known = list(known)
    if column not in known:
        raise UnknownNameError(
            f"{name} has no column {column!r}; choose one of {', '.join(known)}"
            f"{did_you_mean(column, known)}"
        )


class Segments(LineFile):
    """The segments of a file, block by block, as if they were the lines of one."""

    unit = "segment"

    def __init__(self, file: LineFile, segments: Iterator[str], column: str) -> None:
        self.path, self.name = file.path, file.name
        self._file = file
        self._segments = segments
        self._column = column
        self.lines = Lines(longest_line())

    @property
    def read_bytes(self) -> int:
        """The number of bytes of the file that were read so far."""
        return self._file.read_bytes

    def fill(self) -> int:
        """Read until segments are ready or the file ends; return how many are."""
        while not self.lines.available and (part := list(islice(self._segments, SAMPLE))):
            first = self.lines.total + 1
            lines = as_lines(part, self.name, self._column, first)
            try:
                self.lines.push(lines)
            except InputError as error:
                raise InputError(f"{self.name}, {error}") from None
        return self.lines.available

    def __exit__(self, *exception: object) -> None:
        self._file.__exit__()


class _Binary(Reader):
    """Parquet and Arrow, of which only the names of the columns are known."""

    def __init__(self, name: str, lines: Iterator[str], options: Namespace) -> None:
        # Slow to load.
        from truebleu.engines.streams import open_reader

        self.texts = open_reader(name).schema.names

    def likely(self, role: str) -> Sequence[str]:
        return _likely(role, {name: [""] for name in self.texts})


READERS: dict[str, Callable[[str, Iterator[str], Namespace], Reader]] = {
    forms.MARKUP: _Markup,
    forms.JSON: _Json,
    forms.JSON_LINES: _Objects,
    forms.CSV: _Separated,
    forms.TSV: _Separated,
    forms.TABLE: _Binary,
}
"""What reads each form of :mod:`truebleu.inputs.forms`."""


def read(found: Sequence[Form], options: Namespace) -> list[LineFile]:
    """Return files of lines as they are, and the segments of others; refuse what is unclear.

    Each comes with what it is to the command, its form, and whether it is unclear if it is text. A
    set of several references is as many files.
    """
    files: list[LineFile] = []
    refused: list[tuple[Form, Reader]] = []
    for each in found:
        file, role, form, unclear = each
        if form is None:
            files.append(file)
            continue
        reader = READERS[form](file.name, _lines_of(file), options)
        column = getattr(file.path, "column", None)
        columns = reader.chosen(str(role)) if column is None else [column]
        if unclear or not columns:
            refused.append((each, reader))
        files += [Segments(file, reader.column(name, str(role)), name) for name in columns]
    if refused:
        raise _refusal(refused, options)
    return files


def _lines_of(file: LineFile) -> Iterator[str]:
    while count := file.fill():
        texts = file.lines.texts(count)
        file.lines.drop_front(count)
        yield from texts


def _refusal(refused: Sequence[tuple[Form, Reader]], options: Namespace) -> InputError:
    """Say what the first file is, and write the command that reads a column of each."""
    (file, _, form, _), reader = refused[0]
    columns = ", ".join(reader.texts[:_MOST_NAMED])
    more = ", ..." if len(reader.texts) > _MOST_NAMED else ""
    words: dict[str, list[str]] = {}
    for each, of_file in refused:
        role = str(each[1])
        option = "--column" if "column" in options else _OPTIONS.get(role)
        if option is not None and {"column", "hypotheses"} & vars(options).keys():
            suggested = of_file.likely(role)
            if role == HYPOTHESIS and "baseline" in options and isinstance(of_file, _Markup):
                suggested = [",".join(of_file.texts)]  # All systems of a set.
            words.setdefault(option, [option, *suggested])
    advice = "write the text into a file, one segment per line"
    if words and all(len(each) > 1 for each in words.values()):
        given = chain.from_iterable(words.values())
        command = shlex.join(["truebleu", *options.arguments, *given])
        advice = f"`{command}` reads one of them"
    as_text = "" if form == forms.TABLE else "; --as-text reads it as it is"
    having = f"with the columns {columns}{more}" if columns else "without a column of strings"
    if reader.inside is not None:
        having = f"with text inside a list, in {reader.inside}"
    return InputError(f"{file.name} is {form} {having}, not lines of text: {advice}{as_text}")


_OPTIONS = {HYPOTHESIS: "--hypothesis-column", REFERENCE: "--reference-column"}
