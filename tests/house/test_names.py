"""The names that type checkers know are those that the package accepts."""

import ast
from pathlib import Path

import pytest
from test_typing import checked
from truebleu import DIALECTS, _core
from truebleu.analysis.dialects import corpus as dialect_corpus
from truebleu.metrics import registry as metrics
from truebleu.metrics import settings as all_settings
from truebleu.metrics.bleu import dialects, settings
from truebleu.tokenizers import registry

# Each alias with its module and the names at run time. Aliases exist for type checkers only.
ALIASES = {
    "TokenizerName": (registry, [*registry.NAMES, registry.PRETOKENIZED]),
    "Kind": (registry, ["native", "library", "function", registry.PRETOKENIZED]),
    "Smoothing": (settings, _core.SMOOTHINGS),
    "ReferenceLength": (settings, _core.REFERENCE_LENGTHS),
    "UnicodeForm": (all_settings, _core.UNICODE_FORMS),
    "DialectName": (dialects, DIALECTS),
    "MetricName": (metrics, metrics.METRICS),
    "AuditedName": (dialect_corpus, dialect_corpus.AUDITED),
}

RIGHT = """
from pathlib import Path
from truebleu import Bleu, SentencePiece, corpus_bleu

Bleu(smoothing="floor", tokenizer="13a", reference_length="average", unicode_form="NFC")
Bleu(tokenizer=SentencePiece("x"))
Bleu(tokenizer=SentencePiece(Path("x")))
Bleu(tokenizer=str.split)
Bleu(tokenizer=lambda text: text.split())
Bleu(tokenizer="pretokenized", unicode_form=None)
corpus_bleu(["a"], ["a"], smoothing="exp")
"""

# What comes back depends on an argument, and a type checker knows which.
OVERLOADS = """
import pyarrow as pa  # type: ignore[import-untyped]
from typing_extensions import assert_type
from truebleu import Choice, ChrfCorpusExplanation, ChrfSegmentExplanation, Comparison
from truebleu import Comparisons, CorpusExplanation, Score, SegmentExplanation
from truebleu import Ter, TerCorpusExplanation, TerSegmentExplanation
from truebleu import compare, explain, mbr, tokenize
from truebleu.engines import tables

assert_type(explain("a", "a"), SegmentExplanation)
assert_type(explain(["a"], ["a"]), CorpusExplanation)
assert_type(explain("a", "a", metric="chrf++"), ChrfSegmentExplanation)
assert_type(explain(["a"], ["a"], metric="chrf"), ChrfCorpusExplanation)
assert_type(explain("a", "a", metric="ter"), TerSegmentExplanation)
assert_type(explain(["a"], ["a"], metric=Ter()), TerCorpusExplanation)
assert_type(tokenize("a"), list[str])
assert_type(tokenize("a", offsets=True), list[tuple[str, int, int]])
assert_type(mbr(["a", "b"]), Choice)
assert_type(compare({"a": ["b"]}, ["b"], lowercase=True), Comparison)
assert_type(compare({"a": ["b"]}, ["b"], metric="chrf++", seed=None), Comparison)
several = compare({"a": ["b"]}, ["b"], metrics=["bleu", Ter()], n_resamples=9)
assert_type(several, Comparisons)
assert_type(several["TER"], Comparison)
assert_type(tables.corpus_score("a.csv", "hyp", "ref"), Score)
scores = tables.corpus_score("a.csv", "hyp", "ref", group_by="lang")
assert_type(scores, pa.Table)
"""

WRONG = """
from truebleu import Bleu, corpus_bleu

Bleu(smoothing="flor")
Bleu(tokenizer="14a")
Bleu(tokenizer=None)
Bleu(unicode_form="nfc")
Bleu(reference_length="close")
corpus_bleu(["a"], ["a"], smoothing="flor")
"""


def strings(node):
    """Collect the strings of ``Literal["a", "b"] | Literal["c"]``."""
    return [
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def test_an_alias_is_its_registry():
    """What is added to a registry and not to its alias, or the other way round, fails here."""
    for alias, (module, names) in ALIASES.items():
        assert not hasattr(module, alias)
        [value] = [
            node.value
            for node in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8")))
            if isinstance(node, ast.Assign)
            and [ast.unparse(target) for target in node.targets] == [alias]
        ]
        assert sorted(strings(value)) == sorted(set(names)), alias


@pytest.mark.slow
def test_a_type_checker_reports_wrong_names(tmp_path):
    """Each call with a name that does not exist is an error, and no other call."""
    for name, code in (("right", RIGHT), ("overloads", OVERLOADS), ("wrong", WRONG)):
        (tmp_path / f"{name}.py").write_text(code)
    found, printed = checked(tmp_path, "mypy", "--strict", "--python-version", "3.10", ".")
    calls = enumerate(WRONG.splitlines(), 1)
    assert set(found) == {f"wrong:{number}" for number, call in calls if "=" in call}, printed
