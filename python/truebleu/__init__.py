"""Exact, explainable and fast BLEU, chrF and TER.

>>> import truebleu
>>> hypotheses = ["The cat sat on the mat.", "It rained all day."]
>>> references = ["The cat sat on a mat.", "It rained the whole day."]
>>> print(truebleu.corpus_bleu(hypotheses, references))
BLEU = 34.95 83.3/60.0/25.0/16.7 (BP = 0.920 ratio = 0.923 hyp_len = 12 ref_len = 13)
"""

from truebleu._core import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    # For type checkers and editors, to which `as` says that a name is public.
    from truebleu.analysis.audit import Audit as Audit
    from truebleu.analysis.audit import audit as audit
    from truebleu.analysis.causes import Cause as Cause
    from truebleu.analysis.correlation import Correlation as Correlation
    from truebleu.analysis.decompose import AuditDifference as AuditDifference
    from truebleu.analysis.decompose import AuditRow as AuditRow
    from truebleu.analysis.decompose import Decomposition as Decomposition
    from truebleu.analysis.decompose import decompose as decompose
    from truebleu.analysis.definitions import brevity_penalty as brevity_penalty
    from truebleu.analysis.definitions import clipped_counts as clipped_counts
    from truebleu.analysis.definitions import clipped_precision as clipped_precision
    from truebleu.analysis.definitions import closest_reference_length as closest_reference_length
    from truebleu.analysis.definitions import geometric_mean as geometric_mean
    from truebleu.analysis.definitions import ngram_counts as ngram_counts
    from truebleu.analysis.dialects.corpus import AuditPart as AuditPart
    from truebleu.analysis.explain import explain as explain
    from truebleu.compat.accelerate import accelerate as accelerate
    from truebleu.conformance.diagnosis import Diagnosis as Diagnosis
    from truebleu.conformance.diagnosis import Mistaken as Mistaken
    from truebleu.conformance.diagnosis import check as check
    from truebleu.errors import AttributeNameError as AttributeNameError
    from truebleu.errors import DownloadError as DownloadError
    from truebleu.errors import EmptyInputError as EmptyInputError
    from truebleu.errors import EncodingError as EncodingError
    from truebleu.errors import InputError as InputError
    from truebleu.errors import InputTypeError as InputTypeError
    from truebleu.errors import LengthMismatchError as LengthMismatchError
    from truebleu.errors import MissingExtraError as MissingExtraError
    from truebleu.errors import ModelError as ModelError
    from truebleu.errors import SettingsError as SettingsError
    from truebleu.errors import SettingsWarning as SettingsWarning
    from truebleu.errors import SmallSampleWarning as SmallSampleWarning
    from truebleu.errors import StatsMismatchError as StatsMismatchError
    from truebleu.errors import TruebleuError as TruebleuError
    from truebleu.errors import UnknownNameError as UnknownNameError
    from truebleu.generation.decoding import Choice as Choice
    from truebleu.generation.decoding import best_of as best_of
    from truebleu.generation.decoding import mbr as mbr
    from truebleu.generation.pairwise import pairwise as pairwise
    from truebleu.generation.rewards import token_rewards as token_rewards
    from truebleu.generation.self_bleu import self_bleu as self_bleu
    from truebleu.inputs.lines import read_lines as read_lines
    from truebleu.inputs.ragged import Ragged as Ragged
    from truebleu.inputs.texts import read_texts as read_texts
    from truebleu.meta_evaluation.annotations import read_esa as read_esa
    from truebleu.meta_evaluation.annotations import read_mqm as read_mqm
    from truebleu.meta_evaluation.evaluate import meta_evaluate as meta_evaluate
    from truebleu.meta_evaluation.judgments import JudgedSet as JudgedSet
    from truebleu.meta_evaluation.judgments import read_judged_set as read_judged_set
    from truebleu.meta_evaluation.results import MeasuredMetric as MeasuredMetric
    from truebleu.meta_evaluation.results import MetaEvaluation as MetaEvaluation
    from truebleu.meta_evaluation.results import MetaEvaluations as MetaEvaluations
    from truebleu.meta_evaluation.results import MetricPair as MetricPair
    from truebleu.meta_evaluation.results import Ranking as Ranking
    from truebleu.meta_evaluation.score_files import read_segment_scores as read_segment_scores
    from truebleu.metrics.accumulator import Accumulator as Accumulator
    from truebleu.metrics.bleu.explanation import CorpusExplanation as CorpusExplanation
    from truebleu.metrics.bleu.explanation import Cost as Cost
    from truebleu.metrics.bleu.explanation import NgramCount as NgramCount
    from truebleu.metrics.bleu.explanation import SegmentExplanation as SegmentExplanation
    from truebleu.metrics.bleu.metric import Bleu as Bleu
    from truebleu.metrics.bleu.score import BleuScore as BleuScore
    from truebleu.metrics.chrf.explanation import ChrfCorpusExplanation as ChrfCorpusExplanation
    from truebleu.metrics.chrf.explanation import ChrfCost as ChrfCost
    from truebleu.metrics.chrf.explanation import ChrfNgram as ChrfNgram
    from truebleu.metrics.chrf.explanation import ChrfSegmentExplanation as ChrfSegmentExplanation
    from truebleu.metrics.chrf.explanation import ChrfSpan as ChrfSpan
    from truebleu.metrics.chrf.metric import Chrf as Chrf
    from truebleu.metrics.chrf.orders import ChrfOrder as ChrfOrder
    from truebleu.metrics.chrf.score import ChrfScore as ChrfScore
    from truebleu.metrics.dialect import Dialect as Dialect
    from truebleu.metrics.dialects import DIALECTS as DIALECTS
    from truebleu.metrics.explanation import DifferencePart as DifferencePart
    from truebleu.metrics.functions import corpus_bleu as corpus_bleu
    from truebleu.metrics.functions import corpus_chrf as corpus_chrf
    from truebleu.metrics.functions import corpus_ter as corpus_ter
    from truebleu.metrics.functions import sentence_bleu as sentence_bleu
    from truebleu.metrics.functions import sentence_chrf as sentence_chrf
    from truebleu.metrics.functions import sentence_ter as sentence_ter
    from truebleu.metrics.functions import tokenize as tokenize
    from truebleu.metrics.metric import Metric as Metric
    from truebleu.metrics.registry import explain_signature as explain_signature
    from truebleu.metrics.score import Score as Score
    from truebleu.metrics.segment_scores import AverageScore as AverageScore
    from truebleu.metrics.segment_scores import SegmentScores as SegmentScores
    from truebleu.metrics.signatures import assert_comparable as assert_comparable
    from truebleu.metrics.stats import Stats as Stats
    from truebleu.metrics.stats_saved import SavedStats as SavedStats
    from truebleu.metrics.stats_saved import read_stats as read_stats
    from truebleu.metrics.ter.explanation import TerCorpusExplanation as TerCorpusExplanation
    from truebleu.metrics.ter.explanation import TerCost as TerCost
    from truebleu.metrics.ter.explanation import TerEdit as TerEdit
    from truebleu.metrics.ter.explanation import TerSegmentExplanation as TerSegmentExplanation
    from truebleu.metrics.ter.explanation import TerShift as TerShift
    from truebleu.metrics.ter.metric import Ter as Ter
    from truebleu.metrics.ter.score import TerScore as TerScore
    from truebleu.reporting import report as report
    from truebleu.reporting.results import Report as Report
    from truebleu.reporting.results import Reports as Reports
    from truebleu.significance.compare import compare as compare
    from truebleu.significance.compare import confidence_interval as confidence_interval
    from truebleu.significance.comparisons import Comparisons as Comparisons
    from truebleu.significance.external import GivenScores as GivenScores
    from truebleu.significance.means import MeanScore as MeanScore
    from truebleu.significance.pair import ComparedSystem as ComparedSystem
    from truebleu.significance.pair import Interval as Interval
    from truebleu.significance.pair import Pair as Pair
    from truebleu.significance.paper import PaperTable as PaperTable
    from truebleu.significance.results import Comparison as Comparison
    from truebleu.significance.runs import compare_runs as compare_runs
    from truebleu.significance.sets import compare_sets as compare_sets
    from truebleu.significance.unpaired import compare_unpaired as compare_unpaired
    from truebleu.test_sets.loading import TestSet as TestSet
    from truebleu.test_sets.loading import load_test_set as load_test_set
    from truebleu.tokenizers.sentencepiece import SentencePiece as SentencePiece

# Each module is imported when one of its public names is first used.
_NAMES = {
    "analysis.audit": "Audit audit",
    "analysis.correlation": "Correlation",
    "analysis.decompose": "AuditDifference AuditRow Decomposition decompose",
    "analysis.definitions": (
        "brevity_penalty clipped_counts clipped_precision closest_reference_length "
        "geometric_mean ngram_counts"
    ),
    "analysis.causes": "Cause",
    "analysis.dialects.corpus": "AuditPart",
    "analysis.explain": "explain",
    "compat.accelerate": "accelerate",
    "conformance.diagnosis": "Diagnosis Mistaken check",
    "errors": (
        "AttributeNameError DownloadError EmptyInputError EncodingError InputError "
        "InputTypeError LengthMismatchError MissingExtraError ModelError SettingsError "
        "SettingsWarning SmallSampleWarning StatsMismatchError TruebleuError UnknownNameError"
    ),
    "generation.decoding": "Choice best_of mbr",
    "generation.pairwise": "pairwise",
    "generation.rewards": "token_rewards",
    "generation.self_bleu": "self_bleu",
    "inputs.lines": "read_lines",
    "inputs.texts": "read_texts",
    "inputs.ragged": "Ragged",
    "meta_evaluation.annotations": "read_esa read_mqm",
    "meta_evaluation.evaluate": "meta_evaluate",
    "meta_evaluation.judgments": "JudgedSet read_judged_set",
    "meta_evaluation.results": "MeasuredMetric MetaEvaluation MetaEvaluations MetricPair Ranking",
    "meta_evaluation.score_files": "read_segment_scores",
    "metrics.accumulator": "Accumulator",
    "metrics.bleu.explanation": "CorpusExplanation Cost NgramCount SegmentExplanation",
    "metrics.bleu.metric": "Bleu",
    "metrics.bleu.score": "BleuScore",
    "metrics.chrf.explanation": (
        "ChrfCorpusExplanation ChrfCost ChrfNgram ChrfSegmentExplanation ChrfSpan"
    ),
    "metrics.chrf.metric": "Chrf",
    "metrics.chrf.orders": "ChrfOrder",
    "metrics.chrf.score": "ChrfScore",
    "metrics.dialect": "Dialect",
    "metrics.dialects": "DIALECTS",
    "metrics.explanation": "DifferencePart",
    "metrics.functions": (
        "corpus_bleu corpus_chrf corpus_ter sentence_bleu sentence_chrf sentence_ter tokenize"
    ),
    "metrics.metric": "Metric",
    "metrics.registry": "explain_signature",
    "metrics.score": "Score",
    "metrics.segment_scores": "AverageScore SegmentScores",
    "metrics.signatures": "assert_comparable",
    "metrics.stats": "Stats",
    "metrics.stats_saved": "SavedStats read_stats",
    "metrics.ter.explanation": (
        "TerCorpusExplanation TerCost TerEdit TerSegmentExplanation TerShift"
    ),
    "metrics.ter.metric": "Ter",
    "metrics.ter.score": "TerScore",
    "reporting": "report Report Reports",
    "significance.compare": "compare confidence_interval",
    "significance.comparisons": "Comparisons",
    "significance.external": "GivenScores",
    "significance.means": "MeanScore",
    "significance.pair": "ComparedSystem Interval Pair",
    "significance.paper": "PaperTable",
    "significance.results": "Comparison",
    "significance.runs": "compare_runs",
    "significance.sets": "compare_sets",
    "significance.unpaired": "compare_unpaired",
    "test_sets.loading": "TestSet load_test_set",
    "tokenizers.sentencepiece": "SentencePiece",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

# Constants, then classes, then the rest.
_PUBLIC = sorted(sorted([*_MODULES, "__version__"]), key=str.isupper, reverse=True)
if not TYPE_CHECKING:
    # Type checkers cannot evaluate the list, and would take it for empty; they read `as` above, and
    # report names that are not there, unless there is a function that may know more.
    __all__ = _PUBLIC  # noqa: PLE0605

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used."""
        from importlib import import_module

        if name not in _MODULES:
            raise AttributeError(f"module 'truebleu' has no attribute {name!r}{_meant(name)}")
        value = getattr(import_module(f"truebleu.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


def _meant(name: str) -> str:
    """Return the end of a message about a name that does not exist."""
    if name.startswith("_"):
        return ""
    from truebleu.suggestions import FOREIGN_FUNCTIONS, did_you_mean

    instead = FOREIGN_FUNCTIONS.get(name)
    return f"; write {instead}" if instead else did_you_mean(name, _PUBLIC)


def __dir__() -> list[str]:
    """List the public names."""
    return _PUBLIC
