"""Public programs return, print, log and raise the same when truebleu counts for them."""

import subprocess

import compare
import pytest
import table
from cache import folder_of
from looping import sampled
from projects import PROJECTS

pytestmark = pytest.mark.slow


def check(project):
    """Compare the calls of a project; skip it if it cannot be had."""
    try:
        folder_of(project)
    except subprocess.CalledProcessError:
        pytest.skip(f"{project.name} {project.version} cannot be downloaded")
    theirs, ours, asked = compare.both(project)
    counts, rest = compare.counted(theirs, ours)
    assert counts["different"] == 0, [each for each in rest if each[0] == "different"]
    assert table.row(project, counts, asked) in table.documented()


# Others test those of NLTK, torchmetrics and evaluate.
NAMES = [name for name in PROJECTS if PROJECTS[name].uses[0] == "sacrebleu"]


# Most of what this one calls are tokenizers that load dictionaries.
LONG = {"subtitle-edit-rate"}


@pytest.mark.parametrize("name", sampled(NAMES, [*{*NAMES[::3]} - LONG]))
def test_client(name):
    """No call differs, and the table of the documentation has as many."""
    check(PROJECTS[name])


def test_table():
    """The table has a row for each project, and the page the sum of all calls."""
    rows = table.documented()
    assert [row.partition("|")[2].partition("|")[0].strip() for row in rows] == [
        f"{project.name} {project.version}" for project in table.ordered()
    ]
    assert len(rows) >= 30
    calls, equal = (sum(int(row.split("|")[cell]) for row in rows) for cell in (3, 4))
    text = table.PAGE.read_text("utf-8")
    assert f"{len(rows)} programs make {calls:,} calls: {equal:,} are equal" in text


def test_what_differs_is_found():
    """A number, a type, a printed text or an exception that is not the same is reported."""
    theirs = {"returns": ["float", "1.0"], "printed": "", "logged": ""}
    assert compare.verdict(theirs, dict(theirs)) == "equal"
    for other in ({"returns": ["float", "1.1"]}, {"returns": ["int", "1"]}, {"printed": "x"}):
        assert compare.verdict(theirs, theirs | other) == "different"
    raised = {"raises": ["KeyError", "Exception"], "message": "'x'"}
    assert compare.verdict(raised, dict(raised)) == "equal"
    assert compare.verdict(theirs, raised) == "different"
    assert compare.verdict(raised, raised | {"message": "'y'"}) == "different"
