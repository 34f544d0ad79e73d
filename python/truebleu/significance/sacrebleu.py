"""sacreBLEU's own intervals and p-values, bit for bit, defects included.

Random numbers come from NumPy's generator, as they do there. What differs from the right answer is
listed in ``docs/differences.md``.
"""

from __future__ import annotations

from fractions import Fraction

from truebleu._core import Engine, add_rows, legacy_bootstrap, legacy_score, legacy_swaps

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from truebleu.significance.inference import Floats

# Indices or bits that are drawn at a time.
_PIECE = 2**21


class SacrebleuSampler:
    """Draws what sacreBLEU 2.6.0 draws, and scores it as sacreBLEU does.

    Parameters
    ----------
    scorer : Engine
        With settings that sacreBLEU has.
    seed : int or None
        The value of ``SACREBLEU_SEED``; None stands for fresh entropy. In paired tests, and only
        there, sacreBLEU takes 0 for None.
    progress : callable
        Is told how many trials have been done since it was told last.
    """

    def __init__(self, scorer: Engine, seed: int | None, progress: Callable[[int], None]) -> None:
        """Keep what all draws need."""
        self._scorer = scorer
        self._seed = seed
        self._progress = progress

    def score(self, table: NDArray[np.int64]) -> float:
        """Score the sum of some rows; a perfect score is 100.00000000000004."""
        total = add_rows(table.astype("<i8").tobytes(), table.shape[1])
        return legacy_score(self._scorer, total)

    def bootstrap(self, table: NDArray[np.int64], samples: int) -> Floats:
        """Return scores of bootstrap samples, as for one system."""
        return self._samples(self._generator(self._seed), [table], samples)[0]

    def paired_bootstrap(
        self, baseline: NDArray[np.int64], system: NDArray[np.int64], samples: int
    ) -> tuple[Fraction, Floats]:
        """Return the p-value, and the scores of the system's samples."""
        import numpy as np

        random = self._generator(self._seed or None)
        theirs, own = self._samples(random, [baseline, system], samples)
        differences = np.abs(own - theirs)
        return self._p_value(differences - differences.mean(), baseline, system), own

    def paired_randomisation(
        self,
        baseline: NDArray[np.int64],
        system: NDArray[np.int64],
        trials: int,
        samples: int | None,
    ) -> tuple[Fraction, Floats | None]:
        """Return the p-value, and the scores of the system's samples if there are to be any."""
        import numpy as np

        random = self._generator(self._seed or None)
        first, second = (table.astype("<i8").tobytes() for table in (baseline, system))
        # A whole number of 32 bits at a time: what is left of a word is not kept between calls.
        piece = 32 * max(1, _PIECE // (32 * len(system)))
        parts = []
        for start in range(0, trials, piece):
            size = (min(piece, trials - start), len(system))
            stays = random.integers(2, size=size, dtype=bool)
            found = legacy_swaps(self._scorer, first, second, stays.tobytes())
            parts.append(np.frombuffer(found, "<f8").reshape(-1, 2))
            self._progress(size[0])
        scores = np.concatenate(parts)
        p_value = self._p_value(np.abs(scores[:, 0] - scores[:, 1]), baseline, system)
        return p_value, self._samples(random, [system], samples)[0] if samples else None

    def _generator(self, seed: int | None) -> np.random.Generator:
        import numpy as np

        return np.random.default_rng(seed)

    def _samples(
        self, random: np.random.Generator, tables: list[NDArray[np.int64]], samples: int
    ) -> list[Floats]:
        """Score the same samples of several systems."""
        import numpy as np

        segments = len(tables[0])
        rows = [table.astype("<i8").tobytes() for table in tables]
        parts: list[list[Floats]] = [[] for _ in tables]
        piece = max(1, _PIECE // segments)
        for start in range(0, samples, piece):
            size = min(piece, samples - start)
            indices = random.choice(segments, size=(size, segments), replace=True).ravel()
            for part, table in zip(parts, rows, strict=True):
                found = legacy_bootstrap(self._scorer, table, indices)
                part.append(np.frombuffer(found, "<f8"))
            self._progress(size)
        return [np.concatenate(part) for part in parts]

    def _p_value(
        self, found: Floats, baseline: NDArray[np.int64], system: NDArray[np.int64]
    ) -> Fraction:
        """Count what is larger than the observed difference; ties do not count, and should."""
        import numpy as np

        observed = abs(self.score(baseline) - self.score(system))
        return Fraction(int(np.count_nonzero(found > observed)) + 1, len(found) + 1)


def mean_and_half_width(samples: Floats) -> tuple[float, float]:
    """Return the mean of samples and half the width of their 95 % interval."""
    import numpy as np

    ordered = np.sort(samples)
    out = len(ordered) // 40
    return float(ordered.mean()), float(0.5 * (ordered[len(ordered) - out - 1] - ordered[out]))
