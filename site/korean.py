"""What a site in two languages needs: links between them, and a search that knows Korean."""

import re
from html import escape
from typing import Any

from docutils.nodes import document
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

_RUNS = re.compile(r"[0-9]+\.[0-9]+|[가-힣]+|[^\W가-힣]+")
_NAMES = {"en": "English", "ko": "한국어"}
LINK = re.compile(rf"(?m)^\[({'|'.join(_NAMES.values())})\]\((.*)\)\n\n")


class SearchPairs(SearchEnglish):
    """Search for Korean by pairs of syllables, and so inside words, and for scores: 0.3969."""

    js_splitter_code = r"""
function splitQuery(query) {
  const words = query.match(/[0-9]+\.[0-9]+|[\p{L}\p{N}_]+/gu) || [];
  const runs = words.flatMap((word) => word.match(/[가-힣]+|[^가-힣]+/g));
  return runs.flatMap((run) =>
    /^[가-힣]{3}/.test(run) ? [...run].slice(1).map((next, place) => run[place] + next) : [run],
  );
}
"""

    def split(self, input: str) -> list[str]:  # noqa: A002  # The name is Sphinx's.
        """Return decimals, words of other languages, and each pair of Korean syllables."""
        return [part for run in _RUNS.findall(input) for part in _pairs(run)]


def _pairs(run: str) -> list[str]:
    if len(run) < 3 or not "가" <= run[0] <= "힣":
        return [run]
    return [run[start : start + 2] for start in range(len(run) - 1)]


def translation(page: str, pages: set[str]) -> str | None:
    """Return the same page in the other language, if there is one."""
    name = page.removeprefix("ko/").removeprefix("course/")
    if page.startswith("ko/"):
        places = [name] if name == "index" else [f"course/{name}", name]
    else:
        # A page of the course goes before one of the same name.
        ours = page.startswith("course/") or name == "index" or f"course/{name}" not in pages
        places = [f"ko/{name}"] if ours else []
    return next((place for place in places if place in pages), None)


def drop_link(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Leave out the link to the translation that pages have for GitHub."""
    source[0] = LINK.sub("", source[0], count=1)


def link_translation(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: document | None
) -> None:
    """Say which language a page is in, and link it to its translation."""
    korean = page.startswith("ko/")
    context["language"] = "ko" if korean else "en"
    other = translation(page, app.env.found_docs)
    if doctree is None or other is None:
        return
    language = "en" if korean else "ko"
    link = f'href="{escape(context["pathto"](other))}" hreflang="{language}"'
    context["metatags"] += f'<link rel="alternate" {link}>'
    context["body"] = (
        f'<p class="other-language"><a lang="{language}" {link}>{_NAMES[language]}</a></p>'
        + context["body"]
    )


def setup(app: Sphinx) -> None:
    """Register it with the site."""
    app.add_search_language(SearchPairs)
    app.add_css_file("site.css")
    app.connect("source-read", drop_link)
    app.connect("html-page-context", link_translation)
