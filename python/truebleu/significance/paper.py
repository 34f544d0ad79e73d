"""What a paper says about a comparison: a table with notes, and a paragraph on the methods."""

from __future__ import annotations

from truebleu._core import __version__
from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import count, decimals, percent
from truebleu.display.shown import Shown
from truebleu.display.words import english
from truebleu.metrics.metric import directions
from truebleu.significance.leads import strongest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from truebleu.display.blocks import Line

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

_INTERVALS = {"bca": "bias-corrected and accelerated"}


class PaperTable(Shown):
    """One table of systems and metrics for a paper, with its notes, and what it says of methods.

    Made by :meth:`truebleu.Comparison.paper` and :meth:`truebleu.Comparisons.paper`. Of each
    metric, it has the scores, the best in bold, and their confidence intervals. A star marks
    systems that differ significantly from the baseline; without a baseline, superscripts are the
    clusters.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> truebleu.compare({"good": good, "bad": bad}, references).paper()
    <PaperTable: 2 systems, BLEU>

    Attributes
    ----------
    comparisons : mapping of str to Comparison
        The comparisons by the name of the metric, or of the test set.
    of_sets : bool
        Whether they are of test sets, and of their average last; only that has intervals then.
    notes : tuple of str
        What is to be known of the numbers.
    """

    comparisons: Mapping[str, Any]
    of_sets: bool = False
    notes: tuple[str, ...] = ()

    @property
    def methods(self) -> str:
        """Sentences for the methods section: software, intervals, tests and their correction."""
        metrics = [comparison.metric for comparison in self.comparisons.values()]
        signatures = "signature" if len(metrics) == 1 else "signatures"
        metrics = metrics[:1] if self.of_sets else metrics
        said = [f"We report {reported(metrics)} ({signatures} below the table)."]
        tested = self.comparisons
        if self.of_sets:
            # Single sets are described.
            tested = dict([[*tested.items()][-1]])
        return " ".join([*said, *statistics(tested)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values, with all notes and the methods."""
        return {**super().to_dict(), "notes": [*self._notes()], "methods": self.methods}

    def to_latex(self, label: str = "tab:compare") -> str:
        r"""Write it as LaTeX: a float whose caption has the notes, and a paragraph on the methods.

        The document needs ``\usepackage{booktabs,graphicx}``.
        """
        return super().to_latex(label)

    def __repr__(self) -> str:
        systems = next(iter(self.comparisons.values())).systems
        return f"<PaperTable: {count(len(systems), 'system')}, {', '.join(self.comparisons)}>"

    def blocks(self, *, plain: bool = False) -> list[Block]:
        """Return the table, the notes and the methods; in `plain` ones, for programs, a table."""
        first, *rest = self.comparisons.values()
        last = rest[-1] if rest else first
        ranking = last if self.of_sets else first
        rows: dict[str, list[Line]] = {each.name: [each.name] for each in ranking.ranked()}
        header = ["system"]
        for name, comparison in self.comparisons.items():
            prefix = f"{name} " if plain else ""
            columns = _columns(comparison, plain=plain)
            if self.of_sets and comparison is not last and not plain:
                columns = {"score": columns["score"]}
            header += [name if column == "score" else f"{prefix}{column}" for column in columns]
            for system, row in rows.items():
                row += [cells[system] for cells in columns.values()]
        has_intervals = next(iter(first.systems.values())).interval is not None
        level = f" with {percent(first.confidence_level)} confidence intervals"
        table = Block(
            "scores" + level * has_intervals, (), header, [("", row) for row in rows.values()]
        )
        if plain:
            return [table]
        notes = Block(lines=[*self._notes(), *self._signatures()])
        return [table, notes, Block("methods", [self.methods], about="methods")]

    def _tables(self) -> list[Block]:
        return self.blocks(plain=True)

    def _notes(self) -> Iterator[str]:
        first, *_ = self.comparisons.values()
        metrics = [each.metric for each in self.comparisons.values()]
        yield from directions(metrics[:1] if self.of_sets else metrics)
        for name, comparison in self.comparisons.items():
            note = next(iter(comparison.systems.values())).score.note
            if note is not None:
                yield f"{name}: {note}"
        below = f"(adjusted p < {first.alpha})"
        every = self.comparisons.items()
        if any(pair.significant for _, each in every for pair in each.pairs if each.baseline):
            yield f"*: significantly different from the baseline, {first.baseline} {below}"
        elif any(len(each.clusters or ()) > 1 for _, each in every):
            yield (
                f"superscripts are clusters: every system is significantly better {below} than "
                "every system of a later one"
            )
        one = [name for name, each in every if each.pairs and len(each.clusters or ()) == 1]
        if one:
            yield f"{english.listed(one)}: all systems are in one cluster"
        for name, each in every:
            for pair in each.pairs if each.margin is not None else ():
                statement = strongest(each, pair)
                if statement is not None:
                    yield f"{name}: {statement}"
        yield from self.notes

    def _signatures(self) -> list[Cell]:
        named = self.comparisons.items()
        return [Cell(f"{name}|{each.signature}", "code") for name, each in named]


def _columns(comparison: Any, *, plain: bool) -> dict[str, Mapping[str, Line]]:
    """Return the columns of a metric: for each, the cell of each system."""
    metric, places = comparison.metric, comparison.places()
    groups = comparison.clusters or ()
    clusters = {name: str(number) for number, group in enumerate(groups, 1) for name in group}
    marks: dict[str, str] = {}
    if comparison.baseline is not None:
        marks = {pair.one: "*" for pair in comparison.pairs if pair.significant}
    elif len(groups) > 1:
        marks = {name: number.translate(_SUPERSCRIPTS) for name, number in clusters.items()}
    scores: dict[str, Line] = {}
    intervals: dict[str, Line] = {}
    for name, system in comparison.systems.items():
        score = decimals(system.score.score, "" if plain else metric._form)
        if not plain:
            score += marks.get(name, "")
        scores[name] = Cell(score, "best") if places[name] == 1 and len(places) > 1 else score
        if system.interval is not None:
            intervals[name] = system.interval.ends(None if plain else metric.decimals)
    columns: dict[str, Mapping[str, Line]] = {"score": scores}
    if intervals:
        columns[f"{percent(comparison.confidence_level)} CI"] = intervals
    if plain:
        if comparison.baseline is not None:
            columns["significant"] = {name: "yes" if name in marks else "no" for name in places}
        elif clusters:
            columns["cluster"] = clusters
        columns["signature"] = dict.fromkeys(places, comparison.signature)
    return columns


def reported(metrics: Iterable[Any]) -> str:
    """Say which scores were computed by which version of this package."""
    ways: dict[str, list[str]] = {}
    for metric in metrics:
        scores, _, way = metric._about.computed_by.rpartition(" as ")
        ways.setdefault(way, []).append(scores)
    said = [
        f"{english.listed(scores)} as {way} truebleu {__version__}" for way, scores in ways.items()
    ]
    return ", and ".join(said)


def statistics(comparisons: Mapping[str, Any]) -> Iterator[str]:
    """Say how intervals and tests were computed, of all tests as one family."""
    # Metrics can differ in which tests were exact.
    said: dict[str, list[str]] = {}
    for name, comparison in comparisons.items():
        for sentence in _sentences(comparison):
            said.setdefault(sentence, []).append(name)
    for sentence, names in said.items():
        every = len(names) == len(comparisons)
        yield sentence.format(under="" if every else f" in {english.listed(names)}")


def _sentences(comparison: Any) -> Iterator[str]:
    fields = dict(field.partition(":")[::2] for field in comparison.signature.split("|"))
    units = comparison.units
    interval = next(iter(comparison.systems.values())).interval
    if interval is not None:
        level = percent(comparison.confidence_level)
        kind = _INTERVALS.get(interval.method, interval.method.replace("-", " "))
        if comparison.test == "welch":
            yield (
                f"Scores have {level} confidence intervals by Student's t, with jackknife standard "
                f"errors over {units}."
            )
        elif interval.method == "t":
            yield (
                f"Scores are means over runs. Their {level} confidence intervals (Student's t, "
                "Satterthwaite's degrees of freedom) are from the variance between runs and that "
                f"of {int(fields['bs']):,} bootstrap samples of {units}."
            )
        else:
            yield (
                f"The {level} confidence intervals{{under}} are from bootstrap resampling of "
                f"{units} ({kind}, {int(fields['bs']):,} samples)."
            )
    if comparison.pairs:
        test, comma, exact = comparison.test_description.partition(", ")
        text = f"Differences{{under}} were tested by a two-sided {test}"
        if comparison.test == "approximate-randomization":
            text = (
                "Differences{under}, divided by their standard errors, were tested by two-sided "
                f"{test} of {units}"
            )
        if "ar" in fields:
            most = "at most " if "stop" in fields else ""
            text += f" ({most}{int(fields['ar']):,} trials)"
        text += f"{comma}{exact}"
        if comparison.n_tests > 1:
            text += f", with Holm's correction for {comparison.n_tests} tests"
        yield f"{text}, at a significance level of {comparison.alpha:g}."
    if comparison.margin is not None:
        correction = ", with the same correction" * (comparison.n_tests > 1)
        yield (
            f"Non-inferiority and equivalence{{under}}, with a margin of {comparison.margin:g}, "
            f"were tested one-sided, by inverting the intervals of differences{correction}."
        )
