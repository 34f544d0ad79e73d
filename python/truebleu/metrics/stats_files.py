"""Files of statistics, JSON Lines: how they are written, each as a whole, and read, strictly.

``docs/statistics_files.md`` has the definition. Whatever is read may have been forged, so that
each value is checked.
"""

from __future__ import annotations

import json
import os
import warnings
from hashlib import sha256
from importlib import import_module
from itertools import chain, groupby
from json.encoder import encode_basestring
from operator import methodcaller

from truebleu._core import __version__
from truebleu.errors import (
    InputError,
    MissingExtraError,
    SettingsError,
    StatsMismatchError,
    TruebleuError,
)
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import JSON_SUFFIXES, json_value, suffix_of
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_joining import check_units
from truebleu.metrics.stats_rows import Rows
from truebleu.metrics.storage import KEY, overflow, stored_key
from truebleu.record import brief
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric

    Object = dict[str, Any]
    # The metrics, the rows, and the test set with its language pair.
    Content = tuple[Sequence[Metric], Sequence[Rows], tuple[str, str] | None]

FORMAT, VERSION = "truebleu-stats", 2

# What is raised where a file is no JSON, or has other values.
_ODD = (ValueError, TypeError, KeyError, RecursionError)

# Rows that are written at a time.
_ROWS = 1 << 13


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
            f"{path}: statistics are stored as .jsonl, with .gz, .bz2, .xz, .zst or nothing behind "
            "it, as truebleu score --stats-out does; the name has another ending"
        )


def write_file(path: str, labels: Sequence[str], content: Content) -> None:
    """Write rows with these labels, as a whole or not at all."""
    check_suffix(path)
    metrics, several, test_set = content
    check_units(several)
    text = b"".join(_lines(metrics, several, labels, test_set))
    number = sum(len(rows.stats) for rows in several)
    end = {"level": "end", "rows": number, "sha256": sha256(text).hexdigest()}
    write_whole(path, _compressed(text + _line(end), path))


def _lines(
    metrics: Sequence[Metric],
    several: Sequence[Rows],
    labels: Sequence[str],
    test_set: tuple[str, str] | None,
) -> Iterator[bytes]:
    """Yield the header, and for each table what it is of, and its rows; a sum is one line."""
    name, pair = test_set or (None, None)
    described = {metric.identifier: _described(metric) for metric in metrics}
    header = {"level": "header", "format": FORMAT, "version": VERSION, "truebleu": __version__}
    header |= {"test_set": name, "language_pair": pair}
    yield _line(header | {"labels": list(labels), "metrics": described})
    for rows in several:
        about: Object = {"level": "sum" if rows.units is None else "segments"}
        about |= {"label": [_written(rows.label[name]) for name in labels], "metric": rows.metric}
        about |= {"batch": rows.batch or None, "references": rows.references}
        if rows.stats.references is not None:
            about["fewest_references"] = rows.stats.fewest
            about["most_references"] = rows.stats.most
        counts = rows.stats.to_numpy()
        if rows.units is None:
            yield _line(about | {"segments": rows.segments, "counts": counts[0].tolist()})
            continue
        yield _line(about | {"documents": True} if rows.documents else about)
        names = [map(encode_basestring, each) for each in (rows.units, rows.documents) if each]
        for start in range(0, len(counts), _ROWS):
            # An encoder that is called for each row takes four times as long.
            numbers = str(counts[start : start + _ROWS].tolist())[2:-2].replace(" ", "")
            cells = zip(numbers.split("],["), *names, strict=False)
            yield "".join([f"[{','.join(row)},{last}]\n" for last, *row in cells]).encode()


def _line(about: Object) -> bytes:
    """Encode an object; fields that are null are left out."""
    found = {name: value for name, value in about.items() if value is not None}
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _described(metric: Metric) -> Object:
    """Describe a metric; refuse one that could not be made again, as it is in Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            same = metric_from_signature(metric.signature).counting_key == metric.counting_key
        except TruebleuError:
            same = False
    if not same:
        raise SettingsError(
            f"{metric.name} cannot be made from its signature, {brief(metric.signature)}, so its "
            "statistics could not be read: store them as Stats.to_bytes does"
        )
    return {"name": metric.name, "signature": metric.signature} | _counting(metric)


def _counting(metric: Metric) -> Object:
    key = metric.counting_key
    return {"counting_key": key, KEY: stored_key(key), "fields": list(metric.fields)}


def _written(value: object) -> object:
    """Return a value of a label as JSON can have it, which has no NaN and no infinity."""
    odd = isinstance(value, float) and value - value != 0
    return {"float": str(value)} if odd else value


def _read(value: Any) -> object:
    """Return a value of a label as it was before it was written."""
    return float(value["float"]) if isinstance(value, dict) else value


def _compressed(content: bytes, path: str) -> bytes:
    suffix = path.rpartition(".")[2].lower()
    module = {"gz": "gzip", "bz2": "bz2", "xz": "lzma", "zst": "zstandard"}.get(suffix)
    if module is None:
        return content
    try:
        compress = import_module(module).compress
    except ImportError as error:
        raise MissingExtraError(f"{path}: pip install 'truebleu[zstd]'") from error
    packed: bytes = compress(content, **({"mtime": 0} if module == "gzip" else {}))
    return packed


def is_saved(path: str) -> bool:
    """Whether a file that exists begins as one of statistics does, by segment or summed."""
    return _header(path).get("format") == FORMAT


def refuse_damaged(path: str) -> None:
    """Say what is wrong with a file that is no table of texts, but may be one of statistics."""
    if "level" in _header(path):
        read_file(path)


def _header(path: str) -> Object:
    """Return the first object of a file; one that only has a ``level`` if it is lost."""
    if suffix_of(path) not in JSON_SUFFIXES or not os.path.isfile(path):  # noqa: PTH113
        return {}
    try:
        first = json_value(next(chain.from_iterable(_blocks(path))))
    except (*_ODD, OSError, StopIteration):
        return {"level": None}
    if isinstance(first, dict):
        return first
    # The rows of a file whose beginning is lost.
    return {"level": None} if isinstance(first, list) else {}


def read_file(path: str) -> list[Content]:
    """Return what each part of a file has: a file that was written, or several, one after another.

    Each part ends with the number of its rows, and a digest of all that is before it.
    """
    check_suffix(path)
    parts: list[Content] = []
    part = None
    number = 0
    for lines in _runs(path):
        part = part or _Part()
        try:
            content = part.add(lines)
            if content in parts:
                raise InputError("these are the same rows again, and would count twice")
        except TruebleuError as error:
            raise type(error)(f"{path}:{number + 1}: {error}") from None
        except (*_ODD, AttributeError, OverflowError) as error:
            raise InputError(
                f"{path}:{number + 1}: damaged, or no line of a file of statistics: {error!r}"
            ) from error
        number += len(lines)
        if content is not None:
            parts.append(content)
            part = None
    if part is not None:
        raise InputError(
            f"{path} is cut off after line {number:,}: its last line must be the object of level "
            "'end'; write or copy it again"
        )
    if not parts:
        raise InputError(f"{path} has no rows")
    return parts


def _runs(path: str) -> Iterator[list[str]]:
    """Yield the lines of a file: rows, thousands at a time, and objects one by one."""
    for block in _blocks(path):
        for are_rows, lines in groupby(block, methodcaller("startswith", "[")):
            if are_rows:
                yield list(lines)
            else:
                yield from ([line] for line in lines)


def _blocks(path: str) -> Iterator[list[str]]:
    """Yield the lines of a file, some thousands at a time."""
    with LineFile(path, 1 << 18) as file:
        while count := file.fill():
            yield list(file.lines.texts(count))
            file.lines.drop_front(count)


class _Part:
    """A header, tables of rows, each after what it is of, and the end.

    The digest shows damage. What was forged is an error of some kind where it does not fit.
    """

    def __init__(self) -> None:
        self._digest = sha256()
        self._number = 0
        self._labels: list[str] = []
        self._metrics: dict[str, Metric] = {}
        self._test_set: tuple[str, str] | None = None
        self._rows: list[Rows] = []
        # What the rows that come are of, and the names and the counts of those that came.
        self._table: tuple[Object, list[list[Any]], list[bytes]] | None = None

    def add(self, lines: list[str]) -> Content | None:
        """Read on: several rows, or an object; return all that was read if it is the end."""
        if lines[0].startswith("["):
            self._add_rows(lines)
        else:
            about = json_value(lines[0])
            if not self._metrics:
                self._read_header(about)
            elif about.get("level") == "end":
                return self._end(about)
            else:
                self._begin(about)
        self._digest.update("\n".join([*lines, ""]).encode())
        return None

    def _read_header(self, header: Object) -> None:
        if header.get("level") != "header":
            raise InputError(
                "there is no header: this is no file of truebleu score --segment-stats or "
                "--stats-out; statistics of engines are scored by "
                "truebleu.engines.arrow.score_stats"
            )
        if header.get("format") != FORMAT:
            raise InputError(f"the format is {brief(header.get('format'))}, not {FORMAT!r}")
        if header.get("version") != VERSION:
            raise InputError(
                f"this is version {brief(header.get('version'))} of the format, and version "
                f"{VERSION} is needed: count the texts again, or read it with the truebleu that "
                "wrote it"
            )
        self._labels = header["labels"]
        test_set: Any = header.get("test_set"), header.get("language_pair")
        if test_set != (None, None):
            if "|" in "".join(test_set):
                raise InputError("test_set and language_pair have no |")
            self._test_set = test_set
        for identifier, about in header["metrics"].items():
            self._metrics[identifier] = _metric(identifier, about)

    def _begin(self, about: Object) -> None:
        """Read a sum, or what the rows that follow are of."""
        self._close()
        if about["metric"] not in self._metrics:
            raise InputError(f"{brief(about['metric'])} is no metric of the header")
        label = zip(self._labels, map(_read, about["label"]), strict=True)
        known: Object = {"label": dict(label), "metric": about["metric"]}
        known |= {"batch": about.get("batch") or "", "references": about.get("references")}
        ends = about.get("fewest_references"), about.get("most_references")
        known["ends"] = (-1, -1) if ends == (None, None) else ends
        if about["level"] == "segments":
            self._table = known, [[], []] if about.get("documents") else [[]], []
        elif about["level"] == "sum":
            data = _rows_of([[count] for count in about["counts"]], self._metrics[known["metric"]])
            self._keep(known, data, segments=about["segments"])
            self._number += 1
        else:
            raise InputError(f"level is {brief(about['level'])}; segments, sum or end is needed")

    def _add_rows(self, lines: list[str]) -> None:
        if self._table is None:
            raise InputError("this row is of no table: the object before it is not 'segments'")
        known, names, counts = self._table
        metric = self._metrics[known["metric"]]
        width = len(names) + len(metric.fields)
        # A list for each row would take longer than all the rest.
        values = json.loads(f"[{','.join([line[1:-1] for line in lines])}]")
        if len(values) != width * len(lines) or not all(line.endswith("]") for line in lines):
            raise InputError(
                f"in this row or one after it, {len(names)} names and {len(metric.fields)} counts "
                f"are needed: {', '.join(metric.fields)}"
            )
        columns = [values[place::width] for place in range(width)]
        for each, coming in zip(names, columns, strict=False):
            each.extend(coming)
        counts.append(_rows_of(columns[len(names) :], metric))
        self._number += len(lines)

    def _close(self) -> None:
        if self._table is not None:
            known, (units, *documents), counts = self._table
            named = {"units": units, "documents": documents[0] if documents else None}
            self._keep(known | named, b"".join(counts), segments=len(units))
            self._table = None

    def _keep(self, known: Object, data: bytes, segments: int) -> None:
        metric = self._metrics[known["metric"]]
        stats = Stats(data, metric, *known.pop("ends"))
        self._rows.append(Rows(**known, stats=stats, segments=segments))

    def _end(self, end: Object) -> Content:
        digest = self._digest.hexdigest()
        if (end.get("rows"), end.get("sha256")) != (self._number, digest):
            raise InputError(
                f"the file is damaged: {self._number:,} rows with the SHA-256 {digest[:16]} are "
                f"before its end, which says {brief(end.get('rows'))} and "
                f"{brief(end.get('sha256'))}; write or copy it again"
            )
        self._close()
        if not self._rows:
            raise InputError("the file has no rows")
        check_units(self._rows)
        return list(self._metrics.values()), self._rows, self._test_set


def _metric(identifier: str, about: Object) -> Metric:
    """Make a metric from its signature; refuse what was counted under other settings."""
    metric = metric_from_signature(about["signature"])
    if metric.identifier != identifier:
        raise InputError(f"{brief(identifier)} is not the metric of {about['signature']}")
    if about != about | _counting(metric):
        raise StatsMismatchError(
            f"{metric.name} was counted under {brief(about.get('counting_key'))}, with the key "
            f"{brief(about.get(KEY))}, but its signature stands for {metric.counting_key} here, "
            f"with the key {stored_key(metric.counting_key)} and the fields "
            f"{', '.join(metric.fields)}"
        )
    return metric


def _rows_of(columns: Sequence[Sequence[Any]], metric: Metric) -> bytes:
    """Return rows of counts as int64; refuse what no text has."""
    import numpy as np

    if len(columns) != len(metric.fields):
        raise InputError(f"{len(metric.fields)} counts are needed: {', '.join(metric.fields)}")
    wrong = {*map(type, chain.from_iterable(columns))} - {int}
    if wrong:
        raise InputError(f"counts are whole numbers, but there is a {wrong.pop().__name__}")
    try:
        data = np.array(columns, "<i8").T.tobytes()
    except OverflowError:
        raise overflow() from None
    Stats.check_rows(data, metric.fields, metric.counting_key)
    return data
