"""BLEU of data frames of Spark. Needs ``truebleu[spark]``, on the executors too.

Text never leaves the machine it is on: each partition is counted where it is, and Spark adds up
rows of statistics.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.errors import EmptyInputError, InputTypeError, SettingsError
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.stats import BleuStats
from truebleu.significance.compare import confidence_interval as interval_of

try:
    import pyarrow as pa
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F  # noqa: N812  # As everybody calls it.
    from pyspark.sql.types import (
        ArrayType,
        DoubleType,
        LongType,
        StringType,
        StructField,
        StructType,
    )
except ImportError as error:
    raise rows.missing("PySpark 4.1 or later and pyarrow", "spark") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from pyspark.sql import Column, DataFrame, GroupedData
    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings
    from truebleu.significance.results import Interval

__all__ = ["confidence_interval", "corpus_bleu", "sentence_bleu"]

_ENDS = {rows.FEWEST: F.min, rows.MOST: F.max}


def corpus_bleu(
    frame: DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore | DataFrame:
    """Score a data frame, or its groups.

    The result does not depend on the partitions, nor on tasks that fail and are tried again.

    Parameters
    ----------
    frame : DataFrame
    hypothesis : str
        The column of the hypotheses.
    references : str or iterable of str
        The columns of the references: strings, or arrays of strings.
    group_by : str or iterable of str, optional
        The columns that tell groups apart.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    BleuScore, or DataFrame if there are groups
        A row for each group: its columns, ``bleu``, ``segments``, the statistics, and ``key``,
        which stands for the settings they were counted under. It is computed when it is asked
        for.

    Raises
    ------
    UnknownNameError
        If a column is not there.
    InputTypeError
        If a column holds something else than text, or a hypothesis is null.
    EmptyInputError
        If there are no rows, or a row has no reference.

    Notes
    -----
    What is wrong with the rows of groups comes as Spark's ``PythonException`` when they are asked
    for, with our own message in it.
    """
    plan = rows.Plan(hypothesis, references, group_by, bleu=Bleu(**settings))
    sums = _sums(frame, plan)
    if plan.groups:
        names = (*plan.groups, rows.SCORE, rows.SEGMENTS, *plan.fields, rows.KEY)
        numbers = (*plan.fields, rows.KEY, plan.last_key)
        scored = sums.withColumn(rows.SCORE, _scorer(plan.bleu)(*map(_column, numbers)))
        return scored.select(*map(_column, names))
    with _explained():
        [row] = sums.collect()
    *numbers, fewest, most, first_key, last_key = row
    if first_key is None:
        raise EmptyInputError("there are no rows to score")
    rows.check_keys(plan.bleu, [first_key, last_key])
    return plan.bleu.score(plan.stats(numbers, fewest, most))


def sentence_bleu(
    hypothesis: str | Column, *references: str | Column, **settings: Unpack[BleuSettings]
) -> Column:
    """Score every row by itself, as :func:`truebleu.sentence_bleu` does.

    Parameters
    ----------
    hypothesis, *references : str or Column
        Columns of strings; references also of arrays of strings.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    Column of double
        From 0 to 100, for ``frame.withColumn("bleu", ...)``.
    """
    if not references:
        raise SettingsError("there are no references: name at least one column")
    bleu = rows.for_sentences(settings)
    names = ("hypothesis", *(f"reference {number}" for number in range(1, 1 + len(references))))

    def score(own: pa.Array, *others: pa.Array) -> pa.Array:
        return pa.array(rows.sentence_scores(bleu, own, others, names))

    return _function(score)(hypothesis, *references)


def confidence_interval(
    frame: DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    unit: str | Iterable[str],
    units: int | None = 10_000,
    samples: int = 1_000,
    interval: str = "bca",
    level: float = 0.95,
    seed: int | None = 12345,
    **settings: Unpack[BleuSettings],
) -> Interval:
    """Return a confidence interval of the score of a data frame.

    Rows are spread over so many units by a hash, Spark adds up each, and the bootstrap draws
    units: what comes to the driver does not grow with the data.

    Parameters
    ----------
    frame, hypothesis, references, **settings
        As for :func:`corpus_bleu`.
    unit : str or iterable of str
        The columns that say which rows belong together: the name of a document, or what is
        different for each segment.
    units : int or None, default 10,000
        How many; at least 30. None: each value of `unit` is one, and the interval is that of
        :func:`truebleu.confidence_interval` for the rows in the order of `unit`.
    samples, interval, level, seed
        As for :func:`truebleu.confidence_interval`.

    Returns
    -------
    Interval

    Raises
    ------
    UnknownNameError, InputTypeError, EmptyInputError, SettingsError
        As there, and as for :func:`corpus_bleu`.
    """
    keys = rows.several(unit, "unit")
    bleu = Bleu(**settings)
    rows.Plan(hypothesis, references, keys, bleu=bleu).check(frame.columns)
    if units is not None:
        if isinstance(units, bool) or not isinstance(units, int) or units < 30:
            raise SettingsError(f"units is {units!r}; one from 30 up, or None, is needed")
        bucket = F.pmod(F.xxhash64(*map(_column, keys)), F.lit(units))
        frame, keys = frame.withColumn(_UNIT, bucket), (_UNIT,)
    plan = rows.Plan(hypothesis, references, keys, bleu=bleu)
    sums = _sums(frame, plan).orderBy(*map(_column, keys))
    with _explained():
        names = (*plan.fields, *_ENDS, rows.KEY, plan.last_key)
        found = sums.select(*map(_column, names)).toArrow()
    if not len(found):
        raise EmptyInputError("there are no rows to score")
    for name in (rows.KEY, plan.last_key):
        rows.check_keys(bleu, found[name])
    stats = BleuStats(
        rows.from_fields(bleu, _fitting([found[name] for name in plan.fields])),
        bleu,
        min(found[rows.FEWEST].to_pylist()),
        max(found[rows.MOST].to_pylist()),
    )
    return interval_of(
        stats, samples=samples, interval=interval, level=level, seed=seed, metric=bleu
    )


_UNIT = "truebleu_unit"


def _sums(frame: DataFrame, plan: rows.Plan) -> DataFrame:
    """Add up the rows of each group: the columns of the groups, the sums, the ends, the keys."""
    plan.check(frame.columns)
    types = {field.name: field for field in frame.schema.fields}
    for name in plan.texts:
        kind = types[name].dataType
        of_lists = isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType)
        if not isinstance(kind, StringType) and not (of_lists and name != plan.hypothesis):
            raise InputTypeError(
                f"column {name!r} is of type {kind.simpleString()}; a column of strings is needed"
            )
    # Spark's own functions stumble over names with dots and backticks, so it gets others.
    wanted = list(dict.fromkeys((*plan.texts, *plan.groups)))
    selected = frame.select(*(_column(name).alias(f"column_{i}") for i, name in enumerate(wanted)))
    groups = {f"group_{index}": name for index, name in enumerate(plan.groups)}
    numbers = (*plan.sums, *_ENDS, rows.KEY)
    schema = StructType(
        [StructField(alias, types[name].dataType) for alias, name in groups.items()]
        + [StructField(name, LongType()) for name in numbers]
    )

    def count(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from truebleu.engines.arrow import partial_sums

        named = (pa.RecordBatch.from_arrays(batch.columns, wanted) for batch in batches)
        found = partial_sums(named, plan)
        if len(found):  # A partition may be empty.
            yield from found.rename_columns([*groups, *numbers]).to_batches()

    counted = selected.mapInArrow(count, schema).groupBy(*groups)
    return _added(counted, plan).withColumnsRenamed(groups)


def _added(counted: GroupedData, plan: rows.Plan) -> DataFrame:
    """Add up the statistics of groups; a sum beyond int64 is null."""
    # sum() wraps if the session is not in ANSI mode.
    joins = [_ENDS.get(name, F.try_sum)(name).alias(name) for name in (*plan.sums, *_ENDS)]
    joins += [F.min(rows.KEY).alias(rows.KEY), F.max(rows.KEY).alias(plan.last_key)]
    return counted.agg(*joins)


def _scorer(bleu: Bleu) -> Callable[..., Column]:
    def score(*columns: pa.Array) -> pa.Array:
        *fields, first_key, last_key = columns
        return pa.array(rows.given_scores(bleu, _fitting(fields), first_key, last_key))

    scorer: Callable[..., Column] = _function(score)
    return scorer


def _fitting(sums: Sequence[Any]) -> Sequence[Any]:
    """Refuse sums that do not fit into int64."""
    if any(field.null_count for field in sums):
        raise rows.overflow()
    return sums


def _function(function: Callable[..., pa.Array]) -> Any:
    # Without annotations, which Spark would look up.
    function.__annotations__ = {}
    return F.arrow_udf(function, DoubleType())


def _column(name: str) -> Column:
    """Return a column by its name, whatever is in that."""
    quoted = name.replace("`", "``")
    return F.col(f"`{quoted}`")


@contextmanager
def _explained() -> Iterator[None]:
    """Raise our own exception where Spark passes it on as text."""
    try:
        yield
    except PySparkException as error:
        raise (rows.ours(str(error)) or error) from error
