"""Faults are made, found and recorded; none is left out."""

import ast
import subprocess

import pytest
from project import ROOT

from campaign.mutants import operators, run

TINY = '''"""A module."""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 3


def clipped(number: int, lowest: int = 0, *, strict: bool = False) -> "Any":
    """Return a number within its bounds."""
    if strict and not lowest <= LIMIT:
        raise ValueError(f"{LIMIT + 1}")
    found = min(max(number, lowest), LIMIT)
    return divmod([found][number * 0 :][0] * 2, 2)[0] if found else None
'''

TESTS = '''"""Tests of the module."""
from truebleu.tiny import clipped

def test_clipped():
    assert clipped(2) == 2 and clipped(9) == 3
'''


def write(folder, files):
    """Write files into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_mutants_of_a_module(tmp_path):
    """Each operator makes its mutants, which are programs, and differ from each other."""
    path = write(tmp_path, {"tiny.py": TINY}) / "tiny.py"
    made = operators.mutants_of(path, tmp_path)
    source = TINY.encode()
    programs = {
        ast.unparse(ast.parse(source[: each.begin] + each.new.encode() + source[each.end :]))
        for each in made
    }
    assert len(programs) == len(made)
    assert ast.unparse(ast.parse(source)) not in programs
    assert [(each.id.split(":")[1], each.operator, each.new) for each in made] == [
        ("", "constant", "4"),
        ("clipped", "constant", "True"),
        ("clipped", "constant:2", "1"),
        ("clipped", "condition", "(not (strict and (not lowest <= LIMIT)))"),
        ("clipped", "and-or", "(strict or not lowest <= LIMIT)"),
        ("clipped", "not", "(lowest <= LIMIT)"),
        ("clipped", "compare", "(lowest < LIMIT)"),
        ("clipped", "drop", "pass"),
        ("clipped", "min-max", "max"),
        ("clipped", "min-max:2", "min"),
        ("clipped", "return", "None"),
        ("clipped", "condition", "(not (found))"),
        ("clipped", "swap", "(divmod(2, [found][number * 0:][0] * 2))"),
        ("clipped", "arithmetic", "([found][number * 0:][0] / 2)"),
        ("clipped", "slice", "(number * 0) + 1"),
        ("clipped", "arithmetic:2", "(number / 0)"),
        ("clipped", "constant", "1"),
        ("clipped", "constant:2", "1"),
        ("clipped", "constant:3", "3"),
        ("clipped", "constant:4", "3"),
        ("clipped", "constant:5", "1"),
    ]


def test_ids_are_stable():
    """The same mutants are chosen again; each folder has some, and each id is there once."""
    package = ROOT / "python" / "truebleu"
    chosen = operators.chosen(package, ROOT, run.NUMBER, run.SEED)
    assert chosen == operators.chosen(package, ROOT, run.NUMBER, run.SEED)
    assert len({each.id for each in chosen}) == len(chosen) >= 200
    folders = {each.path.split("/")[2] for each in chosen}
    assert folders >= {path.parent.name for path in package.glob("*/__init__.py")}


def test_an_edit_changes_few(tmp_path):
    """What is chosen, and its ids, depend on functions and lines, not on numbers of lines."""
    lines = "".join(f"def f{index}(x):\n    return x + x % 3\n" for index in range(30))
    found = []
    for text in (lines, f"ADDED = 1\n\n{lines}"):
        package = write(tmp_path, {"package/module.py": text}) / "package"
        found.append({each.id for each in operators.chosen(package, tmp_path, 20, 1)})
    assert len(found[0] & found[1]) >= len(found[0]) - 2 > 10


def test_the_list_of_faults():
    """Each text is once in its file, is changed, and has an id of its own."""
    faults = run.faults()
    assert len({each.id for each in faults}) == len(faults) >= 100
    for each in faults:
        assert (ROOT / each.path).read_bytes()[each.begin : each.end] != each.new.encode()


def test_judgements_are_of_lines_that_exist():
    """A judgement whose line has changed has to be made again."""
    for path, _, line, _, reason in run.table("equivalent.tsv"):
        assert line in (ROOT / path).read_text("utf-8"), line
        assert reason


@pytest.mark.campaign
def test_found_and_recorded(tmp_path, monkeypatch, capsys):
    """A fault that a test finds, one that none finds, one judged, and one for which time is up."""
    conftest = "from hypothesis import settings\nsettings.register_profile('quick')\n"
    project = write(
        tmp_path / "project",
        {
            "python/truebleu/__init__.py": "",
            "python/truebleu/tiny.py": TINY,
            "tests/metrics/test_tiny.py": TESTS,
            "tests/analysis/test_broken.py": "def test_broken():\n    assert False\n",
            "tests/conftest.py": conftest,
        },
    )
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)
    monkeypatch.setattr(run, "ROOT", project)
    monkeypatch.setattr(run.Copy, "build", lambda *_: None)
    path = project / "python" / "truebleu" / "tiny.py"
    mutants = {each.operator: each for each in reversed(operators.mutants_of(path, project))}
    by_maximum, compared = mutants["min-max"], mutants["compare"]
    [strict] = [each for each in operators.mutants_of(path, project) if each.new == "True"]
    judged = [strict.path, strict.operator, strict.line, strict.new, "no test sets it"]
    monkeypatch.setattr(run, "table", lambda _: [judged])
    work = tmp_path / "work"
    test = "tests/metrics/test_tiny.py::test_clipped"
    everything = [by_maximum, strict, compared]

    def outcomes(rows):
        return [row[1:3] for row in rows]

    # A run that ends early goes on later, without what is finished.
    assert outcomes(run.attempt_all([by_maximum], work, 9)) == [["make quick", test]]
    assert outcomes(run.finished(everything, work))[1:] == [["not run", ""]] * 2
    # A test that fails without the fault has not found it.
    assert outcomes(run.attempt_all([compared], work, 9)) == [["not run", ""]]
    assert outcomes(run.attempt_all([compared], work, 9)) == [["survived", ""]]
    assert outcomes(run.attempt_all([strict], work, 9, 0)) == [["equivalent", "no test sets it"]]
    monkeypatch.setattr(run, "table", lambda _: [])
    [[outcome, why]] = outcomes(run.finished([strict], work))
    assert (outcome, why.startswith("not found before tests/")) == ("undecided", True)
    rows = run.finished(everything, work)
    assert rows[0][:3] == [by_maximum.id, "make quick", test]
    assert run.attempt_all(everything, work, 0) == rows
    assert path.read_text("utf-8") == TINY
    assert run.summary(rows).splitlines()[-1] == "| all | 3 | 0 | 0 | 1 | 0 | 1 | 1 | 0 | 0 |"
    assert "1/1" in capsys.readouterr().out
