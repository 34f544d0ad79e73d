"""The pages for users of other packages run with these, as far as they are installed."""

import doctest
import inspect
import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests" / "docs")]
import other_packages  # noqa: E402

PAGES = [f"{page}.md" for page in other_packages.PAGES]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", PAGES)
def test_page(page, monkeypatch):
    """Each block prints what the page says."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TRUEBLEU_REAL", "1")
    if folder := os.environ.get("TRUEBLEU_EVALUATE"):
        evaluate = pytest.importorskip("evaluate")
        load = evaluate.load
        monkeypatch.setattr(evaluate, "load", lambda name: load(f"{folder}/{name}"))
    text = (ROOT / page).read_text("utf-8")
    code = "\n".join(re.findall(r"(?ms)^```python\n(.*?)^```$", text))
    wrong = []
    with other_packages.for_page(page):
        test = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
        doctest.DocTestRunner().run(test, out=wrong.append)
    assert "".join(wrong) == ""


def test_versions():
    """What is installed has the versions that docs/migrate.md names."""
    table = (ROOT / "docs" / "migrate.md").read_text("utf-8").partition("<!-- versions -->")[2]
    named = dict(re.findall(r"\| ([\w-]+) (\d[\d.]*) \|", table.partition("\n\n")[0]))
    installed = {name: version(name) for name in named if other_packages.is_installed(name)}
    assert installed == {name: named[name] for name in installed}


def test_rewards():
    """TRL calls rewards as docs/trainers.md says."""
    trl = pytest.importorskip("trl")
    source = inspect.getsource(trl.GRPOTrainer._calculate_rewards)
    assert re.search(r"reward_func\(\s*prompts=prompts, completions=completions, ", source)
