"""Bootstrap samples of segments or documents, and intervals from them."""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from truebleu.meta_evaluation.judged import Floats

# Numbers of samples that are in memory at once.
_AT_ONCE = 1 << 24


def units_of(segments: int, labels: Sequence[Hashable] | None) -> NDArray[np.intp]:
    """Return the number of the segment's unit, which is resampled: itself, or its document."""
    if labels is None:
        return np.arange(segments)
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return np.array([places[label] for label in labels])


def samples(units: NDArray[np.intp], n_resamples: int, seed: int) -> Iterator[Floats]:
    """Return how often samples contain each segment, as arrays of shape (samples, segments)."""
    random = np.random.Generator(np.random.PCG64(seed))
    size, at_once = int(units.max()) + 1, max(1, _AT_ONCE // len(units))
    for start in range(0, n_resamples, at_once):
        number = min(at_once, n_resamples - start)
        drawn = random.integers(size, size=(number, size))
        weights = np.zeros((number, size))
        np.add.at(weights, (np.arange(number)[:, np.newaxis], drawn), 1.0)
        yield weights[:, units]


def interval_of(found: Floats, alpha: float) -> tuple[float, float] | None:
    """Return the percentile interval; None if most samples have no value."""
    known = found[np.isfinite(found)]
    if len(known) < len(found) / 2:
        return None
    low, high = np.quantile(known, [alpha / 2, 1 - alpha / 2])
    # At most 1, also after rounding.
    return float(low), min(float(high), 1.0)
