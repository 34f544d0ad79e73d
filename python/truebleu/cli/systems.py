"""The systems of a command: their names, their statistics, and how they compare."""

from __future__ import annotations

import os
from itertools import takewhile

from truebleu._core import Observed, add_rows
from truebleu.cli.files import SystemFile, read_blocks, read_columns
from truebleu.cli.scored import Counted
from truebleu.display.formatting import count as count_of
from truebleu.errors import LengthMismatchError, WarnOnce
from truebleu.inputs.checks import OddLines, check_identical, check_some_source, is_unusual
from truebleu.inputs.files import STANDARD_INPUT
from truebleu.inputs.numbers import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu._core import Lines
    from truebleu.cli.parameters import Namespace
    from truebleu.cli.scored import Label
    from truebleu.metrics import Metric, Stats
    from truebleu.metrics.stats_rows import ReferenceChecksum


# What separates the fields of a file's name: a hyphen does not, as in ``online-A``.
_UP_TO_SEPARATOR = r"[^./_]*[./_]|[^./_]+"
_FROM_SEPARATOR = r"[./_][^./_]*|[^./_]+"


# Number of lines that are compared with the source.
_FIRST_LINES = 2000


def system_names(options: Namespace) -> list[str]:
    """Name the systems as the user does, or by what distinguishes the names of their files.

    Fields that all names of files begin or end with are cut; folders are left out if the names of
    the files differ. Of two alike the second gets a number; names that were given stay as they are.
    """
    given = {getattr(path, "name", None) for path in options.systems}
    files = [path for path in options.systems if isinstance(path, SystemFile) and not path.name]
    cut = _distinguishing(dict.fromkeys(path for path in files if path != STANDARD_INPUT))
    names: list[str] = []
    for path in options.systems:
        by_file = "standard input" if path == STANDARD_INPUT else cut.get(path, path)
        unique, number = by_file, 1
        while unique in names or unique in given:
            number += 1
            unique = f"{by_file} ({number})"
        names.append(getattr(path, "name", None) or unique)
    return names


def _distinguishing(paths: Iterable[str]) -> dict[str, str]:
    """Return the part of each path that tells it from the others."""
    names = {path: os.path.basename(path) or path for path in paths}  # noqa: PTH119
    if len(set(names.values())) < len(names):
        names = {path: path for path in names}
    if len(names) < 2:
        return names
    import re

    ends = [re.findall(_FROM_SEPARATOR, name) for name in names.values()]
    cut = _shared([each[::-1] for each in ends])
    starts = [re.findall(_UP_TO_SEPARATOR, "".join(each[: len(each) - cut])) for each in ends]
    cut = _shared(starts)
    # A number alone says too little.
    while cut and not all(any(map(str.isalpha, "".join(each[cut:]))) for each in starts):
        cut -= 1
    return {path: "".join(each[cut:]) for path, each in zip(names, starts, strict=True)}


def _shared(names: Sequence[list[str]]) -> int:
    """Return with how many equal fields all names begin, without the last of any."""
    columns = zip(*(each[:-1] for each in names), strict=False)
    return sum(1 for _ in takewhile(lambda fields: len(set(fields)) == 1, columns))


def name_of(given: str | None, options: Namespace) -> str | None:
    """Return the name of the system that is given by its name, or as its file is called."""
    names = system_names(options)
    if given is None or given in names or getattr(options, "hypotheses", None):
        return given
    for part in (str, os.path.basename):
        found = [
            name
            for name, path in zip(names, options.systems, strict=True)
            if given in (part(path), getattr(path, "text", path))
        ]
        if len(found) == 1:
            return found[0]
    return given


class LineCounter:
    """Counts lines of systems under one metric, and observes their text."""

    def __init__(self, metric: Metric, options: Namespace) -> None:
        systems = len(options.systems)
        test_set = getattr(options, "test_set", None)
        self._metric = metric
        self._sources: list[str] = test_set.sources if test_set else []
        # Systems that have had the same output so far, of different files; and their first lines.
        paths = {
            (os.path.realpath(path), getattr(path, "column", None)): number
            for number, path in enumerate(options.systems)
        }
        self._alike = [[*paths.values()]]
        self._first: list[list[Any]] = []
        self._observed = [Observed() for _ in range(systems)]
        self._rows = [b""] * systems
        self._odd = [OddLines() for _ in range(systems)]
        self._lines = 0

    def count(self, raw: list[Lines], count: int, threads: int, *, each: bool) -> Sequence[Stats]:
        """Count some lines of all files, systems first: a row per line if `each`, or the sum."""
        metric, systems = self._metric, len(self._observed)
        ready = [metric._prepare_lines(lines, count, threads) for lines in raw]
        for lines, seen in zip(raw, self._observed, strict=False):
            metric._observe_lines(seen, lines, raw[systems:], count)
        counted = metric._count_lines(
            ready[:systems], ready[systems:], count, threads, each=each, observed=self._observed
        )
        each_system = zip(self._observed, counted, self._odd, strict=True)
        for number, (seen, stats, odd) in enumerate(each_system):
            self._rows[number] = add_rows(self._rows[number] + stats.data, metric.fields)
            markup = not odd.markup and bool(seen.facts()["markup"])
            if markup or is_unusual(metric._lengths_in(stats.data)):
                columns = [lines.texts(count) for lines in (raw[number], *raw[systems:])]
                odd.look(self._lines, columns, markup=markup)
        if self._sources and not self._lines:
            first = min(count, len(self._sources), _FIRST_LINES)
            self._first = [lines.texts(first) for lines in raw[:systems]]
        self._alike = self._still_alike([stats.data for stats in counted], raw, count)
        self._lines += count
        return counted

    def _still_alike(self, rows: Sequence[bytes], raw: list[Lines], count: int) -> list[list[int]]:
        """Return the systems that are alike in these lines, too: first by their statistics."""
        groups = []
        for group in self._alike:
            same: dict[object, list[int]] = {}
            for number in group:
                same.setdefault(rows[number], []).append(number)
            for several in [each for each in same.values() if len(each) > 1]:
                same = {}
                for number in several:
                    same.setdefault(tuple(raw[number].texts(count)), []).append(number)
                groups += [each for each in same.values() if len(each) > 1]
        return groups

    def warn(self, names: list[str]) -> None:
        """Warn about what was observed."""
        for each in zip(self._observed, names, self._rows, self._odd, strict=True):
            self._metric._check_observed(*each)
        for name, texts in zip(names, self._first, strict=False):
            check_some_source(texts, self._sources[: len(texts)], name)
        groups = [[names[number] for number in group] for group in self._alike]
        check_identical(groups, self._lines)


def count_files(
    metrics: Sequence[Metric],
    options: Namespace,
    *,
    each: bool,
    checksum: ReferenceChecksum | None = None,
) -> tuple[list[list[Stats]], int]:
    """Count files, a row per line if `each`; return statistics by metric and system, and lines.

    The lines of references are added to the `checksum`.
    """
    counters = [LineCounter(metric, options) for metric in metrics]
    # For each metric and system, what was counted so far.
    parts: list[list[list[Stats]]] = [[[] for _ in options.systems] for _ in metrics]
    threads = thread_count(options.threads)
    total = 0
    for files, count in read_blocks(options):
        total += count
        lines = [file.lines for file in files]
        if checksum is not None:
            checksum.add(each_set.texts(count) for each_set in lines[len(options.systems) :])
        for counter, of_systems in zip(counters, parts, strict=True):
            counted = counter.count(lines, count, threads, each=each)
            for before, part in zip(of_systems, counted, strict=True):
                if before and not each:
                    before[0] += part
                else:
                    before.append(part)
    with WarnOnce():
        for counter in counters:
            counter.warn(system_names(options))
    return [
        [blocks[0].join(blocks) for blocks in of_systems if blocks] for of_systems in parts
    ], total


def count_documents(
    metrics: Sequence[Metric], options: Namespace, documents: Sequence[str]
) -> Counted:
    """Count the documents of each system, as :func:`truebleu.cli.tabular.count` does groups."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    groups = [numbers[name] for name in documents]
    counted = []
    for several in count_files(metrics, options, each=True)[0]:
        if len(several[0]) != len(documents):
            raise LengthMismatchError(
                f"--units has {count_of(len(documents), 'line')} for "
                f"{count_of(len(several[0]), 'segment')}"
            )
        counted.append([row for stats in several for row in stats.sums(groups, len(numbers))])
    names = system_names(options)
    from collections import Counter

    lines = Counter(groups)
    sizes = [lines[number] for number in numbers.values()] * len(names)
    header: Label = ("system", "document")
    labels: list[Label] = [(name, document) for name in names for document in numbers]
    if len(names) == 1:
        header, labels = ("document",), [(document,) for document in numbers]
    return Counted(header=header, labels=labels, counted=counted, segments=sizes)


def count_systems(
    metrics: Sequence[Metric], options: Namespace
) -> tuple[list[str], list[list[Stats]]]:
    """Return the names of systems in files or columns, and for each metric their statistics."""
    if options.hypotheses:
        from truebleu.cli.tabular import count_rows

        return options.hypotheses, count_rows(metrics, options)
    return system_names(options), count_files(metrics, options, each=True)[0]


def read_systems(options: Namespace) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Read the texts of each system by its name, and the references of each segment."""
    if options.hypotheses:
        from truebleu.cli.tabular import read_texts

        columns, references = read_texts(options)
        return dict(zip(options.hypotheses, columns, strict=True)), references
    systems, streams, _ = read_columns(options)
    references = [list(several) for several in zip(*streams, strict=True)]
    return dict(zip(system_names(options), systems, strict=True)), references
