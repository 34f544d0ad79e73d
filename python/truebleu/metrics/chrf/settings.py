"""The settings of chrF, and how signatures show them."""

from __future__ import annotations

from truebleu.errors import SettingsError, written
from truebleu.metrics.settings import (
    Setting,
    Table,
    choice,
    number,
    order_or_zero,
    read_choice,
    read_number,
    switch,
    unicode_field,
    unicode_form,
)
from truebleu.metrics.signatures import Field, Reader, is_old

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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


_NAME = r"(?i)chr-?f(\d+(?:\.\d+)?(?:e[+-]?\d+)?)?(\+*)"


class ChrfReader(Reader):
    """Reads chrF's signatures."""

    word = "chr-?f"

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields with those that sacreBLEU only has in the name: beta, in 1.x nw."""
        import re

        if old and "case" in fields:
            # Until 1.3, signatures of chrF show the option -lc, which only BLEU applies.
            fields["case"] = "mixed"
        parts = re.search(_NAME, name or "")
        if parts is None:
            return fields
        if parts[1]:
            _complete(fields, "beta", parts[1], parts[0])
        if parts[2]:
            _complete(fields, "nw", str(len(parts[2])), parts[0])
        return fields

    def ambiguities(self, settings: Any, fields: Mapping[str, str]) -> Iterator[str]:
        """Describe what sacreBLEU's signatures leave open."""
        if "beta" not in fields:
            yield (
                "the signature does not record beta, which sacreBLEU only shows in the name of the "
                f"score, such as chrF2: {settings.beta:g} is assumed"
            )
        if is_old(fields) and settings.whitespace:
            yield (
                f"with whitespace, sacreBLEU {fields['version']} also counted the end of each "
                "line: the score may differ"
            )


def _complete(fields: dict[str, str], key: str, value: str, name: str) -> None:
    """Set what the name says."""
    given = fields.setdefault(key, value)
    # Names have six digits.
    if given != value and not _is_rounded(given, value):
        raise SettingsError(
            f"signature field '{key}:{given}' contradicts the name {name}: one of the two is wrong"
        )


def _is_rounded(given: str, value: str) -> bool:
    try:
        return f"{float(given):g}" == value
    except ValueError:
        return True  # What is no number is refused where it is read.


_yes_or_no = read_choice({"no": False, "yes": True})


def _read_space(name: str) -> bool:
    # sacreBLEU 1.x writes a bool of Python, or that in lower case.
    found: bool = _yes_or_no({"false": "no", "true": "yes"}.get(name.lower(), name))
    return found


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
        Field(
            key="space",
            short=("s",),
            write={False: "no", True: "yes"}.get,
            read=_read_space,
            normalize=lambda name: "yes" if _read_space(name) else "no",
            default="no",
        ),
        "count whitespace as well",
    ),
    switch(
        "eps_smoothing",
        choice("eff", {False: "yes", True: "no"}, short=("e",)),
        "average the F-scores of all orders, as chrF++.py does, instead of leaving out orders "
        "for which texts are too short",
    ),
    name="chrF",
    signature="case eff nc nw beta space tok form unicode",
    others=(
        # Written by sacreBLEU before 1.4, which tokenized nothing for chrF.
        Field(key="tok", compared="never", about="tokenizer, which has no effect"),
        unicode_field(),
    ),
    reader=ChrfReader,
    together=_check_orders,
)
"""The settings of chrF. Keys and values of fields are sacreBLEU's where it has the field."""
