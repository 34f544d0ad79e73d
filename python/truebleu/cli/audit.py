"""``truebleu audit``: what other tools would report, and why."""

from __future__ import annotations

from truebleu.analysis.dialects.corpus import AUDITED
from truebleu.cli.options import FILES, add_files
from truebleu.cli.output import add_format, write
from truebleu.cli.systems import read_systems
from truebleu.cli.tabular import TABLES, add_tables, check_source
from truebleu.metrics.bleu.dialects import CALLS, DIALECTS
from truebleu.metrics.chrf.dialects import CHRF_DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(command: ArgumentParser) -> None:
    command.description = "Score a system as each tool would, and explain the differences."
    command.epilog = f"{FILES} {TABLES}"
    add_files(command, several=False, required=False)
    add_tables(command, several=False)
    add_audited_metric(command)
    output = command.add_argument_group("output")
    output.add_argument(
        "--explain",
        nargs=2,
        metavar=("ONE", "OTHER"),
        help=f"why two of them differ here: {', '.join(DIALECTS | CALLS)}; with --metric chrf: "
        f"{', '.join(CHRF_DIALECTS)}",
    )
    add_format(output)


def add_audited_metric(command: ArgumentParser) -> None:
    """Add the metric, one of those that other tools compute in their own ways."""
    command.add_argument_group("settings").add_argument(
        "-m",
        "--metric",
        "--metrics",
        type=str.lower,
        choices=AUDITED,
        default="bleu",
        help="the metric that the tools compute (default: bleu)",
    )


def run(options: Namespace) -> None:
    """Print a row for each dialect, or the reasons why two of them differ."""
    from truebleu.analysis.audit import audit

    check_source(options, several=False)
    systems, references = read_systems(options)
    [hypotheses] = systems.values()
    found = audit(hypotheses, references, threads=options.threads, metric=options.metric)
    if options.explain is None:
        write(options, lambda _: found.blocks(), found.to_dict)
        return
    difference = found.difference(*options.explain)
    write(options, lambda plain: difference.blocks(plain=plain), difference.to_dict)
