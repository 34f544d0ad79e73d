"""Statistics in tables of engines: rows of segments, or sums of groups."""

from __future__ import annotations

from truebleu.errors import (
    InputError,
    MissingExtraError,
    SettingsError,
    UnknownNameError,
    wrong_type,
)
from truebleu.metrics.several import Several
from truebleu.metrics.stats_rows import Rows, names_of_rows
from truebleu.metrics.storage import KEY, check_columns
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats


def pyarrow() -> Any:
    """Return the library."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError("this needs pyarrow: pip install 'truebleu[arrow]'") from error
    return pa


def table_of(given: Any, what: str) -> Any:
    """Return a table of Arrow, from any library."""
    pa = pyarrow()
    try:
        # Spark 4.1 has no stream; a dict of columns is a table, a list of rows is not.
        return given.toArrow() if hasattr(given, "toArrow") else pa.table(given)
    except (TypeError, ValueError):
        raise wrong_type(what, given, "statistics, or a table of them, are needed") from None


def _by_metric(table: Any, metric: Metric) -> list[tuple[Metric, Stats]]:
    """Return the statistics of the rows of a table, under each metric."""
    stats = metric._stats_type.from_table(table, metric)
    if isinstance(metric, Several):
        return list(zip(metric.parts, metric.split(stats), strict=True))
    return [(metric, stats)]


def segments_of_table(
    table: Any, metric: Metric, what: str, named: Mapping[str, Any]
) -> Iterator[tuple[Metric, Stats, list[str] | None, list[str] | None]]:
    """Yield the statistics of segments by metric, and the names of segments and documents.

    Rows without statistics, which an engine has skipped, are left out.
    """
    if not isinstance(named["units"], str):
        raise SettingsError(
            f"{what} is a table, whose rows have no order: units= names the column of the names "
            "of segments, by which systems are paired"
        )
    check_columns(metric.fields, table.column_names)
    counted = table[KEY].is_valid()
    kept = counted.to_pylist()
    found: dict[str, list[str] | None] = {}
    for each, column in named.items():
        if column is not None and column not in table.column_names:
            raise UnknownNameError(
                f"{each} is {brief(column)}, but the columns of {what} are "
                f"{', '.join(table.column_names)}"
            )
        names = column and [
            str(name) if type(name) is int else name
            for name, is_kept in zip(table[column].to_pylist(), kept, strict=True)
            if is_kept
        ]
        found[each] = names_of_rows(each, names)
    numbers = table.select([*metric.fields, KEY]).filter(counted)
    for one, stats in _by_metric(numbers, metric):
        yield one, stats, found["units"], found["documents"]


def sums_of_table(
    table: Any, metric: Metric, system: str, *, batch: str, references: str | None
) -> Iterator[Rows]:
    """Yield the sum of each group, with its number of segments and the values of its columns."""
    counted = _by_metric(table, metric)
    taken = {"segments", KEY, *metric.fields}
    taken |= {each for one, _ in counted for each in (one.identifier, one.name)}
    groups = [name for name in table.column_names if name not in taken]
    labels = list(zip(*(table[name].to_pylist() for name in groups), strict=True))
    sizes = table["segments"].to_pylist()
    for one, stats in counted:
        for row, size, label in zip(stats, sizes, labels or [()] * len(sizes), strict=True):
            if type(size) is not int or size < 1:
                raise InputError(f"segments of a sum is {brief(size)}; 1 or more is needed")
            yield Rows(
                header=("system", *groups),
                label=(system, *label),
                metric=one.identifier,
                batch=batch,
                references=references,
                stats=row,
                segments=size,
            )
