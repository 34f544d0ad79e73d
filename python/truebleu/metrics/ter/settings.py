"""The settings of TER, and how signatures show them."""

from __future__ import annotations

from truebleu.metrics.settings import Setting, Table, flag
from truebleu.metrics.signature import Field, choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class TerSettings(TypedDict, total=False):
        """The settings of TER, as keyword arguments."""

        normalized: bool
        no_punct: bool
        asian_support: bool
        case_sensitive: bool


SETTINGS = Table(
    "Ter",
    Setting(
        name="normalized",
        default=False,
        check=flag,
        field=choice("norm", {False: "no", True: "yes"}, short=("nr",)),
    ),
    Setting(
        name="no_punct",
        default=False,
        check=flag,
        field=choice("punct", {False: "yes", True: "no"}, short=("pn",)),
    ),
    Setting(
        name="asian_support",
        default=False,
        check=flag,
        field=choice("asian", {False: "no", True: "yes"}, short=("as",)),
    ),
    Setting(
        name="case_sensitive",
        default=False,
        check=flag,
        field=choice("case", {False: "lc", True: "mixed"}, short=("c",)),
    ),
    signature="case tok norm punct asian unicode",
    others=(
        Field(key="tok", attributes=("tokenizer_name",), default="tercom"),
        Field(key="unicode", attributes=("unicode",), compared="if present", local=True),
    ),
)
"""The settings of TER. Keys and values of fields are sacreBLEU's where it has the field."""
