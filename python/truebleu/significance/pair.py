"""Two systems of a comparison, and how they differ."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.shown import Result
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.significance.interval import Interval


class Pair(Result):
    """Two systems, and the test and interval of their difference.

    Attributes
    ----------
    one, other : str
        The names of the two systems.
    delta : float
        The score of `one` minus the score of `other`.
    p_value : float
        The probability of a difference at least as extreme as `delta` (one-sided: at least as much
        in favor of `one`) under the null hypothesis: that the outputs of the two systems are
        interchangeable (randomization), or that their scores are equal (bootstrap).
    p_adjusted : float
        The p-value after Holm's correction for all pairs that were tested.
    significant : bool
        Whether the adjusted p-value, before rounding, is below `alpha` of the comparison.
    at_floor, adjusted_at_floor : bool
        Whether `p_value`, or `p_adjusted`, is the smallest that its number of trials can give,
        because no trial was as extreme as the observed difference. It is not a bound of the p-value
        that more trials would give.
    interval : Interval or None
        The confidence interval of `delta`, not corrected for the number of tests: it can exclude 0
        while `p_adjusted` is not below `alpha`. One-sided tests have a one-sided bound. None if
        `n_resamples` is None.
    exact : bool
        Whether all possible swaps were counted instead of a random sample of them.
    n_trials : int
        The number of swaps or samples that the p-value is based on.
    differing : int
        The number of units (segments or documents) in which the statistics of the two differ.
    detectable : float or None
        The difference that a single test, without correction for the number of tests, would detect
        with a power of about 80%. None if there is no interval.
    detectable_adjusted : float or None
        The same after Holm's correction: the difference that would be found even as the most
        significant one of all tests, at `alpha` divided by their number.
    """

    __module__ = "truebleu"

    one: str
    other: str
    delta: float
    p_value: float
    p_adjusted: float
    significant: bool
    at_floor: bool
    adjusted_at_floor: bool
    interval: Interval | None
    exact: bool
    n_trials: int
    differing: int
    detectable: float | None
    detectable_adjusted: float | None

    @property
    def only_uncorrected(self) -> bool:
        """Whether the interval excludes 0 although the difference is not significant."""
        return self.interval is not None and self.interval.excludes_zero and not self.significant

    def __str__(self) -> str:
        """Write the difference, its interval and the adjusted p-value."""
        return repr(self)[len("<Pair ") : -1]

    def __repr__(self) -> str:
        """Show the difference, its interval and the adjusted p-value."""
        delta = formatting.decimals(self.delta, "+.2f")
        interval = "" if self.interval is None else f" {self.interval}"
        p_value = formatting.p_value(self.p_adjusted, at_floor=self.adjusted_at_floor)
        return f"<Pair {brief(self.one)} - {brief(self.other)}: {delta}{interval}, p {p_value}>"

    def mirrored(self) -> Pair:
        """Return the same pair with the two systems exchanged."""
        interval = None if self.interval is None else self.interval.mirrored()
        delta = 0 - self.delta
        return self.replace(one=self.other, other=self.one, delta=delta, interval=interval)
