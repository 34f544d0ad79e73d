"""``--hypothesis-column``: columns of tables in place of files of lines."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.cli.options import FILES, add_files
from truebleu.cli.output import Bar
from truebleu.cli.scored import Counted
from truebleu.errors import EmptyInputError, SettingsError, SettingsWarning, WarnOnce, warn
from truebleu.inputs.checks import Remedies, of_scripts
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from pyarrow import ChunkedArray, RecordBatch, RecordBatchReader

    from truebleu.cli.output import Group
    from truebleu.cli.parsing import Command
    from truebleu.cli.scored import Label
    from truebleu.engines.job import Job
    from truebleu.intake.given import Columns, Given
    from truebleu.metrics import Metric, Stats

# What a column with the ID of each segment's document is called.
_OF_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "docid")

# Rows of which the languages of groups are seen, and how many groups a warning names.
_LOOKED_AT, _MOST_NAMED = 10_000, 5

TABLES = (
    "With --hypothesis-column, files are tables: .parquet, .csv, .tsv, .jsonl or .arrow, patterns "
    "of names, or folders."
)


def add_input(
    command: Command, description: str, *, several: bool, resampled: bool = False
) -> Group:
    """Describe a command that reads systems; return the group of tables."""
    command.description, command.epilog = description, f"{FILES} {TABLES}"
    add_files(command, several=several, resampled=resampled)
    tables = command.add_argument_group("input of tables")
    tables.add_argument(
        "--hypothesis-column",
        dest="hypotheses",
        action="append",
        metavar="COLUMN",
        help="column of a table with the output of a system; by name or number"
        + "; can be repeated, or several with commas" * several,
    )
    tables.add_argument(
        "--reference-column",
        dest="reference_columns",
        action="append",
        metavar="COLUMN",
        help="column of references; strings or lists of strings, of the same tables, or of those "
        "that are given with -r; can be repeated, or several with commas",
    )
    add_no_header(tables)
    return tables


def add_no_header(tables: Group) -> None:
    tables.add_argument(
        "--no-header",
        action="store_true",
        help="the first line of CSV and TSV is data; columns are numbered from 1",
    )


def split_at_commas(
    given: Given, hypotheses: Sequence[str], references: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Read ``a,b`` as two columns, unless a column has this name."""
    if not any("," in name for name in (*hypotheses, *references)):
        return list(hypotheses), list(references)
    known = _names(given)
    found = [
        [part for name in names for part in ([name] if name in known else name.split(","))]
        for names in (hypotheses, references)
    ]
    return found[0], found[1]


def count(
    metrics: Sequence[Metric],
    given: Given,
    columns: Columns,
    *,
    groups: Sequence[str] = (),
    threads: int,
    each: bool,
) -> Counted:
    """Count columns of tables; a row for `each` segment, or sums of groups."""
    for metric in metrics:
        metric._check_addable()
    named = len(columns.hypotheses) > 1 or not groups
    counted: dict[Metric, list[Stats]] = {}
    with Bar("counting") as bar, WarnOnce():
        for several in _of_different_names(metrics):
            how = _how(several, given, columns, threads, bar)
            found = [
                (hypothesis, *group)
                for hypothesis in columns.hypotheses
                for group in _groups(_Counting(hypothesis=hypothesis, **how), groups, each=each)
            ]
            of_metrics = zip(*(stats for *_, stats, _ in found), strict=True)
            counted |= zip(several, map(list, of_metrics), strict=True)
    labels: list[Label] = [(name, *group) if named else group for name, group, *_ in found]
    return Counted(
        header=("system", *groups) if named else tuple(groups),
        labels=labels,
        counted=[counted[metric] for metric in metrics],
        segments=[size for *_, size in found],
    )


def count_rows(
    metrics: Sequence[Metric], given: Given, columns: Columns, threads: int
) -> list[list[Stats]]:
    """Count for each metric each column of hypotheses, a row per segment."""
    counted: dict[Metric, list[Stats]] = {}
    with Bar("counting") as bar, WarnOnce():
        for several in _of_different_names(metrics):
            how = _how(several, given, columns, threads, bar)
            found = [_Counting(hypothesis=name, **how).rows() for name in columns.hypotheses]
            counted |= zip(several, map(list, zip(*found, strict=True)), strict=True)
    return [counted[metric] for metric in metrics]


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
    return None if column is None else list(map(str, read_columns(given, [column])[column]))


def read_kept(given: Given, keep: Sequence[str]) -> dict[str, list[object]]:
    """Read the columns that are kept beside the scores; ``all`` are those that are not scored."""
    if not keep:
        return {}
    if given.columns is None:
        raise SettingsError("--keep needs a table, with --hypothesis-column and --reference-column")
    known = _names(given)
    names = [part for name in keep for part in ([name] if name in known else name.split(","))]
    if names == ["all"] and "all" not in known:
        scored = {*given.columns.hypotheses, *given.columns.references}
        names = [name for name in known if name not in scored]
    return read_columns(given, names)


def read_columns(given: Given, names: Sequence[str]) -> dict[str, list[object]]:
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


def _how(
    metrics: Sequence[Metric], given: Given, columns: Columns, threads: int, bar: Bar
) -> dict[str, Any]:
    return {
        "metrics": metrics,
        "given": given,
        "columns": columns,
        "threads": threads,
        "progress": bar.update,
    }


class _Seen:
    """What was read of tables: the first rows, and how many there were."""

    first: RecordBatch | None = None
    rows: int = 0


class _Counting(Record):
    """One column of hypotheses, counted under all metrics in one read."""

    metrics: Sequence[Metric]
    given: Given
    columns: Columns
    hypothesis: str
    threads: int
    progress: Callable[[int, int | None], None]

    def job(self, groups: Sequence[str] = ()) -> Job:
        """Return what is counted; a metric alone may be one of segments."""
        # Slow to load, and only tables need them.
        from truebleu.engines.job import Counting, Job
        from truebleu.metrics.several import Several

        one = len(self.metrics) == 1
        metric: Any = self.metrics[0] if one else Several(self.metrics)
        texts = self.hypothesis, self.columns.references
        job = Job(*texts, groups, metric=Counting(metric, self.columns.nulls))
        job.observed = Observed()
        return job

    def read(self, job: Job, seen: _Seen, *, corpus: bool) -> RecordBatchReader:
        """Open the columns of a job; what is read of them is `seen`."""
        from truebleu.engines.files import Wanted, open_files

        wanted = Wanted(job.texts, job.groups, self.given.reading.no_header)
        reader = open_files(_paths(self.given), wanted, self.progress)
        job.check(reader.schema.names, corpus=corpus)
        if self.columns.nulls != "skip" and not job.groups:
            return reader

        def batches() -> Iterator[RecordBatch]:
            for batch in reader:
                seen.first = seen.first or batch
                seen.rows += len(batch)
                yield batch

        return type(reader).from_batches(reader.schema, batches())

    def rows(self) -> list[Stats]:
        """Count a row per segment, for each metric."""
        from truebleu.engines.arrow import count_rows

        job = self.job()
        seen = _Seen()
        counted, _ = count_rows(self.read(job, seen, corpus=False), job, self.threads)
        _note_left_out(seen.rows, len(counted), self.hypothesis)
        if not len(counted):
            raise EmptyInputError("there are no rows to score")
        return [each for [each] in self.checked(job, [counted])]

    def checked(self, job: Job, counted: Sequence[Stats]) -> list[list[Stats]]:
        """Return the statistics of each metric; warn about what was observed."""
        split = getattr(job.metric, "split", None)
        found = (
            [list(each) for each in zip(*map(split, counted), strict=True)]
            if split
            else [[*counted]]
        )
        observed: Any = job.observed
        for metric, several in zip(self.metrics, found, strict=True):
            data = b"".join(stats.data for stats in several)
            metric._check_observed(observed, job.hypothesis, data)
        return found


def _groups(
    counting: _Counting, groups: Sequence[str], *, each: bool
) -> list[tuple[Label, tuple[Stats, ...], int]]:
    """Count one column of hypotheses; return each group, its statistics, and its size."""
    if each:
        rows = counting.rows()
        return [((), tuple(rows), len(rows[0]))]
    from truebleu.engines.arrow import partial_sums

    job = counting.job(groups)
    seen = _Seen()
    sums = partial_sums(counting.read(job, seen, corpus=True), job, counting.threads)
    if not len(sums):
        raise EmptyInputError("there are no rows to score" + ", and so no groups" * bool(groups))
    sums = sums.sort_by([(name, "ascending") for name in groups]) if groups else sums
    numbers = zip(*(sums[name].to_pylist() for name in (*job.sums, *job.ends)), strict=True)
    counted = counting.checked(job, [job.stats(row[:-2], *row[-2:]) for row in numbers])
    labels = zip(*(_cells(sums[name]) for name in groups), strict=True) if groups else [()]
    sizes = sums[job.segments].to_pylist()
    if counting.columns.nulls == "skip":
        _note_left_out(seen.rows, sum(sizes), counting.hypothesis)
    if seen.first is not None and groups:
        _check_groups(counting.metrics, job, seen.first)
    return list(zip(labels, zip(*counted, strict=True), sizes, strict=True))


def _check_groups(metrics: Sequence[Metric], job: Job, batch: RecordBatch) -> None:
    """Warn of groups of a language that a metric does not split into words; some rows are read."""
    rows = batch.slice(0, _LOOKED_AT)
    labels = list(zip(*(_cells(rows.column(name)) for name in job.groups), strict=True))
    observed: dict[Label, Observed] = {label: Observed() for label in labels}
    for label, text in zip(labels, rows.column(job.hypothesis).to_pylist(), strict=True):
        if isinstance(text, str):
            observed[label].look([text], [[text]])
    for metric in metrics:
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


def _note_left_out(read: int, kept: int, hypothesis: str) -> None:
    """Say how many rows were left out; nothing was `read` if all have to be kept."""
    if kept < read:
        warn(
            f"{read - kept:,} of {read:,} rows are left out: {hypothesis!r} or every reference is "
            "null there",
            SettingsWarning,
        )


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
