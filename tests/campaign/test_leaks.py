"""A small part of the campaign that looks for leaks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from looping import sampled

from campaign import memory

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

SCRIPT = Path(memory.__file__)
CALLS = 5000


def grown(name, *options, python=(), **environment):
    """Measure in a process of its own; fail if there is a leak."""
    done = subprocess.run(
        [sys.executable, *python, SCRIPT, "--entry", name, "--calls", str(CALLS), *options],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sampled(memory.entries(), 3))
def test_no_leak(name):
    """Thousands of calls leave nothing behind."""
    grown(name)


CALLED = ["corpus, BLEU", "corpus, chrF++", "from_bytes", "sentence_ter"]


@pytest.mark.parametrize("name", sampled(CALLED, CALLED[1:2]))
class TestConditions:
    """The same where memory is managed in other ways."""

    def test_threads(self, name):
        grown(name, "--threads=16")

    @pytest.mark.parametrize("method", ["fork", "spawn"])
    def test_processes(self, name, method):
        grown(name, f"--child={method}")

    def test_development_mode(self, name):
        grown(name, python=("-X", "dev"))

    def test_checked_allocator(self, name):
        grown(name, PYTHONMALLOC="debug")


def test_a_leak_is_found():
    """What keeps a kilobyte per call is noticed, in a process with no free memory to reuse."""
    script = (
        "from campaign import memory\n"
        "kept = []\n"
        "memory.entries = lambda: {'leak': (1, lambda: kept.append(bytes(1000)))}\n"
        f"memory.growth('leak', {CALLS})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=SCRIPT.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "AssertionError: leak: 5,000 calls" in done.stderr
