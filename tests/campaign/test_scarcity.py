"""A small part of the campaign that calls with too little memory."""

import os
import subprocess
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
    done = subprocess.run(
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
        "from campaign.scarcity import prepared, tried\n"
        "call = prepared(sys.argv[1], 'a line', 2 << 20)\n"
        "print(*sorted(tried('', call, 10)), sep=',')\n"
    )
    outcomes = Counter(called(code, name).strip().split(","))
    assert outcomes.keys() <= {"right", "MemoryError"}, outcomes
    assert "MemoryError" in outcomes


TABLES = {
    "rows of systems": ("table = bytes(4 << 20)", "type(_core.Units([table], 1))"),
    "wide rows": ("table = b'\\0\\1' + bytes(4 << 20)", "type(_core.Units([table[:-2]], 1))"),
    "orders": ("values = array('d', bytes(4 << 20))", "_core.neighbors(values, 1, [], 1, 0, 0)"),
    "ranks": (
        "values = array('d', range(1 << 18)); places = list(range(1 << 18))\n"
        "judged = _core.JudgedTable([1 << 18], places, places, values, values, values)",
        "judged.value('kendall')",
    ),
    "pairs": (
        "values = array('d', range(1 << 11)); places = list(range(1 << 11))\n"
        "judged = _core.JudgedTable([1 << 11], places, places, values, values, values)",
        "judged.value('best-accuracy')",
    ),
    "swaps": (
        "values = array('d', range(1 << 16)); places = list(range(1 << 16))\n"
        "judged = _core.JudgedTable([2] * (1 << 15), places, places, values, values, values)",
        "judged.swapped('pearson', 1, 512, 1)",
    ),
    "block of a file": ("", "_core.Lines.open('/dev/null', 8 << 20, 9).available"),
    "normal form": ("text = 'e\\u0301' * (1 << 19)", "_core.normalize(text, 'NFC')"),
    "lower case": ("text = 'É' * (4 << 20)", "_core.lowercase(text)"),
}


@pytest.mark.parametrize("table", sampled(list(TABLES), 5))
def test_tables_are_no_exception(table):
    """What the core makes of numbers and of one text needs memory as everything else does."""
    before, call = TABLES[table]
    code = (
        "from array import array\n"
        "from truebleu import _core\n"
        "from campaign.scarcity import tried\n"
        f"{before}\n"
        f"print(*sorted(tried('', lambda: {call}, 12)), sep=',')\n"
    )
    assert called(code).strip().split(",") == ["MemoryError", "right"]


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("os.abort()", "status 6 in truebleu"),
        ("1 / 0", "another exception in truebleu"),
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
