"""The fields of BLEU's signatures, from which they are written, read and compared."""

from __future__ import annotations

from truebleu.metrics.signature import Field, Grammar
from truebleu.tokenizers.registry import from_signature

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _choice(names: dict[Any, str]) -> dict[str, Any]:
    """Return `write` and `read` of a field, given the name of each value of the setting."""
    values = {name: value for value, name in names.items()}
    return {"write": names.get, "read": _read_choice(values)}


def _read_choice(values: dict[str, Any]) -> Callable[[str], Any]:
    def read(name: str) -> Any:
        if name not in values:
            raise ValueError(f"one of {', '.join(values)} is needed")
        return values[name]

    return read


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


def _test_set(key: str, short: str) -> Field:
    """Create a field that names a test set, or a part of it."""
    warning = (
        "the signature names the test set ({}), which is not a setting of Bleu: pass its segments "
        "and references yourself, or use truebleu-sacrebleu -t"
    )
    return Field(key=key, short=(short,), compared="if present", warning=warning)


def _resampling(key: str, *short: str) -> Field:
    """Create a field that describes an interval or a significance test."""
    warning = (
        "the signature describes an interval or a significance test ({}), which Bleu does not "
        "compute: pass these settings to compare or confidence_interval"
    )
    return Field(key=key, short=short, compared="never", warning=warning)


GRAMMAR = Grammar(
    Field(
        key="nrefs",
        short=("#", "numrefs"),
        compared="if present",
        # sacreBLEU 1.x writes ? when it is used as a library.
        normalize=lambda number: None if number == "?" else number,
        warning="the signature says {}, which is not a setting of Bleu: pass that many references "
        "for each segment",
        harmless=("1", "?"),
    ),
    Field(
        key="case",
        short=("c",),
        attributes=("lowercase",),
        **_choice({False: "mixed", True: "lc"}),
        default="mixed",
        counting=2,
    ),
    Field(
        key="eff",
        short=("e",),
        attributes=("effective_order",),
        **_choice({None: "auto", False: "no", True: "yes"}),
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
    Field(key="order", attributes=("max_order",), read=int, default="4"),
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
        read=_read_choice({"no": False, "yes": True}),
        default="no",
        counting=7,
    ),
    Field(key="unicode", attributes=("unicode",), counting=4, compared="if present", local=True),
    Field(key="version", short=("v",), compared="never"),
    _test_set("test", "t"),
    _test_set("lang", "l"),
    _test_set("origlang", "o"),
    _test_set("subset", "S"),
    _resampling("bs"),
    _resampling("bt"),
    _resampling("ar"),
    _resampling("stop"),
    _resampling("seed", "rs"),
    _resampling("ci"),
    _resampling("sided"),
    _resampling("units"),
)
"""The fields of signatures. Keys and values are sacreBLEU's where it has the field."""

# The number of counted orders is not in signatures: some smoothings need one more than the score.
COUNTING = GRAMMAR.counting(Field(key="orders", counting=5))
"""The fields of counting keys."""
