"""Measure how often tests between metrics reject, and how often intervals of agreement cover.

Run as ``python campaign/agreement.py``; takes some minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu.meta import meta_evaluate

from campaign import recorded

if TYPE_CHECKING:
    from truebleu.meta_evaluation.judged import Floats

MEASURES = ("pairwise-accuracy", "spa", "acc-eq", "pearson", "kendall:item")
SYSTEMS, SEGMENTS, POPULATION = 8, 100, 4_000

# With these, a p-value of exactly 0.05 is possible.
_TRIALS, _SAMPLES = 199, 200


def _drawn(random: np.random.Generator, segments: int) -> tuple[Floats, Floats, Floats]:
    """Draw gold scores with ties, and two metrics that are equally good."""
    quality = random.normal(scale=0.3, size=(SYSTEMS, 1))
    true = quality + random.normal(size=segments) + random.normal(size=(SYSTEMS, segments))
    one, other = (true + random.normal(size=true.shape) for _ in range(2))
    return np.round(true * 2), one, other


def _named(table: Floats) -> dict[str, list[float]]:
    return {f"s{place}": row.tolist() for place, row in enumerate(table)}


def level(measure: str, repeats: int, segments: int = SEGMENTS) -> float:
    """Return how often two exchangeable metrics differ significantly at 5%."""
    random = np.random.default_rng(1)
    rejected = 0
    for _ in range(repeats):
        gold, one, other = map(_named, _drawn(random, segments))
        found = meta_evaluate(
            gold,
            scores={"one": one, "other": other},
            measures=measure,
            n_trials=_TRIALS,
            n_resamples=None,
            seed=int(random.integers(1 << 32)),
            threads=1,
        )
        # alpha is a bound that p must be below.
        rejected += found[measure].pairs[0].p_value <= 0.05
    return rejected / repeats


def coverage(measure: str, repeats: int, segments: int = SEGMENTS) -> float:
    """Return how often 95% intervals contain the average value of test sets of this size.

    It is not the value of endlessly many segments: with more segments, p-values are smaller, and
    soft pairwise accuracy is another.
    """
    random = np.random.default_rng(2)
    gold, metric, _ = _drawn(random, POPULATION)
    found = []
    for _ in range(repeats):
        chosen = random.choice(POPULATION, segments)
        evaluation = meta_evaluate(
            _named(gold[:, chosen]),
            scores={"one": _named(metric[:, chosen])},
            measures=measure,
            n_trials=None,
            n_resamples=_SAMPLES,
            threads=1,
        )
        measured = evaluation[measure]["one"]
        assert measured.value is not None
        assert measured.interval is not None
        found.append((measured.value, *measured.interval))
    expected = sum(value for value, _, _ in found) / repeats
    return sum(low <= expected <= high for _, low, high in found) / repeats


def main() -> None:
    """Print and record the rates of all measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=5000, help="tests of each measure")
    parser.add_argument("--intervals", type=int, default=150, help="intervals of each measure")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    rows = []
    for name in MEASURES:
        rejects, covers = level(name, options.tests), coverage(name, options.intervals)
        rows.append([name, rejects, covers])
        print(f"{name}: rejects {rejects:.1%}, covers {covers:.1%}", flush=True)
    if not options.no_record:
        recorded.record("agreement", ["measure", "rejects", "covers"], rows)


if __name__ == "__main__":
    main()
