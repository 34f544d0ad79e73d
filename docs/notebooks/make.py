"""Make notebooks of pages: their text and figures, and their examples as cells with their output.

A notebook needs no other file: figures are attached, and the files that it reads are inside.
Answers of exercises are folded.

Run it in the root of the repository: ``python docs/notebooks/make.py``. A test runs every cell, and
compares the notebooks with the pages.
"""

from __future__ import annotations

import ast
import base64
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
    "bleu_ko": [f"ko/{name}.md" for name in COURSE],
    "evaluation": ["evaluation.md"],
}
FILES = {
    "bleu": ["system-weak.en", "reference-a.en"],
    "evaluation": [
        *("system-medium.en", "system-strong.en", "reference-a.en", "reference-b.en"),
        "documents.txt",
    ],
}
FILES["bleu_ko"] = FILES["bleu"]
BEGIN = "Install truebleu first. The folded cell below writes the files that the examples read."
BEGIN_KO = "먼저 truebleu를 설치하십시오. 아래의 접힌 셀이 예제에서 읽는 파일을 만듭니다."

FENCE = re.compile(r"(?ms)^( *)```python\n(.*?)^\1```\n")
TRANSLATION = re.compile(r"(?m)^\[(?:한국어|English)\]\(.*\)\n\n")
IMAGE = re.compile(r"!\[([^]]*)\]\(([^)]*)\)")
# How JupyterLab and Colab fold a cell.
FOLDED = {"cellView": "form", "jupyter": {"outputs_hidden": True, "source_hidden": True}}


def page_cells(page: str) -> list[dict[str, Any]]:
    """Split a page into cells: text, and each example with what it prints."""
    text = TRANSLATION.sub("", (DOCS / page).read_text("utf-8"), count=1)
    before, _, rest = text.partition("<details>\n")
    answers, _, after = rest.partition("</details>\n")
    return [*cells_of(page, before), *map(folded, cells_of(page, answers)), *cells_of(page, after)]


def cells_of(page: str, text: str) -> list[dict[str, Any]]:
    """Split a part of a page into cells."""
    cells: list[dict[str, Any]] = []
    end = 0
    for match in FENCE.finditer(text):
        cells += text_cell(page, text[end : match.start()])
        cells += code_cells(re.sub(f"(?m)^{match[1]}", "", match[2]))
        end = match.end()
    return cells + text_cell(page, text[end:])


def folded(cell: dict[str, Any]) -> dict[str, Any]:
    """Fold a cell of an answer: a text in itself, code by what programs know of it."""
    if cell["cell_type"] == "code":
        return {**cell, "metadata": FOLDED}
    head, end, text = cell["source"].rpartition("</summary>")
    number = re.match(r"\d+", text)
    summary = head + end or f"<summary>{number[0] if number else '…'}</summary>"
    return {**cell, "source": f"<details>{summary}\n\n{text.strip()}\n\n</details>"}


def text_cell(page: str, text: str) -> list[dict[str, Any]]:
    """Return text as a cell, or nothing; links lead to the repository, and images are attached."""
    folder = (DOCS / page).parent
    images = {path for _, path in IMAGE.findall(text)}
    text = IMAGE.sub(lambda image: f"![{image[1]}](attachment:{Path(image[2]).name})", text)

    def absolute(link: re.Match[str]) -> str:
        path = normpath(f"{page}/../{link[2]}")
        return f"{link[1]}({SITE}{path})"

    text = re.sub(r"(\[[^]]*\])\((?!https?:|attachment:)([^)#]+[^)]*)\)", absolute, text).strip()
    cell: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": text}
    if images:
        cell["attachments"] = {
            Path(path).name: {
                "image/svg+xml": base64.b64encode((folder / path).read_bytes()).decode()
            }
            for path in sorted(images)
        }
    return [cell] if text else []


def files_cell(names: list[str]) -> dict[str, Any]:
    """Return a cell that writes examples/, where it is missing."""
    folder = DOCS.parent / "examples"
    files = {name: (folder / name).read_text("utf-8").splitlines() for name in names}
    source = f"""from pathlib import Path

files = {json.dumps(files, indent=1, ensure_ascii=False)}
for name, lines in files.items():
    path = Path("examples", name)
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        path.write_text("\\n".join([*lines, ""]), "utf-8")"""
    return {**code_cell(source, ""), "metadata": FOLDED}


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
    begin = BEGIN_KO if name.endswith("_ko") else BEGIN
    cells = [*text_cell(pages[0], begin), files_cell(FILES[name])]
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
