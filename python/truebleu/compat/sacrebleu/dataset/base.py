"""What all test sets have in common: where their files are, and how they become plain text."""

from __future__ import annotations

import os
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from truebleu.compat.described import Described
from truebleu.compat.sacrebleu.cache import SACREBLEU_DIR as SACREBLEU_DIR
from truebleu.compat.sacrebleu.cache import download_file as download_file
from truebleu.compat.sacrebleu.cache import get_md5sum
from truebleu.compat.sacrebleu.cache import smart_open as smart_open
from truebleu.errors import InputError, UnknownNameError
from truebleu.test_sets.parsing import read_fields
from truebleu.test_sets.parsing.raw import clean


class Dataset(Described, metaclass=ABCMeta):
    """A test set, such as ``wmt20`` or ``wmt20/dev``; its files are in a folder of this name.

    `data` and `md5` have the address and the published checksum of each archive, `langpairs` the
    source and references of each language pair, as paths in the archives, or a dict of ``path`` and
    ``refs``, the translators whose references are used; ``refs`` of the set is their default.
    """

    def __init__(
        self,
        name: str,
        data: list[str] | None = None,
        description: str | None = None,
        citation: str | None = None,
        md5: list[str] | None = None,
        langpairs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Store the attributes; nothing is downloaded before it is needed."""
        self.name = name
        self.data = data
        self.description = description
        self.citation = citation
        self.md5 = md5
        self.langpairs = langpairs or {}
        self.kwargs = kwargs
        self._outdir = os.path.join(SACREBLEU_DIR, name)  # noqa: PTH118  # A str, as there.
        self._rawdir = os.path.join(self._outdir, "raw")  # noqa: PTH118

    def maybe_download(self) -> None:
        """Download and unpack the archives, unless all raw files are on disk."""
        self.fetch(self.langpairs)

    def fetch(self, langpairs: Iterable[str]) -> None:
        """Download and unpack all archives, unless the raw files of some pairs are on disk."""
        urls = self.data or []
        checksums: list[str] | list[None] = self.md5 or [None] * len(urls)
        archives = {
            self._get_tarball_filename(url): (url, md5)
            for url, md5 in zip(urls, checksums, strict=True)
        }
        raw = Path(self._rawdir)

        def is_there(name: str) -> bool:
            # A file that is not unpacked may be what an interrupted download has left.
            _, md5 = archives.get(name, (None, None))
            return (raw / name).exists() and (md5 is None or md5 == get_md5sum(str(raw / name)))

        if all(is_there(path) for pair in langpairs for path in self._members(pair)):
            return
        from truebleu.compat.sacrebleu.dataset.raw import fetch_members

        members = (path for pair in self.langpairs for path in self._members(pair))
        fetch_members(archives, raw, dict.fromkeys(members))

    def _members(self, langpair: str) -> list[str]:
        """Return the paths of a language pair's files in the archives."""
        files = self._get_langpair_metadata(langpair)[langpair]
        return [files["path"]] if isinstance(files, dict) else list(files)

    def raw_path(self, langpair: str) -> str:
        """Return the path of the raw source of a language pair, or of its only file."""
        return os.path.join(self._rawdir, self._members(langpair)[0])  # noqa: PTH118  # A str, as there.

    @staticmethod
    def _clean(s: str) -> str:
        return clean(s)

    def _get_tarball_filename(self, url: str) -> str:
        return f"{self.name.replace('/', '_')}.{os.path.basename(url)}"  # noqa: PTH119  # Of a URL.

    def _get_txt_file_path(self, langpair: str, fieldname: str) -> str:
        """Return the path of the text of a field; colons become hyphens."""
        if {"/", "\\", "\0"} & {*fieldname}:
            raise InputError(
                f"{self.name}/{langpair} has a field {fieldname!r}, which cannot be the name of a "
                "file; rename the system in the raw file"
            )
        name = f"{self.name.replace('/', '_')}.{langpair}.{fieldname.replace(':', '-')}"
        return os.path.join(self._outdir, name)  # noqa: PTH118  # A str, as there.

    def _get_langpair_metadata(self, langpair: str | None) -> dict[str, Any]:
        """Return the files of a language pair, or of all if it is None, by pair."""
        if langpair is None:
            return self.langpairs
        if langpair not in self.langpairs:
            raise UnknownNameError(
                f"No such language pair {self.name}/{langpair}; choose one of "
                f"{', '.join(self.langpairs)}"
            )
        return {langpair: self.langpairs[langpair]}

    @abstractmethod
    def process_to_text(self, langpair: str | None = None) -> None:
        """Write the fields of a language pair, or of all, to text files."""

    def fieldnames(self, langpair: str) -> list[str]:
        """Return the fields of a language pair, such as ``src`` and ``ref``."""
        return ["src", "ref"]

    def __iter__(self, langpair: str) -> Iterator[tuple[str, ...]]:  # noqa: PLE0302  # As there.
        """Iterate over the lines of all fields, side by side."""
        return self._side_by_side(self.get_files(langpair))

    def source(self, langpair: str) -> Iterator[str]:
        """Iterate over the lines of the source, without whitespace at their ends."""
        with smart_open(self.get_source_file(langpair)) as file:
            for line in file:
                yield line.strip()

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """Iterate over the lines of the references, side by side."""
        return self._side_by_side(self.get_reference_files(langpair))

    @staticmethod
    def _side_by_side(paths: list[str]) -> Iterator[tuple[str, ...]]:
        files = [smart_open(path) for path in paths]
        try:
            yield from zip(*files, strict=False)
        finally:
            for file in files:
                file.close()

    def get_source_file(self, langpair: str) -> str:
        """Return the text file of the source, which is downloaded if necessary."""
        return self._files(langpair)["src"]

    def get_reference_files(self, langpair: str) -> list[str]:
        """Return the text files of the references, which are downloaded if necessary."""
        files = self._files(langpair)
        return [path for field, path in files.items() if field.startswith("ref")]

    def get_files(self, langpair: str) -> list[str]:
        """Return the text files of all fields, which are downloaded if necessary."""
        return list(self._files(langpair).values())

    def _files(self, langpair: str) -> dict[str, str]:
        """Return the text files by field; write all of them if one is missing."""
        fields = self.fieldnames(langpair)
        files = {field: self._get_txt_file_path(langpair, field) for field in fields}
        if not all(map(os.path.exists, files.values())):
            self.process_to_text(langpair)
        return files


class RegisteredDataset(Dataset):
    """A test set whose files the package reads, in the way that `kind` says."""

    kind: ClassVar[str]

    def process_to_text(self, langpair: str | None = None) -> None:
        """Write the fields of a language pair, or of all, to text files."""
        langpairs = self._get_langpair_metadata(langpair)
        self.fetch(langpairs)
        for pair in langpairs:
            self._write(pair, self._read(pair))

    def _read(self, langpair: str) -> dict[str, list[str]]:
        raw = Path(self._rawdir)
        columns = self._columns(langpair)
        members = zip(self._members(langpair), columns, strict=True)
        return read_fields(self.name, self.kind, [(raw / path, column) for path, column in members])

    def _columns(self, langpair: str) -> list[int | None]:
        """Return the column of each file that a field is in; None if files are not tables."""
        return [None] * len(self._members(langpair))

    def _write(self, langpair: str, fields: dict[str, list[str]]) -> None:
        from truebleu.compat.sacrebleu.dataset.raw import write_texts

        write_texts(
            {self._get_txt_file_path(langpair, field): lines for field, lines in fields.items()}
        )
