"""Measuring: several runs, in turn, medians and their ratio."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


LONG = 10
"""Seconds of a call that is not repeated: those of other programs, mostly."""


class Result(NamedTuple):
    """One figure, and what it may not fall below."""

    name: str
    """What was measured."""
    ours: str
    """Our figure, with its unit."""
    theirs: str
    """The other figure, with its unit; empty if there is none."""
    figure: float
    """The ratio, or the figure itself."""
    kind: str
    """What its floor is: see :data:`benchmarks.floors.MARGINS`; empty if it has none."""


def seconds(call: Callable[[], object]) -> float:
    """Time one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def in_turn(calls: Sequence[Callable[[], object]], runs: Sequence[int]) -> list[float]:
    """Run each call as often as told, in turn, after one warm-up of those run more than once.

    What takes longer than :data:`LONG` is run once.

    Returns
    -------
    list of float
        The median in seconds for each.
    """
    first = [seconds(call) for call in calls]
    times = [
        [time] if time > LONG or count == 1 else [] for time, count in zip(first, runs, strict=True)
    ]
    counts = [0 if found else count for found, count in zip(times, runs, strict=True)]
    for turn in range(max(runs)):
        for call, count, found in zip(calls, counts, times, strict=True):
            if turn * count // max(runs) != (turn + 1) * count // max(runs):
                found.append(seconds(call))
    return [statistics.median(found) for found in times]


def faster(name: str, ours: float, theirs: float) -> Result:
    """Compare two durations: how many times longer the other is."""
    return Result(name, show(ours), show(theirs), theirs / ours, "more")


def fewer(name: str, ours: float, theirs: float) -> Result:
    """Compare two durations, of which ours grows from the other."""
    return Result(name, show(ours), show(theirs), ours / theirs, "less")


def megabytes(name: str, size: float) -> Result:
    """Report a size in MB."""
    return Result(name, f"{size:.1f} MB", "", size, "size")


def timed(name: str, ours: float) -> Result:
    """Report a duration in seconds, which depends on the machine, and has no floor."""
    return Result(name, show(ours), "", ours, "")


def show(duration: float) -> str:
    """Write a duration down."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if duration >= size:
            return f"{duration / size:.3g} {unit}"
    return f"{duration * 1e6:.3g} µs"


def command(*words: str) -> Callable[[], object]:
    """Return a call that runs a command and throws away what it prints."""
    return lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def output(*words: str) -> str:
    """Run a command and return what it prints."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def peak_memory(*words: str) -> float:
    """Run a command and return its largest resident memory in MB.

    A small process of its own starts the command, because the peak of a child includes what its
    parent held when it forked.
    """
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script, *words], check=True, capture_output=True, text=True
    )
    return int(finished.stdout) / 1000
