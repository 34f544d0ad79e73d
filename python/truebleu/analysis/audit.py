"""The scores of other tools for the same text, and why two of them differ."""

from __future__ import annotations

from truebleu.analysis.decompose import AuditRow, by_steps
from truebleu.analysis.dialects.corpus import corpus_of
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Shown
from truebleu.errors import WarnOnce
from truebleu.suggestions import check_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Never

    from truebleu.analysis.decompose import AuditDifference
    from truebleu.analysis.dialects.corpus import AuditedName, Corpus


class Audit(Shown):
    """The scores of every tool for a corpus. Made by :func:`audit`.

    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references)
    <Audit of BLEU: 19 dialects, 33.33 to 77.39>

    Attributes
    ----------
    rows : tuple of AuditRow
        From the highest score to the lowest.
    notes : tuple of str
        What is odd about the text, as warnings say it, too.
    """

    _corpus: Corpus
    rows: tuple[AuditRow, ...]
    notes: tuple[str, ...]

    def __init__(
        self, corpus: Corpus, rows: tuple[AuditRow, ...], notes: Iterable[str] = ()
    ) -> None:
        self._fill(_corpus=corpus, rows=rows, notes=(*notes,))

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
        return by_steps(self[one], self[other], self._corpus, self._corpus)

    def __repr__(self) -> str:
        low, high = (decimals(self.rows[place].value) for place in (-1, 0))
        return f"<Audit of {self.metric}: {len(self.rows)} dialects, {low} to {high}>"

    def blocks(self) -> list[Block]:
        """Return the blocks of the output, for any format."""
        effects = "settings that differ, and the effect of each alone"
        header = ("dialect", "prints", self.metric, effects)
        rows = [("", row.cells()) for row in self.rows]
        notes = [note for row in self.rows for note in row.notes]
        table = Block(header=header, rows=rows, align="lrrl")
        # No tool's score says much about text that is not what it should be.
        odd = [Block(lines=[f"{note}." for note in self.notes])] if self.notes else []
        return [*odd, table, *([Block(lines=notes)] if notes else [])]

    def to_dict(self) -> list[dict[str, Any]]:  # type: ignore[override]  # There are only rows.
        """Return all rows as plain Python values."""
        rows = [row.to_dict() for row in self.rows]
        return [row | {"notes": [*self.notes, *row["notes"]]} for row in rows]


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

    Examples
    --------
    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references)["nltk"].number
    0.537284965911771
    """
    check_arguments(unknown, audit)
    corpus = corpus_of(metric)(hypotheses, references, reference_streams, threads)
    with WarnOnce() as said:
        rows = _rows(corpus)
    # Equal scores stay in the order of the registry.
    return Audit(corpus, tuple(sorted(rows, key=lambda row: -row.value)), said)


def _rows(corpus: Corpus) -> list[AuditRow]:
    """Score the text as each tool does."""
    default = corpus.simplified(corpus.filled(corpus.dialect("sacrebleu").settings), ())
    base = corpus.value(default)
    rows = []
    for dialect in corpus.dialects.values():
        settings = corpus.simplified(corpus.filled(dialect.settings), ())
        parts = []
        for aspect in corpus.differing(default, settings):
            points = corpus.value(corpus.changed(default, settings, aspect)) - base
            parts.append(corpus.part_of(aspect, default, settings, points))
        rows.append(
            AuditRow(
                dialect=dialect,
                value=corpus.value(settings),
                score=corpus.score(settings),
                parts=tuple(parts),
                notes=corpus.notes(dialect),
            )
        )
    return rows
