"""The data of a page, compressed, as text that no parser of HTML takes for anything else."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode

from truebleu.reporting import chart_data, charts

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.reporting.data import Gathered

# Segments that are unpacked at a time: few enough for one to take no noticeable time.
BLOCK = 500

# More would be slower to write, and not much smaller.
_LEVEL = 5


def packed(data: bytes) -> str:
    """Compress bytes into letters."""
    return b64encode(gzip.compress(data, _LEVEL, mtime=0)).decode()


def packed_json(values: object) -> str:
    """Compress plain values."""
    return packed(_json(values))


def _json(values: object) -> bytes:
    try:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8, but JSON has an escape for it.
        return json.dumps(values, separators=(",", ":")).encode()


def numbers(found: Gathered) -> tuple[list[list[Any]], str]:
    """Pack the columns of numbers.

    Returns
    -------
    tuple
        Name and type of each column as JavaScript knows it, and how many numbers it has; and all
        of them, one behind the other, each from a multiple of eight bytes on.
    """
    import numpy as np

    orders, counted = found.bleu.max_order, found.bleu.counted_orders
    tables = found.tables
    precisions, penalty, effective = _parts(found)
    columns: dict[str, NDArray[Any]] = {
        "hyp_len": tables[:, :, 0],
        "ref_len": tables[:, :, 1],
        "length": found.lengths,
        "effective": effective,
        "sentence": found.sentences,
        "penalty": penalty.astype(np.float32),
        "influence": found.influence.astype(np.float32),
    }
    for order in range(orders):
        columns[f"match{order + 1}"] = tables[:, :, 2 + order]
        columns[f"total{order + 1}"] = tables[:, :, 2 + counted + order]
        columns[f"precision{order + 1}"] = precisions[order].astype(np.float32)
    if found.documents is not None:
        places = {name: place for place, name in enumerate(found.groups["document"].names)}
        columns["document"] = np.array([places[name] for name in found.documents], np.int64)
    described: list[list[Any]] = []
    data = bytearray()
    for name, column in columns.items():
        own = _smallest(column)
        described.append([name, own.dtype.name, own.size])
        data += own.tobytes()
        data += bytes(-len(data) % 8)
    return described, packed(bytes(data))


def _parts(found: Gathered) -> tuple[Any, Any, Any]:
    """Return smoothed precisions, penalty, and how many orders count, of every segment.

    A precision that is just matches by n-grams is 0 here: the page knows those.
    """
    import numpy as np

    orders, counted = found.bleu.max_order, found.bleu.counted_orders
    systems, segments, width = found.tables.shape
    shape = (systems, segments)
    precisions = np.zeros((orders, *shape))
    penalty = np.zeros(shape)
    effective = np.zeros(shape, np.int64)
    parts = found.sentence.parts
    for system, table in enumerate(found.tables):
        data, size = table.astype("<i8").tobytes(), 8 * width
        rows = [parts(data[start : start + size]) for start in range(0, len(data), size)]
        precisions[:, system] = np.array([row[1][:orders] for row in rows]).T
        penalty[system] = [row[2] for row in rows]
        effective[system] = [row[3] for row in rows]
    for order in range(orders):
        matches, totals = found.tables[:, :, 2 + order], found.tables[:, :, 2 + counted + order]
        plain = 100 * matches / np.maximum(totals, 1)
        precisions[order][np.abs(precisions[order] - plain) < 1e-9] = 0
    return precisions, penalty, effective


def _smallest(column: NDArray[Any]) -> NDArray[Any]:
    """Keep whole numbers in the smallest type they fit, little-endian, one after the other."""
    import numpy as np

    if column.dtype.kind == "f":
        return np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<"))).ravel()
    most = int(column.max(initial=0))
    kind = next(k for k in ("<u1", "<u2", "<u4", "<f8") if k == "<f8" or most < 256 ** int(k[2]))
    return np.ascontiguousarray(column.astype(kind)).ravel()


def texts(found: Gathered) -> list[str]:
    """Pack the texts of all segments, in blocks.

    A segment is two lists: its texts (source if there is one, references, outputs) and the tokens
    of references and outputs.
    """
    split = found.split
    columns = split.texts if found.sources is None else [found.sources, *split.texts]
    rows = [
        (shown, tokens)
        for shown, tokens in zip(
            zip(*columns, strict=True), zip(*split.tokens, strict=True), strict=True
        )
    ]
    return [packed_json(rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]


def facts(found: Gathered, title: str) -> dict[str, Any]:
    """Return what the page has to know before it shows a segment."""
    bleu = found.bleu
    one, other = found.pair()
    gains = chart_data.Gains(found)
    # The scores are in the table already, where they need no script.
    shown = [name for name in charts.available(found) if name != "scores"]
    orders = bleu.max_order
    weights = bleu.weights[0] if bleu.weights else (1 / orders,) * orders
    return {
        "title": title,
        "systems": found.names,
        "segments": found.segments,
        "references": found.references,
        "source": found.sources is not None,
        "orders": orders,
        "weights": list(weights[:orders]),
        "skips_zeros": bleu._engine.skips_zeros,
        "separator": found.split.separator,
        "lowercase": bleu.lowercase,
        "block": BLOCK,
        "one": one,
        "other": other,
        "scores": [score.score for score in found.scores],
        "documents": found.groups["document"].names if found.documents else None,
        "gains": {
            "texts": gains.texts,
            "orders": gains.orders,
            "counts": gains.counts,
            "weights": gains.weights,
            "most": chart_data.MOST_GRAMS,
        },
        "most": chart_data.MOST_SEGMENTS,
        "mostGroups": chart_data.MOST_GROUPS,
        "config": charts.config({name: f"var(--{name})" for name in charts.colours()}),
        "charts": {
            name: {
                "spec": charts.spec(found, name),
                "rows": None
                if charts.PICTURES[name].pair
                else charts.rows(found, name, one, other),
            }
            for name in shown
        },
    }
