"""One corpus under many settings, and what each aspect of the settings does to its score."""

from __future__ import annotations

from truebleu.display.formatting import decimals
from truebleu.inputs import sequences
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.record import Record

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from truebleu.metrics.bleu.dialects import Dialect
    from truebleu.metrics.bleu.score import BleuScore

    Settings = dict[str, Any]

ASPECTS: dict[str, tuple[str, ...]] = {
    "tokenizer": ("tokenizer",),
    "lowercase": ("lowercase",),
    "smoothing": ("smoothing", "smooth_value"),
    "reference_length": ("reference_length",),
    "phantom_ngrams": ("phantom_ngrams",),
    "orders": ("max_order", "weights"),
    "effective_order": ("effective_order",),
}
"""The aspects of the settings; settings that only make sense together are one aspect."""


class Corpus:
    """A corpus that is scored under many settings; what they share is counted once.

    Parameters
    ----------
    hypotheses, references, reference_streams, threads
        As :meth:`truebleu.Bleu.corpus` takes them; text, not tokens.

    Attributes
    ----------
    hypotheses : list of str
    references : list of list of str or None
        The references of each segment; None stands for a missing one.
    threads : int or None
    """

    def __init__(
        self,
        hypotheses: Iterable[str],
        references: Iterable[Any] | None = None,
        reference_streams: Iterable[Iterable[str]] | None = None,
        threads: int | None = None,
    ) -> None:
        """Read the text; see the class."""
        texts, items = sequences.segments(hypotheses, references, reference_streams)
        self.hypotheses = texts
        self.references = sequences.checked_text(texts, items)
        self.threads = threads
        self._counted: dict[str, BleuScore] = {}

    def score(self, settings: Settings) -> BleuScore:
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
            # Other tokenizers are tried on purpose: only the first one is worth a warning.
            check = None if self._counted else HYPOTHESES
            stats = bleu.count_stats(
                self.hypotheses, self.references, None, self.threads, check=check
            )
            self._counted[bleu.counting_key] = known = bleu.score(stats)
        return known.rescore(bleu)

    def short_segments(self, settings: Settings, order: int) -> int:
        """Count the hypotheses that have fewer tokens than an n-gram of this order."""
        bleu = Bleu(**settings)
        stats = bleu.count_stats(self.hypotheses, self.references, None, self.threads)
        lengths = stats.to_numpy()[:, stats.fields.index("hyp_len")]
        return int((lengths < order).sum())


class AuditPart(Record):
    """What one aspect of the settings contributes to a difference.

    Attributes
    ----------
    aspect : str
        A key of :data:`ASPECTS`.
    was, now : str
        The settings before and after the change.
    points : float
        The change of the score, on the scale of 0 to 100.
    why : str
        What the change does to this text, in a few words.
    """

    __module__ = "truebleu"

    __slots__ = ("aspect", "now", "points", "was", "why")
    aspect: str
    was: str
    now: str
    points: float
    why: str

    def __repr__(self) -> str:
        """Write it as a change."""
        return f"<{self.aspect} {self.was} -> {self.now}: {decimals(self.points, '+.2f')}>"


def settings_of(dialect: Dialect) -> Settings:
    """Return all settings of a dialect, as they score a corpus."""
    return {**DEFAULTS, "effective_order": False, **dialect.settings}


def differing(start: Settings, end: Settings) -> list[str]:
    """List the aspects in which settings differ."""
    return [
        aspect
        for aspect, names in ASPECTS.items()
        if any(start[name] != end[name] for name in names)
    ]


def changed(start: Settings, end: Settings, aspects: Iterable[str]) -> Settings:
    """Change some aspects of the settings `start` to those of `end`."""
    return {**start, **{name: end[name] for aspect in aspects for name in ASPECTS[aspect]}}


def part_of(
    corpus: Corpus, aspect: str, start: Settings, end: Settings, points: float
) -> AuditPart:
    """Describe what it does to a corpus to change one aspect."""
    before = corpus.score(start)
    after = corpus.score(changed(start, end, [aspect]))
    return AuditPart(
        aspect=aspect,
        was=_value(start, aspect),
        now=_value(end, aspect),
        points=points,
        why=_why(corpus, aspect, before, after, end),
    )


def _value(settings: Settings, aspect: str) -> str:
    """Write the settings of an aspect."""
    first, *rest = (settings[name] for name in ASPECTS[aspect])
    given = [value for value in rest if value is not None]
    name = {True: "yes", False: "no", None: "default"}.get(first, first)
    return f"{name}{given}" if given else str(name)


def _why(corpus: Corpus, aspect: str, before: BleuScore, after: BleuScore, end: Settings) -> str:
    """Say what a change does to this text."""
    if aspect == "phantom_ngrams":
        short = corpus.short_segments(end, len(after.counts))
        return f"Segments that are too short for some order: {short:,}."
    if aspect == "smoothing":
        missing = [str(order) for order, count in enumerate(after.counts, 1) if count == 0]
        if not missing:
            return "Every order has matches."
        return f"No matches of order {', '.join(missing)}."
    more = after.counts[0] - before.counts[0]
    return {
        "tokenizer": f"Tokens of the hypotheses: {after.hyp_len:,} instead of {before.hyp_len:,}.",
        "lowercase": f"Words that match: {abs(more):,} {'more' if more >= 0 else 'fewer'}.",
        "reference_length": f"That length is {after.ref_len:,} instead of {before.ref_len:,}.",
    }.get(aspect, "")
