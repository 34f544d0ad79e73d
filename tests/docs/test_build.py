"""The track in which readers write the metrics: empty functions fail, and solutions pass."""

import ast
import doctest
import random
import re
import subprocess
import sys

import pytest
from project import ROOT
from test_docs import blocks, run_doctest
from truebleu import Bleu

DOCS = ROOT / "docs"
TEXT = (DOCS / "build.md").read_text("utf-8")


def python(text):
    """Return the Python of a text, block by block."""
    return [block for _, block in blocks(text, "python")]


def functions(block):
    """Return the source and the docstring of each function of a block."""
    found = [each for each in ast.parse(block).body if isinstance(each, ast.FunctionDef)]
    return {
        each.name: (ast.get_source_segment(block, each), ast.get_docstring(each)) for each in found
    }


def examples(text, names):
    """Return the examples of a text, to be run with these names."""
    return doctest.DocTestParser().get_doctest(text, names, "page", "page", 0)


def failed(test):
    """Run examples; count those that fail, of those that show something."""
    shown = sum(bool(example.want) for example in test.examples)
    return doctest.DocTestRunner().run(test, out=str, clear_globs=False).failed, shown


def test_empty_functions_fail_and_solutions_pass(monkeypatch):
    """Every test of an empty function fails, and passes with the solution below it."""
    monkeypatch.chdir(ROOT)
    names, empty = {"__name__": "my_bleu"}, {}
    for block in python(TEXT):
        if block.startswith(">>>"):
            test = examples(block, names)
            assert run_doctest(test) == ""
            names.update(test.globs)
            continue
        exec(block, names)
        if empty:
            assert list(functions(block)) == list(empty)
            for _, tests in empty.values():
                assert run_doctest(examples(tests, names)) == ""
            empty = {}
        else:
            empty = functions(block)
            for name, (_, tests) in empty.items():
                found, shown = failed(examples(tests, names))
                assert found == shown > 1, name
    assert empty == {}


def test_the_file_of_a_reader(tmp_path):
    """``python -m doctest my_bleu.py`` names each empty function, and then prints nothing."""
    file = tmp_path / "my_bleu.py"
    code = [block for block in python(TEXT) if block[:3] != ">>>"]
    start, empty, solutions = code[0], code[1::2], code[2::2]
    written = {
        name: source for block in solutions for name, (source, _) in functions(block).items()
    }

    def check(*parts):
        file.write_text("\n\n".join([start, *parts]))
        command = [sys.executable, "-m", "doctest", "my_bleu.py"]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
        )
        return done.stdout, done.stderr

    out, _ = check(*empty)
    assert {name for name in written if f"in my_bleu.{name}\n" in out} == set(written)
    text = "\n\n".join(empty)
    for name, (source, _) in functions(text).items():
        text = text.replace(source, source + "\n" + written[name].partition("\n")[2])
    assert check(text) == ("", "")


@pytest.mark.parametrize("page", ["build.md", "errata.md"])
def test_korean_pages_keep_in_step(page):
    """A page has the code, the headings, the tables and the folds of the English one."""
    english, korean = (path.read_text("utf-8") for path in (DOCS / page, DOCS / "ko" / page))
    for language in "python", "sh":
        code = [[block for _, block in blocks(text, language)] for text in (english, korean)]
        assert code[0] == code[1]
    for part in (r"(?m)^#+ ", r"(?m)^\|", r"</?details>", r"\w+\.md(?=[#)])"):
        assert re.findall(part, korean) == re.findall(part, english), part


def test_solutions_are_folded():
    """They come after the empty functions, and only whoever wants to see them does."""
    folds = re.findall(r"(?s)<details>\n<summary>[^<]+</summary>\n\n(.*?)\n\n</details>", TEXT)
    code = [block for block in python(TEXT) if block[:3] != ">>>"]
    assert folds == [f"```python\n{block}```" for block in code[2::2]]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:each of . segments has . references")
def test_bleu_in_25_lines():
    """The one of the errata has so many lines, and the scores of the library, to the last digit."""
    block = python((DOCS / "errata.md").read_text("utf-8"))[-1]
    code = [each.source for each in doctest.DocTestParser().get_examples(block)][:2]
    assert "".join(code).count("\n") == 25
    names = {}
    exec("import math\nfrom collections import Counter\n" + "".join(code), names)
    plain, drawn, perfect = Bleu(tokenizer="none", smoothing="none"), random.Random(40), 0
    for _ in range(20_000):
        texts = [" ".join(drawn.choices("abc", k=drawn.randint(3, 7))) for _ in range(4)]
        references = [texts[:2], texts[2:]][: drawn.randint(1, 2)]
        others = [drawn.choice([several[0], drawn.choice(texts)]) for several in references]
        score = plain.corpus(others, references).score
        assert names["bleu"](others, references) == score, (others, references)
        perfect += score == 100
    assert perfect > 2_400
