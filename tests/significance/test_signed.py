"""No output has a sentence that a statistician would not sign."""

import html
import json
import re
from functools import cache

import pytest
from drawn import corpus
from looping import looped
from truebleu import compare, compare_runs, compare_sets, compare_unpaired, report
from truebleu.display.formatting import p_value

pytestmark = [
    pytest.mark.filterwarnings("ignore::truebleu.SmallSampleWarning"),
    pytest.mark.filterwarnings("ignore::truebleu.SettingsWarning"),
]

SYSTEMS, REFERENCES = corpus(5, 120, ("alpha", "beta", "gamma", "delta"), noise=0.25)
OTHERS = corpus(5, 120, ("alpha", "beta"), noise=0.25)[0]
# As good as the first: the words of another half of the segments are in another order.
ALIKE = {
    "alpha": [t if i % 2 else " ".join(t.split()[::-1]) for i, t in enumerate(OTHERS["alpha"])],
    "beta": [" ".join(t.split()[::-1]) if i % 2 else t for i, t in enumerate(OTHERS["alpha"])],
}
EQUAL = dict.fromkeys(("alpha", "beta"), SYSTEMS["alpha"])
FEW = {
    "alpha": REFERENCES,
    "beta": ["x" if i in {9, 50, 80} else t for i, t in enumerate(REFERENCES)],
}
DOCUMENTS = [f"d{number // 4}" for number in range(120)]
KINDS = {
    "differ": SYSTEMS,
    "alike": ALIKE,
    "equal": EQUAL,
    "few": FEW,
    "few and bad": {**FEW, "c": ["y"] * 120},
}
HOW = {
    "plain": {},
    "margin": {"margin": 3},
    "small margin": {"margin": 0.1},
    "documents": {"units": DOCUMENTS},
    "blocks": {"units": 3, "margin": 1},
    "metrics": {"metrics": ["bleu", "ter"], "margin": 3},
    "baseline": {"baseline": "beta", "alpha": 0.01, "n_resamples": 2000},
    "no intervals": {"n_resamples": None},
}


def several(kind, function, how):
    """Return a comparison of runs, of sets, or of corpora that share nothing."""
    systems = KINDS[kind]
    margin = {"margin": 2} if how == "margin" else {}
    if function == "runs":
        runs = {name: [texts[:60] + REFERENCES[60:], texts] for name, texts in systems.items()}
        return compare_runs(runs, REFERENCES, **margin)
    if function == "sets":
        sets = {
            name: ({each: texts[part] for each, texts in systems.items()}, REFERENCES[part])
            for name, part in (("x", slice(0, 60)), ("y", slice(60, 120)))
        }
        return compare_sets(sets, **margin)
    return compare_unpaired({name: (each, REFERENCES) for name, each in systems.items()}, **margin)


@cache
def outputs(kind, how):
    """Return comparisons, and all that is shown of them to people and to programs, by format."""
    pages = {}
    if how in HOW:
        given = {"n_resamples": 1000, **HOW[how]}
        found = compare(KINDS[kind], REFERENCES, **given)
        for language in ("en", "ko"):
            made = report(KINDS[kind], REFERENCES, language=language, **given)
            pages[f"report {language}"] = made.to_html()
    else:
        found = several(kind, *how.partition(" with ")[::2])
    paper = found.paper()
    shown = {
        "text": str(found),
        "markdown": found.to_markdown().replace("\\", ""),
        "html": readable(found.to_html()),
        "latex": latex(found.to_latex()),
        "paper": str(paper),
        "paper markdown": paper.to_markdown().replace("\\", ""),
        "paper html": readable(paper.to_html()),
        "paper latex": latex(paper.to_latex()),
        **{name: readable(page) for name, page in pages.items()},
    }
    every = [found]
    if hasattr(found, "average"):
        every = [*found.values()] if found.average is None else [found.average]
    data = {"json": json.dumps(found.to_dict()), "csv": found.to_csv(), "paper csv": paper.to_csv()}
    return every, shown, data


def readable(page):
    """Return what of a page is read, tooltips included."""
    page = re.sub(r"<(script|style|pre)\b.*?</\1>", " ", page, flags=re.DOTALL)
    # What is explained need not be there.
    page = re.sub(
        '<section id="terms".*?</section>|<div [^>]*popover.*?</div>', " ", page, flags=re.DOTALL
    )
    tips = " ".join(re.findall(r'(?:title|aria-label|data-\w+)="([^"]*)"', page))
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", page) + tips).split())


def latex(text):
    """Return LaTeX without its commands."""
    text = text.replace(r"\textdagger{}", "†").replace(r"\textless{}", "<").replace("\\", "")
    return text.replace("{}", "")


SEVERAL = [
    f"{name}{more}" for name in ("runs", "sets", "unpaired") for more in ("", " with margin")
]


def of_pair(comparisons, one, other):
    """Return the tested pair of two systems under each metric, in this order."""
    return [
        pair if pair.one == one else pair.mirrored()
        for each in comparisons
        for pair in each.pairs
        if {pair.one, pair.other} == {one, other}
    ]


NAME = r"(alpha|beta|gamma|delta|c)"


every = looped("how", [*HOW, *SEVERAL])


@pytest.mark.parametrize("kind", KINDS)
class TestNotToBeSigned:
    """For systems that differ, do not, or are equal, however they are compared."""

    @every
    def test_facts(self, kind, how):
        """A system is better only if that is significant, at most so much worse only if shown."""
        comparisons, shown, _ = outputs(kind, how)
        alpha = comparisons[0].alpha
        for text in shown.values():
            for one, other in re.findall(rf"{NAME} is better than {NAME}", text):
                assert any(pair.significant for pair in of_pair(comparisons, one, other))
            for one, other in re.findall(rf"{NAME} is at most [\d.]+ \w+ worse than {NAME}", text):
                pairs = of_pair(comparisons, one, other)
                # Nor is it said of a system that is better.
                assert any(pair.p_not_worse < alpha and not pair.significant for pair in pairs)
            for one, other in re.findall(rf"{NAME} and {NAME} differ by less than", text):
                assert any(pair.p_equivalent < alpha for pair in of_pair(comparisons, one, other))
            assert not re.search(r"is better than \w+ by|is better on \d+ of", text)
            if not any(pair.significant for each in comparisons for pair in each.pairs):
                assert "is statistically significant" not in text
                assert "통계적으로 유의합니다" not in text
            if not any(each.margin for each in comparisons):
                assert "Shown: " not in text

    @every
    def test_what_no_test_could_reject(self, kind, how):
        """Undecided pairs are not called anything but undecided; there are no clusters or ranks."""
        comparisons, shown, data = outputs(kind, how)
        if not all(each.undecided for each in comparisons):
            return
        assert kind.startswith("few")
        for each in comparisons:
            assert (each.clusters, each.rank_ranges) == (None, None)
        for name, text in (shown | data).items():
            if name != "json":
                assert "cluster" not in text.lower(), name
                assert not re.search(r"\branks?\b", text), name
            assert "클러스터" not in text
            assert "not statistically significant" not in text
            assert "통계적으로 유의하지 않" not in text
            if name in {"text", "markdown", "html", "latex", "report en"}:
                assert "undecided" in text.lower() or "could not be tested" in text, name

    @every
    def test_marks(self, kind, how):
        """A p-value at the floor has its mark wherever people read it."""
        comparisons, shown, _ = outputs(kind, how)
        floors, others = set(), set()
        for each in comparisons:
            for pair in each.pairs:
                for p, at in (
                    (pair.p_value, pair.at_floor),
                    (pair.p_adjusted, pair.adjusted_at_floor),
                ):
                    (floors if at else others).add(p_value(p))
                others |= {
                    p_value(p)
                    for p in (pair.p_not_worse, pair.p_not_better, pair.p_equivalent)
                    if p is not None
                }
        limit = r"more trials give at most [\d.]+|신뢰도로 [\d.]+|≤ "
        for name, text in shown.items():
            read = re.sub(limit, "", text)
            for p in floors - others:
                if found := re.search(rf"(?<![\d.=]){re.escape(p)}(?! ?†)(?!\d)", read):
                    around = read[max(0, found.start() - 60) : found.end() + 40]
                    pytest.fail(f"{name}: {p} without a mark: {around}")

    @every
    def test_words(self, kind, how):
        """What nothing proves is not said anywhere."""
        comparisons, shown, data = outputs(kind, how)
        for name, text in (shown | data).items():
            assert "randomization of whole runs" not in text
            assert not re.search(r"p = 0\.005\b", text)
            assert "for 1 tests" not in text
            if not name.startswith("report"):
                assert not re.search(r"Holm's (method|correction) for 1 ", text)
            assert "on 0 of them" not in text or kind != "equal"
            for said in re.findall(r"(\d+)% of pairs|humans agree\D+(\d+)", text):
                assert int("".join(said)) >= 50
        for each in comparisons:
            assert all((pair.human_agreement or 1) >= 0.5 for pair in each.pairs)
        if "runs" in how or "unpaired" in how:
            for text in shown.values():
                assert "randomization" not in text
