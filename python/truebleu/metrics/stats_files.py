"""The format of files of statistics, JSON Lines, and how they are read and written: strictly.

``docs/statistics_files.md`` has the definition. Whatever is read may have been forged, so that
each value is checked, and what a file takes in memory is bounded by its size.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from itertools import chain

from truebleu.errors import (
    EncodingError,
    InputError,
    SettingsError,
    StatsMismatchError,
    TruebleuError,
)
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import JSON_SUFFIXES, json_value, suffix_of
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.stats_rows import LONGEST_NAME, Rows, check_unique
from truebleu.metrics.storage import KEY, overflow, stored_key
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric

    Object = dict[str, Any]
    # The metrics, the rows, and the test set with its language pair.
    Content = tuple[Sequence[Metric], Sequence[Rows], tuple[str, str] | None]

FORMAT, VERSION = "truebleu-stats", 2

# More segments, or references, than any file has.
_MOST = 10**15

# Bytes of a line.
_LONGEST = 1 << 16

# A file may take this much decompressed, or so many times its size.
_ALWAYS, _EXPANSION = 1 << 22, 200


def check_suffix(path: str) -> None:
    """Raise SettingsError for a name that is not one of JSON Lines."""
    if suffix_of(path) == ".parquet":
        raise SettingsError(
            f"{path}: statistics are stored as JSON Lines (.jsonl, or .jsonl.gz, which is smaller "
            "than Parquet); a table of statistics is converted by "
            "SavedStats({'NAME': pyarrow.parquet.read_table(...)}, units='COLUMN').write('x.jsonl')"
        )
    if suffix_of(path) not in JSON_SUFFIXES:
        raise SettingsError(
            f"{path}: statistics are stored as .jsonl, with .gz, .bz2, .xz, .zst or nothing; "
            "choose such a name"
        )


def is_saved(path: str) -> bool:
    """Whether a file that exists begins as one of statistics does, by segment or summed."""
    return FORMAT in _beginning(path)


def refuse_damaged(path: str) -> None:
    """Say what is wrong with a file that is no table of texts, but may be one of statistics."""
    if "level" in _beginning(path):
        read_file(path)


def _beginning(path: str) -> Iterable[object]:
    """Return the keys of the first line, and its format; only ``level`` if it cannot be read."""
    if suffix_of(path) not in JSON_SUFFIXES or not os.path.isfile(path):  # noqa: PTH113
        return ()
    try:
        first = json_value(next(chain.from_iterable(_blocks(path))))
    except (InputError, EncodingError, OSError, ValueError, RecursionError, StopIteration):
        return ("level",)
    if isinstance(first, dict):
        return (*first, *(value for value in first.values() if isinstance(value, str)))
    # The rows of a file whose beginning is lost.
    return ("level",) if isinstance(first, list) else ()


def read_file(path: str) -> list[Content]:
    """Return what each part of a file has: a file that was written, or several, one after another.

    Each part ends with the number of its rows, and a digest of all that is before it.
    """
    check_suffix(path)
    parts: list[Content] = []
    reading = None
    number = 0
    for lines in _blocks(path):
        try:
            place = 0
            while place < len(lines):
                if reading is None:
                    reading = _Reading(path, number + place)
                place = reading.add(lines, place)
                if reading.content:
                    if reading.content in parts:
                        raise InputError("these are the same rows again, and would count twice")
                    parts.append(reading.content)
                    reading = None
        except TruebleuError as error:
            raise type(error)(f"{path}:{reading.line if reading else number}: {error}") from None
        number += len(lines)
    if reading is not None:
        raise InputError(
            f"{path} is cut off after line {number:,}: its last line must be the object of level "
            "'end'; write or copy it again"
        )
    if not parts:
        raise InputError(f"{path} has no rows")
    return parts


def _blocks(path: str) -> Iterator[list[str]]:
    """Yield the lines of a file, some thousands at a time."""
    size = os.path.getsize(path) if os.path.isfile(path) else _ALWAYS  # noqa: PTH113, PTH202
    with LineFile(path, 1 << 18, longest=_LONGEST) as file:
        while count := _fill(file):
            if file.read_bytes > max(_ALWAYS, _EXPANSION * size):
                raise InputError(
                    f"{path} is more than {_EXPANSION} times as large when it is decompressed; "
                    "no file of statistics is"
                )
            yield list(file.lines.texts(count))
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


class _Reading:
    """A part of a file: a header, tables of rows, each after what it is of, and the end."""

    def __init__(self, path: str, line: int) -> None:
        self.line = line
        self.content: Content | None = None
        self._path = path
        self._digest = sha256()
        self._rows = 0
        self._labels: tuple[str, ...] = ()
        self._metrics: dict[str, Metric] = {}
        self._test_set: tuple[str, str] | None = None
        self._tables: list[_Table] = []

    def add(self, lines: list[str], place: int) -> int:
        """Read on from a place, at most to the end of the part; return where that is."""
        while place < len(lines) and self.content is None:
            self.line += 1
            start = place
            if lines[place].startswith("["):
                while place < len(lines) and lines[place].startswith("["):
                    place += 1
                self._add_rows(lines[start:place])
                self.line += place - start - 1
            else:
                place += 1
                self._add_object(lines[start])
            text = "\n".join([*lines[start:place], ""])
            self._digest.update(text.encode("utf-8", "surrogatepass"))
        return place

    def _add_rows(self, lines: list[str]) -> None:
        if not self._tables:
            raise InputError("there is no header, and so no table that this row is of")
        try:
            rows = json.loads(f"[{','.join(lines)}]")
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON in this row or one after it: {error}") from None
        if len(rows) != len(lines):
            raise InputError("one row per line is needed")
        self._rows += len(rows)
        self._tables[-1].add(rows)

    def _add_object(self, line: str) -> None:
        try:
            found = json_value(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}") from None
        if not isinstance(found, dict):
            raise InputError("a JSON object, or a row, is needed")
        level = found.get("level")
        if not self._metrics:
            if level != "header":
                raise InputError(
                    "there is no header: this is no file of truebleu score --segment-stats or "
                    "--stats-out; statistics of engines are scored by "
                    "truebleu.engines.tables.score_stats"
                )
            self._read_header(found)
        elif level in ("segments", "sum"):
            self._rows += level == "sum"
            self._tables.append(_Table(found, self._metrics, self._labels))
        elif level == "end":
            self._finish(found)
        else:
            raise InputError(f"level is {brief(level)}; segments, sum or end is needed")

    def _read_header(self, header: Object) -> None:
        if header.get("format") != FORMAT:
            raise InputError(f"the format is {brief(header.get('format'))}, not {FORMAT!r}")
        if header.get("version") != VERSION or isinstance(header["version"], bool):
            raise InputError(
                f"this is version {brief(header.get('version'))} of the format, and version "
                f"{VERSION} is needed: count the texts again, or read it with the truebleu that "
                "wrote it"
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
            self._read_metric(identifier, about)

    def _read_metric(self, identifier: str, about: Object) -> None:
        signature = about.get("signature")
        if not isinstance(signature, str) or len(signature) > LONGEST_NAME:
            raise InputError(f"signature is {brief(signature)}; a text is needed")
        metric = metric_from_signature(signature)
        if metric.identifier != identifier:
            raise InputError(f"{brief(identifier)} is not the metric of {signature}")
        key = metric.counting_key
        found = [about.get(each) for each in ("counting_key", KEY, "fields")]
        if found != [key, stored_key(key), list(metric.fields)]:
            raise StatsMismatchError(
                f"{metric.name} was counted under {brief(found[0])}, with the key "
                f"{brief(found[1])}, but its signature stands for {key} here, with the key "
                f"{stored_key(key)} and the fields {', '.join(metric.fields)}"
            )
        self._metrics[identifier] = metric

    def _finish(self, end: Object) -> None:
        digest = self._digest.hexdigest()
        if (end.get("rows"), end.get("sha256")) != (self._rows, digest):
            raise InputError(
                f"the file is damaged: {self._rows:,} rows with the SHA-256 {digest[:16]} are "
                f"before its end, which says {brief(end.get('rows'))} and "
                f"{brief(end.get('sha256'))}; write or copy it again"
            )
        rows = [each for table in self._tables if (each := table.rows()) is not None]
        if not rows:
            raise InputError("the file has no rows")
        # Whether each system has sums, or segments, once.
        levels: dict[object, bool] = {}
        listed: set[object] = set()
        for each in rows:
            key = each.metric, each.batch, each.label_key
            by_segment = each.units is not None
            if levels.setdefault(key, by_segment) != by_segment:
                raise InputError(f"{each.name} has a sum beside its segments")
            if by_segment and key in listed:
                raise InputError(f"{each.name} has its segments twice")
            listed.add(key)
        self.content = list(self._metrics.values()), rows, self._test_set


class _Table:
    """The rows of one metric, label and batch."""

    def __init__(self, about: Object, metrics: dict[str, Metric], labels: tuple[str, ...]) -> None:
        identifier = about.get("metric")
        if not isinstance(identifier, str) or identifier not in metrics:
            raise InputError(f"{brief(identifier)} is no metric of the header")
        self._metric = metric = metrics[identifier]
        self._known: Any = {
            "header": labels,
            "label": _label(about.get("label"), labels),
            "metric": metric.identifier,
            "batch": _text(about, "batch") or "",
            "references": _text(about, "references"),
        }
        self._range = -1, -1
        if about.get("fewest_references") is not None or about.get("most_references") is not None:
            fewest, most = (_number(about, f"{each}_references") for each in ("fewest", "most"))
            self._range = fewest, most
            if fewest > most:
                raise InputError(f"fewest_references is {fewest}, but most_references is {most}")
        self._named: list[list[str]] = [[], []] if about.get("documents") else [[]]
        self._counts: list[bytes] = []
        self._segments = 0
        if about["level"] == "sum":
            self._segments = _number(about, "segments")
            counts = about.get("counts")
            self._add([counts] if isinstance(counts, list) else [[]])
        elif about.get("documents") not in (None, True):
            raise InputError(f"documents is {brief(about['documents'])}; only true is known")

    def add(self, rows: list[list[Any]]) -> None:
        """Check rows of segments, and keep them."""
        if self._segments:
            raise InputError("a sum has no rows")
        self._add([row[len(self._named) :] for row in rows])
        for place, known in enumerate(self._named):
            coming = [row[place] for row in rows]
            _check_texts(coming, "the name of a segment or document")
            known.extend(coming)

    def _add(self, table: list[list[Any]]) -> None:
        import numpy as np

        fields = self._metric.fields
        if {*map(len, table)} != {len(fields)}:
            raise InputError(f"{len(fields)} counts are needed: {', '.join(fields)}")
        if wrong := {*map(type, chain.from_iterable(table))} - {int}:
            raise InputError(f"counts are whole numbers, but there is a {wrong.pop().__name__}")
        try:
            data = np.array(table, "<i8").tobytes()
        except OverflowError:
            raise overflow() from None
        self._metric._stats_type.check_rows(data, fields, self._metric.counting_key)
        self._counts.append(data)

    def rows(self) -> Rows | None:
        """Return what was read; None if it is nothing."""
        if not self._counts:
            return None
        stats = self._metric._stats_type(b"".join(self._counts), self._metric, *self._range)
        if self._segments:
            return Rows(**self._known, stats=stats, segments=self._segments)
        units, *documents = map(tuple, self._named)
        check_unique(units, ", ".join(map(str, self._known["label"])))
        return Rows(
            **self._known,
            stats=stats,
            segments=len(units),
            units=units,
            documents=documents[0] if documents else None,
        )


def _names(given: object) -> tuple[str, ...]:
    """Return a list of different names as a tuple; an empty one if it is something else."""
    if not isinstance(given, list) or not all(isinstance(each, str) and each for each in given):
        return ()
    different = len(set(given)) == len(given) and all(len(each) <= LONGEST_NAME for each in given)
    return tuple(given) if different else ()


def _text(about: Object, name: str) -> str | None:
    text = about.get(name)
    if text is not None:
        _check_texts([text], name)
    return text


def _check_texts(texts: Sequence[object], what: str) -> None:
    lengths = [*map(len, texts)] if {*map(type, texts)} == {str} else [0]  # type: ignore[arg-type]
    if 0 < min(lengths) <= max(lengths) <= LONGEST_NAME:
        return
    for text in texts:
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST_NAME:
            raise InputError(
                f"{what} is {brief(text)}; a text of 1 to {LONGEST_NAME:,} characters is needed"
            )


def _number(about: Object, name: str) -> int:
    number = about.get(name)
    if type(number) is not int or not 0 < number <= _MOST:
        raise InputError(f"{name} is {brief(number)}; a number from 1 to {_MOST:,} is needed")
    return number


def _label(given: object, names: tuple[str, ...]) -> tuple[object, ...]:
    """Return a label as it was written: JSON has no NaN, and no infinity."""
    if not isinstance(given, list) or len(given) != len(names):
        raise InputError(f"label is {brief(given)}; a list of {', '.join(names)} is needed")
    values = []
    for name, value in zip(names, given, strict=True):
        if isinstance(value, dict) and value.get("float") in ("nan", "inf", "-inf"):
            values.append(float(value["float"]))
        elif isinstance(value, list | dict):
            raise InputError(f"{name} is a {type(value).__name__}; a value is needed")
        else:
            values.append(value)
    return tuple(values)
