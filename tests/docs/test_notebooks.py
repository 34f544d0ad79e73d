"""The notebooks are those of the pages, and each cell prints what it shows."""

import ast
import contextlib
import io
import json
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
def test_every_cell_prints_what_it_shows(name, monkeypatch):
    """All cells run from top to bottom in one session."""
    monkeypatch.chdir(ROOT)
    names = {"__name__": "__main__"}
    cells = [cell for cell in read(name)["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 8
    assert any(cell["outputs"] for cell in cells)
    for cell in cells:
        assert run_cell(cell["source"], names) == recorded(cell), cell["source"]


def test_texts_have_no_marks_of_pages():
    """Links lead to the repository, no example is left in the text, and no HTML."""
    for name in MAKE["NOTEBOOKS"]:
        for cell in read(name)["cells"]:
            if cell["cell_type"] == "markdown":
                for mark in (">>>", "```python", "<details>", "<summary>", "](..", "](figures"):
                    assert mark not in cell["source"], cell["source"]


def test_a_wrong_cell_is_seen():
    """A cell that prints something else, or nothing, differs from what it shows."""
    for source in ("print(2)", "3", "x = 2"):
        cell = {"outputs": [{"output_type": "stream", "text": "3\n"}]}
        assert run_cell(source, {}) != recorded(cell)
    assert run_cell("x = 1\nprint(x)\nx + 1", {}) == ("1\n", "2")
