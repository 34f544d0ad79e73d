"""The pages beside each page: those of the first level, and of the section that it is in."""

import re
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from docutils.nodes import document
from furo.navigation import get_navigation_tree
from sphinx.application import Sphinx

_PARTS = re.split(r"(?m)^<!-- (\S+) -->\n", Path(__file__).with_suffix(".md").read_text("utf-8"))
_BELOW = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))


def add_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put the list of the pages below a page at its end, as contents.md has it."""
    source[0] += _BELOW.get(page, "")


def of_section(html: str) -> str:
    """Return the list of a section alone, after the link to its first page."""
    current = BeautifulSoup(html, "html.parser").select_one("li.toctree-l1.current")
    if current is None or current.ul is None or current.a is None:
        return html
    inner = current.ul.extract()
    kind = " ".join(current["class"])
    below = str(inner).replace("toctree-l2", "toctree-l1")
    return f'<ul><li class="{kind}">{current.a}</li></ul>{below}'


def list_pages(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: document | None
) -> None:
    """List the pages of the first level, and of the section; Korean pages have only theirs."""
    toctree = context.get("toctree")
    if toctree is None:
        return
    html = toctree(collapse=True, titles_only=True, maxdepth=-1, includehidden=True)
    if page.startswith("ko/"):
        html = of_section(html)
    context["furo_navigation_tree"] = get_navigation_tree(html)


def setup(app: Sphinx) -> None:
    """Register it with the site."""
    app.connect("source-read", add_contents)
    # After the theme has made a list of all pages.
    app.connect("html-page-context", list_pages, priority=900)
