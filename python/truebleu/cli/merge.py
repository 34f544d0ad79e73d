"""``truebleu merge``: scores of files of statistics, which ``score`` writes."""

from __future__ import annotations

from truebleu.cli.given import refuse_repeated, set_of
from truebleu.cli.output import Output, width_of
from truebleu.cli.parsing import Command, Namespace
from truebleu.cli.saved import summed, write_saved
from truebleu.cli.scored import Scored, ScoredColumn, add_output
from truebleu.display.formats import tsv_row
from truebleu.display.formatting import count
from truebleu.metrics.stats_saved import read_stats


def add_options(command: Command) -> None:
    command.description = (
        "Combine files of statistics that truebleu score has written, and print the scores of all "
        "their segments together."
    )
    command.epilog = (
        "Files with different settings are refused. Rows of the same system are added up, so give "
        "text files one name: truebleu score mt=part-1.txt -r ref-1.txt --stats-out part-1.jsonl"
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="a .jsonl file of statistics")
    group = command.add_argument_group("input")
    group.add_argument(
        "--total",
        action="store_true",
        help="add up all rows, whatever their system, document or group",
    )
    group.add_argument(
        "--replace",
        action="store_true",
        help="if a batch occurs twice with different content, use the later one as a whole; by "
        "default, it is an error",
    )
    add_output(command)


def run(options: Namespace) -> None:
    refuse_repeated(options.files)
    saved = read_stats(options.files, replace=options.replace)
    metrics = list(saved.metrics.values())
    sums = summed(saved, metrics, total=options.total)
    columns = []
    for metric, counted in zip(metrics, sums.counted, strict=True):
        scores = [metric.score(stats) for stats in counted]
        columns.append(ScoredColumn(scores=scores, intervals=[], signature=scores[0].signature))
    if options.stats_out:
        write_saved(saved.summed(total=options.total), options)
    if options.score_only:
        cells = [column.numbers(width_of(options)) for column in columns]
        with Output(options) as output:
            output.write("".join(map(tsv_row, zip(*cells, strict=True))))
        return
    notes = [f"{count(len(options.files), 'file')}, {count(sum(sums.segments), 'segment')}"]
    grouped = sums.header != ("system",)
    Scored(sums, columns, grouped=grouped).write(options, notes, set_of(saved))
