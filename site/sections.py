"""What the search knows of each section: how often it has each word."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from docutils import nodes
from korean import SearchPairs
from sphinx.application import Sphinx

_FILE = "sections.js"
_STEMMER = SearchPairs({})


def words_of(text: str) -> Counter[str]:
    """Count the words that can be searched for, as their stems."""
    found = (word.lower() for word in _STEMMER.split(text))
    return Counter(_STEMMER.stem(word) for word in found if word not in _STEMMER.stopwords)


def collect(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Count the words of the sections of a page, without those of the sections in them."""
    if page.startswith(("generated/", "ko/")):
        return
    known = app.env.__dict__.setdefault("words_of_sections", {})
    for section in doctree.findall(nodes.section):
        parts = [part.astext() for part in section if not isinstance(part, nodes.section)]
        whole = isinstance(section.parent, nodes.document)
        place = page if whole else f"{page}#{section['ids'][0]}"
        known[place] = words_of(" ".join(parts))


def write(app: Sphinx, page: str, _template: str, _context: dict[str, Any], _tree: object) -> None:
    """Write them for the page of the search: for each word its sections, and how often."""
    if page != "search":
        return
    known = app.env.__dict__.get("words_of_sections", {})
    index: dict[str, list[int]] = {}
    for number, words in enumerate(known.values()):
        for word, times in words.items():
            index.setdefault(word, []).extend((number, times))
    lengths = {place: words.total() for place, words in known.items()}
    content = json.dumps([lengths, index], ensure_ascii=False, separators=(",", ":"))
    path = Path(app.outdir, "_static", _FILE)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"const SECTIONS = {content};\n", "utf-8")
    app.add_js_file(_FILE, loading_method="defer")


def setup(app: Sphinx) -> None:
    """Register it with the site."""
    app.connect("doctree-resolved", collect)
    app.connect("html-page-context", write)
