"""``truebleu merge``: scores of files of sums, which ``score --stats-out`` writes."""

from __future__ import annotations

import os
import sys

from truebleu.cli.output import Announced
from truebleu.cli.scored import Counted, Scored, ScoredColumn, add_output
from truebleu.display.formats import json_lines, tsv_row
from truebleu.display.formatting import count
from truebleu.engines.job import missing, overflow, stats_of_sums, stored_columns
from truebleu.errors import InputError, SettingsError, StatsMismatchError, UnknownNameError
from truebleu.inputs.forms import json_value
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.signatures import assert_comparable
from truebleu.metrics.storage import KEY, check_keys
from truebleu.writing import refuse_unwritable, write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.cli.scored import Label
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

METRIC, SIGNATURE, SEGMENTS = "metric", "signature", "segments"
FEWEST, MOST = "fewest_references", "most_references"

# The columns of every file, beside those that name a row, the fields of metrics, and the key.
_COLUMNS = (METRIC, SIGNATURE, SEGMENTS, FEWEST, MOST)

# Of int64, in which numbers are stored.
_LARGEST = (1 << 63) - 1

# More than any file has.
_MOST_SEGMENTS = 10**15

_SUFFIXES = (".parquet", ".jsonl")


def add_options(command: ArgumentParser) -> None:
    command.description = (
        "Add up statistics that truebleu score --stats-out has written, and print the scores of "
        "the sums: those of all their segments together."
    )
    command.epilog = (
        "Files with different settings are refused. Rows of the same system are added up, so give "
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
    add_output(command)


def run(options: Namespace) -> None:
    """Add up the files and print the scores."""
    if options.stats_out:
        check_output(options.stats_out, options.files)
    metrics, sums = read_sums(options.files, total=options.total)
    columns = []
    for metric, counted in zip(metrics, sums.counted, strict=True):
        scores = [metric.score(stats) for stats in counted]
        columns.append(ScoredColumn(scores=scores, intervals=[], signature=scores[0].signature))
    if options.stats_out:
        with Announced(options.stats_out, options):
            write_sums(options.stats_out, metrics, sums)
    if options.score_only:
        cells = [column.numbers(options.width) for column in columns]
        sys.stdout.write("".join(map(tsv_row, zip(*cells, strict=True))))
        return
    notes = [f"{count(len(options.files), 'file')}, {count(sum(sums.segments), 'segment')}"]
    Scored(sums.header, sums.labels, columns).write(options, notes)


def check_output(path: str, inputs: Iterable[str]) -> None:
    """Refuse a file that could not be written, before the work and not after it."""
    if _is_parquet(path):
        _pyarrow()
    refuse_unwritable(path, map(str, inputs))


def _is_parquet(path: str) -> bool:
    """Whether a file is Parquet, by its name; raises SettingsError for another format."""
    if not path.lower().endswith(_SUFFIXES):
        raise SettingsError(
            f"{path}: statistics are stored as {' or '.join(_SUFFIXES)}; choose such a name"
        )
    return path.lower().endswith(".parquet")


def write_sums(path: str, metrics: Sequence[Metric], sums: Counted) -> None:
    """Write a row for each label and metric, all of the file or nothing."""
    fields = list(dict.fromkeys(name for metric in metrics for name in metric.fields))
    taken = {name.casefold() for name in (*_COLUMNS, *fields, KEY)}
    for name in map(str, sums.header):
        if name.casefold() in taken:
            raise SettingsError(
                f"--group-by column {name!r} clashes with a column of --stats-out; rename it"
            )
    rows = [
        _row(sums, metric, number, stats.sum(), fields)
        for metric, several in zip(metrics, sums.counted, strict=True)
        for number, stats in enumerate(several)
    ]
    written = _parquet if _is_parquet(path) else _lines
    write_whole(path, written(rows, sums.header))


def _row(
    sums: Counted, metric: Metric, number: int, stats: Stats, fields: Iterable[str]
) -> dict[str, Any]:
    """Return a row of a file by the names of its columns; fields of other metrics are None."""
    values = dict(zip(metric.fields, stats.to_numpy()[0].tolist(), strict=True))
    # Bytes of a file's name that are not text cannot be stored.
    label = {
        str(name): part.encode("utf-8", "backslashreplace").decode()
        if isinstance(part, str)
        else part
        for name, part in zip(sums.header, sums.labels[number], strict=True)
    }
    about: dict[str, Any] = {
        METRIC: metric.identifier,
        SIGNATURE: metric.signature,
        SEGMENTS: sums.segments[number],
        FEWEST: stats.fewest,
        MOST: stats.most,
    }
    return label | about | {name: values.get(name) for name in fields} | {KEY: stats.key}


def _lines(rows: Sequence[dict[str, Any]], header: Label) -> bytes:
    # Without the fields of other metrics.
    kept = {*map(str, header)}
    return json_lines(
        [{name: row[name] for name in row if name in kept or row[name] is not None} for row in rows]
    ).encode()


def _parquet(rows: Sequence[dict[str, Any]], header: Label) -> bytes:
    pa, pq = _pyarrow()
    columns = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        kind = pa.string() if name in (METRIC, SIGNATURE) else pa.int64()
        columns[name] = _labels(pa, values) if name in map(str, header) else pa.array(values, kind)
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _labels(pa: Any, values: list[Any]) -> Any:
    """Make a column of labels; what Arrow has no type for becomes text."""
    try:
        return pa.array(values)
    except pa.ArrowException:
        return pa.array([None if value is None else str(value) for value in values])


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing("pyarrow", "arrow") from error
    return pa, pq


def read_sums(paths: Sequence[str], *, total: bool) -> tuple[list[Metric], Counted]:
    """Read files of ``--stats-out``; add up the rows of each label, or all for the `total`."""
    seen: dict[str, str] = {}
    for path in paths:
        if seen.setdefault(os.path.realpath(path), path) is not path:
            raise SettingsError(f"{path} is given twice, and would count twice")
    reading = _Reading(total=total)
    for path in paths:
        rows = _read_parquet(path) if _is_parquet(path) else _read_lines(path)
        if not rows:
            raise InputError(f"{path} has no rows")
        for row in rows:
            reading.add(path, row)
    return reading.finish()


def _read_parquet(path: str) -> list[dict[str, Any]]:
    pa, pq = _pyarrow()
    with open(path, "rb") as file:  # Its errors name the file as it was given.
        content = file.read()
    try:
        # Without threads of Arrow: a process that ends soon after they have begun may be aborted.
        table = pq.ParquetFile(pa.BufferReader(content), pre_buffer=False).read(use_threads=False)
        found: list[dict[str, Any]] = table.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: {str(error).partition(chr(10))[0]}") from None
    return found


def _read_lines(path: str) -> list[dict[str, Any]]:
    with open(path, "rb") as file:
        lines = file.read().splitlines()
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json_value(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}:{number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise InputError(f"{path}:{number}: a JSON object is needed")
        rows.append(row)
    return rows


class _Reading:
    """Rows of files, added up as they come."""

    def __init__(self, *, total: bool) -> None:
        self._total = total
        self._header: tuple[str, ...] | None = None
        self._first = ""
        # By the identifier of each metric: the metric, and the file that it was first found in.
        self._metrics: dict[str, tuple[Metric, str]] = {}
        self._sums: dict[tuple[str, Label], tuple[Stats, int]] = {}
        # Labels as they were found, by what makes them equal.
        self._labels: dict[Label, Label] = {}

    def add(self, path: str, row: dict[str, Any]) -> None:
        for name in _COLUMNS:
            if name not in row:
                raise InputError(
                    f"{path} has no column {name!r}: merge reads what score --stats-out has "
                    "written; for statistics of engines, use truebleu.engines.tables.score_stats"
                )
        metric = self._metric(path, row)
        try:
            stored_columns(metric, row)
            check_keys([row[KEY]], metric.counting_key)
            numbers = [_number(row, name) for name in (*metric.fields, SEGMENTS, FEWEST, MOST)]
            *counts, segments, fewest, most = numbers
            _check_sizes(segments, fewest, most)
            stats = stats_of_sums(metric, counts, fewest, most)
        except StatsMismatchError as error:
            raise StatsMismatchError(f"{path}: {error}") from None
        except (InputError, UnknownNameError) as error:
            raise InputError(f"{path}: {error}") from None
        label = self._label(path, row)
        before = self._sums.get((metric.identifier, label))
        if before is not None:
            stats, segments = before[0] + stats, before[1] + segments
            if segments > _LARGEST:
                raise overflow()
        self._sums[metric.identifier, label] = stats, segments

    def _metric(self, path: str, row: dict[str, Any]) -> Metric:
        """Refuse settings that differ from those of another file."""
        signature = str(row[SIGNATURE])
        known = self._metrics.get(str(row[METRIC]))
        if known is not None and known[0].signature == signature:
            return known[0]
        try:
            metric = metric_from_signature(signature)
        except SettingsError as error:
            raise SettingsError(f"{path}: {error}") from None
        if metric.identifier != row[METRIC]:
            raise InputError(f"{path}: {row[METRIC]!r} is not the metric of {signature}")
        if known is None:
            self._metrics[metric.identifier] = metric, path
            return metric
        try:
            assert_comparable(known[0].signature, signature)
        except SettingsError as error:
            raise SettingsError(
                f"{known[1]} and {path} were counted with different settings: "
                f"{str(error).partition(': ')[2]}"
            ) from None
        return known[0]

    def _label(self, path: str, row: dict[str, Any]) -> Label:
        """Return what tells a row from others: the columns before the metric."""
        if self._total:
            self._header = ("system",)
            return self._labels.setdefault(("total",), ("total",))
        header = tuple(row)[: list(row).index(METRIC)]
        if self._header is None:
            self._header, self._first = header, path
        if set(header) != set(self._header):
            raise InputError(
                f"{self._first} has sums by {', '.join(self._header)}, but {path} by "
                f"{', '.join(header)}: merge them separately, or add up all rows with --total"
            )
        label = tuple(row[name] for name in self._header)
        for name, part in zip(self._header, label, strict=True):
            if isinstance(part, list | dict):
                raise InputError(f"{path}: {name} is a {type(part).__name__}; a value is needed")
        # NaN differs from itself.
        same = tuple("nan" if str(part) == "nan" else part for part in label)
        return self._labels.setdefault(same, label)

    def finish(self) -> tuple[list[Metric], Counted]:
        """Return the sums, if every label has a row, and as many segments, of each metric."""
        metrics = [metric for metric, _ in self._metrics.values()]
        labels = list(self._labels.values())
        counted: list[list[Stats]] = []
        segments: list[int] = []
        for metric in metrics:
            found = [self._sums.get((metric.identifier, label)) for label in labels]
            for label, each in zip(labels, found, strict=True):
                if each is None:
                    raise InputError(
                        f"{', '.join(map(str, label))} has no statistics of {metric.name}, but of "
                        "other metrics"
                    )
            counted.append([each[0] for each in found if each is not None])
            sizes = [each[1] for each in found if each is not None]
            if segments and sizes != segments:
                raise InputError(
                    f"{metric.name} has {sum(sizes):,} segments, but {metrics[0].name} "
                    f"{sum(segments):,}: a file of one of them is missing"
                )
            segments = sizes
        header = self._header or ()
        return metrics, Counted(header=header, labels=labels, counted=counted, segments=segments)


def _number(row: dict[str, Any], name: str) -> int:
    number = row[name]
    if not isinstance(number, int) or isinstance(number, bool):
        raise InputError(f"{name} is {number!r}; a whole number is needed")
    return number


def _check_sizes(segments: int, fewest: int, most: int) -> None:
    if not 0 < segments <= _MOST_SEGMENTS:
        raise InputError(f"{SEGMENTS} is {segments}; a number from 1 to {_MOST_SEGMENTS} is needed")
    if not 1 <= fewest <= most <= _MOST_SEGMENTS:
        raise InputError(
            f"{FEWEST} is {fewest} and {MOST} is {most}; numbers from 1 to {_MOST_SEGMENTS} are "
            "needed, the first not above the second"
        )
