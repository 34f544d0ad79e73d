"""A small part of the campaign that calls with too little memory."""

import os
import sys
from collections import Counter

import pytest
from looping import sampled

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS")]

if sys.platform == "linux":
    from campaign import scarcity

CALLED = ["corpus_bleu", "corpus_chrf", "sentence_chrf", "tokenize", "self_bleu", "pairwise"]


def called(code, *arguments):
    """Run code in a process of its own; return what it prints."""
    done = scarcity.subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=scarcity.ROOT,
        env={**os.environ, **scarcity.ONE_HEAP},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("name", sampled(CALLED, 3))
def test_too_little_is_a_memory_error(name):
    """With any limit, a call returns the right result or raises MemoryError."""
    code = (
        "import sys\n"
        "from campaign.scarcity import tried\n"
        "print(*sorted(tried(sys.argv[1], 'a line', 2 << 20, 10)), sep=',')\n"
    )
    outcomes = Counter(called(code, name).strip().split(","))
    assert outcomes.keys() <= {"right", "MemoryError"}, outcomes
    assert "MemoryError" in outcomes


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("os.abort()", "status 6 in truebleu"),
        ("1 / 0", "another exception in another library"),
        ("time.sleep(9)", "hang in truebleu"),
    ],
)
def test_faults_are_found(fault, outcome):
    """What ends the process, hangs, or raises something else is a fault."""
    code = (
        "import os, time\n"
        "from campaign import scarcity\n"
        "scarcity.PATIENCE = 1\n"
        f"def call():\n    {fault}\n"
        "print(scarcity.forked(call, None, '')[0])\n"
    )
    assert called(code).strip() == outcome
