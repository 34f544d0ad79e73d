"""What other tools would say of the same text, and why two numbers differ."""

from __future__ import annotations

from truebleu.display.formatting import decimals
from truebleu.inputs import sequences
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.dialects import DIALECTS, Dialect, named
from truebleu.metrics.settings import DEFAULTS
from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metrics.score import BleuScore

ASPECTS: dict[str, tuple[str, ...]] = {
    "tokenizer": ("tokenizer",),
    "lowercase": ("lowercase",),
    "smoothing": ("smoothing", "smooth_value"),
    "reference_length": ("reference_length",),
    "phantom_ngrams": ("phantom_ngrams",),
    "orders": ("max_order", "weights"),
    "effective_order": ("effective_order",),
}
"""Settings that make sense only together are one aspect."""


class Corpus:
    """A corpus that is scored under many settings; what can be shared is counted once.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.
    """

    def __init__(
        self,
        hypotheses: Iterable[str],
        references: Iterable[Any] | None = None,
        reference_streams: Iterable[Iterable[str]] | None = None,
        threads: int | None = None,
    ) -> None:
        """Take the text in; see the class."""
        own, others = sequences.segments(hypotheses, references, reference_streams)
        self.hypotheses = own
        self.references = sequences.checked_text(own, others)
        self._threads = threads
        self._counted: dict[str, BleuScore] = {}

    def score(self, settings: dict[str, Any]) -> BleuScore:
        """Score the corpus.

        Parameters
        ----------
        settings : dict
            Keyword arguments of :class:`truebleu.Bleu`.

        Returns
        -------
        BleuScore
        """
        bleu = Bleu(**settings)
        known = self._counted.get(bleu.counting_key)
        if known is None:
            check = None if self._counted else HYPOTHESES  # Then tokenizers are tried on purpose.
            stats = bleu.count(self.hypotheses, self.references, self._threads, check=check)
            self._counted[bleu.counting_key] = known = bleu.score(stats)
        return known.under(bleu)


class Part(Frozen):
    """What one aspect of the settings contributes to a difference.

    Attributes
    ----------
    aspect : str
        A key of :data:`ASPECTS`.
    was, now : str
        The settings on either side.
    points : float
        By how much the score changes, on the scale of 0 to 100.
    why : str
        What it is about this text, in a few words.
    """

    __slots__ = ("aspect", "now", "points", "was", "why")
    aspect: str
    now: str
    points: float
    was: str
    why: str

    def __init__(self, aspect: str, was: str, now: str, points: float, why: str) -> None:
        """Keep the facts; see the class."""
        values = (aspect, now, points, was, why)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        """Write it as a change."""
        return f"<{self.aspect} {self.was} -> {self.now}: {decimals(self.points, '+.2f')}>"


class AuditRow(Frozen):
    """What one tool says.

    Attributes
    ----------
    dialect : Dialect
    score : BleuScore
        On our scale.
    number : float
        On the tool's.
    parts : tuple of Part
        The aspects in which it differs from the default, each taken alone.
    """

    __slots__ = ("dialect", "parts", "score")
    dialect: Dialect
    parts: tuple[Part, ...]
    score: BleuScore

    def __init__(self, dialect: Dialect, score: BleuScore, parts: tuple[Part, ...]) -> None:
        """Keep the facts; see the class."""
        object.__setattr__(self, "dialect", dialect)
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "parts", parts)

    @property
    def number(self) -> float:
        """The score on the scale of the tool."""
        return self.dialect.number(self.score.score)


class Audit(Frozen):
    """What every tool says of a corpus. Made by :func:`audit`.

    Attributes
    ----------
    rows : tuple of AuditRow
        From the highest score to the lowest.
    """

    __slots__ = ("_corpus", "rows")
    _corpus: Corpus
    rows: tuple[AuditRow, ...]

    def __init__(self, corpus: Corpus, rows: tuple[AuditRow, ...]) -> None:
        """Keep text and rows."""
        object.__setattr__(self, "_corpus", corpus)
        object.__setattr__(self, "rows", rows)

    def __getitem__(self, name: str) -> AuditRow:
        """Return the row of a dialect."""
        dialect = named(name)
        return next(row for row in self.rows if row.dialect is dialect)

    def difference(self, one: str, other: str) -> Difference:
        """Explain why two dialects differ on this text.

        Parameters
        ----------
        one, other : str
            Names of dialects.

        Returns
        -------
        Difference

        Raises
        ------
        UnknownNameError
            If there is no such dialect.
        """
        return Difference(self._corpus, self[one], self[other])

    def to_dict(self) -> list[dict[str, Any]]:
        """Return all rows as plain Python values."""
        return [
            {
                "dialect": row.dialect.name,
                "tool": row.dialect.tool,
                "number": row.number,
                "score": row.score.score,
                "signature": row.score.signature,
                "parts": [_plain(part) for part in row.parts],
                "defects": list(row.dialect.defects),
            }
            for row in self.rows
        ]


class Difference(Frozen):
    """Why two dialects differ. Made by :meth:`Audit.difference`.

    Attributes
    ----------
    one, other : AuditRow
    points : float
        Score of `one` minus that of `other`, on the scale of 0 to 100.
    parts : tuple of Part
        What each aspect contributes, the largest first. They add up to `points`: each is the mean
        over all orders in which the settings of `other` could be changed to those of `one`
        (Shapley 1953), so that none has to come first.
    """

    __slots__ = ("one", "other", "parts", "points")
    one: AuditRow
    other: AuditRow
    parts: tuple[Part, ...]
    points: float

    def __init__(self, corpus: Corpus, one: AuditRow, other: AuditRow) -> None:
        """Take the difference apart; see the class."""
        start, end = _settings(other.dialect), _settings(one.dialect)
        parts = _shares(corpus, start, end)
        object.__setattr__(self, "one", one)
        object.__setattr__(self, "other", other)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "points", one.score.score - other.score.score)

    def sentences(self) -> list[str]:
        """Say it in sentences; the printed points add up, too.

        Returns
        -------
        list of str
        """
        one, other = self.one, self.other
        first, second = (f"{row.score.score:.2f}" for row in (one, other))
        gap = round(round(one.score.score, 2) - round(other.score.score, 2), 2)
        verdict = "the same score" if not gap else f"{abs(gap):.2f} {'more' if gap > 0 else 'less'}"
        said = [
            f"{one.dialect.name} gives {_on_scale(one)}{first}, {other.dialect.name} gives "
            f"{_on_scale(other)}{second}: {verdict}."
        ]
        if not self.parts:
            said.append("The two have the same settings.")
        for part, points in zip(self.parts, _rounded(self.parts, gap), strict=True):
            change = f"{part.aspect} {part.now} instead of {part.was}"
            said.append(f"{change}: {decimals(points, '+.2f')}. {part.why}")
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "one": self.one.dialect.name,
            "other": self.other.dialect.name,
            "points": self.points,
            "parts": [_plain(part) for part in self.parts],
            "sentences": self.sentences(),
        }


def audit(
    hypotheses: Iterable[str],
    references: Iterable[Any] | None = None,
    *,
    reference_streams: Iterable[Iterable[str]] | None = None,
    threads: int | None = None,
) -> Audit:
    """Ask what every tool would say of the same text.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.

    Returns
    -------
    Audit
        A row for each dialect, the highest score first.

    Raises
    ------
    LengthMismatchError, EmptyInputError, InputTypeError
        As :meth:`truebleu.Bleu.corpus`.
    """
    corpus = Corpus(hypotheses, references, reference_streams, threads)
    default = _settings(DIALECTS["sacrebleu"])
    base = corpus.score(default)
    rows = []
    for dialect in DIALECTS.values():
        settings = _settings(dialect)
        parts = []
        for aspect in _differing(default, settings):
            alone = corpus.score(_mixed(default, settings, [aspect]))
            parts.append(_part(corpus, aspect, default, settings, alone.score - base.score))
        rows.append(AuditRow(dialect, corpus.score(settings), tuple(parts)))
    # Equal scores stay in the order of the registry.
    return Audit(corpus, tuple(sorted(rows, key=lambda row: -row.score.score)))


def _settings(dialect: Dialect) -> dict[str, Any]:
    """Return all settings of a dialect, as they score a corpus."""
    return {**DEFAULTS, "effective_order": False, **dialect.settings}


def _differing(start: dict[str, Any], end: dict[str, Any]) -> list[str]:
    return [
        aspect
        for aspect, names in ASPECTS.items()
        if any(start[name] != end[name] for name in names)
    ]


def _mixed(start: dict[str, Any], end: dict[str, Any], aspects: Iterable[str]) -> dict[str, Any]:
    """Change the settings of some aspects."""
    return {**start, **{name: end[name] for aspect in aspects for name in ASPECTS[aspect]}}


def _shares(corpus: Corpus, start: dict[str, Any], end: dict[str, Any]) -> tuple[Part, ...]:
    from itertools import combinations
    from math import factorial, fsum

    aspects = _differing(start, end)
    count = len(aspects)
    parts = []
    for aspect in aspects:
        rest = [each for each in aspects if each != aspect]
        steps = []
        for size in range(count):
            weight = factorial(size) * factorial(count - size - 1) / factorial(count)
            for before in combinations(rest, size):
                without = corpus.score(_mixed(start, end, before)).score
                with_it = corpus.score(_mixed(start, end, (*before, aspect))).score
                steps.append(weight * (with_it - without))
        parts.append(_part(corpus, aspect, start, end, fsum(steps)))
    return tuple(sorted(parts, key=lambda part: -abs(part.points)))


def _part(
    corpus: Corpus, aspect: str, start: dict[str, Any], end: dict[str, Any], points: float
) -> Part:
    was, now = (_value(settings, aspect) for settings in (start, end))
    before = corpus.score(start)
    after = corpus.score(_mixed(start, end, [aspect]))
    return Part(aspect, was, now, points, _why(corpus, aspect, before, after, end))


def _value(settings: dict[str, Any], aspect: str) -> str:
    values = [settings[name] for name in ASPECTS[aspect]]
    given = [value for value in values[1:] if value is not None]
    first = values[0]
    name = {True: "yes", False: "no", None: "default"}.get(first, first)
    return f"{name}{given}" if given else str(name)


def _why(
    corpus: Corpus, aspect: str, before: BleuScore, after: BleuScore, end: dict[str, Any]
) -> str:
    """Say what a change does to this text."""
    if aspect == "phantom_ngrams":
        short = _short_segments(corpus, end, len(after.counts))
        return f"Segments that are too short for some order: {short:,}."
    if aspect == "smoothing":
        missing = [str(order) for order, count in enumerate(after.counts, 1) if count == 0]
        if not missing:
            return "Every order has matches."
        return f"Nothing matches of order {', '.join(missing)}."
    more = after.counts[0] - before.counts[0]
    return {
        "tokenizer": f"Tokens of the hypotheses: {after.hyp_len:,} instead of {before.hyp_len:,}.",
        "lowercase": f"Words that match: {abs(more):,} {'more' if more >= 0 else 'fewer'}.",
        "reference_length": f"That length is {after.ref_len:,} instead of {before.ref_len:,}.",
    }.get(aspect, "")


def _short_segments(corpus: Corpus, settings: dict[str, Any], order: int) -> int:
    """Count the hypotheses that have fewer tokens than the highest order."""
    rows = Bleu(**settings).count(corpus.hypotheses, corpus.references, check=None).to_numpy()
    return int((rows[:, 0] < order).sum())


def _rounded(parts: Sequence[Part], total: float) -> list[float]:
    """Round points to hundredths so that they still add up to the rounded total."""
    hundredths = [round(100 * part.points) for part in parts]
    left = round(100 * total) - sum(hundredths)
    step = 1 if left > 0 else -1
    # What was rounded most against the missing direction gives way first.
    errors = [
        (step * (hundredth - 100 * part.points), index)
        for index, (part, hundredth) in enumerate(zip(parts, hundredths, strict=True))
    ]
    for _, index in sorted(errors)[: abs(left)]:
        hundredths[index] += step
    return [hundredth / 100 for hundredth in hundredths]


def _on_scale(row: AuditRow) -> str:
    return "" if row.dialect.scale == 100 else f"{row.number:.4f}, which is "


def _plain(part: Part) -> dict[str, Any]:
    return {name: getattr(part, name) for name in ("aspect", "was", "now", "points", "why")}
