"""What a comparison of systems says. Made by :mod:`truebleu.significance.compare`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from truebleu.display import formatting
from truebleu.display.render import RULE, Block, Shown

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from truebleu.metrics.score import BleuScore
    from truebleu.significance.inference import Floats


_CLUSTERS = (
    "a line separates systems when every one above is significantly better than every one below; "
    "systems in one cluster may still differ"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval of a corpus-level score, or of the difference of two.

    It is about the score on the population that the segments (or documents) are a sample of: 95% of
    the intervals built this way, each from another sample, are meant to contain that score. It does
    not predict the score of another test set.

    Attributes
    ----------
    low, high : float
        The ends, on the scale of 0 to 100. They need not be equally far from the score.
    level : float
        The share of such intervals that are meant to contain the score of the population.
    method : str
        ``bca``, ``percentile`` or ``sacrebleu``.
    mean : float
        Of the bootstrap samples.
    error : float
        The standard deviation of the samples: the standard error of the score.
    half_width : float
        Half of what is between the ends; sacreBLEU's ``ci``.
    """

    error: float
    half_width: float
    high: float
    level: float
    low: float
    mean: float
    method: str

    @classmethod
    def of(cls, samples: Floats, ends: tuple[float, float], level: float, method: str) -> Interval:
        """Put an interval together from the samples and the ends."""
        return cls(
            low=ends[0],
            high=ends[1],
            level=level,
            method=method,
            mean=float(samples.mean()),
            error=float(samples.std(ddof=1)) if len(samples) > 1 else 0.0,
            half_width=(ends[1] - ends[0]) / 2,
        )

    def mirrored(self) -> Interval:
        """Return the interval of the negative number."""
        # 0 - 0 is 0, where -0 would have a sign.
        return replace(self, low=0 - self.high, high=0 - self.low, mean=0 - self.mean)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return asdict(self)

    def __str__(self) -> str:
        """Write the ends with two decimals."""
        return self.ends()

    def ends(self, width: int = 2) -> str:
        """Write the ends with so many decimals."""
        low, high = (formatting.decimals(end, f".{width}f") for end in (self.low, self.high))
        return f"[{low}, {high}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """One of the systems.

    Attributes
    ----------
    name : str
    score : BleuScore
    interval : Interval or None
        None if no samples were asked for.
    """

    interval: Interval | None
    name: str
    score: BleuScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two systems, and what tests and intervals say of their difference.

    Attributes
    ----------
    one, other : str
        Their names.
    delta : float
        The score of the one minus that of the other.
    p_value : float
        The probability of a difference at least this large (one-sided: this high) if it makes no
        difference which of the two has translated what.
    p_adjusted : float
        The same, corrected by Holm's method for all the pairs that were tested.
    significant : bool
        Whether the adjusted p-value is below 1 - `level` of the comparison, without rounding.
    at_floor, adjusted_at_floor : bool
        Whether `p_value`, or `p_adjusted`, is only an upper bound: no trial was as extreme, and
        with more of them the p-value might be smaller.
    interval : Interval or None
        Of `delta`. None if no samples were asked for.
    exact : bool
        Whether all possible swaps were counted, and not a sample of them.
    trials : int
        How many swaps or samples the p-value comes from.
    differing : int
        In how many units (segments, or documents) the two have other statistics.
    detectable : float or None
        The difference that a single test like this one would find four times in five: before the
        correction for the number of tests. None if no samples were asked for.
    """

    adjusted_at_floor: bool
    at_floor: bool
    delta: float
    detectable: float | None
    differing: int
    exact: bool
    interval: Interval | None
    one: str
    other: str
    p_adjusted: float
    p_value: float
    significant: bool
    trials: int

    def mirrored(self) -> Pair:
        """Return the same pair the other way round."""
        interval = None if self.interval is None else self.interval.mirrored()
        delta = 0 - self.delta
        return replace(self, one=self.other, other=self.one, delta=delta, interval=interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Shown):
    """Which system is better, by how much, and whether that is statistically significant.

    Attributes
    ----------
    systems : mapping of str to ComparedSystem
        In the order given.
    pairs : tuple of Pair
        All that were tested.
    level : float
        Of intervals; a difference is significant if its adjusted p-value is below 1 - `level`.
    test : str
        How it was tested: ``randomisation`` or ``bootstrap``.
    units : str
        What was resampled: ``segments`` or ``documents``.
    baseline : str or None
    one_sided : bool
    signature : str
        All that the numbers depend on.
    """

    baseline: str | None
    level: float
    one_sided: bool
    pairs: tuple[Pair, ...]
    signature: str
    systems: Mapping[str, ComparedSystem]
    test: str
    units: str

    @property
    def clusters(self) -> tuple[tuple[str, ...], ...] | None:
        """Systems from the best to the worst, in groups.

        Two systems that are neighbors in the ranking are in different groups when every system from
        the best down to the first of them is significantly better than every one from the second
        down. Systems of one group may still differ significantly: `pairs` says which do.

        None with a baseline or a one-sided test, which do not test all pairs in both directions;
        and if there were too few trials to decide about a pair, see `undecided`.
        """
        if self.baseline is not None or self.one_sided or self.undecided:
            return None
        return _clusters([system.name for system in self.ranked()], self.pairs)

    @property
    def undecided(self) -> tuple[Pair, ...]:
        """Pairs of which too few trials were made to say whether they differ significantly.

        Their adjusted p-values are upper bounds that are not small enough.
        """
        return tuple(pair for pair in self.pairs if pair.adjusted_at_floor and not pair.significant)

    def pair(self, one: str, other: str) -> Pair:
        """Return two systems.

        Raises
        ------
        KeyError
            If they were not tested, or one-sided the other way round; the message says what was.
        """
        for pair in self.pairs:
            if (pair.one, pair.other) == (one, other):
                return pair
            if (pair.one, pair.other) == (other, one) and not self.one_sided:
                return pair.mirrored()
        tested = ", ".join(f"{pair.one} and {pair.other}" for pair in self.pairs)
        raise KeyError(f"{one} and {other} were not tested in this direction, but: {tested}")

    def ranked(self) -> list[ComparedSystem]:
        """Return the systems, the best first."""
        return sorted(self.systems.values(), key=lambda system: -system.score.score)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        clusters = self.clusters
        return {
            "systems": {
                name: {
                    "score": system.score.to_dict(),
                    "interval": None if system.interval is None else asdict(system.interval),
                }
                for name, system in self.systems.items()
            },
            "pairs": [asdict(pair) for pair in self.pairs],
            "clusters": None if clusters is None else [list(each) for each in clusters],
            "undecided": [[pair.one, pair.other] for pair in self.undecided],
            "level": self.level,
            "test": self.test,
            "units": self.units,
            "baseline": self.baseline,
            "one_sided": self.one_sided,
            "signature": self.signature,
        }

    def blocks(self, *, detectable: bool = False, plain: bool = False) -> list[Block]:
        """Return what there is to show, for every format.

        Parameters
        ----------
        detectable : bool, default False
            Also which differences the tests would find, before the correction for their number.
        plain : bool, default False
            For programs: p-values are numbers, and columns say which of them are upper bounds.
        """
        percent = f"{100 * self.level:g} %"
        clusters = self.clusters or ()
        groups = {name: str(number) for number, each in enumerate(clusters, 1) for name in each}
        rows: list[tuple[str, Sequence[str]]] = []
        ranked = self.ranked()
        for system in ranked:
            if rows and clusters and any(each[0] == system.name for each in clusters):
                rows.append(RULE)
            interval = "" if system.interval is None else str(system.interval)
            score = system.score.score
            rank = 1 + sum(other.score.score > score for other in ranked)
            number = formatting.decimals(score)
            rows.append(
                ("", [system.name, str(rank), number, interval, groups.get(system.name, "")])
            )
        header = ["system", "rank", "BLEU", percent, "cluster"]
        shown = [_block("systems", [_CLUSTERS] if clusters else [], header, rows)]
        if self.pairs:
            shown.append(self._pairs_block(percent, detectable=detectable, plain=plain))
        return [*shown, Block("signature", [self.signature])]

    def _shown_pairs(self) -> list[Pair]:
        """Put the better system of a pair first, and the pairs of the best system."""
        if self.one_sided or self.baseline is not None:
            return list(self.pairs)
        rank = {system.name: number for number, system in enumerate(self.ranked())}
        pairs = [
            pair if rank[pair.one] < rank[pair.other] else pair.mirrored() for pair in self.pairs
        ]
        return sorted(pairs, key=lambda pair: (rank[pair.one], rank[pair.other]))

    def _pairs_block(self, percent: str, *, detectable: bool, plain: bool) -> Block:
        tests = formatting.count(len(self.pairs), "test")
        lines = [f"paired {self.test}; p adjusted by Holm's method for {tests}"]
        if self.undecided:
            pairs = formatting.count(len(self.undecided), "pair")
            lines.append(f"too few trials to decide about {pairs}: their p may be smaller")
        if self.one_sided:
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
                _said(pair.exact),
            ]
            if plain:
                row += [_said(pair.at_floor), _said(pair.adjusted_at_floor)]
            if detectable:
                found = pair.detectable
                row.append("" if found is None else formatting.decimals(found))
            style = "good" if pair.significant else ""
            rows.append((style, row))
        return _block(f"pairs, by {self.units}", lines, header, rows)


def _block(
    heading: str, lines: list[str], header: list[str], rows: list[tuple[str, Sequence[str]]]
) -> Block:
    """Leave out the columns in which there is nothing."""
    kept = [index for index in range(len(header)) if any(row[index] for _, row in rows if row)]
    return Block(
        heading,
        lines,
        [header[index] for index in kept],
        [(style, [row[index] for index in kept] if row else row) for style, row in rows],
    )


def _said(value: bool) -> str:  # It is what is said.
    return "yes" if value else "no"


def _clusters(names: list[str], pairs: tuple[Pair, ...]) -> tuple[tuple[str, ...], ...]:
    """Group ranked systems as WMT does: a line where all above beat all below."""
    rank = {name: index for index, name in enumerate(names)}
    joined = [False] * len(names)
    for pair in pairs:
        if not pair.significant:
            # No line between these two.
            first, last = sorted((rank[pair.one], rank[pair.other]))
            joined[first:last] = [True] * (last - first)
    groups: list[list[str]] = [[]]
    for name, together in zip(names, joined, strict=True):
        groups[-1].append(name)
        if not together:
            groups.append([])
    return tuple(tuple(group) for group in groups if group)
