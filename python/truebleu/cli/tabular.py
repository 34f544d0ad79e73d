"""``--hypothesis-column``: columns of tables in place of files of lines."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.cli.output import Bar
from truebleu.cli.scored import Counted
from truebleu.errors import EmptyInputError, SettingsError, SettingsWarning, WarnOnce, warn
from truebleu.inputs.checks import Remedies, of_scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from pyarrow import ChunkedArray, RecordBatch

    from truebleu.cli.scored import Label
    from truebleu.engines.job import Job
    from truebleu.intake.given import Columns, Given
    from truebleu.metrics import Metric, Stats

# What a column with the ID of each segment's document is called.
_OF_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "docid")

# Rows of which the languages of groups are seen, and how many groups a warning names.
_LOOKED_AT, _MOST_NAMED = 10_000, 5


def count_columns(
    metrics: Sequence[Metric],
    given: Given,
    columns: Columns,
    *,
    groups: Sequence[str] = (),
    threads: int,
    each: bool,
    corpus: bool = True,
) -> Counted:
    """Count columns of tables; a row for `each` segment, or sums of groups."""
    # Slow to load, and only tables need them.
    from truebleu.engines.files import Wanted, open_files
    from truebleu.engines.job import Counting, Job
    from truebleu.metrics.several import Several

    parts = _of_different_names(metrics)
    if len(parts) > 1:
        how: Any = {"groups": groups, "threads": threads, "each": each, "corpus": corpus}
        with WarnOnce():
            found = [count_columns(part, given, columns, **how) for part in parts]
        stats_of = {
            metric: stats
            for part, one in zip(parts, found, strict=True)
            for metric, stats in zip(part, one.counted, strict=True)
        }
        return found[0].replace(counted=[stats_of[metric] for metric in metrics])
    metric = Several(metrics) if len(metrics) > 1 else metrics[0]
    named = len(columns.hypotheses) > 1 or not groups
    labels: list[Label] = []
    counted: list[tuple[Stats, ...]] = []
    segments: list[int] = []
    with Bar("counting") as bar, WarnOnce():
        for name in columns.hypotheses:
            counting = Counting(metric, columns.nulls)
            job = Job(name, columns.references, groups, metric=counting)
            job.observed = Observed()
            wanted = Wanted(job.texts, job.groups, given.reading.no_header)
            reader = open_files(_paths(given), wanted, bar.update)
            job.check(reader.schema.names, corpus=corpus)
            for label, stats, size in _counted(_Batches(reader), job, threads, each=each):
                labels.append((name, *label) if named else label)
                counted.append(stats)
                segments.append(size)
    header = ("system", *groups) if named else tuple(groups)
    by_metric = [list(several) for several in zip(*counted, strict=True)]
    return Counted(header=header, labels=labels, counted=by_metric, segments=segments)


def _of_different_names(metrics: Sequence[Metric]) -> list[list[Metric]]:
    """Part metrics so that no two have one name: what is counted together has the same columns."""
    parts: list[list[Metric]] = []
    for metric in metrics:
        free = (part for part in parts if all(metric.name != each.name for each in part))
        part = next(free, None)
        if part is None:
            parts.append([metric])
        else:
            part.append(metric)
    return parts


class _Batches:
    """The batches of a table; the first, and how many rows they had, are known at the end."""

    def __init__(self, reader: Iterable[RecordBatch]) -> None:
        self._reader = reader
        self.first: RecordBatch | None = None
        self.rows = 0

    def __iter__(self) -> Iterator[RecordBatch]:
        for batch in self._reader:
            self.first = self.first or batch
            self.rows += len(batch)
            yield batch


def _counted(
    batches: _Batches, job: Job, threads: int, *, each: bool
) -> list[tuple[Label, tuple[Stats, ...], int]]:
    """Count one column of hypotheses; return each group, its statistics, and its size."""
    from truebleu.engines.arrow import count_rows, partial_sums

    found: Any = (
        count_rows(batches, job, threads)[0] if each else partial_sums(batches, job, threads)
    )
    if not len(found):
        raise EmptyInputError(
            "there are no rows to score" + ", and so no groups" * bool(job.groups)
        )
    labels: list[Label] = [()]
    if each:
        counted, sizes = [found], [len(found)]
    else:
        if job.groups:
            found = found.sort_by([(name, "ascending") for name in job.groups])
            labels = list(zip(*(_cells(found[name]) for name in job.groups), strict=True))
        numbers = zip(*(found[name].to_pylist() for name in (*job.sums, *job.ends)), strict=True)
        counted = [job.stats(row[:-2], *row[-2:]) for row in numbers]
        sizes = found[job.segments].to_pylist()
    if job.counting.nulls == "skip" and sum(sizes) < batches.rows:
        warn(
            f"{batches.rows - sum(sizes):,} of {batches.rows:,} rows are left out: "
            f"{job.hypothesis!r} or every reference is null there",
            SettingsWarning,
        )
    by_metric = _checked(job, counted)
    if job.groups and batches.first is not None:
        _check_groups(job, batches.first)
    return list(zip(labels, zip(*by_metric, strict=True), sizes, strict=True))


def _metrics(job: Job) -> Sequence[Metric]:
    several: Sequence[Metric] = getattr(job.metric, "parts", (job.metric,))
    return several


def _checked(job: Job, counted: Sequence[Stats]) -> list[list[Stats]]:
    """Return the statistics of each metric; warn about what was observed."""
    split = getattr(job.metric, "split", lambda stats: [stats])
    by_metric = [list(several) for several in zip(*map(split, counted), strict=True)]
    observed: Any = job.observed
    for metric, several in zip(_metrics(job), by_metric, strict=True):
        data = b"".join(stats.data for stats in several)
        metric._check_observed(observed, job.hypothesis, data)
    return by_metric


def _check_groups(job: Job, batch: RecordBatch) -> None:
    """Warn of groups of a language that a metric does not split into words; some rows are read."""
    rows = batch.slice(0, _LOOKED_AT)
    labels = list(zip(*(_cells(rows.column(name)) for name in job.groups), strict=True))
    observed: dict[Label, Observed] = {label: Observed() for label in labels}
    for label, text in zip(labels, rows.column(job.hypothesis).to_pylist(), strict=True):
        if isinstance(text, str):
            observed[label].look([text], [[text]])
    for metric in _metrics(job):
        remedies = getattr(metric, "_remedies", Remedies())
        known = of_scripts(job.observed.facts(), remedies) if job.observed else []
        found: dict[str, list[str]] = {}
        for label, each in observed.items():
            for message in of_scripts(each.facts(), remedies):
                found.setdefault(message, []).append(", ".join(map(str, label)))
        for message in found.keys() - known:
            some = found[message][:_MOST_NAMED]
            more = ", ..." * (len(found[message]) > len(some))
            where = f"{', '.join(job.groups)} {', '.join(some)}{more}"
            apart = "to change it for them alone, score their rows in a table of their own"
            warn(f"of {where}, {message}; {apart}", SettingsWarning)


def read_texts(given: Given, columns: Columns) -> tuple[list[list[str]], list[list[str]]]:
    """Read the texts of each column of hypotheses, and the references of each row."""
    from truebleu.engines.arrow import read_texts

    nulls = columns.nulls != "error"
    how = _paths(given), columns.hypotheses, columns.references
    systems, references = read_texts(*how, nulls=nulls)
    if nulls:
        systems = [[text or "" for text in texts] for texts in systems]
        references = [several or [""] for several in references]
    return systems, references


def read_documents(given: Given, columns: Columns) -> list[str] | None:
    """Read the column with the ID of each row's document, if there is one of a usual name."""
    if columns.nulls == "skip":
        # What is left is not known here.
        return None
    column = next((name for name in _names(given) if name.lower() in _OF_DOCUMENTS), None)
    return None if column is None else list(map(str, _read_columns(given, [column])[column]))


def read_kept(given: Given, keep: Sequence[str]) -> dict[str, list[object]]:
    """Read the columns that are kept beside the scores; ``all`` are those that are not scored."""
    if not keep:
        return {}
    if given.columns is None:
        raise SettingsError("--keep needs a table, with --hypothesis-column and --reference-column")
    if keep == ["all"] and "all" not in (known := _names(given)):
        scored = {*given.columns.hypotheses, *given.columns.references}
        keep = [name for name in known if name not in scored]
    return _read_columns(given, keep)


def _read_columns(given: Given, names: Sequence[str]) -> dict[str, list[object]]:
    """Read columns that are no text to score, of the same rows as the hypotheses."""
    from truebleu.engines.files import Wanted, open_files
    from truebleu.engines.job import check_known

    texts = given.columns.hypotheses[:1] if given.columns is not None else ()
    stream = open_files(_paths(given), Wanted(texts, names, given.reading.no_header))
    check_known(names, stream.schema.names)
    found: dict[str, list[object]] = {name: [] for name in names}
    for batch in stream:
        for name in found:
            found[name] += _cells(batch.column(name))
    return found


def _names(given: Given) -> list[str]:
    """Return the names of the columns."""
    from truebleu.engines.files import Wanted, open_files

    wanted = Wanted(no_header=given.reading.no_header)
    return list(open_files(_paths(given), wanted).schema.names)


def _paths(given: Given) -> list[str]:
    """Return the tables as they were given: their names may hold ``key=value``."""
    return [getattr(path, "text", path) for path in given.systems]


def _cells(column: ChunkedArray) -> list[object]:
    """Return the values of a group: a text if Python has none that is equal."""
    from pyarrow import string, types

    if types.is_duration(column.type):
        column = column.cast("int64")
    elif "[ns" in str(column.type):  # Python would cut nanoseconds.
        column = column.cast(string())
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return list(column.cast(string()).to_pylist())
