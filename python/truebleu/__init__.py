"""BLEU, exact, explained, and faster than counting the words.

>>> import truebleu
>>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
>>> references = ["The cat sat on a mat.", "It rained the whole day."]
>>> print(truebleu.corpus_bleu(hypotheses, references))
BLEU = 34.95 83.3/60.0/25.0/16.7 (BP = 0.920 ratio = 0.923 hyp_len = 12 ref_len = 13)
"""

from truebleu._core import __version__
from truebleu.errors import (
    EmptyInputError,
    EncodingError,
    FewUnitsWarning,
    InputError,
    InputTypeError,
    LengthMismatchError,
    MissingExtraError,
    ModelError,
    SettingsError,
    SettingsWarning,
    StatsMismatchError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.accumulator import BleuAccumulator
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.dialects import DIALECTS, Dialect
from truebleu.metrics.functions import corpus_bleu, sentence_bleu, tokenize
from truebleu.metrics.score import BleuScore
from truebleu.metrics.signature import assert_comparable
from truebleu.metrics.stats import BleuStats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.analysis.audit import Audit, audit
    from truebleu.analysis.explain import explain
    from truebleu.analysis.explain_corpus import CorpusExplanation
    from truebleu.analysis.explain_segment import SegmentExplanation
    from truebleu.analysis.reproduce import Reproduction, reproduce
    from truebleu.generation.decoding import BestOf, Choice, best_of, mbr, rerank
    from truebleu.generation.pairwise import pairwise, pairwise_blocks
    from truebleu.generation.rewards import token_rewards
    from truebleu.generation.self_bleu import SelfBleu, self_bleu
    from truebleu.reporting import Report, report
    from truebleu.significance.compare import compare, confidence_interval
    from truebleu.significance.results import Comparison, Interval

__all__ = [
    "DIALECTS",
    "Audit",
    "BestOf",
    "Bleu",
    "BleuAccumulator",
    "BleuScore",
    "BleuStats",
    "Choice",
    "Comparison",
    "CorpusExplanation",
    "Dialect",
    "EmptyInputError",
    "EncodingError",
    "FewUnitsWarning",
    "InputError",
    "InputTypeError",
    "Interval",
    "LengthMismatchError",
    "MissingExtraError",
    "ModelError",
    "Ragged",
    "Report",
    "Reproduction",
    "SegmentExplanation",
    "SelfBleu",
    "SettingsError",
    "SettingsWarning",
    "StatsMismatchError",
    "TruebleuError",
    "UnknownNameError",
    "__version__",
    "assert_comparable",
    "audit",
    "best_of",
    "compare",
    "confidence_interval",
    "corpus_bleu",
    "explain",
    "mbr",
    "pairwise",
    "pairwise_blocks",
    "report",
    "reproduce",
    "rerank",
    "self_bleu",
    "sentence_bleu",
    "token_rewards",
    "tokenize",
]

# Loaded on first use, because most programs need none of it.
_LATER = {
    "Audit": "analysis.audit",
    "audit": "analysis.audit",
    "explain": "analysis.explain",
    "CorpusExplanation": "analysis.explain_corpus",
    "SegmentExplanation": "analysis.explain_segment",
    "Reproduction": "analysis.reproduce",
    "reproduce": "analysis.reproduce",
    "BestOf": "generation.decoding",
    "Choice": "generation.decoding",
    "best_of": "generation.decoding",
    "mbr": "generation.decoding",
    "rerank": "generation.decoding",
    "pairwise": "generation.pairwise",
    "pairwise_blocks": "generation.pairwise",
    "token_rewards": "generation.rewards",
    "SelfBleu": "generation.self_bleu",
    "self_bleu": "generation.self_bleu",
    "Report": "reporting",
    "report": "reporting",
    "compare": "significance.compare",
    "confidence_interval": "significance.compare",
    "Comparison": "significance.results",
    "Interval": "significance.results",
}


def __getattr__(name: str) -> object:
    """Load what has not been used yet."""
    if name not in _LATER:
        raise AttributeError(f"module 'truebleu' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"truebleu.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
