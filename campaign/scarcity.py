"""Call every entry point that takes texts with ever less memory left.

Each entry point has a process, which makes its texts and forks a child for each limit: how many
bytes of addresses the child may take more than it has. What comes of it is the right result, a
MemoryError, or a fault: another result, another exception, a process that ends or hangs. By the
innermost frame of Python, faults are those of truebleu or of another library. Linux only.

    python campaign/scarcity.py
    python campaign/scarcity.py --limits 8 --bytes 200000 corpus_bleu explain
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import resource
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.memory import resident
from campaign.populations import ROOT
from campaign.recorded import record

if TYPE_CHECKING:
    from collections.abc import Callable

# Where the entry points are listed.
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "golden")]

# The smallest and the largest limit, in bytes.
LEAST, MOST = 1 << 19, 240 << 20

# Seconds after which a call hangs. Without a limit, each takes a few.
PATIENCE = 120

# Threads would take from parts of the heap that have their addresses already.
ONE_HEAP = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072"}

HEADER = ("entry", "texts", "outcome", "calls")

RIGHT, TOO_LITTLE, OTHER_RESULT, OTHER_EXCEPTION = range(4)
OUTCOMES = ("right", "MemoryError", "another result", "another exception")

# These take no texts, look at files that a test brings, or draw.
LEFT_OUT = {"check", "explain_signature", "load_test_set", "read_esa", "read_judged_set"}

# Each with one long text, and with many short ones.
SHAPES = ("a line", "lines")


def names() -> list[str]:
    """Return the entry points that are called with texts."""
    entries = import_module("entry_points")
    return [name for name in entries.FUNCTIONS | entries.METHODS if name not in LEFT_OUT]


def texts(shape: str, size: int) -> tuple[list[str], list[str]]:
    """Return hypotheses and references of about so many bytes."""
    chance = Random(1)
    words = [f"{chance.getrandbits(16):x}" for _ in range(size // 5)]
    if shape == "a line":
        lines = [" ".join(words), "the cat sat", "on the mat", "a b c"]
    else:
        lines = [" ".join(words[at : at + 20]) for at in range(0, len(words), 20)]
    return lines, [" ".join(line.split()[::-1]) for line in lines]


def prepared(name: str, shape: str, size: int) -> Callable[[], object]:
    """Return what calls an entry point; it has been called with small texts."""
    entries = import_module("entry_points")
    function = (entries.FUNCTIONS | entries.METHODS)[name]

    def call(of: str, size: int) -> Callable[[], object]:
        folder = Path(tempfile.mkdtemp())
        positional, keyword = entries.arguments(name, *texts(of, size), folder)
        return lambda: entries.settled(function(*positional, **keyword))

    call("lines", 1000)()
    return call(shape, size)


def child(call: Callable[[], object], limit: int | None, expected: str | None) -> None:
    """Call, with so many bytes of addresses more than this process has; end it."""
    faulthandler.enable()
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    # What is free within the process would do for small texts.
    resident()
    if limit is not None:
        status = Path("/proc/self/status").read_text("ascii")
        now = int(status.split("VmSize:")[1].split()[0]) * 1024
        resource.setrlimit(resource.RLIMIT_AS, (now + limit, -1))
    try:
        result = call()
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        code = OTHER_RESULT if expected not in (None, repr(result)) else RIGHT
        if expected is None:
            sys.stdout.write(repr(result))
            sys.stdout.flush()
    except MemoryError:
        code = TOO_LITTLE
    except BaseException as error:
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        code = OTHER_EXCEPTION
    sys.stderr.flush()
    os._exit(code)


def forked(call: Callable[[], object], limit: int | None, expected: str | None) -> tuple[str, str]:
    """Call in a child; return the outcome, and what the child has printed."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        pid = os.fork()
        if pid == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            child(call, limit, expected)
        status = os.waitpid(pid, 0)[1]
        printed = []
        for file in (output, errors):
            file.seek(0)
            printed.append(file.read().decode("utf-8", "replace"))
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) < len(OUTCOMES):
        hangs = "Timeout (" in printed[1]
        outcome = "hang" if hangs else OUTCOMES[os.WEXITSTATUS(status)]
    else:
        outcome = f"status {status}"
    if outcome in OUTCOMES[:2]:
        return outcome, printed[0]
    return f"{outcome} in {whose(printed[1])}", printed[1]


def whose(errors: str) -> str:
    """Return whose code failed: the package of the innermost frame that Python has printed."""
    if "std::bad_alloc" in errors or "thread-local data" in errors:
        # Nothing of truebleu is written in C++; threads have memory of the C library.
        return "another library"
    frames = [line for line in errors.splitlines() if line.startswith("  File ")]
    package = frames[0].split('"')[1] if frames else ""
    if "site-packages" in package and "truebleu" not in package:
        return package.split("site-packages/")[1].split("/")[0]
    return "truebleu" if frames or "memory allocation of" in errors else "another library"


def limits(count: int) -> list[int]:
    """Return so many limits in bytes, each larger than the one before by the same factor."""
    return [int(LEAST * (MOST / LEAST) ** (at / max(1, count - 1))) for at in range(count)]


def tried(name: str, shape: str, size: int, count: int) -> Counter[str]:
    """Call an entry point with each limit; count the outcomes, and print what is a fault."""
    warnings.simplefilter("ignore")
    call = prepared(name, shape, size)
    outcome, expected = forked(call, None, None)
    if outcome != "right":
        raise AssertionError(f"{name}, {shape}: {outcome}\n{expected}")
    outcomes: Counter[str] = Counter()
    for limit in limits(count):
        outcome, printed = forked(call, limit, expected)
        outcomes[outcome] += 1
        if outcome not in OUTCOMES[:2]:
            print(f"{name}, {shape}, {limit:,}: {outcome}\n{printed[-2000:]}", file=sys.stderr)
    return outcomes


def main() -> None:
    """Try all entry points, print what came of it, and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--bytes", type=int, default=2 << 20)
    parser.add_argument("--limits", type=int, default=40)
    parser.add_argument("--shape", choices=SHAPES)
    options = parser.parse_args()
    if options.shape:
        for outcome, calls in tried(
            options.names[0], options.shape, options.bytes, options.limits
        ).items():
            print(outcome, calls, sep="\t")
        return
    rows: list[list[str]] = []
    for name in options.names or names():
        for shape in SHAPES:
            command = [sys.executable, __file__, name, f"--shape={shape}"]
            command += [f"--bytes={options.bytes}", f"--limits={options.limits}"]
            environment = {**os.environ, **ONE_HEAP}
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
            printed = [line.split("\t") for line in done.stdout.splitlines()]
            if done.returncode:
                printed = [["not called", "0"]]
            rows += [[name, shape, *line] for line in printed]
            print(name, shape, dict(printed), done.stderr[-3000:], flush=True)
    if not options.names:
        record("scarcity", HEADER, rows)
    sums: Counter[str] = Counter()
    for *_, outcome, number in rows:
        sums[outcome] += int(number)
    print(dict(sums))


if __name__ == "__main__":
    main()
