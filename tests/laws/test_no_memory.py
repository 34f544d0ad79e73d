"""Where Python finds no memory for an object, the core raises an exception."""

import subprocess
import sys

import pytest

pytest.importorskip("_testcapi", reason="CPython's tests are not installed")

CALLS = {
    "unknown name": "_core.normalize('é', 'NFX')",
    "setting": "_core.student_t_quantile(2.0, 3.0)",
    "row": "_core.check_counts(b'\\xff' * 8, ['matches'])",
    "file": "_core.Lines.open('/none', 4096, 9)",
    "text": "_core.lowercase('É')",
    "tokens": "truebleu.tokenize('a b c d é')",
}

CODE = """
import sys
import _testcapi, truebleu
from truebleu import _core

def called():
    {call}

def outcome():
    try:
        called()
    except BaseException as error:
        return type(error)

usual = outcome()
for at in range(200):
    _testcapi.set_nomemory(at, at + 1)
    found = outcome()
    _testcapi.remove_mem_hooks()
    print("usual" if found is usual else found.__name__)
"""


@pytest.mark.parametrize("call", CALLS)
def test_nothing_ends_the_process(call):
    """Whichever object there is no memory for, it is a MemoryError, or all goes as usual."""
    code = CODE.format(call=CALLS[call])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    # CPython itself raises a SystemError where there is no memory for a traceback.
    assert set(done.stdout.split()) - {"SystemError"} == {"MemoryError", "usual"}
