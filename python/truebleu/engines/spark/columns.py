"""Columns of Spark data frames: by name, whatever the name, or as expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # As everybody calls it.
from pyspark.sql.types import ArrayType, DataType, MapType, StringType, StructType

from truebleu.engines.job import Counting, Job, as_names, check_type
from truebleu.errors import InputTypeError, SettingsError, UnknownNameError
from truebleu.metrics.metric import Metric

# How an expression is written in its repr.
_EXPRESSION = re.compile(r"Column<'(.*)'>\Z", re.DOTALL)


@dataclass(frozen=True)
class Selection:
    """The columns that a job scores, in a frame of them alone, and what the job calls them.

    They have names of our own: Spark's functions stumble over dots, backticks and repetition.
    """

    frame: DataFrame
    names: tuple[str, ...]
    job: Job

    def type_of(self, name: str) -> DataType:
        """Return the type of a column."""
        return self.frame.schema.fields[self.names.index(name)].dataType


def selected(
    frame: DataFrame,
    hypothesis: str | Column,
    references: str | Column | Iterable[str | Column],
    groups: str | Column | Iterable[str | Column] | None = None,
    *,
    metric: Metric | Counting,
    stored: bool = False,
) -> Selection:
    """Select texts, or `stored` statistics; the job calls groups what Spark would."""
    check_type(frame, DataFrame, "frame", "a Spark data frame")
    exact = is_case_sensitive(frame.sparkSession)
    by = several(groups, "group_by")
    columns: dict[str, Column] = {}
    # What the job calls a column that the user has named.
    known: dict[str, str] = {}
    for given in by:
        column, name = _found(frame, given, exact=exact)
        if matching(name, columns, exact=exact):
            raise SettingsError(f"group_by has two columns {name!r}; leave out or rename one")
        columns[name] = column
        if isinstance(given, str):
            known[given] = name
    grouped = list(columns)
    texts = []
    for given in (hypothesis, *several(references, "references")):
        if isinstance(given, str) and given in known:
            texts.append(known[given])
            continue
        column, _ = _found(frame, given, exact=exact)
        name = written(given)
        while name in columns:
            name += "_"
        columns[name] = column
        texts.append(name)
        if isinstance(given, str):
            known[given] = name
    job = Job(texts[0], texts[1:], grouped, metric=metric)
    job.check(columns, ignore_case=not exact)
    chosen = frame.select(*(each.alias(f"column_{i}") for i, each in enumerate(columns.values())))
    selection = Selection(chosen, tuple(columns), job)
    _check_types(selection, list(map(written, by)), () if stored else job.texts)
    return selection


def several(
    columns: str | Column | Iterable[str | Column] | None, what: str
) -> tuple[str | Column, ...]:
    """Return one column or several, names or expressions, as a tuple."""
    # An expression says that it can be iterated over, and then refuses.
    if isinstance(columns, Column):
        return (columns,)
    if columns is None or isinstance(columns, str):
        return as_names(columns, what)
    try:
        given = tuple(columns)
    except TypeError:
        return as_names(columns, what)  # Which says what is needed.
    as_names([each for each in given if not isinstance(each, Column)], what)
    return given


def written(column: str | Column) -> str:
    """Return what messages call a column: its name, or the expression."""
    if isinstance(column, str):
        return column
    match = _EXPRESSION.match(repr(column))
    return match[1] if match else repr(column)


def quoted(name: str) -> Column:
    """Return a column by its name, whatever characters are in it."""
    escaped = name.replace("`", "``")
    return F.col(f"`{escaped}`")


def is_case_sensitive(session: SparkSession) -> bool:
    """Whether the session tells names apart by case."""
    return str(session.conf.get("spark.sql.caseSensitive", "false")).lower() == "true"


def matching(name: str, available: Iterable[str], *, exact: bool) -> list[str]:
    """Return the columns that a name stands for."""
    if exact:
        return [each for each in available if each == name]
    return [each for each in available if each.casefold() == name.casefold()]


def _found(frame: DataFrame, given: str | Column, *, exact: bool) -> tuple[Column, str]:
    """Find a column, by its name or else as Spark would (``x.mt``), and what a result calls it."""
    if isinstance(given, Column):
        return given, frame.select(given).columns[0]
    as_names([given], "column")
    available = frame.columns
    matches = matching(given, available, exact=exact)
    if len(matches) == 1:
        return quoted(matches[0]), given
    if matches:
        raise SettingsError(
            f"{len(matches)} columns are called {given!r}: rename one, or say which, as in "
            f"'x.{given}' after frame.alias('x')"
        )
    column = F.col(given)
    try:
        return column, frame.select(column).columns[0]
    except AnalysisException:
        raise UnknownNameError(
            f"there is no column {given!r}; the columns are {', '.join(available)}"
        ) from None


def _check_types(selection: Selection, groups: Sequence[str], texts: Sequence[str]) -> None:
    """Refuse texts that are not strings, or arrays of them, and groups that are not plain."""
    job = selection.job
    for name in texts:
        kind = selection.type_of(name)
        of_lists = isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType)
        if not isinstance(kind, StringType) and not (of_lists and name != job.hypothesis):
            raise InputTypeError(
                f"column {name!r} is of type {kind.simpleString()}; a column of strings is needed"
            )
    for name, given in zip(job.groups, groups, strict=True):
        kind = selection.type_of(name)
        if isinstance(kind, (ArrayType, MapType, StructType)):
            raise InputTypeError(
                f"column {given!r} is of type {kind.simpleString()}: groups need plain values"
            )
