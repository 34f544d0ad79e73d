"""Scores of Arrow tables and streams of batches. Needs ``truebleu[arrow]``."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, overload

from truebleu.engines.job import (
    Job,
    as_names,
    by_field,
    check_known,
    chosen_counting,
    chosen_metric,
    clash,
    column_scores,
    count_columns,
    joined_places,
    missing,
    no_hypothesis,
    no_reference,
    overflow,
    present,
    scores_of_rows,
    segment_scores,
    stored_columns,
)
from truebleu.errors import (
    AttributeNameError,
    EmptyInputError,
    InputError,
    InputTypeError,
    SettingsError,
    StatsMismatchError,
)
from truebleu.inputs.arrow import read
from truebleu.inputs.numbers import thread_count
from truebleu.metrics.storage import KEY, check_keys
from truebleu.suggestions import FOREIGN_IN_ENGINES

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError as error:
    raise missing("pyarrow", "arrow") from error

from truebleu.engines.streams import open_reader, pieces
from truebleu.metrics.stats import Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from truebleu.engines.job import Counting, Metrics, Nulls, Places, Texts, Threads
    from truebleu.metrics import BleuSettings, Metric, MetricName, Score

    # What counts a batch, like `count_batch`.
    Count = Callable[..., tuple[Stats, Places]]

__all__ = [
    "corpus_score",
    "join_sums",
    "partial_sums",
    "score_stats",
    "score_sums",
    "segment_score",
    "stats",
]

# Sums that are kept before equal groups are joined.
_SUMS = 1 << 16

_LARGEST = 2**63 - 1

# Of the decimals that Arrow can group.
_DIGITS = 38


def __getattr__(name: str) -> Any:
    """Say what there is instead of functions that people expect here."""
    instead = FOREIGN_IN_ENGINES.get(name)
    more = f"; write {instead}" if instead else ""
    raise AttributeNameError(f"module 'truebleu.engines.arrow' has no attribute {name!r}{more}")


@overload
def corpus_score(data: Any, hypothesis: str, references: Texts, **kw: Unpack[Threads]) -> Score: ...
@overload
def corpus_score(
    data: Any, hypothesis: str, references: Texts, *, group_by: Texts, **kw: Unpack[Threads]
) -> pa.Table: ...
def corpus_score(
    data: Any,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | pa.Table:
    """Score a table, or a stream of batches, in memory that does not grow with it.

    Parameters
    ----------
    data : table, stream, data set or frame; or str or PathLike, or list of these
        Whatever exports a stream of Arrow: a table, a batch, a reader or a data set of pyarrow; a
        data frame of pandas or Polars, whose lazy frames are streamed, too; a relation of DuckDB;
        a data set of Hugging Face. Rows are read in their order, whatever the index of a frame.

        Or files of one format, which their suffix tells: Parquet, Arrow, CSV, TSV or JSON Lines;
        patterns such as ``data/*.parquet``; folders; or addresses that Arrow opens, such as
        ``s3://bucket/folder``, of Parquet and Arrow. ``key=value`` in the names of folders is a
        column of text. In folders and patterns, names that begin with ``_`` or ``.`` are skipped,
        except ``_key=value``. Or the folder of a table of Delta Lake, or the folder or metadata
        file of one of Iceberg, which their own libraries read.
    hypothesis : str
        The column of hypotheses.
    references : str or iterable of str
        The columns of references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        Score each group of rows that are equal in these columns.
    threads : int, optional
        Default: all processors.
    nulls : {"error", "empty", "skip"}
        What becomes of a row whose hypothesis is null, or that has no reference: an error; it is
        counted as if that were an empty string; or it is left out, so that its own statistics and
        score are null. Of several references, null always means that one is missing.
    metric : Metric or str, or list of these, optional
        A metric, or its name; several are counted in one read. Default: BLEU.
    **settings
        The settings of :class:`truebleu.Bleu`, unless `metric` is given.

    Returns
    -------
    Score, or dict of scores by the names of several metrics, or Table if there are groups
        One row per group, sorted: the columns of `group_by`; the score, in a column named after
        the metric's identifier, such as ``bleu``; ``segments``; the statistics; and ``key``, which
        stands for the settings they were counted under. Of several metrics, statistics have names
        such as ``bleu_hyp_len``.

    Raises
    ------
    UnknownNameError
        If a column is missing.
    InputTypeError
        If a column holds anything but text, or a hypothesis is null.
    EmptyInputError
        If there are no rows, unless there are groups, or a row has no reference.
    InputError
        If a file does not hold what its suffix says, or is part of a table with a log.
    OSError
        If there is no such file, or a compressed one is damaged.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from truebleu.engines.arrow import corpus_score
    >>> table = pa.table({"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]})
    >>> print(corpus_score(table, "mt", "ref"))
    BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)
    """
    job = Job(hypothesis, references, group_by, metric=chosen_counting(metric, settings, nulls))
    reader = open_reader(data, job.texts, job.groups)
    job.check(reader.schema.names)
    with job.watched():
        return scored(partial_sums(reader, job, thread_count(threads)), job)


def segment_score(
    data: Any,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    keep: str | Iterable[str] = (),
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metric | MetricName | None = None,
    **settings: Unpack[BleuSettings],
) -> pa.ChunkedArray | pa.Table:
    """Score every row by itself.

    Parameters and errors are those of :func:`corpus_score`.

    Parameters
    ----------
    keep : str or iterable of str, optional
        Columns that the result has beside the scores, so that these can be joined with other data.

    Returns
    -------
    ChunkedArray of double, or Table with the columns to keep
        One score per row; in a table, the column is named after the metric's identifier.
    """
    kept_names = list(dict.fromkeys(as_names(keep, "keep")))
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    if job.metric.identifier in kept_names:
        raise clash(job.metric.identifier)
    reader = open_reader(data, job.texts, kept_names)
    job.check(reader.schema.names, corpus=False)
    check_known(kept_names, reader.schema.names)
    scores, kept = [], []
    with job.watched():
        for batch in pieces(reader, [*job.texts, *kept_names]):
            rows, places = count_batch(batch, job, thread_count(threads))
            scores.append(in_places(scores_of_rows(job.metric, rows.data, segment=True), places))
            kept.append(batch.select(kept_names))
    found = pa.chunked_array(scores, pa.float64())
    if not kept_names:
        return found
    schema = pa.schema([reader.schema.field(name) for name in kept_names])
    table = pa.Table.from_batches(kept, schema)
    return table.append_column(job.metric.identifier, found)


def stats(
    data: Any,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    nulls: Nulls = "error",
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> pa.Table:
    """Count every row.

    Parameters and errors are those of :func:`corpus_score`.

    Returns
    -------
    Table of int64
        One row of statistics per row: a column for each field of the metric; and ``key``, which
        stands for the settings they were counted under. :func:`score_stats` and
        :meth:`truebleu.Stats.from_table` read them.
    """
    job = Job(hypothesis, references, metric=chosen_counting(metric, settings, nulls))
    reader = open_reader(data, job.texts)
    job.check(reader.schema.names, corpus=False)
    counted = (count_batch(each, job, thread_count(threads)) for each in pieces(reader, job.texts))
    schema = pa.schema([(name, pa.int64()) for name in (*job.fields, KEY)])
    with job.watched():
        return pa.Table.from_batches(
            (pa.RecordBatch.from_pydict(columns(*each), schema) for each in counted), schema
        )


def score_stats(
    data: Any,
    *,
    group_by: str | Iterable[str] | None = None,
    threads: int | None = None,
    metric: Metrics = None,
    **settings: Unpack[BleuSettings],
) -> Score | pa.Table:
    """Add up stored statistics, or sums of them, and score the sum.

    Parameters
    ----------
    data, group_by, threads
        As for :func:`corpus_score`, with the columns of :func:`stats`.
    metric, **settings
        As there; those under which the statistics were counted.

    Returns
    -------
    Score, or Table if there are groups
        As there, without ``segments``: a row may be the sum of any number. Rows that are null in
        all columns of statistics, as skipped ones are, count for nothing. The signature leaves the
        number of references out, because it is not stored.

    Raises
    ------
    StatsMismatchError, UnknownNameError, InputError
        If they were counted under other settings, or a column is missing, or not of whole numbers,
        or has a null alone or a number that no text can have.
    EmptyInputError
        If there are no rows, unless there are groups.
    """
    job = stored_job(metric, settings, group_by)
    # In files of text, what is stored is no string.
    reader = open_reader(data, labels=job.columns)
    check_stored(job, reader.schema.names)
    found = scored(partial_sums(reader, job, thread_count(threads), count=stored_rows), job)
    return found.drop_columns(job.segments) if isinstance(found, pa.Table) else found


def stored_job(
    metric: Metrics,
    settings: Mapping[str, Any],
    group_by: str | Iterable[str] | None,
) -> Job:
    """Return the job of adding up stored statistics, which stand in the place of texts."""
    chosen = chosen_metric(metric, settings)
    chosen._check_addable()
    return Job(KEY, chosen.fields, group_by, metric=chosen)


def check_stored(job: Job, available: Iterable[str]) -> None:
    """Refuse a job whose statistics are not among the columns."""
    known = list(available)
    stored_columns(job.metric, known)
    job.check(known)


def stored_rows(
    batch: pa.RecordBatch, job: Job, _: int, *, each: bool = True
) -> tuple[Stats, Places]:
    """Read stored statistics as :func:`count_batch` counts texts; those of no text are skipped."""
    columns = [_whole_numbers(batch.column(name), name) for name in job.texts]
    there = reduce(pc.or_, map(pc.is_valid, columns))
    places = None
    if pc.any(pc.invert(there)).as_py():
        numbers = iter(range(len(batch)))
        places = [next(numbers) if some else None for some in there.to_pylist()]
        columns = [column.filter(there) for column in columns]
    keys, *fields = columns
    if len(keys):
        check_keys(keys, job.metric.counting_key)
    rows = Stats.from_columns(fields, job.metric)
    return (rows if each or not len(rows) else rows.sum()), places


def _whole_numbers(column: pa.Array, name: str) -> pa.Array:
    """Read whole numbers in text, as everything in CSV is."""
    kind = column.type
    if pa.types.is_floating(kind):
        raise InputError(
            f"statistics are whole numbers, but column {name!r} is of type {kind}; cast sums to "
            "int64, and where pandas makes floats of numbers beside nulls, use "
            ".to_pandas(types_mapper=pandas.ArrowDtype)"
        )
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return column
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid as error:
        raise (StatsMismatchError if name == KEY else InputError)(
            f"statistics and their keys are int64, but {name!r} is not: {error}"
        ) from None


def stored_scores(metric: Metric, columns: Sequence[pa.ChunkedArray]) -> pa.Array:
    """Score stored statistics, the last of whose columns is their key; none at all are null."""
    rows = pa.table(list(columns), list(map(str, range(len(columns)))))
    there = reduce(pc.or_, map(pc.is_valid, rows.columns)).combine_chunks()
    *fields, keys = rows.filter(there).columns
    found = pa.array(column_scores(metric, fields, keys))
    return pc.replace_with_mask(pa.nulls(len(there), pa.float64()), there, found)


def partial_sums(
    batches: Iterable[pa.RecordBatch],
    job: Job,
    threads: int = 1,
    count: Count | None = None,
) -> pa.Table:
    """Count batches, and add up the rows of each group, in no particular order.

    The columns are those of `group_by`, :attr:`Job.sums`, :attr:`Job.ends` and ``key``. Without
    groups, there is one row, or none if there are no rows.
    """
    parts: list[pa.Table] = []
    waiting = 0
    for batch in pieces(batches, job.columns):
        # Types that cannot be grouped are refused before anything is counted.
        table = {name: group_key(batch.column(name), name) for name in job.groups}
        rows, places = (count or count_batch)(batch, job, threads, each=bool(job.groups))
        segments = len(batch)
        if places is not None:
            kept = pa.array([place is not None for place in places])
            table = {name: keys.filter(kept) for name, keys in table.items()}
            segments = kept.true_count
        if not segments:
            continue
        numbers = dict(zip(job.ends, (rows.fewest, rows.most), strict=True))
        numbers |= {job.segments: segments // len(rows), KEY: job.key}
        table |= columns(rows) | {name: _repeated(each, rows) for name, each in numbers.items()}
        names = (*job.groups, *job.sums, *job.ends, KEY)
        parts.append(join_sums([pa.table({name: table[name] for name in names})], job))
        waiting += len(parts[-1])
        if waiting > _SUMS:
            parts = [join_sums(parts, job)]
            # If all groups differ, they are joined again once they have doubled, not each time.
            waiting = -len(parts[0])
    if parts:
        return join_sums(parts, job)
    kinds = {name: pa.int64() for name in (*job.sums, *job.ends, KEY)}
    if isinstance(batches, pa.RecordBatchReader):
        empty = {name: pa.array([], batches.schema.field(name).type) for name in job.groups}
        kinds = {name: group_key(keys, name).type for name, keys in empty.items()} | kinds
    return pa.schema(kinds.items()).empty_table()


def join_sums(parts: Sequence[pa.Table], job: Job) -> pa.Table:
    """Add up the rows of equal groups in tables of :func:`partial_sums`; there is at least one."""
    table = pa.concat_tables(parts)
    for name in job.sums:
        # Arrow's own sums would wrap.
        most = pc.max(table[name]).as_py()
        if most is not None and most > _LARGEST // len(table):
            raise overflow()
    joins = [(name, "sum") for name in job.sums]
    joins += [(job.fewest, "min"), (job.most, "max")]
    # Statistics of different keys do not add up.
    joined = table.group_by([*job.groups, KEY], use_threads=False).aggregate(joins)
    columns = [joined[name] for name in job.groups]
    columns += [joined[f"{name}_{how}"] for name, how in joins]
    return pa.table([*columns, joined[KEY]], [*job.groups, *job.sums, *job.ends, KEY])


def score_sums(sums: pa.Table, job: Job) -> pa.Table:
    """Score the sums of groups, if they were counted under these settings."""
    for name in (KEY, job.last_key):
        if name in sums.schema.names:
            check_keys(sums[name], job.metric.counting_key)
    for metric, names in job.scored:
        found = column_scores(metric, [sums[name] for name in names])
        sums = sums.append_column(metric.identifier, pa.array(found))
    return sums.select([*job.results])


def scored(sums: pa.Table, job: Job) -> Score | pa.Table:
    """Score the sum of all rows, or of each group; then sorted by group."""
    if job.groups:
        return score_sums(sums, job).sort_by([(name, "ascending") for name in job.groups])
    if not len(sums):
        raise EmptyInputError("there are no rows to score")
    check_keys(sums[KEY], job.metric.counting_key)
    [row] = sums.to_pylist()
    total = job.stats([row[name] for name in job.sums], row[job.fewest], row[job.most])
    return job.total(total)


def count_batch(
    batch: pa.RecordBatch, job: Job, threads: int = 1, *, each: bool = True
) -> tuple[Stats, Places]:
    """Count a batch: a row of statistics for `each` row, or their sum."""
    hypotheses, *references = (batch.column(name) for name in job.texts)
    given = (job.counting, hypotheses, references, job.texts)
    return count_columns(*given, each=each, threads=threads, observed=job.observed)


def count_rows(batches: Iterable[pa.RecordBatch], job: Job, threads: int) -> tuple[Stats, Places]:
    """Count every row of a stream."""
    found = [count_batch(batch, job, threads) for batch in pieces(batches, job.texts)]
    rows = [each for each, _ in found] or [Stats(b"", job.metric, -1, -1)]
    return Stats.join(rows), joined_places(found)


def read_texts(
    data: Any, hypotheses: Sequence[str], references: Sequence[str], *, nulls: bool = False
) -> tuple[list[list[str]], list[list[str]]]:
    """Return the texts of each column of hypotheses, and the references of each row.

    Rows without one of them are an error, unless there may be `nulls`.
    """
    names = list(dict.fromkeys([*hypotheses, *references]))
    reader = open_reader(data, names)
    check_known(names, reader.schema.names)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for batch in pieces(reader, names):
        for name in names:
            columns[name] += read(batch.column(name), f"column {name!r}").texts()
    outputs = [columns[name] for name in hypotheses]
    if not outputs[0]:
        raise EmptyInputError("there are no rows to score")
    for name in hypotheses if not nulls else ():
        if None in columns[name]:
            raise no_hypothesis(name)
    several = list(map(present, zip(*(columns[name] for name in references), strict=True)))
    if not all(several) and not nulls:
        raise no_reference(references, list(map(bool, several)))
    return outputs, several


def arguments(
    counting: Counting, columns: Sequence[Any], names: Sequence[str] | None = None
) -> tuple[Counting, Any, Sequence[Any], Sequence[str]]:
    """Return what counts the columns of a call in SQL, or columns that have `names`."""
    if names is None and len(columns) != 2:
        raise SettingsError(
            f"{len(columns) - 1} references given: one is needed, or a list like [ref_a, ref_b]"
        )
    return counting, columns[0], columns[1:], names or ("hypotheses", "references")


def functions(
    counting: Counting, names: Sequence[str] | None = None
) -> dict[str, Callable[..., pa.Array]]:
    """Return functions of columns: a hypothesis and references, or structs of statistics.

    The columns have `names`, or else are those of SQL, where references are one column.
    """

    def segment_score(*columns: Any) -> pa.Array:
        return in_places(*segment_scores(*arguments(counting, columns, names)))

    def stats(*texts: Any) -> pa.Array:
        rows, places = count_columns(*arguments(counting, texts, names))
        found = columns(rows)
        return in_places(pa.StructArray.from_arrays(list(found.values()), list(found)), places)

    def score_stats(*columns: Any) -> pa.Array:
        [rows] = columns
        if pa.types.is_null(rows.type):
            return pa.nulls(len(rows), pa.float64())
        if not pa.types.is_struct(rows.type):
            raise InputTypeError(
                f"statistics are a struct, but this is of type {rows.type}; those of stats, a sum "
                "of them, or a row of a table are needed"
            )
        fields = [field.name for field in rows.type]
        parts = dict(zip(fields, rows.flatten(), strict=True))
        stored = stored_columns(counting.metric, fields)
        return stored_scores(counting.metric, [parts[name] for name in stored])

    return {each.__name__: each for each in (segment_score, stats, score_stats)}


def columns(rows: Stats, places: Places = None) -> dict[str, pa.Array]:
    """Return the columns of statistics: one for each field, and ``key``."""
    fields = {name: pa.array(numbers) for name, numbers in by_field(rows).items()}
    found = {**fields, KEY: _repeated(rows.key, rows)}
    return {name: in_places(column, places) for name, column in found.items()}


def in_places(values: Any, places: Places) -> pa.Array:
    """Return the value of each row; that of one that was skipped is null."""
    column = pa.array(values) if isinstance(values, np.ndarray) else values
    return column if places is None else column.take(pa.array(places, pa.int64()))


def _repeated(value: int, rows: Stats) -> pa.Array:
    return pa.repeat(pa.scalar(value, pa.int64()), len(rows))


def group_key(column: pa.Array, name: str) -> pa.Array:
    """Return a column to group by and to sort, in which equal values are alike to the bit."""
    kind, types = column.type, pa.types
    if isinstance(column, pa.ExtensionArray):
        return group_key(column.storage, name)
    if types.is_dictionary(kind):
        # The dictionaries of two batches may differ.
        return group_key(column.dictionary, name).take(column.indices)
    if types.is_run_end_encoded(kind):
        return group_key(pc.run_end_decode(column), name)
    if types.is_nested(kind) or types.is_interval(kind):
        raise InputTypeError(f"column {name!r} is a column of {kind}: groups need plain values")
    # Arrow does not group or sort these, but all their values are among those of another type: text
    # with offsets of 32 bits, as those of 64 take three times as long. A batch is never so large.
    if types.is_float16(kind):
        column = column.cast(pa.float32())
    elif types.is_decimal(kind) and kind.bit_width < 128:
        column = column.cast(pa.decimal128(_DIGITS, kind.scale))
    elif kind == pa.string_view():
        column = column.cast(pa.string())
    elif kind == pa.binary_view():
        column = column.cast(pa.binary())
    if not types.is_floating(column.type):
        return column
    # Arrow groups floats by their bits: -0.0 becomes 0.0, and every NaN the same one.
    zero, nan = (pa.scalar(value, column.type) for value in (0.0, float("nan")))
    column = pc.if_else(pc.equal(column, zero), zero, column)
    return pc.if_else(pc.is_nan(column), nan, column)
