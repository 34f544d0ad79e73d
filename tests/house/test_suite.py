"""What holds for the tests themselves."""

import ast
import subprocess

import pytest
from house import quick
from project import ROOT

# What reads a clock, and what judges by one.
CLOCKS = {"perf_counter", "process_time", "thread_time", "monotonic", "is_soon_interrupted"}
TESTS = sorted((ROOT / "tests").glob("**/test_*.py"))


def names_in(node):
    """Return the names and attributes that code uses."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def judged_by_time(text):
    """List the tests of a module that read a clock, themselves or by its helpers, but are quick."""
    tree = ast.parse(text)
    marks = [node for node in tree.body if "pytestmark" in names_in(node)]
    if any("slow" in names_in(node) or "SLOW" in names_in(node) for node in marks):
        return []
    functions = {
        node: names_in(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    }
    timed, before = set(CLOCKS), None
    while before != timed:
        before = set(timed)
        timed |= {each.name for each, used in functions.items() if used & timed}
    return [
        each.name
        for each, used in functions.items()
        if each.name.startswith("test_") and used & timed
        if not any("slow" in names_in(mark) for mark in each.decorator_list)
    ]


def test_no_clock_decides():
    """Only slow tests judge by time: `make test` does not depend on what else the machine does."""
    assert {path.name: judged_by_time(path.read_text("utf-8")) for path in TESTS} == {
        path.name: [] for path in TESTS
    }


@pytest.mark.parametrize("mark", ["", "@pytest.mark.slow\n"])
def test_a_clock_is_found(mark):
    """A test that reads a clock through a helper is named, unless it is slow."""
    helper = "def took():\n    return time.monotonic()\n"
    text = f"{helper}{mark}def test_it():\n    assert took() < 1\n"
    assert judged_by_time(text) == ([] if mark else ["test_it"])


class TestQuick:
    """`make quick` runs what belongs to each edited file, and says what it leaves out."""

    def test_every_file(self):
        """Each file of the repository has tests that exist, or another verb that tests it."""
        command = ["git", "ls-files"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        for name in listed.stdout.splitlines():
            tests = quick.tests_of(name)
            assert tests or name.startswith(tuple(quick.ELSEWHERE)), name
            assert [each for each in tests if not (ROOT / each).exists()] == [], name

    def test_the_core(self):
        """An edit of the core runs its own tests, and what counts and scores in Python."""
        tests = quick.tests_of("crates/core/src/metric/smoothing.rs")
        assert {"crates", "tests/laws", "tests/metrics", "tests/compat"} < {*tests}

    def test_several_files(self):
        """The tests of all of them run, those of the pages always, and none twice."""
        names = ["python/truebleu/significance/pair.py", "tests/house/test_suite.py", "fuzz/x.rs"]
        *plan, untested, left = quick.plan(names)
        assert plan == ["tests/docs", "tests/house", "tests/significance"]
        assert untested == "# not tested: fuzz/x.rs (make fuzz)"
        assert "tests/laws" in left
        assert "tests/significance" not in left

    def test_nothing_is_edited(self):
        """Then those of every metric run."""
        assert {"crates", "tests/laws", "tests/metrics", "tests/docs"} < {*quick.plan([])}

    def test_a_mistyped_file(self):
        """It is named, and nothing runs."""
        with pytest.raises(SystemExit, match=r"FILE=READ\.md: there is no such file"):
            quick.main(["README.md", "READ.md"])

    def test_what_is_edited(self, tmp_path, monkeypatch):
        """Edited, added and deleted files count, in the index or not."""
        (tmp_path / "a").write_text("a")
        (tmp_path / "gone").write_text("a")
        git = ["git", "-c", "user.name=x", "-c", "user.email=x"]
        for words in ["init -q", "add .", "commit -qm x", "rm -q gone"]:
            subprocess.run([*git, *words.split()], cwd=tmp_path, check=True)
        (tmp_path / "a").write_text("b")
        (tmp_path / "new").write_text("b")
        monkeypatch.setattr(quick, "ROOT", tmp_path)
        assert quick.edited() == ["a", "gone", "new"]
