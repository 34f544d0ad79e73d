"""Test sets in the layout of mt-metrics-eval v2: which texts there are, and reading them."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from truebleu.display.formatting import count as counted
from truebleu.errors import (
    EmptyInputError,
    InputError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
)
from truebleu.inputs.files import LineFile
from truebleu.inputs.forms import json_value
from truebleu.inputs.lines import read_lines
from truebleu.record import Record
from truebleu.significance.running import count_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from truebleu.metrics import Metric, Stats

ALL = "all"
"""The name that stands for all references of a language pair."""

NO_TRANSLATION = "[No translation supplied]"
"""The line that stands for a translation that is missing."""

_RESERVED = (ALL, "src")
SUFFIXES = (".txt", ".jsonl")


class PairFiles(Record):
    """The files of a language pair, by name; the one with documents need not exist."""

    pair: str
    source: Path
    documents: Path
    references: dict[str, Path]
    systems: dict[str, Path]

    def choose_systems(self, names: Sequence[str] | None) -> list[str]:
        """Return the names of the systems to score: all, or those that are named."""
        for name in names or ():
            _check_known(name, self.systems, f"{self.pair} has no system")
        return list(self.systems if names is None else dict.fromkeys(names))

    def choose_references(self, chosen: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
        """Return the references to score against, by what names of files call them.

        These are each reference alone, or those that are named: names of some that are scored
        against together are joined by ``.``, and ``all`` stands for all.
        """
        found: dict[str, tuple[str, ...]] = {}
        for joined in self.references if chosen is None else chosen:
            names = tuple(self.references) if joined == ALL else tuple(joined.split("."))
            for name in names:
                _check_known(name, self.references, f"{self.pair} has no reference")
            if any(set(names) == set(other) for other in found.values()) or (
                len(set(names)) < len(names)
            ):
                raise SettingsError(f"references are chosen twice: {' '.join(chosen or ())}")
            found[joined] = names
        return found

    def read(self, systems: Iterable[str], references: Iterable[str]) -> PairTexts:
        """Read the texts of some systems and references."""
        with LineFile(str(self.source)) as source:
            segments = source.count_all()
        if not segments:
            raise EmptyInputError(f"{self.source} has no lines: there is no segment to score")
        return PairTexts(
            segments=segments,
            systems={
                name: self._texts(self.systems[name], "hypothesis", segments) for name in systems
            },
            references={
                name: self._texts(self.references[name], "target", segments) for name in references
            },
        )

    def _texts(self, path: Path, field: str, segments: int) -> list[str]:
        """Read the segments of a file: lines of text, or a field of JSON objects."""
        lines = read_lines(path, as_text=True)
        self._check_length(path, len(lines), segments)
        texts: list[str] = []
        for number, line in enumerate(lines, 1):
            where = f"{path}, line {number:,}"
            text = _field(line, field, where) if path.suffix == ".jsonl" else line.rstrip()
            if text is None or text == NO_TRANSLATION:
                raise InputError(
                    f"{where}: there is no translation; every segment needs one, so leave this "
                    f"file out: choose others with --without or --references"
                )
            texts.append(text)
        return texts

    def read_documents(self, segments: int) -> Documents:
        """Read the domain and the document of each segment."""
        lines = read_lines(self.documents, as_text=True)
        self._check_length(self.documents, len(lines), segments)
        rows = [line.split() for line in lines]
        for number, row in enumerate(rows, 1):
            if len(row) < 2:
                raise InputError(
                    f"{self.documents}, line {number:,}: the domain of the segment and the name of "
                    "its document are needed, such as 'news doc1'"
                )
        seen: set[str] = set()
        first = 1
        for document, group in groupby(rows, lambda row: row[1]):
            if document in seen:
                raise InputError(
                    f"{self.documents}, line {first:,}: document {document!r} begins for the "
                    "second time; the segments of a document must be on consecutive lines"
                )
            seen.add(document)
            first += len(list(group))
        return Documents(
            domains=tuple(row[0] for row in rows), documents=tuple(row[1] for row in rows)
        )

    def _check_length(self, path: Path, lines: int, segments: int) -> None:
        if lines != segments:
            raise LengthMismatchError(
                f"{path} has {counted(lines, 'line')} but {self.source} has {segments:,}: one line "
                "per segment is needed"
            )


class PairTexts(Record):
    """The texts of a language pair, by name, and how many segments there are in each."""

    segments: int
    systems: dict[str, list[str]]
    references: dict[str, list[str]]

    def count(
        self, metric: Metric, references: Sequence[str], threads: int | None
    ) -> dict[str, Stats]:
        """Count every system against some references, except those that are among these."""
        systems = {name: texts for name, texts in self.systems.items() if name not in references}
        if not systems:
            return {}
        streams = [self.references[name] for name in references]
        return count_systems(metric, systems, None, streams, threads)


class Documents(Record):
    """The domain and the document of each segment."""

    domains: tuple[str, ...]
    documents: tuple[str, ...]


def language_pairs(directory: str) -> list[str]:
    """List the language pairs of a test set: those that have a source."""
    found = {path.stem for path in _sources(Path(directory)) if "-" in path.stem}
    if not found:
        raise InputError(
            f"{directory} has no sources, so it is not a test set in the layout of "
            f"mt-metrics-eval: {Path(directory, 'sources', 'SRC-TGT.txt')} is needed"
        )
    return sorted(found)


def find_pair(directory: str, pair: str) -> PairFiles:
    """Find the files of a language pair in a folder that has ``sources`` and so on."""
    pairs = language_pairs(directory)
    _check_known(pair, pairs, f"{directory} has no language pair")
    root = Path(directory)
    [source] = _by_name({path: pair for path in _sources(root) if path.stem == pair}).values()
    folder = root / "references"
    references = _by_name(
        {path: path.stem.rpartition(".")[2] for path in listed(folder, f"{pair}.")}
    )
    for name, path in references.items():
        if "-" in name or name in _RESERVED:
            raise InputError(
                f"{path}: a reference cannot be called {name!r}: names of references contain no "
                f"'-' and are not {' or '.join(map(repr, _RESERVED))}"
            )
    if not references:
        raise InputError(
            f"{pair} has no references: {folder / f'{pair}.NAME.txt'} is needed; choose other "
            "language pairs with --language-pair"
        )
    folder = root / "system-outputs" / pair
    systems = _by_name({path: path.stem for path in listed(folder)})
    if not systems:
        raise InputError(
            f"{pair} has no systems: {folder / 'NAME.txt'} is needed; choose other language pairs "
            "with --language-pair"
        )
    return PairFiles(
        pair=pair,
        source=source,
        documents=root / "documents" / f"{pair}.docs",
        references=references,
        systems=systems,
    )


def _sources(root: Path) -> list[Path]:
    """List the sources of a test set; what else is in their folder does not matter."""
    return [path for path in listed(root / "sources") if path.suffix in SUFFIXES]


def listed(folder: Path, prefix: str = "") -> list[Path]:
    """List the files in a folder that have a suffix and are not hidden; none without a folder."""
    if not folder.is_dir():
        return []
    paths = (path for path in folder.iterdir() if path.suffix and path.name[0] != ".")
    return sorted(path for path in paths if path.name.startswith(prefix))


def _by_name(names: Mapping[Path, str]) -> dict[str, Path]:
    """Turn a mapping round, and check the names and the kinds of the files."""
    found: dict[str, Path] = {}
    for path, name in names.items():
        if path.suffix not in SUFFIXES:
            raise InputError(f"{path} is not one of {', '.join(SUFFIXES)}: convert or remove it")
        check_name(name, str(path))
        if not path.is_file():
            # A pipe or a device may never end.
            raise InputError(f"{path} is not a regular file: remove it")
        if name in found:
            raise InputError(f"{path} and {found[name]} have the same name: remove one of them")
        found[name] = path
    return found


def check_name(name: str, where: str) -> None:
    """Refuse a name that could not be read back from a score file, or is no valid file name."""
    if not name or name[0] == "." or not name.isprintable() or set(name) & set(" /\\"):
        raise InputError(
            f"{where}: {name!r} cannot be a name in score files: names are not empty, do not "
            "begin with '.', and contain no blanks, slashes or control characters"
        )


def _check_known(name: str, known: Collection[str], message: str) -> None:
    if name not in known:
        raise UnknownNameError(f"{message} {name!r}; it has {', '.join(known)}")


def _field(line: str, field: str, where: str) -> str | None:
    """Return a field of a JSON object; None if there is no translation."""
    try:
        record = json_value(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f'{where}: a JSON object with "{field}" is needed: {error}') from error
    if not isinstance(record, dict) or field not in record:
        raise InputError(f'{where}: a JSON object with "{field}" is needed')
    text = record[field]
    if text is not None and not isinstance(text, str):
        raise InputError(f'{where}: "{field}" must be a string')
    return text
