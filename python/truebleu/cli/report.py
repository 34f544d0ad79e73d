"""``truebleu report``: a page that shows where the scores come from, or one of its charts."""

from __future__ import annotations

import os
from types import MappingProxyType, SimpleNamespace

from truebleu.cli.external import add_scores, read_scores
from truebleu.cli.given import given_from, name_of, read_systems, renamed
from truebleu.cli.options import add_input, add_metrics, add_tests, metrics_from, resampling_from
from truebleu.cli.output import Announced, signed
from truebleu.cli.resampling import known_documents, shown, units_from
from truebleu.display.text import visible
from truebleu.display.words import LANGUAGES
from truebleu.errors import SettingsError
from truebleu.inputs.forms import SOURCE
from truebleu.intake.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.intake.given import Given
    from truebleu.reporting.results import Report, Reports
    from truebleu.test_sets.loading import TestSet


# What other files than those of systems and references are.
_ROLES = {"sources": SOURCE}


def add_options(command: Command) -> None:
    # This loads NumPy, which every report needs.
    from truebleu.reporting.charts import NAMES
    from truebleu.reporting.drawing import WIDTHS

    about = (
        "Write a page with scores, tests, charts and all segments; or one of the charts. Without a "
        "test set, -l says what the languages of the texts are."
    )
    add_input(command, about, several=True, resampled=True)
    output = command.add_argument_group("output")
    output.add_argument(
        *("-o", "--output"),
        required=True,
        metavar="FILE",
        help="the page to write, such as report.html; a chart is .svg, .png, .pdf or .json "
        "(Vega-Lite)",
    )
    others = command.add_argument_group("input")
    others.add_argument(
        "--sources", "--source", metavar="FILE", help="the source texts, one segment per line"
    )
    others.add_argument(
        "--domains",
        metavar="FILE",
        help="add a chart of the scores by domain; FILE has one domain per line",
    )
    output.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="English or Korean: en or ko (default: en)",
    )
    output.add_argument(
        "--chart",
        choices=NAMES,
        metavar="CHART",
        help=f"write one chart instead of the page: one of {', '.join(NAMES)}",
    )
    output.add_argument(
        "--size",
        choices=tuple(WIDTHS),
        help="width of the chart in a paper: column (3.03 inches) or page (6.3 inches)",
    )
    add_tests(command, "compare the others with this system only (default: all with each other)")
    add_metrics(command, several=True)
    add_scores(command)


def run(options: Namespace) -> None:
    """Write the page, or the chart."""
    if options.chart is not None:
        _draw(options)
        return
    if options.size is not None:
        raise SettingsError("--size needs --chart")
    # Jinja2 is slow to load, and few commands need it.
    from truebleu.reporting.page import templates

    given = given_from(options, saved=True)
    # Rather before the work than after it.
    templates()
    with Announced(options.output, options):
        made = make_report(options, given, language=options.language)
        made.write(options.output, command=command_of(options.arguments, options.output))


def _draw(options: Namespace) -> None:
    from truebleu.reporting import form_of

    form_of(options.output)
    given = given_from(options, saved=True)
    if len(metrics_from(options, given)) > 1:
        raise SettingsError("a chart is of one metric: choose it with -m")
    with Announced(options.output, options):
        made = make_report(options, given).chart(options.chart, width=options.size)
        made.save(options.output)


def command_of(arguments: list[str], output: str) -> str:
    """Write the command as it was given, without the folders of its files."""
    import shlex

    def without_folders(given: str) -> str:
        for path in (given, given.rpartition("=")[2]):
            if path == output or os.path.exists(path):  # noqa: PTH110  # pathlib is slow to load.
                return given.removesuffix(path) + os.path.basename(path)  # noqa: PTH119
        return given

    kept = map(without_folders, arguments)
    return f"{shlex.join(['truebleu', *kept])}\n"


def make_report(options: Namespace, given: Given, **how: Any) -> Any:
    """Read all files side by side, and make a Report, or Reports under several metrics."""
    from truebleu.reporting import report

    systems, texts = _read(given)
    how |= texts | resampling_from(options) | _languages(options)
    metrics = metrics_from(options, given)
    scores = read_scores(options, given)
    if scores:
        how["scores"] = {
            name: each.replace(values={visible(key): kept for key, kept in each.values.items()})
            for name, each in scores.items()
        }
    # What pages and charts, whose parts are programs, call the systems.
    baseline = name_of(options.baseline, given)
    how["units"] = units_from(options, given)
    if how["units"] == "auto" and given.saved is None:
        # As those of a test set.
        documents = known_documents(given)
        how["references"] = SimpleNamespace(references=how.get("references"), documents=documents)
    with shown():
        made = report(
            systems,
            baseline=None if baseline is None else visible(baseline),
            threads=options.threads,
            metrics=metrics if len(metrics) > 1 else metrics[0],
            **how,
        )
    if given.test_set is not None:
        return _signed(made, given.test_set)
    return made


def _signed(made: Report | Reports, test_set: TestSet) -> Report | Reports:
    """Return a report whose signatures have the fields of the test set."""
    from truebleu.reporting.results import Report, Reports

    if isinstance(made, Reports):
        several = {name: _signed(each, test_set) for name, each in made.items()}
        return made.replace(reports=MappingProxyType(several))
    comparison = made.comparison
    if comparison is None:
        return made
    comparison = comparison.replace(signature=signed(comparison.signature, test_set))
    return Report(made.data.replace(comparison=comparison), made.title)


def _languages(options: Namespace) -> dict[str, str]:
    """Return the languages of sources and of the other texts, if a language pair is given."""
    source, _, target = (options.language_pair or "").partition("-")
    tags = (name.replace("_", "-") for name in (source, target))
    return dict(zip(("source_lang", "target_lang"), tags, strict=True)) if target else {}


def _read(given: Given) -> tuple[Any, dict[str, Any]]:
    """Return the systems, and the other texts as the library calls them."""
    others = [(_ROLES.get(name), path) for name, path in given.others.items()]
    if given.saved is not None:
        lines = [read_file(path, role) for role, path in others]
        return renamed(given.saved, visible), dict(zip(given.others, lines, strict=True))
    systems, references, lines = read_systems(given, others)
    texts = {"references": references, **dict(zip(given.others, lines, strict=True))}
    return {visible(name): each for name, each in systems.items()}, texts
