"""The SGML of NIST and WMT: sources, references or outputs of systems, by document."""

from __future__ import annotations

import re
from html import unescape

from truebleu.errors import InputError, written
from truebleu.inputs.markup import ATTRIBUTES, clean, reference_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# The SGML of WMT until 2020, and IWSLT's XML, are read line by line, as sacreBLEU reads them: tags
# are recognized at the beginning of a line only, and entities stay as they are. ``&amp;`` is five
# characters, and scores other than BLEU's with 13a tokens depend on it.
_SEGMENT, _END, _DOCUMENT = "<seg ", "</seg>", "<doc "

# What is in a tag, and what it ends with; each part ends where the next one cannot begin.
_TAGS = re.compile(r"(?i)<(/?seg|doc|(?:src|ref|tst|hyp)set)\b([^<>]*)>")
_ATTRIBUTES = re.compile(r"""\b(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']*))""")


def segments_of(lines: Iterable[str]) -> list[str]:
    """Return the segments in lines; one that does not end on its line keeps its tag."""
    segments = []
    for line in lines:
        if line.startswith(_SEGMENT):
            start, end = line.find(">") + 1, line.rfind(_END)
            if 0 < start <= end:
                line = line[start:end] + line[end + len(_END) :]  # noqa: PLW2901
            segments.append(clean(line))
    return segments


def attributes_of(lines: Iterable[str], names: Sequence[str] = ATTRIBUTES) -> dict[str, list[str]]:
    """Return the attributes of the document that each segment in lines belongs to.

    A document without an attribute has the last one before it, or an empty one.
    """
    columns: dict[str, list[str]] = {name: [] for name in names}
    latest = dict.fromkeys(names, "")
    for line in lines:
        if line.startswith(_DOCUMENT):
            for name in names:
                value, closed, _ = line.partition(f'{name}="')[2].partition('"')
                if closed:
                    latest[name] = value
        elif line.startswith(_SEGMENT):
            for name, column in columns.items():
                column.append(latest[name])
    return columns


def read_sgml(name: str, text: str, remedy: str = "") -> dict[str, list[str]]:
    """Return the segments of each system or reference, entities decoded, and IDs of documents.

    Where elements do not end, the message also has the `remedy`.
    """
    lines = list(_one_tag_each(name, text, remedy))
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


def _one_tag_each(name: str, text: str, remedy: str) -> Iterator[str]:
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
            f"{name}, line {line_number:,}: there is no </seg> for {written(segment[0])}{remedy}"
        )


_ENTITY = re.compile(r"&#?\w{1,40};")


def _attribute(match: re.Match[str]) -> str:
    value = match[2] or match[3] or match[4] or ""
    return f"""{match[1].lower()}="{value.replace('"', "'")}\""""
