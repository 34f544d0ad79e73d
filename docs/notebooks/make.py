"""Make notebooks of pages: their text, and their examples as cells with the recorded output.

Run it in the root of the repository: ``python docs/notebooks/make.py``. A test runs every cell, and
compares the notebooks with the pages.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
from pathlib import Path
from posixpath import normpath
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parent
SITE = "https://github.com/truebleu/truebleu/blob/main/docs/"

COURSE = ["tokens", "clipping", "ngrams", "mean", "brevity", "corpus", "smoothing", "limits"]
NOTEBOOKS = {
    "bleu": [f"course/{name}.md" for name in COURSE],
    "evaluation": ["evaluation.md"],
}
BEGIN = """Install truebleu first, and run this notebook in a clone of the repository, as it reads
files in `examples/`. It is made of {pages}."""

FENCE = re.compile(r"(?ms)^( *)```python\n(.*?)^\1```\n")


def page_cells(page: str) -> list[dict[str, Any]]:
    """Split a page into cells: text, and each example with what it prints."""
    text = (DOCS / page).read_text("utf-8")
    cells: list[dict[str, Any]] = []
    end = 0
    for match in FENCE.finditer(text):
        cells += text_cell(page, text[end : match.start()])
        cells += code_cells(re.sub(f"(?m)^{match[1]}", "", match[2]))
        end = match.end()
    return cells + text_cell(page, text[end:])


def text_cell(page: str, text: str) -> list[dict[str, Any]]:
    """Return text as a cell, or nothing; links and images lead to the repository."""

    def absolute(link: re.Match[str]) -> str:
        path = normpath(f"{page}/../{link[2]}")
        return f"{link[1]}({SITE}{path}{'?raw=true' * link[1].startswith('!')})"

    text = re.sub(r"</?details>\n", "", text)
    text = re.sub(r"<summary>(.*)</summary>", r"**\1**", text)
    text = re.sub(r"(!?\[[^]]*\])\((?!https?:)([^)#]+[^)]*)\)", absolute, text).strip()
    return [{"cell_type": "markdown", "metadata": {}, "source": text}] if text else []


def code_cells(block: str) -> list[dict[str, Any]]:
    """Return the examples of a block: a cell ends where something is printed."""
    cells, source = [], ""
    examples = doctest.DocTestParser().get_examples(block)
    for example in examples:
        source += example.source
        if example.want or example is examples[-1]:
            cells.append(code_cell(source.rstrip("\n"), example.want.rstrip("\n")))
            source = ""
    return cells


def code_cell(source: str, printed: str) -> dict[str, Any]:
    """Return a cell, with its output in the form that Jupyter gives it."""
    last = ast.parse(source).body[-1]
    shown = isinstance(last, ast.Expr) and not (
        isinstance(last.value, ast.Call) and ast.unparse(last.value.func) == "print"
    )
    outputs: list[dict[str, Any]] = []
    if printed and shown:
        outputs = [
            {
                "output_type": "execute_result",
                "execution_count": None,
                "metadata": {},
                "data": {"text/plain": printed},
            }
        ]
    elif printed:
        outputs = [{"output_type": "stream", "name": "stdout", "text": f"{printed}\n"}]
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "source": source,
        "outputs": outputs,
    }


def notebook(name: str) -> str:
    """Return the file of a notebook."""
    pages = NOTEBOOKS[name]
    links = ", ".join(f"[{page}]({SITE}{page})" for page in pages)
    cells = [*text_cell(pages[0], BEGIN.format(pages=links))]
    for page in pages:
        cells += page_cells(page)
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    whole = {
        "cells": numbered,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all notebooks."""
    for name in NOTEBOOKS:
        (HERE / f"{name}.ipynb").write_text(notebook(name), "utf-8")


if __name__ == "__main__":
    main()
