"""A pytest plugin: notes which functions of the package each test calls, or runs chosen tests.

``TRUEBLEU_CALLS`` names the file for the calls; those of imports and fixtures have no test's name.
``TRUEBLEU_TESTS`` names a file with the tests to run.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import CodeType, FrameType

_PACKAGE = f"{os.sep}python{os.sep}truebleu{os.sep}"

_calls: defaultdict[str, dict[int, CodeType]] = defaultdict(dict)
_seconds: dict[str, float] = {}
_failed: set[str] = set()
_test = ""


def _note(frame: FrameType, _event: str, _argument: object) -> None:
    """Note a call; its lines are not traced."""
    _calls[_test][id(frame.f_code)] = frame.f_code


def _function(code: CodeType) -> str:
    """Name a function by its file and first line, a module by line 0, all others by nothing."""
    _, inside, path = code.co_filename.partition(_PACKAGE)
    line = 0 if code.co_name == "<module>" else code.co_firstlineno
    return f"python/truebleu/{Path(path).as_posix()}:{line}" if inside else ""


def pytest_configure() -> None:
    """Begin to note calls."""
    if "TRUEBLEU_CALLS" in os.environ:
        threading.settrace(_note)
        sys.settrace(_note)


def pytest_unconfigure() -> None:
    """Write what was noted."""
    if "TRUEBLEU_CALLS" in os.environ:
        sys.settrace(None)
        called = {
            test: sorted({_function(code) for code in codes.values()} - {""})
            for test, codes in _calls.items()
            if test not in _failed
        }
        passed = {test: time for test, time in _seconds.items() if test not in _failed}
        found = {"calls": called, "seconds": passed}
        Path(os.environ["TRUEBLEU_CALLS"]).write_text(json.dumps(found), "utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Note what a test itself calls, and its time."""
    global _test  # noqa: PLW0603 (each call looks at it)
    _test, begin = item.nodeid, time.perf_counter()
    try:
        return (yield)
    finally:
        _seconds[item.nodeid] = time.perf_counter() - begin
        _test = ""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what fails without a fault, too."""
    if report.failed:
        _failed.add(report.nodeid)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that are to run."""
    if "TRUEBLEU_TESTS" in os.environ:
        wanted = set(Path(os.environ["TRUEBLEU_TESTS"]).read_text("utf-8").split("\n"))
        items[:] = [item for item in items if item.nodeid in wanted]
