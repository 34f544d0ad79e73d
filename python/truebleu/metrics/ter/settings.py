"""The settings of TER, and how signatures show them."""

from __future__ import annotations

from truebleu.metrics.settings import Table, choice, switch, unicode_field, unicode_form
from truebleu.metrics.signatures import Field, Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from truebleu.metrics.settings import UnicodeForm

    class TerSettings(TypedDict, total=False):
        """The settings of TER, as keyword arguments."""

        unicode_form: UnicodeForm | None
        normalized: bool
        no_punct: bool
        asian_support: bool
        case_sensitive: bool


# sacreBLEU 1.x has all settings in the name of the tokenizer: tercom-nonorm-punct-noasian-uncased.
_TOKENIZER = "tercom-(no)?norm-(no)?punct-(no)?asian-(un)?cased"


class TerReader(Reader):
    """Reads TER's signatures."""

    def long_key(self, key: str, value: str) -> str:
        """Return the long key of a field; ``t`` is the tokenizer, or else a test set."""
        return "tok" if key == "t" and value.startswith("tercom") else super().long_key(key, value)

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields with those in the name of sacreBLEU 1.x for the tokenizer."""
        import re

        parts = re.fullmatch(_TOKENIZER, fields.get("tok", ""))
        if parts is not None:
            *negated, uncased = parts.groups()
            for key, no in zip(("norm", "punct", "asian"), negated, strict=True):
                fields[key] = "no" if no else "yes"
            fields |= {"case": "lc" if uncased else "mixed", "tok": "tercom"}
        return fields


def _program(name: str) -> str:
    """Return the program that TER follows, given its tokenizer in a signature."""
    import re

    if name != "tercom" and not re.fullmatch(_TOKENIZER, name):
        raise ValueError("TER has no tokenizer but tercom")
    return name


SETTINGS = Table(
    "Ter",
    unicode_form(),
    switch(
        "normalized",
        choice("norm", {False: "no", True: "yes"}, short=("nr",)),
        "split off punctuation",
    ),
    switch(
        "no_punct", choice("punct", {False: "yes", True: "no"}, short=("pn",)), "remove punctuation"
    ),
    switch(
        "asian_support",
        choice("asian", {False: "no", True: "yes"}, short=("as",)),
        "handle Chinese and Japanese: with normalized, split Han characters into words of their "
        "own; with no_punct, remove Chinese and Japanese punctuation, too",
    ),
    switch(
        "case_sensitive",
        choice("case", {False: "lc", True: "mixed"}, short=("c",)),
        "distinguish upper and lower case",
    ),
    name="TER",
    signature="case tok norm punct asian form unicode",
    others=(
        Field(
            key="tok",
            attributes=("tokenizer_name",),
            normalize=_program,
            default="tercom",
            about="program it follows",
        ),
        unicode_field(),
    ),
    reader=TerReader,
)
"""The settings of TER. Keys and values of fields are sacreBLEU's where it has the field."""
