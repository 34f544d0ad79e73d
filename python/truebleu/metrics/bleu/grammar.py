"""The fields of BLEU's signatures, from which they are written, read and compared."""

from __future__ import annotations

from truebleu.metrics.signature import Field, Grammar
from truebleu.metrics.signature_fields import (
    VERSION,
    choice,
    outside_fields,
    read_choice,
    read_number,
    references_field,
)
from truebleu.tokenizers.registry import from_signature


def _write_smoothing(smoothing: str, value: float | None) -> str:
    return smoothing if value is None else f"{smoothing}[{value!r}]"


def _read_smoothing(text: str) -> tuple[str, float | None]:
    smoothing, bracket, number = text.partition("[")
    if bracket and not number.endswith("]"):
        raise ValueError("the bracket is not closed")
    return smoothing, float(number[:-1]) if bracket else None


def _write_weights(weights: tuple[tuple[float, ...], ...]) -> str:
    return ";".join(",".join(map(repr, each)) for each in weights) or "uniform"


def _read_weights(text: str) -> list[tuple[float, ...]] | None:
    if text == "uniform":
        return None
    return [tuple(map(float, weights.split(","))) for weights in text.split(";")]


GRAMMAR = Grammar(
    references_field("Bleu"),
    Field(
        key="case",
        short=("c",),
        attributes=("lowercase",),
        **choice({False: "mixed", True: "lc"}),
        default="mixed",
        counting=2,
    ),
    Field(
        key="eff",
        short=("e",),
        attributes=("effective_order",),
        **choice({None: "auto", False: "no", True: "yes"}),
        default="no",
        compared="if present",
        # The signature of a score has yes or no; that of a Bleu may have auto.
        normalize=lambda name: None if name == "auto" else name,
    ),
    Field(
        key="tok",
        attributes=("tokenizer_name",),
        read=from_signature,
        settings=("tokenizer",),
        counting=1,
        local=True,
    ),
    Field(key="form", attributes=("unicode_form",), read=str, default="none", counting=3),
    Field(
        key="smooth",
        short=("s",),
        attributes=("smoothing", "smooth_value"),
        write=_write_smoothing,
        read=_read_smoothing,
        # sacreBLEU writes two decimals of the value, truebleu all of them.
        normalize=lambda text: _write_smoothing(*_read_smoothing(text)),
    ),
    Field(key="order", attributes=("max_order",), read=read_number, default="4"),
    Field(
        key="weights",
        attributes=("weights",),
        write=_write_weights,
        read=_read_weights,
        default="uniform",
    ),
    Field(key="len", attributes=("reference_length",), read=str, default="closest", counting=6),
    Field(
        key="phantom",
        attributes=("phantom_ngrams",),
        write={True: "yes"}.get,
        read=read_choice({"no": False, "yes": True}),
        default="no",
        counting=7,
    ),
    Field(key="unicode", attributes=("unicode",), counting=4, compared="if present", local=True),
    VERSION,
    *outside_fields("Bleu"),
)
"""The fields of signatures. Keys and values are sacreBLEU's where it has the field."""

# The number of counted orders is not in signatures: some smoothings need one more than the score.
COUNTING = GRAMMAR.counting(Field(key="orders", counting=5))
"""The fields of counting keys."""
