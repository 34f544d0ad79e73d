"""From systems to their comparisons: under one metric, or under several."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from math import isfinite
from types import MappingProxyType

from truebleu.display import formatting
from truebleu.display.blocks import Best, Block, Code
from truebleu.display.shown import Result, Shown
from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    UnknownNameError,
    written,
)
from truebleu.inputs import checks, frames, sequences
from truebleu.metrics.metric import directions
from truebleu.metrics.several import ByMetric
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_joining import refuse_unrelated
from truebleu.record import plain as plain_values
from truebleu.record import shortened
from truebleu.significance import corrections, inference, reliability
from truebleu.significance.design import (
    CORRECTIONS,
    Design,
    blocks_of,
    checked_seed,
    listed_labels,
    scored_units,
    units_of,
)
from truebleu.significance.external import check_missing
from truebleu.significance.human_agreement import agreement, fit_of
from truebleu.significance.pair import NOTHING_CHOSEN, ComparedSystem, Pair
from truebleu.significance.paired import resample
from truebleu.significance.paper import PaperTable
from truebleu.significance.progress import JointProgress
from truebleu.significance.results import Comparison
from truebleu.suggestions import did_you_mean, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from truebleu.metrics import Metric, Score
    from truebleu.significance.design import Progress, Units
    from truebleu.significance.pair import PairChoice
    from truebleu.significance.paired import Outcomes


class Disagreement(Result):
    """Two systems, and metrics that disagree about which of them is better.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> found = truebleu.compare({"good": good, "bad": bad}, references, metrics=["bleu", "ter"])
    >>> found.disagreements
    ()

    Attributes
    ----------
    one, other : str
        The names of the two systems.
    favoring_one, favoring_other : tuple of str
        The names of the metrics under which `one`, or `other`, has the better score.
    significant_one, significant_other : tuple of str
        Those of them under which the difference is significant.
    """

    one: str
    other: str
    favoring_one: tuple[str, ...]
    favoring_other: tuple[str, ...]
    significant_one: tuple[str, ...]
    significant_other: tuple[str, ...]

    @property
    def significant(self) -> bool:
        """Whether each of the two systems is significantly better under some metric."""
        return bool(self.significant_one and self.significant_other)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {**super().to_dict(), "significant": self.significant}


class Comparisons(Shown, ByMetric["Comparison"]):
    """Comparisons of the same systems under several metrics, keyed by metric name.

    A mapping: ``comparisons["BLEU"]`` is the :class:`Comparison` under BLEU. All have the same
    resamples of the segments. Tests are corrected for the number of pairs, not for the number of
    metrics.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> found = truebleu.compare({"good": good, "bad": bad}, references, metrics=["bleu", "ter"])
    >>> found["TER"].clusters
    (('good',), ('bad',))

    Attributes
    ----------
    comparisons : mapping of str to Comparison
        The comparisons by the name of the metric, in the order given.
    """

    comparisons: Mapping[str, Comparison]

    @property
    def _by_name(self) -> Mapping[str, Comparison]:
        return self.comparisons

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Pairs of systems that metrics rank differently, of those that were tested."""
        pairs_of_metrics = [comparison.pairs for comparison in self.values()]
        # Every metric has the same pairs, in the same order.
        found = (self._disagreement(pairs) for pairs in zip(*pairs_of_metrics, strict=True))
        return tuple(each for each in found if each.favoring_one and each.favoring_other)

    def _disagreement(self, pairs: tuple[Pair, ...]) -> Disagreement:
        """Return which metrics favor which system of a pair."""
        favoring: tuple[list[str], list[str]] = [], []
        significant: tuple[list[str], list[str]] = [], []
        for (name, comparison), pair in zip(self.items(), pairs, strict=True):
            if pair.delta:
                worse = (pair.delta > 0) != comparison.metric.higher_is_better
                favoring[worse].append(name)
                if pair.significant:
                    significant[worse].append(name)
        return Disagreement(
            one=pairs[0].one,
            other=pairs[0].other,
            favoring_one=tuple(favoring[0]),
            favoring_other=tuple(favoring[1]),
            significant_one=tuple(significant[0]),
            significant_other=tuple(significant[1]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {**super().to_dict(), "disagreements": plain_values(self.disagreements)}

    def __repr__(self) -> str:
        systems = formatting.count(len(next(iter(self.values())).systems), "system")
        return shortened(f"<Comparisons of {systems} under {', '.join(self)}>")

    def blocks(
        self, *, detectable: bool = False, plain: bool = False, choice: PairChoice = NOTHING_CHOSEN
    ) -> list[Block]:
        """Return the blocks of the output; pairs significant under one metric are under that."""
        shown = [self._overview(plain=plain)]
        if self.disagreements:
            shown.append(self._disagreements_block(plain=plain))
        for name, comparison in self.items():
            blocks = comparison.blocks(detectable=detectable, plain=plain, choice=choice)
            shown += named_blocks(name, blocks, "metric" if plain else "")
        return shown

    def _tables(self) -> list[Block]:
        return self.blocks(plain=True)

    def paper(self) -> PaperTable:
        """Return one table of all metrics for a paper, as :meth:`Comparison.paper` does of one."""
        return PaperTable(comparisons=self.comparisons)

    def _overview(self, *, plain: bool) -> Block:
        first, *_ = self.values()
        rows = {system.name: [system.name] for system in first.ranked()}
        header = ["system"]
        for name, comparison in self.items():
            header += [name, f"{name} rank"]
            places, ranks = comparison.places(), comparison.shown_ranks()
            for system, row in rows.items():
                value = comparison.systems[system].score.score
                score = formatting.decimals(value, comparison.metric._form)
                is_best = places[system] == 1 and len(rows) > 1
                row += [
                    Best(score) if is_best else score,
                    str(places[system]) if plain else ranks[system],
                ]
        lines = directions(comparison.metric for comparison in self.values())
        for name, comparison in self.items():
            note = next(iter(comparison.systems.values())).score.note
            lines += [] if note is None else [f"{name}: {note}"]
        tested = next((each for each in self.values() if each.pairs), None)
        if tested is not None:
            corrected = tested.n_tests > len(tested.pairs)
            are = "are" if corrected else "are not"
            lines.append(f"p-values {are} corrected for the number of metrics")
        return Block("all metrics", lines, header, [("", row) for row in rows.values()])

    def _disagreements_block(self, *, plain: bool) -> Block:
        """Show the pairs that metrics rank differently, and which metrics favor which system."""
        disagreements = self.disagreements
        significant = sum(each.significant for each in disagreements)
        number = formatting.count(len(disagreements), "pair")
        alpha = next(iter(self.values())).alpha
        lines = [
            f"the metrics rank {number} of systems differently; for {significant or 'none'} of "
            "them, each system is significantly better under some metric",
            f"*: the difference is significant under this metric (adjusted p < {alpha})",
        ]
        rows: list[tuple[str, list[str]]] = []
        for each in disagreements:
            sides = (
                (each.one, each.favoring_one, each.significant_one),
                (each.other, each.favoring_other, each.significant_other),
            )
            cells: list[str] = []
            for system, favoring, best in sides:
                starred = [name + "*" * (name in best) for name in favoring]
                cells += [system, ", ".join(favoring if plain else starred)]
                cells += [", ".join(best)] * plain
            rows.append(("bad" if each.significant and not plain else "", cells))
        if plain:
            header = ["system", "better under", "significantly better under"]
            return Block("disagreements", lines, [*header, *(f"other {n}" for n in header)], rows)
        return Block("disagreements", lines, ["system", "better under"] * 2, rows, "llll")


def named_blocks(name: str, blocks: Iterable[Block], column: str) -> Iterator[Block]:
    """Name what blocks are about: in headings, or in a column for programs, which see none."""
    for block in blocks:
        changes: dict[str, Any] = {"heading": f"{block.heading} ({name})", "about": name}
        changes["lines"] = [
            Code(f"{name}|{line}") if isinstance(line, Code) else line for line in block.lines
        ]
        if column and block.rows:
            changes["header"] = [column, *block.header]
            changes["rows"] = [(style, [name, *row]) for style, row in block.rows if row]
            changes["align"] = f"l{block.align}"
        yield block.replace(**changes)


def count_systems(
    metric: Metric,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Stats]:
    """Count the segments of each system, except of those that are passed as statistics."""
    systems = sequences.systems_of(systems)
    if not systems:
        raise InputError("there is no system to compare")
    for name in systems:
        sequences.check_name(name, "system")
    frames.check_indexes(systems.items())
    precounted = [name for name, system in systems.items() if isinstance(system, Stats)]
    if precounted and (references is not None or reference_streams is not None):
        raise InputTypeError(
            f"{precounted[0]!r} is {type(systems[precounted[0]]).__name__} already; do not pass "
            "references with it"
        )
    if not precounted and references is not None:
        # References are read once per system.
        references = sequences.reusable(references, "references")
    elif not precounted and reference_streams is not None:
        reference_streams = sequences.reusable_streams(reference_streams)
    counted = None
    if not precounted:
        counted = metric._count_together(systems, references, reference_streams, threads)
    if counted is None:
        counted = _count_each(metric, systems, references, reference_streams, threads)
    lengths = {name: len(stats) for name, stats in counted.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise LengthMismatchError(f"the systems differ in the number of segments: {listed}")
    if precounted:
        refuse_unrelated(counted)
    return counted


def _count_each(
    metric: Metric,
    systems: Any,
    references: Any,
    reference_streams: Any,
    threads: int | None,
) -> dict[str, Stats]:
    counted = {}
    for name, system in systems.items():
        if isinstance(system, Stats):
            counted[name] = system
            metric.score(system)  # Raises StatsMismatchError for other settings.
            continue
        called = str(name) or checks.HYPOTHESES
        hypotheses = sequences.reusable(system, called)
        try:
            counted[name] = metric._count_stats(
                hypotheses,
                references,
                reference_streams,
                threads,
                check=called,
            )
        except (InputTypeError, LengthMismatchError) as error:
            raise type(error)(f"{name}: {error}" if name else str(error)) from error
    return counted


def compare_counted(
    metric: Metric, counted: dict[str, Stats], units: Units, design: Design, threads: int
) -> Comparison:
    """Compare systems by the rows of their segments, and by `units`, which are made of these."""
    if metric._is_average:
        check_missing(metric.name, counted)
        units = scored_units(units)
    scores = finite_scores(metric, counted)
    pairs, baseline = pairs_of(list(counted), design)
    if design.blocks is not None and units.name != "blocks":
        units = blocks_of(metric, units, pairs, design.blocks)
    reliability.warn_of_few_units(units, design, tested=bool(pairs))
    design.choose_trials(design.family * len(pairs))
    outcomes = resample(metric, units, pairs, design, threads)
    reliability.warn_of_few_trials(outcomes, design)
    reliability.warn_of_few_differing(pairs, outcomes, units, design)
    reliability.warn_of_influential(pairs, outcomes, units, design)
    reliability.warn_of_dependence(outcomes, design)
    return concluded(scores, (pairs, baseline), outcomes, design, units)


def pairs_of(names: list[str], design: Design) -> tuple[list[tuple[str, str]], str | None]:
    """Return the pairs of systems to test, and the baseline if there is one."""
    baseline = design.baseline
    if baseline is not None and not (isinstance(baseline, Hashable) and baseline in names):
        raise UnknownNameError(
            f"there is no baseline {written(baseline)}; the systems are {', '.join(names)}"
            f"{did_you_mean(baseline, names)}"
        )
    pairs = list(combinations(names, 2))
    if baseline is not None:
        pairs = [(name, baseline) for name in names if name != baseline]
    return pairs, baseline


def concluded(
    scores: Mapping[str, Score],
    tested: tuple[list[tuple[str, str]], str | None],
    outcomes: Outcomes,
    design: Design,
    units: Units,
    *,
    test: str = "",
    described: str = "",
    **signed: object,
) -> Comparison:
    """Correct the p-values of pairs, which were `tested` against a baseline or all; sign it all."""
    pairs, baseline = tested
    p_values = [outcome.p_value for outcome in outcomes.tests]
    adjusted = inference.holm(p_values)
    floors = inference.adjusted_floors(p_values, [outcome.at_floor for outcome in outcomes.tests])
    alpha = inference.exact(design.alpha)
    margins = corrections.of_margins(outcomes.tests)
    fit = fit_of(next(iter(scores.values())).metric) if design.human_agreement else None
    results = tuple(
        Pair(
            one=one,
            other=other,
            delta=scores[one].score - scores[other].score,
            p_value=float(outcome.p_value),
            p_adjusted=float(p_adjusted),
            significant=p_adjusted < alpha,
            at_floor=outcome.at_floor,
            adjusted_at_floor=is_floor,
            interval=outcome.interval,
            exact=outcome.exact,
            n_trials=outcome.n_trials,
            differing=outcome.differing,
            detectable=outcome.detectable,
            detectable_adjusted=outcome.detectable_adjusted,
            human_agreement=fit and agreement(fit, scores[one].score - scores[other].score),
            between_runs=outcome.between_runs,
            **of_margin,
        )
        for (one, other), outcome, p_adjusted, is_floor, of_margin in zip(
            pairs, outcomes.tests, adjusted, floors, margins, strict=True
        )
    )
    systems = {}
    for name, score in scores.items():
        interval, between = outcomes.intervals.get(name), outcomes.between_runs.get(name)
        systems[name] = ComparedSystem(
            name=name, score=score, interval=interval, between_runs=between
        )
    return Comparison(
        systems=MappingProxyType(systems),
        pairs=results,
        alpha=design.alpha,
        alternative=design.alternative,
        confidence_level=design.confidence_level,
        margin=design.margin,
        human_agreement=design.human_agreement,
        n_tests=design.family * len(pairs),
        test=test or design.test,
        units=described or units.described,
        baseline=baseline,
        signature=design.signature_of(
            next(iter(scores.values())).signature,
            units,
            sampled=sum(not pair.exact for pair in results),
            exact=sum(pair.exact for pair in results),
            **signed,
        ),
    )


class SeveralMetrics:
    """Comparisons under several metrics, with one :class:`Design` and the same resamples."""

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        *,
        seed: int | None,
        progress: Progress | None,
        correction: str | None = None,
        **how: Any,
    ) -> None:
        if not isinstance(correction, str | None) or correction not in (None, *CORRECTIONS):
            raise unknown_name("metrics_correction", correction, CORRECTIONS)
        self._corrects = correction is not None
        how["family"] = len(metrics) if self._corrects else 1
        self._metrics = metrics
        self._progress = JointProgress(progress, len(metrics))
        how["progress"] = self._progress.of_one
        how["seed"] = checked_seed(seed)
        self._designs = {name: Design(**how, label=name) for name in metrics}

    def compare(
        self,
        counted: Mapping[str, dict[str, Stats]],
        documents: Iterable[Hashable] | None,
        strata: Iterable[Hashable] | None,
        threads: int,
    ) -> Comparisons:
        """Compare systems that have been counted for each metric, by name."""
        documents = listed_labels("documents", documents)
        strata = listed_labels("strata", strata)
        found = {}
        for name, metric in self._metrics.items():
            systems = counted[name]
            units = units_of(systems, documents, strata)
            found[name] = compare_counted(metric, systems, units, self._designs[name], threads)
            self._progress.finish_one()
        if self._corrects:
            found = corrections.across(found)
        return Comparisons(comparisons=MappingProxyType(found))


def finite_scores(metric: Metric, counted: Mapping[str, Stats]) -> dict[str, Score]:
    """Score systems; raise InputError with the name of one whose score is not finite."""
    scores = {name: metric.score(stats) for name, stats in counted.items()}
    for name, score in scores.items():
        if not isfinite(score.score):
            raise InputError(
                f"the {score.metric.name} of {name} is {score.score}, which cannot be compared"
            )
    return scores
