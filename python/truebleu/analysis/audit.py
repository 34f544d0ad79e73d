"""The scores of other tools for the same text, and why two of them differ."""

from __future__ import annotations

from truebleu.analysis.decompose import AuditRow, by_steps
from truebleu.analysis.dialects.corpus import corpus_of
from truebleu.analysis.reproduce import search
from truebleu.display.blocks import Block
from truebleu.display.formatting import decimals
from truebleu.display.shown import Shown
from truebleu.errors import SettingsError, WarnOnce
from truebleu.suggestions import check_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Never, overload

    from truebleu.analysis.decompose import Decomposition
    from truebleu.analysis.dialects.corpus import AuditedName, Corpus
    from truebleu.analysis.reproduce import Reproduction


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

    def difference(self, one: str, other: str) -> Decomposition:
        """Explain why two dialects differ on this text.

        Parameters
        ----------
        one, other : str
            The names of the dialects.

        Returns
        -------
        Decomposition

        Raises
        ------
        UnknownNameError
            If there is no such dialect.
        """
        return by_steps(self[one], self[other], self._corpus)

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


if TYPE_CHECKING:

    @overload
    def audit(
        hypotheses: Iterable[str],
        references: Iterable[Any] | None = None,
        *,
        target: None = None,
        reference_streams: Iterable[Iterable[str]] | None = None,
        threads: int | None = None,
        metric: AuditedName = "bleu",
    ) -> Audit: ...
    @overload
    def audit(
        hypotheses: Iterable[str] | Mapping[str, Iterable[str]],
        references: Iterable[Any] | None = None,
        *,
        target: str | float | Mapping[str, str | float],
        reference_streams: Iterable[Iterable[str]] | None = None,
        tokenizers: Sequence[str] | None = None,
        threads: int | None = None,
        metric: AuditedName = "bleu",
        max_seconds: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Reproduction: ...


def audit(
    hypotheses: Any,
    references: Iterable[Any] | None = None,
    *,
    target: str | float | Mapping[str, str | float] | None = None,
    reference_streams: Iterable[Iterable[str]] | None = None,
    tokenizers: Sequence[str] | None = None,
    threads: int | None = None,
    metric: AuditedName = "bleu",
    max_seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    **unknown: Never,
) -> Audit | Reproduction:
    """Compute the score that every tool would give the same text, or explain a published one.

    With `target`, settings, habits and mistakes that give this number are searched. For BLEU,
    combinations of what people do are tried, the most common first: tokenizers, or none; the mean
    of sentence scores; smoothings; orders and weights; penalties and means; counts that are not
    clipped; files swapped, shifted or transposed. How often a random number would be matched by
    settings as common is said, too. For chrF: with and without lower-casing,
    whitespace and epsilon smoothing, word orders 0 to 2, beta 1 to 3, and rules of other tools,
    such as the mean of the scores of segments. For both: subsets of the references, and the scales
    that end at the target or above it, of 1 and 100.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens. With `target`, hypotheses may
        be a mapping from the names of several systems.
    target : str or float, or mapping, optional
        The number as it was printed: ``"27.30"`` has two decimals, ``27.3`` has one. If there are
        several systems, a number for each: settings must give all of them.
    tokenizers : sequence of str, optional
        With `target`, the tokenizers to try, for BLEU. Default: all of the core, and what people
        do without.
    metric : {"bleu", "chrf"}, default "bleu"
        The metric that the tools compute; the dialects of ``chrf`` include chrF++.
    max_seconds : float, optional
        With `target`, stop after this time, and leave out the rarest causes. Default: no limit.
    progress : callable, optional
        With `target`, called with the number of settings that were tried, and with that of all.

    Returns
    -------
    Audit or Reproduction
        A row for each dialect, the highest score first; with `target`, what gives the number.

    Raises
    ------
    LengthMismatchError, EmptyInputError, InputTypeError
        As in :meth:`truebleu.Bleu.corpus`; and if the target is not a number from 0 to 100.
    SettingsError
        If `tokenizers` is empty, or is given for a metric that has none; if systems and targets
        have different names; if `max_seconds` is not a number from 0 up; or if what a search takes
        is given without a target.
    UnknownNameError
        If the metric has no dialects.

    Examples
    --------
    >>> import truebleu
    >>> hypotheses, references = ["the cat sat on the mat"], ["the cat sat on a mat"]
    >>> truebleu.audit(hypotheses, references)["nltk"].number
    0.537284965911771
    >>> truebleu.audit(hypotheses, references, target="53.73").matches[0].dialects
    ('sacrebleu',)
    """
    check_arguments(unknown, audit)
    if target is not None:
        return search(
            *(hypotheses, references, reference_streams),
            target=target,
            threads=threads,
            metric=metric,
            tokenizers=tokenizers,
            max_seconds=max_seconds,
            progress=progress,
        )
    searching = {"tokenizers": tokenizers, "max_seconds": max_seconds, "progress": progress}
    for name, value in searching.items():
        if value is not None:
            raise SettingsError(f"{name} is for the search for a number: give the target, too")
    corpus = corpus_of(metric)(hypotheses, references, reference_streams, threads)
    with WarnOnce() as said:
        rows = _rows(corpus)
    # Equal scores stay in the order of the registry.
    return Audit(corpus, tuple(sorted(rows, key=lambda row: -row.value)), said)


def _rows(corpus: Corpus) -> list[AuditRow]:
    """Score the text as each tool does."""
    default = corpus.simplified(corpus.filled({}), ())
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
