"""The site: its search, its languages, what its pages link to, and how they look."""

import re
import runpy
from urllib.parse import quote, urlsplit

import pytest
import truebleu
from browser import chromium
from project import ROOT

pytest.importorskip("furo")
pytest.importorskip("numpydoc")
pytest.importorskip("playwright.sync_api")
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")

assert chromium()
DOCS = ROOT / "docs"
KOREAN = runpy.run_path(str(ROOT / "site" / "korean.py"))
WORDS = ["참조", "가설", "패널티", "후보", "보정된 정밀도", "마이크로", "과생성", "퍼플렉시티"]


def words_of(page):
    """Return the text of a page that is searched."""
    text = re.sub(r"(?s)!\[.*?\]\(.*?\)", "", page.read_text("utf-8"))
    return re.sub(r"\]\(.*?\)", "]", text)


@pytest.fixture(scope="module")
def find(browser, address):
    """Search the site in a browser; return the Korean pages that are found."""
    page = browser.new_page()

    def find(words):
        page.goto(f"{address}/search.html?q={quote(words)}")
        summary = page.locator(".search-summary")
        summary.filter(has_text=re.compile("found|did not match")).wait_for()
        links = page.locator("#search-results .search li a").evaluate_all(
            "links => links.map(link => link.href)"
        )
        paths = {urlsplit(link).path for link in links}
        return {path.removeprefix("/ko/") for path in paths if path.startswith("/ko/")}

    return find


@pytest.mark.slow
def test_words_are_found_inside_others(find):
    """A search finds the pages that have its words, whatever particles follow them."""
    for words in WORDS:
        pages = {
            page.relative_to(DOCS / "ko").with_suffix(".html").as_posix()
            for page in (DOCS / "ko").rglob("*.md")
            if all(word in words_of(page) for word in words.split())
        }
        assert pages
        found = find(words)
        assert pages <= found, words
        assert " " in words or pages == found, words
    assert find("참설") == set()
    # A score that a tutorial prints leads to what is wrong with it.
    assert find("0.3969") >= {"errata.html", "smoothing.html", "build.html"}
    # A title has a word of each language, next to each other.
    assert "ngrams.html" in find("gram")


@pytest.mark.slow
def test_pages_say_their_language(site):
    """Those of docs/ko/ are Korean, all others English, and the same page is linked both ways."""
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.glob("**/*.md")}
    linked = {}
    for page in pages:
        if page.parts[0] in ("command", "notebooks"):
            continue
        html = (site / page.with_suffix(".html")).read_text("utf-8")
        language = "ko" if page.parts[0] == "ko" else "en"
        assert f'lang="{language}"' in html[:200], page
        links = re.findall(r'<link rel="alternate" href="(.*?)\.html" hreflang="(..)">', html)
        for link, other in links:
            assert {language, other} == {"en", "ko"}
            linked[page.as_posix()] = (site / page.parent / link).resolve().relative_to(site)
            # On GitHub, the page has a link of its own, which the site leaves out.
            text = (DOCS / page).with_suffix(".md").read_text("utf-8")
            [(_, path)] = KOREAN["LINK"].findall(text)
            assert (DOCS / page.parent / path).resolve() == (
                DOCS / linked[page.as_posix()]
            ).with_suffix(".md")
            assert len(re.findall(">(?:한국어|English)</a>", html)) == 1
    for page in (*(DOCS / "course").glob("*.md"), DOCS / "first_steps.md"):
        name = page.relative_to(DOCS).with_suffix("").as_posix()
        assert linked[name].as_posix() == f"ko/{page.stem}"
        if page.stem != "index":
            assert linked[f"ko/{page.stem}"].as_posix() == name
    assert "significance" not in linked


def test_how_words_are_split():
    """Korean is split into pairs, other words are whole, also next to each other."""
    split = KOREAN["SearchPairs"]({}).split
    assert split("참조에는 BLEU는 n-gram을, 그 chrF2 0.3969가. 2.") == [
        *("참조", "조에", "에는", "BLEU", "는", "n", "gram", "을", "그", "chrF2"),
        *("0.3969", "가", "2"),
    ]


def test_translations():
    """A page of the course goes before one of the same name."""
    translation = KOREAN["translation"]
    pages = {"index", "course/index", "ko/index", "course/x", "ko/x", "x", "y", "ko/y", "ko/z"}
    assert {page: translation(page, pages) for page in pages} == {
        "index": "ko/index",
        "course/index": "ko/index",
        "ko/index": "index",
        "course/x": "ko/x",
        "ko/x": "course/x",
        "x": None,
        "y": "ko/y",
        "ko/y": "y",
        "ko/z": None,
    }


# Of each kind of page one.
SHOWN = ["index", "first_steps", "generated/api/self_bleu"]
SCROLLING = """() => [...document.querySelectorAll("article pre")].filter(
  (pre) => pre.scrollWidth > pre.clientWidth + 1).map((pre) => pre.innerText)"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, address, scheme):
    """Everybody can use the pages; code fits on a screen of 1,440 pixels, and all on a phone's."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    said = []
    page.on("console", lambda message: said.append(message.text))
    for name in SHOWN:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(f"{address}/{name}.html")
        assert axe_playwright.Axe().run(page).response["violations"] == [], name
        assert page.evaluate(SCROLLING) == [], name
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    assert said == []
    page.close()


@pytest.mark.slow
def test_what_is_copied(browser, address):
    """A button copies what is typed, without prompts and output, in each tab."""
    page = browser.new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/index.html")
    for tab, typed in (("Command line", "truebleu score "), ("Python", "from truebleu import ")):
        page.get_by_text(tab, exact=True).click()
        block = page.locator(".tab-content:visible .highlight")
        block.hover()
        block.locator("button.copybtn").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(typed)
        assert ">>>" not in copied
        assert "= 50.21" not in copied
    page.close()


@pytest.mark.slow
def test_names_lead_to_their_pages(site, monkeypatch):
    """Each public name and command has a page, and is a link to it where the API has it."""
    monkeypatch.syspath_prepend(str(ROOT / "site"))
    api = (site / "api.html").read_text("utf-8")
    names = {*runpy.run_path(str(ROOT / "site" / "generated.py"))["PLACES"]}
    assert {*truebleu.__all__} < names
    linked = set(re.findall(r'href="generated/api/([\w.-]+)\.html', api))
    assert {name.removesuffix("-class") for name in linked} == names
    assert len(linked) == len(names)
    codes = re.findall(r'(<a [^>]*>)?<code class="docutils', api)
    # The others are parameters of engines.
    assert sum(map(bool, codes)) > 0.4 * len(codes)
    commands = (site / "generated" / "commands.html").read_text("utf-8")
    for name in re.findall(r'href="commands/(\w+)\.html', commands):
        assert f"usage: truebleu {name}" in (site / f"generated/commands/{name}.html").read_text()


FIRST = {
    "signature": "settings.html#signatures",
    "BLEU 0": "course/smoothing.html",
    "Parquet": "tables.html",
    "p-value": "significance.html",
    "cite": "evaluation.html#cite-it",
    "corpus_bleu": "generated/api/corpus_bleu.html",
    "fastapi": "cookbook/automation.html#serve-scores-over-http",
    "0 to 100": "scoring.html",
    "SPA": "meta_evaluation.html",
    # No page has all of these words: sections that have the rarer ones are found.
    "a metric for Khmer and Burmese, please": "tokenizers.html#for-your-language",
}


@pytest.mark.slow
def test_what_people_search_for_comes_first(browser, address, site):
    """One of the first three results has the answer; site/keywords.tsv names places that exist."""
    tab = browser.new_page()
    failed = []
    tab.on("pageerror", lambda error: failed.append(str(error)))
    for words, place in FIRST.items():
        tab.goto(f"{address}/search.html?q={quote(words)}")
        tab.locator(".search-summary").filter(has_text="found").wait_for()
        links = tab.locator("#search-results .search li > a")
        found = links.evaluate_all("all => all.slice(0, 3).map((link) => link.href)")
        path, _, anchor = place.partition("#")
        assert [
            link
            for link in map(urlsplit, found)
            if link.path == f"/{path}" and anchor in ("", link.fragment)
        ], (words, found)
    assert failed == []
    tab.close()
    for line in (ROOT / "site" / "keywords.tsv").read_text("utf-8").splitlines()[1:]:
        page, _, anchor = line.partition("\t")[0].partition("#")
        html = (site / f"{page}.html").read_text("utf-8")
        assert not anchor or f'id="{anchor}"' in html, line


@pytest.mark.slow
def test_frames_have_the_theme_of_the_button(browser, address):
    """It changes the report on the first page, too; "auto" is the system's."""
    page = browser.new_page(color_scheme="light")
    page.goto(f"{address}/index.html")
    page.locator("iframe.report").scroll_into_view_if_needed()
    frame = page.frame_locator("iframe.report").locator("body")
    frame.wait_for()
    page.wait_for_load_state("networkidle")
    seen = {}
    for _ in range(3):
        page.locator(".theme-toggle:visible").first.click()
        theme = page.evaluate("document.body.dataset.theme")
        seen[theme] = frame.evaluate("body => getComputedStyle(body).backgroundColor")
    assert set(seen) == {"dark", "light", "auto"}
    assert seen["dark"] != seen["light"] == seen["auto"]
    page.close()


# Names, and what a policy and a script are called.
NAMES = {"BLEU", "chrF", "TER", "gram", "n", "sacreBLEU", "truebleu", "Sphinx", "Furo", "English"}


@pytest.mark.slow
def test_beside_a_page(site):
    """At most 30 links to other pages; round a Korean page, all words are Korean, and names."""
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 150
    for path in pages:
        html = path.read_text("utf-8")
        tree = html.partition('class="sidebar-tree"')[2].partition("</aside>")[0]
        assert tree.count("<a ") <= 30, path
        if path.parent.name == "ko":
            assert tree.count("<a ") > 15, path
            # What a page says is in its contents beside it, too.
            parts = "<head>.*?</head>|<article.*?</article>|<script.*?</script>"
            round_it = re.sub(rf'(?s){parts}|<div class="toc-tree">.*?</aside>', "", html)
            shown = re.findall(r'(?:title|aria-label|alt|placeholder)="([^"]*)"', round_it)
            shown.append(re.sub("<[^>]*>", " ", round_it))
            assert set(re.findall("[A-Za-z]+", " ".join(shown))) <= NAMES, path
    copied = (site / "_static" / "copybutton.js").read_text("utf-8")
    assert "'ko': {'copy': '복사'" in copied


def test_ways_back(site):
    """A wrong address and the playground lead to the docs; docstrings link pages, without roles."""
    assert 'href="index.html"' in (site / "playground.html").read_text("utf-8")
    missing = (site / "404.html").read_text("utf-8")
    for page in re.findall(r'"https://truebleu.github.io/truebleu/([\w/]+\.html)"', missing):
        assert (site / page).is_file()
    compare = (site / "generated" / "api" / "compare.html").read_text("utf-8")
    assert 'href="../../significance.html"' in compare
    assert ".md" not in re.sub("(?s)<a .*?>", "", compare)
    assert ":func:" not in (site / "generated" / "names.html").read_text("utf-8")
