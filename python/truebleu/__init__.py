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
    from truebleu import errors as errors
    from truebleu import meta as meta
    from truebleu import parts as parts
    from truebleu.analysis.audit import audit as audit
    from truebleu.analysis.decompose import decompose as decompose
    from truebleu.analysis.explain import explain as explain
    from truebleu.compat.accelerate import accelerate as accelerate
    from truebleu.conformance.diagnosis import check as check
    from truebleu.errors import InputError as InputError
    from truebleu.errors import InputTypeError as InputTypeError
    from truebleu.errors import LengthMismatchError as LengthMismatchError
    from truebleu.errors import SettingsError as SettingsError
    from truebleu.errors import SettingsWarning as SettingsWarning
    from truebleu.errors import SmallSampleWarning as SmallSampleWarning
    from truebleu.errors import StatsMismatchError as StatsMismatchError
    from truebleu.errors import TruebleuError as TruebleuError
    from truebleu.generation.decoding import best_of as best_of
    from truebleu.generation.decoding import mbr as mbr
    from truebleu.generation.pairwise import pairwise as pairwise
    from truebleu.generation.rewards import token_rewards as token_rewards
    from truebleu.generation.self_bleu import self_bleu as self_bleu
    from truebleu.inputs.lines import read_lines as read_lines
    from truebleu.inputs.ragged import Ragged as Ragged
    from truebleu.inputs.texts import read_texts as read_texts
    from truebleu.metrics.accumulator import Accumulator as Accumulator
    from truebleu.metrics.bleu.metric import Bleu as Bleu
    from truebleu.metrics.bleu.score import BleuScore as BleuScore
    from truebleu.metrics.chrf.metric import Chrf as Chrf
    from truebleu.metrics.chrf.score import ChrfScore as ChrfScore
    from truebleu.metrics.dialects import DIALECTS as DIALECTS
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
    from truebleu.metrics.signatures import assert_comparable as assert_comparable
    from truebleu.metrics.stats import Stats as Stats
    from truebleu.metrics.stats_saved import SavedStats as SavedStats
    from truebleu.metrics.stats_saved import read_stats as read_stats
    from truebleu.metrics.ter.metric import Ter as Ter
    from truebleu.metrics.ter.score import TerScore as TerScore
    from truebleu.reporting import report as report
    from truebleu.reporting.results import Report as Report
    from truebleu.significance.compare import compare as compare
    from truebleu.significance.compare import confidence_interval as confidence_interval
    from truebleu.significance.comparisons import Comparisons as Comparisons
    from truebleu.significance.external import GivenScores as GivenScores
    from truebleu.significance.results import Comparison as Comparison
    from truebleu.significance.runs import compare_runs as compare_runs
    from truebleu.significance.sets import compare_sets as compare_sets
    from truebleu.significance.unpaired import compare_unpaired as compare_unpaired
    from truebleu.test_sets.loading import TestSet as TestSet
    from truebleu.test_sets.loading import load_test_set as load_test_set
    from truebleu.tokenizers.sentencepiece import SentencePiece as SentencePiece

# Each module is imported when one of its public names is first used.
_NAMES = {
    "analysis.audit": "audit",
    "analysis.decompose": "decompose",
    "analysis.explain": "explain",
    "compat.accelerate": "accelerate",
    "conformance.diagnosis": "check",
    "errors": (
        "InputError InputTypeError LengthMismatchError SettingsError SettingsWarning "
        "SmallSampleWarning StatsMismatchError TruebleuError"
    ),
    "generation.decoding": "best_of mbr",
    "generation.pairwise": "pairwise",
    "generation.rewards": "token_rewards",
    "generation.self_bleu": "self_bleu",
    "inputs.lines": "read_lines",
    "inputs.texts": "read_texts",
    "inputs.ragged": "Ragged",
    "metrics.accumulator": "Accumulator",
    "metrics.bleu.metric": "Bleu",
    "metrics.bleu.score": "BleuScore",
    "metrics.chrf.metric": "Chrf",
    "metrics.chrf.score": "ChrfScore",
    "metrics.dialects": "DIALECTS",
    "metrics.functions": (
        "corpus_bleu corpus_chrf corpus_ter sentence_bleu sentence_chrf sentence_ter tokenize"
    ),
    "metrics.metric": "Metric",
    "metrics.registry": "explain_signature",
    "metrics.score": "Score",
    "metrics.signatures": "assert_comparable",
    "metrics.stats": "Stats",
    "metrics.stats_saved": "SavedStats read_stats",
    "metrics.ter.metric": "Ter",
    "metrics.ter.score": "TerScore",
    "reporting": "report Report",
    "significance.compare": "compare confidence_interval",
    "significance.comparisons": "Comparisons",
    "significance.external": "GivenScores",
    "significance.results": "Comparison",
    "significance.runs": "compare_runs",
    "significance.sets": "compare_sets",
    "significance.unpaired": "compare_unpaired",
    "test_sets.loading": "TestSet load_test_set",
    "tokenizers.sentencepiece": "SentencePiece",
}
# Modules with public names of their own.
_PARTS = ("errors", "meta", "parts")
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

        if name in _PARTS:
            return import_module(f"truebleu.{name}")
        if name not in _MODULES:
            message = f"module 'truebleu' has no attribute {name!r}{_meant(name)}"
            if ";" in message and _is_imported(name):
                raise ImportError(message, name="truebleu")
            raise AttributeError(message)
        value = getattr(import_module(f"truebleu.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


def _meant(name: str) -> str:
    """Return the end of a message about a name that does not exist."""
    if name.startswith("_"):
        return ""
    from importlib import import_module

    for part in _PARTS:
        if hasattr(import_module(f"truebleu.{part}"), name):
            return f"; it is truebleu.{part}.{name}"
    from truebleu.suggestions import FOREIGN_FUNCTIONS, did_you_mean

    instead = FOREIGN_FUNCTIONS.get(name)
    return f"; write {instead}" if instead else did_you_mean(name, _PUBLIC)


def _is_imported(name: str) -> bool:
    """Whether ``from truebleu import`` asks for a name that is no module of the package either.

    It would replace an AttributeError by an error without the hint.
    """
    import sys
    from importlib.util import find_spec

    caller = sys._getframe(2).f_code.co_name
    if caller != "_handle_fromlist":
        return False
    return name in _ENGINES or find_spec(f"truebleu.{name}") is None


_ENGINES = ("arrow", "duckdb", "pandas", "polars", "ray", "spark")


def __dir__() -> list[str]:
    """List the public names."""
    return _PUBLIC
