"""The settings of BLEU: their names, defaults and ranges, and how signatures show them."""

from __future__ import annotations

from truebleu._core import DIVIDING_SMOOTHINGS, REFERENCE_LENGTHS, SMOOTHINGS
from truebleu.errors import SettingsError, SettingsWarning, warn, written
from truebleu.metrics import settings
from truebleu.metrics.settings import (
    Setting,
    Table,
    choice,
    read_choice,
    read_number,
    unicode_field,
)
from truebleu.metrics.signatures import Field, Reader, is_old, version_parts
from truebleu.tokenizers.base import OWN_MODEL
from truebleu.tokenizers.registry import NAMES, from_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal, TypedDict

    from truebleu.metrics.settings import UnicodeForm
    from truebleu.tokenizers.registry import Tokenizer

    Smoothing = (
        Literal["none", "floor", "add-k", "exp", "lin-och", "add-one", "nist", "skip-zero"]
        | Literal["compare-mt", "method0", "method1", "method2", "method3"]
        | Literal["method4", "method5", "method6", "method7"]
    )
    ReferenceLength = Literal["closest", "closest-first", "shortest", "longest", "average"]

    class BleuSettings(TypedDict, total=False):
        """Keyword arguments of :class:`truebleu.Bleu`; see there."""

        tokenizer: Tokenizer
        unicode_form: UnicodeForm | None
        lowercase: bool
        max_order: int | None
        weights: Sequence[float] | Sequence[Sequence[float]] | None
        smoothing: Smoothing
        smooth_value: float | None
        effective_order: bool | None
        reference_length: ReferenceLength
        brevity_penalty: bool
        phantom_ngrams: bool


def _check_together(checked: dict[str, Any]) -> None:
    """Fill in the value of the smoothing, and derive the highest order and the weights."""
    checked["smooth_value"] = _smooth_value(checked["smoothing"], checked["smooth_value"])
    checked["max_order"], checked["weights"] = _orders(checked["max_order"], checked["weights"])


def check_tokens(settings: dict[str, Any]) -> None:
    """Raise SettingsError for settings that change text, because the input is already tokens."""
    for name, what in (("lowercase", "lower-case"), ("unicode_form", "normalize")):
        if settings[name]:
            raise SettingsError(
                f"{name} needs text: with tokenizer='pretokenized', {what} the tokens yourself"
            )


def _smooth_value(smoothing: str, value: Any) -> float | None:
    default = SMOOTHINGS[smoothing]
    if value is None:
        return default
    if default is None:
        raise SettingsError(
            f"smoothing {smoothing!r} takes no smooth_value, but {written(value)} is given"
        )
    number = settings.number("smooth_value", value)
    if number == 0 and smoothing in DIVIDING_SMOOTHINGS:
        raise SettingsError(f"smooth_value is 0, and smoothing {smoothing!r} divides by it")
    return number


def _orders(max_order: Any, weights: Any) -> tuple[int, tuple[tuple[float, ...], ...]]:
    """Derive the highest order from the weights, or the other way round, and check both."""
    lists = () if weights is None else _weight_lists(weights)
    longest = max(map(len, lists), default=4)
    order = settings.order("max_order", longest if max_order is None else max_order)
    if lists and longest != order:
        raise SettingsError(
            f"there are weights for {longest} orders, but max_order is {order}; "
            "give as many weights, or leave max_order out"
        )
    # Uniform weights that are written out give the same score as the default, to the last bit.
    if lists == ((1 / order,) * order,):
        return order, ()
    return order, lists


def _weight_lists(weights: Any) -> tuple[tuple[float, ...], ...]:
    from collections.abc import Mapping

    try:
        items = list(weights)
        if not items or not hasattr(items[0], "__iter__"):
            items = [items]
        if any(isinstance(each, str | bytes | bytearray | Mapping) for each in (weights, *items)):
            raise TypeError  # Digits and bytes are numbers, too, but not these.
        lists = tuple(tuple(float(weight) for weight in each) for each in items)
    except (TypeError, ValueError, OverflowError) as error:
        raise SettingsError(
            f"weights is {written(weights)}; a sequence of numbers, or several such sequences, is "
            "needed"
        ) from error
    for each in lists:
        if not each or not all(0 <= weight < float("inf") for weight in each):
            raise SettingsError(
                f"weights {each!r}: one finite number from 0 up per order is needed"
            )
        if not any(each):
            raise SettingsError(f"weights {each!r} are all 0")
        # 0.333 for a third is rounding; 0.33 changes the score.
        if abs(sum(each) - 1) > 0.005:
            warn(
                f"weights {each!r} add up to {sum(each):g}, not 1, so the score is not a "
                "weighted geometric mean",
                SettingsWarning,
            )
    return lists


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


def weights_of_words(text: str) -> tuple[float, ...]:
    """Read the weights that the command is given."""
    try:
        return tuple(float(weight) for weight in text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not a list like 0.5,0.3,0.2") from None


def _read_tokenizer(name: str) -> Any:
    if name.startswith("tercom"):
        raise ValueError("this is the tokenizer of TER")
    return from_signature(name)


class BleuReader(Reader):
    """Reads BLEU's signatures."""

    word = r"bleu(?!rt)"

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields with the smoothing value that old versions do not write."""
        if old and fields.get("smooth") in ("floor", "add-k"):
            # sacreBLEU before 1.5 does not write the default value.
            parts = version_parts(fields)
            is_one = fields["smooth"] == "add-k" and (not parts or parts >= (1, 4, 4))
            fields["smooth"] += "[1.0]" if is_one else "[0.0]"
        elif old and fields.get("smooth") == "add-n":
            # The command accepted add-n, but the formula only knew add-k, so it did not smooth.
            fields["smooth"] = "none"
        return fields

    def ambiguities(self, settings: Any, fields: Mapping[str, str]) -> Iterator[str]:
        """Describe the ambiguities of a signature of sacreBLEU 1.x."""
        if not is_old(fields):
            return
        version = f"sacreBLEU {fields['version']}"
        if settings.smooth_value is not None and version_parts(fields) < (1, 5):
            yield (
                f"signatures of {version} do not record --smooth-value: the default of "
                f"{settings.smoothing}, {settings.smooth_value:g}, is assumed"
            )
        if settings.tokenizer == "intl":
            yield (
                f"the intl tokenizer of {version} split punctuation from numbers like \u00bd, "
                "which sacreBLEU 2 does not: the score may differ"
            )


_SMOOTH_VALUES = {name: f"{default:g}" for name, default in SMOOTHINGS.items() if default}

EFFECTIVE = {None: "auto", False: "no", True: "yes"}
"""The values of the field of effective order in signatures, by the setting."""

SETTINGS = Table(
    "Bleu",
    Setting(
        name="tokenizer",
        default="13a",
        field=Field(
            key="tok",
            attributes=("tokenizer_name",),
            read=_read_tokenizer,
            settings=("tokenizer",),
            counting=1,
            local=True,
        ),
        option=(
            *(str, "NAME"),
            f"how text is split into tokens: one of {', '.join(NAMES)}, or {OWN_MODEL}PATH for a "
            "SentencePiece model (default: 13a)",
        ),
    ),
    settings.unicode_form(counting=3),
    settings.switch(
        "lowercase",
        choice("case", {False: "mixed", True: "lc"}, short=("c",), counting=2),
        "lowercase the text",
    ),
    Setting(
        name="max_order",
        field=Field(key="order", read=read_number, default="4"),
        option=(int, "N", "highest n-gram order (default: 4)"),
    ),
    Setting(
        name="weights",
        field=Field(key="weights", write=_write_weights, read=_read_weights, default="uniform"),
        option=(weights_of_words, "W,W,...", "weights of the orders, from 1 up (default: uniform)"),
    ),
    Setting(
        name="smoothing",
        default="exp",
        check=settings.one_of(SMOOTHINGS),
        field=Field(
            key="smooth",
            short=("s",),
            attributes=("smoothing", "smooth_value"),
            write=_write_smoothing,
            read=_read_smoothing,
            # sacreBLEU writes two decimals of the value, truebleu all of them.
            normalize=lambda text: _write_smoothing(*_read_smoothing(text)),
        ),
        option=(
            *(str, "NAME"),
            "how to avoid a score of 0 if no n-gram of some order matches: one of "
            f"{', '.join(SMOOTHINGS)} (default: exp)",
        ),
    ),
    Setting(
        name="smooth_value",
        option=(
            *(float, "X"),
            f"the parameter of --smoothing {', '.join(_SMOOTH_VALUES)}; others take none (default: "
            f"{', '.join(_SMOOTH_VALUES.values())})",
        ),
    ),
    Setting(
        name="effective_order",
        check=settings.flag_or_none,
        field=Field(
            key="eff",
            short=("e",),
            write=EFFECTIVE.get,
            read=read_choice({name: value for value, name in EFFECTIVE.items()}),
            default="no",
            compared="if present",
            # The signature of a score has yes or no; that of a Bleu may have auto.
            normalize=lambda name: None if name == "auto" else name,
        ),
        option=(
            *(bool, ""),
            "leave out orders for which the hypothesis is too short (default: for single segments, "
            "but not for corpora)",
        ),
    ),
    Setting(
        name="reference_length",
        default="closest",
        check=settings.one_of(REFERENCE_LENGTHS),
        field=Field(key="len", read=str, default="closest", counting=6),
        option=(
            *(str, "RULE"),
            "which reference length the brevity penalty uses: one of "
            f"{', '.join(REFERENCE_LENGTHS)} (default: closest)",
        ),
    ),
    Setting(
        name="brevity_penalty",
        default=True,
        check=settings.flag,
        field=Field(
            key="bp",
            write={False: "no"}.get,
            read=read_choice({"no": False, "yes": True}),
            default="yes",
        ),
        option=(bool, "", "penalize output that is shorter than the references (default: on)"),
    ),
    settings.switch(
        "phantom_ngrams",
        Field(
            key="phantom",
            write={True: "yes"}.get,
            read=read_choice({"no": False, "yes": True}),
            default="no",
            counting=7,
        ),
        "count at least one n-gram of every order in every segment, as NLTK does",
    ),
    name="BLEU",
    signature="case eff tok form smooth order weights len bp phantom unicode",
    others=(unicode_field(counting=4),),
    reader=BleuReader,
    together=_check_together,
)
"""The settings of BLEU. Keys and values of fields are sacreBLEU's where it has the field."""

# The number of counted orders is not in signatures: some smoothings need one more than the score.
COUNTING = SETTINGS.grammar.counting(Field(key="orders", counting=5))
"""The fields of counting keys."""

DEFAULTS = SETTINGS.defaults
"""The default of each setting."""
