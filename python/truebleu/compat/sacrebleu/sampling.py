"""Random samples as sacreBLEU draws them, seeded by its environment variable."""

from __future__ import annotations

import os

import numpy as np

from truebleu.compat.errors import TooManySamplesError
from truebleu.errors import written
from truebleu.significance.design import MOST_SAMPLES, SEED
from truebleu.significance.sacrebleu import CoreScorer, SacrebleuSampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.significance.sacrebleu import Scorer


def seed_of_environment() -> int | None:
    """Return the seed in ``SACREBLEU_SEED``; None, for a new one each time, if it is ``none``."""
    seed = os.environ.get("SACREBLEU_SEED", str(SEED))
    return None if seed.lower() == "none" else int(seed)


def sampler_of(
    metric: Any, seed: int | None, *corpora: list[list[Any]]
) -> tuple[SacrebleuSampler, list[Any]]:
    """Return a sampler, in the core if that gets every bit right, and statistics for it."""
    in_core = getattr(metric, "core_tables", None)
    found = None if in_core is None else in_core(*corpora)
    scorer: Scorer = _PythonScorer(metric) if found is None else CoreScorer(found[0])
    tables = list(corpora) if found is None else found[1]
    return SacrebleuSampler(scorer, seed, lambda _: None), tables


def sample_scores(metric: Any, stats: list[list[Any]], samples: int) -> tuple[str, list[Any]]:
    """Return the seed as in signatures, and the sorted scores of bootstrap samples."""
    if samples > MOST_SAMPLES:
        raise TooManySamplesError(
            f"n_bootstrap is {written(samples)}; at most {MOST_SAMPLES:,} samples are possible"
        )
    seed = seed_of_environment()
    sampler, [table] = sampler_of(metric, seed, stats)
    scores = np.sort(sampler.bootstrap(table, samples))
    # Numbers in single precision keep their type, which rounds what is computed from them.
    return str(seed).lower(), scores.tolist() if scores.dtype == np.float64 else list(scores)


class _PythonScorer:
    """Scores samples of lists of numbers by the operations of sacreBLEU."""

    # A matrix product rounds sums, depending on its size.
    takes_parts = False

    def __init__(self, metric: Any) -> None:
        self._aggregate = metric._aggregate_and_compute  # sacreBLEU's protocol.
        self._score = metric._compute_score_from_stats

    def score(self, table: list[list[Any]]) -> float:
        return float(self._aggregate(table).score)

    def of_samples(self, table: list[list[Any]], indices: NDArray[np.int64]) -> NDArray[Any]:
        rows = np.array(table, np.float32)
        # Along this axis, NumPy adds the rows one after the other.
        return np.array([self._score(rows[sample].sum(0)).score for sample in indices])

    def of_swaps(
        self, first: list[list[Any]], second: list[list[Any]], stays: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        one, other = np.array(first), np.array(second)
        sums = stays @ one + ~stays @ other, ~stays @ one + stays @ other
        scored = [np.array([self._aggregate(row[None]).score for row in each]) for each in sums]
        return scored[0], scored[1]
