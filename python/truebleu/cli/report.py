"""``truebleu report`` and ``truebleu plot``: what the numbers look like."""

from __future__ import annotations

import os

from truebleu.cli.files import blocks
from truebleu.cli.options import settings_from
from truebleu.cli.progress import Bar
from truebleu.cli.score import system_names

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _SubParsersAction
    from collections.abc import Callable

    from truebleu.reporting import Report


# The names of the pictures. Their registry loads NumPy, which not every command needs.
PLOTS = (
    "scores",
    "precisions",
    "penalty",
    "sentences",
    "lengths",
    "documents",
    "domains",
    "segments",
    "influence",
    "ngrams",
    "frequency",
)


def add_commands(
    commands: _SubParsersAction[ArgumentParser],
    epilog: str,
    add_shared: Callable[[ArgumentParser], None],
) -> None:
    """Add both commands.

    Parameters
    ----------
    commands
        Where to.
    epilog : str
        Below their help.
    add_shared : callable
        Adds what other commands have as well: files, settings, resampling.
    """
    command = commands.add_parser(
        "report",
        help="one page that shows where the scores come from",
        description="Write one page with scores, tests, pictures and all segments.",
        epilog=epilog,
    )
    _add_output(command, "the page to write, such as report.html")
    command.add_argument("--source", metavar="FILE", help="what was translated, a segment a line")
    command.add_argument("--title", default="BLEU report", metavar="TEXT", help="of the page")
    add_shared(command)
    command.set_defaults(run=run_report)

    command = commands.add_parser(
        "plot",
        help="one picture of a report, for a paper",
        description="Draw one picture of a report.",
        epilog=epilog,
    )
    command.add_argument("plot", metavar="NAME", help=f"one of {', '.join(PLOTS)}")
    _add_output(command, "the picture to write: .svg or .png")
    command.add_argument(
        "--pair",
        nargs=2,
        default=(None, None),
        metavar=("ONE", "OTHER"),
        help="the systems to tell apart (the best, and the baseline or else the second)",
    )
    add_shared(command)
    command.set_defaults(run=run_plot, source=None)


def _add_output(command: ArgumentParser, about: str) -> None:
    """Add the file to write, and what both commands read besides texts."""
    command.add_argument("-o", "--output", required=True, metavar="FILE", help=about)
    command.add_argument(
        "--domains",
        metavar="FILE",
        help="a line of this file names the domain of a segment, or any other group, for a picture",
    )
    command.add_argument(
        "--baseline", metavar="SYSTEM", help="the system to compare the others with (the first)"
    )
    add_trials(command)


def add_trials(command: ArgumentParser) -> None:
    """Add the number of trials of tests."""
    command.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help="trials of each test (10000, or more if there are many tests)",
    )


def run_report(options: Namespace) -> None:
    """Write the page."""
    # Altair is slow to load, and no other command needs it.
    from truebleu.reporting import refuse_unwritable
    from truebleu.reporting.page import prepared

    refuse_unwritable(options.output)
    with prepared():
        _read(options, options.title).write(options.output)


def run_plot(options: Namespace) -> None:
    """Write one picture."""
    from truebleu.reporting import charts, form_of, refuse_unwritable

    charts.named(options.plot)
    form_of(options.output)
    refuse_unwritable(options.output)
    names = _short(system_names(options))
    one, other = (names.get(name, name) for name in options.pair)
    _read(options, "").plot(options.plot, options.output, one=one, other=other)


def _short(names: list[str]) -> dict[str, str]:
    """Call systems as their files are called, without the folders if that says as much.

    A page that is sent to somebody should be easy to read, and not tell where its sender keeps
    things.
    """
    files = [os.path.basename(name) or name for name in names]  # noqa: PTH119
    return dict(zip(names, files if len(set(files)) == len(files) else names, strict=True))


def _read(options: Namespace, title: str) -> Report:
    """Read all files side by side, and count."""
    from truebleu.reporting import report

    named = {name: getattr(options, name) for name in ("source", "docs", "domains")}
    given = {name: path for name, path in named.items() if path is not None}
    several = [*options.references, *given.values()]
    columns: list[list[str]] = [[] for _ in (*options.systems, *several)]
    for files, count in blocks(options.systems, several):
        for column, file in zip(columns, files, strict=True):
            column.extend(file.lines.texts(count))
    names = _short(system_names(options))
    first = len(options.systems)
    last = first + len(options.references)
    others = dict(zip(given, columns[last:], strict=True))
    bar = Bar("drawing")
    try:
        return report(
            dict(zip(names.values(), columns, strict=False)),
            reference_streams=columns[first:last],
            sources=others.get("source"),
            documents=others.get("docs"),
            domains=others.get("domains"),
            baseline=names.get(options.baseline, options.baseline),
            title=title,
            trials=options.trials,
            samples=options.samples,
            interval=options.interval,
            level=options.level,
            seed=options.seed,
            legacy=options.legacy,
            threads=options.threads,
            progress=bar.update,
            **settings_from(options),
        )
    finally:
        bar.close()
