"""``-t`` and ``-l``: the references of a test set in place of files."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.cli.output import signed
from truebleu.display.formatting import count
from truebleu.errors import SettingsError
from truebleu.inputs.files import LinesInMemory
from truebleu.test_sets.loading import load_test_set
from truebleu.test_sets.registry import find_set
from truebleu.test_sets.store import some

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.cli.parameters import Namespace
    from truebleu.reporting.results import Report, Reports
    from truebleu.test_sets.loading import TestSet


def use_test_set(options: Namespace) -> None:
    """Let the references, other files that are not given, and the tokenizer be the test set's."""
    if getattr(options, "text", False):
        raise SettingsError("--text takes its references from -r, not from a test set")
    name, pair = options.test_set, options.language_pair
    if name is None:
        raise SettingsError(f"-l {pair} is a language pair of a test set: name the set with -t")
    if pair is None:
        pairs = find_set(name).pairs
        raise SettingsError(f"{name} needs a language pair: give -l with one of {some(pairs)}")
    test_set = load_test_set(name, pair)
    streams = zip(*test_set.references, strict=True)
    several = len(test_set.references[0]) > 1
    options.references = [
        LinesInMemory(f"{test_set.name} {pair} reference" + f" {number}" * several, list(lines))
        for number, lines in enumerate(streams, 1)
    ]
    options.test_set = test_set
    for column in ("sources", "domains"):
        if column not in options or getattr(options, column) is not None:
            continue
        lines = getattr(test_set, column)
        if lines is not None:
            setattr(options, column, LinesInMemory(f"{test_set.name} {pair} {column}", lines))
    # Commands that try tokenizers, or settings of other tools, have no such option.
    names = ("tokenizer", "dialect", "signatures", "settings_from")
    chosen = (getattr(options, name, None) for name in names)
    if "tokenizer" in options and not any(chosen) and _has_bleu(options):
        options.tokenizer = test_set.tokenizer


def _has_bleu(options: Namespace) -> bool:
    return "bleu" in (options.metrics or ["bleu"])


def note_about(options: Namespace) -> str:
    """Say what the references are, and which tokenizer was chosen for them."""
    test_set: TestSet = options.test_set
    note = (
        f"References: {test_set.name} {test_set.pair}, {count(len(test_set), 'segment')}, "
        f"{count(len(test_set.references[0]), 'reference')} each."
    )
    if _has_bleu(options) and options.tokenizer is not None:
        note += f" Tokenizer of BLEU: {options.tokenizer}"
        by_language = options.tokenizer == test_set.tokenizer
        note += ", as in sacreBLEU." if by_language else f"; in sacreBLEU {test_set.tokenizer}."
    return note


def signed_report(made: Report | Reports, test_set: TestSet) -> Report | Reports:
    """Return a report whose signatures have the fields of the test set."""
    from truebleu.reporting.results import Report, Reports

    if isinstance(made, Reports):
        several = {name: signed_report(each, test_set) for name, each in made.items()}
        return made.replace(reports=MappingProxyType(several))
    comparison = made.comparison
    if comparison is None:
        return made
    comparison = comparison.replace(signature=signed(comparison.signature, test_set))
    return Report(made.data.replace(comparison=comparison), made.title)
