"""Pairs of systems, and the intervals of scores and differences."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.shown import Result
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.metrics.score import Score
    from truebleu.significance.inference import Floats


class Interval(Result):
    """A bootstrap confidence interval for a corpus-level score, or for the difference of two.

    It is an interval for the score on the population that the segments (or documents) are a sample
    of, and does not predict the score on another test set. An interval of a difference is not
    corrected for multiple comparisons.

    >>> import truebleu
    >>> truebleu.confidence_interval(["a b c d e", "a b c d e", "a b"] * 20, ["a b c d e"] * 60)
    <Interval [67.78, 86.12], 95%, bca>

    Attributes
    ----------
    low, high : float
        The ends, on the scale of the score. They need not be equally far from the score.
    confidence_level : float
        The nominal share of such intervals that contain the score on the population.
    method : str
        ``bca`` or ``expanded-percentile``; ``t`` of several runs, and of unpaired corpora.
    mean : float
        The mean score of the bootstrap samples.
    error : float
        The standard error of the score: the standard deviation over the bootstrap samples.
    notes : tuple of str
        What is to be known of it: what was resampled, and what makes it unreliable.
    """

    low: float
    high: float
    confidence_level: float
    method: str
    mean: float
    error: float
    notes: tuple[str, ...] = ()

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
        )

    def mirrored(self) -> Interval:
        """Return the interval of the negated value, such as the difference B - A of A - B."""
        # Unlike -x, 0 - x is never -0.0.
        return self.replace(low=0 - self.high, high=0 - self.low, mean=0 - self.mean)

    @property
    def excludes_zero(self) -> bool:
        """Whether both ends are above 0, or both below."""
        return self.low > 0 or self.high < 0

    def __repr__(self) -> str:
        return f"<Interval {self}, {formatting.percent(self.confidence_level)}, {self.method}>"

    def __str__(self) -> str:
        return self.ends()

    def ends(self, width: int | None = 2) -> str:
        """Format the ends with `width` decimals, or with every digit."""
        form = "" if width is None else f".{width}f"
        low, high = (formatting.decimals(end, form) for end in (self.low, self.high))
        return f"[{low}, {high}]"


class Pair(Result):
    """Two systems, and the test and interval of their difference.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> pair = truebleu.compare({"good": good, "bad": bad}, references).pair("good", "bad")
    >>> round(pair.delta, 2), pair.significant
    (66.93, True)

    Attributes
    ----------
    one, other : str
        The names of the two systems.
    delta : float
        The score of `one` minus the score of `other`.
    p_value : float
        The probability of a difference at least as large as `delta`, in either direction, under the
        null hypothesis that the scores of the two systems are equal.
    p_adjusted : float
        The p-value after Holm's correction for all tests of the call.
    significant : bool
        Whether the adjusted p-value, before rounding, is below `alpha` of the comparison.
    undecided : bool
        Whether the test could not have found any difference significant, because too few units
        differ. That says nothing of the two systems.
    at_floor, adjusted_at_floor : bool
        Whether `p_value`, or `p_adjusted`, is the smallest that its number of trials can give. More
        trials can give a larger one, too: see `p_limit`.
    interval : Interval or None
        The confidence interval of `delta`; None if `n_resamples` is None. It can exclude 0 while
        `p_adjusted`, which is corrected for the number of tests, is not below `alpha`.
    exact : bool
        Whether all possible swaps were counted instead of a random sample of them.
    n_trials : int
        The number of swaps that the p-value is based on; 0 of Student's t.
    differing : int
        The number of units (segments or documents) in which the statistics of the two differ.
    p_not_worse, p_not_better : float or None
        With a `margin`: the one-sided p-value of the statement that `one` is at most so much worse
        than `other`, or at most so much better; after Holm's correction for the same tests.
    p_equivalent : float or None
        The same of the statement that they differ by less than the margin.
    detectable : float or None
        The difference that a single test, without correction for the number of tests, would detect
        with a power of about 80%. None if there is no interval.
    detectable_adjusted : float or None
        The same at `alpha` divided by the number of tests, as Holm's method asks of the first.
    human_agreement : float or None
        In which share of pairs of systems with such a difference human evaluation ordered the two
        alike, by the fit of Kocmi et al. (2024), but at least one half; None if it is not known of
        the metric, or `delta` is 0.
    between_runs : float or None
        Of :func:`truebleu.compare_runs`: the share of the variance of `delta`, from 0 to 1, that is
        between runs.
    """

    one: str
    other: str
    delta: float
    p_value: float
    p_adjusted: float
    significant: bool
    undecided: bool = False
    at_floor: bool
    adjusted_at_floor: bool
    interval: Interval | None
    exact: bool
    n_trials: int
    differing: int
    p_not_worse: float | None = None
    p_not_better: float | None = None
    p_equivalent: float | None = None
    detectable: float | None
    detectable_adjusted: float | None
    human_agreement: float | None = None
    between_runs: float | None = None

    @property
    def p_limit(self) -> float | None:
        """If `p_value` is at its floor, the 95% upper limit of what more trials would give."""
        return 1 - 0.05 ** (1 / self.n_trials) if self.at_floor else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {**super().to_dict(), "p_limit": self.p_limit}

    @property
    def only_uncorrected(self) -> bool:
        """Whether the interval excludes 0 although the difference is not significant."""
        return self.interval is not None and self.interval.excludes_zero and not self.significant

    def __str__(self) -> str:
        return repr(self)[len("<Pair ") : -1]

    def __repr__(self) -> str:
        delta = formatting.decimals(self.delta, "+.2f")
        interval = "" if self.interval is None else f" {self.interval}"
        p_value = formatting.p_value(self.p_adjusted, at_floor=self.adjusted_at_floor)
        return f"<Pair {brief(self.one)} - {brief(self.other)}: {delta}{interval}, p {p_value}>"

    def mirrored(self) -> Pair:
        """Return the same pair with the two systems exchanged."""
        interval = None if self.interval is None else self.interval.mirrored()
        p_values = {"p_not_worse": self.p_not_better, "p_not_better": self.p_not_worse}
        names = {"one": self.other, "other": self.one}
        return self.replace(**names, delta=0 - self.delta, interval=interval, **p_values)


class ComparedSystem(Result):
    """One of the systems of a comparison.

    >>> import truebleu
    >>> from truebleu.significance.pair import ComparedSystem
    >>> ComparedSystem(name="A", score=truebleu.sentence_bleu("a b", "a b"), interval=None)
    ComparedSystem(name='A', score=100.0, interval=None, between_runs=None)

    Attributes
    ----------
    name : str
    score : Score
    interval : Interval or None
        The confidence interval of the score; None if `n_resamples` is None.
    between_runs : float or None
        Of :func:`truebleu.compare_runs`: the share of the variance, from 0 to 1, between runs.
    """

    name: str
    score: Score
    interval: Interval | None
    between_runs: float | None = None
