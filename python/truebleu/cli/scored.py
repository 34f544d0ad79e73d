"""The scores of systems, groups or documents, and how they are shown."""

from __future__ import annotations

from truebleu.cli.output import add_format, add_width, width_of, write
from truebleu.display.blocks import Block, Cell
from truebleu.display.formatting import decimals, percent
from truebleu.metrics.metric import directions
from truebleu.metrics.registry import metrics_of
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from truebleu.cli.parsing import Command, Group, Namespace
    from truebleu.display.blocks import Line
    from truebleu.intake.given import Named
    from truebleu.metrics import Metric, Score, Stats
    from truebleu.significance.pair import Interval

    Label = tuple[object, ...]


def add_output(command: Command) -> Group:
    """Add how scores are written. Return the group."""
    output = command.add_argument_group("output")
    add_format(output)
    output.add_argument(
        *("-b", "--score-only"),
        instead_of="format",
        action="store_true",
        help="print only the scores",
    )
    add_width(output, "decimals of a score (default: 2; in csv and tsv, every digit)")
    add_stats_out(output, "score; truebleu merge adds up such files")
    return output


def add_stats_out(group: Group, more: str) -> None:
    group.add_argument(
        "--stats-out",
        metavar="FILE",
        help="also write the statistics behind the scores to a .jsonl or .jsonl.gz file, a row for "
        f"each {more}",
    )


class Counted(Record):
    """What has been counted: for each metric the statistics of each label, in rows or summed.

    A label is a system, a group or a document, or a system and one of these; the header says which,
    and `segments` how many segments each has. `references` is the checksum of the references.
    """

    header: Label
    labels: list[Label]
    counted: list[list[Stats]]
    segments: list[int]
    references: str | None = None


class ScoredColumn(Record):
    """The scores of all systems under one metric, with an interval for each, or none at all."""

    scores: list[Score]
    intervals: list[Interval]
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def metric(self) -> Metric:
        """The metric of the scores."""
        metric: Metric = self.scores[0].metric
        return metric

    def values(self, system: int) -> dict[str, Any]:
        """Return everything about one system as plain values, with all digits."""
        values = self.scores[system].to_dict()
        if self.intervals:
            values["interval"] = self.intervals[system].to_dict()
        return values | {"signature": self.signature}

    def numbers(self, width: int | None) -> list[str]:
        """Write the scores with `width` decimals, or with every digit."""
        form = "" if width is None else f".{width}f"
        return [decimals(score.score, form) for score in self.scores]

    def best(self, numbers: list[str]) -> str:
        """Return the best of the numbers."""
        choose = max if self.metric.higher_is_better else min
        return choose(numbers, key=float)


def identifiers_of(metrics: Sequence[Metric]) -> list[str]:
    """Return what columns and keys are called; of one name, they are told apart by settings."""
    names = metrics_of(metrics, by_settings=True)
    return [each.identifier + name.removeprefix(each.name) for name, each in names.items()]


class Scored:
    """The scores of what has been counted, a column for each metric, and how they are shown."""

    def __init__(
        self, found: Counted, columns: list[ScoredColumn], *, grouped: bool = False
    ) -> None:
        self._header, self._labels, self._columns = found.header, found.labels, columns
        self._segments = found.segments if grouped and "segments" not in found.header else None

    def write(self, options: Namespace, notes: list[str], test_set: Named | None = None) -> None:
        """Write the scores as the options say, with notes."""

        def blocks(plain: bool) -> list[Block]:
            # People read two decimals; programs get every digit, as in JSON.
            width = options.width if plain else width_of(options)
            return self._blocks(width, notes, plain=plain)

        write(options, blocks, self._values, test_set)

    def _values(self) -> list[dict[str, Any]]:
        labelled = []
        for system, label in enumerate(self._labels):
            value: dict[str, Any] = dict(zip(map(str, self._header), label, strict=True))
            if self._segments is not None:
                value["segments"] = self._segments[system]
            if len(self._columns) == 1:
                value |= self._columns[0].values(system)
            else:
                names = identifiers_of([each.metric for each in self._columns])
                value |= {
                    name: each.values(system)
                    for name, each in zip(names, self._columns, strict=True)
                }
            labelled.append(value)
        return labelled

    def _blocks(self, width: int | None, notes: list[str], *, plain: bool) -> list[Block]:
        """Return a table of scores; notes and signatures are below it, or if `plain` in columns."""
        only = len(self._columns) == 1
        header = list(map(str, self._header))
        rows: list[list[Line]] = [list(map(str, label)) for label in self._labels]
        if self._segments is not None:
            header.append("segments")
            for row, size in zip(rows, self._segments, strict=True):
                row.append(Cell(f"{size:,}", "count"))
        names = metrics_of([column.metric for column in self._columns], by_settings=True)
        if plain and not only:
            return [self._by_metric(header, rows, list(names), width)]
        styles = [""] * len(rows)
        signatures = []
        for name, column in zip(names, self._columns, strict=True):
            numbers = column.numbers(width)
            # Of several systems, and not of groups.
            best = column.best(numbers) if len(rows) > 1 and len(self._header) == 1 else ""
            bold = [Cell(each, "best") if each == best else each for each in numbers]
            if only:
                styles = ["best" if number == best else "" for number in numbers]
            shown: dict[str, Sequence[Line]] = {name: numbers if only else bold}
            shown |= self._beside(name, column, width, plain=plain)
            header += shown
            for row, more in zip(rows, zip(*shown.values(), strict=True), strict=True):
                row.extend(more)
            called = "" if only else f"{column.metric.name}|"
            signatures.append(Cell(f"{called}{column.signature}", "code"))
        labels = len(self._header)
        align = "l" * labels + "r" * (len(header) - labels)
        table = Block(header=header, rows=list(zip(styles, rows, strict=True)), align=align)
        if plain:
            return [table]
        return [table, Block(lines=[*self._explanations(), *signatures, *notes])]

    def _beside(
        self, name: str, column: ScoredColumn, width: int | None, *, plain: bool
    ) -> dict[str, Sequence[Line]]:
        """Return the columns beside that of the scores."""
        only = len(self._columns) == 1
        shown: dict[str, Sequence[Line]] = {}
        if column.intervals:
            level = f"{percent(column.intervals[0].confidence_level)} CI"
            called = level if only else f"{name} {level}"
            shown[called] = [each.ends(width) for each in column.intervals]
        if only:
            # There is room for what else a score knows.
            details = [score.details() for score in column.scores]
            cells = zip(*(each.values() for each in details), strict=True)
            shown |= zip(details[0], cells, strict=True)
        if plain:
            shown["reason"] = [score.reason or "" for score in column.scores]
            shown["signature"] = [column.signature] * len(column.scores)
        return shown

    def _by_metric(
        self, header: list[str], rows: list[list[Line]], names: list[str], width: int | None
    ) -> Block:
        """Return a table for programs: a row for each label and metric."""
        header = [*header, "metric", "score"]
        first = self._columns[0]
        if first.intervals:
            header.append(f"{percent(first.intervals[0].confidence_level)} CI")
        numbers = [column.numbers(width) for column in self._columns]
        found = []
        for place, row in enumerate(rows):
            for name, column, values in zip(names, self._columns, numbers, strict=True):
                ends = [each.ends(width) for each in column.intervals[place : place + 1]]
                said = column.scores[place].reason or ""
                found.append(("", [*row, name, values[place], *ends, said, column.signature]))
        return Block(header=[*header, "reason", "signature"], rows=found)

    def _explanations(self) -> list[str]:
        """Say which metrics are better when lower, and why scores are 0 or undefined."""
        several = len(self._columns) > 1
        reasons = [
            f"{', '.join([*map(str, label), *([column.metric.name] if several else [])])}: "
            f"{score.reason}"
            for column in self._columns
            for label, score in zip(self._labels, column.scores, strict=True)
            if score.reason
        ]
        return [*directions(column.metric for column in self._columns), *reasons]
