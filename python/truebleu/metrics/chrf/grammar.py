"""The fields of chrF's signatures, from which they are written, read and compared."""

from __future__ import annotations

from truebleu.metrics.signature import Field, Grammar
from truebleu.metrics.signature_fields import (
    VERSION,
    choice,
    outside_fields,
    read_number,
    references_field,
)

GRAMMAR = Grammar(
    references_field("Chrf"),
    Field(
        key="case",
        short=("c",),
        attributes=("lowercase",),
        **choice({False: "mixed", True: "lc"}),
        default="mixed",
    ),
    Field(
        key="eff",
        short=("e",),
        attributes=("eps_smoothing",),
        **choice({False: "yes", True: "no"}),
        default="yes",
    ),
    Field(
        key="nc", short=("numchars", "n"), attributes=("char_order",), read=read_number, default="6"
    ),
    Field(key="nw", attributes=("word_order",), read=read_number, default="0"),
    Field(
        key="beta",
        attributes=("beta",),
        write=lambda beta: repr(beta).removesuffix(".0"),
        read=float,
        default="2",
    ),
    Field(
        key="space",
        short=("s",),
        attributes=("whitespace",),
        **choice({False: "no", True: "yes"}),
        default="no",
    ),
    # Written by sacreBLEU before 1.4, which tokenized nothing for chrF.
    Field(key="tok", compared="never"),
    Field(key="unicode", attributes=("unicode",), compared="if present", local=True),
    VERSION,
    *outside_fields("Chrf"),
)
"""The fields of signatures. Keys and values are sacreBLEU's where it has the field."""
