"""The scores of other tools for the same text, and why two of them differ."""

from __future__ import annotations

from truebleu.analysis.dialects.corpus import corpus_of
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Result, Shown
from truebleu.suggestions import check_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from typing_extensions import Never

    from truebleu.analysis.dialects.corpus import AuditedName, AuditPart, Corpus
    from truebleu.metrics.dialect import Dialect
    from truebleu.metrics.score import Score


class AuditRow(Result):
    """The score of one tool.

    Attributes
    ----------
    dialect : Dialect
    value : float
        The score from 0 to 100.
    score : Score or None
        The score with its parts; None if no settings of the metric's class give it.
    parts : tuple of AuditPart
        What each aspect that differs from the default does if it alone is changed. Aspects that
        make no difference to this text, such as how references are joined if there is only one,
        are left out.
    notes : tuple of str
        Where the tool itself prints another number for this text, and why.
    """

    dialect: Dialect
    value: float
    score: Score | None
    parts: tuple[AuditPart, ...]
    notes: tuple[str, ...]

    @property
    def number(self) -> float:
        """The score on the scale of the tool."""
        return self.dialect.number(self.value)

    def __str__(self) -> str:
        return repr(self)[len("<AuditRow ") : -1]

    def __repr__(self) -> str:
        return f"<AuditRow {self.dialect.name}: {self.cells()[1]}>"

    def cells(self) -> tuple[str, ...]:
        """Return the cells of a table: dialect, number, score, and what differs."""
        number = decimals(self.number, ".2f" if self.dialect.scale == 100 else ".4f")
        parts = "; ".join(
            f"{part.aspect} {part.now} {decimals(part.points, '+.2f')}" for part in self.parts
        )
        return self.dialect.name, number, decimals(self.value), parts

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "dialect": self.dialect.name,
            "tool": self.dialect.tool,
            "number": self.number,
            "score": self.value,
            "signature": None if self.score is None else self.score.signature,
            "parts": [part.to_dict() for part in self.parts],
            "notes": list(self.notes),
            "defects": list(self.dialect.defects),
        }


class Audit(Shown):
    """The scores of every tool for a corpus. Made by :func:`audit`.

    Attributes
    ----------
    rows : tuple of AuditRow
        From the highest score to the lowest.
    """

    _corpus: Corpus
    rows: tuple[AuditRow, ...]

    def __init__(self, corpus: Corpus, rows: tuple[AuditRow, ...]) -> None:
        self._fill(_corpus=corpus, rows=rows)

    def __getitem__(self, name: str) -> AuditRow:
        """Return the row of a dialect."""
        dialect = self._corpus.dialect(name)
        return next(row for row in self.rows if row.dialect is dialect)

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self._corpus.title

    def difference(self, one: str, other: str) -> AuditDifference:
        """Explain why two dialects differ on this text.

        Parameters
        ----------
        one, other : str
            The names of the dialects.

        Returns
        -------
        AuditDifference

        Raises
        ------
        UnknownNameError
            If there is no such dialect.
        """
        first, second = self[one], self[other]
        start, end = (
            self._corpus.simplified(self._corpus.filled(row.dialect.settings), ())
            for row in (second, first)
        )
        return AuditDifference(
            one=first,
            other=second,
            points=first.value - second.value,
            parts=_shapley(self._corpus, start, end),
        )

    def __repr__(self) -> str:
        low, high = (decimals(self.rows[place].value) for place in (-1, 0))
        return f"<Audit of {self.metric}: {len(self.rows)} dialects, {low} to {high}>"

    def blocks(self) -> list[Block]:
        """Return the blocks of the output, for any format."""
        header = (
            "dialect",
            "prints",
            self.metric,
            "settings that differ, and the effect of each alone",
        )
        rows = [("", row.cells()) for row in self.rows]
        notes = [note for row in self.rows for note in row.notes]
        table = Block(header=header, rows=rows, align="lrrl")
        return [table, *([Block(lines=notes)] if notes else [])]

    def to_dict(self) -> list[dict[str, Any]]:  # type: ignore[override]  # There are only rows.
        """Return all rows as plain Python values."""
        return [row.to_dict() for row in self.rows]


class AuditDifference(Shown):
    """Why two dialects differ. Made by :meth:`Audit.difference`.

    Attributes
    ----------
    one, other : AuditRow
    points : float
        The score of `one` minus that of `other`, on the scale of 0 to 100.
    parts : tuple of AuditPart
        What each aspect contributes, the largest contribution first. They add up to `points`: each
        is the mean over all orders in which the settings of `other` could be changed to those of
        `one` (Shapley 1953), so that no aspect has to come first.
    """

    one: AuditRow
    other: AuditRow
    points: float
    parts: tuple[AuditPart, ...]

    def __repr__(self) -> str:
        return (
            f"<AuditDifference {self.one.dialect.name} - {self.other.dialect.name}: "
            f"{decimals(self.points, '+.2f')}>"
        )

    def blocks(self, *, plain: bool = False) -> list[Block]:
        """Return the blocks of the output, for any format; for programs, if they are `plain`."""
        if not plain:
            return [Block(lines=self.sentences())]
        rows = [
            ("", (part.aspect, part.was, part.now, decimals(part.points, "+.2f"), part.why))
            for part in self.parts
        ]
        return [Block(header=("setting", "was", "now", "points", "why"), rows=rows)]

    def sentences(self) -> list[str]:
        """Describe the difference in sentences, in which the printed points add up, too."""
        one, other = self.one, self.other
        first, second = (f"{row.value:.2f}" for row in (one, other))
        gap = round(round(one.value, 2) - round(other.value, 2), 2)
        verdict = "the same score" if not gap else f"{abs(gap):.2f} {'more' if gap > 0 else 'less'}"
        lines = [
            f"{one.dialect.name} gives {_on_scale(one)}{first}, {other.dialect.name} gives "
            f"{_on_scale(other)}{second}: {verdict}."
        ]
        if not self.parts:
            lines.append("The two have the same settings.")
        for part, points in zip(self.parts, _rounded(self.parts, gap), strict=True):
            change = f"{part.aspect} {part.now} instead of {part.was}"
            lines.append(f"{change}: {decimals(points, '+.2f')}. {part.why}")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "one": self.one.dialect.name,
            "other": self.other.dialect.name,
            "points": self.points,
            "parts": [part.to_dict() for part in self.parts],
            "sentences": self.sentences(),
        }


def audit(
    hypotheses: Iterable[str],
    references: Iterable[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[str]] | None = None,
    threads: int | None = None,
    metric: AuditedName = "bleu",
    **unknown: Never,
) -> Audit:
    """Compute the score that every tool would give the same text.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.
    metric : {"bleu", "chrf"}, default "bleu"
        The metric that the tools compute; the dialects of ``chrf`` include chrF++.

    Returns
    -------
    Audit
        A row for each dialect, the highest score first.

    Raises
    ------
    LengthMismatchError, EmptyInputError, InputTypeError
        As in :meth:`truebleu.Bleu.corpus`.
    UnknownNameError
        If the metric has no dialects.
    """
    check_arguments(unknown, audit)
    corpus = corpus_of(metric)(hypotheses, references, reference_streams, threads)
    default = corpus.simplified(corpus.filled(corpus.dialect("sacrebleu").settings), ())
    base = corpus.value(default)
    rows = []
    for dialect in corpus.dialects.values():
        settings = corpus.simplified(corpus.filled(dialect.settings), ())
        parts = []
        for aspect in corpus.differing(default, settings):
            points = corpus.value(corpus.changed(default, settings, [aspect])) - base
            parts.append(corpus.part_of(aspect, default, settings, points))
        row = AuditRow(
            dialect=dialect,
            value=corpus.value(settings),
            score=corpus.score(settings),
            parts=tuple(parts),
            notes=corpus.notes(dialect),
        )
        rows.append(row)
    # Equal scores stay in the order of the registry.
    return Audit(corpus, tuple(sorted(rows, key=lambda row: -row.value)))


def _shapley(corpus: Corpus, start: dict[str, Any], end: dict[str, Any]) -> tuple[AuditPart, ...]:
    """Share the difference between two settings out among the aspects that differ."""
    from functools import cache
    from itertools import combinations
    from math import factorial, fsum

    @cache
    def value(changed: frozenset[str]) -> float:
        return corpus.value(corpus.changed(start, end, changed))

    aspects = corpus.differing(start, end)
    count = len(aspects)
    parts = []
    for aspect in aspects:
        rest = [each for each in aspects if each != aspect]
        steps = []
        for size in range(count):
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            for before in combinations(rest, size):
                without, with_it = frozenset(before), frozenset((*before, aspect))
                steps.append(weight * (value(with_it) - value(without)))
        parts.append(corpus.part_of(aspect, start, end, fsum(steps)))
    return tuple(sorted(parts, key=lambda part: -abs(part.points)))


def _rounded(parts: Sequence[AuditPart], total: float) -> list[float]:
    """Round points to hundredths so that they still add up to the rounded total."""
    hundredths = [round(100 * part.points) for part in parts]
    left = round(100 * total) - sum(hundredths)
    step = 1 if left > 0 else -1
    # Those that rounding has moved furthest away from the total give way first.
    errors = [
        (step * (hundredth - 100 * part.points), index)
        for index, (part, hundredth) in enumerate(zip(parts, hundredths, strict=True))
    ]
    for _, index in sorted(errors)[: abs(left)]:
        hundredths[index] += step
    return [hundredth / 100 for hundredth in hundredths]


def _on_scale(row: AuditRow) -> str:
    """Write the number of a tool that has another scale."""
    return "" if row.dialect.scale == 100 else f"{row.number:.4f}, which is "
