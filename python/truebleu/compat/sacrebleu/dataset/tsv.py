"""Test sets in tables."""

from __future__ import annotations

from truebleu.compat.sacrebleu.cache import smart_open as smart_open
from truebleu.compat.sacrebleu.dataset.base import Dataset as Dataset
from truebleu.compat.sacrebleu.dataset.base import RegisteredDataset
from truebleu.errors import SettingsError


class TSVDataset(RegisteredDataset):
    """A test set in columns that tabs separate, such as those of MTNT."""

    kind = "tsv"

    @staticmethod
    def _split_index_and_filename(meta: str, field: str) -> tuple[int, str]:
        """Split ``3:PATH`` into column and path; the default is 0 for the source, else 1."""
        column, colon, path = meta.partition(":")
        if not colon or ":" in path:
            return int(field != "src"), meta
        if not column.strip().lstrip("+-").isdecimal():
            raise SettingsError(f"Invalid meta for TSVDataset: {meta}; COLUMN:PATH is needed")
        return int(column), path

    def _split(self, langpair: str) -> list[tuple[int, str]]:
        files = super()._members(langpair)
        fields = self.fieldnames(langpair)
        pairs = zip(files, fields, strict=True)
        return [self._split_index_and_filename(meta, field) for meta, field in pairs]

    def _members(self, langpair: str) -> list[str]:
        return [path for _, path in self._split(langpair)]

    def _columns(self, langpair: str) -> list[int | None]:
        return [column for column, _ in self._split(langpair)]
