"""Call every entry point that takes texts with ever less memory left.

Each entry point has a process, which makes its texts and forks a child for each limit: how many
bytes of addresses the child may take more than it has, up to what the call takes without a limit.
What comes of it is the right result, a MemoryError, or a fault: another result, another exception,
a process that ends or hangs. By the innermost frame of Python, faults are those of truebleu or of
another library. Slow calls are tried with fewer limits. Linux only.

    python campaign/scarcity.py
    python campaign/scarcity.py --limits 8 --bytes 200000 corpus_bleu explain
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import re
import resource
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from functools import partial
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

# The smallest limit, in bytes. The largest is what a call takes, but at most this.
LEAST, MOST = 1 << 19, 240 << 20

# Limits for an entry point and texts: as many as take about so many seconds of a processor without
# a limit, but at least so many.
SECONDS, FEWEST = 5, 6

# Seconds after which a call hangs. Without a limit, each takes a few.
PATIENCE = 120

# Threads would take from parts of the heap that have their addresses already.
ONE_HEAP = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072"}

HEADER = ("entry", "texts", "outcome", "calls")

RIGHT, TOO_LITTLE, OTHER_RESULT, OTHER_EXCEPTION = range(4)
OUTCOMES = ("right", "MemoryError", "another result", "another exception")

# These take no texts, look at files that a test brings, or draw.
LEFT_OUT = {"check", "explain_signature", "load_test_set", "read_esa", "read_judged_set"}

# Of these, which take long, texts are a tenth of the size.
LONG = {"audit of a target", "explain"}

# What needs at most so many bytes, the core has in hand.
KEPT = 1 << 18

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
    """Return what calls an entry point; it has been called with small texts.

    Polars has not: once it has started threads, forked processes wait for them for ever. So what
    it is called with is made by the call.
    """
    entries = import_module("entry_points")
    function = (entries.FUNCTIONS | entries.METHODS)[name]
    later = ".polars." in name

    def call(of: str, size: int) -> Callable[[], object]:
        made = partial(entries.arguments, name, *texts(of, size), Path(tempfile.mkdtemp()))
        arguments = None if later else made()

        def called() -> object:
            positional, keyword = arguments or made()
            return entries.settled(function(*positional, **keyword))

        return called

    if not later:
        call("lines", 1000)()
    return call(shape, size)


def addresses(name: str) -> int:
    """Return how many bytes of addresses this process has, or has had."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.split(f"{name}:")[1].split()[0]) * 1024


def child(call: Callable[[], object], limit: int | None, expected: str | None) -> None:
    """Call, with so many bytes of addresses more than this process has; end it."""
    faulthandler.enable()
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    # What is free within the process would do for small texts.
    resident()
    now = addresses("VmSize")
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_AS, (now + limit, -1))
    try:
        result = call()
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        code = OTHER_RESULT if expected not in (None, repr(result)) else RIGHT
        if expected is None:
            sys.stdout.write(f"{addresses('VmPeak') - now} {result!r}")
            sys.stdout.flush()
    except MemoryError:
        code = TOO_LITTLE
    except BaseException as error:
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        innermost = traceback.extract_tb(error.__traceback__)[-1]
        where = f'  File "{innermost.filename}", line {innermost.lineno}'
        library = type(error).__module__.partition(".")[0].strip("_")
        if library not in ("builtins", "pyo3_runtime", "truebleu", "core"):
            # It is written in C++, and has no frames.
            where = f'  File "site-packages/{library}/"'
        sys.stderr.write(f"{type(error).__name__}: {error}\n{where}\n")
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
    sizes = [int(size) for size in re.findall(r"memory allocation of (\d+) bytes", errors)]
    if sizes and max(sizes) < KEPT and "site-packages/polars" in errors:
        # The core has memory in hand for what is small; Polars calls it from threads of its own.
        return "polars"
    frames = [line for line in errors.splitlines() if line.startswith("  File ")]
    package = frames[0].split('"')[1] if frames else ""
    if "site-packages" in package and "truebleu" not in package:
        return package.split("site-packages/")[1].split("/")[0]
    return "truebleu" if frames or "memory allocation of" in errors else "another library"


def limits(count: int, most: int) -> list[int]:
    """Return so many limits in bytes, each larger than the one before by the same factor."""
    most = min(max(most, 2 * LEAST), MOST)
    return [int(LEAST * (most / LEAST) ** (at / max(1, count - 1))) for at in range(count)]


def seconds_of_children() -> float:
    """Return how long processors have worked for children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tried(what: str, call: Callable[[], object], count: int) -> Counter[str]:
    """Call with each limit; count the outcomes, and print what is a fault."""
    warnings.simplefilter("ignore")
    before = seconds_of_children()
    outcome, printed = forked(call, None, None)
    if outcome != "right":
        raise AssertionError(f"{outcome}\n{printed}")
    fitting = int(SECONDS / max(seconds_of_children() - before, 0.01))
    taken, expected = printed.split(" ", 1)
    outcomes: Counter[str] = Counter()
    for limit in limits(min(count, max(FEWEST, fitting)), int(taken)):
        outcome, printed = forked(call, limit, expected)
        outcomes[outcome] += 1
        if outcome not in OUTCOMES[:2]:
            print(f"{what}, {limit:,}: {outcome}\n{printed[:1500]}", file=sys.stderr)
    return outcomes


def in_a_process(name: str, shape: str, options: argparse.Namespace) -> Counter[str]:
    """Try an entry point in a process of its own; return the outcomes."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            size = options.bytes // 10 if name in LONG else options.bytes
            call = prepared(name, shape, size)
            outcomes = tried(f"{name}, {shape}", call, options.limits)
            os.write(theirs, "".join(f"{each}\n" for each in outcomes.elements()).encode())
        except BaseException as error:
            print(f"{name}, {shape}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(0)
    os.close(theirs)
    with open(ours, encoding="utf-8") as printed:
        found = Counter(printed.read().splitlines())
    os.waitpid(pid, 0)
    return found or Counter(["not called"])


def main() -> None:
    """Try all entry points, print what came of it, and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--bytes", type=int, default=1 << 20)
    parser.add_argument("--limits", type=int, default=40)
    options = parser.parse_args()
    if not ONE_HEAP.items() <= os.environ.items():
        # The C library reads it when a process starts.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_HEAP})
    rows: list[list[object]] = []
    # They are loaded here, once for all processes.
    for name in options.names or names():
        for shape in SHAPES:
            outcomes = in_a_process(name, shape, options)
            rows += [[name, shape, *row] for row in outcomes.items()]
            print(name, shape, dict(outcomes), flush=True)
    if not options.names:
        record("scarcity", HEADER, rows)
    sums: Counter[str] = Counter()
    for *_, outcome, number in rows:
        sums[str(outcome)] += int(str(number))
    print(dict(sums))


if __name__ == "__main__":
    main()
