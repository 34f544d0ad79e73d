"""The settings of TER, and how signatures show them."""

from __future__ import annotations

from truebleu.metrics.settings import Table, switch, unicode_form
from truebleu.metrics.signature import Field, choice, unicode_field

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
    signature="case tok norm punct asian form unicode",
    others=(
        Field(
            key="tok", attributes=("tokenizer_name",), default="tercom", about="program it follows"
        ),
        unicode_field(),
    ),
)
"""The settings of TER. Keys and values of fields are sacreBLEU's where it has the field."""
