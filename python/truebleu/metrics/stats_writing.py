"""Writing files of statistics, each as a whole; ``stats_files`` has the format."""

from __future__ import annotations

import json
import warnings
from hashlib import sha256
from importlib import import_module
from itertools import chain
from json.encoder import encode_basestring

from truebleu._core import __version__
from truebleu.errors import MissingExtraError, SettingsError, TruebleuError
from truebleu.metrics.registry import metric_from_signature
from truebleu.metrics.stats_files import FORMAT, VERSION, check_suffix
from truebleu.metrics.stats_joining import units_of
from truebleu.metrics.stats_rows import LONGEST_NAME
from truebleu.metrics.storage import KEY, stored_key
from truebleu.record import brief
from truebleu.writing import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats_files import Content, Object
    from truebleu.metrics.stats_rows import Rows


def write_file(name: str, labels: tuple[str, ...], content: Content) -> None:
    """Write rows with these labels, as a whole or not at all."""
    check_suffix(name)
    metrics, several, set_and_pair = content
    for metric in metrics:
        _check_readable(metric)
    longest = max((rows.batch for rows in several), key=len)
    if len(longest) > LONGEST_NAME:
        raise SettingsError(f"batch {brief(longest)} has more than {LONGEST_NAME:,} characters")
    same: dict[object, list[Rows]] = {}
    for rows in several:
        same.setdefault((rows.metric, rows.batch, rows.label_key), []).append(rows)
    for alike in same.values():
        if len(alike) > 1 and any(rows.units for rows in alike):
            units_of(alike)  # Refuses what could not be read: a segment twice, or beside a sum.
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
    lines = chain([header], _lines(several, labels))
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
    texts = (line if isinstance(line, str) else encode(line) for line in lines)
    text = "\n".join([*texts, ""]).encode("utf-8", "surrogatepass")
    number = sum(len(rows.stats) for rows in several)
    end = {"level": "end", "rows": number, "sha256": sha256(text).hexdigest()}
    write_whole(name, _compressed(text + f"{encode(end)}\n".encode(), name))


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


def _lines(several: Sequence[Rows], labels: tuple[str, ...]) -> Iterator[Any]:
    """Yield what each table is of, and its rows; a sum is one line."""
    for rows in several:
        values = dict(zip(rows.header, rows.label, strict=True))
        about: Object = {"level": "sum" if rows.units is None else "segments"}
        about |= {"label": [_storable(values[name]) for name in labels], "metric": rows.metric}
        about |= {"batch": _storable(rows.batch)} if rows.batch else {}
        about |= {"references": rows.references} if rows.references else {}
        if rows.stats.most > 0:
            about["fewest_references"] = rows.stats.fewest
            about["most_references"] = rows.stats.most
        counts = rows.stats.to_numpy().tolist()
        if rows.units is None:
            yield about | {"segments": rows.segments, "counts": counts[0]}
            continue
        yield about if rows.documents is None else about | {"documents": True}
        # Encoded here: an encoder that is called for each row takes four times as long.
        quoted = [map(_quoted, each) for each in (rows.units, rows.documents) if each is not None]
        for *names, row in zip(*quoted, counts, strict=True):
            yield f"[{','.join(names)},{str(row)[1:-1].replace(' ', '')}]"


def _quoted(name: str) -> str:
    return encode_basestring(name if name.isascii() else _storable(name))


def _storable(value: Any) -> Any:
    if isinstance(value, float) and value - value != 0:
        return {"float": str(value)}
    # Bytes of a file's name that are not text cannot be stored.
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


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
