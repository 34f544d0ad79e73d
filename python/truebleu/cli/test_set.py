"""``-t`` and ``-l``: the references of a test set in place of files."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.cli.output import signed
from truebleu.display.formatting import count
from truebleu.errors import SettingsError
from truebleu.inputs.files import LinesInMemory
from truebleu.metrics.registry import as_bleu
from truebleu.test_sets.loading import load_test_set
from truebleu.test_sets.registry import find_set
from truebleu.test_sets.store import some

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from truebleu.cli.parameters import Namespace
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric
    from truebleu.reporting.results import Report, Reports
    from truebleu.test_sets.loading import TestSet


def with_test_set(given: Given, options: Namespace) -> Given:
    """Let the references, and other files that are not given, be those of the test set."""
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
    references = [
        LinesInMemory(f"{test_set.name} {pair} reference" + f" {number}" * several, list(lines))
        for number, lines in enumerate(streams, 1)
    ]
    others = dict(given.others)
    for column in ("sources", "domains"):
        lines = getattr(test_set, column)
        if column in options and column not in others and lines is not None:
            others[column] = LinesInMemory(f"{test_set.name} {pair} {column}", lines)
    return given.replace(references=tuple(references), others=others, test_set=test_set)


def note_about(test_set: TestSet, metrics: Iterable[Metric]) -> str:
    """Say what the references are, and which tokenizer BLEU has."""
    note = (
        f"References: {test_set.name} {test_set.pair}, {count(len(test_set), 'segment')}, "
        f"{count(len(test_set.references[0]), 'reference')} each."
    )
    bleu = next(filter(None, map(as_bleu, metrics)), None)
    if bleu is not None and isinstance(bleu.tokenizer, str):
        note += f" Tokenizer of BLEU: {bleu.tokenizer}"
        by_language = bleu.tokenizer == test_set.tokenizer
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
