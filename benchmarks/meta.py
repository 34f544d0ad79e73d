"""Meta-evaluation, against mt-metrics-eval: a copy of it is in the folder that MTME names."""

from __future__ import annotations

import os
import sys
import types
from typing import TYPE_CHECKING

import numpy as np
from truebleu._core import RankedPairs
from truebleu.meta import meta_evaluate
from truebleu.meta_evaluation.judged import Outputs
from truebleu.meta_evaluation.measures import MEASURES

from benchmarks.measure import Result, at_least, at_most, in_turn, seconds, show

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.meta_evaluation.judged import Floats

_DRAWS = 1024


def _tables(seed: int, metrics: int, systems: int, segments: int) -> list[Floats]:
    """Return gold scores with ties, as MQM has, and those of some metrics."""
    random = np.random.default_rng(seed)
    quality = random.normal(size=(systems, 1)) * 0.3
    penalties = random.exponential(3, (systems, segments))
    gold = np.minimum(0, quality - penalties).round()
    noise = (random.normal(size=gold.shape) for _ in range(metrics))
    return [gold, *(0.1 * gold + each for each in noise)]


def _named(table: Floats) -> dict[str, list[float]]:
    return {f"s{place}": row.tolist() for place, row in enumerate(table)}


def original() -> Any:
    """Return the statistics of mt-metrics-eval; None without a copy of it."""
    if "MTME" not in os.environ:
        return None
    sys.path.append(os.environ["MTME"])
    # Its pipelines are not used.
    sys.modules.setdefault("apache_beam", types.ModuleType("apache_beam"))
    from mt_metrics_eval import stats  # type: ignore[import-not-found]

    return stats


def task(systems: int = 15, segments: int = 1000, metrics: int = 12) -> Iterator[Result]:
    """Compute a table of WMT24's shape: three language pairs, a dozen metrics, and their tests."""

    def table() -> None:
        for pair in range(3):
            gold, *scores = _tables(pair, metrics, systems, segments)
            meta_evaluate(
                _named(gold),
                scores={f"m{place}": _named(each) for place, each in enumerate(scores)},
                n_resamples=None,
                threads=2,
            )

    took = seconds(table)
    name = f"3 language pairs x {metrics} metrics x 5 measures, 1,000 draws, 2 threads"
    yield at_most(name, show(took), "", took, 60, " s")


def against_original(runs: int, systems: int = 15, segments: int = 1000) -> Iterator[Result]:
    """Calibrate thresholds and test metrics on made-up scores; the answers are equal."""
    stats = original()
    if stats is None:
        print("meta-evaluation is not compared: MTME names no copy of mt-metrics-eval")
        return
    import scipy.stats  # type: ignore[import-untyped]

    gold, one, other = _tables(0, 2, systems, segments)
    flat = [each.ravel().tolist() for each in (gold, one, other)]
    outputs = Outputs(gold)
    first, second = ((each - each.mean()) / each.std() for each in (one, other))
    size = f"{systems} x {segments:,}"
    places, sizes = outputs.groups("item")
    grouped = [each.ravel()[places] for each in (gold, one)]

    def calibrated() -> Any:
        return RankedPairs(sizes, *grouped).best(np.ones(len(sizes)), False)

    def calibrated_there() -> Any:
        return stats.KendallWithTiesOpt(*flat[:2], "acc23", systems, "item", 1.0)[:2]

    assert np.allclose(calibrated(), calibrated_there(), rtol=1e-12)
    ours, theirs = in_turn([calibrated, calibrated_there], [runs, 1])
    yield at_least(f"acc-eq of {size}, 1 thread, mt-metrics-eval", ours, theirs, 30)

    corrs = [stats.Correlation(systems, flat[0], each) for each in flat[1:]]
    accuracy = {"variant": "acc23"}
    for measure, function, how, draws, target in (
        ("acc", stats.KendallVariants, ("item", accuracy), 2, 20_000),
        ("acc-eq", stats.KendallWithTiesOpt, ("item", {**accuracy, "sample_rate": 1.0}), 1, 3_000),
        ("pearson", scipy.stats.pearsonr, ("none", {}), 20, 100),
    ):
        by, more = how
        found = MEASURES[measure]

        def drawn(found: Any = found) -> Floats:
            swapped: Floats = found.drawn(outputs, first, second, 1, _DRAWS, 1)
            return swapped

        def drawn_there(
            function: Any = function, by: str = by, draws: int = draws, more: Any = more
        ) -> Any:
            return stats.PermutationSigDiff(*corrs, function, by, draws, **more)

        # The observed difference, which the draws are compared with.
        still = np.zeros((1, *gold.shape), np.bool_)
        before = found.swapped(outputs, first, second, iter([still]))[0]
        assert np.isclose(before[1] - before[0], drawn_there()[1], atol=1e-12)
        ours, theirs = in_turn([drawn, drawn_there], [runs, 1])
        # The one that was observed is computed, too.
        each = ours / _DRAWS, theirs / (draws + 1)
        yield at_least(f"PERM-BOTH {measure}, {size}, a draw, mt-metrics-eval", *each, target)

    random = np.random.default_rng(1)
    bits = random.integers(2, size=(10_000, segments))
    signs = np.packbits(bits, axis=1, bitorder="little")

    def soft() -> Any:
        return MEASURES["spa"].value(outputs, _scores(one), signs)

    def soft_there() -> Any:
        return stats.PairwiseConfidenceError(*flat[:2], systems, 10_000)[0]

    assert abs(soft() - soft_there()) < 0.01
    ours, theirs = in_turn([soft, soft_there], [runs, 1])
    yield at_least(f"spa of {size}, 10,000 swaps, mt-metrics-eval", ours, theirs, 10)


def _scores(table: Floats) -> Any:
    from truebleu.meta_evaluation.judged import Scores

    return Scores(table)
