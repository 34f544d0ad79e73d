"""Reading chrF's signatures; see :mod:`truebleu.metrics.signatures`."""

from __future__ import annotations

import re

from truebleu.errors import SettingsError
from truebleu.metrics.chrf.settings import SETTINGS
from truebleu.metrics.signatures import Reader, is_old

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_NAME = re.compile(r"chr-?f(\d+(?:\.\d+)?(?:e[+-]?\d+)?)?(\+*)", re.IGNORECASE)


class ChrfReader(Reader):
    """Reads chrF's signatures."""

    def completed(self, fields: dict[str, str], name: str | None, *, old: bool) -> dict[str, str]:
        """Return the fields with those that sacreBLEU only has in the name: beta, in 1.x nw."""
        if old and "case" in fields:
            # Until 1.3, signatures of chrF show the option -lc, which only BLEU applies.
            fields["case"] = "mixed"
        if "space" in fields:
            # sacreBLEU 1.x writes a bool of Python, or that in lower case.
            values = {"false": "no", "true": "yes"}
            fields["space"] = values.get(fields["space"].lower(), fields["space"])
        parts = _NAME.search(name or "")
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


READER = ChrfReader("Chrf", SETTINGS.grammar)
"""Reads chrF's signatures."""
