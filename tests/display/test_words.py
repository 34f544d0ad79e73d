"""The table of what is said in Korean, and the code that says it."""

import ast
import re
from itertools import pairwise

import pytest
from project import ROOT
from truebleu.display.words import words_in

say = words_in("ko")
PACKAGE = ROOT / "python" / "truebleu"


def in_code():
    """Yield each text of several words that code says in a call."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(node, "func", None)
            if name and "say" in (getattr(name, "id", ""), getattr(name, "attr", "")) and node.args:
                for text in ast.walk(node.args[0]):
                    if isinstance(text, ast.Constant) and len(str(text.value).split()) > 1:
                        yield text.value


def in_templates():
    """Yield each text that a template says, in a call or in a list."""
    for path in PACKAGE.glob("reporting/templates/*"):
        for call in re.findall(
            r'\bsay\(("[^"]*"(?: if .*? else "[^"]*")?)', path.read_text("utf-8")
        ):
            yield from re.findall(r'"([^"]*)"', re.sub(r" if .*? else ", "", call))


def in_scripts():
    """Yield each text that a script says as a template, its values as numbers of places."""
    for path in PACKAGE.glob("reporting/assets/*.js"):
        source = path.read_text("utf-8")
        for found in re.finditer(r"\bsay`", source):
            at, depth, places, text = found.end(), 0, 0, ""
            while depth or source[at] != "`":
                opens = source.startswith("${", at)
                depth += (source[at] == "{") - (source[at] == "}")
                if opens and not depth:
                    text, places = f"{text}{{{places}}}", places + 1
                elif not depth and source[at] not in "${}":
                    text += source[at]
                at += 1
            yield text


@pytest.mark.parametrize("texts", [in_code, in_templates, in_scripts])
def test_everything_that_is_said_is_in_the_table(texts):
    """Or the page would fail, or be in two languages."""
    several = {*texts()}
    assert len(several) > 20
    assert several <= {*say.table}


def test_everything_in_the_table_is_said():
    """Each of its words is in the code, beside a word that it has in the table."""
    said = []
    folders = "*.py", "analysis/*.tsv", "reporting/[at]*/*"
    for path in (path for folder in folders for path in PACKAGE.rglob(folder)):
        source = path.read_text("utf-8")
        if path.suffix == ".py":
            constants = (getattr(node, "value", "") for node in ast.walk(ast.parse(source)))
            said += [each for each in constants if isinstance(each, str)]
        else:
            said.append(source)
    texts = [*map(words_of, said)]
    known = {pair for words in texts for pair in pairwise(words)}
    known |= {(word, "") for words in texts for word in words}
    # What is said in parts may have one of a single word.
    known |= {(words[0], words[0]) for words in texts if len(words) == 1}
    unsaid = [
        (word, text)
        for text in say.table
        for piece in re.split(r"{\w+}", text)
        for before, word, after in triples(words_of(piece))
        if not {(before, word), (word, after), (word, word)} & known
    ]
    assert unsaid == []


def words_of(text):
    """Return the words of a text in lower case, all nouns in the singular."""
    return [word.removesuffix("s") for word in re.findall(r"&?[^\W\d_]+", text.lower())]


def triples(words):
    """Return each word with those around it, which are empty for a word alone."""
    # A pair with one of these is in no text.
    padded = [None, *words, None if len(words) > 1 else ""]
    return zip(padded, words, padded[2:], strict=False)


def test_sentences_have_the_same_numbers():
    """Digits that no value fills in, and the places of values."""
    for one, other in say.table.items():
        for what in (r"\d+", r"{(\w+)}"):
            assert sorted(re.findall(what, one)) == sorted(re.findall(what, other)), one


def test_what_was_said_in_english_is_said_again():
    """Every sentence of the table is found by what it looks like with values in its places."""
    for one, other in say.table.items():
        places = dict.fromkeys(re.findall(r"{([a-z]\w*)}", one))
        values = {place: f"no{number}" for number, place in enumerate(places)}
        if values and "&" not in one:
            assert say.again(one.format(**values)) == other.format(**values)


def test_lists_are_said_again():
    """Each of several, and how many more there are."""
    listed = "a - b (about 3), a - c (about 2), b - c (about 2) and 9 more"
    few = "few of 72 segments account for most of the variance"
    text = f"{few}: {listed}; these intervals are unreliable."
    assert "a - b(약 3개), a - c(약 2개), b - c(약 2개) 외 9개. " in say.again(text)


def test_names_stay():
    """What is not in the table comes back, and so does a name inside of a sentence."""
    assert say.again("my.Metric") == "my.Metric"
    assert (
        say.again("match has no output in 2 segments.") == "match: 세그먼트 2개에 출력이 없습니다."
    )
