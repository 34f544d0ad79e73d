"""Files of statistics: in place of texts, and written after texts were counted."""

from __future__ import annotations

import os
from types import SimpleNamespace

from truebleu.cli.options import option_name
from truebleu.cli.output import Announced
from truebleu.cli.resampling import documents_from
from truebleu.cli.scored import Counted
from truebleu.display.text import visible
from truebleu.errors import SettingsError, SettingsWarning, warn
from truebleu.inputs.files import STANDARD_INPUT
from truebleu.metrics.stats_files import check_suffix, is_saved
from truebleu.metrics.stats_rows import Rows, rows_of_segments
from truebleu.metrics.stats_saved import SavedStats, merged, read_stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from truebleu.cli.parameters import Namespace
    from truebleu.cli.scored import Label
    from truebleu.intake.given import Given
    from truebleu.intake.systems import SystemFile
    from truebleu.metrics import Metric, Stats

# What chooses from texts, and so cannot be combined with statistics.
_OF_TEXTS = (
    *("references", "reference_columns", "group_by", "missing"),
    *("text", "sets", "batch", "sources"),
)


def with_saved(given: Given, options: Namespace, *, allowed: bool) -> Given:
    """Let statistics be the systems, and their documents those of these, if all files are such."""
    found = [is_saved(path) for path in given.systems]
    if not any(found):
        if not (given.references or any(getattr(options, name, None) for name in _OF_TEXTS)):
            _refuse_names(path for path in given.systems if path != STANDARD_INPUT)
        return given
    path = given.systems[found.index(True)]
    if not allowed:
        raise SettingsError(
            f"{path} is a file of statistics, but this command needs the texts; truebleu compare "
            f"{path} computes scores, intervals and tests from it, with --format html as a page"
        )
    if not all(found):
        other = given.systems[found.index(False)]
        if other != STANDARD_INPUT:
            os.stat(other)  # noqa: PTH116  # A mistyped name is no text.
        raise SettingsError(
            f"{path} is a file of statistics, but {other} is not: "
            "count the texts with truebleu segments --stats-out, and give all files of statistics"
        )
    wrong = ["references"] * bool(given.references)
    wrong += [name for name in _OF_TEXTS if getattr(options, name, None)]
    # What is written has the documents that were read.
    wrong += ["units"] * ("keep" in options and options.units != "auto")
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


def only_system(path: SystemFile) -> str:
    """Return the name of the only system of a file of statistics, or else of the file."""
    if not is_saved(path):
        return path.text
    [*names] = _named(read_stats(path), path.name, path).systems
    return names[0] if len(names) == 1 else path.text


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


def write_sums(metrics: Sequence[Metric], found: Counted, given: Given, options: Namespace) -> None:
    """Write the statistics behind each score to the file of ``--stats-out``."""
    saved = given.saved.summed() if given.saved else None
    if saved is None:
        saved = SavedStats.of_rows(
            metrics, _sums(metrics, found, options.batch or ""), _named_set(given)
        )
    _write(saved, options)


def write_rows(
    metrics: Sequence[Metric],
    counted: Sequence[Mapping[str, Stats]],
    given: Given,
    options: Namespace,
    references: str | None,
) -> None:
    """Write the statistics of each segment to the file of ``--stats-out``."""
    saved = given.saved
    if saved is None:
        documents = documents_from(options, given)
        how: Any = {"batch": "", "references": references}
        rows = [
            rows
            for metric, of_systems in zip(metrics, counted, strict=True)
            for name, stats in of_systems.items()
            for rows in rows_of_segments(stats, metric, name, None, documents, **how)
        ]
        saved = SavedStats.of_rows(metrics, rows, _named_set(given))
    _write(saved, options)


def _named_set(given: Given) -> tuple[str, str] | None:
    return None if given.test_set is None else (given.test_set.name, given.test_set.pair)


def _write(saved: SavedStats, options: Namespace) -> None:
    with Announced(options.stats_out, options):
        saved.write(options.stats_out)


def _sums(metrics: Sequence[Metric], found: Counted, batch: str) -> list[Rows]:
    return [
        Rows(
            label=dict(zip(map(str, found.header), label, strict=True)),
            metric=metric.identifier,
            batch=batch,
            references=found.references,
            stats=stats.sum(),
            segments=segments,
        )
        for metric, several in zip(metrics, found.counted, strict=True)
        for label, stats, segments in zip(found.labels, several, found.segments, strict=True)
    ]
