"""Files of sums: what ``score --stats-out`` writes and ``merge`` reads."""

from __future__ import annotations

import os

from truebleu.cli.counted import Counted
from truebleu.engines.job import missing, overflow, stats_of_sums, stored_columns
from truebleu.errors import InputError, SettingsError, StatsMismatchError, UnknownNameError
from truebleu.metrics.comparable import assert_comparable
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.storage import KEY, check_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.cli.counted import Label
    from truebleu.metrics.base import Metric
    from truebleu.metrics.stats import Stats

METRIC, SIGNATURE, SEGMENTS = "metric", "signature", "segments"
FEWEST, MOST = "fewest_references", "most_references"

# The columns of every file, beside those that name a row, the fields of metrics, and the key.
_COLUMNS = (METRIC, SIGNATURE, SEGMENTS, FEWEST, MOST)

# Of int64, in which numbers are stored.
_LARGEST = (1 << 63) - 1

# More than any file has.
_MOST_SEGMENTS = 10**15

SUFFIXES = (".parquet", ".jsonl")
"""The formats of files of sums."""


def check_output(path: str, inputs: Iterable[str]) -> None:
    """Refuse a file that could not be written; errors are those of :func:`write_sums`."""
    from truebleu.writing import refuse_unwritable

    check_suffix(path)
    if path.lower().endswith(".parquet"):
        _pyarrow()
    refuse_unwritable(path, map(str, inputs))


def check_suffix(path: str) -> None:
    """Refuse a file of another format; raises SettingsError."""
    if not path.lower().endswith(SUFFIXES):
        raise SettingsError(
            f"{path}: statistics are stored as {' or '.join(SUFFIXES)}; choose such a name"
        )


def write_sums(path: str, metrics: Sequence[Metric], sums: Counted) -> None:
    """Write a row for each label and metric, all of the file or nothing.

    Raises
    ------
    SettingsError
        If the file is of another format, or a group has the name of another column.
    OSError
        If it cannot be written.
    MissingExtraError
        If it is a Parquet file, and pyarrow is not installed.
    """
    check_suffix(path)
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
    from truebleu.writing import write_whole

    write_whole(
        path,
        _parquet(rows, sums.header)
        if path.lower().endswith(".parquet")
        else _lines(rows, sums.header),
    )


def _row(
    sums: Counted, metric: Metric, number: int, stats: Stats, fields: Iterable[str]
) -> dict[str, Any]:
    """Return a row of a file by the names of its columns; fields of other metrics are None."""
    values = dict(zip(metric.fields, stats.to_numpy()[0].tolist(), strict=True))
    label = dict(zip(map(str, sums.header), map(_storable, sums.labels[number]), strict=True))
    about: dict[str, Any] = {
        METRIC: metric.identifier,
        SIGNATURE: metric.signature,
        SEGMENTS: sums.segments[number],
        FEWEST: stats.fewest,
        MOST: stats.most,
    }
    return label | about | {name: values.get(name) for name in fields} | {KEY: stats.key}


def _storable(part: object) -> object:
    """Return a part of a label, without bytes of a file's name that are not text."""
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else part


def _lines(rows: Sequence[dict[str, Any]], header: Label) -> bytes:
    from truebleu.display.data import json_lines

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
    """Import pyarrow, which is slow to load."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise missing("pyarrow", "arrow") from error
    return pa, pq


def read_sums(paths: Sequence[str], *, total: bool) -> tuple[list[Metric], Counted]:
    """Read files of sums, and add up the rows of each label.

    Parameters
    ----------
    paths : sequence of str
    total : bool
        Add up all rows of a metric, whatever their labels.

    Raises
    ------
    OSError
        If a file cannot be read.
    SettingsError
        If a file is of another format or is given twice, or two were counted with different
        settings; the message names both files and what differs.
    InputError
        If a file was not written by ``--stats-out``, or files name their rows by other columns.
    StatsMismatchError
        If the key of a row is not that of its settings.
    """
    _refuse_twice(paths)
    reading = _Reading(total=total)
    for path in paths:
        check_suffix(path)
        rows = _read_parquet(path) if path.lower().endswith(".parquet") else _read_lines(path)
        if not rows:
            raise InputError(f"{path} has no rows")
        for row in rows:
            reading.add(path, row)
    return reading.finish()


def _refuse_twice(paths: Sequence[str]) -> None:
    """Refuse a file that would be added to itself."""
    seen: dict[str, str] = {}
    for path in paths:
        same = seen.setdefault(os.path.realpath(path), path)
        if same is not path:
            raise SettingsError(f"{path} is given twice, and would count twice")


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
    import json

    with open(path, "rb") as file:
        lines = file.read().splitlines()
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
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
        """Add a row of a file; errors are those of :func:`read_sums`."""
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
        """Return the metric of a row; refuse settings that differ from those of another file."""
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
        """Return the sums; there has been a row.

        Raises
        ------
        InputError
            If a label has no row of some metric, or not as many segments.
        """
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
    """Return a whole number of a row; raises InputError if it is none."""
    number = row[name]
    if not isinstance(number, int) or isinstance(number, bool):
        raise InputError(f"{name} is {number!r}; a whole number is needed")
    return number


def _check_sizes(segments: int, fewest: int, most: int) -> None:
    """Refuse numbers of segments and references that no file has; raises InputError."""
    if not 0 < segments <= _MOST_SEGMENTS:
        raise InputError(f"{SEGMENTS} is {segments}; a number from 1 to {_MOST_SEGMENTS} is needed")
    if not 1 <= fewest <= most <= _MOST_SEGMENTS:
        raise InputError(
            f"{FEWEST} is {fewest} and {MOST} is {most}; numbers from 1 to {_MOST_SEGMENTS} are "
            "needed, the first not above the second"
        )
