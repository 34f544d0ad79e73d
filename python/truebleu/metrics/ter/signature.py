"""Reading TER's signatures; see :mod:`truebleu.metrics.signatures`."""

from __future__ import annotations

import re

from truebleu.errors import SettingsError
from truebleu.metrics.signatures import Reader
from truebleu.metrics.ter.settings import SETTINGS

# sacreBLEU 1.x has all settings in the name of the tokenizer: tercom-nonorm-punct-noasian-uncased.
_TOKENIZER = re.compile("tercom-(no)?norm-(no)?punct-(no)?asian-(un)?cased")


class TerReader(Reader):
    """Reads TER's signatures."""

    def long_key(self, key: str, value: str) -> str:
        """Return the long key of a field; ``t`` is the tokenizer, or else a test set."""
        return "tok" if key == "t" and value.startswith("tercom") else super().long_key(key, value)

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields with those in the name of sacreBLEU 1.x for the tokenizer."""
        parts = _TOKENIZER.fullmatch(fields.get("tok", ""))
        if parts is not None:
            *negated, uncased = parts.groups()
            for key, no in zip(("norm", "punct", "asian"), negated, strict=True):
                fields[key] = "no" if no else "yes"
            fields |= {"case": "lc" if uncased else "mixed", "tok": "tercom"}
        if fields.get("tok", "tercom") != "tercom":
            raise SettingsError(
                f"signature field 'tok:{fields['tok']}': TER has no tokenizer but tercom"
            )
        return fields


READER = TerReader("Ter", SETTINGS.grammar)
"""Reads TER's signatures."""
