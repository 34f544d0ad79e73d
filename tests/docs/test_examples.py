"""The programs in examples/ print what they should."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from project import ROOT, SHORT_JOBS
from truebleu import Bleu, Chrf, SavedStats, Ter, read_lines

FOLDER = ROOT / "examples"
PROGRAMS = {"all_reduce", "five_systems", "read_statistics", "spark_job", "training_loop"}


def run(name, *arguments):
    """Run a program; return what it prints. A warning is an error."""
    command = [sys.executable, "-W", "error::UserWarning", f"examples/{name}.py", *arguments]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_programs_are_listed():
    """Each is in the README of the folder, and has a test."""
    assert {path.stem for path in FOLDER.glob("*.py")} == PROGRAMS
    text = (FOLDER / "README.md").read_text("utf-8")
    assert set(re.findall(r"(?m)^\| `(\w+)\.py` \|", text)) == PROGRAMS
    tests = Path(__file__).read_text("utf-8") + (ROOT / "tests/docs/test_docs.py").read_text(
        "utf-8"
    )
    assert all(f'run("{name}"' in tests or f"examples/{name}.py" in tests for name in PROGRAMS)


def test_read_statistics(tmp_path):
    """It adds up the rows of each metric and system."""
    texts, references = (read_lines(FOLDER / f"{n}.en") for n in ("system-weak", "reference-a"))
    counted = Bleu().stats(texts, references)
    for name in ("a.jsonl", "a.jsonl.gz"):
        SavedStats({"weak": counted}, Bleu()).write(tmp_path / name)
        printed = run("read_statistics", str(tmp_path / name))
        assert printed == f"BLEU weak {counted.sum().to_numpy()[0].tolist()}\n"


def test_five_systems():
    """Scores are those of the metrics, and what is said of significance is so."""
    printed = run("five_systems")
    streams = [read_lines(FOLDER / f"reference-{letter}.en") for letter in "ab"]
    for name in ("strong", "medium", "weak"):
        hypotheses = read_lines(FOLDER / f"system-{name}.en")
        for metric in (Bleu(), Chrf(word_order=2), Ter()):
            score = metric.corpus(hypotheses, reference_streams=streams).score
            assert f"{name} {score:.2f}" in printed
    bleu, rest = printed.split("chrF2++\n", 1)
    assert bleu.startswith("BLEU\n  1. strong 59.79\n  2. lowercased 53.05\n")
    # That is of 30 tests, though its interval excludes 0.
    assert bleu.count("not significant") == bleu.count("medium - medium 2") == 1
    # TER ignores case.
    assert "\nTER\n  1. strong 34.59, lowercased 34.59\n" in rest
    assert printed.splitlines()[-1] == "the metrics rank medium and medium 2 differently"


def test_a_training_loop():
    """The score rises, training stops when it no longer does, and the best model is kept."""
    printed = run("training_loop")
    epochs = [
        (float(score), bool(star))
        for score, star in re.findall(r"(?m)^epoch \d+: chrF2 ([\d.]+)( \*)?$", printed)
    ]
    best = max(score for score, _ in epochs)
    assert best > epochs[0][0] + 2
    assert [star for _, star in epochs[-2:]] == [False, False]
    assert (best, True) == epochs[-3]
    assert f"best: {best:.2f}, {best:.2f} again\n" in printed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore", "error::UserWarning")
def test_a_spark_job(tmp_path, monkeypatch, capsys):
    """It prints the score of each system, and stores a row of statistics for each.

    It uses the Spark that runs, if tests before have started one.
    """
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("pyspark")
    place = tmp_path / "statistics.parquet"
    options = "--master local[2] --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1"
    arguments = f"{options} {SHORT_JOBS} pyspark-shell"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", arguments)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setattr(sys, "argv", ["spark_job.py", str(place)])
    runpy.run_path(f"{ROOT}/examples/spark_job.py", run_name="__main__")
    expected = []
    for name in ("medium", "strong", "weak"):
        hypotheses, references = (
            read_lines(FOLDER / f"{file}.en") for file in (f"system-{name}", "reference-a")
        )
        expected.append(
            f"{name}: {Bleu().corpus(hypotheses, references).score:.2f} BLEU, 72 segments"
        )
    assert capsys.readouterr().out.splitlines() == expected
    stored = parquet.read_table(place)
    assert stored.column("system").to_pylist() == ["medium", "strong", "weak"]
    assert {"bleu", "key", "segments"} <= set(stored.column_names)
