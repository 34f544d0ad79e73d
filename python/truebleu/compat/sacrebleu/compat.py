"""sacreBLEU's functions, which score a corpus or a sentence in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from truebleu.compat.sacrebleu.metrics.base import Metric, ScoreT
from truebleu.compat.sacrebleu.metrics.bleu import BLEU as BLEU
from truebleu.compat.sacrebleu.metrics.chrf import CHRF as CHRF
from truebleu.compat.sacrebleu.metrics.chrf import CHRFScore as CHRFScore
from truebleu.compat.sacrebleu.metrics.chrf import sentence_context
from truebleu.compat.sacrebleu.metrics.score import BLEUScore as BLEUScore
from truebleu.compat.sacrebleu.metrics.ter import SENTENCE_CONTEXT
from truebleu.compat.sacrebleu.metrics.ter import TER as TER
from truebleu.compat.sacrebleu.metrics.ter import TERScore as TERScore
from truebleu.compat.watched import marks, watch
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.ter.metric import Ter


def _scored(
    make: Callable[..., Metric[ScoreT]],
    settings: tuple[Any, ...],
    strict: bool | None,
    *corpus: Any,
) -> ScoreT:
    # sacreBLEU's metrics, or one in their place, do not have this setting.
    strictness = {} if strict is None else {"strict": strict}
    return make(*settings, **strictness).corpus_score(*corpus)


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
    strict: bool | None = None,
) -> BLEUScore:
    """Score a corpus; the settings are those of :class:`BLEU`, and references are streams."""
    settings = smooth_method, smooth_value, lowercase, tokenize, use_effective_order, force
    return _scored(_make_bleu, settings, strict, hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
    *,
    strict: bool | None = None,
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


def _once(create: Callable[..., Any]) -> Callable[..., Any]:
    """Create only one metric for the same settings."""
    cached = lru_cache(64, typed=True)(create)

    def metric(*settings: Any) -> Any:
        if marks:  # Anything of a metric may differ from that of an earlier one.
            return create(*settings)
        try:
            return cached(*settings)
        except TypeError:  # A list, say, cannot be looked up, but sacreBLEU takes it as true.
            return create(*settings)

    return metric


def _maker(kind: str, *names: str) -> Callable[..., Any]:
    """Return what creates a metric by a class that is looked up: programs replace it."""

    def make(*settings: Any, **more: Any) -> Any:
        return globals()[kind](**dict(zip(names, settings, strict=True)), **more)

    return make


_make_bleu: Callable[..., BLEU] = _maker(
    *("BLEU", "smooth_method", "smooth_value", "lowercase", "tokenize", "effective_order", "force")
)
_make_chrf: Callable[..., CHRF] = _maker(
    "CHRF", "char_order", "word_order", "beta", "whitespace", "eps_smoothing"
)
_make_ter: Callable[..., TER] = _maker(
    "TER", "normalized", "no_punct", "asian_support", "case_sensitive"
)
_bleu: Callable[..., BLEU] = _once(_make_bleu)
_chrf: Callable[..., CHRF] = _once(_make_chrf)
_ter: Callable[..., TER] = _once(_make_ter)

# Sentences under default settings are scored past the metrics, which takes half the time.
_BLEU_DEFAULTS = "exp", None, False, BLEU.TOKENIZER_DEFAULT, True, False
_CHRF_DEFAULTS = CHRF.CHAR_ORDER, CHRF.WORD_ORDER, CHRF.BETA, False, False
_BLEU = BLEU(effective_order=True)
_BLEU_CONTEXT = _BLEU.score_context
_CHRF_CONTEXT = sentence_context(*_CHRF_DEFAULTS[:3])
_score_bleu = _BLEU._bleu._core.sacrebleu_sentence
_score_chrf = Chrf()._core.sacrebleu_sentence
_score_ter = Ter()._core.sacrebleu_sentence


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
    settings = smooth_method, smooth_value, lowercase, tokenize, use_effective_order, False
    if settings == _BLEU_DEFAULTS and not marks:
        score: BLEUScore | None = _score_bleu(_BLEU_CONTEXT, hypothesis, references)
        if score is not None:
            return score
    return _bleu(*settings).sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
    *,
    strict: bool | None = None,
) -> CHRFScore:
    """Score a corpus; the settings are those of :class:`CHRF`, and references are streams."""
    settings = char_order, word_order, beta, not remove_whitespace, eps_smoothing
    return _scored(_make_chrf, settings, strict, hypotheses, references)


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
    settings = char_order, word_order, beta, not remove_whitespace, eps_smoothing
    # 2 and 2.0 are different betas in the name of the score.
    if settings == _CHRF_DEFAULTS and type(beta) is type(char_order) is int and not marks:
        score: CHRFScore | None = _score_chrf(_CHRF_CONTEXT, hypothesis, references)
        if score is not None:
            return score
    return _chrf(*settings).sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    *,
    strict: bool | None = None,
) -> TERScore:
    """Score a corpus; the settings are those of :class:`TER`, and references are streams."""
    settings = normalized, no_punct, asian_support, case_sensitive
    return _scored(_make_ter, settings, strict, hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """Score a sentence; the settings are those of :class:`TER`."""
    settings = normalized, no_punct, asian_support, case_sensitive
    if not any(settings) and not marks:
        score: TERScore | None = _score_ter(SENTENCE_CONTEXT, hypothesis, references)
        if score is not None:
            return score
    return _ter(*settings).sentence_score(hypothesis, references)


watch(__name__)
