"""How far two metrics agree about segments: Pearson's r and Kendall's tau."""

from __future__ import annotations

from truebleu.display.formatting import decimals
from truebleu.display.result import Result

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Correlation(Result):
    """The correlation of two metrics over the segments of all systems.

    It is positive where the metrics agree about what is better: scores of which lower is better are
    negated first. Segments are not grouped by system or by item, as in mt-metrics-eval by default,
    so that it also reflects the differences between systems.

    Attributes
    ----------
    one, other : str
        The names of the metrics.
    pearson : float or None
        Pearson's r; None if all scores of one of the metrics are equal.
    kendall : float or None
        Kendall's tau-b, which corrects for ties; None where `pearson` is.
    scores : int
        How many outputs, of all systems together, have a score under both metrics.
    """

    __module__ = "truebleu"

    one: str
    other: str
    pearson: float | None
    kendall: float | None
    scores: int

    @classmethod
    def of(cls, one: str, other: str, first: Floats, second: Floats) -> Correlation:
        """Correlate two arrays of one shape, in which higher is better; NaN is left out."""
        import numpy as np

        known = np.isfinite(first) & np.isfinite(second)
        first, second = first[known], second[known]
        return cls(
            one=one,
            other=other,
            pearson=pearson(first, second),
            kendall=kendall(first, second),
            scores=len(first),
        )

    def __repr__(self) -> str:
        """Show both numbers."""
        numbers = (
            f"{name} {'undefined' if value is None else decimals(value, '.3f')}"
            for name, value in (("Pearson", self.pearson), ("Kendall", self.kendall))
        )
        return f"<Correlation of {self.one} and {self.other}: {', '.join(numbers)}>"


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
    """Whether each array has two numbers that differ."""
    import numpy as np

    return len(first) > 1 and bool(np.ptp(first) and np.ptp(second))


def _tied(ranks: NDArray[np.int64]) -> int:
    """Return how many pairs have equal ranks."""
    import numpy as np

    sizes = np.bincount(ranks)
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(ranks: NDArray[np.int64]) -> int:
    """Return how many pairs are in descending order.

    Blocks of 1, 2, 4, ... numbers are sorted; in each pair of neighboring blocks, those on the left
    that are larger than one on the right are counted.
    """
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
