"""Reading BLEU's signatures; see :mod:`truebleu.metrics.signatures`."""

from __future__ import annotations

from truebleu.metrics.bleu.settings import SETTINGS
from truebleu.metrics.signatures import Reader, is_old, version_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


class BleuReader(Reader):
    """Reads BLEU's signatures."""

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


READER = BleuReader("Bleu", SETTINGS.grammar)
"""Reads BLEU's signatures."""
