"""Measure how long calls go on after Ctrl-C.

Each call repeats on large inputs in a process of its own, which gets a SIGINT at one of eight
moments; the time until the exception arrives is measured. POSIX only, and only meaningful on a
machine that does nothing else.

    python campaign/interrupts.py
    python campaign/interrupts.py "TER" "pairwise, chrF"
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.recorded import record

if TYPE_CHECKING:
    from collections.abc import Callable

# Seconds into the calls at which Ctrl-C comes.
MOMENTS = (0.2, 0.6, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0)

# Seconds that a call may go on.
ALLOWED = 0.5

# The status of a command that Ctrl-C ends.
INTERRUPTED = 130

# Characters of a text that is one segment.
LONG = 20_000_000


def texts(number: int, length: int, seed: int) -> list[str]:
    """Return texts of words that recur."""
    chance = Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 8))) for _ in range(50_000)]
    return [" ".join(chance.choices(words, k=length // 6)) for _ in range(number)]


def systems(hypotheses: list[str], references: list[str]) -> dict[str, list[str]]:
    """Return systems that are right in every fifth segment, so that no score is 0."""
    mixed = list(hypotheses)
    mixed[::5] = references[::5]
    return {"a": mixed, "b": mixed[1:] + mixed[:1], "c": mixed[::-1]}


def command(name: str, hypotheses: list[str], references: list[str]) -> None:
    """Run a command on files of these lines; it makes a status of Ctrl-C."""
    from truebleu.cli import main

    with TemporaryDirectory() as folder:
        files = [Path(folder, side) for side in ("hypotheses", "references")]
        for file, lines in zip(files, (hypotheses, references), strict=True):
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        while True:
            status = main([name, str(files[0]), "-r", str(files[1])])
            if status == INTERRUPTED:
                raise KeyboardInterrupt
            assert status == 0


def entries() -> dict[str, tuple[int, int, Callable[[list[str], list[str]], object]]]:
    """Return numbers of segments, their characters, and what is called with two lists of them."""
    import truebleu as t

    return {
        "BLEU": (1, LONG, t.corpus_bleu),
        "BLEU, intl": (1, LONG, lambda a, b: t.corpus_bleu(a, b, tokenizer="intl")),
        "BLEU, char": (1, LONG, lambda a, b: t.corpus_bleu(a, b, tokenizer="char")),
        "chrF": (1, LONG, t.corpus_chrf),
        "chrF++": (1, LONG, lambda a, b: t.corpus_chrf(a, b, word_order=2)),
        "TER": (1, LONG, t.corpus_ter),
        "TER, normalized": (1, LONG, lambda a, b: t.corpus_ter(a, b, normalized=True)),
        "pairwise, BLEU": (1, LONG, t.pairwise),
        "pairwise, chrF": (1, LONG, lambda a, b: t.pairwise(a, b, metric="chrf")),
        "pairwise, TER": (1, LONG, lambda a, b: t.pairwise(a, b, metric="ter")),
        "tokenize": (1, LONG, lambda a, _: t.tokenize(a[0])),
        "explain, BLEU": (1, LONG, lambda a, b: t.explain(a[0], b[0])),
        "explain, chrF": (1, LONG, lambda a, b: t.explain(a[0], b[0], metric="chrf")),
        "explain, TER": (1, LONG, lambda a, b: t.explain(a[0], b[0], metric="ter")),
        "many segments, BLEU": (500_000, 120, t.corpus_bleu),
        "many segments, chrF": (500_000, 120, t.corpus_chrf),
        "many segments, TER": (500_000, 120, t.corpus_ter),
        "many segments, explain": (20_000, 120, t.explain),
        "compare": (100_000, 120, lambda a, b: t.compare(systems(a, b), b, seed=1)),
        "report": (20_000, 120, lambda a, b: t.report(systems(a, b), b, seed=1).to_html()),
        "self-BLEU": (3000, 120, lambda a, _: t.self_bleu(a)),
        "mbr": (3000, 120, lambda a, _: t.mbr(a)),
        "command score": (200_000, 120, partial(command, "score")),
        "command segments": (200_000, 120, partial(command, "segments")),
    }


def repeat(name: str) -> None:
    """Call an entry until Ctrl-C."""
    # Processes that run in the background of a shell may ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    number, length, call = entries()[name]
    hypotheses, references = texts(number, length, 1), texts(number, length, 2)
    print("ready", flush=True)
    try:
        # The command prints scores.
        with redirect_stdout(sys.stderr):
            while True:
                call(hypotheses, references)
    except KeyboardInterrupt:
        print("stopped", flush=True)


def seconds_until_stopped(name: str, moment: float) -> float:
    """Return how long a call goes on after a Ctrl-C."""
    started = [sys.executable, "-W", "ignore", __file__, "--repeat", name]
    environment = {**os.environ, "TRUEBLEU_MAX_LINE": str(1 << 30)}
    with subprocess.Popen(
        started,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", name
        time.sleep(moment)
        begin = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert "stopped\n" in process.stdout, name
        return time.perf_counter() - begin


def main() -> None:
    """Measure all, print it, and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeat", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.repeat:
        repeat(options.repeat)
        return
    rows = []
    for name in options.names or entries():
        longest = max(seconds_until_stopped(name, moment) for moment in MOMENTS)
        print(f"{name}: {longest:.2f} seconds{' (!)' if longest > ALLOWED else ''}", flush=True)
        rows.append([name, f"{longest:.2f}"])
    if not options.names:
        record("interrupts", ["call", "seconds until it stops"], rows)


if __name__ == "__main__":
    main()
