"""The names that type checkers know are those that the package accepts."""

import ast
from pathlib import Path

from truebleu import _core
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
    "DialectName": (dialects, dialects.DIALECTS),
    "MetricName": (metrics, metrics.METRICS),
    "AuditedName": (dialect_corpus, dialect_corpus.AUDITED),
}


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
