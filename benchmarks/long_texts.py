"""Long texts: chrF of documents, what a word costs in texts of any length, and memory of a line."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

import truebleu

from benchmarks import data
from benchmarks.measure import Result, faster, fewer, in_turn, seconds
from campaign.memory import peak_of_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

METRICS = {"BLEU": truebleu.Bleu(), "chrF": truebleu.Chrf(), "TER": truebleu.Ter()}


def documents(system: Path, reference: Path, runs: int, size: int = 8) -> Iterator[Result]:
    """Score documents of so many sentences with chrF, on one thread."""
    from sacrebleu.metrics import CHRF

    own, other = (
        [" ".join(texts[start : start + size]) for start in range(0, len(texts), size)]
        for texts in (data.lines(system), data.lines(reference))
    )

    def ours() -> float:
        return METRICS["chrF"].corpus(own, other, threads=1).score

    found = [ours()]
    slow = seconds(lambda: found.append(float(CHRF().corpus_score(own, [other]).score)))
    assert found[0] == found[1]
    [one] = in_turn([ours], [runs])
    length = sum(map(len, other)) // len(other)
    name = f"chrF, {len(own):,} documents of {length:,} characters, 1 thread, sacreBLEU"
    yield faster(name, one, slow)


def texts(words: int) -> tuple[str, str]:
    """Return two texts of so many words, as frequent as in a language; a tenth of them differ."""
    chance = Random(words)
    vocabulary = [f"{chance.getrandbits(28):x}"[: 2 + rank % 7] for rank in range(20_000)]
    ranks = (int(20_000 ** chance.random()) - 1 for _ in range(words))
    reference = [vocabulary[rank] for rank in ranks]
    changed = (chance.random() < 0.1 for _ in reference)
    pairs = zip(reference, changed, strict=True)
    return " ".join([word[::-1] if new else word for word, new in pairs]), " ".join(reference)


def words(runs: int, longest: int = 1_000_000) -> Iterator[Result]:
    """Score as many words in texts of 100 words, of ten times as many, and so on."""
    sizes = [100 * 10**power for power in range(5) if 100 * 10**power <= longest]
    for name, metric in METRICS.items():
        calls: list[Callable[[], object]] = []
        for size in sizes:
            lines = ([text] * max(1, longest // 10 // size) for text in texts(size))
            calls.append(partial(metric.corpus, *lines, threads=1))
        times = in_turn(calls, [max(1, runs // 3)] * len(calls))
        costs = [time / max(size, longest // 10) for time, size in zip(times, sizes, strict=True)]
        what = f"{name}, {sizes[0]:,} to {sizes[-1]:,} words, the dearest word, the cheapest"
        yield fewer(what, max(costs), min(costs))


def memory(size: int = 8 << 20) -> Iterator[Result]:
    """Score one line of random words against another."""
    for metric in ("BLEU", "chrF", "TER"):
        times = peak_of_line(metric.lower(), "words", size)
        name = f"{metric}, two lines of {size >> 20} MB, memory per byte of one"
        yield Result(name, f"{times:.1f} bytes", "", times, "size")


def everything(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Run the benchmarks of this module, in the order of the table."""
    yield from documents(systems[0], reference, runs)
    yield from words(runs)
    yield from memory()
