"""Korean pages have the words of the tutorials, and one word for one thing."""

import re

import pytest
from project import ROOT

FOLDER = ROOT / "docs" / "ko"
PAGES = sorted(path for path in FOLDER.rglob("*.md") if path.stem != "glossary")
GLOSSARY = (FOLDER / "glossary.md").read_text("utf-8")
# Term, English, other names, meaning.
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.splitlines()
    if line.count("|") == 5 and not line.startswith(("|---", "| 용어 |"))
]
# What public tutorials call things, English or Korean.
TUTORIALS = [
    *("Bilingual Evaluation Understudy", "후보", "candidate", "참조", "코퍼스", "유니그램 정밀도"),
    *("최대 횟수", "Max_Ref_Count", "Count_clip", "클리핑", "보정된 정밀도", "modified precision"),
    *("과생성", "overgenerate", "소진", "exhausted", "단어 가방", "bag of words", "TP", "FP"),
    *("간결성 페널티", "브레버티 패널티", "brevity penalty", "최적 일치 길이", "best match length"),
    *("유효 참조 길이", "effective reference length", "마이크로 평균", "micro average"),
    *("매크로 평균", "macro average", "스무딩", "if p_i != 0 else 0"),
    *("퍼플렉시티", "perplexity", "METEOR"),
]


def text_of(page):
    """Return the text of a page, without marks and line breaks."""
    return re.sub(r"\s+", " ", page.read_text("utf-8").replace("*", ""))


def parts(cell):
    """Return the terms in a cell, without what is in brackets."""
    return [part for part in re.sub(r"\(.*?\)|[`*]", "", cell).split(", ") if part]


def test_terms_of_tutorials_are_on_a_page_and_in_the_glossary():
    """Readers find things by the words that they know."""
    pages = " ".join(map(text_of, PAGES))
    for term in TUTORIALS:
        assert term in pages, term
        if term != "if p_i != 0 else 0":
            assert term in GLOSSARY, term


def test_the_glossary_leads_to_its_terms():
    """The page that a row links to has the term."""
    assert len(ROWS) > 50
    for term, _, _, meaning in ROWS:
        [page] = re.findall(r"\((\w+\.md)\)\)$", meaning)
        text = text_of(FOLDER / page)
        for part in parts(term):
            assert part.removesuffix("하다") in text, (part, page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_one_word_for_one_thing(page):
    """Another name for a term is on a page at most once, where the page mentions it."""
    text = text_of(page)
    for _, _, others, _ in ROWS:
        for name in parts(others):
            if re.search("[가-힣]", name):
                assert text.count(name) <= 1, name


@pytest.mark.parametrize("course", ["course", "ko"])
def test_the_course_and_what_is_built_lead_to_each_other(course):
    """A function that is built links the page of its idea, whose last lines link the function."""
    docs = ROOT / "docs"
    page = docs / "ko" / "build.md" if course == "ko" else docs / "build.md"
    sections = re.split("(?m)^## ", page.read_text("utf-8"))[2:]
    assert len(sections) == 9
    for section in sections:
        [idea] = re.findall(r"\n(?:The idea|개념): \[.*?\]\((.*?)\)\.$", section.rstrip())
        back = (page.parent / idea).read_text("utf-8").rpartition("\n\n")[2]
        title = section.partition("\n")[0].lower().replace(" ", "-")
        assert f"build.md#{title})" in back
