"""The result of :func:`truebleu.compare` with several metrics."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.display.blocks import Best, Block, Code
from truebleu.display.result import Result
from truebleu.display.shown import Shown
from truebleu.metrics.by_metric import ByMetric
from truebleu.metrics.definition import directions
from truebleu.record import plain as plain_values
from truebleu.record import shortened
from truebleu.significance.results import ALL_PAIRS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu.significance.pair import Pair
    from truebleu.significance.results import Comparison, PairChoice


class Disagreement(Result):
    """Two systems, and metrics that disagree about which of them is better.

    Attributes
    ----------
    one, other : str
        The names of the two systems.
    favoring_one, favoring_other : tuple of str
        The names of the metrics under which `one`, or `other`, has the better score.
    significant_one, significant_other : tuple of str
        Those of them under which the difference is significant.
    """

    __module__ = "truebleu"

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

    Attributes
    ----------
    comparisons : mapping of str to Comparison
        The comparisons by the name of the metric, in the order given.
    """

    __module__ = "truebleu"

    comparisons: Mapping[str, Comparison]

    @property
    def _by_name(self) -> Mapping[str, Comparison]:
        """The comparisons."""
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
        """Show the systems and the metrics."""
        systems = formatting.count(len(next(iter(self.values())).systems), "system")
        return shortened(f"<Comparisons of {systems} under {', '.join(self)}>")

    def blocks(
        self, *, detectable: bool = False, plain: bool = False, choice: PairChoice = ALL_PAIRS
    ) -> list[Block]:
        """Return the blocks of the output, for any format; see :meth:`Comparison.blocks`.

        Parameters
        ----------
        detectable, plain : bool, default False
            As there.
        choice : PairChoice, optional
            As there; a pair that is significant under one metric only is shown under that.
        """
        shown = [self._overview(plain=plain)]
        if self.disagreements:
            shown.append(self._disagreements_block(plain=plain))
        for name, comparison in self.items():
            for block in comparison.blocks(detectable=detectable, plain=plain, choice=choice):
                changes: dict[str, Any] = {"heading": f"{block.heading} ({name})", "about": name}
                changes["lines"] = [
                    Code(f"{name}|{line}") if isinstance(line, Code) else line
                    for line in block.lines
                ]
                if plain and block.rows:
                    # Programs see no heading.
                    changes["header"] = ["metric", *block.header]
                    changes["rows"] = [(style, [name, *row]) for style, row in block.rows if row]
                    changes["align"] = f"l{block.align}"
                shown.append(block.replace(**changes))
        return shown

    def _overview(self, *, plain: bool) -> Block:
        """Show the scores and ranks of all systems under all metrics."""
        first, *_ = self.values()
        rows = {system.name: [system.name] for system in first.ranked()}
        header = ["system"]
        for name, comparison in self.items():
            header += [name, f"{name} rank"]
            places, ranks = comparison.places(), comparison.shown_ranks()
            for system, row in rows.items():
                value = comparison.systems[system].score.score
                score = formatting.decimals(value, comparison.metric.form)
                is_best = places[system] == 1 and len(rows) > 1
                row += [
                    Best(score) if is_best else score,
                    str(places[system]) if plain else ranks[system],
                ]
        lines = directions(comparison.metric for comparison in self.values())
        for name, comparison in self.items():
            note = next(iter(comparison.systems.values())).score.note
            lines += [] if note is None else [f"{name}: {note}"]
        if any(comparison.pairs for comparison in self.values()):
            lines.append("p-values are not corrected for the number of metrics")
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
        if plain:
            header = ["system", "better under", "significantly better under"]
            header += [f"other {name}" for name in header]
            rows = [
                (
                    "",
                    [
                        *(each.one, ", ".join(each.favoring_one), ", ".join(each.significant_one)),
                        *(each.other, ", ".join(each.favoring_other)),
                        ", ".join(each.significant_other),
                    ],
                )
                for each in disagreements
            ]
            return Block("disagreements", lines, header, rows)
        rows = [
            (
                "bad" if each.significant else "",
                [
                    *(each.one, _starred(each.favoring_one, each.significant_one)),
                    *(each.other, _starred(each.favoring_other, each.significant_other)),
                ],
            )
            for each in disagreements
        ]
        header = ["system", "better under", "system", "better under"]
        return Block("disagreements", lines, header, rows, "llll")


def _starred(metrics: tuple[str, ...], significant: tuple[str, ...]) -> str:
    """List metrics, with a star behind those of a significant difference."""
    return ", ".join(f"{name}*" if name in significant else name for name in metrics)
