"""sacreBLEU's functions, which score a corpus or a sentence in one call."""

from __future__ import annotations

from functools import lru_cache

from truebleu.compat.sacrebleu.metrics.bleu import BLEU
from truebleu.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore, sentence_context
from truebleu.compat.sacrebleu.metrics.score import BLEUScore
from truebleu.compat.sacrebleu.metrics.ter import SENTENCE_CONTEXT, TER, TERScore
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.shortcut import scored_in_core
from truebleu.metrics.ter.metric import Ter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "CHRFScore",
    "TERScore",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
    *,
    strict: bool = True,
) -> BLEUScore:
    """Score a corpus; the settings are those of :class:`BLEU`, and references are streams."""
    settings = (lowercase, force, tokenize, smooth_method, smooth_value)
    metric = BLEU(*settings, effective_order=use_effective_order, strict=strict)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
    *,
    strict: bool = True,
) -> BLEUScore:
    """Score a tokenized corpus: split at whitespace, smoothing ``floor``, effective order."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
        strict=strict,
    )


@lru_cache(64)
def _sentence_metric(
    smooth_method: str,
    smooth_value: float | None,
    lowercase: bool,
    tokenize: str,
    use_effective_order: bool,
) -> BLEU:
    settings = (lowercase, False, tokenize, smooth_method, smooth_value)
    return BLEU(*settings, effective_order=use_effective_order)


_DEFAULT = _sentence_metric("exp", None, False, BLEU.TOKENIZER_DEFAULT, True)


@scored_in_core(_DEFAULT.engine(), _DEFAULT.score_context, sacrebleu=True)
def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Score a sentence; the settings are those of :class:`BLEU`."""
    settings = (smooth_method, smooth_value, lowercase, tokenize, use_effective_order)
    try:
        metric = _sentence_metric(*settings)
    except TypeError:  # A list, say, cannot be looked up, but sacreBLEU takes it as true or false.
        metric = _sentence_metric.__wrapped__(*settings)
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
    *,
    strict: bool = True,
) -> CHRFScore:
    """Score a corpus; the settings are those of :class:`CHRF`, and references are streams."""
    metric = CHRF(
        char_order,
        word_order,
        beta,
        whitespace=not remove_whitespace,
        eps_smoothing=eps_smoothing,
        strict=strict,
    )
    return metric.corpus_score(hypotheses, references)


@scored_in_core(
    Chrf().core, sentence_context(CHRF.CHAR_ORDER, CHRF.WORD_ORDER, CHRF.BETA), sacrebleu=True
)
def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Score a sentence; the settings are those of :class:`CHRF`."""
    whitespace = not remove_whitespace
    metric = CHRF(char_order, word_order, beta, False, whitespace, eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    *,
    strict: bool = True,
) -> TERScore:
    """Score a corpus; the settings are those of :class:`TER`, and references are streams."""
    metric = TER(normalized, no_punct, asian_support, case_sensitive, strict=strict)
    return metric.corpus_score(hypotheses, references)


@scored_in_core(Ter().core, SENTENCE_CONTEXT, sacrebleu=True)
def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score a sentence; the settings are those of :class:`TER`."""
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.sentence_score(hypothesis, references)
