"""How far two metrics agree about segments: Pearson's r and Kendall's tau."""

from __future__ import annotations

from itertools import combinations

from truebleu.display.formatting import decimals
from truebleu.display.shown import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Correlation(Result):
    """How far two metrics agree about segments, grouped by item and by system.

    By item: the correlation over the systems, averaged over the segments. It asks whether the
    metrics agree about which system translated a segment better. By system: the correlation over
    the segments, averaged over the systems. It asks whether they agree about which segments a
    system translated well. All scores pooled would mix the two with the difference between the
    systems. Where a correlation is undefined, because one metric has equal scores, the segment or
    system is left out of the average.

    It is positive where the metrics agree about what is better: scores of which lower is better are
    negated first.

    Attributes
    ----------
    one, other : str
        The names of the metrics.
    pearson_by_item, kendall_by_item : float or None
        Pearson's r and Kendall's tau-b, which corrects for ties; None if undefined for all
        segments, as for a single system.
    pearson_by_system, kendall_by_system : float or None
        The same by system; None if undefined for all systems.
    scores : int
        How many outputs, of all systems together, have a score under both metrics.
    """

    one: str
    other: str
    pearson_by_item: float | None
    kendall_by_item: float | None
    pearson_by_system: float | None
    kendall_by_system: float | None
    scores: int

    @classmethod
    def of(cls, one: str, other: str, first: Floats, second: Floats) -> Correlation:
        """Correlate two arrays of shape (systems, segments), in which higher is better.

        What is not finite is left out.
        """
        import numpy as np

        known = np.isfinite(first) & np.isfinite(second)
        by_item = _over_rows(np.where(known, first, np.nan), np.where(known, second, np.nan))
        rows = [(x[both], y[both]) for x, y, both in zip(first, second, known, strict=True)]
        return cls(
            one=one,
            other=other,
            pearson_by_item=_average(by_item[0]),
            kendall_by_item=_average(by_item[1]),
            pearson_by_system=_average(pearson(*row) for row in rows),
            kendall_by_system=_average(kendall(*row) for row in rows),
            scores=int(known.sum()),
        )

    def __repr__(self) -> str:
        def shown(value: float | None) -> str:
            return "undefined" if value is None else decimals(value, ".3f")

        return (
            f"<Correlation of {self.one} and {self.other}: by item "
            f"Pearson {shown(self.pearson_by_item)}, Kendall {shown(self.kendall_by_item)}; by "
            f"system Pearson {shown(self.pearson_by_system)}, "
            f"Kendall {shown(self.kendall_by_system)}>"
        )


def _average(found: Iterable[float | None]) -> float | None:
    """Return the mean of the correlations that are defined; None if none is."""
    defined = [each for each in found if each is not None]
    return sum(defined) / len(defined) if defined else None


def _over_rows(first: Floats, second: Floats) -> tuple[list[float], list[float]]:
    """Return Pearson's r and Kendall's tau-b over the rows, for each column that has them."""
    import numpy as np

    sums = np.zeros((2, 3, first.shape[1]))
    # Scaled first, so that squares do not overflow.
    first, second = (
        each / np.fmax.reduce(np.abs(each), initial=1e-300) for each in (first, second)
    )
    for one, other in combinations(range(len(first)), 2):
        gaps = first[one] - first[other], second[one] - second[other]
        known = np.isfinite(gaps[0])
        x, y = (np.where(known, gap, 0.0) for gap in gaps)
        sums[0] += x * y, x * x, y * y
        x, y = np.sign(x), np.sign(y)
        sums[1] += x * y, x * x, y * y
    defined = (sums[0, 1:] > 0).all(axis=0)
    products, *squares = sums[:, :, defined].swapaxes(0, 1)
    pearsons, kendalls = products / np.sqrt(squares[0]) / np.sqrt(squares[1])
    return pearsons.tolist(), kendalls.tolist()


def pearson(first: Floats, second: Floats) -> float | None:
    """Return Pearson's r; None if it is undefined, because one array is constant or empty."""
    import numpy as np

    if not _vary(first, second):
        return None
    # Scaled first, so that squares neither overflow nor vanish.
    first, second = first - first.mean(), second - second.mean()
    first, second = first / np.abs(first).max(), second / np.abs(second).max()
    r = float(first @ second / np.sqrt((first @ first) * (second @ second)))
    return max(-1.0, min(1.0, r))


def kendall(first: Floats, second: Floats) -> float | None:
    """Return Kendall's tau-b; None if it is undefined, because one array is constant or empty.

    Counts discordant pairs by merging sorted halves, in O(n log**2 n) time: Knight (1966), *A
    Computer Method for Calculating Kendall's Tau with Ungrouped Data*.
    """
    import numpy as np

    if not _vary(first, second):
        return None
    x = np.unique(first, return_inverse=True)[1]
    y = np.unique(second, return_inverse=True)[1]
    order = np.lexsort((y, x))
    pairs = len(x) * (len(x) - 1) // 2
    tied_x, tied_y = _tied(x), _tied(y)
    tied_both = _tied(np.unique(np.stack([x, y]), axis=1, return_inverse=True)[1].ravel())
    discordant = _inversions(y[order])
    gap = pairs - tied_x - tied_y + tied_both - 2 * discordant
    return gap / float((pairs - tied_x) ** 0.5 * (pairs - tied_y) ** 0.5)


def _vary(first: Floats, second: Floats) -> bool:
    import numpy as np

    return len(first) > 1 and bool(np.ptp(first) and np.ptp(second))


def _tied(ranks: NDArray[np.int64]) -> int:
    import numpy as np

    sizes = np.bincount(ranks)
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(ranks: NDArray[np.int64]) -> int:
    """Return how many pairs are in descending order."""
    import numpy as np

    most = int(ranks.max()) + 1
    size = 1 << (len(ranks) - 1).bit_length()
    # What fills up the last block is larger than anything to its left.
    blocks = np.full(size, most, np.int64)
    blocks[: len(ranks)] = ranks
    found, width = 0, 1
    while width < size:
        halves = blocks.reshape(-1, 2, width)
        # An offset of its own for each pair of blocks makes all left halves one sorted array.
        offsets = np.arange(len(halves))[:, np.newaxis] * (most + 1)
        left = (halves[:, 0] + offsets).ravel()
        right = halves[:, 1] + offsets
        not_larger = np.searchsorted(left, right, side="right") - (
            np.arange(len(halves))[:, np.newaxis] * width
        )
        found += int((width - not_larger).sum())
        blocks = np.sort(blocks.reshape(-1, 2 * width), axis=1).ravel()
        width *= 2
    return found
