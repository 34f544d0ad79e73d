"""What the tutorials on BLEU contain, and where a page has it, in English and Korean."""

import pytest
from project import ROOT

TABLE = ROOT / "tests" / "docs" / "tutorials.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize("language", ["English", "Korean"])
def test_every_item_has_its_place(language):
    """The page has the text."""
    for number, item, *places in ROWS:
        page, text = places[:2] if language == "English" else places[2:]
        words = " ".join((ROOT / "docs" / page).read_text("utf-8").split())
        assert text in words, (number, item)


def test_the_table_has_all_tutorials():
    """Each of the five has items, and none is listed twice."""
    assert {number for number, *_ in ROWS} == set("12345")
    assert len({item for _, item, *_ in ROWS}) == len(ROWS) > 50
    assert all(len(row) == 6 and all(row) for row in ROWS)
