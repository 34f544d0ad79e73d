"""Exact, explainable and fast BLEU.

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
    InputError,
    InputTypeError,
    LengthMismatchError,
    MissingExtraError,
    ModelError,
    SettingsError,
    SettingsWarning,
    SmallSampleWarning,
    StatsMismatchError,
    TruebleuError,
    UnknownNameError,
)
from truebleu.inputs.ragged import Ragged
from truebleu.metrics.accumulator import Accumulator
from truebleu.metrics.base import Metric
from truebleu.metrics.bleu.dialects import DIALECTS, Dialect
from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.bleu.score import BleuScore
from truebleu.metrics.bleu.signature import assert_comparable
from truebleu.metrics.bleu.stats import BleuStats
from truebleu.metrics.functions import corpus_bleu, sentence_bleu, tokenize
from truebleu.metrics.score import Score
from truebleu.metrics.stats import Stats
from truebleu.tokenizers.sentencepiece import SentencePiece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.analysis.aspects import AuditPart
    from truebleu.analysis.audit import Audit, AuditDifference, AuditRow, audit
    from truebleu.analysis.explain import explain
    from truebleu.analysis.explain_corpus import CorpusExplanation, Cost
    from truebleu.analysis.explain_segment import NgramCount, SegmentExplanation
    from truebleu.analysis.reproduce import Candidate, Reproduction, reproduce
    from truebleu.generation.decoding import Choice, mbr
    from truebleu.generation.nbest import BestOf, best_of, rerank
    from truebleu.generation.pairwise import pairwise, pairwise_blocks
    from truebleu.generation.rewards import token_rewards
    from truebleu.generation.self_bleu import SelfBleu, self_bleu
    from truebleu.reporting import Report, report
    from truebleu.significance.compare import compare, confidence_interval
    from truebleu.significance.interval import Interval
    from truebleu.significance.planning import sample_size
    from truebleu.significance.results import ComparedSystem, Comparison, Pair

__all__ = [
    "DIALECTS",
    "Accumulator",
    "Audit",
    "AuditDifference",
    "AuditPart",
    "AuditRow",
    "BestOf",
    "Bleu",
    "BleuScore",
    "BleuStats",
    "Candidate",
    "Choice",
    "ComparedSystem",
    "Comparison",
    "CorpusExplanation",
    "Cost",
    "Dialect",
    "EmptyInputError",
    "EncodingError",
    "InputError",
    "InputTypeError",
    "Interval",
    "LengthMismatchError",
    "Metric",
    "MissingExtraError",
    "ModelError",
    "NgramCount",
    "Pair",
    "Ragged",
    "Report",
    "Reproduction",
    "Score",
    "SegmentExplanation",
    "SelfBleu",
    "SentencePiece",
    "SettingsError",
    "SettingsWarning",
    "SmallSampleWarning",
    "Stats",
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
    "sample_size",
    "self_bleu",
    "sentence_bleu",
    "token_rewards",
    "tokenize",
]

# Imported on first use, because most programs need none of these.
_LAZY = {
    "AuditPart": "analysis.aspects",
    "Audit": "analysis.audit",
    "AuditDifference": "analysis.audit",
    "AuditRow": "analysis.audit",
    "audit": "analysis.audit",
    "explain": "analysis.explain",
    "CorpusExplanation": "analysis.explain_corpus",
    "Cost": "analysis.explain_corpus",
    "NgramCount": "analysis.explain_segment",
    "SegmentExplanation": "analysis.explain_segment",
    "Candidate": "analysis.reproduce",
    "Reproduction": "analysis.reproduce",
    "reproduce": "analysis.reproduce",
    "BestOf": "generation.nbest",
    "Choice": "generation.decoding",
    "best_of": "generation.nbest",
    "mbr": "generation.decoding",
    "rerank": "generation.nbest",
    "pairwise": "generation.pairwise",
    "pairwise_blocks": "generation.pairwise",
    "token_rewards": "generation.rewards",
    "SelfBleu": "generation.self_bleu",
    "self_bleu": "generation.self_bleu",
    "Report": "reporting",
    "report": "reporting",
    "compare": "significance.compare",
    "confidence_interval": "significance.compare",
    "sample_size": "significance.planning",
    "ComparedSystem": "significance.results",
    "Comparison": "significance.results",
    "Interval": "significance.interval",
    "Pair": "significance.results",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _LAZY:
        raise AttributeError(f"module 'truebleu' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"truebleu.{_LAZY[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
