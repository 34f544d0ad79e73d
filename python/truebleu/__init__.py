"""Exact, explainable and fast BLEU, chrF and TER.

>>> import truebleu
>>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
>>> references = ["The cat sat on a mat.", "It rained the whole day."]
>>> print(truebleu.corpus_bleu(hypotheses, references))
BLEU = 34.95 83.3/60.0/25.0/16.7 (BP = 0.920 ratio = 0.923 hyp_len = 12 ref_len = 13)
"""

from truebleu._core import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu import testing as testing
    from truebleu.analysis.audit import Audit, AuditDifference, AuditRow, audit
    from truebleu.analysis.correlation import Correlation
    from truebleu.analysis.decompose import Decomposition, DifferencePart, decompose
    from truebleu.analysis.definitions import (
        brevity_penalty,
        clipped_counts,
        clipped_precision,
        closest_reference_length,
        geometric_mean,
        ngram_counts,
    )
    from truebleu.analysis.dialects.corpus import AuditPart
    from truebleu.analysis.explain import explain
    from truebleu.analysis.explanation.bleu_corpus import CorpusExplanation, Cost
    from truebleu.analysis.explanation.bleu_segment import NgramCount, SegmentExplanation
    from truebleu.analysis.explanation.chrf_corpus import ChrfCorpusExplanation, ChrfCost
    from truebleu.analysis.explanation.chrf_formula import ChrfOrder
    from truebleu.analysis.explanation.chrf_segment import (
        ChrfNgram,
        ChrfSegmentExplanation,
        ChrfSpan,
    )
    from truebleu.analysis.explanation.ter_corpus import TerCorpusExplanation, TerCost
    from truebleu.analysis.explanation.ter_segment import TerSegmentExplanation
    from truebleu.analysis.explanation.ter_steps import TerEdit, TerShift
    from truebleu.analysis.reproduce import Candidate, Reproduction, reproduce
    from truebleu.errors import (
        AttributeNameError,
        DownloadError,
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
    from truebleu.generation.decoding import Choice, mbr
    from truebleu.generation.nbest import BestOf, best_of, rerank
    from truebleu.generation.pairwise import pairwise, pairwise_blocks
    from truebleu.generation.rewards import token_rewards
    from truebleu.generation.self_bleu import SelfBleu, self_bleu
    from truebleu.inputs.lines import read_lines
    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.accumulator import (
        Accumulator,
        BleuAccumulator,
        ChrfAccumulator,
        TerAccumulator,
    )
    from truebleu.metrics.base import Metric
    from truebleu.metrics.bleu.dialects import DIALECTS
    from truebleu.metrics.bleu.metric import Bleu
    from truebleu.metrics.bleu.score import BleuScore
    from truebleu.metrics.bleu.stats import BleuStats
    from truebleu.metrics.chrf.dialects import CHRF_DIALECTS
    from truebleu.metrics.chrf.metric import Chrf
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.comparable import assert_comparable
    from truebleu.metrics.dialect import Dialect
    from truebleu.metrics.functions import (
        corpus_bleu,
        corpus_chrf,
        corpus_ter,
        sentence_bleu,
        sentence_chrf,
        sentence_ter,
        tokenize,
    )
    from truebleu.metrics.score import Score
    from truebleu.metrics.segment_scores import AverageScore, SegmentScores
    from truebleu.metrics.stats import Stats
    from truebleu.metrics.ter.metric import Ter
    from truebleu.metrics.ter.score import TerScore
    from truebleu.reporting import Report, Reports, report
    from truebleu.reporting.plots import plot
    from truebleu.significance.compare import compare, confidence_interval
    from truebleu.significance.comparisons import Comparisons, Disagreement
    from truebleu.significance.pair import Interval, Pair
    from truebleu.significance.planning import sample_size
    from truebleu.significance.results import ComparedSystem, Comparison
    from truebleu.test_sets.loading import TestSet, load_test_set
    from truebleu.test_sets.score_files import read_segment_scores
    from truebleu.tokenizers.sentencepiece import SentencePiece

__all__ = [
    "CHRF_DIALECTS",
    "DIALECTS",
    "Accumulator",
    "AttributeNameError",
    "Audit",
    "AuditDifference",
    "AuditPart",
    "AuditRow",
    "AverageScore",
    "BestOf",
    "Bleu",
    "BleuAccumulator",
    "BleuScore",
    "BleuStats",
    "Candidate",
    "Choice",
    "Chrf",
    "ChrfAccumulator",
    "ChrfCorpusExplanation",
    "ChrfCost",
    "ChrfNgram",
    "ChrfOrder",
    "ChrfScore",
    "ChrfSegmentExplanation",
    "ChrfSpan",
    "ComparedSystem",
    "Comparison",
    "Comparisons",
    "CorpusExplanation",
    "Correlation",
    "Cost",
    "Decomposition",
    "Dialect",
    "DifferencePart",
    "Disagreement",
    "DownloadError",
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
    "Reports",
    "Reproduction",
    "Score",
    "SegmentExplanation",
    "SegmentScores",
    "SelfBleu",
    "SentencePiece",
    "SettingsError",
    "SettingsWarning",
    "SmallSampleWarning",
    "Stats",
    "StatsMismatchError",
    "Ter",
    "TerAccumulator",
    "TerCorpusExplanation",
    "TerCost",
    "TerEdit",
    "TerScore",
    "TerSegmentExplanation",
    "TerShift",
    "TestSet",
    "TruebleuError",
    "UnknownNameError",
    "__version__",
    "assert_comparable",
    "audit",
    "best_of",
    "brevity_penalty",
    "clipped_counts",
    "clipped_precision",
    "closest_reference_length",
    "compare",
    "confidence_interval",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "decompose",
    "explain",
    "geometric_mean",
    "load_test_set",
    "mbr",
    "ngram_counts",
    "pairwise",
    "pairwise_blocks",
    "plot",
    "read_lines",
    "read_segment_scores",
    "report",
    "reproduce",
    "rerank",
    "sample_size",
    "self_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "token_rewards",
    "tokenize",
]

# Each module is imported when one of its public names is first used.
_NAMES = {
    "analysis.audit": ["Audit", "AuditDifference", "AuditRow", "audit"],
    "analysis.correlation": ["Correlation"],
    "analysis.definitions": [
        "brevity_penalty",
        "clipped_counts",
        "clipped_precision",
        "closest_reference_length",
        "geometric_mean",
        "ngram_counts",
    ],
    "analysis.decompose": ["Decomposition", "DifferencePart", "decompose"],
    "analysis.dialects.corpus": ["AuditPart"],
    "analysis.explain": ["explain"],
    "analysis.explanation.bleu_corpus": ["CorpusExplanation", "Cost"],
    "analysis.explanation.bleu_segment": ["NgramCount", "SegmentExplanation"],
    "analysis.explanation.chrf_corpus": ["ChrfCorpusExplanation", "ChrfCost"],
    "analysis.explanation.chrf_formula": ["ChrfOrder"],
    "analysis.explanation.chrf_segment": ["ChrfNgram", "ChrfSegmentExplanation", "ChrfSpan"],
    "analysis.explanation.ter_corpus": ["TerCorpusExplanation", "TerCost"],
    "analysis.explanation.ter_segment": ["TerSegmentExplanation"],
    "analysis.explanation.ter_steps": ["TerEdit", "TerShift"],
    "analysis.reproduce": ["Candidate", "Reproduction", "reproduce"],
    "errors": [
        "AttributeNameError",
        "DownloadError",
        "EmptyInputError",
        "EncodingError",
        "InputError",
        "InputTypeError",
        "LengthMismatchError",
        "MissingExtraError",
        "ModelError",
        "SettingsError",
        "SettingsWarning",
        "SmallSampleWarning",
        "StatsMismatchError",
        "TruebleuError",
        "UnknownNameError",
    ],
    "generation.decoding": ["Choice", "mbr"],
    "generation.nbest": ["BestOf", "best_of", "rerank"],
    "generation.pairwise": ["pairwise", "pairwise_blocks"],
    "generation.rewards": ["token_rewards"],
    "generation.self_bleu": ["SelfBleu", "self_bleu"],
    "inputs.lines": ["read_lines"],
    "inputs.ragged": ["Ragged"],
    "metrics.accumulator": [
        "Accumulator",
        "BleuAccumulator",
        "ChrfAccumulator",
        "TerAccumulator",
    ],
    "metrics.base": ["Metric"],
    "metrics.bleu.dialects": ["DIALECTS"],
    "metrics.bleu.metric": ["Bleu"],
    "metrics.bleu.score": ["BleuScore"],
    "metrics.comparable": ["assert_comparable"],
    "metrics.bleu.stats": ["BleuStats"],
    "metrics.chrf.dialects": ["CHRF_DIALECTS"],
    "metrics.chrf.metric": ["Chrf"],
    "metrics.chrf.score": ["ChrfScore"],
    "metrics.dialect": ["Dialect"],
    "metrics.functions": [
        "corpus_bleu",
        "corpus_chrf",
        "corpus_ter",
        "sentence_bleu",
        "sentence_chrf",
        "sentence_ter",
        "tokenize",
    ],
    "metrics.score": ["Score"],
    "metrics.segment_scores": ["AverageScore", "SegmentScores"],
    "metrics.stats": ["Stats"],
    "metrics.ter.metric": ["Ter"],
    "metrics.ter.score": ["TerScore"],
    "reporting": ["Report", "Reports", "report"],
    "reporting.plots": ["plot"],
    "significance.compare": ["compare", "confidence_interval"],
    "significance.comparisons": ["Comparisons", "Disagreement"],
    "significance.planning": ["sample_size"],
    "significance.pair": ["Interval", "Pair"],
    "significance.results": ["ComparedSystem", "Comparison"],
    "test_sets.loading": ["TestSet", "load_test_set"],
    "test_sets.score_files": ["read_segment_scores"],
    "tokenizers.sentencepiece": ["SentencePiece"],
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    from importlib import import_module

    if name == "testing":
        return import_module("truebleu.testing")
    if name not in _MODULES:
        raise AttributeError(f"module 'truebleu' has no attribute {name!r}")
    value = getattr(import_module(f"truebleu.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
