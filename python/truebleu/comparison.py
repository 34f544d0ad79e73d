"""What a comparison of systems says. Made by :mod:`truebleu.significance`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from truebleu.rendering import RULE, Block, Shown

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from truebleu.inference import Floats
    from truebleu.score import BleuScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where the score of other test sets of this kind would lie.

    Attributes
    ----------
    low, high : float
        The ends, on the scale of 0 to 100. They need not be equally far from the score.
    level : float
        How much of the samples, or of such test sets, it is meant to hold.
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
        return replace(self, low=-self.high, high=-self.low, mean=-self.mean)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return asdict(self)

    def __str__(self) -> str:
        """Write the ends with two decimals."""
        return f"[{self.low:.2f}, {self.high:.2f}]"


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
    """Two systems, and whether their difference is chance.

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
    interval : Interval or None
        Of `delta`. None if no samples were asked for.
    exact : bool
        Whether all possible swaps were counted, and not a sample of them.
    trials : int
        How many swaps or samples the p-value comes from.
    differing : int
        In how many units (segments, or documents) the two have other statistics.
    power : float or None
        How often a test like this one finds a difference as large as `delta`.
    detectable : float or None
        The difference that it finds four times in five.
    """

    delta: float
    detectable: float | None
    differing: int
    exact: bool
    interval: Interval | None
    one: str
    other: str
    p_adjusted: float
    p_value: float
    power: float | None
    trials: int

    def mirrored(self) -> Pair:
        """Return the same pair the other way round."""
        interval = None if self.interval is None else self.interval.mirrored()
        return replace(self, one=self.other, other=self.one, delta=-self.delta, interval=interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Shown):
    """Which system is better, by how much, and whether it is chance.

    Attributes
    ----------
    systems : mapping of str to ComparedSystem
        In the order given.
    pairs : tuple of Pair
        All that were tested.
    level : float
        Of intervals; a p-value of less than 1 - `level` is significant.
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

        Each system is better than every one of the groups below, and that is not chance. None
        with a baseline or a one-sided test: they do not test all pairs in both directions.
        """
        if self.baseline is not None or self.one_sided:
            return None
        return _clusters([system.name for system in self.ranked()], self.pairs, 1 - self.level)

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
            "level": self.level,
            "test": self.test,
            "units": self.units,
            "baseline": self.baseline,
            "one_sided": self.one_sided,
            "signature": self.signature,
        }

    def blocks(self, *, power: bool = False) -> list[Block]:
        """Return what there is to show, for every format.

        Parameters
        ----------
        power : bool, default False
            Also how large a difference the tests could find.
        """
        percent = f"{100 * self.level:g} %"
        clusters = self.clusters or ()
        groups = {name: str(number) for number, each in enumerate(clusters, 1) for name in each}
        rows: list[tuple[str, Sequence[str]]] = []
        for rank, system in enumerate(self.ranked(), 1):
            if rows and clusters and any(each[0] == system.name for each in clusters):
                rows.append(RULE)
            interval = "" if system.interval is None else str(system.interval)
            number = f"{system.score.score:.2f}"
            rows.append(
                ("", [system.name, str(rank), number, interval, groups.get(system.name, "")])
            )
        lines = ["systems between two lines cannot be told apart"] if clusters else []
        header = ["system", "rank", "BLEU", percent, "cluster"]
        shown = [_block("systems", lines, header, rows)]
        if self.pairs:
            shown.append(self._pairs_block(percent, power=power))
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

    def _pairs_block(self, percent: str, *, power: bool) -> Block:
        lines = [f"paired {self.test}; p adjusted by Holm's method for {len(self.pairs)} tests"]
        if self.one_sided:
            lines.append("one-sided: is the first system better than the second?")
        if any(pair.exact for pair in self.pairs):
            lines.append("exact: all possible swaps were counted, where few units differ")
        header = ["pair", "difference", percent, "p", "p adjusted", "differ", "exact"]
        header += ["power", "detectable"] if power else []
        rows: list[tuple[str, Sequence[str]]] = []
        for pair in self._shown_pairs():
            row = [
                f"{pair.one} - {pair.other}",
                f"{pair.delta:+.2f}",
                "" if pair.interval is None else str(pair.interval),
                f"{pair.p_value:.4f}",
                f"{pair.p_adjusted:.4f}",
                f"{pair.differing:,}",
                "yes" if pair.exact else "no",
            ]
            if power:
                row += [_number(pair.power), _number(pair.detectable)]
            style = "good" if pair.p_adjusted < 1 - self.level else ""
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


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _clusters(
    names: list[str], pairs: tuple[Pair, ...], alpha: float
) -> tuple[tuple[str, ...], ...]:
    """Group ranked systems as WMT does: a line where all above beat all below."""
    rank = {name: index for index, name in enumerate(names)}
    joined = [False] * len(names)
    for pair in pairs:
        if pair.p_adjusted >= alpha:
            # No line between these two.
            first, last = sorted((rank[pair.one], rank[pair.other]))
            joined[first:last] = [True] * (last - first)
    groups: list[list[str]] = [[]]
    for name, together in zip(names, joined, strict=True):
        groups[-1].append(name)
        if not together:
            groups.append([])
    return tuple(tuple(group) for group in groups if group)
