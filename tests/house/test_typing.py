"""A small program that uses all of the package has no error under strict type checkers."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import truebleu
from project import ROOT

PROJECT = Path(__file__).parent / "typing_project"
MODULES = sorted(PROJECT.glob("*.py"))
PACKAGE = Path(truebleu.__file__).parents[1]


def checked(folder, *command):
    """Run a type checker in a folder; return the errors in its files, and all that it prints."""
    # Checkers find what is installed by themselves.
    paths = {} if "site-packages" in PACKAGE.parts else {"MYPYPATH": str(PACKAGE)}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **paths},
        check=False,
        timeout=600,
    )
    # Those in the package depend on what else is installed, and `make lint` reports them.
    found = re.findall(r"(?m)^ *(?:/\S*/)?(\w+)\.py:(\d+):.*\berror\b", done.stdout)
    ours = {path.stem for path in folder.glob("*.py")}
    return [f"{name}:{line}" for name, line in found if name in ours], done.stdout + done.stderr


def test_the_program_uses_everything():
    """Every public name is used by it, not only imported."""
    used = {
        node.id
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name)
    }
    assert set(truebleu.__all__) - used == set()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_program_runs(path, monkeypatch, tmp_path):
    """What the type checkers accept works."""
    monkeypatch.chdir(ROOT)
    names = {"__name__": path.stem}
    exec(compile(path.read_text("utf-8"), path, "exec"), names)
    if "write" in names:
        names["write"](tmp_path)
        assert (tmp_path / "report.html").exists()


CHECKERS = {"mypy": ["mypy", "."], "basedpyright": ["basedpyright", "--pythonpath", sys.executable]}


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_accepts_the_program(checker, tmp_path):
    """Under strict settings; a wrong type or name is an error, so it is really checked."""
    pytest.importorskip(checker)
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    wrong = 'import truebleu\n\nx: int = truebleu.corpus_bleu(["a"], ["a"])\n'
    wrong += 'truebleu.Bleu(tokenizer="14a")\ntruebleu.corpus_blue(["a"], ["a"])\n'
    (tmp_path / "wrong.py").write_text(wrong, "utf-8")
    found, printed = checked(tmp_path, *CHECKERS[checker])
    assert set(found) == {"wrong:3", "wrong:4", "wrong:5"}, printed
