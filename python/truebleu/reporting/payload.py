"""The data of a page, compressed, as text that no parser of HTML takes for anything else."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from itertools import combinations

import numpy as np

from truebleu.display.formatting import p_value, percent
from truebleu.display.text import visible
from truebleu.reporting import chart_data, charts, drawing
from truebleu.significance.leads import statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.metrics.about import Steps
    from truebleu.reporting.data import Gathered
    from truebleu.significance.pair import Pair

# Segments that are unpacked at a time: few enough for one to take no noticeable time.
BLOCK = 500

# A letter for each kind of edit.
_LETTERS = {"match": "m", "substitution": "s", "deletion": "d", "insertion": "i"}

# More would be slower to write, and not much smaller.
_LEVEL = 5


def packed(data: bytes) -> str:
    """Compress bytes into letters."""
    return b64encode(gzip.compress(data, _LEVEL, mtime=0)).decode()


def packed_json(values: object) -> str:
    """Compress plain values."""
    try:
        return packed(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode())
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8, but JSON has an escape for it.
        return packed(json.dumps(values, separators=(",", ":")).encode())


def numbers(data: Gathered) -> tuple[list[list[Any]], str]:
    """Describe the columns of numbers (name, type, size), and pack them at multiples of 8 bytes."""
    shown = data.metric._segment_columns(data.rows)
    columns: dict[str, NDArray[Any]] = {
        "length": data.lengths,
        "sentence": data.sentences,
        "contribution": data.contributions.astype(np.float32),
        **{f"row.{name}": column for name, column in shown.items()},
    }
    columns |= {f"other.{place}": each for place, each in enumerate(data.others.values())}
    columns |= data.metric._about.columns(data.rows)
    columns |= {f"margin.{name}": _margins(data, kind) for name, kind in _shown_groups(data)}
    columns |= {f"group.{kind}": grouped.members for kind, grouped in data.groups.items()}
    described: list[list[Any]] = []
    packed_columns = bytearray()
    for name, column in columns.items():
        values = _smallest(column)
        described.append([name, values.dtype.name, values.size])
        packed_columns += values.tobytes()
        packed_columns += bytes(-len(packed_columns) % 8)
    return described, packed(bytes(packed_columns))


def _smallest(column: NDArray[Any]) -> NDArray[Any]:
    """Keep whole numbers in the smallest type they fit, little-endian, one after the other."""
    if column.dtype.kind == "f":
        return np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<"))).ravel()
    most = int(column.max(initial=0))
    kind = next(k for k in ("<u1", "<u2", "<u4", "<f8") if k == "<f8" or most < 256 ** int(k[2]))
    return np.ascontiguousarray(column.astype(kind)).ravel()


def texts(data: Gathered) -> list[str]:
    """Pack the texts of all segments (source, references, outputs) and their tokens, in blocks."""
    split = data.split
    columns = split.texts if data.sources is None else [data.sources, *split.texts]
    tokens = zip(*split.tokens, strict=True) if split.tokens else [()] * data.segments
    rows = list(zip(zip(*columns, strict=True), tokens, strict=True))
    return [packed_json(rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]


def steps(data: Gathered) -> list[str]:
    """Pack the edits of every segment and system, in blocks; nothing if the metric counts none.

    Each is the column of the reference with the fewest edits, a letter for each edit, four numbers
    for each shift (start, length, target, gain), and the words of both texts, or 0 for words that
    are those of the text between whitespace.
    """
    steps = data.metric._about.steps
    if steps is None or not data.split.tokens:
        return []
    columns = data.split.texts
    references, outputs = columns[: data.references], columns[data.references :]
    rows = [
        [_edits(steps, text or "", several) for text in texts]
        for texts, several in zip(
            zip(*outputs, strict=True), zip(*references, strict=True), strict=True
        )
    ]
    return [packed_json(rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]


def _edits(steps: Steps, text: str, references: Sequence[str | None]) -> list[Any]:
    """Return the edits against the first reference that has the fewest."""
    best: list[Any] = []
    fewest = -1
    for column, reference in enumerate(references):
        if reference is None:
            continue
        words, others, shifts, kinds = steps(text, reference)
        edits = len(kinds) - kinds.count("match") + len(shifts)
        if fewest < 0 or edits < fewest:
            fewest = edits
            letters = "".join(_LETTERS[kind] for kind in kinds)
            moves = [number for shift in shifts for number in shift]
            best = [column, letters, moves, _words(words, text), _words(others, reference)]
    return best


def _words(words: list[str], text: str) -> str | int:
    """Join words, which have no spaces in them; 0 if they are those of the text in any case."""
    return 0 if words in (text.lower().split(), text.split()) else " ".join(words)


def facts(data: Gathered, pair: tuple[int, int | None] | None = None) -> dict[str, Any]:
    """Return what the page has to know before it shows a segment, of a `pair` at first."""
    one, other = pair or data.pair()
    metric = data.metric
    return {
        "metric": data.called,
        "higherIsBetter": metric.higher_is_better,
        "decimals": metric.decimals,
        "others": [{"name": each.name, "decimals": each.decimals} for each in data.others],
        "fields": list(metric._segment_columns(data.rows)),
        "formula": metric._about.formula,
        "orders": metric._about.orders,
        "marks": metric._about.marks if data.split.tokens else None,
        "ngrams": None if data.grams is None else _ngrams(data),
        "pairs": pair_facts(data),
        "systems": data.names,
        "segments": data.segments,
        "references": data.references if data.split.tokens else 0,
        "hasTexts": bool(data.split.tokens),
        "hasLengths": "length" in data.groups,
        "source": data.sources is not None,
        "languages": {"source": data.languages[0], "target": data.languages[1]},
        "separator": data.split.separator,
        "lowercase": data.splitter.lowercase,
        "block": BLOCK,
        "one": one,
        "other": other,
        "ranked": data.ranked(),
        "scores": [chart_data.known(score.score) for score in data.scores],
        "documents": data.groups["document"].names if data.documents else None,
        "colors": drawing.colors(),
        "config": drawing.config({name: f"var(--{name})" for name in drawing.colors()}),
        "charts": _charts(data),
    }


def _shown_groups(data: Gathered) -> list[tuple[str, str]]:
    """Return the charts by group of the page, and what their groups are called in the data."""
    return [(name, charts.KINDS[name]) for name in charts.on_page(data) if name in charts.KINDS]


def _margins(data: Gathered, kind: str) -> NDArray[np.float32]:
    """Return margins of the groups in a chart, for each two systems: the lower triangle."""
    margins = data.groups[kind].margins[chart_data.largest(data, kind)]
    return margins[:, *np.tril_indices(len(data.names))].astype(np.float32)


def _charts(data: Gathered) -> dict[str, Any]:
    """Return each chart of the page, and rows from which it takes those of any two systems."""
    rows: dict[str, Any] = {}
    for name, kind in _shown_groups(data):
        grouped = data.groups[kind]
        rows[name] = [
            {
                "group": visible(grouped.names[place]),
                "segments": grouped.sizes[place],
                "place": place,
                "scores": [*map(chart_data.known, grouped.scores[:, place])],
            }
            for place in chart_data.largest(data, kind)
        ]
    shown = charts.on_page(data)
    if "frequency" in shown:
        rows["frequency"] = chart_data.frequency(data)
    return {name: {"spec": charts.spec(data, name), "rows": rows.get(name)} for name in shown}


def _ngrams(data: Gathered) -> dict[str, Any]:
    """Return what the page has to know to mark n-grams, and to repeat the arithmetic."""
    gains = chart_data.Gains(data)
    return {
        **data.metric._about.arithmetic,
        "texts": gains.texts,
        "textOrders": gains.orders,
        "counts": gains.counts,
        "worth": gains.weights,
        "most": chart_data.MOST_GRAMS,
        "weighed": chart_data.MOST_WEIGHED,
        "nested": chart_data.NESTED,
    }


def pair_facts(data: Gathered) -> dict[str, Any] | None:
    """Return what the page says of each pair of systems, in the direction that was tested."""
    if len(data.names) < 2:
        return None
    comparison = data.comparison
    number = {name: place for place, name in enumerate(data.names)}
    pairs = () if comparison is None else comparison.pairs
    tested = {(number[pair.one], number[pair.other]): pair for pair in pairs}
    rows: list[dict[str, Any]] = []
    parts: list[str] = []
    for one, other in combinations(range(len(data.names)), 2):
        order = (other, one) if (other, one) in tested else (one, other)
        found = _parts_of_pair(data, *order)
        names = found.pop("names")
        parts = parts or names
        rows.append({"systems": order, **_test_of_pair(data, tested.get(order)), **found})
    return {
        "parts": parts,
        "rows": rows,
        "tests": len(pairs),
        "alpha": None if comparison is None else f"{comparison.alpha:g}",
        "confidence": None if comparison is None else percent(comparison.confidence_level),
        "units": data.say.again("segments" if comparison is None else comparison.units),
    }


def _test_of_pair(data: Gathered, pair: Pair | None) -> dict[str, Any]:
    """Return what came out of a test; nothing if there was none."""
    comparison, say = data.comparison, data.say
    if comparison is None or pair is None:
        return {}
    ends = None if pair.interval is None else (pair.interval.low, pair.interval.high)
    agreed = pair.human_agreement
    return {
        "interval": ends and [*map(chart_data.known, ends)],
        "p": p_value(pair.p_adjusted, at_floor=pair.adjusted_at_floor),
        "significant": pair.significant,
        "undecided": pair.undecided,
        "why": say.again(comparison.reason_for(pair))
        if pair.only_uncorrected and not pair.undecided
        else "",
        "differing": pair.differing,
        "margin": [
            (say.again(text), p < comparison.alpha) for text, p in statements(comparison, pair)
        ],
        "humans": None if agreed is None else f"{agreed:.0%}",
        "detectable": pair.detectable,
        "detectableAdjusted": pair.detectable_adjusted,
    }


def _parts_of_pair(data: Gathered, one: int, other: int) -> dict[str, Any]:
    """Return the parts of a difference; nothing of a metric that has none."""
    explanation = data.metric._explanation()
    if explanation is None:
        return {"names": []}
    found, reason = explanation.decompose(data.scores[one], data.scores[other])
    names = [part.name for part in found]
    if reason is None:
        return {"names": names, "shares": [part.share for part in found]}
    zero = next((each for each in (one, other) if data.scores[each].reason), one)
    return {
        "names": names,
        "undefined": [zero, data.say.again(data.scores[zero].reason or "")],
    }
