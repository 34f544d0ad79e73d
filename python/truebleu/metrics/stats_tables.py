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
from truebleu.metrics.stats import Stats
from truebleu.metrics.stats_rows import Rows, rows_of_segments
from truebleu.metrics.storage import KEY, check_columns
from truebleu.record import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from truebleu.metrics.metric import Metric


def pyarrow() -> Any:
    """Return the library."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingExtraError("this needs pyarrow: pip install 'truebleu[arrow]'") from error
    return pa


def rows_of_table(
    given: Any, metric: Metric, system: str, units: Any, documents: Any, **how: Any
) -> Iterator[Rows]:
    """Yield the rows of a table from any library, by metric: of segments, or sums of groups."""
    what = f"systems[{system!r}]"
    pa = pyarrow()
    try:
        # Spark 4.1 has no stream; a dict of columns is a table, a list of rows is not.
        table = given.toArrow() if hasattr(given, "toArrow") else pa.table(given)
    except (TypeError, ValueError):
        raise wrong_type(what, given, "statistics, or a table of them, are needed") from None
    if units is None and documents is None and "segments" in table.column_names:
        yield from _sums(table, metric, system, **how)
        return
    if not isinstance(units, str):
        raise SettingsError(
            f"{what} is a table, whose rows have no order: units= names the column of the names "
            "of segments, by which systems are paired"
        )
    check_columns(metric.fields, table.column_names)
    # An engine has no statistics of rows that it skipped.
    counted = table[KEY].is_valid()
    names = []
    for each, column in (("units", units), ("documents", documents)):
        if column is not None and column not in table.column_names:
            raise UnknownNameError(
                f"{each} is {brief(column)}, but the columns of {what} are "
                f"{', '.join(table.column_names)}"
            )
        found = column and zip(table[column].to_pylist(), counted.to_pylist(), strict=True)
        names.append(found and [_text(name) for name, is_counted in found if is_counted])
    numbers = table.select([*metric.fields, KEY]).filter(counted)
    for one, stats in _by_metric(numbers, metric):
        yield from rows_of_segments(stats, one, system, *names, **how)


def _text(name: object) -> object:
    """Return a number as a text, and leave what is no name."""
    return str(name) if type(name) is int else name


def _by_metric(table: Any, metric: Metric) -> list[tuple[Metric, Stats]]:
    """Return the statistics of the rows of a table, under each metric."""
    stats = Stats.from_table(table, metric)
    if isinstance(metric, Several):
        return list(zip(metric.parts, metric.split(stats), strict=True))
    return [(metric, stats)]


def _sums(table: Any, metric: Metric, system: str, **how: Any) -> Iterator[Rows]:
    """Yield the sum of each group, with its number of segments and the values of its columns."""
    counted = _by_metric(table, metric)
    scores = {each for one, _ in counted for each in (one.identifier, one.name)}
    taken = {"segments", KEY, *metric.fields, *scores}
    groups = table.drop([name for name in table.column_names if name in taken])
    if "system" in groups.column_names:
        raise InputError(
            f"systems[{system!r}] has a column 'system', which is what its sums are called by: "
            "rename it"
        )
    for one, stats in counted:
        sums = zip(stats, table["segments"].to_pylist(), groups.to_pylist(), strict=True)
        for row, segments, label in sums:
            yield Rows(
                label={"system": system} | label,
                metric=one.identifier,
                stats=row,
                segments=segments,
                **how,
            )
