"""Statistics that are kept: rows of segments or sums, how parts merge, and how systems pair."""

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
from truebleu.inputs.lines import checked_path
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import flag
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_files import pyarrow, read_file
from truebleu.metrics.stats_parts import (
    Part,
    added_parts,
    check_paired,
    check_same,
    checksum_of,
    in_batch,
    listed_references,
    names_of_rows,
    of_batch,
    other_content,
    part_of_rows,
    references_of,
    units_of,
)
from truebleu.metrics.stats_writing import write_file
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
    from truebleu.metrics.stats_parts import Label, UnitsOf


class SavedStats(Result, init=False):
    """Statistics as a file holds them: of one or more systems and metrics, by segment or summed.

    :func:`read_stats` reads them, and :meth:`write` writes them. :func:`compare` takes them in
    place of systems, and computes the same scores, intervals and p-values as from the texts.

    Parameters
    ----------
    systems : mapping of str to Stats, or to tables
        What the ``stats`` method of `metric` returned for each system; or a table with the columns
        that the function ``stats`` of an engine makes: an Arrow table, a data frame of Polars,
        pandas or Spark, a relation of DuckDB.
    metric : Metric or str, default "bleu"
        The metric, or its name.
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

    parts: tuple[Part, ...]
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
        chosen = metric_of(metric, {})
        if not hasattr(systems, "items"):
            raise wrong_type("systems", systems, "a dict of systems and their statistics is needed")
        if not isinstance(batch, str):
            raise wrong_type("batch", batch, "a name, as a str, is needed")
        listed = None if references is None else listed_references(references)
        checksum = None if listed is None else checksum_of(listed)
        named: dict[str, Any] = {"units": units, "documents": documents}
        # What is iterated over once is the same for all systems.
        named |= {
            what: names_of_rows(what, names)
            for what, names in named.items()
            if not isinstance(names, str)
        }
        parts = []
        for name, given in systems.items():
            stats, *names = _rows_of(given, chosen, f"systems[{name!r}]", named)
            if listed is not None and len(listed) != len(stats):
                raise LengthMismatchError(
                    f"{name} has {formatting.count(len(stats), 'segment')}, but "
                    f"there are references of {len(listed):,}"
                )
            parts.append(
                part_of_rows(chosen, str(name), stats, *names, batch=batch, references=checksum)
            )
        if not parts:
            raise EmptyInputError("systems is empty: there are no statistics to save")
        self._fill(parts=tuple(parts), metrics=_by_name([chosen]), test_set=None)

    @classmethod
    def of_parts(
        cls,
        metrics: Iterable[Metric],
        parts: Iterable[Part],
        test_set: tuple[str, str] | None = None,
    ) -> SavedStats:
        """Return parts of some of these metrics; there is at least one."""
        made = object.__new__(cls)
        kept = tuple(parts)
        counted = {part.metric for part in kept}
        known = [metric for metric in metrics if metric.identifier in counted]
        made._fill(parts=kept, metrics=_by_name(known), test_set=test_set)
        return made

    def __repr__(self) -> str:
        labels = formatting.count(len({(each.header, each.label) for each in self.parts}), "system")
        first = self.parts[0].metric
        segments: dict[tuple[object, ...], int] = {}
        for part in self.parts:
            if part.metric == first:
                segments[part.label] = segments.get(part.label, 0) + part.segments
        number = len(self.batches)
        batches = f", {number:,} batch{'es' * (number > 1)}" * bool(number)
        most = formatting.count(max(segments.values()), "segment")
        return f"<SavedStats of {labels}: {', '.join(self.metrics)}, {most}{batches}>"

    def _table(self) -> Block:
        from truebleu.display.blocks import Block

        names = {metric.identifier: name for name, metric in self.metrics.items()}
        segments: dict[tuple[str, str], int] = {}
        for part in self.parts:
            place = (part.name, names[part.metric])
            segments[place] = segments.get(place, 0) + part.segments
        rows = [("", (*place, f"{number:,}")) for place, number in segments.items()]
        header = ("system", "metric", "segments")
        return Block(repr(self)[1:-1], header=header, rows=rows, align="llr")

    @property
    def header(self) -> tuple[str, ...]:
        """The names of what tells rows apart, such as ``system``; raises InputError for several."""
        first = self.parts[0]
        for part in self.parts:
            if set(part.header) != set(first.header):
                raise InputError(
                    f"{first.source} has sums by {', '.join(first.header)}, but "
                    f"{part.source} by {', '.join(part.header)}: merge them separately, "
                    "or add up all rows with --total"
                )
        return first.header

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, or of the groups, in the order of the file."""
        return tuple(dict.fromkeys(part.name for part in self.parts))

    @property
    def batches(self) -> tuple[str, ...]:
        """The names of the batches."""
        return tuple(dict.fromkeys(part.batch for part in self.parts if part.batch))

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
        first = self.parts[0]
        return units_of(
            [part for part in self.parts if (part.metric, part.name) == (first.metric, first.name)]
        )

    def _of_metric(self, metric: Metric) -> dict[str, list[Part]]:
        found: dict[str, list[Part]] = {}
        for part in self.parts:
            if part.metric == metric.identifier:
                several = found.setdefault(part.name, [])
                if several and several[0].same_label != part.same_label:
                    raise InputError(
                        f"{part.where}{part.name} is the name of rows with different labels, "
                        f"{brief(several[0].label)} and {brief(part.label)}: rename one"
                    )
                several.append(part)
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
        first = next(iter(found))
        known = self._units()
        references = references_of(found[first])
        rows: dict[str, Stats] = {}
        for name in self.systems:
            if name not in found:
                raise InputError(f"{name} has no statistics of {chosen.name}, but of other metrics")
            check_paired((self.parts[0].name, known), (name, units_of(found[name])))
            for batch, checksum in references_of(found[name]).items():
                if None not in (checksum, references[batch]) and checksum != references[batch]:
                    raise InputError(
                        f"{name} and {first} have different references"
                        f"{of_batch(batch)}: their checksums are {checksum} and "
                        f"{references[batch]}; compare systems that were scored against the same "
                        "references"
                    )
            joined = Stats.join([part.stats for part in found[name]])
            names = [(part.batch, unit) for part in found[name] for unit in part.units or ()]
            if names != list(known):
                place = {unit: number for number, unit in enumerate(names)}
                table = joined.to_numpy()[[place[unit] for unit in known]]
                joined = joined.with_data(table.tobytes(), joined.fewest, joined.most)
            rows[name] = joined
        return rows

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
            name: chosen.score(added_parts(parts).stats)
            for name, parts in self._of_metric(chosen).items()
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
        kept = self.parts
        for what, chosen, known in (
            ("systems", systems, self.systems),
            ("batches", batches, self.batches),
        ):
            names = names_of_rows(what, chosen)
            if names is None:
                continue
            for name in names:
                if name not in known:
                    raise UnknownNameError(
                        f"{what} names {name!r}, but there are {', '.join(known) or 'none'}"
                    )
            kept = tuple(
                part for part in kept if (part.name if what == "systems" else part.batch) in names
            )
        if not kept:
            raise EmptyInputError("nothing is selected: there are no such statistics")
        return self.of_parts(self.metrics.values(), kept, self.test_set)

    def merge(self, *others: SavedStats, replace: bool = False) -> SavedStats:
        """Return these statistics and those of others.

        A batch with a name is counted once: the same content again changes nothing. Parts without
        a batch are added.

        Parameters
        ----------
        *others : SavedStats
        replace : bool, default False
            Whether a batch that comes again with other content replaces the earlier one.

        Raises
        ------
        InputError
            If it comes again with other content, and `replace` is False.
        SettingsError
            If a metric has other settings.
        """
        flag("replace", replace)
        metrics: dict[str, tuple[Metric, str]] = {}
        kept: dict[object, Part] = {}
        for each in (self, *others):
            if not isinstance(each, SavedStats):
                raise wrong_type("others", each, "SavedStats are needed")
            for metric in each.metrics.values():
                source = each.parts[0].source or "memory"
                known, first = metrics.setdefault(metric.identifier, (metric, source))
                check_same(known, metric, first, source)
            for part in each.parts:
                before = kept.get(part.key) if part.batch else None
                if before is None:
                    kept[part.key if part.batch else len(kept)] = part
                elif not before.same_as(part):
                    if not replace:
                        raise other_content(before, part)
                    kept[part.key] = part
        sets = {each.test_set for each in (self, *others)}
        test_set = sets.pop() if len(sets) == 1 else None
        return self.of_parts([metric for metric, _ in metrics.values()], kept.values(), test_set)

    def summed(self, *, total: bool = False, by_batch: bool = True) -> SavedStats:
        """Return the sums of each label, or the `total` of all; those of batches, or over them."""
        flag("by_batch", by_batch)
        if not flag("total", total):
            _ = self.header
        added: dict[object, list[Part]] = {}
        for part in self.parts:
            changes: dict[str, Any] = {} if by_batch else {"batch": ""}
            if total:
                changes |= {"header": ("system",), "label": ("total",)}
            changed = part.replace(**changes) if changes else part
            added.setdefault(changed.key, []).append(changed)
        sums = [added_parts(parts) for parts in added.values()]
        return self.of_parts(self.metrics.values(), sums, self.test_set)

    def by_label(
        self, metrics: Sequence[Metric]
    ) -> tuple[list[Label], list[list[Stats]], list[int]]:
        """Return the labels of sums over all batches, their statistics by metric, and sizes."""
        header = self.header
        labels: dict[object, Label] = {}
        found: dict[tuple[str, object], Part] = {}
        for part in self.parts:
            label = tuple(part.label[part.header.index(name)] for name in header)
            labels.setdefault(part.same_label, label)
            found[part.metric, part.same_label] = part
        counted: list[list[Stats]] = []
        sizes: list[int] = []
        for metric in metrics:
            parts = []
            for same, label in labels.items():
                if (metric.identifier, same) not in found:
                    raise InputError(
                        f"{', '.join(map(str, label))} has no statistics of "
                        f"{metric.name}, but of other metrics"
                    )
                parts.append(found[metric.identifier, same])
            segments = [part.segments for part in parts]
            if sizes and sizes != segments:
                raise InputError(
                    f"{metric.name} has {sum(segments):,} segments, but {metrics[0].name} "
                    f"{sum(sizes):,}: a file of one of them is missing"
                )
            sizes = segments
            counted.append([part.stats for part in parts])
        return list(labels.values()), counted, sizes

    def write(self, path: str | PathLike[str]) -> None:
        """Write a file, as a whole or not at all.

        Parameters
        ----------
        path : str or path-like
            ``.parquet``, or ``.jsonl``, which ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` compresses.

        Raises
        ------
        SettingsError
            If the name ends otherwise.
        InputError
            If a segment is there twice, as after merging parts without a batch.
        MissingExtraError
            If the package that Parquet, or ``.zst``, needs is not installed.
        """
        read = [*self.metrics.values()], self.parts, self.test_set
        write_file(checked_path(path), self.header, read)


def _rows_of(
    given: Any, metric: Metric, what: str, named: Mapping[str, Any]
) -> tuple[Stats, list[str] | None, list[str] | None]:
    """Return statistics, or those of a table, and the names of their segments and documents."""
    if isinstance(given, Stats):
        units, documents = (names_of_rows(each, names) for each, names in named.items())
        return given, units, documents
    pa, _ = pyarrow()
    try:
        # Spark 4.1 has no stream; a dict of columns is a table, a list of rows is not.
        table = given.toArrow() if hasattr(given, "toArrow") else pa.table(given)
    except (TypeError, ValueError):
        raise wrong_type(what, given, "statistics, or a table of them, are needed") from None
    if not isinstance(named["units"], str):
        raise SettingsError(
            f"{what} is a table, whose rows have no order: units= names the column of the names "
            "of segments, by which systems are paired"
        )
    found: dict[str, list[str] | None] = {}
    for each, column in named.items():
        if column is not None and column not in table.column_names:
            raise UnknownNameError(
                f"{each} is {brief(column)}, but the columns of {what} are "
                f"{', '.join(table.column_names)}"
            )
        names = column and [
            str(name) if type(name) is int else name for name in table[column].to_pylist()
        ]
        found[each] = names_of_rows(each, names)
    return metric._stats_type.from_table(table, metric), found["units"], found["documents"]


def _by_name(metrics: Iterable[Metric]) -> Mapping[str, Metric]:
    return MappingProxyType({metric.name: metric for metric in metrics})


def read_stats(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]], *, replace: bool = False
) -> SavedStats:
    """Read statistics that ``truebleu score`` or :meth:`SavedStats.write` has written.

    Several files are merged, as :meth:`SavedStats.merge` does: a batch that comes again with the
    same content is counted once.

    Parameters
    ----------
    paths : str or path-like, or iterable of these
        A file, or several.
    replace : bool, default False
        Whether a batch that comes again with other content replaces the earlier one.

    Returns
    -------
    SavedStats

    Raises
    ------
    InputError
        If a file is damaged or forged: it holds impossible counts, for example.
    StatsMismatchError
        If a row was counted under settings other than those of its metric.
    SettingsError
        If a file has another suffix, or files have different settings.
    OSError
        If a file cannot be read.

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
    files = [SavedStats.of_parts(*read_file(checked_path(path))) for path in several]
    if not files:
        raise EmptyInputError("paths is empty: there is no file to read")
    first, *others = files
    # A file may have a batch twice as well.
    return first.merge(*others, replace=replace)
