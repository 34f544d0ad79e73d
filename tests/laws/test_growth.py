"""Time and memory of all public functions and commands grow with the input, in every dimension.

The functions are those of `entry_points.py`, which are found in the package. Twice the input may
take less than three times as long; in `make campaign`, the time of eight times the input says by
which power it grows.
"""

import contextlib
import ctypes
import gc
import math
import os
import re
import time
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
import truebleu
from entry_points import (
    FUNCTIONS,
    METHODS,
    WORDS_OF,
    Corpus,
    arguments,
    settled,
    write_files,
)
from hostile import run
from looping import later
from truebleu import Bleu, Chrf
from truebleu.engines.arrow import corpus_score

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

# What scores all pairs, as the documentation says, what searches until its time is over, what asks
# a program, and what writes only once.
OTHERWISE = {"pairwise", "audit of a target"}
OTHERWISE |= {"check", "truebleu check"}
# Seconds after which what seems to grow too fast is believed to.
PATIENCE = 6
QUICK = {"n_resamples": 39}


def texts(segments, words, shift=0):
    """Return segments of words, most of which are in those of another shift."""
    return [
        " ".join(f"w{(3 * number + word + shift * (word % 7 == 0)) % 997}" for word in range(words))
        for number in range(segments)
    ]


def corpus(segments, words):
    return texts(segments, words), texts(segments, words, 1)


def table(segments, groups):
    columns = dict(zip(("mt", "ref"), corpus(segments, 8), strict=True))
    return pa.table({**columns, "group": [number % groups for number in range(segments)]})


def systems(count):
    return {f"s{number}": texts(100, 8, number) for number in range(count)}


# What is called with an input of a size, by the dimension that is doubled, and the usual size.
OTHERS = {
    "references of BLEU": (Bleu().segment, lambda n: ("a b c d e", texts(n, 6)), 2000),
    "references of chrF": (Chrf().segment, lambda n: ("a b c d e", texts(n, 6)), 2000),
    "orders of BLEU": (
        lambda n, *both: Bleu(max_order=n).corpus(*both),
        lambda n: (n, *corpus(20, 400)),
        15,  # A metric has at most 1,000.
    ),
    "groups": (
        lambda rows: corpus_score(rows, "mt", "ref", group_by="group"),
        lambda n: (table(8000, n),),
        500,
    ),
    # At this level, more tests need no more trials.
    "systems": (
        lambda several: truebleu.compare(several, texts(100, 8), baseline="s0", alpha=0.5, **QUICK),
        lambda n: (systems(n),),
        10,
    ),
}


def called(path, folder, made):
    """Return a call of a function or a command with a corpus."""
    if path.startswith("truebleu "):
        place = folder / str(len(made[0]))
        place.mkdir(exist_ok=True)
        write_files(Corpus(*made, place))
        return partial(in_folder, place, path.partition(" ")[2])
    positional, keyword = arguments(path, *made, folder)
    return lambda: settled((FUNCTIONS | METHODS)[path](*positional, **keyword))


def in_folder(place, command):
    """Run a command where its files are."""
    before = Path.cwd()
    os.chdir(place)
    try:
        assert run([command, *WORDS_OF[command]]) == 0
    finally:
        os.chdir(before)


def seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


# What mallopt of glibc is asked for: above which size memory is given back from the end of the
# heap, and how much may be allocated outside of it.
TRIM_THRESHOLD, MMAP_MAX = -1, -4
USUAL = {TRIM_THRESHOLD: 128 << 10, MMAP_MAX: 65_536}


@contextlib.contextmanager
def kept_memory():
    """Let the allocator keep what is freed meanwhile.

    Otherwise, glibc gives it back from some size on, between 128 KB and 32 MB. The kernel must fill
    the pages with zeros again for the next call, so that each segment takes up to half as long
    again, though not longer beyond: 18,000 page faults for 256,000 rows of chrF, none for 32,000.
    """
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallopt"):
        yield
        return
    libc.mallopt(TRIM_THRESHOLD, 2**31 - 1)
    libc.mallopt(MMAP_MAX, 0)
    try:
        yield
    finally:
        for parameter, value in USUAL.items():
            libc.mallopt(parameter, value)


def power(short, long, factor):
    """Return by which power of the size the shortest time grows; noise only adds to it."""
    # What other tests have left is not looked at for garbage meanwhile.
    gc.freeze()
    begin, least = time.process_time(), [math.inf, math.inf]
    while True:
        for _ in range(3):
            # In turn: otherwise, a short input is still in a cache that a long one does not fit in.
            least = [*map(min, least, map(seconds, (short, long)))]
        found = math.log(least[1] / least[0], factor)
        if found < 1.1 or time.process_time() - begin > PATIENCE:
            return found


def peak(call):
    """Return by how many bytes a call lets the process grow, at its peak."""
    gc.collect()
    # What is free is not counted as if the process had not grown by it.
    getattr(ctypes.CDLL(None), "malloc_trim", bool)(0)
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    sizes = dict(re.findall(r"(Vm\w+):\s*(\d+)", Path("/proc/self/status").read_text("ascii")))
    call()
    now = dict(re.findall(r"(Vm\w+):\s*(\d+)", Path("/proc/self/status").read_text("ascii")))
    return (int(now["VmHWM"]) - int(sizes["VmRSS"])) << 10


def check(make, size, factor):
    """Compare an input of a size with one that is so many times as large."""
    # Beyond the lengths at which other ways to count begin.
    size *= 1 if factor == 2 else 8
    short, long = make(size), make(factor * size)
    if factor == 2:
        assert power(short, long, factor) < math.log2(3)
        return
    with kept_memory():
        assert power(short, long, factor) < 1.15
    if Path("/proc/self/clear_refs").exists():
        assert peak(long) < 1.5 * factor * max(peak(short), 8 << 20)


DIMENSIONS = {"segments": lambda n: corpus(n, 8), "length": lambda n: corpus(3, n)}
COMMANDS = (f"truebleu {command}" for command in WORDS_OF)
PATHS = sorted({*FUNCTIONS, *METHODS, *COMMANDS} - OTHERWISE)


def both(paths):
    return [*((path, 2) for path in paths), *(later(path, 8) for path in paths)]


@pytest.mark.parametrize(("path", "factor"), both(PATHS))
@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_corpora(path, dimension, factor, tmp_path):
    """In the number of segments, and in their length."""
    made = DIMENSIONS[dimension]
    check(lambda n: called(path, tmp_path, made(n)), 500, factor)


@pytest.mark.parametrize(("name", "factor"), both(OTHERS))
def test_others(name, factor):
    """In the number of references, orders, groups and systems."""
    call, made, size = OTHERS[name]
    check(lambda n: partial(call, *made(n)), size, factor)
