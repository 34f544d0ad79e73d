"""Comparisons of the same systems under several metrics, or on several test sets."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.blocks import RULE, Block, Cell, kind_of, text_of
from truebleu.display.shown import Shown
from truebleu.metrics.metric import directions
from truebleu.metrics.several import ByMetric
from truebleu.record import shortened
from truebleu.significance import leads
from truebleu.significance.paper import PaperTable
from truebleu.significance.results import SIGNATURE, SYSTEMS, Comparison, ends_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.display.blocks import Line, Row

AVERAGE = "average"
"""What the mean of all test sets is called in tables."""


class Comparisons(Shown, ByMetric["Comparison"]):
    """Comparisons of the same systems under several metrics, or on several test sets, by name.

    A mapping: ``comparisons["BLEU"]`` is the :class:`Comparison` under BLEU. All have the same
    resamples of the segments, and p-values are adjusted for the tests of all. On test sets, only
    the average is tested: of single sets, there are scores.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> found = truebleu.compare({"good": good, "bad": bad}, references, metrics=["bleu", "ter"])
    >>> found["TER"].clusters
    (('good',), ('bad',))

    Attributes
    ----------
    comparisons : mapping of str to Comparison
        The comparisons by the name of the metric, or of the test set, in the order given.
    average : Comparison or None
        Of test sets: the comparison of mean scores over sets, each of which weighs the same. Its
        tests swap the systems within sets.
    notes : tuple of str
        What is to be known of the numbers.
    """

    __module__ = "truebleu"

    comparisons: Mapping[str, Comparison]
    average: Comparison | None = None
    notes: tuple[str, ...] = ()

    @property
    def _by_name(self) -> Mapping[str, Comparison]:
        return self.comparisons

    @property
    def disagreements(self) -> tuple[tuple[str, str], ...]:
        """The names of systems that metrics, or sets, rank differently."""
        pairs = (self.average or next(iter(self.values()))).pairs
        found = []
        for pair in pairs:
            better = {_sign(each, pair.one, pair.other) for each in self.values()} - {0}
            found += [(pair.one, pair.other)] * (len(better) > 1)
        return tuple(found)

    def __getitem__(self, name: str) -> Comparison:
        """Return the comparison under a metric, or on a test set."""
        if self.average is not None and name not in self.comparisons:
            raise KeyError(f"there is no set {name!r}; there are {', '.join(self)}")
        return super().__getitem__(name)

    def __repr__(self) -> str:
        systems = formatting.count(len(next(iter(self.values())).systems), "system")
        over = "under" if self.average is None else "on"
        return shortened(f"<Comparisons of {systems} {over} {', '.join(self)}>")

    def blocks(self, *, plain: bool = False) -> list[Block]:
        """Return the blocks of the output, for any format; see :meth:`Comparison.blocks`.

        Under several metrics, one table has the systems, and signatures stand together, unless the
        blocks are `plain`.
        """
        every = dict(self)
        shown = []
        together = self.average is None and not plain
        if self.average is None:
            shown.append(self._overview(plain=plain))
        else:
            shown.append(self._overview_of_sets(self.average, plain=plain))
            every = {AVERAGE: self.average, **self}
        column = "metric" if self.average is None else "set"
        for name, comparison in every.items():
            bare = comparison.replace(notes=())
            blocks = bare.blocks(plain=plain)
            if self.average is not None:
                blocks = [block.replace(folded=name != AVERAGE or block.folded) for block in blocks]
            if together:
                blocks = [
                    block.replace(folded=False)
                    for block in blocks
                    if not (block.is_figure or block.heading in (SYSTEMS, SIGNATURE))
                ]
            shown += named_blocks(name, blocks, column if plain else "")
        if together:
            shown.append(_signatures((each.metric.name, each.signature) for each in self.values()))
        return [*shown, *notes_block(self.notes)]

    def _tables(self) -> list[Block]:
        return self.blocks(plain=True)

    def paper(self) -> PaperTable:
        """Return one table of all for a paper, as :meth:`Comparison.paper` does of one."""
        every = dict(self)
        if self.average is not None:
            every[AVERAGE] = self.average
        return PaperTable(comparisons=every, of_sets=self.average is not None, notes=self.notes)

    def _overview(self, *, plain: bool) -> Block:
        first, *_ = self.values()
        rows: dict[str, list[Line]] = {each.name: [each.name] for each in first.ranked()}
        header = ["system"]
        intervals: dict[str, list[Sequence[float] | None]] = {}
        for name, comparison in self.items():
            places, ranks = comparison.places(), comparison.shown_ranks()
            level = f"{name} {formatting.percent(comparison.confidence_level)} CI"
            columns: dict[str, list[Line]] = {name: [], level: [], f"{name} rank": []}
            known = [comparison.systems[system] for system in rows]
            for system in known:
                form = "" if plain else comparison.metric._form
                score = formatting.decimals(system.score.score, form)
                is_best = places[system.name] == 1 and len(rows) > 1
                columns[name].append(Cell(score, "best") if is_best and not plain else score)
                ends = system.interval and system.interval.ends(comparison.metric.decimals)
                columns[level].append(ends or "")
                columns[f"{name} rank"].append(ranks[system.name])
            if plain or not any(columns[level]):
                del columns[level]
            else:
                intervals[level] = [ends_of(each.score.score, each.interval) for each in known]
            if comparison.rank_ranges is None:
                del columns[f"{name} rank"]
            header += columns
            for row, cells in zip(rows.values(), zip(*columns.values(), strict=True), strict=True):
                row.extend(cells)
        return Block(
            "all metrics",
            self._said_of_all(plain=plain),
            header,
            [("", row) for row in rows.values()],
            intervals=intervals,
        )

    def _said_of_all(self, *, plain: bool) -> list[Line]:
        """Say which metrics are better when lower, who leads, and where metrics disagree."""
        lines: list[Line] = [*directions(comparison.metric for comparison in self.values())]
        for name, comparison in self.items():
            lines += [] if plain else comparison.leading()
            note = next(iter(comparison.systems.values())).score.note
            lines += [] if note is None else [f"{name}: {note}"]
        if found := self.disagreements:
            said = [f"{one} and {other}" for one, other in found[:3]]
            said += [f"{len(found) - 3} more"] * (len(found) > 3)
            number = formatting.count(len(found), "pair")
            lines.append(f"the metrics rank {number} of systems differently: {', '.join(said)}")
        ranks = [] if plain else [note for each in self.values() for note in each.rank_note()]
        return [*lines, *ranks[:1]]

    def _overview_of_sets(self, average: Comparison, *, plain: bool) -> Block:
        form, width = average.metric._form, None if plain else average.metric.decimals
        score_form, gap_form = ("", "") if plain else (form, f"+{form}")
        names = [system.name for system in average.ranked()]
        # The two systems to look at first, the better one first.
        chosen = average._shown_pairs()[:1]
        pair = next((leads.better_first(average, each) for each in chosen), None)
        rows: list[Row] = []
        for name, comparison in {**self, AVERAGE: average}.items():
            places = comparison.places()
            cells: list[Line] = [name]
            for system in names:
                score = formatting.decimals(comparison.systems[system].score.score, score_form)
                is_best = places[system] == 1 and len(names) > 1
                cells.append(Cell(score, "best") if is_best else score)
            if pair is not None:
                gap = _gap(comparison, pair.one, pair.other)
                cells.append(formatting.decimals(gap, gap_form))
                if pair.interval is not None:
                    ends = pair.interval.ends(width)
                    cells.append(ends if name == AVERAGE else "")
            rows += [RULE] * (name == AVERAGE) + [("", cells)]
        lines: list[Line] = [Cell(each, "note") for each in directions([average.metric])]
        lines.append(f"{AVERAGE}: mean of the sets, equally weighted; only it is tested")
        if pair is not None:
            signs = [_sign(each, pair.one, pair.other) for each in self.values()]
            sets = formatting.count(len(self), "test set")
            text = f"On average over {sets}: {leads.verdict(average, pair)}"
            if pair.delta:
                text += f" {pair.one} has the better score on {signs.count(1)} of them."
            lines.insert(0, Cell(text, "lead"))
        header = ["set", *names]
        if pair is not None:
            header.append(f"{pair.one} - {pair.other}")
            level = formatting.percent(average.confidence_level)
            header += [f"{level} CI"] * (pair.interval is not None)
        return Block(f"all sets, {average.metric.name}", lines, header, rows)


def _gap(comparison: Comparison, one: str, other: str) -> float:
    systems = comparison.systems
    return systems[one].score.score - systems[other].score.score


def _sign(comparison: Comparison, one: str, other: str) -> int:
    """Return 1 if the first of two systems is better, -1 if the second, else 0."""
    gap = _gap(comparison, one, other)
    sign = 1 if comparison.metric.higher_is_better else -1
    return sign * ((gap > 0) - (gap < 0))


def _signatures(named: Iterable[tuple[str, str]]) -> Block:
    """Return signatures without their common end, and this."""
    fields = [[name, *signature.split("|")] for name, signature in named]
    common = 0
    while len({each[-common - 1] for each in fields if len(each) > common + 2}) == 1:
        common += 1
    shortest = [each[: len(each) - common] for each in fields]
    end = ["", *fields[0][len(fields[0]) - common :]]
    heading = "signatures, of which each ends with the last line"
    return Block(heading, [Cell("|".join(each), "code") for each in [*shortest, end]])


def notes_block(notes: Iterable[str]) -> Iterator[Block]:
    """Yield the block of notes, if there are any."""
    lines = list(notes)
    if lines:
        yield Block("notes", lines)


def named_blocks(name: str, blocks: Iterable[Block], column: str) -> Iterator[Block]:
    """Name what blocks are about: in headings, or in a column for programs, which see none."""
    for block in blocks:
        changes: dict[str, Any] = {"heading": f"{block.heading} ({name})", "about": name}
        changes["lines"] = [
            Cell(f"{name}|{text_of(line)}", "code") if kind_of(line) == "code" else line
            for line in block.lines
        ]
        if column and block.rows:
            changes["header"] = [column, *block.header]
            changes["rows"] = [(style, [name, *row]) for style, row in block.rows if row]
            changes["align"] = f"l{block.align}"
        yield block.replace(**changes)
