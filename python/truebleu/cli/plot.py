"""``truebleu plot``: one chart of the report, for a paper."""

from __future__ import annotations

from truebleu.cli.given import given_from
from truebleu.cli.output import Announced
from truebleu.cli.parameters import Namespace
from truebleu.cli.parsing import Command
from truebleu.cli.report import add_shared, input_files, make_report, shown_name
from truebleu.errors import SettingsError


def add_options(command: Command) -> None:
    # This loads NumPy, which every chart needs.
    from truebleu.reporting.charts import NAMES
    from truebleu.reporting.drawing import WIDTHS

    command.add_argument(
        "chart", choices=NAMES, metavar="CHART", help=f"the chart, one of {', '.join(NAMES)}"
    )
    output = command.add_argument_group("output")
    output.add_argument(
        *("-o", "--output"),
        required=True,
        metavar="FILE",
        help="the chart to write: .svg, .png, .pdf, .json (Vega-Lite) or .html",
    )
    output.add_argument(
        "--size",
        choices=tuple(WIDTHS),
        help="width for a paper: column (3.03 inches) or page (6.3 inches)",
    )
    output.add_argument(
        "--pair",
        nargs=2,
        default=(None, None),
        metavar=("ONE", "OTHER"),
        help="the systems that the chart compares (default: the best, and the baseline or the "
        "second best)",
    )
    add_shared(
        command,
        "Draw one chart of the report.",
        "needed by the chart 'domains'; FILE has one domain per line",
    )


def run(options: Namespace) -> None:
    from truebleu.reporting import form_of
    from truebleu.writing import refuse_unwritable

    form_of(options.output)
    given = given_from(options, saved=True)
    refuse_unwritable(options.output, input_files(options, given))
    if given.saved and not options.metrics and len(given.saved.metrics) > 1:
        names = ", ".join(given.saved.metrics)
        raise SettingsError(f"there are statistics of {names}: choose one with -m")
    one, other = (shown_name(name, given) for name in options.pair)
    with Announced(options.output, options):
        make_report(options, given).chart(
            options.chart, options.output, one=one, other=other, width=options.size
        )
