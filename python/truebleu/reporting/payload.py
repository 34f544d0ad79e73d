"""The data of a page, compressed, as text that no parser of HTML takes for anything else."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode

from truebleu.metrics.bleu.metric import Bleu
from truebleu.metrics.chrf.metric import Chrf
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.metrics.ter.metric import Ter
from truebleu.reporting import chart_data, charts, edits, languages, pairs, quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.metrics.metric import Metric
    from truebleu.reporting.data import Gathered

# Segments that are unpacked at a time: few enough for one to take no noticeable time.
BLOCK = 500

# The groups that segments can be filtered by.
_LABELS = ("document", "domain")

# The smoothings that leave a precision as it is if the order has a match.
_PLAIN = ("exp", "floor", "none")

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


def numbers(data: Gathered) -> tuple[list[list[Any]], str]:
    """Pack the columns of numbers.

    Returns
    -------
    tuple
        Name and type of each column as JavaScript knows it, and how many numbers it has; and all
        of them, one behind the other, each from a multiple of eight bytes on.
    """
    import numpy as np

    columns: dict[str, NDArray[Any]] = {
        "length": data.lengths,
        "sentence": data.sentences,
        "contribution": data.contributions.astype(np.float32),
        **{f"row.{name}": column for name, column in _shown(data).items()},
    }
    columns |= {f"other.{place}": each for place, each in enumerate(data.others.values())}
    if data.bleu is not None:
        columns |= _bleu_columns(data, data.bleu)
    if isinstance(data.metric, Chrf):
        columns |= {f"row.{name}": data.field(name) for name in _sent(data.metric)}
    columns |= {kind: data.groups[kind].members for kind in _LABELS if kind in data.groups}
    described: list[list[Any]] = []
    packed_columns = bytearray()
    for name, column in columns.items():
        values = _smallest(column)
        described.append([name, values.dtype.name, values.size])
        packed_columns += values.tobytes()
        packed_columns += bytes(-len(packed_columns) % 8)
    return described, packed(bytes(packed_columns))


def _sent(chrf: Chrf) -> list[str]:
    """Return the fields of chrF from which the page computes the others.

    A text of n characters has n - 1 pairs of them, and so on.
    """
    return [name for name in chrf.fields if name.endswith("_match") or "_1_" in name]


def _shown(data: Gathered) -> dict[str, NDArray[Any]]:
    """Return what the page shows with the score of each segment, systems one after the other."""
    return data.metric.segment_columns(data.tables.reshape(-1, data.metric.row_width))


def _bleu_columns(data: Gathered, bleu: Bleu) -> dict[str, NDArray[Any]]:
    """Return smoothed precisions, penalty, and how many orders count, of every segment.

    A precision that is just matches by n-grams is 0 here: the page knows those.
    """
    import numpy as np

    shape = (len(data.names), data.segments)
    rows = data.tables.astype("<i8").tobytes()
    precisions, penalties, effective = bleu.parts_of_rows(rows)
    columns: dict[str, NDArray[Any]] = {
        "penalty": penalties.astype(np.float32).reshape(shape),
        "effective": effective.astype(np.int64).reshape(shape),
    }
    for order in range(1, bleu.max_order + 1):
        precision = precisions[:, order - 1].reshape(shape)
        matches, totals = data.field(f"match_{order}"), data.field(f"total_{order}")
        plain = 100 * matches / np.maximum(totals, 1)
        smoothed = np.where(np.abs(precision - plain) < 1e-9, 0, precision)
        columns[f"precision_{order}"] = smoothed.astype(np.float32)
    return columns


def _smallest(column: NDArray[Any]) -> NDArray[Any]:
    """Keep whole numbers in the smallest type they fit, little-endian, one after the other."""
    import numpy as np

    if column.dtype.kind == "f":
        return np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<"))).ravel()
    most = int(column.max(initial=0))
    kind = next(k for k in ("<u1", "<u2", "<u4", "<f8") if k == "<f8" or most < 256 ** int(k[2]))
    return np.ascontiguousarray(column.astype(kind)).ravel()


def texts(data: Gathered) -> list[str]:
    """Pack the texts of all segments, in blocks.

    A segment is two lists: its texts (source if there is one, references, outputs) and the tokens
    of references and outputs.
    """
    split = data.split
    columns = split.texts if data.sources is None else [data.sources, *split.texts]
    rows = list(zip(zip(*columns, strict=True), zip(*split.tokens, strict=True), strict=True))
    return [packed_json(rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]


def steps(data: Gathered) -> list[str]:
    """Pack the edits of all segments, in blocks; nothing if the metric counts none."""
    rows = edits.rows(data) or []
    return [packed_json(rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]


def facts(data: Gathered, title: str, command: str = "", metrics: int = 1) -> dict[str, Any]:
    """Return what the page has to know before it shows a segment."""
    one, other = data.pair()
    metric = data.metric
    # The scores are in the table already, where they need no script.
    shown = [name for name in charts.available(data) if name != "scores"]
    return {
        "title": title,
        "metric": metric.name,
        "higherIsBetter": metric.higher_is_better,
        "decimals": metric.decimals,
        "others": [{"name": each.name, "decimals": each.decimals} for each in data.others],
        "fields": list(_shown(data)),
        "formula": _formula(data),
        "orders": _orders(data.metric),
        "marks": _marks(data.metric),
        "ngrams": None if data.bleu is None else _bleu_facts(data, data.bleu),
        "quotes": quotes.quotes(data, command, metrics),
        "pairs": pairs.facts(data),
        "systems": data.names,
        "segments": data.segments,
        "references": data.references,
        "source": data.sources is not None,
        "languages": _languages(data),
        "separator": data.split.separator,
        "lowercase": data.splitter.lowercase,
        "block": BLOCK,
        "one": one,
        "other": other,
        "scores": [chart_data.known(score.score) for score in data.scores],
        "documents": data.groups["document"].names if data.documents else None,
        "most": chart_data.MOST_SEGMENTS,
        "mostGroups": chart_data.MOST_GROUPS,
        "config": charts.config({name: f"var(--{name})" for name in charts.colors()}),
        "charts": {
            name: {
                "spec": charts.spec(data, name),
                "rows": None if charts.CHARTS[name].pair else charts.rows(data, name, one, other),
            }
            for name in shown
        },
    }


def _languages(data: Gathered) -> dict[str, Any]:
    """Return the language tags of sources and other texts, and which of them are guesses."""
    columns = {"source": data.sources, "target": data.split.texts[0]}
    given = dict(zip(columns, data.languages, strict=True))
    guessed = {
        name: languages.guess(texts)
        for name, texts in columns.items()
        if texts is not None and given[name] is None
    }
    tags = {name: tag or guessed.get(name, "") for name, tag in given.items()}
    return {**tags, "guessed": [name for name, tag in guessed.items() if tag]}


def _marks(metric: Metric) -> dict[str, Any] | None:
    """Return which n-grams the page marks in texts: of tokens, or of characters; None if none."""
    if isinstance(metric, Bleu):
        return {"orders": metric.max_order, "unit": "token"}
    if isinstance(metric, Chrf) and metric.char_order:
        keeps = {"lowercase": metric.lowercase, "whitespace": metric.whitespace}
        return {"orders": metric.char_order, "unit": "character", **keeps}
    return None


def _formula(data: Gathered) -> dict[str, Any] | None:
    """Return what it takes to score any segments together in the page; None if it cannot.

    What smoothing makes of an order without a match is left to the core.
    """
    metric = data.metric
    if isinstance(metric, Chrf) and not metric.eps_smoothing:
        return {"kind": "chrf", "squaredBeta": metric.beta**2}
    if isinstance(metric, Ter):
        *kinds, _ = metric.fields
        return {"kind": "ter", "kinds": kinds, "length": "ref_len"}
    if isinstance(metric, SegmentScores):
        return {"kind": "mean"}
    bleu = data.bleu
    if bleu is not None and bleu.smoothing in _PLAIN and not bleu.phantom_ngrams:
        return {"kind": "bleu", "weights": _weights(bleu)}
    return None


def _orders(metric: Metric) -> list[str]:
    """Name the orders of chrF, as its fields do; none of other metrics."""
    if not isinstance(metric, Chrf):
        return []
    return [name.removesuffix("_hyp") for name in metric.fields[::3]]


def _weights(bleu: Bleu) -> list[float]:
    """Return the weight of each order, from the first of several lists."""
    orders = bleu.max_order
    weights = bleu.weights[0] if bleu.weights else (1 / orders,) * orders
    return [*weights[:orders], *(0.0 for _ in range(orders - len(weights)))]


def _bleu_facts(data: Gathered, bleu: Bleu) -> dict[str, Any]:
    """Return what the page has to know to mark n-grams, and to repeat the arithmetic."""
    gains = chart_data.Gains(data)
    return {
        "weights": _weights(bleu),
        "skipsZeros": bleu.core.skips_zeros,
        "texts": gains.texts,
        "textOrders": gains.orders,
        "counts": gains.counts,
        "worth": gains.weights,
        "most": chart_data.MOST_GRAMS,
    }
