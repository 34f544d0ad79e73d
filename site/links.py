"""Inline code that names something public becomes a link to the page about it."""

import re
from collections.abc import Iterator
from typing import Any

import generated
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode
from truebleu.cli.arguments import COMMANDS

# A name with attributes, and perhaps the arguments of a call; an attribute alone begins with a dot.
_NAME = re.compile(r"(?s)(?:truebleu\.)?(\.?\w+(?:\.\w+)*)(?:\(.*\))?")
_COMMAND = re.compile(r"truebleu ([a-z]+)\b")
# What is called like a function, too.
_OTHER = re.compile(r"\b(extra|command|column|option|field|file|tokenizer)s? ?$")
_OTHER_NEXT = re.compile(r"^ (command|column|option|extra|field|file)s?\b")


class CodeLinks(SphinxPostTransform):
    """Links names of the package, their attributes and commands, outside of titles and links."""

    default_priority = 100

    def run(self, **_: Any) -> None:
        """Put literals into references."""
        for literal in list(self.document.findall(nodes.literal)):
            if _inside(literal, nodes.reference, nodes.title):
                continue
            found = self._command(literal) or self._name(literal)
            if found and found[0] != self.env.docname:
                parent, new = literal.parent, literal.deepcopy()
                link = make_refnode(self.app.builder, self.env.docname, *found, new)
                parent.replace(literal, link)

    def _command(self, literal: nodes.literal) -> tuple[str, str] | None:
        text = literal.astext()
        match = _COMMAND.match(text)
        name = match[1] if match else text
        # A page about commands means these by their names alone.
        if name in COMMANDS and (match or "command" in self.env.docname):
            return generated.command_page(name), ""
        return None

    def _name(self, literal: nodes.literal) -> tuple[str, str] | None:
        match = _NAME.fullmatch(literal.astext())
        if match is None or _means_other(literal):
            return None
        name = match[1]
        owners = list(_owners(literal)) if name.startswith(".") else []
        known = self.env.domains["py"].objects
        of_owners = (generated.PLACES[owner] + name for owner in owners)
        for place in (generated.PLACES.get(name, name), *of_owners):
            if entry := known.get(f"truebleu.{place}"):
                return entry.docname, entry.node_id
        first = (owners or [name])[0].partition(".")[0]
        # The attribute of an object is on the page of its class, if anywhere.
        return (generated.PAGES[first], "") if first in generated.PAGES else None


def _owners(literal: nodes.literal) -> Iterator[str]:
    """Yield classes that an attribute in a table may be of: of the row, head and section."""
    row = _inside(literal, nodes.row)
    table = _inside(literal, nodes.table)
    section = _inside(literal, nodes.section)
    head = table and next(table.findall(nodes.thead), None)
    title = section and next(section.findall(nodes.title), None)
    for place in (row, head, title):
        for word in re.findall(r"\w+", place.astext() if place else ""):
            if word in generated.PLACES and isinstance(generated.value_of(word), type):
                yield word
                break


def _inside(node: nodes.Node, *kinds: type[nodes.Element]) -> nodes.Element | None:
    """Return the nearest element of these kinds round a node."""
    parent = node.parent
    while parent is not None and not isinstance(parent, kinds):
        parent = parent.parent
    return parent


def _means_other(literal: nodes.literal) -> bool:
    """Whether the words round a name say that it is a column, an extra or the like."""
    place = literal.parent.index(literal)
    before = literal.parent[place - 1].astext() if place else ""
    after = literal.parent[place + 1].astext() if place + 1 < len(literal.parent) else ""
    return bool(_OTHER.search(before) or _OTHER_NEXT.match(after))
