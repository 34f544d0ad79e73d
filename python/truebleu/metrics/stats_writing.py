"""Writing files of statistics, each as a whole; ``stats_files`` has the format."""

from __future__ import annotations

import json
import warnings
import zlib
from importlib import import_module
from itertools import islice

from truebleu._core import __version__
from truebleu.errors import MissingExtraError, SettingsError, TruebleuError
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.stats_files import (
    FORMAT,
    NAMES,
    VERSION,
    differences,
    is_parquet,
    pyarrow,
)
from truebleu.metrics.stats_parts import LONGEST_NAME, units_of
from truebleu.metrics.storage import KEY, stored_key
from truebleu.record import brief
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats_files import ReadFile, Row
    from truebleu.metrics.stats_parts import Part


# Rows of a metric that tell how its counts are written in the least room.
_TRIED = 100


def write_file(name: str, labels: tuple[str, ...], read: ReadFile) -> None:
    """Write a row for each segment, or sum, of parts with these labels."""
    metrics, parts, set_and_pair = read
    as_table = is_parquet(name)
    fields = list(dict.fromkeys(each for metric in metrics for each in metric.fields))
    taken = {each.casefold() for each in (*NAMES, *fields)}
    for label in labels:
        if label.casefold() in taken:
            raise SettingsError(f"column {label!r} clashes with a column of statistics; rename it")
    for metric in metrics:
        _check_readable(metric)
    same: dict[object, list[Part]] = {}
    for part in parts:
        same.setdefault(part.key, []).append(part)
    for several in same.values():
        if len(several) > 1 and any(part.units for part in several):
            units_of(several)  # Refuses what could not be read: a segment twice, or beside a sum.
    longest = max((part.batch for part in parts), key=len)
    if len(longest) > LONGEST_NAME:
        raise SettingsError(f"batch {brief(longest)} has more than {LONGEST_NAME:,} characters")
    test_set, pair = set_and_pair or (None, None)
    header = {
        "level": "header",
        "format": FORMAT,
        "version": VERSION,
        "truebleu": __version__,
        "test_set": test_set,
        "language_pair": pair,
        "labels": list(labels),
        "metrics": {
            metric.identifier: {
                "name": metric.name,
                "signature": metric.signature,
                "counting_key": metric.counting_key,
                KEY: stored_key(metric.counting_key),
                "fields": list(metric.fields),
            }
            for metric in metrics
        },
    }
    rows = [row for part in parts for row in _rows(part, labels)]
    content = _parquet(header, rows, labels, fields) if as_table else _json(header, rows, name)
    write_whole(name, content)


def _check_readable(metric: Metric) -> None:
    """Refuse what could not be read: a metric in Python, or a tokenizer that is a function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if metric_from_signature(metric.signature).counting_key == metric.counting_key:
                return
        except TruebleuError:
            pass
    raise SettingsError(
        f"{metric.name} cannot be made from its signature, {brief(metric.signature)}, so its "
        "statistics could not be read: store them as Stats.to_bytes does"
    )


def _rows(part: Part, labels: Iterable[str]) -> Iterator[Row]:
    """Yield rows with what they have; other columns are null. What varies is last."""
    values = dict(zip(part.header, part.label, strict=True))
    row: Row = {"level": "sum" if part.units is None else "segment"}
    row |= {name: _storable(values[name]) for name in labels}
    row |= {"batch": _storable(part.batch)} if part.batch else {}
    row |= {"metric": part.metric, "segments": part.segments if part.units is None else 1}
    if part.stats.most > 0:
        row |= {"fewest_references": part.stats.fewest, "most_references": part.stats.most}
    row |= {"references": part.references} if part.references else {}
    row |= {KEY: part.stats.key}
    for number, counts in enumerate(part.stats.to_numpy().tolist()):
        unit = {"unit": _storable(part.units[number])} if part.units else {}
        document = {"document": _storable(part.documents[number])} if part.documents else {}
        yield {**row, **unit, **document, "counts": counts}


def _storable(value: Any) -> Any:
    # Bytes of a file's name that are not text cannot be stored.
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _json(header: Row, rows: list[Row], name: str) -> bytes:
    def line(row: Row) -> str:
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=str) + "\n"

    for metric, about in header["metrics"].items():
        chosen = (row for row in rows if (row["metric"], row["level"]) == (metric, "segment"))
        found = [row["counts"] for row in islice(chosen, _TRIED)]
        tried = (str([differences(each, step) for each in found]) for step in range(4))
        sizes = [len(zlib.compress(each.encode())) for each in tried]
        if min(sizes) < sizes[0]:
            about["step"] = sizes.index(min(sizes))
    for row in rows:
        step = header["metrics"][row["metric"]].get("step", 0)
        row["counts"] = differences(row["counts"], step)
        for label in header["labels"]:
            if isinstance(row[label], float) and row[label] - row[label] != 0:
                row[label] = str(row[label])  # JSON has no NaN.
    return _compressed("".join(map(line, [header, *rows])).encode("utf-8", "surrogatepass"), name)


def _compressed(content: bytes, name: str) -> bytes:
    suffix = name.rpartition(".")[2].lower()
    module = {"gz": "gzip", "bz2": "bz2", "xz": "lzma", "zst": "zstandard"}.get(suffix)
    if module is None:
        return content
    try:
        compress = import_module(module).compress
    except ImportError as error:
        raise MissingExtraError(f"{name}: pip install 'truebleu[zstd]'") from error
    packed: bytes = compress(content, **({"mtime": 0} if module == "gzip" else {}))
    return packed


def _parquet(header: Row, rows: list[Row], labels: tuple[str, ...], fields: list[str]) -> bytes:
    pa, pq = pyarrow()
    of_metric = {name: about["fields"] for name, about in header["metrics"].items()}
    for row in rows:
        row.update(zip(of_metric[row["metric"]], row.pop("counts"), strict=True))
    texts = ("level", *labels, "batch", "unit", "document", "metric", "references")
    numbers = ("segments", "fewest_references", "most_references", *fields, KEY)
    columns = {}
    for name in dict.fromkeys((*texts, *numbers)):
        values = [row.get(name) for row in rows]
        kind = pa.string() if name in texts else pa.int64()
        columns[name] = _labels(pa, values) if name in labels else pa.array(values, kind)
    table = pa.table(columns).replace_schema_metadata({FORMAT: json.dumps(header)})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _labels(pa: Any, values: list[Any]) -> Any:
    """Make a column of labels; what Arrow has no type for becomes text."""
    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([None if value is None else str(value) for value in values])
