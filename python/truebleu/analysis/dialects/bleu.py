"""A corpus under many settings of BLEU, and all those that a published number may come from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from truebleu._core import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS
from truebleu.analysis.dialects.corpus import Corpus
from truebleu.errors import InputTypeError, SettingsError
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.registry import METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import ClassVar

    from truebleu.analysis.dialects.corpus import Scored, Settings, Subset
    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.bleu.score import BleuScore

    # The statistics of a corpus, by the names of their fields.
    Counts = dict[str, int]

_ORDERS = (4, 1, 2, 3)

# Of those that give the same number, the first is shown. The last three of NLTK's are only defined
# for single segments.
_SMOOTHINGS = (
    "exp",
    "none",
    *(name for name in SMOOTHINGS if name not in ("exp", "none", "method5", "method6", "method7")),
)


class BleuCorpus(Corpus):
    """A corpus that is scored under many settings of BLEU; what they share is counted once."""

    metric = "bleu"
    title = "BLEU"
    defaults: ClassVar[Settings] = {**DEFAULTS, "effective_order": False}
    aspects: ClassVar[dict[str, tuple[str, ...]]] = {
        "tokenizer": ("tokenizer",),
        "lowercase": ("lowercase",),
        "smoothing": ("smoothing", "smooth_value"),
        "reference_length": ("reference_length",),
        "phantom_ngrams": ("phantom_ngrams",),
        "orders": ("max_order", "weights"),
        "effective_order": ("effective_order",),
    }

    def value(self, settings: Settings) -> float:
        """Return the score of the corpus."""
        return self.score(settings).score

    def score(self, settings: Settings) -> BleuScore:
        """Score the corpus; `settings` are keyword arguments of :class:`truebleu.Bleu`."""
        bleu: Bleu = METRICS[self.metric](**settings)
        counted: dict[str, BleuScore] = self._known
        known = counted.get(bleu.counting_key)
        if known is None:
            # Other tokenizers are tried on purpose: only the first one is worth a warning.
            check = None if counted else HYPOTHESES
            stats = bleu._count_stats(
                self.hypotheses, self.references, None, self.threads, check=check
            )
            counted[bleu.counting_key] = known = bleu.score(stats)
        return known.rescore(bleu)

    def why(self, aspect: str, start: Settings, end: Settings) -> str:
        """Say what a change does to this text."""
        before, after = self.score(start), self.score(end)
        if aspect == "phantom_ngrams":
            bleu: Bleu = METRICS[self.metric](**end)
            stats = bleu._count_stats(self.hypotheses, self.references, None, self.threads)
            lengths = stats.to_numpy()[:, stats.fields.index("hyp_len")]
            short = int((lengths < len(after.counts)).sum())
            return f"Segments that are too short for some order: {short:,}."
        if aspect == "smoothing":
            missing = [str(order) for order, count in enumerate(after.counts, 1) if count == 0]
            if not missing:
                return "Every order has matches."
            return f"No matches of order {', '.join(missing)}."
        more = after.counts[0] - before.counts[0]
        hyps = f"{after.hyp_len:,} instead of {before.hyp_len:,}"
        return {
            "tokenizer": f"Tokens of the hypotheses: {hyps}.",
            "lowercase": f"Words that match: {abs(more):,} {'more' if more >= 0 else 'fewer'}.",
            "reference_length": f"That length is {after.ref_len:,} instead of {before.ref_len:,}.",
        }.get(aspect, "")

    def score_all(self, tokenizers: Sequence[str] | None) -> Iterator[Scored]:
        """Score the corpus under all settings; `tokenizers` are by default all of the core."""
        if isinstance(tokenizers, str) or not isinstance(tokenizers, Iterable | None):
            given = repr(tokenizers) if isinstance(tokenizers, str) else type(tokenizers).__name__
            raise InputTypeError(f"tokenizers is {given}; a list of their names is needed")
        names = list(TOKENIZERS) if tokenizers is None else list(tokenizers)
        if not names:
            raise SettingsError(
                "tokenizers is empty; name at least one, or leave it out to try all"
            )
        for counting, subset, counts in _counted(self, names):
            for scoring, score in _scored(counts):
                yield {**counting, **scoring}, subset, score


def _counted(
    corpus: BleuCorpus, tokenizers: Sequence[str]
) -> Iterator[tuple[Settings, Subset, dict[bool, Counts]]]:
    """Count under all settings that matter for counting, without and with phantom n-grams."""
    for subset in corpus.subsets():
        references = corpus.references
        if subset:
            references = [[several[index] for index in subset] for several in references]
        rules = ("closest",) if len(subset) == 1 else REFERENCE_LENGTHS
        for tokenizer in tokenizers:
            for lowercase in (False, True):
                for rule in rules:
                    settings: Settings = {
                        "tokenizer": tokenizer,
                        "lowercase": lowercase,
                        "reference_length": rule,
                    }
                    stats = METRICS[corpus.metric](**settings)._count_stats(
                        corpus.hypotheses, references, None, corpus.threads
                    )
                    total = dict(zip(stats.fields, stats.sum().to_numpy()[0].tolist(), strict=True))
                    # A segment without n-grams of an order has one that does not match.
                    missing = (stats.to_numpy() == 0).sum(axis=0).tolist()
                    with_phantoms = {
                        name: count + zeros * name.startswith("total_")
                        for (name, count), zeros in zip(total.items(), missing, strict=True)
                    }
                    counts = {False: total}
                    if with_phantoms != total:
                        counts[True] = with_phantoms
                    yield _changes(settings), subset, counts


def _scored(counts: dict[bool, Counts]) -> Iterator[tuple[Settings, float]]:
    """Score counts under all settings that matter for scoring alone."""
    import struct

    for phantom, total in counts.items():
        for order in _ORDERS:
            for smoothing in _SMOOTHINGS:
                bleu = _scorer(smoothing, order)
                row = struct.pack(f"<{bleu._row_width}q", *(total[name] for name in bleu.fields))
                settings = {
                    "smoothing": smoothing,
                    "max_order": order,
                    "phantom_ngrams": phantom,
                }
                yield _changes(settings), bleu._row_value(row)


@cache
def _scorer(smoothing: str, order: int) -> Bleu:
    """Return a Bleu that scores counts; they are few, and each is used often."""
    bleu: Bleu = METRICS["bleu"](tokenizer="none", smoothing=smoothing, max_order=order)
    return bleu


_USUAL = {**BleuCorpus.defaults, "max_order": 4}


def _changes(settings: Settings) -> Settings:
    return {name: value for name, value in settings.items() if _USUAL[name] != value}
