"""A corpus under many settings of BLEU."""

from __future__ import annotations

from truebleu.analysis.dialects.corpus import Corpus
from truebleu.inputs.checks import HYPOTHESES
from truebleu.metrics.bleu.settings import DEFAULTS
from truebleu.metrics.registry import METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.bleu.score import BleuScore

    Settings = dict[str, Any]


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
            stats = bleu.count_stats(
                self.hypotheses, self.references, None, self.threads, check=check
            )
            counted[bleu.counting_key] = known = bleu.score(stats)
        return known.rescore(bleu)

    def why(self, aspect: str, start: Settings, end: Settings) -> str:
        """Say what a change does to this text."""
        before, after = self.score(start), self.score(end)
        if aspect == "phantom_ngrams":
            short = self._count_short(end, len(after.counts))
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

    def _count_short(self, settings: Settings, order: int) -> int:
        """Count the hypotheses that have fewer tokens than an n-gram of this order."""
        bleu: Bleu = METRICS[self.metric](**settings)
        stats = bleu.count_stats(self.hypotheses, self.references, None, self.threads)
        lengths = stats.to_numpy()[:, stats.fields.index("hyp_len")]
        return int((lengths < order).sum())
