"""WMT's test sets until 2020, whose SGML is not valid."""

from __future__ import annotations

from truebleu.compat.sacrebleu.cache import smart_open as smart_open
from truebleu.compat.sacrebleu.dataset.base import Dataset as Dataset
from truebleu.compat.sacrebleu.dataset.base import RegisteredDataset
from truebleu.errors import SettingsError
from truebleu.test_sets.parsing.raw import separate_fields


class FakeSGMLDataset(RegisteredDataset):
    """A test set in SGML, with the source and each reference in a file of its own."""

    kind = "sgml"

    def fieldnames(self, langpair: str) -> list[str]:
        """Return the fields of a language pair: source, references and attributes of documents."""
        count = len(self._members(langpair)) - 1
        if count < 1:
            raise SettingsError(f"Each language pair in {self.name} must have at least 2 fields.")
        return separate_fields(self.name, self.kind, count)


class WMTAdditionDataset(FakeSGMLDataset):
    """A test set in SGML with references in plain text."""

    kind = "sgml+text"
