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
from public_names import PUBLIC

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
    assert {*PUBLIC} - used == set()


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

RIGHT = """
from pathlib import Path
from truebleu import Bleu, SentencePiece, corpus_bleu

Bleu(smoothing="floor", tokenizer="13a", reference_length="average", unicode_form="NFC")
Bleu(tokenizer=SentencePiece("x"))
Bleu(tokenizer=SentencePiece(Path("x")))
Bleu(tokenizer=str.split)
Bleu(tokenizer=lambda text: text.split())
Bleu(tokenizer="pretokenized", unicode_form=None)
corpus_bleu(["a"], ["a"], smoothing="exp")
"""

# What comes back depends on an argument, and a type checker knows which.
OVERLOADS = """
import pyarrow as pa  # type: ignore[import-untyped]
from typing_extensions import assert_type
from truebleu import Comparison
from truebleu.generation.decoding import Choice
from truebleu import Comparisons, Score
from truebleu import Ter, compare, mbr, tokenize
from truebleu.engines import arrow

assert_type(tokenize("a"), list[str])
assert_type(tokenize("a", offsets=True), list[tuple[str, int, int]])
assert_type(mbr(["a", "b"]), Choice)
assert_type(compare({"a": ["b"]}, ["b"], alpha=0.1), Comparison)
assert_type(compare({"a": ["b"]}, ["b"], metrics="chrf++", seed=None), Comparison)
several = compare({"a": ["b"]}, ["b"], metrics=["bleu", Ter()], n_resamples=39)
assert_type(several, Comparisons)
assert_type(several["TER"], Comparison)
assert_type(arrow.corpus_score("a.csv", "hyp", "ref"), Score)
scores = arrow.corpus_score("a.csv", "hyp", "ref", group_by="lang")
assert_type(scores, pa.Table)
"""

WRONG = """
import truebleu
from truebleu import Bleu, corpus_bleu

x: int = corpus_bleu(["a"], ["a"])
truebleu.corpus_blue(["a"], ["a"])
Bleu(smoothing="flor")
Bleu(tokenizer="14a")
Bleu(tokenizer=None)
Bleu(unicode_form="nfc")
Bleu(reference_length="close")
corpus_bleu(["a"], ["a"], smoothing="flor")
"""


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_accepts_the_program(checker, tmp_path):
    """Under strict settings; each wrong type or name is an error, so it is really checked."""
    pytest.importorskip(checker)
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    (tmp_path / "right.py").write_text(RIGHT, "utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    if checker == "mypy":  # The other wants types of PyArrow.
        (tmp_path / "overloads.py").write_text(OVERLOADS, "utf-8")
    found, printed = checked(tmp_path, *CHECKERS[checker])
    calls = enumerate(WRONG.splitlines(), 1)
    wrong = {f"wrong:{number}" for number, call in calls if "(" in call}
    assert set(found) == wrong, printed
