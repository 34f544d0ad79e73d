"""sacreBLEU's own intervals and p-values, bit for bit, including its defects.

Random numbers come from NumPy's generator, as in sacreBLEU. The defects are listed in
``docs/differences.md``.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from truebleu._core import Engine, add_rows, legacy_bootstrap, legacy_score, legacy_swaps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from numpy.typing import NDArray

    from truebleu.significance.inference import Floats

    class Scorer(Protocol):
        """Scores resampled statistics of segments, in tables of any type with a length."""

        @property
        def takes_parts(self) -> bool:
            """Whether swaps may be scored in parts, without a change of any bit."""

        def score(self, table: Any) -> float:
            """Score the sum of all segments."""

        def of_samples(self, table: Any, indices: NDArray[np.int64]) -> Floats:
            """Score samples of segments; one row of indices per sample."""

        def of_swaps(
            self, first: Any, second: Any, stays: NDArray[np.bool_]
        ) -> tuple[Floats, Floats]:
            """Score two systems after swaps; one row per trial, False where they swap."""


# Random indices or bits that are drawn at a time.
_PIECE = 2**21


class CoreScorer:
    """Scores tables of rows in the core, by an engine with settings that sacreBLEU has."""

    takes_parts = True

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def score(self, table: NDArray[np.int64]) -> float:
        """Score the sum of the rows as sacreBLEU does: a perfect BLEU is 100.00000000000004."""
        return legacy_score(self._engine, add_rows(_bytes(table), self._engine.fields))

    def of_samples(self, table: NDArray[np.int64], indices: NDArray[np.int64]) -> Floats:
        """Score samples; in single precision if all scores of sacreBLEU are."""
        scored, single = legacy_bootstrap(self._engine, _bytes(table), indices.ravel())
        scores = np.frombuffer(scored, "<f8")
        return scores.astype(np.float32) if single else scores

    def of_swaps(
        self, first: NDArray[np.int64], second: NDArray[np.int64], stays: NDArray[np.bool_]
    ) -> tuple[Floats, Floats]:
        """Score two systems after swaps."""
        scored = legacy_swaps(self._engine, _bytes(first), _bytes(second), stays.tobytes())
        scores = np.frombuffer(scored, "<f8").reshape(-1, 2)
        return scores[:, 0], scores[:, 1]


class SacrebleuSampler:
    """Draws the random numbers of sacreBLEU 2.6.0, and scores samples as it does.

    A seed of None seeds from fresh entropy; in paired tests, and only there, sacreBLEU treats 0 as
    None. `progress` is called with the number of trials done since the last call.
    """

    def __init__(self, scorer: Scorer, seed: int | None, progress: Callable[[int], None]) -> None:
        self._scorer = scorer
        self._seed = seed
        self._progress = progress

    def bootstrap(self, table: Any, samples: int) -> Floats:
        """Return the scores of bootstrap samples, as sacreBLEU does for one system."""
        return self._samples(self._generator(self._seed), [table], samples)[0]

    def paired_bootstrap(self, baseline: Any, system: Any, samples: int) -> tuple[Fraction, Floats]:
        """Return the p-value, and the system's scores on bootstrap samples."""
        random = self._generator(self._seed or None)
        first, second = self._samples(random, [baseline, system], samples)
        differences = np.abs(second - first)
        p_value = self._p_value(differences - differences.mean(), baseline, system)
        return p_value, second

    def paired_randomization(
        self, baseline: Any, system: Any, trials: int, samples: int | None
    ) -> tuple[Fraction, Floats | None]:
        """Return the p-value, and the system's scores on bootstrap samples if there are any."""
        random = self._generator(self._seed or None)
        # Multiples of 32 bits, because NumPy drops the rest of a 32-bit word after each call.
        piece = 32 * max(1, _PIECE // (32 * len(system)))
        if not self._scorer.takes_parts:
            piece = trials
        parts = []
        for start in range(0, trials, piece):
            size = (min(piece, trials - start), len(system))
            stays = random.integers(2, size=size, dtype=bool)
            first, second = self._scorer.of_swaps(baseline, system, stays)
            parts.append(np.abs(first - second))
            self._progress(size[0])
        p_value = self._p_value(np.concatenate(parts), baseline, system)
        return p_value, self._samples(random, [system], samples)[0] if samples else None

    def _generator(self, seed: int | None) -> np.random.Generator:
        return np.random.default_rng(seed)

    def _samples(
        self, random: np.random.Generator, tables: list[Any], samples: int
    ) -> list[Floats]:
        """Score several systems on the same bootstrap samples."""
        segments = len(tables[0])
        parts: list[list[Floats]] = [[] for _ in tables]
        piece = max(1, _PIECE // segments)
        for start in range(0, samples, piece):
            size = min(piece, samples - start)
            indices = random.choice(segments, size=(size, segments), replace=True)
            for part, table in zip(parts, tables, strict=True):
                part.append(self._scorer.of_samples(table, indices))
            self._progress(size)
        return [np.concatenate(part) for part in parts]

    def _p_value(self, differences: Floats, baseline: Any, system: Any) -> Fraction:
        """Return the share of larger differences; like sacreBLEU, it wrongly ignores ties."""
        observed = abs(self._scorer.score(baseline) - self._scorer.score(system))
        extreme = int(np.count_nonzero(differences > observed))
        return Fraction(extreme + 1, len(differences) + 1)


def mean_and_half_width(samples: Floats) -> tuple[Any, Any]:
    """Return mean, and half the width of a 95% interval, with the precision of the samples."""
    ordered = np.sort(samples)
    tail = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[len(ordered) - tail - 1] - ordered[tail])


def _bytes(table: NDArray[np.int64]) -> bytes:
    return table.astype("<i8").tobytes()
