"""The format of files of statistics, JSON Lines or Parquet, and how they are read: strictly.

``docs/statistics_files.md`` has the definition. Whatever is read may have been forged, so that
each value is checked, and what a file takes in memory is bounded by its size.
"""

from __future__ import annotations

import os

from truebleu.errors import (
    EncodingError,
    InputError,
    MissingExtraError,
    SettingsError,
    StatsMismatchError,
    TruebleuError,
)
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import JSON_SUFFIXES, json_value, suffix_of
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.stats_parts import LONGEST_NAME, Part, check_units
from truebleu.metrics.storage import KEY, check_columns, packed, stored_key
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric

    Row = dict[str, Any]
    # The metrics, the parts, and the test set with its language pair.
    ReadFile = tuple[Sequence[Metric], Sequence[Part], tuple[str, str] | None]

FORMAT, VERSION = "truebleu-stats", 1

NAMES = (
    *("level", "batch", "unit", "metric", "signature", "segments"),
    *("fewest_references", "most_references", "references", "counts", KEY),
)
"""The columns of every file, beside labels and the fields of metrics."""

# More than any file has.
_MOST_SEGMENTS = 10**15

# Bytes of a row, or of the header.
_LONGEST = 1 << 16

# A file may take this much decompressed, or so many times its size.
_ALWAYS, _EXPANSION = 1 << 22, 200

_SUFFIXES = "statistics are stored as .parquet, or as .jsonl with .gz, .bz2, .xz, .zst or nothing"


def is_parquet(path: str) -> bool:
    """Whether a file is Parquet, by its name; raises SettingsError for another format."""
    as_table = path.lower().endswith(".parquet")
    if not as_table and suffix_of(path) not in JSON_SUFFIXES:
        raise SettingsError(f"{path}: {_SUFFIXES}; choose such a name")
    return as_table


def is_saved(path: str) -> bool:
    """Whether a file that exists begins as one of statistics does, by segment or summed."""
    return FORMAT in _beginning(path)


def refuse_damaged(path: str) -> None:
    """Say what is wrong with a file that is no table of texts, but may be one of statistics."""
    if "level" in _beginning(path):
        read_file(path)


def _beginning(path: str) -> Iterable[object]:
    """Return the columns of a file, and its format; only ``level`` if it cannot be read."""
    suffix = suffix_of(path)
    if not os.path.isfile(path):  # noqa: PTH113  # pathlib is slow to load.
        return ()
    try:
        if suffix == ".parquet":
            schema = pyarrow()[1].read_schema(path)
            return (*schema.names, *(key.decode() for key in schema.metadata or {}))
        if suffix in JSON_SUFFIXES:
            row, _ = next(_json_rows(path))
            return (*row, row.get("format"))
    except (InputError, EncodingError, OSError, ValueError, NotImplementedError, StopIteration):
        return ("level",)
    return ()


def pyarrow() -> tuple[Any, Any]:
    """Return the library, and its module for Parquet."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtraError("this needs pyarrow: pip install 'truebleu[arrow]'") from error
    return pa, pq


def read_file(path: str) -> ReadFile:
    """Return the metrics of a file, the parts, and the test set, if it is known."""
    rows = _parquet_rows(path) if is_parquet(path) else _json_rows(path)
    reading: _Reading | None = None
    for row, where in rows:
        try:
            if reading is None:
                reading = _Reading(path, row)
                continue
            reading.add(row)
        except StatsMismatchError as error:
            raise StatsMismatchError(f"{where}: {error}") from None
        except SettingsError as error:
            raise SettingsError(f"{where}: {error}") from None
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    if reading is None or not reading.parts:
        raise InputError(f"{path} has no rows")
    return reading.finish()


def _json_rows(path: str) -> Iterator[tuple[Row, str]]:
    size = os.path.getsize(path) if os.path.isfile(path) else _ALWAYS  # noqa: PTH113, PTH202
    with LineFile(path, 1 << 18, longest=_LONGEST) as file:
        number = 0
        while count := _fill(file):
            if file.read_bytes > max(_ALWAYS, _EXPANSION * size):
                raise InputError(
                    f"{path} is more than {_EXPANSION} times as large when it is decompressed; "
                    "no file of statistics is"
                )
            for line in file.lines.texts(count):
                number += 1
                where = f"{path}:{number}"
                try:
                    row = json_value(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{where}: not JSON: {error}") from None
                if not isinstance(row, dict):
                    raise InputError(f"{where}: a JSON object is needed")
                yield row, where
            file.lines.drop_front(count)


def _fill(file: LineFile) -> int:
    """Read on; a compressed file that is damaged is an error of what is in it."""
    try:
        return file.fill()
    except InputError as error:
        # The limit of lines of text is a setting; this one is not.
        raise type(error)(str(error).partition(": is this")[0]) from None
    except OSError as error:
        if error.errno is None:
            raise InputError(str(error)) from None
        raise


def _parquet_rows(path: str) -> Iterator[tuple[Row, str]]:
    pa, pq = pyarrow()
    with open(path, "rb") as file:  # Its errors name the file as it was given.
        content = file.read()
    try:
        # Without threads of Arrow: a process that ends soon after they have begun may be aborted.
        table = pq.ParquetFile(pa.BufferReader(content), pre_buffer=False)
        stored = table.metadata
        size = sum(stored.row_group(n).total_byte_size for n in range(stored.num_row_groups))
        if stored.num_rows > len(content) or size > max(_ALWAYS, _EXPANSION * len(content)):
            raise InputError(
                f"{path} says that it has {stored.num_rows:,} rows of {size:,} bytes in "
                f"{len(content):,}; no file of statistics has"
            )
        header = (stored.metadata or {}).get(FORMAT.encode())
        if header is not None:
            read = json_value(header[:_LONGEST])
            if not isinstance(read, dict) or read.get("level") != "header":
                raise InputError(f"{path}: the header is no object of level 'header'")
            yield read, path
        for batch in table.iter_batches(1 << 13, use_threads=False):
            for row in batch.to_pylist():
                yield row, path
    except (pa.ArrowException, OSError, ValueError, RecursionError, OverflowError) as error:
        if isinstance(error, TruebleuError):
            raise
        raise InputError(f"{path}: {str(error).partition(chr(10))[0]}") from None


class _Reading:
    """Rows of a file, put together to parts as they come."""

    def __init__(self, path: str, header: Row) -> None:
        self._path = path
        self._labels: tuple[str, ...] = ()
        self._metrics: dict[str, Metric] = {}
        # What the statistics of each depend on, the key of that, and the fields.
        self._keys: dict[str, tuple[str, int, tuple[str, ...]]] = {}
        self._test_set: tuple[str, str] | None = None
        self._steps: dict[str, int] = {}
        # By metric, label and batch: the data of rows, their sizes, names and references.
        self.parts: dict[tuple[str, Any, str | None, int], list[tuple[Any, ...]]] = {}
        if header.get("level") != "header":
            raise InputError(
                "there is no header: this is no file of truebleu score --segment-stats or "
                "--stats-out; statistics of engines are scored by "
                "truebleu.engines.tables.score_stats"
            )
        self._read_header(header)

    def _read_header(self, header: Row) -> None:
        if header.get("format") != FORMAT:
            raise InputError(f"the format is {brief(header.get('format'))}, not {FORMAT!r}")
        if header.get("version") != VERSION or isinstance(header["version"], bool):
            raise InputError(
                f"this is version {brief(header.get('version'))} of the format, and version "
                f"{VERSION} is needed: read it with the truebleu that wrote it, or update this one"
            )
        self._labels, metrics = _names(header.get("labels")), header.get("metrics")
        if not self._labels or not isinstance(metrics, dict) or not metrics:
            raise InputError("the header needs labels, which are names, and metrics")
        pair = header.get("test_set"), header.get("language_pair")
        if pair != (None, None):
            names = _names(list(pair))
            if not names or "|" in "".join(names):
                raise InputError(
                    "test_set and language_pair of the header are names without |, or null"
                )
            self._test_set = names[0], names[1]
        for identifier, about in metrics.items():
            if not isinstance(about, dict):
                raise InputError(f"metric {brief(identifier)} of the header is no object")
            metric = self._metric_of(identifier, about.get("signature"))
            found = [about.get(each) for each in ("counting_key", KEY, "fields")]
            step = self._steps[metric.identifier] = about.get("step", 0)
            if type(step) is not int or step < 0:
                raise InputError(f"the step of {metric.name} is {brief(step)}; 0 or more is needed")
            key = metric.counting_key
            if found != [key, stored_key(key), list(metric.fields)]:
                raise StatsMismatchError(
                    f"{metric.name} was counted under {brief(found[0])}, with the key "
                    f"{brief(found[1])}, but its signature stands for {key} here, with the key "
                    f"{stored_key(key)} and the fields {', '.join(metric.fields)}"
                )

    def _metric_of(self, identifier: object, signature: object) -> Metric:
        """Return the metric of a signature, which the header has."""
        if not isinstance(signature, str) or len(signature) > LONGEST_NAME:
            raise InputError(f"signature is {brief(signature)}; a text is needed")
        metric = metric_from_signature(signature)
        if metric.identifier != identifier:
            raise InputError(f"{brief(identifier)} is not the metric of {signature}")
        self._metrics[metric.identifier] = metric
        counting_key = metric.counting_key
        self._keys[metric.identifier] = counting_key, stored_key(counting_key), metric.fields
        return metric

    def add(self, row: Row) -> None:
        """Check a row, and keep it."""
        found = row.get("metric")
        if not isinstance(found, str) or found not in self._metrics:
            raise InputError(f"{brief(found)} is no metric of the header")
        metric = self._metrics[found]
        counting_key, key, fields = self._keys[metric.identifier]
        counts = row.get("counts")
        if isinstance(counts, list):
            if len(counts) != len(fields):
                raise InputError(
                    f"counts has {len(counts):,} numbers; those of {metric.name} are "
                    f"{', '.join(fields)}"
                )
            counts = undone(counts, self._steps[metric.identifier])
            row = {**row, **dict(zip(fields, counts, strict=True))}
        check_columns(fields, row, InputError)
        if type(row[KEY]) is not int or row[KEY] != key:
            raise StatsMismatchError(
                f"the row has the key {brief(row[KEY])} (keys are int64 and never null), but "
                f"statistics counted under {counting_key} have the key {key}"
            )
        self._keep(row, metric, counting_key, fields)

    def _keep(self, row: Row, metric: Metric, counting_key: str, fields: tuple[str, ...]) -> None:
        level = row.get("level")
        if level not in ("sum", "segment"):
            raise InputError(f"level is {brief(level)}; segment or sum is needed")
        *counts, segments = [_number(row, name) for name in (*fields, "segments")]
        fewest = most = -1
        if row.get("fewest_references") is not None or row.get("most_references") is not None:
            fewest, most = _number(row, "fewest_references"), _number(row, "most_references")
        _check_sizes(segments, fewest, most)
        data = packed(counts)
        metric._stats_type.check_rows(data, fields, counting_key)
        label = tuple(self._label(row, name) for name in self._labels)
        batch, references = _text(row, "batch"), _text(row, "references")
        unit = document = None
        if level == "segment":
            unit, document = _text(row, "unit"), _text(row, "document")
            if unit is None or segments != 1:
                raise InputError("a row of level segment needs a unit, and has one segment")
        # Each sum is a part by itself.
        key = metric.identifier, label, batch, len(self.parts) if unit is None else -1
        kept = data, segments, unit, document, fewest, most, references
        self.parts.setdefault(key, []).append(kept)

    def _label(self, row: Row, name: str) -> object:
        if name not in row:
            raise InputError(f"there is no column {name!r}, which the header names")
        value: object = row[name]
        if isinstance(value, list | dict):
            raise InputError(f"{name} is a {type(value).__name__}; a value is needed")
        return value

    def finish(self) -> ReadFile:
        """Return the parts; each unit is there once, and all or none have documents."""
        parts: list[Part] = []
        levels: dict[object, bool] = {}
        for (identifier, label, batch, _), rows in self.parts.items():
            part = self._part(self._metrics[identifier], label, batch or "", rows)
            if levels.setdefault(part.key, part.units is None) != (part.units is None):
                raise InputError(f"{self._path}: {part.name} has a sum beside its segments")
            parts.append(part)
        return list(self._metrics.values()), parts, self._test_set

    def _part(self, metric: Metric, label: Any, batch: str, rows: list[tuple[Any, ...]]) -> Part:
        data, segments, units, documents, fewest, most, checksums = zip(*rows, strict=True)
        where = f"{self._path}: {', '.join(map(str, label))}"
        by_segment, has_documents = units[0] is not None, documents[0] is not None
        if by_segment:
            check_units(units, where)
        if len({each is None for each in documents}) > 1 or len(set(checksums)) > 1:
            raise InputError(
                f"{where} has a document for some segments only, or several checksums of references"
            )
        return Part(
            header=self._labels,
            label=label,
            metric=metric.identifier,
            batch=batch,
            references=checksums[0],
            stats=metric._stats_type(b"".join(data), metric, min(fewest), max(most)),
            segments=sum(segments),
            units=units if by_segment else None,
            documents=documents if has_documents else None,
            source=self._path,
        )


def differences(counts: list[int], step: int) -> list[int]:
    """Return each number minus the one `step` before it, which is smaller; 0 changes nothing."""
    if not step:
        return counts
    return [*counts[:step], *(b - a for a, b in zip(counts, counts[step:], strict=False))]


def undone(counts: list[Any], step: int) -> list[Any]:
    """Return the numbers that :func:`differences` was given; others than whole ones are kept."""
    if step and all(type(each) is int for each in counts):
        for place in range(step, len(counts)):
            counts[place] += counts[place - step]
    return counts


def _names(given: object) -> tuple[str, ...]:
    """Return a list of different names as a tuple; an empty one if it is something else."""
    if not isinstance(given, list) or not all(isinstance(each, str) and each for each in given):
        return ()
    different = len(set(given)) == len(given) and all(len(each) <= LONGEST_NAME for each in given)
    return tuple(given) if different else ()


def _text(row: Row, name: str) -> str | None:
    text = row.get(name)
    if text is None:
        return None
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_NAME:
        raise InputError(
            f"{name} is {brief(text)}; a text of 1 to {LONGEST_NAME:,} characters is needed"
        )
    return text


def _number(row: Row, name: str) -> int:
    number = row.get(name)
    if not isinstance(number, int) or isinstance(number, bool):
        raise InputError(f"{name} is {brief(number)}; a whole number is needed")
    return number


def _check_sizes(segments: int, fewest: int, most: int) -> None:
    if not 0 < segments <= _MOST_SEGMENTS:
        raise InputError(f"segments is {segments}; a number from 1 to {_MOST_SEGMENTS} is needed")
    if (fewest, most) != (-1, -1) and not 1 <= fewest <= most <= _MOST_SEGMENTS:
        raise InputError(
            f"fewest_references is {fewest} and most_references is {most}; numbers from 1 to "
            f"{_MOST_SEGMENTS} are needed, the first not above the second"
        )
