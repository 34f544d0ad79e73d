"""Statistics that were given in files, and those that are written after texts were counted."""

from __future__ import annotations

from truebleu.cli.output import Announced
from truebleu.cli.resampling import documents_from
from truebleu.cli.scored import Counted
from truebleu.metrics.stats_rows import Rows, rows_of_segments
from truebleu.metrics.stats_saved import SavedStats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from truebleu.cli.parsing import Namespace
    from truebleu.cli.scored import Label
    from truebleu.intake.given import Given
    from truebleu.metrics import Metric, Stats


def count_saved(metrics: Sequence[Metric], saved: SavedStats, *, each: bool) -> Counted:
    """Return the sums of all systems; a row per segment if `each` is wanted."""
    if not each:
        return summed(saved, metrics)
    counted = [list(saved.stats(metric).values()) for metric in metrics]
    labels: list[Label] = [(name,) for name in saved.systems]
    sizes = [len(stats) for stats in counted[0]]
    return Counted(header=("system",), labels=labels, counted=counted, segments=sizes)


def summed(saved: SavedStats, metrics: Iterable[Metric], *, total: bool = False) -> Counted:
    """Return sums over all batches, of each label or the `total`."""
    sums = saved.summed(total=total, by_batch=False)
    labels, counted, segments = sums.by_label(list(metrics))
    return Counted(header=sums.header, labels=labels, counted=counted, segments=segments)


def write_sums(metrics: Sequence[Metric], found: Counted, given: Given, options: Namespace) -> None:
    """Write the statistics behind each score to the file of ``--stats-out``."""
    saved = given.saved.summed() if given.saved else None
    if saved is None:
        rows = [
            Rows(
                label=dict(zip(map(str, found.header), label, strict=True)),
                metric=metric.identifier,
                batch=options.batch or "",
                references=found.references,
                stats=stats.sum(),
                segments=segments,
            )
            for metric, several in zip(metrics, found.counted, strict=True)
            for label, stats, segments in zip(found.labels, several, found.segments, strict=True)
        ]
        saved = _saved(metrics, rows, given)
    write_saved(saved, options)


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
        saved = _saved(metrics, rows, given)
    write_saved(saved, options)


def _saved(metrics: Sequence[Metric], rows: Iterable[Rows], given: Given) -> SavedStats:
    named = None if given.test_set is None else (given.test_set.name, given.test_set.pair)
    return SavedStats.of_rows(metrics, rows, named)


def write_saved(saved: SavedStats, options: Namespace) -> None:
    """Write statistics to the file of ``--stats-out``."""
    with Announced(options.stats_out, options):
        saved.write(options.stats_out)
