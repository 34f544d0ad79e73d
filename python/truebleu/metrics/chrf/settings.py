"""The settings of chrF, and how signatures show them."""

from __future__ import annotations

from truebleu.errors import SettingsError, written
from truebleu.metrics.settings import Setting, Table, number, order_or_zero, switch, unicode_form
from truebleu.metrics.signature import Field, choice, read_number, unicode_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from truebleu.metrics.settings import UnicodeForm

    class ChrfSettings(TypedDict, total=False):
        """The settings of chrF, as keyword arguments."""

        char_order: int
        word_order: int
        beta: float
        unicode_form: UnicodeForm | None
        lowercase: bool
        whitespace: bool
        eps_smoothing: bool


# Its square is a finite number by far.
_LARGEST_BETA = 1e6


def _check_orders(settings: dict[str, Any]) -> None:
    if not settings["char_order"] + settings["word_order"]:
        raise SettingsError("char_order and word_order are both 0; nothing would be counted")


def _beta(name: str, value: Any) -> float:
    beta = number(name, value)
    if beta > _LARGEST_BETA:
        raise SettingsError(f"beta is {written(value)}; it must be from 0 to {_LARGEST_BETA:g}")
    return beta


SETTINGS = Table(
    "Chrf",
    Setting(
        name="char_order",
        default=6,
        check=order_or_zero,
        field=Field(key="nc", short=("numchars", "n"), read=read_number, default="6"),
        option=(int, "N", "highest order of character n-grams (default: 6)"),
    ),
    Setting(
        name="word_order",
        default=0,
        check=order_or_zero,
        field=Field(key="nw", read=read_number, default="0"),
        option=(int, "N", "highest order of word n-grams (default: 0; chrf++ is chrf with 2)"),
    ),
    Setting(
        name="beta",
        default=2.0,
        check=_beta,
        field=Field(
            key="beta", write=lambda beta: repr(beta).removesuffix(".0"), read=float, default="2"
        ),
        option=(float, "X", "weight of recall in the F-score (default: 2)"),
    ),
    unicode_form(),
    switch(
        "lowercase",
        choice("case", {False: "mixed", True: "lc"}, short=("c",)),
        "lowercase the text",
    ),
    switch(
        "whitespace",
        choice("space", {False: "no", True: "yes"}, short=("s",)),
        "count whitespace as well",
    ),
    switch(
        "eps_smoothing",
        choice("eff", {False: "yes", True: "no"}, short=("e",)),
        "average the F-scores of all orders, as chrF++.py does, instead of leaving out orders "
        "for which texts are too short",
    ),
    signature="case eff nc nw beta space tok form unicode",
    others=(
        # Written by sacreBLEU before 1.4, which tokenized nothing for chrF.
        Field(key="tok", compared="never", about="tokenizer, which has no effect"),
        unicode_field(),
    ),
    together=_check_orders,
)
"""The settings of chrF. Keys and values of fields are sacreBLEU's where it has the field."""
