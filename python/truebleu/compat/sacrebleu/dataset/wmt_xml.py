"""WMT's test sets since 2021."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from truebleu.compat.sacrebleu.cache import smart_open as smart_open
from truebleu.compat.sacrebleu.dataset.base import Dataset as Dataset
from truebleu.compat.sacrebleu.dataset.base import RegisteredDataset
from truebleu.test_sets.parsing.raw import reference_field

_get_field_by_translator = reference_field


class WMTXMLDataset(RegisteredDataset):
    """A test set in XML; a file has everything about a language pair, also outputs of systems."""

    kind = "wmt-xml"

    @staticmethod
    def _unwrap_wmt21_or_later(raw_file: Any) -> dict[str, list[str]]:
        """Return the fields of a file, given by its path or opened."""
        from truebleu.test_sets.parsing.wmt_xml import read_wmt_xml

        return read_wmt_xml(Path(getattr(raw_file, "name", raw_file)))

    def _get_langpair_path(self, langpair: str) -> str:
        return self.raw_path(langpair)

    def _get_langpair_allowed_refs(self, langpair: str) -> list[str]:
        """Return the references that are scored; the file may have others."""
        files = self._get_langpair_metadata(langpair)[langpair]
        chosen = self.kwargs.get("refs", [])
        if isinstance(files, dict):
            chosen = files.get("refs", chosen)
        return [reference_field(translator) for translator in chosen]

    def get_reference_files(self, langpair: str) -> list[str]:
        """Return the text files of the references that are scored."""
        scored = self._get_langpair_allowed_refs(langpair)
        return [path for field, path in self._files(langpair).items() if field in scored]

    def fieldnames(self, langpair: str) -> list[str]:
        """Return the fields of a language pair, which are in its file."""
        self.fetch([langpair])
        return list(self._read(langpair))

    def _files(self, langpair: str) -> dict[str, str]:
        """Return the text files by field; write those that are missing or empty."""
        self.fetch([langpair])
        fields = self._read(langpair)
        self._write(langpair, fields)
        return {field: self._get_txt_file_path(langpair, field) for field in fields}

    def _write(self, langpair: str, fields: dict[str, list[str]]) -> None:
        paths = {field: Path(self._get_txt_file_path(langpair, field)) for field in fields}
        there = [field for field, path in paths.items() if path.exists() and path.stat().st_size]
        super()._write(langpair, {field: fields[field] for field in fields if field not in there})
