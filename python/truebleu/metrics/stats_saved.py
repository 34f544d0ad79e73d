"""Statistics that are kept: rows of segments or sums, how files merge, and how systems pair."""

from __future__ import annotations

from types import MappingProxyType

from truebleu.display import formatting
from truebleu.display.shown import Result
from truebleu.errors import (
    EmptyInputError,
    InputError,
    LengthMismatchError,
    SettingsError,
    StatsMismatchError,
    UnknownNameError,
    wrong_type,
)
from truebleu.inputs import sequences
from truebleu.inputs.frames import check_indexes
from truebleu.inputs.lines import checked_path
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import flag
from truebleu.metrics.several import Several
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_files import read_file, write_file
from truebleu.metrics.stats_joining import (
    check_same,
    join_batches,
    other_references,
    paired,
    units_of,
)
from truebleu.metrics.stats_rows import (
    Rows,
    added,
    checksum_of,
    in_batch,
    names_of,
    rows_of_segments,
)
from truebleu.metrics.stats_tables import rows_of_table
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any

    from truebleu.display.blocks import Block
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats_joining import UnitsOf


class SavedStats(Result, init=False):
    """Statistics as a file holds them: of one or more systems and metrics, by segment or summed.

    :func:`read_stats` reads them, and :meth:`write` writes them. :func:`compare` takes them in
    place of systems, and computes the same scores, intervals and p-values as from the texts.

    Parameters
    ----------
    systems : mapping of str to Stats, or to tables
        What the ``stats`` method of `metric` returned for each system; or a table with the columns
        that the function ``stats`` of an engine makes: an Arrow table, a data frame of Polars,
        pandas or Spark, a relation of DuckDB. A table of ``corpus_score`` with groups holds sums,
        each of so many ``segments``; its groups become labels beside the system.
    metric : Metric or str, or sequence of these, default "bleu"
        The metric, or its name; several if a table was counted under several.
    units : iterable of str, or str, optional
        The name of each segment, by which systems are paired. Default: numbers from 1. For tables,
        which have no order, it is the column of these names, and must be given.
    documents : iterable of str, or str, optional
        The ID of each segment's document; for tables, the column of these.
    batch : str, optional
        A name for these segments, such as a date: the same batch is never counted twice.
    references : iterable, optional
        The references of each segment, as in :func:`corpus_bleu`; only their checksum is kept, so
        that systems scored against different references are not compared.

    Examples
    --------
    >>> from truebleu import Bleu, SavedStats, compare
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> texts = {"A": ["a b c d x", "f g h i j", "k l m n o"] * 40, "B": ["a b x d e"] * 120}
    >>> counted = {name: Bleu().stats(each, references) for name, each in texts.items()}
    >>> saved = SavedStats(counted, Bleu(), batch="2026-11-26", references=references)
    >>> saved
    <SavedStats of 2 systems: BLEU, 120 segments, 1 batch>
    >>> compare(saved) == compare(texts, references)
    True
    """

    __module__ = "truebleu"

    rows: tuple[Rows, ...]
    metrics: Mapping[str, Metric]
    """The metrics by their names for display."""
    test_set: tuple[str, str] | None
    """The name and the language pair of the test set, if it is known."""

    def __init__(
        self,
        systems: Mapping[str, Any],
        metric: Metric | MetricName = "bleu",
        *,
        units: Iterable[str] | str | None = None,
        documents: Iterable[str] | str | None = None,
        batch: str = "",
        references: Iterable[Any] | None = None,
    ) -> None:
        chosen = Several(metric) if isinstance(metric, list | tuple) else metric_of(metric, {})
        if not hasattr(systems, "items"):
            raise wrong_type("systems", systems, "a dict of systems and their statistics is needed")
        columns = [("units", units), ("documents", documents), ("references", references)]
        listed = None
        if references is not None:
            items = sequences.as_list(references, "references")
            listed = sequences.checked_text([""] * len(items), items)
        checksum = None if listed is None else checksum_of(listed)
        # What is iterated over once is the same for all systems.
        names: list[Any] = [
            each if each is None or isinstance(each, str) else names_of(what, each)
            for what, each in (("units", units), ("documents", documents))
        ]
        rows: list[Rows] = []
        for name, given in systems.items():
            make: Any = rows_of_segments if isinstance(given, Stats) else rows_of_table
            check_indexes([(str(name), given), *columns])
            how = {"batch": batch, "references": checksum}
            made = [*make(given, chosen, str(name), *names, **how)]
            if listed is not None:
                segments = sum(each.segments for each in made if each.metric == made[0].metric)
                if segments != len(listed):
                    raise LengthMismatchError(
                        f"{name} has {formatting.count(segments, 'segment')}, but there are "
                        f"references of {len(listed):,}"
                    )
            rows += made
        if not rows:
            raise EmptyInputError("systems is empty: there are no statistics to save")
        metrics = _by_name(getattr(chosen, "parts", (chosen,)))
        # Metric by metric, as they stand in a file.
        ordered = [
            each for one in metrics.values() for each in rows if each.metric == one.identifier
        ]
        self._fill(rows=tuple(ordered), metrics=metrics, test_set=None)

    @classmethod
    def of_rows(
        cls,
        metrics: Iterable[Metric],
        rows: Iterable[Rows],
        test_set: tuple[str, str] | None = None,
    ) -> SavedStats:
        """Return rows of some of these metrics; there is at least one."""
        made = object.__new__(cls)
        kept = tuple(rows)
        counted = {each.metric for each in kept}
        known = [metric for metric in metrics if metric.identifier in counted]
        names = [metric.identifier for metric in known]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise SettingsError(
                f"statistics are kept for one metric of a kind, but {names.count(twice)} are "
                f"called {twice!r}: write each to a file of its own"
            )
        made._fill(rows=kept, metrics=_by_name(known), test_set=test_set)
        return made

    def __repr__(self) -> str:
        first = self.rows[0].metric
        segments: dict[object, int] = {rows.label_key: 0 for rows in self.rows}
        for rows in self.rows:
            segments[rows.label_key] += rows.segments * (rows.metric == first)
        labels = formatting.count(len(segments), "system")
        number = len(self.batches)
        batches = f", {number:,} batch{'es' * (number > 1)}" * bool(number)
        most = formatting.count(max(segments.values()), "segment")
        return f"<SavedStats of {labels}: {', '.join(self.metrics)}, {most}{batches}>"

    def _table(self) -> Block:
        from truebleu.display.blocks import Block

        names = {metric.identifier: name for name, metric in self.metrics.items()}
        segments: dict[tuple[str, str], int] = {}
        for rows in self.rows:
            place = (rows.name, names[rows.metric])
            segments[place] = segments.get(place, 0) + rows.segments
        table = [("", (*place, f"{number:,}")) for place, number in segments.items()]
        header = ("system", "metric", "segments")
        return Block(repr(self)[1:-1], header=header, rows=table, align="llr")

    @property
    def header(self) -> tuple[str, ...]:
        """The names of what tells rows apart, such as ``system``; raises InputError for several."""
        first = self.rows[0].label
        for rows in self.rows:
            if rows.label.keys() != first.keys():
                raise InputError(
                    f"there are sums by {', '.join(first)}, and by {', '.join(rows.label)}: merge "
                    "them separately, or add up all rows with --total"
                )
        return tuple(first)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, or of the groups, in the order of the file."""
        return tuple(dict.fromkeys(rows.name for rows in self.rows))

    @property
    def batches(self) -> tuple[str, ...]:
        """The names of the batches."""
        return tuple(dict.fromkeys(rows.batch for rows in self.rows if rows.batch))

    @property
    def units(self) -> tuple[str, ...]:
        r"""The names of the segments, after the name of the batch and a colon if there is one.

        In the name of the batch, a colon is written as ``\:``.
        """
        several = self.batches
        return tuple(in_batch(*each) if several else each[1] for each in self._units())

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each segment; None if unknown. Batches share none."""
        found = self._units()
        names = list(found.values())
        if None in names:
            return None
        if len({batch for batch, _ in found}) < 2:
            return tuple(map(str, names))
        return tuple(in_batch(batch, name) for (batch, _), name in found.items())

    def _units(self) -> UnitsOf:
        """Return the document of each segment, by batch and name, in the order of the first."""
        first = self.rows[0]
        return units_of(
            [rows for rows in self.rows if (rows.metric, rows.name) == (first.metric, first.name)]
        )

    def _of_metric(self, metric: Metric) -> dict[str, list[Rows]]:
        found: dict[str, list[Rows]] = {}
        for rows in self.rows:
            if rows.metric == metric.identifier:
                several = found.setdefault(rows.name, [])
                if several and several[0].label_key != rows.label_key:
                    raise InputError(
                        f"{rows.name} is the name of rows with different labels, "
                        f"{brief(several[0].label)} and {brief(rows.label)}: rename one"
                    )
                several.append(rows)
        return found

    def metric(self, metric: Metric | str | None = None) -> Metric:
        """Return a metric of the file by its name, as :func:`compare` takes it, or its settings.

        Statistics can be scored under settings that they do not depend on, such as smoothing.

        Raises
        ------
        SettingsError
            If there are several metrics, and none is named.
        StatsMismatchError, UnknownNameError
            If there are no statistics of this metric.
        """
        if metric is None:
            if len(self.metrics) > 1:
                raise SettingsError(
                    f"there are statistics of {', '.join(self.metrics)}: choose one with metric="
                )
            return next(iter(self.metrics.values()))
        if isinstance(metric, str) and metric in self.metrics:
            return self.metrics[metric]
        wanted = metric_of(metric, {})  # type: ignore[arg-type]
        same = [each for each in self.metrics.values() if each.name == wanted.name]
        if not same:
            raise UnknownNameError(
                f"there are no statistics of {wanted.name}, but of {', '.join(self.metrics)}"
            )
        if isinstance(metric, str):
            return same[0]
        if same[0].counting_key != wanted.counting_key:
            raise StatsMismatchError(
                f"these statistics were counted under {same[0].counting_key}, not under "
                f"{wanted.counting_key}: count again, or leave out the settings"
            )
        return wanted

    def stats(self, metric: Metric | MetricName | None = None) -> dict[str, Stats]:
        """Return the statistics of each system: a row per segment, in the order of :attr:`units`.

        Raises
        ------
        InputError
            If there are only sums, or systems have different segments, documents or references.
        StatsMismatchError, UnknownNameError, SettingsError
            As :meth:`metric`.
        """
        chosen = self.metric(metric)
        found = self._of_metric(chosen)
        for name in self.systems:
            if name not in found:
                raise InputError(f"{name} has no statistics of {chosen.name}, but of other metrics")
        rows = paired(found, self.rows[0].name, self._units())
        if difference := self.other_references():
            raise InputError(
                f"{difference}; compare systems that were scored against the same references"
            )
        return rows

    def without_checksum(self) -> list[str]:
        """Return the systems of which it is not known what they were scored against."""
        return list(dict.fromkeys(rows.name for rows in self.rows if not rows.references))

    def other_references(self) -> str:
        """Say which two systems differ in their references or segments, or nothing."""
        return other_references(self.rows)

    def scores(self, metric: Metric | MetricName | None = None) -> dict[str, Score]:
        """Return the score of each system, over all of its segments.

        Raises
        ------
        StatsMismatchError, UnknownNameError, SettingsError
            As :meth:`metric`.
        InputError
            If a sum does not fit into int64.
        """
        chosen = self.metric(metric)
        return {
            name: chosen.score(added(several).stats)
            for name, several in self._of_metric(chosen).items()
        }

    def select(
        self, *, systems: Iterable[str] | None = None, batches: Iterable[str] | None = None
    ) -> SavedStats:
        """Return the statistics of some systems, or batches, such as those of the last seven days.

        Raises
        ------
        UnknownNameError
            If a system or a batch is not among them.
        """
        kept = self.rows
        for what, attribute, chosen, known in (
            ("systems", "name", systems, self.systems),
            ("batches", "batch", batches, self.batches),
        ):
            if chosen is None:
                continue
            names = names_of(what, chosen)
            for name in names:
                if name not in known:
                    raise UnknownNameError(
                        f"{what} names {name!r}, but there are {', '.join(known) or 'none'}"
                    )
            kept = tuple(rows for rows in kept if getattr(rows, attribute) in names)
        if not kept:
            raise EmptyInputError("nothing is selected: there are no such statistics")
        return self.of_rows(self.metrics.values(), kept, self.test_set)

    def merge(self, *others: SavedStats, replace: bool = False) -> SavedStats:
        """Return these statistics and those of others, as :func:`read_stats` does for files.

        Raises
        ------
        InputError
            If a batch comes again with other content, and `replace` is False.
        SettingsError
            If a metric has other settings.
        """
        for each in others:
            if not isinstance(each, SavedStats):
                raise wrong_type("others", each, "SavedStats are needed")
        names = ("these", *(f"others[{number}]" for number in range(len(others))))
        return merged(zip(names, (self, *others), strict=True), replace=replace)

    def summed(self, *, total: bool = False, by_batch: bool = True) -> SavedStats:
        """Return the sums of each label, or the `total` of all; those of batches, or over them."""
        if not flag("total", total):
            _ = self.header
        by_batch = flag("by_batch", by_batch)
        found: dict[tuple[str, str, object], list[Rows]] = {}
        for rows in self.rows:
            batch = rows.batch if by_batch else ""
            key = rows.metric, batch, None if total else rows.label_key
            found.setdefault(key, []).append(rows)
        sums = []
        for (_, batch, _), several in found.items():
            label = {"system": "total"} if total else several[0].label
            sums.append(added(several).replace(batch=batch, label=label))
        return self.of_rows(self.metrics.values(), sums, self.test_set)

    def by_label(
        self, metrics: Sequence[Metric]
    ) -> tuple[list[tuple[object, ...]], list[list[Stats]], list[int]]:
        """Return the labels of sums over all batches, their statistics by metric, and sizes."""
        header = self.header
        labels = {rows.label_key: tuple(rows.label[name] for name in header) for rows in self.rows}
        counted: list[list[Stats]] = []
        sizes: list[int] = []
        for metric in metrics:
            found = {rows.label_key: rows for rows in self.rows if rows.metric == metric.identifier}
            for key, label in labels.items():
                if key not in found:
                    raise InputError(
                        f"{', '.join(map(str, label))} has no statistics of {metric.name}, but of "
                        "other metrics"
                    )
            segments = [found[key].segments for key in labels]
            if sizes and sizes != segments:
                raise InputError(
                    f"{metric.name} has {sum(segments):,} segments, but {metrics[0].name} "
                    f"{sum(sizes):,}: a file of one of them is missing"
                )
            sizes = segments
            counted.append([found[key].stats for key in labels])
        return list(labels.values()), counted, sizes

    def write(self, path: str | PathLike[str]) -> None:
        """Write a file, as a whole or not at all.

        Parameters
        ----------
        path : str or path-like
            ``.jsonl``, which ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` compresses.

        Raises
        ------
        SettingsError
            If the name ends otherwise.
        InputError
            If a segment is there twice, as after merging statistics without a batch.
        MissingExtraError
            If the package that ``.zst`` needs is not installed.
        """
        content = [*self.metrics.values()], self.rows, self.test_set
        write_file(checked_path(path), self.header, content)


def merged(files: Iterable[tuple[str, SavedStats]], *, replace: bool = False) -> SavedStats:
    """Return the statistics of several files, each of which messages name."""
    metrics: dict[str, tuple[Metric, str]] = {}
    several = list(files)
    for source, saved in several:
        for metric in saved.metrics.values():
            known, first = metrics.setdefault(metric.identifier, (metric, source))
            check_same(known, metric, first, source)
    sets = {saved.test_set for _, saved in several}
    sources = [(source, saved.rows) for source, saved in several]
    rows = join_batches(sources, replace=flag("replace", replace))
    test_set = sets.pop() if len(sets) == 1 else None
    return SavedStats.of_rows([metric for metric, _ in metrics.values()], rows, test_set)


def _by_name(metrics: Iterable[Metric]) -> Mapping[str, Metric]:
    return MappingProxyType({metric.name: metric for metric in metrics})


def read_stats(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], *, replace: bool = False
) -> SavedStats:
    """Read statistics that ``truebleu score`` or :meth:`SavedStats.write` has written.

    Of several files, a batch with a name is one thing for each metric: its systems may come one by
    one, and the same again changes nothing. Statistics without a batch are added.

    Parameters
    ----------
    paths : str or path-like, or iterable of these
        A file, or several.
    replace : bool, default False
        Whether a batch that comes again with other content, or by other groups, replaces the
        earlier one as a whole.

    Raises
    ------
    InputError
        If a file is damaged or forged: it holds impossible counts, for example.
    StatsMismatchError
        If a row was counted under settings other than those of its metric.
    SettingsError
        If a file has another suffix, or files have different settings.
    OSError
        If a file cannot be read, or its compression is damaged.

    Examples
    --------
    >>> import os, tempfile
    >>> from truebleu import Bleu, SavedStats, read_stats
    >>> path = os.path.join(tempfile.mkdtemp(), "stats.jsonl.gz")
    >>> SavedStats({"A": Bleu().stats(["a b c d"], ["a b c d"])}, Bleu()).write(path)
    >>> read_stats(path).scores()["A"].score
    100.0
    """
    single = isinstance(paths, str | bytes) or not hasattr(paths, "__iter__")
    several: Any = [paths] if single else paths
    # A file may be several, one after another.
    files = [
        (checked_path(path), SavedStats.of_rows(*content))
        for path in several
        for content in read_file(checked_path(path))
    ]
    if not files:
        raise EmptyInputError("paths is empty: there is no file to read")
    return merged(files, replace=replace)
