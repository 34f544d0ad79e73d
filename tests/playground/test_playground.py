"""The playground in a real browser: its numbers are the core's, and its texts are only texts."""

import random
import re
from urllib.parse import urlencode

import pytest
from browser import HOSTILE, SANDBOX, chromium
from truebleu import sentence_bleu
from truebleu.cli import main

sync_api = pytest.importorskip("playwright.sync_api")
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = pytest.mark.slow

SETTINGS = {
    "tokenizer": ["13a", "none", "char"],
    "smoothing": ["exp", "floor", "add-k", "none"],
    "order": ["1", "2", "3", "4", "6"],
    "lowercase": ["0", "1"],
    "effective": ["0", "1"],
}
VALUES = {"floor": 0.1, "add-k": 1.0}
PIECES = [
    *("the", "cat", "The", "mat", "a", "on", "3.5", "1,000", "1990-1995", "it's", "U.S.", "-"),
    *(
        *(".", ",", "!", "&amp;", "&lt;b&gt;", "&quot;", "&apos;", "<skipped>", "(x)", "a-b"),
        *("~", "$5"),
    ),
    *("고양이", "猫", "。", "é", "e\u0301", "\U0001f600", "\u3000", "\u00a0", "ß", "Ä", "\t"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Write the page with the command, and open it."""
    path = tmp_path_factory.mktemp("playground") / "page.html"
    assert main(["playground", "-o", str(path)]) == 0
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


def link(hypothesis, references, **settings):
    """Write what the page is filled in with as the end of an address, and the text to wait for."""
    parts = {
        "hypothesis": hypothesis,
        "references": "\n".join(references),
        **{name: values[0] for name, values in SETTINGS.items()},
        "order": "4",
        **settings,
    }
    return urlencode(parts), hypothesis


def type_in(page, *texts, **settings):
    """Fill the page in by its address, as a link that was shared does."""
    return page.evaluate(READ, [link(*texts, **settings)])[0]


def expected(hypothesis, references, settings):
    smoothing = settings["smoothing"]
    return sentence_bleu(
        hypothesis,
        references,
        tokenizer=settings["tokenizer"],
        smoothing=smoothing,
        smooth_value=VALUES.get(smoothing),
        max_order=int(settings["order"]),
        lowercase=settings["lowercase"] == "1",
        effective_order=settings["effective"] == "1",
    )


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


def test_scores_are_those_of_the_core(page):
    """All settings, on drawn texts: equal but for the last digits of a float."""
    numbers = random.Random(5)
    seen = set()
    cases = [
        (*drawn(numbers), {name: numbers.choice(values) for name, values in SETTINGS.items()})
        for _ in range(400)
    ]
    links = [link(*texts, **settings) for *texts, settings in cases]
    for case, found in zip(cases, page.evaluate(READ, links), strict=True):
        score = expected(*case)
        assert found == pytest.approx(score.score, rel=1e-12, abs=1e-12), case
        seen.add(0 < score.score < 100)
    assert seen == {True, False}


def test_tokens_are_those_of_the_core(page):
    """Matches and totals of each order are shown as the core counts them."""
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
    for settings in ({}, {"smoothing": "floor", "order": "2", "effective": "0", "lowercase": "1"}):
        found = type_in(page, hypothesis, [hypothesis.replace("cat", "Cat") + " ."], **settings)
        code = page.inner_text("#result pre").replace("print(", "score = (", 1)
        names = {}
        exec(code, names)
        assert names["score"].score == pytest.approx(found, rel=1e-12)


def test_examples(page):
    """Each example can be chosen, has a score of the core, and shows marks."""
    values = page.locator("#examples option").evaluate_all("all => all.map((each) => each.value)")
    assert len(values) > 3
    for value in values:
        page.select_option("#examples", value)
        names = {}
        code = page.inner_text("#result pre").replace("print(", "score = (", 1)
        exec(code, names)
        found = float(page.evaluate("document.getElementById('score').dataset.score"))
        assert names["score"].score == pytest.approx(found, rel=1e-12)
        assert page.locator("#tokens .tok").count() > 3


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
    type_in(page, "a b", ["a b c"], language="ko")
    assert page.get_attribute("html", "lang") == "ko"
    text = page.inner_text("body")
    assert "undefined" not in text
    assert all(term in text for term in ("간결성 페널티", "정밀도", "기하 평균", "클리핑"))
    page.click("#language")
    assert page.get_attribute("html", "lang") == "en"
    assert not re.search("[가-힣]", page.inner_text("main"))


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_are_only_texts(page, text):
    """What is typed, or comes with a link, is shown and never run."""
    line = text.replace("\n", " ").replace("\r", " ").encode("utf-8", "ignore").decode()
    page.fill("#hypothesis", line)
    page.fill("#references", line)
    assert page.evaluate("window.hacked") is None
    assert page.locator("#steps img, #steps script, #steps svg").count() == 0


def test_a_damaged_address_is_no_fault(page):
    """What an address gets wrong stays as it was."""
    type_in(page, "a b c d", ["a b c d"])
    page.evaluate("location.hash = 'order=99&tokenizer=nobody&smoothing=&language=xx&effective=2'")
    page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    assert page.input_value("#tokenizer") == "13a"
    assert page.input_value("#order") == "4"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_accessible(page, scheme, width):
    """The rules of axe hold in both schemes, on a phone and on a desk; nothing is cut off."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    type_in(page, "the the cat sat on the mat", ["the cat is on the mat", "a cat sat on the mat"])
    found = axe_playwright.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_folder_that_does_not_exist(tmp_path):
    """It is an error."""
    assert main(["playground", "-o", str(tmp_path / "none" / "page.html")]) != 0
