"""``truebleu report``: a page that shows where the scores come from, or one of its charts."""

from __future__ import annotations

import os
from types import SimpleNamespace

from truebleu.cli.external import add_scores, read_scores, score_files
from truebleu.cli.given import columns_of, given_from, name_of
from truebleu.cli.options import add_metrics, add_tests, metrics_from, resampling_from
from truebleu.cli.output import Announced
from truebleu.cli.resampling import known_documents, shown, units_from
from truebleu.cli.systems import read_systems
from truebleu.cli.tabular import add_input
from truebleu.display.text import visible
from truebleu.display.words import LANGUAGES
from truebleu.errors import SettingsError
from truebleu.inputs.forms import SOURCE
from truebleu.intake.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.intake.given import Given


# What other files than those of systems and references are.
_ROLES = {"sources": SOURCE}


def add_options(command: Command) -> None:
    # This loads NumPy, which every report needs.
    from truebleu.reporting.charts import NAMES
    from truebleu.reporting.drawing import WIDTHS

    about = "Write a page with scores, tests, charts and all segments; or one of the charts."
    add_input(command, about, several=True)
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
    for name, what in (("source", "sources, such as de"), ("target", "references and outputs")):
        output.add_argument(
            f"--{name}-lang",
            metavar="TAG",
            help=f"language of the {what}; by default guessed from the script",
        )
    output.add_argument(
        "--language", choices=LANGUAGES, default="en", help="English or Korean (default: en)"
    )
    output.add_argument("--title", metavar="TEXT", help="title of the page")
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
    output.add_argument(
        "--pair",
        nargs=2,
        default=(None, None),
        metavar=("ONE", "OTHER"),
        help="the systems that the chart compares (default: the best, and the baseline or the "
        "second best)",
    )
    add_tests(command, "compare the others with this system only (default: all with each other)")
    add_metrics(command, several=True)
    add_scores(command)


def run(options: Namespace) -> None:
    """Write the page, or the chart."""
    if options.chart is not None:
        _draw(options)
        return
    for name in ("size", "pair"):
        if any(getattr(options, name) or ()):
            raise SettingsError(f"--{name} needs --chart")
    # Jinja2 is slow to load, and few commands need it.
    from truebleu.reporting.page import templates
    from truebleu.writing import refuse_unwritable

    given = given_from(options, saved=True)
    inputs = input_files(options, given)
    refuse_unwritable(options.output, inputs)
    # Rather before the work than after it.
    templates()
    with Announced(options.output, options):
        made = make_report(
            options,
            given,
            title=options.title,
            language=options.language,
            source_lang=options.source_lang,
            target_lang=options.target_lang,
        )
        command = command_of(options.arguments, [*inputs, options.output])
        made.write(options.output, command=command)


def _draw(options: Namespace) -> None:
    from truebleu.reporting import form_of
    from truebleu.writing import refuse_unwritable

    form_of(options.output)
    given = given_from(options, saved=True)
    refuse_unwritable(options.output, input_files(options, given))
    if len(metrics_from(options, given)) > 1:
        raise SettingsError("a chart is of one metric: choose it with -m")
    one, other = (shown_name(name, given) for name in options.pair)
    with Announced(options.output, options):
        made = make_report(options, given)
        made.chart(options.chart, one=one, other=other, width=options.size).save(options.output)


def command_of(arguments: list[str], files: list[str]) -> str:
    """Write the command as it was given, without the folders of its files."""
    import shlex

    def without_folders(given: str) -> str:
        name, equals, path = given.rpartition("=")
        if given in files or os.path.isfile(given):  # noqa: PTH113
            return os.path.basename(given)  # noqa: PTH119  # pathlib is slow to load.
        return f"{name}{equals}{os.path.basename(path)}" if path in files else given  # noqa: PTH119

    kept = map(without_folders, arguments)
    return f"{shlex.join(['truebleu', *kept])}\n"


def input_files(options: Namespace, given: Given) -> list[str]:
    scores = score_files(options).values() if "scores" in options else ()
    units = [options.units] * (options.units not in ("auto", "segments", None))
    files = [each for each in units if isinstance(each, str)]
    return [*given.files, *files, *(path for path, _ in scores)]


def shown_name(name: str | None, given: Given) -> str | None:
    """Return what pages and charts, whose parts are programs, call a system that is given."""
    found = name_of(name, given)
    return None if found is None else visible(found)


def make_report(options: Namespace, given: Given, **how: Any) -> Any:
    """Read all files side by side, and make a Report, or Reports under several metrics."""
    from truebleu.reporting import report

    systems, texts = _read(given)
    how |= texts | resampling_from(options)
    metrics = metrics_from(options, given)
    scores = read_scores(options, given) if "scores" in options else None
    if scores is not None:
        how["scores"] = {
            name: given_scores.replace(
                values={visible(system): each for system, each in given_scores.values.items()}
            )
            for name, given_scores in scores.items()
        }
    how["units"] = units_from(options, given)
    if how["units"] == "auto" and given.saved is None:
        # As those of a test set.
        documents = known_documents(given)
        how["references"] = SimpleNamespace(references=how.get("references"), documents=documents)
    with shown():
        made = report(
            systems,
            baseline=shown_name(options.baseline, given),
            threads=options.threads,
            metrics=metrics if len(metrics) > 1 else metrics[0],
            **how,
        )
    if given.test_set is not None:
        from truebleu.cli.test_set import signed_report

        return signed_report(made, given.test_set)
    return made


def _read(given: Given) -> tuple[Any, dict[str, Any]]:
    """Return the systems, and the other texts as the library calls them."""
    others = [(_ROLES.get(name), path) for name, path in given.others.items()]
    if given.saved is not None:
        from truebleu.cli.saved import renamed

        lines = [read_file(path, role) for role, path in others]
        return renamed(given.saved, visible), dict(zip(given.others, lines, strict=True))
    if given.columns is not None:
        systems, references = read_systems(given)
        lines = [read_file(path, role, given.reading) for role, path in others]
        texts: dict[str, Any] = {"references": references}
    else:
        columns, streams, lines = columns_of(given, others)
        systems, texts = (
            dict(zip(given.names, columns, strict=True)),
            {"reference_streams": streams},
        )
    shown_systems = {visible(name): each for name, each in systems.items()}
    return shown_systems, texts | dict(zip(given.others, lines, strict=True))
