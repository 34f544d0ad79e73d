"""The data of a page, compressed, as text that no parser of HTML takes for anything else."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode

from truebleu.reporting import chart_data, chart_parts, charts, languages, pairs, quotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.metrics.about import Steps
    from truebleu.reporting.data import Gathered

# Segments that are unpacked at a time: few enough for one to take no noticeable time.
BLOCK = 500

# The groups that segments can be filtered by.
_LABELS = ("document", "domain")

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
    """Pack the columns of numbers, one behind the other, each from a multiple of eight bytes on.

    The first item describes them: name and type as JavaScript knows it, and how many numbers.
    """
    import numpy as np

    shown = data.metric._segment_columns(data.rows)
    columns: dict[str, NDArray[Any]] = {
        "length": data.lengths,
        "sentence": data.sentences,
        "contribution": data.contributions.astype(np.float32),
        **{f"row.{name}": column for name, column in shown.items()},
    }
    columns |= {f"other.{place}": each for place, each in enumerate(data.others.values())}
    columns |= data.metric._about.columns(data.rows)
    columns |= {kind: data.groups[kind].members for kind in _LABELS if kind in data.groups}
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
    """Pack the edits of every segment and system, in blocks; nothing if the metric counts none.

    Each is the column of the reference with the fewest edits, a letter for each edit, four numbers
    for each shift (start, length, target, gain), and the words of both texts, or 0 for words that
    are those of the text between whitespace.
    """
    steps = data.metric._about.steps
    if steps is None:
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
        "fields": list(metric._segment_columns(data.rows)),
        "formula": metric._about.formula,
        "orders": metric._about.orders,
        "marks": metric._about.marks,
        "ngrams": None if data.grams is None else _ngrams(data),
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
        "config": chart_parts.config({name: f"var(--{name})" for name in chart_parts.colors()}),
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
    }
