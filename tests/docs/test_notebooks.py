"""The notebooks are those of the pages, and each cell prints what it shows."""

import ast
import base64
import contextlib
import io
import json
import re
import runpy

import pytest
from project import ROOT

FOLDER = ROOT / "docs" / "notebooks"
MAKE = runpy.run_path(str(FOLDER / "make.py"))


def read(name):
    """Read a notebook."""
    return json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))


def run_cell(source, names):
    """Run a cell as Jupyter does: return what it prints, and the text of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), None if value is None else repr(value)


def recorded(cell):
    """Return what a cell shows, in the same form."""
    printed, value = "", None
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            printed += output["text"]
        else:
            value = output["data"]["text/plain"]
    return printed, value


def test_they_are_made_of_the_pages():
    """``python docs/notebooks/make.py`` would change nothing."""
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(MAKE["NOTEBOOKS"])
    for name in MAKE["NOTEBOOKS"]:
        assert (FOLDER / f"{name}.ipynb").read_text("utf-8") == MAKE["notebook"](name), name


@pytest.mark.parametrize("name", MAKE["NOTEBOOKS"])
def test_every_cell_prints_what_it_shows(name, monkeypatch, tmp_path):
    """All cells run from top to bottom in one session, in a folder without any file."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    cells = [cell for cell in read(name)["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5
    assert any(cell["outputs"] for cell in cells)
    for cell in cells:
        assert run_cell(cell["source"], names) == recorded(cell), cell["source"]


@pytest.mark.parametrize("name", MAKE["NOTEBOOKS"])
def test_texts_stand_by_themselves(name):
    """Links lead to the repository, figures are attached, and no example is left in the text."""
    figures = 0
    for cell in read(name)["cells"]:
        if cell["cell_type"] == "markdown":
            for mark in (">>>", "```python", "](..", "](figures", ".md#)"):
                assert mark not in cell["source"], cell["source"]
            attached = cell.get("attachments", {})
            named = re.findall(r"\(attachment:(.*?)\)", cell["source"])
            assert sorted(named) == sorted(attached)
            for figure in attached.values():
                assert b"<svg" in base64.b64decode(figure["image/svg+xml"])
            figures += len(named)
    texts = [(ROOT / "docs" / page).read_text("utf-8") for page in MAKE["NOTEBOOKS"][name]]
    assert figures == sum(text.count("![") for text in texts)


@pytest.mark.parametrize("name", ["bleu", "bleu_ko"])
def test_answers_are_folded(name):
    """Each page has answers; their text is folded, and so are their code and its output."""
    cells = read(name)["cells"]
    folded = [cell for cell in cells if cell["source"].startswith("<details>")]
    titles = [
        cell for cell in folded if re.match("<details>\n?<summary>(Answers|답)<", cell["source"])
    ]
    assert len(titles) == len(MAKE["NOTEBOOKS"][name])
    for cell in cells:
        if cell["cell_type"] == "markdown":
            assert cell["source"].count("<details>") == cell["source"].count("</details>")
    hidden = [cell for cell in cells if cell["metadata"]]
    assert len(hidden) > len(titles)
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for cell in hidden)


def test_a_wrong_cell_is_seen():
    """A cell that prints something else, or nothing, differs from what it shows."""
    for source in ("print(2)", "3", "x = 2"):
        cell = {"outputs": [{"output_type": "stream", "text": "3\n"}]}
        assert run_cell(source, {}) != recorded(cell)
    assert run_cell("x = 1\nprint(x)\nx + 1", {}) == ("1\n", "2")
