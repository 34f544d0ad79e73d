"""What a site in two languages needs: links between them, and a search that knows Korean."""

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils.nodes import document
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

_RUNS = re.compile(r"[0-9]+\.[0-9]+|[가-힣]+|[^\W가-힣]+")
_NAMES = {"en": "English", "ko": "한국어"}
# What the theme says round a page, and the button that copies code.
_SAID = {
    ">Skip to content<": ">본문으로 건너뛰기<",
    '"Toggle site navigation sidebar"': '"페이지 목록 여닫기"',
    '"Toggle table of contents sidebar"': '"이 페이지의 차례 여닫기"',
    '"Toggle Light / Dark / Auto color theme"': '"테마 바꾸기: 밝게, 어둡게, 자동"',
    '"All pages"': '"모든 페이지"',
    '"Sections"': '"이 페이지의 차례"',
    '"This page"': '"이 페이지"',
    '"Search"': '"검색"',
    '"Logo"': '"로고"',
    "Back to top": "맨 위로",
    "View this page": "이 페이지의 원본 보기",
    "Edit this page": "이 페이지 고치기",
    "On this page": "이 페이지의 차례",
    "<span>Next</span>": "<span>다음</span>",
    "<span>Previous</span>": "<span>이전</span>",
    ">Contents<": ">차례<",
    ">Menu<": ">메뉴<",
    ">Expand<": ">펼치기<",
    ">Light mode<": ">밝은 테마<",
    ">Dark mode<": ">어두운 테마<",
    ">Auto light/dark, in light mode<": ">자동 테마, 지금은 밝게<",
    ">Auto light/dark, in dark mode<": ">자동 테마, 지금은 어둡게<",
    "Link to this heading": "이 제목의 링크",
    "Link to this image": "이 그림의 링크",
}
_FOOTER = re.compile(r'(?s)(<div class="left-details">).*?(</div>\s*<div class="right-details">)')
_MADE = (
    '<a href="https://www.sphinx-doc.org/">Sphinx</a>와 '
    '<a href="https://github.com/pradyunsg/furo">Furo</a>로 만들었습니다.'
)
_COPIED = (
    "'ko': {'copy': '복사', 'copy_to_clipboard': '클립보드에 복사', "
    "'copy_success': '복사했습니다', 'copy_failure': '복사하지 못했습니다'},"
)
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


def translated(html: str) -> str:
    """Say in Korean what stands round a page."""
    for said, korean in _SAID.items():
        html = html.replace(said, korean)
    html = _FOOTER.sub(rf"\1{_MADE}\2", html)
    # The page before the first Korean one is English.
    return re.sub(r'(?s)<a class="prev-page" href="(?!\w+\.html).*?</a>', "", html)


def translate_button(app: Sphinx, _error: Exception | None) -> None:
    """Let the button that copies code speak Korean on Korean pages."""
    path = Path(app.outdir, "_static", "copybutton.js")
    if path.exists():
        text = path.read_text("utf-8")
        head = "const messages = {"
        path.write_text(text.replace(head, f"{head}\n  {_COPIED}", 1), "utf-8")


def setup(app: Sphinx) -> None:
    """Register it with the site."""
    app.connect("build-finished", translate_button)
    app.add_search_language(SearchPairs)
    app.add_css_file("site.css")
    app.connect("source-read", drop_link)
    app.connect("html-page-context", link_translation)
