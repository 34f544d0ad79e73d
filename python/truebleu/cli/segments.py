"""``truebleu segments``: the scores of every segment."""

from __future__ import annotations

import itertools
from math import isnan

from truebleu.cli.counting import count_blocks, count_systems
from truebleu.cli.given import given_from
from truebleu.cli.options import add_input, add_metrics, add_resampling, metrics_from
from truebleu.cli.output import Output, add_format, add_width, signed_values, width_of, write
from truebleu.cli.scored import add_stats_out, identifiers_of
from truebleu.display.blocks import Block
from truebleu.display.formats import FORMATS, json_line, tsv_row
from truebleu.display.formatting import decimals
from truebleu.errors import SettingsError
from truebleu.inputs.numbers import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from truebleu.cli.parsing import Command, Namespace
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Stats

    # For each system the statistics of some segments under each metric.
    Counted = Sequence[Sequence[Stats]]

# With smoothing, a tiny score may stand for 0.
_TINY = 1e-9


def add_options(command: Command) -> None:
    tables = add_input(
        command,
        "Score each segment separately: its number, the score of each system under each metric, "
        "and the reason for a score that is 0 or undefined.",
        several=True,
    )
    tables.add_argument(
        "--keep",
        nargs="+",
        action="extend",
        metavar="COLUMN",
        help="columns of the table that the output has, too, such as an ID; 'all' is the others",
    )
    add_metrics(command, several=True)
    output = command.add_argument_group("output")
    add_format(output, ("tsv", *(name for name in FORMATS if name != "tsv")))
    add_width(output)
    output.add_argument(
        "--worst",
        type=int,
        metavar="N",
        help="print only the N segments with the worst scores of the first system and metric, the "
        "worst first",
    )
    add_stats_out(output, "segment; score, segments and compare read such files in place of texts")
    add_resampling(
        output,
        ("units",),
        abouts={
            "units": "documents that --stats-out keeps: FILE with one line per segment, the ID of "
            "its document"
        },
    )


def run(options: Namespace) -> None:
    """Print a line per segment: its number, its scores, and why one is 0; as JSON whole scores."""
    given = given_from(options, saved=True)
    of_corpus = metrics_from(options, given)
    metrics = [metric._scoped(segment=True) for metric in of_corpus]
    systems = given.names
    if options.worst is not None and options.worst < 1:
        raise SettingsError(f"--worst {options.worst}: a number from 1 up is needed")
    if options.units != "auto" and not options.stats_out:
        raise SettingsError("--units has no effect here: add --stats-out")
    kept: dict[str, list[object]] = {}
    if options.keep:
        from truebleu.cli.tabular import read_kept

        kept = read_kept(given, options.keep)
    counted = _counted(of_corpus, metrics, given, options)
    numbers: Iterable[int | str] = _names(given)
    if options.worst:
        counted, chosen = _worst(counted, metrics[0], options.worst)
        names = list(itertools.islice(numbers, max(chosen) + 1))
        numbers = [names[row] for row in chosen]
        kept = {name: [cells[row] for row in chosen] for name, cells in kept.items()}
    if "segment" in kept:
        numbers = map(str, kept.pop("segment"))
    # People read two decimals; programs get every digit, as in JSON.
    width = options.width if FORMATS[options.format].plain else width_of(options)
    _write(_Table(systems, metrics, width, numbers, kept), counted, options, given)


def _write(table: _Table, counted: Iterator[Counted], options: Namespace, given: Given) -> None:
    # Of a table, all are counted: it is known which columns are empty.
    if options.format == "tsv" and given.columns is None:
        with Output(options) as output:
            for number, rows in enumerate(table.rows(counted)):
                # Not before the first segment has been counted.
                output.write(tsv_row(rows) if number else tsv_row(table.header) + tsv_row(rows))
    elif options.format == "jsonl":
        with Output(options) as output:
            for values in table.values(counted):
                output.write(json_line(signed_values(values, given.test_set)))
    else:
        write(
            options,
            lambda _: [table.block(counted)],
            lambda: list(table.values(counted)),
            given.test_set,
        )


def _names(given: Given) -> Iterator[int | str]:
    """Return numbers from 1; or of statistics the names of segments, unless they are these."""
    units = given.saved.units if given.saved else ()
    numbered = all(unit == str(number) for number, unit in enumerate(units, 1))
    return itertools.count(1) if numbered else iter(units)


def _worst(
    counted: Iterator[Counted], metric: Metric, most: int
) -> tuple[Iterator[Counted], list[int]]:
    """Return the segments with the worst scores of the first system, and their numbers."""
    whole = [
        [parts[0].join(parts) for parts in zip(*of_system, strict=True)]
        for of_system in zip(*counted, strict=True)
    ]
    sign = 1 if metric.higher_is_better else -1
    keys = [sign * score for score in _segment_scores(metric, whole[0][0])]
    # What is undefined comes first.
    order = sorted(range(len(keys)), key=lambda row: (not isnan(keys[row]), keys[row]))
    chosen = order[:most]
    block = [
        [stats.join([stats[row] for row in chosen]) for stats in of_system] for of_system in whole
    ]
    return iter([block]), chosen


def _segment_scores(metric: Metric, rows: Stats) -> memoryview[float]:
    return memoryview(metric._row_scores(rows.data)).cast("d")


def _counted(
    of_corpus: Sequence[Metric], metrics: Sequence[Metric], given: Given, options: Namespace
) -> Iterator[Counted]:
    """Count files block by block; or all, and write their statistics, those of a corpus."""
    threads = thread_count(options.threads)
    if given.columns is None and given.saved is None and not options.stats_out:
        for block, _ in count_blocks(metrics, given, threads, each=True):
            yield list(zip(*block, strict=True))
        return
    checksum = None
    if options.stats_out:
        from truebleu.metrics.stats_rows import ReferenceChecksum

        checksum = ReferenceChecksum()
    several = count_systems(metrics, given, threads, checksum)
    if checksum is not None:
        from truebleu.cli.saved import write_rows

        write_rows(of_corpus, several, given, options, str(checksum))
    yield list(zip(*(each.values() for each in several), strict=True))


class _Table:
    """What is printed for each segment: scores with `width` decimals, or with every digit."""

    def __init__(
        self,
        systems: Sequence[str],
        metrics: Sequence[Metric],
        width: int | None,
        numbers: Iterable[int | str],
        kept: Mapping[str, Sequence[object]],
    ) -> None:
        self._systems, self._metrics, self._width = systems, metrics, width
        self._identifiers = identifiers_of(metrics)
        self._numbers, self._kept = iter(numbers), kept

    @property
    def header(self) -> list[str]:
        """The names of the columns: a score for each system and metric, then their reasons."""
        names = self._identifiers
        if len(self._systems) > 1:
            names = [f"{system}_{name}" for system in self._systems for name in names]
        reasons = [f"{name}_reason" for name in names] if len(names) > 1 else ["reason"]
        names = ["segment", *self._kept, *names, *reasons]
        if twice := [name for name in self._kept if names.count(name) > 1]:
            raise _clash(twice[0])
        return names

    def values(self, counted: Iterator[Counted]) -> Iterator[dict[str, Any]]:
        """Yield each segment with its scores as plain values, by metric and system if several."""
        kept = map(dict, zip(*self._kept_cells(), strict=True))
        for block in counted:
            for rows in zip(*(zip(*several, strict=True) for several in block), strict=True):
                scores = [self._scores(of_metrics) for of_metrics in rows]
                systems = {"systems": dict(zip(self._systems, scores, strict=True))}
                columns, found = next(kept, {}), systems if len(scores) > 1 else scores[0]
                if twice := columns.keys() & found.keys():
                    raise _clash(min(twice))
                yield {"segment": next(self._numbers), **columns, **found}

    def _kept_cells(self) -> Iterator[list[tuple[str, object]]]:
        return ([(name, cell) for cell in cells] for name, cells in self._kept.items())

    def _scores(self, rows: Sequence[Stats]) -> dict[str, Any]:
        scores = {
            name: metric.score(row).to_dict()
            for name, metric, row in zip(self._identifiers, self._metrics, rows, strict=True)
        }
        return scores if len(scores) > 1 else scores[self._identifiers[0]]

    def rows(self, counted: Iterator[Counted]) -> Iterator[tuple[str, ...]]:
        for block in counted:
            columns: list[list[str]] = []
            reasons: list[Iterator[str]] = []
            for several in block:
                for metric, stats in zip(self._metrics, several, strict=True):
                    scores = _segment_scores(metric, stats)
                    form = "" if self._width is None else f".{self._width}f"
                    columns.append(["" if isnan(each) else decimals(each, form) for each in scores])
                    reasons.append(_reasons(metric, scores, stats))
            numbers = map(str, itertools.islice(self._numbers, len(block[0][0])))
            # Of a table, there is one block.
            kept = (map(_cell, cells) for cells in self._kept.values())
            yield from zip(numbers, *kept, *columns, *reasons, strict=True)

    def block(self, counted: Iterator[Counted]) -> Block:
        """Return all segments as a table, without columns of reasons that are empty."""
        columns = list(zip(self.header, *self.rows(counted), strict=True))
        kept = len(self._kept)
        scores = 1 + kept + len(self._systems) * len(self._metrics)
        shown = columns[:scores] + [each for each in columns[scores:] if any(each[1:])]
        header, *rows = zip(*shown, strict=True)
        align = "r" + "l" * kept + "r" * (scores - 1 - kept) + "l" * (len(shown) - scores)
        return Block(header=header, rows=[("", row) for row in rows], align=align)


def _clash(name: str) -> SettingsError:
    return SettingsError(f"--keep {name} clashes with a column of the output; rename it")


def _cell(cell: object) -> str:
    return "" if cell is None else str(cell)


def _reasons(metric: Metric, scores: memoryview[float], rows: Stats) -> Iterator[str]:
    # Most scores need no reason, and asking for it takes longer than all the rest. A score that is
    # undefined is 0; or, where lower is better, the scale.
    worst = 0.0 if metric.higher_is_better else metric.scale
    for score, row in zip(scores, rows, strict=True):
        suspicious = score < _TINY or score == worst or isnan(score)
        yield (metric.score(row).reason or "") if suspicious else ""
