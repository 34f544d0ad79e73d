"""The statistics of what was given: of lines, of columns, of documents, or saved ones."""

from __future__ import annotations

import os
from itertools import zip_longest

from truebleu._core import Observed, add_rows
from truebleu.cli.given import blocks_of
from truebleu.cli.scored import Counted
from truebleu.display.formatting import count as count_of
from truebleu.errors import LengthMismatchError, WarnOnce
from truebleu.inputs.checks import OddLines, check_identical, check_source, is_unusual
from truebleu.metrics.corpora import Corpora

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from truebleu._core import Lines
    from truebleu.cli.scored import Label
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Stats
    from truebleu.metrics.stats_rows import ReferenceChecksum


# Number of lines that are compared with the source.
_FIRST_LINES = 2000


def count(
    metrics: Sequence[Metric],
    given: Given,
    threads: int,
    *,
    each: bool,
    corpus: bool = True,
    groups: Sequence[str] = (),
    checksum: ReferenceChecksum | None = None,
) -> Counted:
    """Count what was given: a row for `each` segment, or sums, of tables perhaps by groups.

    What is no `corpus` need not add up. Lines of references are added to the `checksum`.
    """
    if given.saved is not None:
        from truebleu.cli.saved import count_saved

        return count_saved(metrics, given.saved, each=each)
    if given.columns is not None:
        from truebleu.cli.tabular import count_columns

        how: Any = {"groups": groups, "threads": threads, "each": each, "corpus": corpus}
        return count_columns(metrics, given, given.columns, **how)
    counted, lines = count_files(metrics, given, threads, each=each, checksum=checksum)
    return Counted(
        header=("system",),
        labels=[(name,) for name in given.names],
        counted=counted,
        segments=[lines] * len(given.systems),
        references=None if checksum is None else str(checksum),
    )


class _LineCounter:
    """Counts lines of systems under one metric, and observes their text."""

    def __init__(self, metric: Metric, given: Given) -> None:
        systems = len(given.systems)
        self._metric = metric
        self._sources: list[str] = getattr(given.test_set, "sources", None) or []
        # Systems that have had the same output so far, of different files; and their first lines.
        paths = {
            (os.path.realpath(path), getattr(path, "column", None)): number
            for number, path in enumerate(given.systems)
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
        corpora = Corpora(
            raw[:systems], raw[systems:], threads=threads, lines=count, observed=self._observed
        )
        counted = metric._count(corpora, each=each)
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
            check_source(texts, self._sources[: len(texts)], name)
        groups = [[names[number] for number in group] for group in self._alike]
        check_identical(groups, self._lines)


def count_blocks(
    metrics: Sequence[Metric],
    given: Given,
    threads: int,
    *,
    each: bool,
    checksum: ReferenceChecksum | None = None,
) -> Iterator[tuple[list[Sequence[Stats]], int]]:
    """Count files block by block: yield statistics by metric and system, and how many lines.

    They are a row per line if `each`. At the end, warn about what was observed.
    """
    counters = [_LineCounter(metric, given) for metric in metrics]
    for files, count in blocks_of(given):
        lines = [file.lines for file in files]
        if checksum is not None:
            checksum.add(each_set.texts(count) for each_set in lines[len(given.systems) :])
        yield [counter.count(lines, count, threads, each=each) for counter in counters], count
    with WarnOnce():
        for counter in counters:
            counter.warn(given.names)


def count_files(
    metrics: Sequence[Metric],
    given: Given,
    threads: int,
    *,
    each: bool,
    checksum: ReferenceChecksum | None = None,
) -> tuple[list[list[Stats]], int]:
    """Count files, as :func:`count_blocks` does; return statistics of all, and all lines."""
    # For each metric and system, what was counted so far.
    parts: list[list[list[Stats]]] = [[[] for _ in given.systems] for _ in metrics]
    total = 0
    for block, count in count_blocks(metrics, given, threads, each=each, checksum=checksum):
        total += count
        for of_systems, counted in zip(parts, block, strict=True):
            for before, part in zip(of_systems, counted, strict=True):
                if before and not each:
                    before[0] += part
                else:
                    before.append(part)
    return [
        [blocks[0].join(blocks) for blocks in of_systems if blocks] for of_systems in parts
    ], total


def count_documents(
    metrics: Sequence[Metric], given: Given, threads: int, documents: Sequence[str]
) -> Counted:
    """Count the documents of each system, whose lines need not follow each other."""
    from collections import Counter

    lines = Counter(documents)
    numbers = {name: number for number, name in enumerate(lines)}
    groups = [numbers[name] for name in documents]
    counted = []
    for several in count_files(metrics, given, threads, each=True)[0]:
        if len(several[0]) != len(documents):
            raise LengthMismatchError(
                f"--units has {count_of(len(documents), 'line')} for "
                f"{count_of(len(several[0]), 'segment')}"
            )
        counted.append([row for stats in several for row in stats.sums(groups, len(numbers))])
    names = given.names
    sizes = [*lines.values()] * len(names)
    header: Label = ("system", "document")
    labels: list[Label] = [(name, document) for name in names for document in numbers]
    if len(names) == 1:
        header, labels = ("document",), [(document,) for document in numbers]
    return Counted(header=header, labels=labels, counted=counted, segments=sizes)


def count_systems(
    metrics: Sequence[Metric],
    given: Given,
    threads: int,
    checksum: ReferenceChecksum | None = None,
) -> list[dict[str, Stats]]:
    """Return for each metric the statistics of each system, a row per segment.

    The references are added to the `checksum`.
    """
    found = count(metrics, given, threads, each=True, corpus=False, checksum=checksum)
    if checksum is not None and given.columns is not None:
        from truebleu.cli.tabular import read_texts

        checksum.add(zip_longest(*read_texts(given, given.columns)[1]))
    return [dict(zip(given.names, several, strict=True)) for several in found.counted]
