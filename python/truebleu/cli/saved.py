"""Files of statistics: in place of texts, and written after texts were counted."""

from __future__ import annotations

import os
from types import SimpleNamespace

from truebleu.cli.options import option_name
from truebleu.cli.output import Announced
from truebleu.cli.scored import Counted
from truebleu.display.text import visible
from truebleu.errors import SettingsError, SettingsWarning, warn
from truebleu.metrics.stats_files import check_suffix, is_saved
from truebleu.metrics.stats_rows import Rows, rows_of_segments
from truebleu.metrics.stats_saved import SavedStats, merged, read_stats
from truebleu.writing import refuse_unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.scored import Label
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Stats

# What chooses from texts, and so cannot be combined with statistics.
_OF_TEXTS = (
    *("references", "reference_columns", "group_by"),
    *("text", "runs", "sets", "batch", "sources"),
)


def with_saved(given: Given, options: Namespace, *, allowed: bool) -> Given:
    """Let statistics be the systems, and their documents those of these, if all files are such."""
    found = [is_saved(path) for path in given.systems]
    if not any(found):
        if not (given.references or any(getattr(options, name, None) for name in _OF_TEXTS)):
            _refuse_names(path for path in given.systems if path != "-")
        return given
    path = given.systems[found.index(True)]
    if not allowed:
        raise SettingsError(
            f"{path} is a file of statistics, but this command needs the texts; truebleu compare "
            f"{path} computes scores, intervals and tests from it, with --format html as a page"
        )
    if not all(found):
        raise SettingsError(
            f"{path} is a file of statistics, but {given.systems[found.index(False)]} is not: "
            "count the texts with truebleu score --segment-stats, and give all files of statistics"
        )
    wrong = ["references"] * bool(given.references)
    wrong += [name for name in _OF_TEXTS if getattr(options, name, None)]
    wrong += ["nulls"] * (getattr(options, "nulls", "error") != "error")
    # What is written has the documents that were read.
    if getattr(options, "segment_stats", None) and options.units != "auto":
        wrong.append("units")
    if wrong:
        raise SettingsError(
            f"{path} is a file of statistics, which needs no texts: leave out "
            f"{option_name(wrong[0])}"
        )
    refuse_repeated(given.systems)
    read = [
        (each, _named(read_stats(each), getattr(each, "name", None), each))
        for each in given.systems
    ]
    saved = merged(read)
    return given.replace(references=(), saved=saved, test_set=set_of(saved))


def _refuse_names(paths: Iterable[str]) -> None:
    """Refuse mistyped names, and tables without columns: neither is a lack of references."""
    for path in paths:
        os.stat(path)  # noqa: PTH116  # Only its error is wanted.
        if path.endswith(".parquet"):
            check_suffix(path)


def set_of(saved: SavedStats) -> SimpleNamespace | None:
    """Return the name, the pair and the signature of the test set that statistics are of."""
    if saved.test_set is None:
        return None
    name, pair = map(visible, saved.test_set)
    return SimpleNamespace(name=name, pair=pair, signature=f"test:{name}|lang:{pair}")


def refuse_repeated(paths: Iterable[str]) -> None:
    """Refuse a file that is given twice, unless it gets two names."""
    seen: dict[object, str] = {}
    for path in paths:
        which = os.path.realpath(path), getattr(path, "name", None)
        if seen.setdefault(which, path) is not path:
            raise SettingsError(f"{path} is given twice, and would count twice")


def _named(saved: SavedStats, name: str | None, path: str) -> SavedStats:
    """Give the only system of a file the name that the command does."""
    if name is None:
        return saved
    if len(saved.systems) > 1:
        raise SettingsError(
            f"{name}={path}: the file has several systems, {', '.join(saved.systems)}; a name can "
            "be given to one"
        )
    return renamed(saved, lambda _: name)


def renamed(saved: SavedStats, name_of: Callable[[str], str]) -> SavedStats:
    """Return statistics whose systems have other names."""
    rows = [each.replace(label={"system": name_of(each.name)}) for each in saved.rows]
    return SavedStats.of_rows(saved.metrics.values(), rows, saved.test_set)


def count_saved(metrics: Sequence[Metric], saved: SavedStats, *, each: bool) -> Counted:
    """Return the sums of all systems; a row per segment if `each` is wanted."""
    if difference := saved.other_references():
        warn(difference, SettingsWarning)
    if not each:
        return summed(saved, metrics)
    counted = rows_of_saved(metrics, saved)
    labels: list[Label] = [(name,) for name in saved.systems]
    sizes = [len(stats) for stats in counted[0]]
    return Counted(header=("system",), labels=labels, counted=counted, segments=sizes)


def rows_of_saved(metrics: Sequence[Metric], saved: SavedStats) -> list[list[Stats]]:
    """Return for each metric the statistics of each system, a row per segment."""
    return [list(saved.stats(metric).values()) for metric in metrics]


def summed(saved: SavedStats, metrics: Iterable[Metric], *, total: bool = False) -> Counted:
    """Return sums over all batches, of each label or the `total`."""
    sums = saved.summed(total=total, by_batch=False)
    labels, counted, segments = sums.by_label(list(metrics))
    return Counted(header=sums.header, labels=labels, counted=counted, segments=segments)


def check_outputs(options: Namespace, inputs: Iterable[str]) -> None:
    """Refuse files that could not be written, before the work and not after it."""
    given = [options.stats_out, getattr(options, "segment_stats", None)]
    outputs = [path for path in given if path is not None]
    for path in outputs:
        check_suffix(path)
        refuse_unwritable(path, map(str, inputs))
    if len(outputs) > len(set(map(os.path.realpath, outputs))):
        raise SettingsError(f"--stats-out and --segment-stats both write {outputs[0]}")


def write_counted(
    metrics: Sequence[Metric],
    found: Counted,
    given: Given,
    options: Namespace,
    references: str | None,
    documents: Sequence[str] | None,
) -> None:
    """Write the files of statistics that the options name."""
    test_set = given.test_set
    named = None if test_set is None else (test_set.name, test_set.pair)
    if options.stats_out:
        saved = given.saved.summed() if given.saved else None
        if saved is None:
            rows = _sums(metrics, found, options.batch or "", references)
            saved = SavedStats.of_rows(metrics, rows, named)
        with Announced(options.stats_out, options):
            saved.write(options.stats_out)
    if options.segment_stats:
        saved = given.saved
        if saved is None:
            how: Any = {"batch": options.batch or "", "references": references}
            rows = [
                rows
                for metric, several in zip(metrics, found.counted, strict=True)
                for (label,), stats in zip(found.labels, several, strict=True)
                for rows in rows_of_segments(stats, metric, str(label), None, documents, **how)
            ]
            saved = SavedStats.of_rows(metrics, rows, named)
        with Announced(options.segment_stats, options):
            saved.write(options.segment_stats)


def _sums(
    metrics: Sequence[Metric], found: Counted, batch: str, references: str | None
) -> list[Rows]:
    return [
        Rows(
            label=dict(zip(map(str, found.header), label, strict=True)),
            metric=metric.identifier,
            batch=batch,
            references=references,
            stats=stats.sum(),
            segments=segments,
        )
        for metric, several in zip(metrics, found.counted, strict=True)
        for label, stats, segments in zip(found.labels, several, found.segments, strict=True)
    ]
