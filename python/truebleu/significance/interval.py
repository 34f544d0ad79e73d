"""Bootstrap confidence intervals."""

from __future__ import annotations

from math import inf

from truebleu.display import formatting
from truebleu.display.shown import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.significance.inference import Floats


class Interval(Result):
    """A bootstrap confidence interval for a corpus-level score, or for the difference of two.

    It is an interval for the score on the population that the segments (or documents) are a sample
    of: at a confidence level of 95%, about 95% of intervals built this way from different samples
    contain that score. It does not predict the score on another test set. An interval of a
    difference is not corrected for multiple comparisons.

    Attributes
    ----------
    low, high : float
        The ends, on the scale of the score. They need not be equally far from the score. If
        tests are one-sided, one end of the interval of a difference is infinite.
    confidence_level : float
        The nominal share of such intervals that contain the score on the population.
    method : str
        ``bca``, ``expanded-percentile`` or ``sacrebleu``.
    mean : float
        The mean score of the bootstrap samples.
    error : float
        The standard error of the score: the standard deviation over the bootstrap samples.
    half_width : float
        Half the distance between the ends; sacreBLEU's ``ci``.
    """

    __module__ = "truebleu"

    low: float
    high: float
    confidence_level: float
    method: str
    mean: float
    error: float
    half_width: float

    @classmethod
    def of(
        cls, samples: Floats, ends: tuple[float, float], confidence_level: float, method: str
    ) -> Interval:
        """Create an interval from the scores of bootstrap samples and the ends."""
        return cls(
            low=ends[0],
            high=ends[1],
            confidence_level=confidence_level,
            method=method,
            mean=float(samples.mean()),
            error=float(samples.std(ddof=1)) if len(samples) > 1 else 0.0,
            half_width=(ends[1] - ends[0]) / 2,
        )

    def mirrored(self) -> Interval:
        """Return the interval of the negated value, such as the difference B - A of A - B."""
        # Unlike -x, 0 - x is never -0.0.
        return self.replace(low=0 - self.high, high=0 - self.low, mean=0 - self.mean)

    @property
    def excludes_zero(self) -> bool:
        """Whether both ends are above 0, or both below."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as plain Python values; None where they are infinite."""
        values = super().to_dict()
        infinite = [name for name, value in values.items() if value in (inf, -inf)]
        return values | dict.fromkeys(infinite)

    def __repr__(self) -> str:
        """Show the ends, the level and the method."""
        return f"<Interval {self}, {formatting.percent(self.confidence_level)}, {self.method}>"

    def __str__(self) -> str:
        """Format the ends with two decimals."""
        return self.ends()

    def ends(self, width: int = 2) -> str:
        """Format the ends with `width` decimals."""
        low = "(-∞" if self.low == -inf else "[" + formatting.decimals(self.low, f".{width}f")
        high = "∞)" if self.high == inf else formatting.decimals(self.high, f".{width}f") + "]"
        return f"{low}, {high}"
