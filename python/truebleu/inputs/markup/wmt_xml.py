"""The XML of WMT since 2021: source, references and systems of a language pair in one file."""

from __future__ import annotations

from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from truebleu.downloads.places import line_limit, too_large
from truebleu.errors import InputError
from truebleu.inputs.markup import clean, is_reference, reference_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, BinaryIO, NoReturn
    from xml.etree.ElementTree import Element


def read_wmt_xml(
    name: str, content: BinaryIO, remedy: str = "", *, translated: bool = True
) -> dict[str, list[str]]:
    """Return the fields of a file by its content, in sacreBLEU's order.

    Translators are in the order of the file, where sacreBLEU's changes from run to run. Documents
    of test suites are left out, and so are segments without any reference. A system that lacks
    whole documents has fewer lines than the source. There is a domain if the last document has one.
    Where the file is damaged, the message also has the `remedy`; one that is not `translated` needs
    no reference.
    """
    tree = _Tree(name, content, remedy)
    parts = tree.root.findall(".//ref")
    # Files that take part have sources and outputs only.
    tree.check_languages(("src", "ref") if parts or translated else ("src",))
    references: dict[str, list[str]] = {reference_field(e.get("translator")): [] for e in parts}
    fields: dict[str, list[str]] = {"src": [], **references, "docid": [], "origlang": []}
    systems: dict[str, list[str]] = {}
    domains: list[str | None] = []
    for document in tree.root.findall(".//doc"):
        if "testsuite" not in document.attrib:
            _add_document(tree, document, fields, systems, domains)
    fields |= systems
    if domains and domains[-1] is not None:
        if None in domains:
            odd = fields["docid"][domains.index(None)]
            raise InputError(
                f"{name}: document {odd!r} has no domain, but the last document has one; all "
                "or none need it"
            )
        fields["domain"] = [clean(str(domain)) for domain in domains]
    return fields


def _add_document(
    tree: _Tree,
    document: Element,
    fields: dict[str, list[str]],
    systems: dict[str, list[str]],
    domains: list[str | None],
) -> None:
    """Add the segments of a document that have a reference."""
    sources = tree.segments(document.findall(".//src//seg"))
    references = {
        part.get("translator"): tree.segments(part.findall(".//seg"))
        for part in document.findall(".//ref")
    }
    outputs = {
        part.get("system"): (part, tree.segments(part.findall(".//seg")))
        for part in document.findall(".//hyp")
    }
    by_field = {reference_field(name): segments for name, segments in references.items()}
    for number in sorted(sources):
        if any(map(is_reference, fields)) and not any(
            _text(segments.get(number)) for segments in references.values()
        ):
            continue
        if sources[number].text is None:
            tree.refuse(sources[number], f"the source of segment {number} is empty")
        fields["src"].append(clean(_text(sources[number])))
        for field in filter(is_reference, fields):
            fields[field].append(clean(_text(by_field.get(field, {}).get(number))))
        fields["docid"].append(clean(tree.attribute(document, "id")))
        fields["origlang"].append(clean(tree.attribute(document, "origlang")))
        for part, segments in outputs.values():
            system = tree.attribute(part, "system")
            if number not in segments:
                tree.refuse(part, f"system {system!r} has no segment {number}")
            systems.setdefault(system, []).append(clean(_text(segments[number])))
        domains.append(document.get("domain"))


def _text(segment: Element | None) -> str:
    return "" if segment is None else segment.text or ""


class _Tree:
    """The elements of XML and their lines; as in lxml, a comment ends the text of a segment."""

    def __init__(self, name: str, content: BinaryIO, remedy: str) -> None:
        self._name = name
        self._lines: dict[Element, int] = {}
        self._limit = line_limit()
        self._builder = TreeBuilder(insert_comments=True, insert_pis=True)
        self._depth = 0
        # With namespaces, so that a tag in one has another name.
        self._parser = parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = parser.specified_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._builder.data
        parser.CommentHandler = lambda text: self._add(self._builder.comment, text)
        parser.ProcessingInstructionHandler = lambda *pi: self._add(self._builder.pi, *pi)
        # Entities may expand to any size, or name other files.
        parser.EntityDeclHandler = lambda name, *_: self._refuse_entity(name)
        parser.SkippedEntityHandler = lambda name, _: self._refuse_entity(name)
        try:
            parser.ParseFile(content)
        except expat.ExpatError as error:
            raise InputError(
                f"{name}, line {error.lineno:,}, column {error.offset + 1:,}: not well-formed XML "
                f"({expat.ErrorString(error.code)}), cut off or damaged{remedy}"
            ) from None
        except InputError:
            raise
        except (LookupError, ValueError) as error:
            raise InputError(
                f"{name}: the encoding that it declares cannot be read ({error}); UTF-8 is needed"
            ) from error
        self.root: Element = self._builder.close()

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if len(self._lines) >= self._limit:
            raise too_large(self._name, self._limit, "elements")
        self._lines[self._builder.start(tag, attributes)] = self._parser.CurrentLineNumber

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._builder.end(tag)

    def _add(self, add: Any, *parts: str) -> None:
        """Add a comment or a processing instruction, if it is inside an element."""
        if self._depth:
            add(*parts)

    def _refuse_entity(self, name: str) -> NoReturn:
        raise InputError(
            f"{self._name}, line {self._parser.CurrentLineNumber:,}: the file depends on its own "
            f"entity {name!r}; write the text instead"
        )

    def refuse(self, element: Element, problem: str) -> NoReturn:
        raise InputError(f"{self._name}, line {self._lines[element]:,}: {problem}")

    def attribute(self, element: Element, name: str) -> str:
        value = element.get(name)
        if value is None:
            self.refuse(element, f"<{element.tag}> needs the attribute {name}")
        return value

    def check_languages(self, tags: Iterable[str]) -> None:
        """Raise InputError unless all sources are in one language, and all references, too."""
        for tag in tags:
            elements = self.root.findall(f".//{tag}")
            languages = {element.get("lang") for element in elements}
            if len(languages) != 1:
                found = ", ".join(sorted(map(str, languages))) or "none"
                raise InputError(
                    f"{self._name}: all <{tag}> need one language, the attribute lang, but there "
                    f"is {found}"
                )

    def segments(self, elements: Iterable[Element]) -> dict[int, Element]:
        found = {}
        for element in elements:
            number = element.get("id")
            try:
                found[int(number or "")] = element
            except ValueError:
                self.refuse(element, f"the id of a segment is a whole number, not {number!r}")
        return found
