"""The scores of some systems under some metrics, and how they are shown."""

from __future__ import annotations

from truebleu.display.blocks import Best, Block, Code
from truebleu.display.formatting import decimals, percent
from truebleu.metrics.definition import directions
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.counted import Label
    from truebleu.metrics.base import Metric
    from truebleu.metrics.score import Score
    from truebleu.significance.pair import Interval


class ScoredColumn(Record):
    """The scores of all systems under one metric.

    Parameters
    ----------
    scores : list of Score
        One for each system.
    intervals : list of Interval
        One for each score, or none at all.
    signature : str
        Of all of them.
    """

    scores: list[Score]
    intervals: list[Interval]
    signature: str

    def __init__(self, scores: list[Score], intervals: list[Interval], signature: str) -> None:
        """Keep the parts."""
        self._fill(scores=scores, intervals=intervals, signature=signature)

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

    def numbers(self, width: int) -> list[str]:
        """Write the scores with `width` decimals."""
        return [decimals(score.score, f".{width}f") for score in self.scores]

    def best(self, numbers: list[str]) -> str:
        """Return the best of the numbers."""
        choose = max if self.metric.higher_is_better else min
        return choose(numbers, key=float)


class Scored:
    """The scores of some systems, and how they are shown.

    Parameters
    ----------
    header : tuple
        What the parts of a label are.
    labels : list of tuple
        What tells the scores apart: the names of systems, or the values of groups.
    columns : list of ScoredColumn
        One for each metric.
    """

    def __init__(self, header: Label, labels: list[Label], columns: list[ScoredColumn]) -> None:
        """Keep the parts; see the class."""
        self._header, self._labels, self._columns = header, labels, columns

    def values(self) -> list[dict[str, Any]]:
        """Return everything as plain values, with all digits.

        With several metrics, those of each are under its identifier.
        """
        labelled = []
        for system, label in enumerate(self._labels):
            value: dict[str, Any] = dict(zip(map(str, self._header), label, strict=True))
            if len(self._columns) == 1:
                value |= self._columns[0].values(system)
            else:
                value |= {each.metric.identifier: each.values(system) for each in self._columns}
            labelled.append(value)
        return labelled

    def blocks(self, width: int, notes: list[str], *, plain: bool) -> list[Block]:
        """Return what there is to show.

        Parameters
        ----------
        width : int
            Decimals of a score.
        notes : list of str
            What else there is to say.
        plain : bool
            Only a table: reasons and signatures are columns, and there are no notes.
        """
        if len(self._columns) == 1:
            return self._with_details(self._columns[0], width, notes, plain=plain)
        header = list(map(str, self._header))
        rows = [list(map(str, label)) for label in self._labels]
        for column in self._columns:
            name, numbers = column.metric.name, column.numbers(width)
            best = column.best(numbers) if self._has_best else ""
            shown = {name: [Best(each) if each == best else each for each in numbers]}
            if column.intervals:
                level = f"{percent(column.intervals[0].confidence_level)} CI"
                shown[f"{name} {level}"] = [each.ends(width) for each in column.intervals]
            if plain:
                shown[f"{name} reason"] = [score.reason or "" for score in column.scores]
                shown[f"{name} signature"] = [column.signature] * len(rows)
            header += shown
            for row, cells in zip(rows, zip(*shown.values(), strict=True), strict=True):
                row.extend(cells)
        table = self._table(header, [("", row) for row in rows])
        if plain:
            return [table]
        signatures = [Code(f"{each.metric.name}|{each.signature}") for each in self._columns]
        return [table, Block(lines=[*self._explanations(), *signatures, *notes])]

    def _with_details(
        self, column: ScoredColumn, width: int, notes: list[str], *, plain: bool
    ) -> list[Block]:
        """Return the scores of one metric, with what else a score knows."""
        numbers, signature = column.numbers(width), column.signature
        shown = [score.details() for score in column.scores]
        header = [*map(str, self._header), column.metric.name, *shown[0]]
        cells = [
            [*map(str, label), number, *details.values()]
            for label, number, details in zip(self._labels, numbers, shown, strict=True)
        ]
        if column.intervals:
            place = len(self._header) + 1
            header.insert(place, f"{percent(column.intervals[0].confidence_level)} CI")
            for row, interval in zip(cells, column.intervals, strict=True):
                row.insert(place, interval.ends(width))
        if plain:
            header += ["reason", "signature"]
            for row, score in zip(cells, column.scores, strict=True):
                row += [score.reason or "", signature]
        best = column.best(numbers) if self._has_best else ""
        rows = [
            ("best" if number == best else "", row)
            for number, row in zip(numbers, cells, strict=True)
        ]
        table = self._table(header, rows)
        if plain:
            return [table]
        return [table, Block(lines=[*self._explanations(), Code(signature), *notes])]

    def _table(self, header: list[str], rows: list[tuple[str, list[str]]]) -> Block:
        names = len(self._header)
        return Block(header=header, rows=rows, align="l" * names + "r" * (len(header) - names))

    @property
    def _has_best(self) -> bool:
        """Whether the scores are of several systems, and not of groups."""
        return len(self._labels) > 1 and len(self._header) == 1

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
