"""The figures of the course in a browser: each shows the library's numbers, also after changes."""

import itertools
import json
import re
import warnings
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from browser import HOSTILE, chromium
from looping import sampled
from project import ROOT
from truebleu import Bleu, Chrf, Ter, corpus_bleu, decompose, read_lines, tokenize
from truebleu._core import Units

pytest.importorskip("furo")
pytest.importorskip("numpydoc")
pytest.importorskip("playwright.sync_api")
axe_playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = pytest.mark.slow

assert chromium()
NAMES = sorted(path.stem for path in (ROOT / "docs" / "course" / "figures").glob("*.svg"))
LANGUAGES = {"course": "en", "ko": "ko"}
# The values of a figure, by the names of its fields.
VALUES = """figure => Object.fromEntries([...figure.querySelectorAll("[name]")].map((field) => [
  field.name, field.type === "checkbox" ? field.checked : field.value]))"""
# Write into a field as people do.
WRITE = """(field, value) => {
  if (field.type === "checkbox") { field.checked = value; } else { field.value = value; }
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}"""


def plain(**settings):
    """Return BLEU as most pages of the course compute it."""
    return Bleu(tokenizer="none", smoothing="none", **settings)


def lines(text, split="\n"):
    """Return the lines that are not empty."""
    return [line.strip() for line in text.split(split) if line.strip()]


def both(metric, values):
    """Score one hypothesis or two."""
    texts = filter(str.strip, (values["hypothesis"], values["second"]))
    return [metric.segment(text, lines(values["references"])) for text in texts]


def parts(name, scores):
    """Return what a figure says of one score or two."""
    said = [f"{name} = {scores[0].score:.2f}"]
    if len(scores) > 1 and all(scores):
        difference = decompose(*scores)
        signed = [difference.delta, *(part.share for part in difference.parts)]
        said += [f"{abs(value):.2f}" for value in signed]
    return said


def share(score, order=0):
    """Return matches and n-grams."""
    return f"{score.counts[order]}/{score.totals[order]}"


def tokens(values):
    """Return the share of each tokenizer; last, the answer, as all of these do."""
    references = lines(values["references"])
    for name in dict.fromkeys(["none", values["tokenizer"]]):
        bleu = Bleu(tokenizer=name, lowercase=values["lowercase"], smoothing="none", max_order=1)
        score = bleu.segment(values["hypothesis"], references)
        yield f"{name}: {share(score)}"
    yield score.counts[0]


def clipping(values):
    """Return modified precision."""
    bleu = plain(lowercase=values["lowercase"], max_order=1)
    score = bleu.segment(values["hypothesis"], lines(values["references"]))
    yield f"{share(score)} = {score.precisions[0]:.2f}%"
    yield score.counts[0]


def ngrams(values):
    """Return the shares of all orders."""
    scores = both(plain(), values)
    yield from (share(score, order) for score in scores for order in range(4))
    yield scores[0].counts[1]


def mean(values):
    """Return both means, and the difference."""
    given = [int(values[f"w{order}"]) for order in range(1, 5)]
    scores = both(plain(weights=[weight / sum(given) for weight in given]), values)
    yield from parts("BLEU", scores)
    yield from (f"{sum(score.precisions) / 400:.4f}" for score in scores)
    yield from (f"{score.brevity_penalty:.4f}" for score in scores)
    yield round(scores[0].score, 2)


def brevity(values):
    """Return the penalty, and the lengths that it follows from."""
    words, references = values["hypothesis"].split(), lines(values["references"])
    text = " ".join(words[i % len(words)] for i in range(int(values["kept"])))
    score = plain(reference_length=values["length"]).segment(text, references)
    yield f"BP = {score.brevity_penalty:.4f} · BLEU = {score.score:.2f}"
    yield ", ".join(str(len(reference.split())) for reference in references)
    yield f"c = {score.hyp_len}, r = {score.ref_len:g}"
    yield round(score.brevity_penalty, 4)


def corpus(values):
    """Return the score of the sum, and the mean of scores."""
    bleu = plain(max_order=int(values["order"]), lowercase=values["lowercase"])
    hypotheses = lines(values["hypotheses"])
    references = [lines(line, "|||") for line in lines(values["references"])]
    score, segments = (
        bleu.corpus(hypotheses, references),
        bleu.segments(hypotheses, references),
    )
    yield from (f"{score.score:.2f}", f"{segments.mean():.2f}", share(score))
    yield from map(str, bleu.stats(hypotheses, references).sum().to_numpy().ravel())
    yield score.counts[0]


def smoothing(values):
    """Return all methods."""
    for name in ("none", "floor", "add-k", "exp"):
        value = {"floor": float(values["floor"]), "add-k": float(values["addK"])}.get(name)
        bleu = Bleu(tokenizer="none", smoothing=name, smooth_value=value)
        score = bleu.segment(values["hypothesis"], lines(values["references"]))
        yield f"{name}\n{score.score:.2f}"
    yield round(score.score, 2)


def limits(values):
    """Return a score for each hypothesis."""
    metric = Bleu() if values["metric"] == "BLEU" else Chrf()
    texts = lines(values["hypotheses"])
    scores = [metric.segment(text, values["reference"]).score for text in texts]
    for place, (text, score) in enumerate(zip(texts, scores, strict=True)):
        yield f"{place + 1}. {text}\n{score:.2f}"
    yield str(np.argmax(scores) + 1)


def chrf(values):
    """Return F-scores, with precision and recall of each order."""
    orders = {"char_order": int(values["characters"]), "word_order": int(values["words"])}
    scores = both(Chrf(**orders, beta=int(values["beta"]), whitespace=values["whitespace"]), values)
    yield from parts(f"chrF{'+' * orders['word_order']}", scores)
    yield from (f"{value:.2f}%" for value in scores[0].precisions + scores[0].recalls if value > 0)
    yield scores[0].matches[min(orders["char_order"], 2) - 1]


def ter(values):
    """Return edits, and the difference."""
    settings = {
        name: values[field]
        for field, name in (
            *(("normalized", "normalized"), ("punctuation", "no_punct")),
            *(("asian", "asian_support"), ("cased", "case_sensitive")),
        )
    }
    scores = both(Ter(**settings), values)
    yield from parts("TER", scores)
    yield scores[0].edits


def significance(values):
    """Return the difference, and the interval of the core's samples."""
    old, better, worse, references = (
        read_lines(f"{ROOT}/examples/{name}.en")
        for name in ("system-medium", "system-strong", "system-weak", "reference-a")
    )
    new = [better[i] if i % 3 == 1 else worse[i] if i % 6 == 0 else old[i] for i in range(len(old))]
    bleu, count = Bleu(), int(values["segments"])
    rows = [bleu.stats(each, references).to_numpy()[:count] for each in (old, new)]
    scores = bleu.scores(np.array([each.sum(0) for each in rows]))
    yield from (f"{score:.2f}" for score in (*scores, scores[1] - scores[0]))
    units = Units([each.astype("<i8").tobytes() for each in rows], rows[0].shape[1])
    drawn = np.frombuffer(units.bootstrap(bleu._core, int(values["seed"]), 0, 1000, 1), "<f8")
    low, high = np.percentile(np.diff(drawn.reshape(-1, 2))[:, 0], [2.5, 97.5])
    yield from (f"{low:.1f}", f"{high:.1f}")
    yield ("Yes", "예") if low <= 0 <= high else ("No", "아니요")


# What is changed in each figure, besides its examples.
CHANGES = {
    "tokens": [{"tokenizer": "char"}, {"hypothesis": "The end; the END.", "lowercase": True}],
    "clipping": [{"hypothesis": "the cat the dog"}],
    "ngrams": [{"second": "It is a guide"}, {"second": ""}],
    "mean": [{"w1": "100"}, {"w1": "0", "w4": "50"}, {"second": ""}],
    "brevity": [{"kept": "17"}, {"length": "longest"}, {"kept": "36", "length": "shortest"}],
    "corpus": [{"order": "2"}, {"hypotheses": "the cat is on a mat\nthe the", "order": "1"}],
    "smoothing": [{"floor": "0.5"}, {"addK": "0.3"}],
    "limits": [{"metric": "chrF"}, {"hypotheses": "The committee met.\nNobody met."}],
    "chrf": [{"words": "2"}, {"beta": "1", "characters": "3"}, {"whitespace": True}],
    "ter": [{"hypothesis": "The cat, sat", "cased": True}, {"normalized": True, "second": "cat"}],
    "significance": [{"segments": "12"}, {"seed": "5"}],
}
EXPECTED = {
    figure.__name__: figure
    for figure in (
        *(tokens, clipping, ngrams, mean, brevity, corpus),
        *(smoothing, limits, chrf, ter, significance),
    )
}


@pytest.fixture(scope="module")
def page(browser):
    """Open a page; a warning or an error, such as one of its policy, fails the test."""
    page = browser.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on(
        "console",
        lambda said: (
            page.wrong.append(said.text)
            if said.type in ("warning", "error") and "favicon" not in str(said.location)
            else None
        ),
    )
    return page


def open_figure(page, address, folder, name):
    """Open a page of the course; return its figure."""
    page.goto(f"{address}/{folder}/{name}.html")
    figure = page.locator(".play")
    figure.wait_for()
    return figure


def reveal(figure):
    """Show the answer, if it is not shown; return what is shown."""
    if figure.locator(".guess").count():
        figure.locator(".guess button").last.click()
    return figure.locator(".shown").inner_text().replace("−", "-")


def compare(figure, name):
    """Compare a figure with the library; return the answer to its question."""
    values = figure.evaluate(VALUES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *expected, answer = EXPECTED[name](values)
    shown = reveal(figure)
    assert [text for text in expected if text not in shown] == [], (values, shown)
    return answer


@pytest.mark.parametrize("folder", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_the_library(page, address, folder, name):
    """Every example of every figure, and after changes; and what is right is called right."""
    figure = open_figure(page, address, folder, name)
    examples = figure.locator(".controls select").first
    for value in examples.locator("option").evaluate_all("all => all.map(each => each.value)"):
        examples.select_option(value)
        assert figure.locator(".shown").inner_text() == ""
        answer = compare(figure, name)
        figure.get_by_role("button", name=re.compile("Guess again|다시 맞혀 보기")).click()
        assert figure.locator(".shown").inner_text() == ""
        guess(figure, answer)
        assert figure.locator(".right").count() == 1
    for change in CHANGES[name]:
        for field, value in change.items():
            figure.locator(f"[name={field}]").evaluate(WRITE, value)
        compare(figure, name)
    figure.get_by_role("button", name=re.compile("Reset|처음으로")).click()
    compare(figure, name)
    assert not re.search("undefined|NaN", figure.inner_text())
    said = figure.locator("label > span, button, summary").all_inner_texts()
    assert bool(re.search("[가-힣]", " ".join(said))) == (folder == "ko")
    assert page.wrong == []


def guess(figure, answer):
    """Give an answer."""
    if isinstance(answer, (str, tuple)):
        several = answer if isinstance(answer, tuple) else (answer,)
        pattern = re.compile(f"^({'|'.join(several)})$")
        figure.locator(".answer").filter(has_text=pattern).click()
    else:
        figure.locator(".guess input").fill(str(answer))
        figure.locator(".guess input").press("Enter")


def test_a_wrong_guess(page, address):
    """It is told, with the answer."""
    figure = open_figure(page, address, "course", "clipping")
    guess(figure, 7)
    assert figure.locator(".wrong").inner_text() == "Your guess was 7; the answer is 2."


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts(page, address, name):
    """They are shown, or refused in a sentence; a long one is refused, and nothing stays broken."""
    figure = open_figure(page, address, "course", name)
    reveal(figure)
    for text in (
        "",
        " \n",
        "\u202e\u0301",
        *(text.encode("utf-8", "replace").decode() for text in HOSTILE),
    ):
        for field in figure.locator("textarea").all():
            field.fill(text)
            assert figure.locator(".shown").inner_text() != ""
    if figure.locator("textarea").count():
        figure.locator("textarea").first.fill("word " * 1000)
        assert "at most 3000 characters" in figure.locator(".shown").inner_text()
    figure.get_by_role("button", name="Reset").click()
    compare(figure, name)
    assert page.evaluate("window.hacked") is None
    assert page.locator(".play .shown img").count() == 0
    assert page.wrong == []


@pytest.mark.parametrize("folder", LANGUAGES)
def test_the_playground_opens_with_the_same(page, address, folder):
    """In the language of the reader, with the texts and settings of the figure, and its score."""
    for name in ("brevity", "mean", "chrf", "ter", "corpus", "limits"):
        figure = open_figure(page, address, folder, name)
        said = reveal(figure)
        link = figure.locator(".under a").get_attribute("href")
        assert dict(parse_qsl(urlsplit(link).fragment))["language"] == LANGUAGES[folder]
        page.goto(link)
        page.wait_for_selector("#steps h2")
        [score] = re.findall(r" = (\d+\.\d\d)", page.inner_text("#score"))
        assert score in said, name
        assert page.get_attribute("html", "lang") == LANGUAGES[folder]
    page.goto(f"{address}/{'ko' if folder == 'ko' else 'course'}/index.html")
    link = page.locator("article a[href*='playground.html']").first
    assert link.get_attribute("href") == f"../playground.html#language={LANGUAGES[folder]}"
    assert page.wrong == []


@pytest.mark.parametrize("folder", LANGUAGES)
def test_without_javascript(browser, address, folder):
    """The figure is an image, with its description."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        for name in NAMES:
            page.goto(f"{address}/{folder}/{name}.html")
            image = page.locator(f"img.play-{name}")
            assert image.is_visible()
            assert len(image.get_attribute("alt")) > 30


def test_live_example(page, address):
    """The page about JavaScript shows what its code returns, also for other texts."""
    page.goto(f"{address}/javascript.html")
    example = page.locator(".highlight-js + .play")
    example.wait_for()
    for text in None, "A cat, a cat sat.", "sat":
        if text:
            example.locator("[name=hypothesis]").fill(text)
        values = example.evaluate(VALUES)
        score = corpus_bleu([values["hypothesis"]], [lines(values["references"])])
        shown = example.locator(".shown").inner_text().splitlines()
        assert float(shown[0].removeprefix("score: ")) == pytest.approx(score.score)
        assert f"counts: {list(score.counts)}" in "\n".join(shown)
        tokens = example.locator(".sides .text").first.locator(".tok").all_inner_texts()
        assert tokens == tokenize(values["hypothesis"])
    example.locator("[name=references]").fill(" ")
    assert "score" not in example.locator(".shown").inner_text()
    assert page.wrong == []


def test_policy(page, address, site):
    """No page allows more than it needs, and none breaks its policy."""
    for name in ("index", "api", "search", "genindex", "course/index", "course/mean", "ko/mean"):
        page.goto(f"{address}/{name}.html")
        page.wait_for_timeout(300)
        policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
        assert ("'wasm-unsafe-eval'" in policy) == name.endswith("mean")
        [scripts] = re.findall("script-src ([^;]*);", policy)
        assert "unsafe-inline" not in scripts
    assert page.wrong == []
    assert len(json.loads((site / "modules/play/rows.json").read_text("utf-8"))) == 2


@pytest.mark.parametrize("first", sampled(range(4), [0]))
def test_accessible(page, address, first):
    """The rules of axe hold, before and after the answer, in both languages; nothing is cut off.

    Each figure has one of four looks, which are others with another start.
    """
    looks = itertools.cycle(itertools.product((390, 1440), ("light", "dark")))
    for name, (width, scheme) in zip(NAMES, itertools.islice(looks, first, None), strict=False):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        folder = "ko" if (width == 390) == (scheme == "dark") else "course"
        figure = open_figure(page, address, folder, name)
        for _ in range(2):
            found = axe_playwright.Axe().run(page, context=".play")
            assert found.violations_count == 0, f"{name}: {found.generate_report()}"
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            reveal(figure)
