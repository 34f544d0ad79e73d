"""``truebleu report``: a page that shows where the scores come from."""

from __future__ import annotations

import os
from types import SimpleNamespace

from truebleu.cli.external import add_scores, read_scores, score_files
from truebleu.cli.files import read_columns, read_lines
from truebleu.cli.options import add_metrics, add_tests, metrics_from, resampling_from
from truebleu.cli.output import Announced
from truebleu.cli.resampling import known_documents, shown, units_from
from truebleu.cli.systems import name_of, read_systems, system_names
from truebleu.cli.tabular import add_input, check_source
from truebleu.display.text import visible
from truebleu.display.words import LANGUAGES
from truebleu.inputs.forms import SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command


# The options that name a file with one line per segment; the library calls its lines the same.
_COLUMNS = ("sources", "domains")
_ROLES = {"sources": SOURCE}


def add_options(command: Command) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        *("-o", "--output"),
        required=True,
        metavar="FILE",
        help="the page to write, such as report.html",
    )
    sources = command.add_argument_group("input")
    sources.add_argument(
        "--sources", "--source", metavar="FILE", help="the source texts, one segment per line"
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
    about = "Write a page with scores, tests, charts and all segments."
    add_shared(command, about, several_metrics=True)


def add_shared(
    command: Command,
    description: str,
    domains: str = "add a chart of the scores by domain; FILE has one domain per line",
    *,
    several_metrics: bool = False,
) -> None:
    """Add what ``plot`` understands as well."""
    add_input(command, description, several=True)
    command.add_argument_group("input").add_argument("--domains", metavar="FILE", help=domains)
    add_tests(
        command,
        "compare the others with this system only; by default all with each other",
    )
    add_metrics(command, several=several_metrics)
    if several_metrics:
        add_scores(command)
    command.set_defaults(saved=None)


def run(options: Namespace) -> None:
    # Altair is slow to load, and few commands need it.
    from truebleu.reporting.page import require_packages
    from truebleu.writing import refuse_unwritable

    refuse_unwritable(options.output, input_files(options))
    require_packages()
    with Announced(options.output, options):
        made = make_report(
            options,
            title=options.title,
            language=options.language,
            source_lang=options.source_lang,
            target_lang=options.target_lang,
        )
        files = [*input_files(options), options.output]
        made.write(options.output, command=command_of(options.arguments, files))


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


def input_files(options: Namespace) -> list[str]:
    given = vars(options)
    others = [given[name] for name in _COLUMNS if given.get(name) is not None]
    scores = [path for path, _ in score_files(options).values()] if "scores" in given else []
    units = [options.units] * (options.units not in ("auto", "segments", None))
    files = [each for each in units if isinstance(each, str)]
    return [*options.systems, *(options.references or []), *others, *files, *scores]


def shown_name(given: str | None, options: Namespace) -> str | None:
    """Return what pages and charts, whose parts are programs, call a system that is given."""
    name = name_of(given, options)
    return None if name is None else visible(name)


def make_report(options: Namespace, **how: Any) -> Any:
    """Read all files side by side, and make a Report, or Reports under several metrics."""
    from truebleu.reporting import report

    check_source(options)
    given = vars(options)
    others = {name: given[name] for name in _COLUMNS if given.get(name) is not None}
    if options.saved:
        from truebleu.cli.saved import renamed

        systems: Any = renamed(options.saved, visible)
        how |= {name: read_lines(path, _ROLES.get(name)) for name, path in others.items()}
    elif options.hypotheses:
        systems, how["references"] = read_systems(options)
        for name, path in others.items():
            how[name] = read_lines(path, _ROLES.get(name), as_text=options.as_text)
    else:
        files = [(_ROLES.get(name), path) for name, path in others.items()]
        columns, how["reference_streams"], lines = read_columns(options, files)
        systems = dict(zip(system_names(options), columns, strict=True))
        how |= dict(zip(others, lines, strict=True))
    if not options.saved:
        systems = {visible(name): texts for name, texts in systems.items()}
    how |= resampling_from(options)
    metrics = metrics_from(options)
    scores = read_scores(options) if "scores" in given else None
    if scores is not None:
        how["scores"] = {
            name: given_scores.replace(
                values={visible(system): each for system, each in given_scores.values.items()}
            )
            for name, given_scores in scores.items()
        }
    how["units"] = units_from(options)
    if how["units"] == "auto" and not options.saved:
        # As those of a test set.
        documents = known_documents(options)
        how["references"] = SimpleNamespace(references=how.get("references"), documents=documents)
    with shown():
        made = report(
            systems,
            baseline=shown_name(options.baseline, options),
            threads=options.threads,
            metrics=metrics if len(metrics) > 1 else metrics[0],
            **how,
        )
    if options.test_set is not None:
        from truebleu.cli.test_set import signed_report

        return signed_report(made, options.test_set)
    return made
