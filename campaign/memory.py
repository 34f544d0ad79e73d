"""Look for leaks, and measure how much memory a long line takes.

Every entry is called a million times; the memory that is resident must not grow. The same is done
with 16 threads, in forked and spawned processes, in Python's development mode and with its
allocator that checks. Each measurement has a process of its own. Linux only.

    python campaign/memory.py
    python campaign/memory.py --calls 10000
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.recorded import record

if TYPE_CHECKING:
    from collections.abc import Callable

# What may stay. Each thread has a part of the heap of its own, of which some pages stay in use: 16
# threads grew by 1.2 MB in 5,000 calls, 2.8 MB in 20,000 and 3.1 MB in 60,000, ever less per call.
ALLOWED_BYTES_PER_CALL = 1.0
ALLOWED_BYTES = 1 << 20
ALLOWED_BYTES_IN_THREADS = 6 << 20

LIBC = ctypes.CDLL(None)

# Bytes of the longest line whose memory is measured.
LINE = 32 << 20

HEADER = ("what", "how", "value")


def entries() -> dict[str, tuple[float, Callable[[], object]]]:
    """Return what is called, and which share of the calls is enough for what takes longer."""
    import truebleu as t

    hypotheses, references = ["the cat sat on the mat", "é 中文 \U0001f600"], ["a cat sat", "é 中"]
    stats = t.Bleu().stats(hypotheses, references)
    data = stats.to_bytes()
    bleu, chrf, ter = t.Bleu(), t.Chrf(word_order=2), t.Ter()
    tokenizers: tuple[Any, ...] = ("13a", "intl", "zh", "char", "none")

    def refused() -> None:
        try:
            t.Stats.from_bytes(data[:-1])
        except t.InputError:
            return
        raise AssertionError("these bytes were cut")

    return {
        "sentence_bleu": (1, lambda: t.sentence_bleu(hypotheses[0], references[0])),
        "sentence_chrf": (1, lambda: t.sentence_chrf(hypotheses[0], references[0])),
        "sentence_ter": (1, lambda: t.sentence_ter(hypotheses[0], references[0])),
        "corpus, BLEU": (1, lambda: bleu.corpus(hypotheses, references)),
        "corpus, chrF++": (1, lambda: chrf.corpus(hypotheses, references)),
        "corpus, TER": (1, lambda: ter.corpus(hypotheses, references)),
        "stats": (1, lambda: bleu.stats(hypotheses, references)),
        "stats added": (1, lambda: (stats + stats).sum()),  # noqa: PLW0108
        "to_bytes": (1, stats.to_bytes),
        "from_bytes": (1, lambda: t.Stats.from_bytes(data)),
        "from_bytes, refused": (1, refused),
        "tokenizers": (
            0.2,
            lambda: [t.tokenize(hypotheses[1], tokenizer=each) for each in tokenizers],
        ),
        "from_signature": (0.2, lambda: t.Bleu.from_signature(bleu._write_signature(1))),
        "self_bleu": (0.1, lambda: t.self_bleu(["a b c", "a b d", "x"])),
        "pairwise": (0.1, lambda: t.pairwise(hypotheses, references)),
        "explain": (0.02, lambda: t.explain(hypotheses[0], references[0])),
        "compare": (
            0.001,
            lambda: t.compare({"a": hypotheses * 4, "b": references * 4}, references * 4, seed=1),
        ),
    }


def resident() -> int:
    """Return how many bytes of this process are in use, or as good as.

    Cycles that wait for Python's collector, and pages that the C library keeps for later, are given
    back first: without that, 16 threads, each with memory of its own, hide megabytes.
    """
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):  # Of glibc.
        LIBC.malloc_trim(0)
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def growth(name: str, calls: int, threads: int = 1) -> float:
    """Call an entry; return by how many bytes the process has grown since the first fifth."""
    import warnings

    warnings.simplefilter("ignore")
    share, call = entries()[name]
    count = max(50, int(calls * share))

    def several(times: int) -> None:
        if threads == 1:
            for _ in range(times):
                call()
            return
        with ThreadPoolExecutor(threads) as pool:
            for each in [pool.submit(repeat, times // threads) for _ in range(threads)]:
                each.result()

    def repeat(times: int) -> None:
        for _ in range(times):
            call()

    several(max(20, count // 5))
    before = resident()
    several(count)
    grown = resident() - before
    allowed: float = ALLOWED_BYTES if threads == 1 else ALLOWED_BYTES_IN_THREADS
    allowed += ALLOWED_BYTES_PER_CALL * count
    assert grown < allowed, f"{name}: {count:,} calls, {grown:,} bytes more"
    return grown


def in_child(method: str, name: str, calls: int) -> None:
    """Measure in a process that is forked or spawned after this one has scored."""
    entries()[name][1]()
    with multiprocessing.get_context(method).Pool(2) as pool:
        for _ in pool.imap(partial(growth, name), [calls] * 2):
            pass


def peak_of_line(metric: str, kind: str, size: int = LINE) -> float:
    """Return how many times as large as a pair of files of one line the memory is that it takes."""
    chance = Random(1)
    if kind == "words":
        words = [f"{chance.getrandbits(20):x}" for _ in range(size // 6)]
        text = " ".join(words)
    else:
        text = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz    ", k=size))
    turned = " ".join(text.split(" ")[::-1])
    # Not `resource.getrusage`: its peak begins with that of the process that starts this one.
    script = (
        "import sys, truebleu\n"
        "from pathlib import Path\n"
        "def peak():\n"
        "    status = Path('/proc/self/status').read_text('ascii')\n"
        "    return int(status.split('VmHWM:')[1].split()[0]) * 1024\n"
        "before = peak()\n"
        "metric = {'bleu': truebleu.Bleu, 'chrf': truebleu.Chrf, 'ter': truebleu.Ter}\n"
        "extra = {'word_order': 2} if sys.argv[1] == 'chrf++' else {}\n"
        "text, turned = sys.stdin.readline(), sys.stdin.readline()\n"
        "metric[sys.argv[1].rstrip('+')](**extra).corpus([text], [turned])\n"
        "print(peak() - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, metric],
        input=f"{text}\n{turned}\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout) / len(text)


def measured(arguments: list[str], options: list[str], **environment: str) -> str:
    """Run a part of this script in another process; return what it prints."""
    done = subprocess.run(
        [sys.executable, *options, __file__, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{arguments} {options} {environment}\n{done.stderr}")
    return done.stdout.strip()


def main() -> None:
    """Measure all, print it, and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--lines", action="store_true", help="only the memory of long lines")
    for name, kind in (("entry", str), ("threads", int), ("child", str)):
        parser.add_argument(f"--{name}", type=kind)
    options = parser.parse_args()
    if options.child:
        in_child(options.child, options.entry, options.calls)
        return
    if options.entry:
        print(int(growth(options.entry, options.calls, options.threads or 1)))
        return
    rows: list[list[object]] = []

    def note(what: str, how: str, value: object) -> None:
        print(f"{what}, {how}: {value}", flush=True)
        rows.append([what, how, value])

    begin = time.monotonic()
    few = str(max(1000, options.calls // 20))
    for name in [] if options.lines else entries():
        entry = ["--entry", name, "--calls"]
        note(name, f"{options.calls} calls, bytes", measured([*entry, str(options.calls)], []))
        note(name, f"{few} calls, 16 threads, bytes", measured([*entry, few, "--threads=16"], []))
        note(name, f"{few} calls, -X dev, bytes", measured([*entry, few], ["-X", "dev"]))
        malloc = measured([*entry, few], [], PYTHONMALLOC="debug")
        note(name, f"{few} calls, PYTHONMALLOC=debug, bytes", malloc)
        for method in ("fork", "spawn"):
            measured([*entry, few, f"--child={method}"], [])
            note(name, f"{few} calls, {method}", "no growth")
    if not options.lines:
        record("memory", HEADER, rows)
        rows.clear()
    for metric in ("bleu", "chrf", "chrf++", "ter"):
        for text in ("words", "letters"):
            times = peak_of_line(metric, text)
            note(metric, f"memory for two lines of 32 MB ({text}), per byte of one", f"{times:.1f}")
    record("lines", HEADER, rows)
    print(f"{time.monotonic() - begin:.0f} seconds")


if __name__ == "__main__":
    main()
