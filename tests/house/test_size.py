"""What users feel does not grow: an addition is paid for elsewhere. Lines are only reported."""

import subprocess
import sys

import pytest
import truebleu
from house import map as sizes
from project import ROOT

FEWEST = 0.9


def test_names_and_options():
    """No more than were reached; who has taken some away writes down what is reached now."""
    for what, now in (("names", len(truebleu.__all__)), ("options", sizes.options())):
        assert FEWEST * sizes.REACHED[what] <= now <= sizes.REACHED[what], what


def test_the_page_for_contributors():
    """It stays a page that one reads before the first edit."""
    size = (ROOT / "CONTRIBUTING.md").stat().st_size
    assert size <= sizes.REACHED["CONTRIBUTING"] <= 15_000


def test_the_wheel():
    """That of Linux on x86-64 is at most 3% larger; `make test` has built it."""
    built = sizes.wheel()
    if built is None:
        pytest.skip("there is no wheel: `make wheel` builds it")
    assert FEWEST * sizes.REACHED["wheel"] <= built <= sizes.WHEEL_ROOM * sizes.REACHED["wheel"]


def test_the_map():
    """It has every room with what it is for, and every measure."""
    command = [sys.executable, "tests/house/map.py", "--all"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    for room in ("significance/ ", "parts.py ", "tokenize/ ", "  pair.py "):
        [line] = [line for line in lines if room in line]
        assert len(line.partition(room)[2].split()) > 2, line
    for what, now, goal in sizes.measured():
        assert any(line.split() == f"{what} {now} {goal}".split() for line in lines), what


def test_sentences():
    """The file has what is raised, printed and drawn, and the Korean below the English."""
    subprocess.run([sys.executable, "tests/house/sentences.py"], cwd=ROOT, check=True)
    text = (ROOT / "target" / "sentences.txt").read_text("utf-8")
    assert text.count("\n") > 3000
    assert "\n       BLEU는 100점 만점에 {score}점" in text.partition("# korean.json")[0]
    for name in (
        "python/truebleu/errors.py",
        "crates/core/src/error.rs",
        "site/playground/words.js",
    ):
        assert f"\n# {name}\n" in text
    assert '"""' not in text
