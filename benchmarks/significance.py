"""Intervals and tests, against sacreBLEU's."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from warnings import catch_warnings, simplefilter

import truebleu

from benchmarks import data
from benchmarks.measure import (
    Result,
    faster,
    fewer,
    in_turn,
    megabytes,
    peak_memory,
    seconds,
    timed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def paired(runs: int, trials: int = 10_000) -> Iterator[Result]:
    """Compare nine systems with two references."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    found, reference = data.systems("newstest2021", "en-de")
    systems = {path.name: data.lines(path) for path in found[:9]}
    streams = [data.lines(reference.with_name(f"ref.{name}.txt")) for name in ("refA", "refC")]
    named = list(systems.items())

    def ours(**how: object) -> truebleu.Comparison:
        return truebleu.compare(systems, reference_streams=streams, threads=1, **how)  # type: ignore[call-overload,no-any-return]

    def theirs(kind: str, number: int) -> Callable[[], list[float]]:
        def call() -> list[float]:
            # A new one every time, or its cache of tokenized lines would answer.
            metrics = {"BLEU": BLEU(force=True)}
            results = PairedTest(named, metrics, streams, kind, number)()[1]["BLEU"]
            return [each.score for each in results if not isinstance(each, str)]

        return call

    for kind, test, number in (
        ("bs", "bootstrap", 1_000),
        ("ar", "approximate-randomization", trials),
    ):
        slow = theirs(kind, number)

        # All pairs, and of the bootstrap the intervals, where sacreBLEU has pairs with the first.
        def call(samples: int | None = 1_000 if kind == "bs" else None) -> truebleu.Comparison:
            return ours(n_resamples=samples)

        assert [each.score.score for each in call().systems.values()] == slow()
        one, other = in_turn([call, slow], [runs, 1])
        what = f"9 systems, 2 references, {number:,} x {test}, 1 thread, sacreBLEU"
        yield faster(what, one, other)


def many(systems: int = 40, segments: int = 2_000) -> Iterator[Result]:
    """Test all pairs of many systems, and some exactly."""
    found, reference = data.systems("newstest2017", "en-de")
    bleu = truebleu.Bleu()
    references = data.lines(reference)[:segments]
    texts = [data.lines(path)[:segments] for path in found]
    counted = {}
    for number in range(systems):
        # Of two systems by turns, at intervals of their own.
        one, other = texts[number % len(texts)], texts[(7 * number + 3) % len(texts)]
        step = 2 + number // len(texts)
        mixed = [pair[index // step % 2] for index, pair in enumerate(zip(one, other, strict=True))]
        counted[f"s{number}"] = bleu.stats(mixed, references)

    def tested(names: list[str], threads: int, documents: Any) -> truebleu.Comparison:
        chosen = {name: counted[name] for name in names}
        return truebleu.compare(chosen, units=documents, n_resamples=None, threads=threads)

    names = list(counted)
    assert tested(names[:2], 1, "segments").pairs[0].n_trials == 10_000
    took = seconds(lambda: tested(names, 1, "segments"))
    name = f"{systems} systems x {segments:,}, all pairs, 1 thread"
    yield timed(name, took)
    documents = [index * 20 // segments for index in range(segments)]
    with catch_warnings():
        simplefilter("ignore", truebleu.SmallSampleWarning)
        assert tested(names[:2], 2, documents).pairs[0].exact
        took = seconds(lambda: tested(names[:20], 2, documents))
    name = "20 documents, 190 pairs, all swaps, 2 threads"
    yield timed(name, took)


def size(command: str, runs: int, segments: int = 100_000) -> Iterator[Result]:
    """Draw samples of many segments."""
    systems, reference = data.systems("newstest2017", "en-de")
    own, other = data.many_pairs(systems, reference, 1 + segments // 48_000)
    bleu = truebleu.Bleu()
    stats = bleu.stats(own[:segments], other[:segments])
    halves = [truebleu.Stats.join([part]) for part in (stats[: segments // 2], stats)]

    def samples(part: truebleu.Stats) -> Callable[[], object]:
        return lambda: truebleu.confidence_interval(part, n_resamples=1_000, threads=1)

    half, whole = in_turn([samples(part) for part in halves], [runs, runs])
    name = f"{segments:,} segments x 1,000 samples, half as many"
    yield fewer(name, whole, half)
    with TemporaryDirectory() as folder:
        paths = Path(folder, "own"), Path(folder, "other")
        for path, lines in zip(paths, (own, other), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines[:segments]), "utf-8")
        peak = peak_memory(command, "score", str(paths[0]), "-r", str(paths[1]), "--confidence")
    name = f"{segments:,} segments x 10,000 samples, resident memory"
    yield megabytes(name, peak)
