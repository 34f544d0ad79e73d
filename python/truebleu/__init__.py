"""BLEU, exact, explained, and faster than counting the words.

>>> import truebleu
>>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
>>> references = ["The cat sat on a mat.", "It rained the whole day."]
>>> print(truebleu.corpus_bleu(hypotheses, references))
BLEU = 34.95 83.3/60.0/25.0/16.7 (BP = 0.920 ratio = 0.923 hyp_len = 12 ref_len = 13)
"""

from truebleu._core import __version__
from truebleu.bleu import Bleu
from truebleu.dialects import DIALECTS, Dialect
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
from truebleu.functions import BleuAccumulator, corpus_bleu, sentence_bleu, tokenize
from truebleu.ragged import Ragged
from truebleu.score import BleuScore
from truebleu.signature import assert_comparable
from truebleu.stats import BleuStats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.auditing import Audit, audit
    from truebleu.comparison import Comparison, Interval
    from truebleu.decoding import BestOf, Choice, best_of, mbr, rerank
    from truebleu.diversity import SelfBleu, self_bleu
    from truebleu.explanation import CorpusExplanation, SegmentExplanation, explain
    from truebleu.matrix import pairwise, pairwise_blocks
    from truebleu.reporting import Report, report
    from truebleu.reproduction import Reproduction, reproduce
    from truebleu.rewards import token_rewards
    from truebleu.significance import compare, confidence_interval

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
    "Audit": "auditing",
    "audit": "auditing",
    "Comparison": "comparison",
    "Interval": "comparison",
    "BestOf": "decoding",
    "Choice": "decoding",
    "best_of": "decoding",
    "mbr": "decoding",
    "rerank": "decoding",
    "SelfBleu": "diversity",
    "self_bleu": "diversity",
    "pairwise": "matrix",
    "pairwise_blocks": "matrix",
    "token_rewards": "rewards",
    "CorpusExplanation": "explanation",
    "SegmentExplanation": "explanation",
    "explain": "explanation",
    "Report": "reporting",
    "report": "reporting",
    "Reproduction": "reproduction",
    "reproduce": "reproduction",
    "compare": "significance",
    "confidence_interval": "significance",
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
