"""What holds for the tests themselves."""

import ast

import pytest
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
