"""chrF, chrF++ and TER, against sacreBLEU's; and matrices of chrF, against fastchrf."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import truebleu

from benchmarks import data
from benchmarks.measure import Result, faster, in_turn, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


def chrf(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Score lists in memory: sixteen systems, on one thread."""
    from sacrebleu.metrics import CHRF

    hypotheses, references = data.many_pairs(systems, reference, 1)
    for metric, order in (("chrF", 0), ("chrF++", 2)):
        ours = _corpus(truebleu.Chrf(word_order=order), hypotheses, references)
        theirs = CHRF(word_order=order)

        def slow(theirs: CHRF = theirs) -> float:
            return float(theirs.corpus_score(hypotheses, [references]).score)

        found = [ours()]
        other = seconds(lambda found=found, slow=slow: found.append(slow()))  # type: ignore[misc]
        assert found[0] == found[1]
        [one] = in_turn([ours], [runs])
        name = f"{metric}, {len(hypotheses):,} pairs, 1 thread, sacreBLEU"
        yield faster(name, one, other)


def ter(name: str, pair: str, runs: int, pairs: int | None = None) -> Result:
    """Score one system of a shared task, on one thread."""
    from sacrebleu.metrics import TER

    systems, reference = data.systems(name, pair)
    hypotheses, references = data.many_pairs(systems[:1], reference, 1)
    hypotheses, references = hypotheses[:pairs], references[:pairs]
    ours = _corpus(truebleu.Ter(), hypotheses, references)
    found = [ours()]
    other = seconds(lambda: found.append(float(TER().corpus_score(hypotheses, [references]).score)))
    assert found[0] == found[1]
    [one] = in_turn([ours], [runs])
    what = f"TER, {name} {pair}, {len(hypotheses):,} pairs, 1 thread, sacreBLEU"
    return faster(what, one, other)


def _corpus(
    metric: truebleu.Metric, hypotheses: list[str], references: list[str]
) -> Callable[[], float]:
    return lambda: metric.corpus(hypotheses, references, threads=1).score


# Runs in a process of its own, because the number of its threads is fixed when it is imported.
_FASTCHRF = """
import sys, time
from fastchrf import pairwise_chrf
hypotheses, references = sys.stdin.read().split("\\0")
hypotheses, references = hypotheses.split("\\n"), references.split("\\n")
start = time.perf_counter()
[rows] = pairwise_chrf([hypotheses], [references])
print(time.perf_counter() - start)
print(*(score for row in rows for score in row))
"""


def matrix(systems: list[Path], reference: Path, runs: int, size: int = 1000) -> Iterator[Result]:
    """Score every one of some sentences against every one of others."""
    hypotheses, references = data.lines(systems[0])[:size], data.lines(reference)[:size]

    def ours() -> object:
        return truebleu.pairwise(hypotheses, references, metric="chrf", threads=1)

    finished = subprocess.run(
        [sys.executable, "-c", _FASTCHRF],
        input="\n".join(hypotheses) + "\0" + "\n".join(references),
        env={**os.environ, "RAYON_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    took, scores = finished.stdout.split("\n", 1)
    expected = np.array(scores.split(), float).reshape(len(hypotheses), -1)
    # Its numbers are in single precision.
    assert np.allclose(np.asarray(ours()), expected, atol=1e-3)
    [one] = in_turn([ours], [runs])
    name = f"chrF, pairwise, {size:,} x {size:,}, 1 thread, fastchrf"
    yield faster(name, one, float(took))


def compared(runs: int, samples: int = 1_000) -> Iterator[Result]:
    """Compare nine systems under three metrics; sacreBLEU is given its statistics."""
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.significance import PairedTest

    found, reference = data.systems("newstest2021", "en-de")
    systems = {path.name: data.lines(path) for path in found[:9]}
    references = data.lines(reference)

    def ours() -> Mapping[str, truebleu.Comparison]:
        return truebleu.compare(
            systems,
            references,
            metrics=["bleu", "chrf++", "ter"],
            n_resamples=samples,
            threads=1,
        )

    metrics = {"BLEU": BLEU(force=True), "CHRF": CHRF(word_order=2), "TER": TER()}
    count = "_extract_corpus_statistics"
    for metric in metrics.values():
        counted = {
            id(texts): getattr(metric, count)(texts, [references]) for texts in systems.values()
        }
        setattr(metric, count, lambda texts, _, counted=counted: counted[id(texts)])

    def theirs() -> list[list[float]]:
        test = PairedTest(list(systems.items()), metrics, [references], "bs", samples)
        _, *results = test()[1].values()
        return [[each.score for each in of_metric] for of_metric in results]

    expected: list[list[float]] = []
    other = seconds(lambda: expected.extend(theirs()))
    scores = [[each.score.score for each in one.systems.values()] for one in ours().values()]
    assert scores == expected
    made = [truebleu.Bleu(), truebleu.Chrf(word_order=2), truebleu.Ter()]
    known = {
        metric: {name: metric.stats(texts, references) for name, texts in systems.items()}
        for metric in made
    }

    def resampled() -> None:
        for metric, stats in known.items():
            truebleu.compare(
                stats,
                metrics=metric,
                n_resamples=samples,
                threads=1,
            )

    whole, resampling = in_turn([ours, resampled], [runs, runs])
    name = f"9 systems, BLEU, chrF++ and TER, {samples:,} x bootstrap, 1 thread"
    yield faster(f"{name}, sacreBLEU without its counting", whole, other)
    yield faster(f"{name}, both without counting", resampling, other)


def everything(systems: list[Path], reference: Path, runs: int) -> Iterator[Result]:
    """Run the benchmarks of this module, in the order of the table."""
    yield from chrf(systems, reference, runs)
    yield ter("newstest2021", "en-de", runs)
    yield ter("generaltest2023", "en-de", runs)
    yield from matrix(systems, reference, runs)
    yield from compared(runs)
