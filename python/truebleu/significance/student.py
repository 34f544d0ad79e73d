"""Tests and intervals by Student's t, of scores whose standard errors are known.

Source: Satterthwaite (1946), *An Approximate Distribution of Estimates of Variance Components*.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import copysign, inf, sqrt
from typing import NamedTuple

from truebleu._core import student_t_tail
from truebleu.significance import inference
from truebleu.significance.pair import Interval
from truebleu.significance.paired import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.significance.design import Design

# More degrees of freedom make no difference.
_MOST_FREEDOM = 1e6


class Estimate(NamedTuple):
    """A score or a difference, its standard error, and the degrees of freedom of that."""

    value: float
    error: float
    freedom: float

    @classmethod
    def of(cls, value: float, variances: Iterable[tuple[float, float]]) -> Estimate:
        """Return an estimate whose variance is the sum of some, each with degrees of freedom."""
        parts = list(variances)
        total = sum(variance for variance, _ in parts)
        squares = sum(variance**2 / freedom for variance, freedom in parts)
        freedom = total**2 / squares if squares else inf
        return cls(value, sqrt(total), min(freedom, _MOST_FREEDOM))

    def interval(self, level: float) -> Interval:
        """Return the confidence interval."""
        half = self.error * -inference.quantile_of_t((1 - level) / 2, self.freedom)
        return Interval(
            low=self.value - half,
            high=self.value + half,
            confidence_level=level,
            method="t",
            mean=self.value,
            error=self.error,
        )

    def test(
        self,
        design: Design,
        *,
        higher_is_better: bool,
        smallest: Fraction = Fraction(0),
        **known: Any,
    ) -> Outcome:
        """Test whether a difference is 0, with a p-value from `smallest` up, and the margin."""

        def tail(points: float) -> Fraction:
            """Return the p-value of a difference that is above 0 by these points."""
            ratio = points / self.error if self.error else copysign(inf, points)
            return Fraction(student_t_tail(ratio, self.freedom) if points else 0.5)

        ahead, margin = self.value if higher_is_better else -self.value, design.margin
        if margin is not None:
            known |= {"p_not_worse": tail(margin + ahead), "p_not_better": tail(margin - ahead)}
        return Outcome(
            p_value=max(smallest, min(Fraction(1), 2 * tail(abs(ahead)))),
            smallest=smallest,
            n_trials=0,
            interval=self.interval(design.level),
            **known,
        )
