"""The results of :func:`truebleu.compare` and :func:`truebleu.confidence_interval`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import stdev
from typing import Any

from truebleu.display import formatting
from truebleu.display.blocks import RULE, Block, Cell
from truebleu.display.shown import Shown
from truebleu.display.text import visible
from truebleu.errors import SettingsError, UnknownNameError
from truebleu.inputs import sequences
from truebleu.metrics.metric import directions
from truebleu.metrics.settings import flag, number
from truebleu.record import plain, shortened
from truebleu.significance import inference, leads
from truebleu.significance.figure import figure
from truebleu.significance.means import MeanScore
from truebleu.significance.pair import ComparedSystem, Interval, Pair
from truebleu.significance.paper import PaperTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.display.blocks import Line, Row

_CLUSTERS = (
    "every system above a line is significantly better (adjusted p < {alpha}) than every system "
    "below it"
)
# So many systems have more pairs than fit a screen.
_MANY_SYSTEMS = 10

_INSIDE = "; some systems of one cluster also differ significantly: see the pairs"

SYSTEMS, SIGNATURE = "systems", "signature"
"""The headings of blocks that several metrics have together."""

_NOT_PAIRED = {
    "t": "Student's t-test of the means of runs",
    "welch": "Welch's t-test of independent samples",
}


class Comparison(Shown):
    """The scores of several systems, and the tests of their differences.

    >>> import truebleu
    >>> texts = {name: [name + " b c d e", "f g h i j"] * 60 for name in "xy"}
    >>> truebleu.compare(texts, ["a b c d e", "f g h i j"] * 60).clusters
    (('x', 'y'),)

    Attributes
    ----------
    systems : mapping of str to ComparedSystem
        The systems by name, in the order given.
    pairs : tuple of Pair
        All pairs that were tested.
    alpha : float
        Significance level: a difference is significant if its adjusted p-value is below it.
    margin : float or None
        The margin of the tests of non-inferiority and equivalence, if there are any.
    n_tests : int
        How many tests Holm's method corrects for: those of the whole call.
    test : str
        The significance test: ``approximate-randomization``; Student's ``t`` of runs, or ``welch``
        of corpora that share no segments.
    units : str
        What was resampled: ``segments``, ``documents``, or blocks of segments.
    notes : tuple of str
        How units were chosen, and what makes a number unreliable.
    baseline : str or None
        The system that the others were compared with; None if all pairs were tested.
    signature : str
        Everything that scores, intervals and p-values depend on, as a reproducibility string.
    """

    __module__ = "truebleu"

    alpha: float
    baseline: str | None
    margin: float | None = None
    n_tests: int
    notes: tuple[str, ...] = ()
    pairs: tuple[Pair, ...]
    signature: str
    systems: Mapping[str, ComparedSystem]
    test: str
    units: str

    @property
    def confidence_level(self) -> float:
        """The confidence level of the intervals, 1 - `alpha`."""
        return float(1 - inference.exact(self.alpha))

    @property
    def metric(self) -> Any:
        """The metric of the scores."""
        return next(iter(self.systems.values())).score.metric

    @property
    def clusters(self) -> tuple[tuple[str, ...], ...] | None:
        """The names of the systems from best to worst, grouped as in WMT rankings.

        Every system of a cluster is significantly better than every system of a later one. Systems
        in one cluster may still differ significantly; `pairs` shows which do. None if not all pairs
        are tested, or some are `undecided`.
        """
        if self.baseline is not None or not self.pairs or self.undecided:
            return None
        inseparable = [(pair.one, pair.other) for pair in self.pairs if not pair.significant]
        return clusters_of([system.name for system in self.ranked()], inseparable)

    @property
    def rank_ranges(self) -> dict[str, tuple[int, int]] | None:
        """The best and the worst rank of each system that the tests allow, the best system first.

        The best rank is 1 plus the number of significantly better systems, the worst is the number
        of systems minus that of significantly worse ones. None where `clusters` are.
        """
        if self.clusters is None:
            return None
        names = [system.name for system in self.ranked()]
        best, worst = dict.fromkeys(names, 1), dict.fromkeys(names, len(names))
        for pair in self.pairs:
            if pair.significant:
                better, worse = sorted((pair.one, pair.other), key=names.index)
                best[worse] += 1
                worst[better] -= 1
        return {name: (best[name], worst[name]) for name in names}

    @property
    def undecided(self) -> tuple[Pair, ...]:
        """Pairs of which no difference could have been significant: too few units differ."""
        return tuple(pair for pair in self.pairs if pair.undecided)

    @property
    def test_description(self) -> str:
        """What the tests were, in words, such as ``paired approximate randomization``."""
        if self.test in _NOT_PAIRED:
            return _NOT_PAIRED[self.test]
        exact = sum(pair.exact for pair in self.pairs)
        if exact and exact == len(self.pairs):
            return "exact paired randomization"
        name = "paired approximate randomization"
        return f"{name}, exact for {exact} of {len(self.pairs)} pairs" if exact else name

    def pair(self, one: str, other: str) -> Pair:
        """Return the result for two systems, by their names, in this order.

        Raises
        ------
        UnknownNameError
            If they were not tested; the message lists the tested pairs.
        """
        for name in (one, other):
            sequences.check_name(name, "system")
        for pair in self.pairs:
            if pair.one == one and pair.other == other:
                return pair
            if pair.one == other and pair.other == one:
                return pair.mirrored()
        tested = ", ".join(f"{pair.one} and {pair.other}" for pair in self.pairs)
        raise UnknownNameError(f"{one} and {other} were not tested; tested: {tested}")

    def regressions(self, *, significant: bool = False, margin: float = 0.0) -> tuple[Pair, ...]:
        """Return the pairs in which a system is worse than the baseline.

        Parameters
        ----------
        significant : bool, default False
            Whether the difference has to be significant.
        margin : float, default 0
            Points of the score by which a system may be worse.

        Raises
        ------
        SettingsError
            If there is no baseline, or the margin is not a finite number from 0 up.
        """
        if self.baseline is None:
            raise SettingsError("regressions need a baseline: name one when comparing")
        margin = number("margin", margin)
        significant = flag("significant", significant)
        sign = 1 if self.metric.higher_is_better else -1
        found = (pair for pair in self.pairs if pair.significant or not significant)
        return tuple(pair for pair in found if not sign * pair.delta >= -margin)

    def possible_regressions(self) -> tuple[Pair, ...]:
        """Return the pairs whose `p_not_worse` than the baseline is not below `alpha`.

        Raises
        ------
        SettingsError
            If there is no baseline, or no margin.
        """
        if self.baseline is None or self.margin is None:
            raise SettingsError("non-inferiority needs a baseline and a margin: give both")
        return tuple(pair for pair in self.pairs if not (pair.p_not_worse or 0) < self.alpha)

    def ranked(self) -> list[ComparedSystem]:
        """Return the systems, the best first."""
        sign = -1 if self.metric.higher_is_better else 1
        return sorted(self.systems.values(), key=lambda system: sign * system.score.score)

    def places(self) -> dict[str, int]:
        """Return the place of each system by its score alone, the best first."""
        ranked = self.ranked()
        scores = [system.score.score for system in ranked]
        return {system.name: 1 + scores.index(system.score.score) for system in ranked}

    def shown_ranks(self) -> dict[str, str]:
        """Write the rank of each system: the range that the tests allow; nothing without these."""
        ranges = self.rank_ranges or {}
        return {name: rank_range(*ranges[name]) if ranges else "" for name in self.systems}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        clusters = self.clusters
        return {
            **super().to_dict(),
            "clusters": None if clusters is None else [list(each) for each in clusters],
            "rank_ranges": plain(self.rank_ranges),
            "confidence_level": self.confidence_level,
            "undecided": [[pair.one, pair.other] for pair in self.undecided],
        }

    def __repr__(self) -> str:
        names = visible(", ".join(self.systems))
        return shortened(f"<Comparison under {self.metric.name}: {names}>")

    def blocks(self, *, plain: bool = False) -> list[Block]:
        """Return the blocks of the output, for any format.

        In `plain` ones, for programs, columns mark p-values that are the smallest that their number
        of trials can give.
        """
        percent = f"{formatting.percent(self.confidence_level)} CI"
        shown = [self._systems_block(percent, plain=plain).replace(folded=True)]
        if not plain:
            shown.insert(0, self.figure())
        pairs = self._shown_pairs()
        lines = [*self._explanations()]
        if len(self.systems) >= _MANY_SYSTEMS and self.baseline is None and not plain:
            best = self.ranked()[0].name
            pairs = [pair for pair in pairs if best in (pair.one, pair.other)]
            lines.append(
                f"shown: {len(pairs):,} of {len(self.pairs):,} pairs, those of the best system; "
                "all: --format tsv, or comparison.pairs"
            )
        if self.pairs:
            block = self._pairs_block(pairs, lines, percent, plain=plain)
            shown.append(block.replace(folded=True))
        if self.margin is not None and pairs:
            shown.append(leads.margin_block(self, pairs, plain=plain))
        if self.notes:
            shown.append(Block("notes", list(self.notes)))
        return [*shown, Block(SIGNATURE, [Cell(self.signature, "code")])]

    def figure(self) -> Block:
        """Return what pages draw: scores and differences of the systems, with intervals."""
        scores = {name: system.score for name, system in self.systems.items()}
        return figure(scores, self, called=self.metric.name, baseline=self.baseline)

    def _tables(self) -> list[Block]:
        return self.blocks(plain=True)

    def paper(self) -> PaperTable:
        """Return one table for a paper, with its notes and a paragraph on the methods."""
        return PaperTable(comparisons={self.metric.name: self}, notes=self.notes)

    def _systems_block(self, percent: str, *, plain: bool) -> Block:
        clusters = self.clusters or ()
        groups = {name: str(number) for number, each in enumerate(clusters, 1) for name in each}
        ranges = self.rank_ranges or {}
        rows: list[Row] = []
        shown = self.shown_ranks()
        for system in self.ranked():
            if rows and clusters and any(each[0] == system.name for each in clusters):
                rows.append(RULE)
            ranks = [shown[system.name]]
            if plain:
                ranks = [*map(str, ranges.get(system.name, ("", "")))]
            interval = ""
            if system.interval is not None:
                interval = system.interval.ends(None if plain else self.metric.decimals)
            score = formatting.decimals(system.score.score, "" if plain else self.metric._form)
            cells = [system.name, *ranks, score, interval, *self._runs_of(system, plain=plain)]
            rows.append(("", [*cells, groups.get(system.name, "")]))
        ranks = ["best rank", "worst rank"] if plain else ["rank"]
        of_runs = ["runs", "SD of runs", "variance between runs"]
        header = ["system", *ranks, self.metric.name, percent, *of_runs, "cluster"]
        lines = self.leading()
        lines += [Cell(each, "note") for each in directions([self.metric])]
        note = next(iter(self.systems.values())).score.note
        if note is not None:
            lines.append(f"{self.metric.name}: {note}")
        if len(clusters) > 1:
            inside = any(
                pair.significant and {pair.one, pair.other} <= set(cluster)
                for pair in self.pairs
                for cluster in clusters
            )
            lines.append(Cell(_CLUSTERS.format(alpha=self.alpha) + _INSIDE * inside, "note"))
        lines += self.rank_note()
        if plain:
            header.append("signature")
            rows = [(style, [*row, self.signature]) for style, row in rows if row]
        intervals = [
            ends_of(each.score.score, each.interval, self._run_scores(each.name))
            for each in self.ranked()
        ]
        return _block(SYSTEMS, lines, header, rows).replace(intervals={percent: intervals})

    def leading(self) -> list[Line]:
        """Say which system leads, if there are several."""
        if len(self.systems) == 1:
            return []
        scores = {name: system.score for name, system in self.systems.items()}
        lead = leads.said(scores, self, called=self.metric.name, baseline=self.baseline)
        return [Cell(lead, "lead")]

    def rank_note(self) -> list[Line]:
        """Say what a rank means that the tests leave open, if there is one."""
        ranges = [each for each in (self.rank_ranges or {}).values() if each[0] != each[1]]
        if len(self.pairs) < 2 or not ranges:
            return []
        best, worst = ranges[0]
        better = formatting.count(best - 1, "system")
        note = (
            f"rank {rank_range(best, worst)}: {better} significantly better, "
            f"{len(self.systems) - worst} significantly worse (adjusted p < {self.alpha})"
        )
        return [Cell(note, "note")]

    def _runs_of(self, system: ComparedSystem, *, plain: bool) -> list[str]:
        """Return how many runs a system has, how they vary, and their share of the variance."""
        if system.between_runs is None:
            return [""] * 3
        scores = self._run_scores(system.name)
        spread = formatting.decimals(stdev(scores), "" if plain else self.metric._form)
        share = system.between_runs
        return [str(len(scores)), spread, str(share) if plain else f"{share:.0%}"]

    def _run_scores(self, name: str) -> tuple[float, ...]:
        score = self.systems[name].score
        return score.scores if isinstance(score, MeanScore) else ()

    def _shown_pairs(self) -> list[Pair]:
        """Return the pairs in the order of the ranking, with the better system of each first."""
        if self.baseline is not None:
            return list(self.pairs)
        rank = {system.name: number for number, system in enumerate(self.ranked())}
        pairs = [
            pair if rank[pair.one] < rank[pair.other] else pair.mirrored() for pair in self.pairs
        ]
        return sorted(pairs, key=lambda pair: (rank[pair.one], rank[pair.other]))

    def _explanations(self) -> Iterator[Line]:
        """Say what the columns of the table of pairs mean, as far as it needs saying."""
        family = formatting.count(self.n_tests, "test")
        if self.n_tests > 1:
            family = f"p adjusted by Holm's method for {family}"
        yield Cell(f"{self.test_description}; {family}", "note")
        below = f"its adjusted p is below alpha = {self.alpha!r}"
        yield Cell(f"a difference is significant if {below}", "note")
        if self.baseline is not None and len(self.systems) > 2:
            yield Cell(f"systems are compared with the baseline only: {self.baseline}", "note")
        if self.test == "t":
            both = "variation between runs and between segments"
            yield Cell(f"intervals and tests include {both}", "note")
        elif any(pair.exact for pair in self.pairs):
            yield Cell("exact: few units differ, so all possible swaps were enumerated", "note")
        if len(self.pairs) > 1 and self.pairs[0].interval is not None:
            yield Cell("intervals are not corrected for multiple comparisons", "note")
        reasons = Counter(
            self.reason_for(pair)
            for pair in self.pairs
            if pair.only_uncorrected and not (pair.undecided or self.test in _NOT_PAIRED)
        )
        for reason, several in reasons.items():
            pairs = formatting.count(several, "pair")
            yield f"{pairs}: interval excludes 0, but difference is not significant: {reason}"

    def reason_for(self, pair: Pair) -> str:
        """Say why the difference is not significant although its interval excludes 0."""
        if pair.p_value < self.alpha:
            return "p is adjusted for all tests, and the interval is not"
        return "the test and the interval are different methods"

    def _pairs_block(
        self, pairs: Sequence[Pair], lines: list[Line], percent: str, *, plain: bool
    ) -> Block:
        header = ["pair", "difference", percent, "p", "p adjusted", "differ"]
        header += ["p at floor", "p adjusted at floor"] if plain else []
        header += ["undecided", "variance between runs"]
        rows: list[Row] = []
        # People read few digits; programs get every one, as in JSON.
        form, width = ("", None) if plain else (f"+{self.metric._form}", self.metric.decimals)
        for pair in pairs:
            p_values = [str(pair.p_value), str(pair.p_adjusted)]
            if not plain:
                p_values = [
                    formatting.p_value(pair.p_value, at_floor=pair.at_floor),
                    formatting.p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor),
                ]
            row: list[Line] = [
                f"{pair.one} - {pair.other}",
                formatting.decimals(pair.delta, form),
                "" if pair.interval is None else pair.interval.ends(width),
                *p_values,
                "" if self.test == "welch" else Cell(f"{pair.differing:,}", "count"),
            ]
            if plain:
                row += [_yes_or_no(pair.at_floor), _yes_or_no(pair.adjusted_at_floor)]
            row.append("undecided" if pair.undecided else "")
            share = pair.between_runs
            row.append("" if share is None else str(share) if plain else f"{share:.0%}")
            style = "good" if pair.significant else ""
            rows.append((style, row))
        intervals = [ends_of(pair.delta, pair.interval) for pair in pairs]
        block = _block(f"pairs, by {self.units}", lines, header, rows)
        return block.replace(intervals={percent: intervals}, differences=percent)


def ends_of(
    value: float, interval: Interval | None, points: Sequence[float] = ()
) -> tuple[float, ...] | None:
    """Return what is drawn of an interval."""
    return None if interval is None else (interval.low, value, interval.high, *points)


def _block(heading: str, lines: list[Line], header: list[str], rows: list[Row]) -> Block:
    """Create a block without its empty columns."""
    columns = [index for index in range(len(header)) if any(row[index] for _, row in rows if row)]
    kept = [(style, [row[index] for index in columns] if row else row) for style, row in rows]
    return Block(heading, lines, [header[index] for index in columns], kept)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def clusters_of(
    names: list[str], inseparable: Iterable[tuple[str, str]]
) -> tuple[tuple[str, ...], ...]:
    """Group systems, given the best first: no `inseparable` pair has members in two groups."""
    rank = {name: index for index, name in enumerate(names)}
    joined_to_next = [False] * len(names)
    for pair in inseparable:
        # No line between these two.
        first, last = sorted(rank[name] for name in pair)
        joined_to_next[first:last] = [True] * (last - first)
    groups: list[list[str]] = [[]]
    for name, joined in zip(names, joined_to_next, strict=True):
        groups[-1].append(name)
        if not joined:
            groups.append([])
    return tuple(tuple(group) for group in groups if group)


def rank_range(best: int, worst: int) -> str:
    """Write a range of ranks: ``2-4``, or ``3``."""
    return str(best) if best == worst else f"{best}-{worst}"
