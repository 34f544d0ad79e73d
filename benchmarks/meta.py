"""Meta-evaluation, against mt-metrics-eval: a copy of it is in the folder that MTME names."""

from __future__ import annotations

import os
import sys
import types
from typing import TYPE_CHECKING

import numpy as np
from truebleu.meta import meta_evaluate
from truebleu.meta_evaluation.judged import Outputs, Scores
from truebleu.meta_evaluation.measures import MEASURES

from benchmarks.measure import Result, faster, in_turn, seconds, timed

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
    yield timed(name, took)


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

    def calibrated() -> float:
        return MEASURES["acc-eq"].value(outputs, Scores(one))

    def calibrated_there() -> float:
        found = stats.KendallWithTiesOpt(*flat[:2], "acc23", systems, "item", 1.0)
        return float(found[0])

    assert np.isclose(calibrated(), calibrated_there(), rtol=1e-12)
    ours, theirs = in_turn([calibrated, calibrated_there], [runs, 1])
    yield faster(f"acc-eq of {size}, 1 thread, mt-metrics-eval", ours, theirs)

    corrs = [stats.Correlation(systems, flat[0], each) for each in flat[1:]]
    accuracy = {"variant": "acc23"}
    for measure, function, how, draws in (
        ("acc", stats.KendallVariants, ("item", accuracy), 2),
        ("acc-eq", stats.KendallWithTiesOpt, ("item", {**accuracy, "sample_rate": 1.0}), 1),
        ("pearson", scipy.stats.pearsonr, ("none", {}), 20),
    ):
        by, more = how
        found = MEASURES[measure]

        def drawn(found: Any = found) -> Floats:
            swapped: Floats = found.swapped(outputs, first, second, 1, _DRAWS, 1)
            return swapped

        def drawn_there(
            function: Any = function, by: str = by, draws: int = draws, more: Any = more
        ) -> Any:
            return stats.PermutationSigDiff(*corrs, function, by, draws, **more)

        # The observed difference, which the draws are compared with.
        before = [found.value(outputs, Scores(each)) for each in (first, second)]
        assert np.isclose(before[1] - before[0], drawn_there()[1], atol=1e-12)
        ours, theirs = in_turn([drawn, drawn_there], [runs, 1])
        # The one that was observed is computed, too.
        each = ours / _DRAWS, theirs / (draws + 1)
        yield faster(f"PERM-BOTH {measure}, {size}, a draw, mt-metrics-eval", *each)
