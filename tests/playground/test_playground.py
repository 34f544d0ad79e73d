"""The playground in a real browser: its numbers are the core's, and its texts are only texts."""

import random
import re
import runpy
from urllib.parse import urlencode

import pytest
from browser import SANDBOX, chromium
from project import ROOT
from truebleu import Bleu, Chrf, Ter, decompose, sentence_bleu
from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS

from campaign import pages

sync_api = pytest.importorskip("playwright.sync_api")
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = pytest.mark.slow

playground = runpy.run_path(str(ROOT / "site" / "playground.py"))["page"]

YES_OR_NO = ["0", "1"]
# For each metric, the fields of its settings: their names in Python, and values.
SETTINGS = {
    "bleu": {
        "tokenizer": ("tokenizer", ["13a", *(name for name in TOKENIZERS if name != "13a")]),
        "smoothing": ("smoothing", ["exp", *(name for name in SMOOTHINGS if name != "exp")]),
        "order": ("max_order", ["4", "1", "2", "3", "6"]),
        "weights": ("weights", ["", "1", "0.5, 0.5", "0.1 0.2 0.3 0.4"]),
        "length": (
            "reference_length",
            ["closest", *(name for name in REFERENCE_LENGTHS if name != "closest")],
        ),
        "lowercase": ("lowercase", YES_OR_NO),
        "effective": ("effective_order", ["1", "0"]),
    },
    "chrf": {
        "characters": ("char_order", ["6", "1", "3", "8"]),
        "words": ("word_order", ["0", "1", "2"]),
        "beta": ("beta", ["2", "1", "3"]),
        "lowercase": ("lowercase", YES_OR_NO),
        "whitespace": ("whitespace", YES_OR_NO),
    },
    "ter": {
        "normalized": ("normalized", YES_OR_NO),
        "punctuation": ("no_punct", YES_OR_NO),
        "asian": ("asian_support", YES_OR_NO),
        "cased": ("case_sensitive", YES_OR_NO),
    },
}
KINDS = {"bleu": Bleu, "chrf": Chrf, "ter": Ter}
PIECES = [
    *("the", "cat", "The", "mat", "a", "on", "3.5", "1,000", "1990-1995", "it's", "U.S.", "-", "."),
    *(",", "!", "&amp;", "&lt;b&gt;", "&quot;", "&apos;", "<skipped>", "(x)", "a-b", "~", "$5"),
    *("고양이", "猫", "。", "é", "e\u0301", "\U0001f600", "\u3000", "\u00a0", "ß", "Ä", "\t"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Write the page, and open it."""
    path = tmp_path_factory.mktemp("playground") / "page.html"
    path.write_text(playground(), "utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SANDBOX)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        faults, asked = [], []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        yield page
        assert faults == []
        assert asked == [path.as_uri()]
        browser.close()


# A score has been shown when the address has been read, and all that is in it written again.
READ = """async (links) => {
    const scores = [];
    for (const [fragment, text] of links) {
        location.hash = fragment;
        do await new Promise((done) => setTimeout(done));
        while (document.getElementById("hypothesis").value !== text);
        await new Promise((done) => setTimeout(done));
        scores.push(Number(document.getElementById("score").dataset.score));
    }
    return scores;
}"""


def link(hypothesis, references, metric="bleu", **settings):
    """Write what the page is filled in with as the end of an address, and the text to wait for."""
    parts = {
        "metric": metric,
        "hypothesis": hypothesis,
        "references": "\n".join(references),
        "second": "",
        "corpus": "0",
        **{field: values[0] for field, (_, values) in SETTINGS[metric].items()},
        **settings,
    }
    return urlencode(parts), hypothesis


def type_in(page, *texts, **settings):
    """Fill the page in by its address, as a link that was shared does."""
    return page.evaluate(READ, [link(*texts, **settings)])[0]


def python(metric, settings):
    """Return the metric with the settings of the page."""
    named = {SETTINGS[metric][field][0]: value for field, value in settings.items()}
    for field, (name, values) in SETTINGS[metric].items():
        if values[0].isdigit():
            kind = bool if {*values} == {*YES_OR_NO} else int
            named[name] = kind(int(settings[field]))
    if metric == "bleu":
        named["effective_order"] = None if named["effective_order"] else False
        weights = [float(weight) for weight in re.findall(r"[\d.]+", named["weights"])]
        named["weights"] = weights or None
        if weights:
            del named["max_order"]
    return KINDS[metric](**named)


def drawn(random_numbers):
    """Draw a hypothesis, and references that share some of it."""
    words = random_numbers.choices(PIECES, k=random_numbers.randint(0, 14))
    references = []
    for _ in range(random_numbers.randint(1, 3)):
        kept = [word for word in words if random_numbers.random() < 0.8]
        references.append(
            " ".join(
                [*kept, *random_numbers.choices(PIECES, k=random_numbers.randint(1, 3)), "end"]
            )
        )
    return " ".join(words), references


@pytest.mark.parametrize("metric", SETTINGS)
def test_scores_are_those_of_the_core(page, metric):
    """All settings, on drawn texts: equal but for the last digits of a float."""
    numbers = random.Random(5)
    seen = set()
    cases = []
    for _ in range(100):
        fields = SETTINGS[metric].items()
        settings = {field: numbers.choice(values) for field, (_, values) in fields}
        cases.append((*drawn(numbers), metric, settings))
    links = [link(*texts, metric, **settings) for *texts, metric, settings in cases]
    for case, found in zip(cases, page.evaluate(READ, links), strict=True):
        *texts, _, settings = case
        score = python(metric, settings).segment(*texts)
        assert found == pytest.approx(score.score, rel=1e-15, abs=1e-15), case
        seen.add(0 < score.score < 100)
    assert seen == {True, False}


def test_tokens_are_those_of_the_core(page):
    """Matches and totals of each order are shown as the core counts them."""
    page.uncheck("#corpus")
    numbers = random.Random(6)
    for _ in range(40):
        hypothesis, references = drawn(numbers)
        type_in(page, hypothesis, references)
        score = sentence_bleu(hypothesis, references)
        cells = page.locator("#precisions tbody td").all_inner_texts()
        assert tuple(map(int, cells[1::4])) == score.counts
        assert tuple(map(int, cells[2::4])) == score.totals


def test_the_call_it_shows_gives_its_score(page):
    """People can copy the call: with quotes, backslashes and settings."""
    hypothesis = "He said: \"a\\b {x}\" 'the cat' on the mat"
    for settings in (
        {},
        {"smoothing": "floor", "order": "2", "effective": "0", "lowercase": "1"},
        {"metric": "chrf", "words": "2", "whitespace": "1"},
        {"metric": "ter", "normalized": "1", "cased": "1"},
    ):
        found = type_in(page, hypothesis, [hypothesis.replace("cat", "Cat") + " ."], **settings)
        assert run(page).score == pytest.approx(found, rel=1e-12)


def run(page):
    """Run the call that is shown; return the score of the first hypothesis."""
    names = {}
    exec(page.inner_text("#result pre").replace("print(", "score = (", 1), names)
    return names.get("one", names["score"])


@pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning")
@pytest.mark.parametrize("metric", SETTINGS)
def test_corpora_and_differences(page, metric):
    """Rows, their sum, the score of a corpus, and the parts of a difference are the package's."""
    numbers = random.Random(7)
    for count in (*range(1, 5), *range(1, 5)):
        drawn_texts = [drawn(numbers) for _ in range(count)]
        references = [[" ".join(text.split()) for text in texts] for _, texts in drawn_texts]
        first = [" ".join(texts[0].split()[1:]) for texts in references]
        second = [" ".join(text.split()[:-1]) or "end" for text, _ in drawn_texts]
        fields = SETTINGS[metric].items()
        settings = {field: numbers.choice(values) for field, (_, values) in fields}
        if settings.get("smoothing") in ("method5", "method6", "method7"):
            settings["smoothing"] = "exp"
        found = type_in(
            page,
            "\n".join(first),
            [" ||| ".join(texts) for texts in references],
            metric,
            **(settings | {"second": "\n".join(second), "corpus": "1"}),
        )
        ours = python(metric, settings)
        stats = ours.stats(first, references)
        one, other = (ours.corpus(texts, references) for texts in (first, second))
        case = first, second, references, settings
        assert found == pytest.approx(one.score, rel=1e-15, abs=1e-15), case
        rows = page.locator("#segments tbody tr").all_inner_texts()
        table = [*stats.to_numpy().tolist(), stats.to_numpy().sum(0).tolist()]
        assert [list(map(int, row.split("\t")[2:])) for row in rows] == table, case
        assert page.locator("#segments thead th").all_inner_texts()[2:] == [*ours.fields]
        expected = decompose(one, other)
        shown = [row.split("\t") for row in page.locator("#difference tbody tr").all_inner_texts()]
        if shown:
            shares = [part.share for part in expected.parts]
            assert [float(cell.replace("−", "-")) for _, cell, *_ in shown] == pytest.approx(
                shares, abs=0.0051
            ), case
        else:
            assert not one.score or not other.score or settings.get("weights"), case
    page.locator("#segments tbody button").last.click()
    assert page.locator("#segments [aria-pressed=true]").inner_text() == str(count)


def test_empty_lines_at_the_end(page):
    """They are outputs where a field has as many lines; headings say what is of a segment."""
    for hypothesis, references, score in (
        ("a b c d\n", ["a b c d", "e"], Bleu().corpus(["a b c d", ""], ["a b c d", "e"]).score),
        ("a b c d\n\n", ["a b c d"], 100),
    ):
        given = {"corpus": "1", "second": hypothesis}
        found = type_in(page, hypothesis, references, **given)
        assert found == pytest.approx(score)
        assert page.locator("#score").inner_text().endswith("A − B 0.00")
        assert page.locator("#tokens h2").inner_text().startswith("2. Tokens (segment ")
    type_in(page, "a b", ["a b", "b"], "chrf", corpus="1", second="a\n")
    assert "different numbers of segments (1, 2, 2);" in page.inner_text("#score")
    type_in(page, "a b\n", ["a b", "b"], "chrf", corpus="1")
    assert "reference" not in page.inner_text("#score")
    type_in(page, "a", [""], "ter", second="b")
    assert "references are empty" in page.inner_text("#difference")


def test_examples(page):
    """Each example can be chosen, has a score of the core, and shows marks."""
    values = page.locator("#examples option").evaluate_all("all => all.map((each) => each.value)")
    assert len(values) > 3
    for value in values:
        page.select_option("#examples", value)
        found = float(page.evaluate("document.getElementById('score').dataset.score"))
        assert run(page).score == pytest.approx(found, rel=1e-12)
        assert page.locator("#steps .tok").count() > 3


def test_an_example_has_all_of_its_settings(page):
    """Whatever was chosen before, candidate 1 has the numbers of the paper."""
    settings = {"order": "2", "weights": "1 1", "length": "longest", "effective": "0"}
    type_in(page, "a", ["b"], smoothing="floor", lowercase="1", **settings)
    paper = page.locator("#examples option", has_text="candidate 1")
    page.select_option("#examples", paper.get_attribute("value"))
    assert page.inner_text("#score").startswith("BLEU = 50.46")
    assert page.locator("#precisions tbody td").all_inner_texts()[1:3] == ["17", "18"]
    said = page.inner_text("#penalty .said >> nth=1")
    assert (
        said == "References: 16, 18, 16 tokens. The reference length, by the rule closest, is 18."
    )


@pytest.mark.parametrize("locale", ["ko-KR", "en-GB", "fr-FR"])
def test_the_language_of_the_reader(page, locale):
    """The page opens in it, if it has it, unless its address says another."""
    expected = "ko" if locale == "ko-KR" else "en"
    with page.context.browser.new_context(locale=locale) as context:
        other = context.new_page()
        for fragment, language in ("", expected), ("#language=en", "en"), ("#language=ko", "ko"):
            other.goto("about:blank")
            other.goto(page.url.partition("#")[0] + fragment)
            other.wait_for_selector("#steps h2")
            assert other.get_attribute("html", "lang") == language


def test_an_n_gram_is_shown_in_the_texts(page):
    """Choosing an n-gram lights its tokens in the hypothesis and in the references."""
    type_in(page, "a b c a b", ["a b x", "y a b a b"])
    page.get_by_role("button", name="2-grams").click()
    page.get_by_role("button", name="a b", exact=True).click()
    lit = page.locator("#tokens .text").evaluate_all(
        "all => all.map((line) => [...line.children].map((each) => each.matches('.lit')))"
    )
    assert lit == [
        [True, True, False, True, True],
        [True, True, False],
        [False, True, True, True, True],
    ]
    row = page.locator("#ngrams tbody tr").first.locator("td").all_inner_texts()
    assert row == ["a b", "2", "1", "2", "2"]
    page.get_by_role("button", name="1-grams").click()


def test_both_languages_say_everything(page):
    """No text is missing in Korean, and the page says which language it is in."""
    text = ""
    for metric in SETTINGS:
        both = {"second": "a b", "corpus": "1"}
        type_in(page, "a b", ["b c a"], metric, language="ko", **both)
        text += page.inner_text("body")
    assert page.get_attribute("html", "lang") == "ko"
    assert "undefined" not in text
    assert all(term in text for term in ("간결성 페널티", "정밀도", "기하 평균", "클리핑"))
    page.click("#language")
    assert page.get_attribute("html", "lang") == "en"
    for metric in SETTINGS:
        page.select_option("#metric", metric)
        assert not re.search("[가-힣]", page.inner_text("#steps"))
        assert "undefined" not in page.inner_text("body")


def test_a_page_that_is_kept_open(page):
    """Edits leave nothing in its memory."""
    pages.after_edits(page, 400)


def test_a_damaged_address_is_no_fault(page):
    """What an address gets wrong stays as it was."""
    type_in(page, "a b c d", ["a b c d"])
    page.evaluate("location.hash = 'order=99&tokenizer=nobody&smoothing=&language=xx&effective=2'")
    page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    assert page.input_value("#tokenizer") == "13a"
    assert page.input_value("#order") == "4"


def test_too_much_text(page):
    """It is refused in a sentence, and has no link, in place of a page that stops."""
    type_in(page, "a", ["b"])
    for hypothesis, references, corpus in (
        ("word " * 200_000, "word", False),
        ("a", "b\n" * 17, False),
        ("a", "|||" * 16, True),
        ("a\n" * 101, "b\n" * 101, True),
    ):
        page.set_checked("#corpus", corpus)
        page.fill("#hypothesis", hypothesis)
        page.fill("#references", references)
        assert "at most 10,000 characters in all, 100 segments, and 16" in page.inner_text("#score")
        assert page.inner_text("#steps") == ""
        assert page.is_disabled("#share")
    page.fill("#references", "a")
    assert "different numbers of segments (101, 1);" in page.inner_text("#score")
    page.uncheck("#corpus")
    assert page.inner_text("#score").startswith("BLEU = ")


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (None, "This page needs JavaScript and WebAssembly."),
        ("delete globalThis.WebAssembly", "there is no WebAssembly here"),
        ("delete globalThis.DecompressionStream", "a current browser with WebAssembly is needed"),
        ("WebAssembly.compile = () => Promise.reject()", "This page cannot work here"),
    ],
)
def test_a_page_that_cannot_work_says_so(page, script, expected):
    """Nobody looks at an empty page, whatever is missing."""
    with page.context.browser.new_context(java_script_enabled=script is not None) as context:
        other = context.new_page()
        if script:
            other.add_init_script(script)
        other.goto(page.url.partition("#")[0])
        other.get_by_text(expected).wait_for()
        assert other.inner_text("h1") == "BLEU, chrF and TER, step by step"
        assert other.is_hidden("#inputs")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_accessible(page, scheme, width):
    """The rules of axe hold in both schemes, on a phone and on a desk; nothing is cut off."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for metric in SETTINGS:
        references = ["the cat is on the mat", "a cat sat on the mat"]
        both = {"second": "a cat", "corpus": "1" if width == 390 else "0"}
        type_in(page, f"the the cat on the {metric} sat", references, metric, **both)
        found = axe_playwright.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_score_is_seen_at_once(page, size):
    """Without scrolling, whatever the window."""
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    type_in(page, "a b c d e", ["a b c d e"])
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#score").bounding_box()
    assert box["y"] + box["height"] < size[1] / 2
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.set_viewport_size({"width": 1280, "height": 900})


def test_what_is_probably_meant_is_asked(page):
    """Lines may be segments, and Korean is better split into characters: a click answers."""
    type_in(page, "a b c d", ["a b c d"])
    assert page.locator("#asked").text_content() == ""
    type_in(page, "고양이가 앉았다.\n비가 왔다.", ["고양이는 앉아 있었다.", "비가 내렸다."])
    assert "The hypothesis has 2 lines. Are these 2 segments?" in page.inner_text("#asked")
    page.get_by_role("button", name="Use char").click()
    assert page.locator("#tokenizer").input_value() == "char"
    assert "ko-mecab" not in page.inner_text("#asked")
    page.get_by_role("button", name="Score each line as a segment").click()
    assert page.locator("#corpus").is_checked()
    assert page.inner_text("#asked") == ""


def test_smoothing_is_explained_where_it_is(page):
    """A precision that is smoothed says what it would be without."""
    type_in(page, "a b c x y", ["a b c d e"], smoothing="exp")
    row = page.locator("#precisions tbody tr").last.inner_text()
    assert "0.00% without smoothing; exp makes it positive" in row
