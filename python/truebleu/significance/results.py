"""The results of :func:`truebleu.compare` and :func:`truebleu.confidence_interval`."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.blocks import RULE, Block, Code
from truebleu.display.shown import Shown
from truebleu.record import Record

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from truebleu.metrics.score import Score
    from truebleu.significance.inference import Floats


_CLUSTERS = (
    "a line separates systems when every one above is significantly better than every one below; "
    "systems in one cluster may still differ"
)


class Interval(Record):
    """A bootstrap confidence interval for a corpus-level score, or for the difference of two.

    It is an interval for the score on the population that the segments (or documents) are a sample
    of: at a confidence level of 95%, about 95% of intervals built this way from different samples
    contain that score. It does not predict the score on another test set.

    Attributes
    ----------
    low, high : float
        The ends, on the scale of the score. They need not be equally far from the score.
    confidence_level : float
        The nominal share of such intervals that contain the score on the population.
    method : str
        ``bca``, ``percentile`` or ``sacrebleu``.
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

    def __str__(self) -> str:
        """Format the ends with two decimals."""
        return self.ends()

    def ends(self, width: int = 2) -> str:
        """Format the ends with `width` decimals."""
        low, high = (formatting.decimals(end, f".{width}f") for end in (self.low, self.high))
        return f"[{low}, {high}]"


class ComparedSystem(Record):
    """One of the systems of a comparison.

    Attributes
    ----------
    name : str
    score : Score
    interval : Interval or None
        The confidence interval of the score; None if `n_resamples` is None.
    """

    __module__ = "truebleu"

    interval: Interval | None
    name: str
    score: Score


class Pair(Record):
    """Two systems, and the test and interval of their difference.

    Attributes
    ----------
    one, other : str
        The names of the two systems.
    delta : float
        The score of `one` minus the score of `other`.
    p_value : float
        The probability of a difference at least as extreme as `delta` (one-sided: at least as much
        in favor of `one`) under the null hypothesis that the two systems are interchangeable.
    p_adjusted : float
        The p-value after Holm's correction for all pairs that were tested.
    significant : bool
        Whether the adjusted p-value, before rounding, is below `alpha` of the comparison.
    at_floor, adjusted_at_floor : bool
        Whether `p_value`, or `p_adjusted`, is only an upper bound: no trial was as extreme as the
        observed difference, and with more trials the p-value might be smaller.
    interval : Interval or None
        The confidence interval of `delta`; None if `n_resamples` is None.
    exact : bool
        Whether all possible swaps were counted instead of a random sample of them.
    n_trials : int
        The number of swaps or samples that the p-value is based on.
    differing : int
        The number of units (segments or documents) in which the statistics of the two differ.
    detectable : float or None
        The difference that a single test, without correction for the number of tests, would detect
        with a power of 80%. None if there is no interval.
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

    def mirrored(self) -> Pair:
        """Return the same pair with the two systems exchanged."""
        interval = None if self.interval is None else self.interval.mirrored()
        delta = 0 - self.delta
        return self.replace(one=self.other, other=self.one, delta=delta, interval=interval)


class Comparison(Shown):
    """The scores of several systems, and the tests of their differences.

    Attributes
    ----------
    systems : mapping of str to ComparedSystem
        The systems by name, in the order given.
    pairs : tuple of Pair
        All pairs that were tested.
    alpha : float
        Significance level: a difference is significant if its adjusted p-value is below it.
    confidence_level : float
        Confidence level of the intervals.
    alternative : str
        ``two-sided``, or ``better`` for one-sided tests of whether the first system of a pair is
        better.
    test : str
        The significance test: ``approximate-randomization`` or ``bootstrap``.
    units : str
        What was resampled: ``segments`` or ``documents``.
    baseline : str or None
        The system that the others were compared with; None if all pairs were tested.
    signature : str
        Everything that the numbers depend on, as a reproducibility string.
    """

    __module__ = "truebleu"

    alpha: float
    alternative: str
    baseline: str | None
    confidence_level: float
    pairs: tuple[Pair, ...]
    signature: str
    systems: Mapping[str, ComparedSystem]
    test: str
    units: str

    @property
    def _one_sided(self) -> bool:
        return self.alternative != "two-sided"

    @property
    def metric(self) -> Any:
        """The metric of the scores."""
        return next(iter(self.systems.values())).score.metric

    @property
    def clusters(self) -> tuple[tuple[str, ...], ...] | None:
        """The names of the systems from best to worst, grouped as in WMT rankings.

        A line between two neighbors in the ranking separates two clusters if every system above it
        is significantly better than every system below it. Systems in one cluster may still differ
        significantly; `pairs` shows which do.

        None if there is a baseline or the tests are one-sided, because then not all pairs are
        tested in both directions, or if some pairs are `undecided`.
        """
        if self.baseline is not None or self._one_sided or self.undecided:
            return None
        return clusters_of([system.name for system in self.ranked()], self.pairs)

    @property
    def undecided(self) -> tuple[Pair, ...]:
        """Pairs with too few trials to decide whether their difference is significant.

        Their adjusted p-values are upper bounds that are not below `alpha`.
        """
        return tuple(pair for pair in self.pairs if pair.adjusted_at_floor and not pair.significant)

    def pair(self, one: str, other: str) -> Pair:
        """Return the result for two systems, in this order.

        Parameters
        ----------
        one, other : str
            The names of the systems.

        Returns
        -------
        Pair
            With ``delta`` as the score of `one` minus the score of `other`.

        Raises
        ------
        KeyError
            If they were not tested, or only one-sided in the other direction; the message lists
            the tested pairs.
        """
        for pair in self.pairs:
            if (pair.one, pair.other) == (one, other):
                return pair
            if (pair.one, pair.other) == (other, one) and not self._one_sided:
                return pair.mirrored()
        tested = ", ".join(f"{pair.one} and {pair.other}" for pair in self.pairs)
        raise KeyError(f"{one} and {other} were not tested in this direction; tested: {tested}")

    def ranked(self) -> list[ComparedSystem]:
        """Return the systems, the best first."""
        sign = -1 if self.metric.higher_is_better else 1
        return sorted(self.systems.values(), key=lambda system: sign * system.score.score)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        clusters = self.clusters
        return {
            **super().to_dict(),
            "clusters": None if clusters is None else [list(each) for each in clusters],
            "undecided": [[pair.one, pair.other] for pair in self.undecided],
        }

    def blocks(self, *, detectable: bool = False, plain: bool = False) -> list[Block]:
        """Return the blocks of the output, for any format.

        Parameters
        ----------
        detectable : bool, default False
            Add the differences that single tests would detect with a power of 80%, before the
            correction for the number of tests.
        plain : bool, default False
            For programs: p-values are plain numbers, and extra columns mark upper bounds.
        """
        percent = f"{100 * self.confidence_level:g}% CI"
        clusters = self.clusters or ()
        groups = {name: str(number) for number, each in enumerate(clusters, 1) for name in each}
        rows: list[tuple[str, Sequence[str]]] = []
        ranked = self.ranked()
        for system in ranked:
            if rows and clusters and any(each[0] == system.name for each in clusters):
                rows.append(RULE)
            interval = "" if system.interval is None else str(system.interval)
            score = system.score.score
            rank = 1 + [other.score.score for other in ranked].index(score)
            number = formatting.decimals(score)
            rows.append(
                ("", [system.name, str(rank), number, interval, groups.get(system.name, "")])
            )
        header = ["system", "rank", self.metric.name, percent, "cluster"]
        if plain:
            header.append("signature")
            rows = [(style, [*row, self.signature]) for style, row in rows if row]
        shown = [_block("systems", [_CLUSTERS] if len(clusters) > 1 else [], header, rows)]
        if self.pairs:
            shown.append(self._pairs_block(percent, detectable=detectable, plain=plain))
        return [*shown, Block("signature", [Code(self.signature)])]

    def _shown_pairs(self) -> list[Pair]:
        """Return the pairs in the order of the ranking, with the better system of each first."""
        if self._one_sided or self.baseline is not None:
            return list(self.pairs)
        rank = {system.name: number for number, system in enumerate(self.ranked())}
        pairs = [
            pair if rank[pair.one] < rank[pair.other] else pair.mirrored() for pair in self.pairs
        ]
        return sorted(pairs, key=lambda pair: (rank[pair.one], rank[pair.other]))

    def _pairs_block(self, percent: str, *, detectable: bool, plain: bool) -> Block:
        tests = formatting.count(len(self.pairs), "test")
        lines = [f"paired {self.test.replace('-', ' ')}; p adjusted by Holm's method for {tests}"]
        if self.undecided:
            pairs = formatting.count(len(self.undecided), "pair")
            lines.append(f"too few trials to decide about {pairs}: their p may be smaller")
        if self._one_sided:
            lines.append("one-sided: is the first system better than the second?")
        if any(pair.exact for pair in self.pairs):
            lines.append("exact: all possible swaps were counted, where few units differ")
        header = ["pair", "difference", percent, "p", "p adjusted", "differ", "exact"]
        header += ["p at floor", "p adjusted at floor"] if plain else []
        header += ["detectable before correction"] if detectable else []
        rows: list[tuple[str, Sequence[str]]] = []
        for pair in self._shown_pairs():
            row = [
                f"{pair.one} - {pair.other}",
                formatting.decimals(pair.delta, "+.2f"),
                "" if pair.interval is None else str(pair.interval),
                formatting.p_value(pair.p_value, at_floor=pair.at_floor and not plain),
                formatting.p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor and not plain),
                f"{pair.differing:,}",
                _yes_or_no(pair.exact),
            ]
            if plain:
                row += [_yes_or_no(pair.at_floor), _yes_or_no(pair.adjusted_at_floor)]
            if detectable:
                least = pair.detectable
                row.append("" if least is None else formatting.decimals(least))
            style = "good" if pair.significant else ""
            rows.append((style, row))
        return _block(f"pairs, by {self.units}", lines, header, rows)


def _block(
    heading: str, lines: list[str], header: list[str], rows: list[tuple[str, Sequence[str]]]
) -> Block:
    """Create a block without its empty columns."""
    columns = [index for index in range(len(header)) if any(row[index] for _, row in rows if row)]
    return Block(
        heading,
        lines,
        [header[index] for index in columns],
        [(style, [row[index] for index in columns] if row else row) for style, row in rows],
    )


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def clusters_of(names: list[str], pairs: tuple[Pair, ...]) -> tuple[tuple[str, ...], ...]:
    """Group ranked systems: a line separates clusters if all above beat all below."""
    rank = {name: index for index, name in enumerate(names)}
    joined_to_next = [False] * len(names)
    for pair in pairs:
        if not pair.significant:
            # No line between these two.
            first, last = sorted((rank[pair.one], rank[pair.other]))
            joined_to_next[first:last] = [True] * (last - first)
    groups: list[list[str]] = [[]]
    for name, joined in zip(names, joined_to_next, strict=True):
        groups[-1].append(name)
        if not joined:
            groups.append([])
    return tuple(tuple(group) for group in groups if group)
