"""What pages of the site have and those on GitHub have not: tabs, code that fits, a live report."""

import re
from math import log10
from pathlib import Path
from typing import Any

import korean
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from truebleu import read_lines, report

ROOT = Path(__file__).parent.parent
REPORT = "report_of_examples.html"

# <!-- tab: Python --> begins a tab, and <!-- tabs end --> ends the last: GitHub shows neither.
_TABS = re.compile(r"(?ms)^<!-- tab: .*?^<!-- tabs end -->\n")
_TAB = re.compile(r"(?m)^<!-- tab: (.*) -->\n")
_CLASS = re.compile(r"(?m)^<!-- (\{\.[\w-]+\}) -->$")
_COLUMNS = re.compile(r"\S {2,}\S+.*? {2,}\S|\S\t")
# The last cell of four, a number of times; the longest bar is four powers of ten.
_RATIO = re.compile(
    r'((?:<td class="text-right"><p>[^<]+</p></td>\s*){2})<td class="text-right"><p>([\d.,]+)'
)
_DECADES = 4
_COLUMNED = re.compile(
    r'(?s)(<div class="[^"]*\bcolumns\b[^"]*"><div class="highlight">)<pre>(.*?)</pre>'
)
# Landmarks of the theme have no names, and captions no level.
_NAMED = {
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="Sections" class="toc-drawer',
    '<div class="content-icon-container">': (
        '<div class="content-icon-container" role="navigation" aria-label="This page">'
    ),
    'class="caption" role="heading"': 'class="caption" role="heading" aria-level="2"',
}


def write_report(folder: Path) -> None:
    """Write the report that the first page shows."""
    folder.mkdir(exist_ok=True)
    examples = ROOT / "examples"
    names = ("strong", "medium", "weak")
    made = report(
        {name: read_lines(examples / f"system-{name}.en") for name in names},
        reference_streams=[read_lines(examples / f"reference-{name}.en") for name in "ab"],
        sources=read_lines(examples / "source.de"),
    )
    made.write(folder / REPORT)


def add_tabs(_app: Sphinx, page: str, source: list[str]) -> None:
    """Turn comments into tabs and classes, and the picture on the first page into the report."""
    source[0] = _TABS.sub(_tabs, source[0])
    source[0] = _CLASS.sub(r"\1", source[0])
    if page == "index":
        frame = f'<iframe class="report" src="{REPORT}" title="A report" loading="lazy"></iframe>'
        source[0] = re.sub(r"(?s)!\[[^]]*\]\(images/overview\.png\)", frame, source[0])


def _tabs(match: re.Match[str]) -> str:
    _, *parts = _TAB.split(match[0].removesuffix("<!-- tabs end -->\n"))
    return "".join(
        f"`````{{tab}} {name}\n{text.strip()}\n`````\n"
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    )


class Columns(SphinxTransform):
    """Marks code with columns, whose lines must not be broken on small screens."""

    default_priority = 500

    def apply(self, **_: Any) -> None:
        """Give it a class."""
        for block in self.document.findall(nodes.literal_block):
            if _COLUMNS.search(block.astext()):
                block["classes"].append("columns")


def name_parts(html: str) -> str:
    """Give parts of a page the names that screen readers say, and let code fit."""
    for old, new in _NAMED.items():
        html = html.replace(old, new)
    html = _COLUMNED.sub(_wrap_lines, html)
    return re.sub(r'(<div class="table-wrapper[^>]*)>', r'\1 tabindex="0">', html)


def _wrap_lines(match: re.Match[str]) -> str:
    """Mark the lines that have no columns: they are broken where the others scroll."""
    lines = [
        line
        if _COLUMNS.search(re.sub("<.*?>", "", line)) or line.count("<span") != line.count("</span")
        else f'<span class="wraps">{line}</span>'
        for line in match[2].splitlines(keepends=True)
    ]
    return f'{match[1]}<pre tabindex="0">{"".join(lines)}</pre>'


def wrap_templates(app: Sphinx) -> None:
    """Let pages be written with these names, in their language."""
    templates = app.builder.templates
    render = templates.render

    def render_named(template: str, context: dict[str, Any]) -> str:
        html = name_parts(render(template, context))
        return korean.translated(html) if context.get("language") == "ko" else html

    templates.render = render_named


def leave_out(
    app: Sphinx,
    page: str,
    _template: str,
    context: dict[str, Any],
    _doctree: nodes.document | None,
) -> None:
    """Leave out sections of the first page, and links to the source of pages that have none."""
    if page == "index":
        context["furo_hide_toc"] = True
        app.add_js_file("theme.js", loading_method="defer")
    if page == "index" or page.startswith("generated/"):
        context["theme_top_of_page_buttons"] = []


def draw_ratios(
    _app: Sphinx,
    page: str,
    _template: str,
    context: dict[str, Any],
    _doctree: nodes.document | None,
) -> None:
    """Draw a bar behind each ratio of the benchmarks, on a logarithmic scale."""
    if page == "benchmarks":
        context["body"] = _RATIO.sub(_bar, context["body"])


def _bar(match: re.Match[str]) -> str:
    width = max(0.0, log10(float(match[2].replace(",", "")))) / _DECADES
    return f'{match[1]}<td class="text-right ratio" style="--width: {width:.0%}"><p>{match[2]}'


def setup(app: Sphinx) -> None:
    """Register it with the site."""
    app.add_transform(Columns)
    app.connect("source-read", add_tabs)
    app.connect("builder-inited", wrap_templates)
    app.connect("html-page-context", leave_out, priority=900)
    app.connect("html-page-context", draw_ratios)
