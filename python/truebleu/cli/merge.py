"""``truebleu merge``: scores of statistics that were counted elsewhere."""

from __future__ import annotations

import sys

from truebleu.cli.options import add_format, add_stats_out, add_width
from truebleu.cli.output import Announced, write
from truebleu.cli.parts import check_output, read_sums, write_sums
from truebleu.cli.scored import Scored, ScoredColumn
from truebleu.display.formats import tsv_row
from truebleu.display.formatting import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_options(command: ArgumentParser) -> None:
    """Add what the command understands."""
    command.description = (
        "Add up statistics that truebleu score --stats-out has written, and print the scores of "
        "the sums: those of all their segments together."
    )
    command.epilog = (
        "Files of different settings are refused. Rows of the same system are added up, so give "
        "text files one name: truebleu score mt=part-1.txt -r ref-1.txt --stats-out part-1.parquet"
    )
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="a .parquet or .jsonl file of statistics"
    )
    command.add_argument_group("input").add_argument(
        "--total",
        action="store_true",
        help="add up all rows, whatever their system, document or group",
    )
    output = command.add_argument_group("output")
    form = output.add_mutually_exclusive_group()
    add_format(output, instead_of=form)
    form.add_argument("-b", "--score-only", action="store_true", help="print only the scores")
    add_width(output)
    add_stats_out(output)


def run(options: Namespace) -> None:
    """Add up the files and print the scores."""
    if options.stats_out:
        check_output(options.stats_out, options.files)
    metrics, sums = read_sums(options.files, total=options.total)
    columns = []
    for metric, counted in zip(metrics, sums.counted, strict=True):
        scores = [metric.score(stats) for stats in counted]
        columns.append(ScoredColumn(scores, [], scores[0].signature))
    if options.stats_out:
        with Announced(options.stats_out, options):
            write_sums(options.stats_out, metrics, sums)
    if options.score_only:
        cells = [column.numbers(options.width) for column in columns]
        sys.stdout.write("".join(map(tsv_row, zip(*cells, strict=True))))
        return
    scored = Scored(sums.header, sums.labels, columns)
    notes = [f"{count(len(options.files), 'file')}, {count(sum(sums.segments), 'segment')}"]
    write(options, lambda plain: scored.blocks(options.width, notes, plain=plain), scored.values)
