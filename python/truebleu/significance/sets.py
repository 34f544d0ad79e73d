"""The function :func:`compare_sets`: systems on several test sets, such as languages."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from types import MappingProxyType

from truebleu.display import formatting
from truebleu.display.blocks import RULE, Best, Block, Lead
from truebleu.display.shown import Result, Shown
from truebleu.errors import (
    InputError,
    InputTypeError,
    SettingsError,
    TruebleuError,
    UnknownNameError,
    WarnOnce,
    written,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.metric import directions
from truebleu.metrics.registry import metric_of
from truebleu.record import brief, shortened
from truebleu.significance import corrections, inference, reliability
from truebleu.significance.comparisons import (
    compare_counted,
    concluded,
    count_systems,
    named_blocks,
    pairs_of,
)
from truebleu.significance.design import (
    Design,
    blocks_of,
    checked_seed,
    documents_of,
    scored_units,
    split_settings,
    units_of,
)
from truebleu.significance.means import MeanScore
from truebleu.significance.pair import NOTHING_CHOSEN
from truebleu.significance.paired import resample_with
from truebleu.significance.paper import PaperTable
from truebleu.significance.progress import JointProgress
from truebleu.significance.resampling import Resampler, SetsResampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from typing import Any, Literal

    from typing_extensions import Unpack

    from truebleu.display.blocks import Row
    from truebleu.metrics import Metric, MetricName
    from truebleu.significance.design import Progress, TestArguments, Units
    from truebleu.significance.pair import PairChoice
    from truebleu.significance.results import Comparison

AVERAGE = "average"
"""What the mean of all sets is called in tables."""

# Random numbers of sets are so far apart; those of strata follow each other.
_SEEDS = 2**32


class SetsWon(Result):
    """On how many test sets which of two systems has the better score.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> systems = {"good": good, "bad": bad}
    >>> truebleu.compare_sets({"x": (systems, references), "y": (systems, references)}).wins[0].won
    ('x', 'y')

    Attributes
    ----------
    one, other : str
        The names of the two systems.
    won, lost : tuple of str
        The names of the sets on which `one`, or `other`, has the better score.
    p_value : float
        Of the exact sign test: how often as many sets would be won if either system won each with
        equal chances. Sets with equal scores do not count.
    p_adjusted : float
        The p-value after Holm's correction for all pairs.
    """

    one: str
    other: str
    won: tuple[str, ...]
    lost: tuple[str, ...]
    p_value: float
    p_adjusted: float


class SetComparisons(Shown, Mapping[str, "Comparison"]):
    """Comparisons of the same systems on several test sets, by the name of the set.

    A mapping: ``found["en-de"]`` is the :class:`Comparison` on that set, whose p-values are
    adjusted for all pairs on all sets.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> systems = {"good": good, "bad": bad}
    >>> truebleu.compare_sets({"x": (systems, references), "y": (systems, references)}).average
    <Comparison under BLEU: good, bad>

    Attributes
    ----------
    comparisons : mapping of str to Comparison
        The comparisons by the name of the set, in the order given.
    average : Comparison
        The comparison of mean scores over sets, each of which weighs the same. Its tests swap the
        systems within sets, and its p-values are adjusted for all pairs.
    wins : tuple of SetsWon
        For each pair, which sets each system has won.
    """

    comparisons: Mapping[str, Comparison]
    average: Comparison
    wins: tuple[SetsWon, ...]

    def __getitem__(self, name: str) -> Comparison:
        if name not in self.comparisons:
            raise KeyError(f"there is no set {name!r}; there are {', '.join(self)}")
        return self.comparisons[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def __repr__(self) -> str:
        systems = formatting.count(len(self.average.systems), "system")
        return shortened(f"<SetComparisons of {systems} on {', '.join(self)}>")

    def blocks(
        self, *, detectable: bool = False, plain: bool = False, choice: PairChoice = NOTHING_CHOSEN
    ) -> list[Block]:
        """Return the blocks of the output, for any format; see :meth:`Comparison.blocks`."""
        shown = [self._overview()]
        if self.wins:
            shown.append(self._wins_block())
        for name, comparison in {AVERAGE: self.average, **self.comparisons}.items():
            blocks = comparison.blocks(detectable=detectable, plain=plain, choice=choice)
            folded = [block.replace(folded=name != AVERAGE) for block in blocks]
            shown += named_blocks(name, folded, "set" if plain else "")
        return shown

    def _tables(self) -> list[Block]:
        return self.blocks(plain=True)

    def paper(self) -> PaperTable:
        """Return one table of all sets for a paper, with its notes and a paragraph on methods."""
        return PaperTable(comparisons={**self.comparisons, AVERAGE: self.average}, of_sets=True)

    def _overview(self) -> Block:
        metric = self.average.metric
        names = [system.name for system in self.average.ranked()]
        rows: list[Row] = []
        # The difference of the two systems to look at first.
        chosen, ends = self.average._shown_pairs()[:1], []
        for name, comparison in {**self.comparisons, AVERAGE: self.average}.items():
            places = comparison.places()
            cells = [
                formatting.decimals(comparison.systems[system].score.score, metric._form)
                for system in names
            ]
            best = [len(names) > 1 and places[system] == 1 for system in names]
            shown = [Best(cell) if wins else cell for cell, wins in zip(cells, best, strict=True)]
            for pair in (comparison.pair(each.one, each.other) for each in chosen):
                shown.append(formatting.decimals(pair.delta, f"+{metric._form}"))
                if pair.interval is not None:
                    shown.append(pair.interval.ends(metric.decimals))
                    ends.append((pair.interval.low, pair.delta, pair.interval.high))
            rows += [RULE] * (name == AVERAGE) + [("", [name, *shown])]
        lines = [*directions([metric]), f"{AVERAGE}: mean of the sets, which weigh the same"]
        for first in chosen:
            better = (first.delta > 0) == metric.higher_is_better
            pair = first if better else first.mirrored()
            gaps = [self[name].pair(pair.one, pair.other).delta for name in self]
            ahead = sum((gap > 0) == metric.higher_is_better for gap in gaps if gap)
            by = f"by {formatting.decimals(abs(pair.delta), metric._form)} {metric.name}"
            lead = (
                f"On average over {formatting.count(len(gaps), 'test set')}, {pair.one} is "
                f"{'better than' if pair.delta else 'as good as'} {pair.other}"
                f"{f' {by}' if pair.delta else ''}; it is better on {ahead} of them."
            )
            lines.insert(0, Lead(lead))
        level = f"{formatting.percent(self.average.confidence_level)} CI"
        header = ["set", *names, *(f"{pair.one} - {pair.other}" for pair in chosen)]
        header += [level] * bool(ends)
        how: dict[str, Any] = {"intervals": {level: ends} if ends else {}, "differences": True}
        return Block(f"all sets, {metric.name}", lines, header, rows, **how)

    def _wins_block(self) -> Block:
        lines = [
            "exact sign test of the sets won, which ignores by how much; p adjusted by Holm's "
            f"method for {formatting.count(len(self.wins), 'test')}"
        ]
        rows: list[Row] = []
        for each in self.wins:
            numbers = str(len(each.won)), str(len(each.lost))
            p_values = map(formatting.p_value, (each.p_value, each.p_adjusted))
            rows.append(("", [f"{each.one} - {each.other}", *numbers, *p_values]))
        return Block("sets won", lines, ["pair", "won", "lost", "p", "p adjusted"], rows)


def compare_sets(
    sets: Mapping[str, Any],
    *,
    baseline: str | None = None,
    documents: Mapping[str, Iterable[Hashable]] | Literal["auto"] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    metric: Metric | MetricName | None = None,
    **settings: Unpack[TestArguments],
) -> SetComparisons:
    """Compare systems on several test sets, such as languages, and on all of them together.

    Parameters
    ----------
    sets : mapping of str to (systems, references)
        For the name of each set the systems and references, as :func:`truebleu.compare` takes them;
        references are None if the systems are statistics. All sets have the same systems.
    baseline : str, optional
        As in :func:`truebleu.compare`.
    documents : mapping of str to iterable, optional
        For the name of a set the ID of each segment's document. ``"auto"``: the references of all
        sets are test sets that know theirs.
    threads, progress, metric
        As in :func:`truebleu.compare`.
    **settings
        As in :func:`truebleu.compare`.

    Returns
    -------
    SetComparisons
        A mapping from the name of each set to its :class:`Comparison`, with an `average` and the
        number of sets that each system has won.

    Raises
    ------
    InputError, InputTypeError, SettingsError, UnknownNameError
        As in :func:`truebleu.compare`, with the name of the set; also if there is no set, or if one
        is no pair of systems and references, or has other systems than the first.

    Warns
    -----
    SmallSampleWarning, SettingsWarning
        As in :func:`truebleu.compare`.

    Examples
    --------
    >>> from truebleu import compare_sets
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d x", "f g h i j", "k l m n o"] * 40, ["a b x d e"] * 120
    >>> systems = {"good": good, "bad": bad}
    >>> found = compare_sets({"first": (systems, references), "second": (systems, references)})
    >>> pair = found.average.pair("good", "bad")
    >>> round(pair.delta, 2), pair.significant, len(found.wins[0].won)
    (87.63, True, 2)
    """
    resampling, rest = split_settings(settings, metric=metric)
    chosen = metric_of(metric, rest)
    _check_sets(sets, documents)
    resampling["seed"] = checked_seed(resampling["seed"])
    joint = JointProgress(progress, len(sets) + 1)
    how = {**resampling, "baseline": baseline, "progress": joint.of_one}
    number = thread_count(threads)
    comparisons: dict[str, Comparison] = {}
    all_units: list[Units] = []
    with WarnOnce():
        for name, corpus in sets.items():
            design = Design(**how, label=str(name), family=len(sets))
            try:
                systems, references = corpus
                of_set = _of(documents, name)
                comparison, units = _of_set(chosen, systems, references, of_set, design, number)
            except TruebleuError as error:
                raise type(error)(f"{name}: {error}") from error
            first = next(iter(comparisons.values()), comparison)
            if list(first.systems) != list(comparison.systems):
                raise UnknownNameError(
                    f"{name} has the systems {', '.join(comparison.systems)}, but the first set "
                    f"has {', '.join(first.systems)}: all sets need the same, in the same order"
                )
            comparisons[name] = comparison
            all_units.append(units)
            joint.finish_one()
        design = Design(**how, label=AVERAGE)
        average = _average(chosen, comparisons, all_units, design, number)
    joint.finish_one()
    return SetComparisons(
        comparisons=MappingProxyType(corrections.across(comparisons)),
        average=average,
        wins=_wins(comparisons, design, higher_is_better=chosen.higher_is_better),
    )


def _check_sets(sets: Any, documents: Any) -> None:
    """Refuse what is no test sets with names, and documents of others."""
    if not isinstance(sets, Mapping):
        raise wrong_type("sets", sets, "a dict is needed, such as {'en-de': (systems, references)}")
    if not sets:
        raise InputError("there is no test set")
    for name, corpus in sets.items():
        sequences.check_name(name, "set")
        if name == AVERAGE:
            raise SettingsError(f"a set is called {AVERAGE}, as the mean of all is: rename it")
        if not isinstance(corpus, tuple | list) or len(corpus) != 2:
            raise InputTypeError(
                f"the set {name!r} is {brief(corpus)}; a pair of systems and references is needed"
            )
    if isinstance(documents, Mapping) and (unknown := [*documents.keys() - sets.keys()]):
        raise UnknownNameError(
            f"there are documents of {written(unknown[0])}, but the sets are {', '.join(sets)}"
        )


def _of(documents: Any, name: str) -> Any:
    if documents is None or isinstance(documents, str):
        return documents
    if not isinstance(documents, Mapping):
        needed = "a dict is needed, with the document IDs of each set by its name"
        raise wrong_type("documents", documents, needed)
    return documents.get(name)


def _of_set(
    metric: Metric, systems: Any, references: Any, documents: Any, design: Design, threads: int
) -> tuple[Comparison, Units]:
    """Compare systems on one set; return the units that were resampled, too."""
    references, documents = documents_of(references, documents)
    counted = count_systems(metric, systems, references, None, threads)
    units = units_of(counted, documents)
    if metric._is_average:
        units = scored_units(units)
    if design.blocks is not None:
        units = blocks_of(metric, units, pairs_of(list(counted), design)[0], design.blocks)
    return compare_counted(metric, counted, units, design, threads), units


def _average(
    metric: Metric,
    comparisons: Mapping[str, Comparison],
    all_units: Sequence[Units],
    design: Design,
    threads: int,
) -> Comparison:
    """Compare the mean scores of systems over sets, by samples and swaps within sets."""
    names = list(next(iter(comparisons.values())).systems)
    scores = {
        name: MeanScore.of([each.systems[name].score for each in comparisons.values()])
        for name in names
    }
    tested = pairs_of(names, design)
    design.choose_trials(len(tested[0]))
    parts = []
    for index, units in enumerate(all_units):
        tables, seed = list(units.tables.values()), (design.seed + index * _SEEDS) % 2**64
        parts.append(Resampler(tables, metric, seed, threads, lambda _: None))
    resampler = SetsResampler(parts, design.report)
    outcomes = resample_with(resampler, names, tested[0], design, in_order=False)
    reliability.warn_of_few_trials(outcomes, design)
    units = all_units[0]
    described = " and ".join(dict.fromkeys(each.described for each in all_units))
    how: dict[str, Any] = {"described": f"{described} within sets", "sets": len(all_units)}
    return concluded(scores, tested, outcomes, design, units, **how)


def _wins(
    comparisons: Mapping[str, Comparison], design: Design, *, higher_is_better: bool
) -> tuple[SetsWon, ...]:
    """Count the sets that each system of a pair has won, and test the numbers."""
    sign = 1 if higher_is_better else -1
    counted = []
    for several in zip(*(each.pairs for each in comparisons.values()), strict=True):
        deltas = dict(zip(comparisons, (sign * pair.delta for pair in several), strict=True))
        won = tuple(name for name, delta in deltas.items() if delta > 0)
        lost = tuple(name for name, delta in deltas.items() if delta < 0)
        p_value = _sign_test(len(won), len(lost), one_sided=design.one_sided)
        counted.append((several[0], won, lost, p_value))
    adjusted = inference.holm([p_value for *_, p_value in counted])
    return tuple(
        SetsWon(
            one=pair.one,
            other=pair.other,
            won=won,
            lost=lost,
            p_value=float(p_value),
            p_adjusted=float(p_adjusted),
        )
        for (pair, won, lost, p_value), p_adjusted in zip(counted, adjusted, strict=True)
    )


def _sign_test(won: int, lost: int, *, one_sided: bool) -> Fraction:
    """Return the probability of so many wins, or one-sided of more, if chances are equal."""
    least = won if one_sided else max(won, lost)
    ways = sum(comb(won + lost, count) for count in range(least, won + lost + 1))
    return min(Fraction(1), Fraction(ways if one_sided else 2 * ways, 2 ** (won + lost)))
