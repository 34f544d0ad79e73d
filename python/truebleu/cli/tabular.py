"""``--hypothesis-column``: columns of tables in place of files of lines."""

from __future__ import annotations

import os

from truebleu._core import Observed
from truebleu.cli.files import SystemFile, refuse_same_names
from truebleu.cli.options import FILES, add_files
from truebleu.cli.output import Bar
from truebleu.cli.scored import Counted
from truebleu.errors import EmptyInputError, SettingsError, WarnOnce
from truebleu.inputs.files import LinesInMemory
from truebleu.inputs.forms import suffix_of
from truebleu.inputs.numbers import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pyarrow import ChunkedArray

    from truebleu.cli.output import Group
    from truebleu.cli.parameters import Namespace
    from truebleu.cli.parsing import Command
    from truebleu.cli.scored import Label
    from truebleu.engines.files import Stream
    from truebleu.engines.job import Job, Nulls
    from truebleu.metrics import Metric, Stats

# What a column with the ID of each segment's document is called.
_OF_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "docid")

_MARKUP = {".sgm", ".sgml", ".xml"}

TABLES = (
    "With --hypothesis-column, files are tables: .parquet, .csv, .tsv, .jsonl or .arrow, patterns "
    "of names, or folders."
)


def add_input(command: Command, description: str, *, several: bool, text: bool = False) -> Group:
    """Describe a command that reads systems, or `text`; return the group of tables."""
    command.description, command.epilog = description, f"{FILES} {TABLES}"
    add_files(command, several=several)
    if text:
        command.add_argument_group("input").add_argument(
            "--text",
            action="store_true",
            help="SYSTEM and REFERENCE are strings, not files; each of them is one segment",
        )
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


def check_source(options: Namespace, *, several: bool = True) -> None:
    """Refuse what does not fit together, and `several` systems where one is needed."""
    if getattr(options, "saved", None):
        return
    if options.hypotheses and options.reference_columns and _are_numbered(options):
        options.references = [path.text for path in options.systems]
    lines, columns = options.references, options.reference_columns
    if lines and (options.hypotheses or columns):
        _use_columns(options)
        columns = None
    if options.hypotheses and not columns:
        raise SettingsError(
            "with --hypothesis-column, give references with -r, or name their columns with "
            "--reference-column"
        )
    if options.hypotheses:
        _refuse_columns_as_tables(options)
        _split_at_commas(options)
    twice = {name for name in options.hypotheses or () if options.hypotheses.count(name) > 1}
    if twice:
        raise SettingsError(f"--hypothesis-column {min(twice)} is given twice")
    if len(options.hypotheses or ()) > 1 and not several:
        raise SettingsError("this command takes one system, and so one --hypothesis-column")
    if not options.hypotheses:
        _check_files(options, columns)


def _check_files(options: Namespace, columns: list[str] | None) -> None:
    refuse_same_names(options.systems)
    if columns or _nulls(options) != "error":
        option = "--reference-column" if columns else "--nulls"
        raise SettingsError(f"{option} needs --hypothesis-column" + ", or -r" * bool(columns))
    if not options.references:
        from truebleu.metrics.stats_files import refuse_damaged

        for path in options.systems:
            refuse_damaged(path)
            # A mistyped name, which does not look like text, is no lack of references.
            if set("./") & set(path) and " " not in path:
                os.stat(path)  # noqa: PTH116  # Only its error is wanted.
        raise SettingsError(
            "there are no references: give files with -r, or a test set with -t; for tables, "
            "name the columns with --hypothesis-column and --reference-column"
        )


def _nulls(options: Namespace) -> Nulls:
    """Return what becomes of nulls, which only some commands ask."""
    return getattr(options, "nulls", "error")


def _are_numbered(options: Namespace) -> bool:
    """Whether columns are given by number, or are those of SGML or XML, which are no tables."""
    if options.references:
        return False
    given = ",".join([*options.hypotheses, *options.reference_columns]).split(",")
    suffixes = {suffix_of(path) for path in _paths(options)}
    numbered = options.no_header or all(map(str.isdecimal, given))
    return suffixes <= {".csv", ".tsv", ".tab"} if numbered else suffixes <= _MARKUP


def _use_columns(options: Namespace) -> None:
    """Let systems and references be columns of their files."""
    if _nulls(options) != "error" or getattr(options, "group_by", None) not in (None, "documents"):
        raise SettingsError(
            "--nulls and --group-by need tables with --hypothesis-column and "
            "--reference-column, by name, and no -r"
        )
    if options.hypotheses:
        names = _parts(options.hypotheses)
        options.systems = [
            path.of_column(name, name if len(names) > 1 else path.name)
            for path in options.systems
            for name in names
        ]
    if options.reference_columns:
        options.references = [
            path
            if isinstance(path, LinesInMemory)
            else SystemFile.of_column(SystemFile(path), name, None)
            for path in options.references
            for name in _parts(options.reference_columns)
        ]
    options.hypotheses = options.reference_columns = None


def _parts(names: list[str]) -> list[str]:
    return [part for name in names for part in name.split(",")]


def _refuse_columns_as_tables(options: Namespace) -> None:
    """Refuse a word behind a column that is no file, and looks like a column as well."""
    words = options.arguments
    for option, word, other in zip(words, words[1:], words[2:], strict=False):
        after_column = option in ("--reference-column", "--hypothesis-column")
        # Tables have a suffix; folders exist.
        bare = other in _paths(options) and not set("./*?[") & set(other)
        if after_column and bare and not os.path.exists(other):  # noqa: PTH110
            raise SettingsError(
                f"there is no table {other!r}; if it is a column, repeat the option: "
                f"{option} {word} {option} {other}"
            )


def _split_at_commas(options: Namespace) -> None:
    """Read ``a,b`` as two columns, unless a column has this name."""
    given = [options.hypotheses, options.reference_columns]
    if not any("," in name for names in given for name in names):
        return
    known = _names(options)
    options.hypotheses, options.reference_columns = (
        [part for name in names for part in ([name] if name in known else name.split(","))]
        for names in given
    )


def count(metrics: Sequence[Metric], options: Namespace, *, each: bool) -> Counted:
    """Count the columns that the options name; a row for `each` segment, or sums of groups."""
    groups = options.group_by.split(",") if options.group_by else []
    for metric in metrics:
        metric._check_addable()
    named = len(options.hypotheses) > 1 or not groups
    with Bar("counting") as bar, WarnOnce():
        found = [
            (hypothesis, *group)
            for hypothesis in options.hypotheses
            for group in _groups(metrics, hypothesis, groups, options, bar, each=each)
        ]
    labels: list[Label] = [(name, *group) if named else group for name, group, *_ in found]
    counted = [list(every) for every in zip(*(stats for *_, stats, _ in found), strict=True)]
    segments = [size for *_, size in found]
    header = ("system", *groups) if named else tuple(groups)
    return Counted(header=header, labels=labels, counted=counted, segments=segments)


def count_rows(metrics: Sequence[Metric], options: Namespace) -> list[list[Stats]]:
    """Count for each metric each column of hypotheses that the options name, a row per segment."""
    if options.saved:
        from truebleu.cli.saved import rows_of_saved

        return rows_of_saved(metrics, options)
    with Bar("counting") as bar, WarnOnce():
        found = [_rows(metrics, name, options, bar) for name in options.hypotheses]
    return [list(each) for each in zip(*found, strict=True)]


def read_texts(options: Namespace) -> tuple[list[list[str]], list[list[str]]]:
    """Read the texts of each column of hypotheses, and the references of each row."""
    from truebleu.engines.arrow import read_texts

    nulls = _nulls(options) != "error"
    return read_texts(_paths(options), options.hypotheses, options.reference_columns, nulls=nulls)


def read_documents(options: Namespace) -> list[str] | None:
    """Read the column with the ID of each row's document, if there is one of a usual name."""
    if _nulls(options) == "skip":
        # What is left is not known here.
        return None
    column = next((name for name in _names(options) if name.lower() in _OF_DOCUMENTS), None)
    return None if column is None else list(map(str, read_column(options, column)))


def read_kept(options: Namespace) -> dict[str, list[object]]:
    """Read the columns that are kept beside the scores; ``all`` are those that are not scored."""
    from truebleu.engines.job import check_known

    names = _parts(options.keep or [])
    if not names:
        return {}
    if not options.hypotheses:
        raise SettingsError("--keep needs a table, with --hypothesis-column and --reference-column")
    known = _names(options)
    if names == ["all"] and "all" not in known:
        scored = {*options.hypotheses, *options.reference_columns}
        names = [name for name in known if name not in scored]
    check_known(names, known)
    return {name: read_column(options, name) for name in names}


def read_column(options: Namespace, column: str) -> list[object]:
    """Read a column that is no text to score."""
    from truebleu.engines.streams import open_reader

    return [
        cell
        for batch in open_reader(_paths(options), labels=[column])
        for cell in _cells(batch.column(0))
    ]


def _names(options: Namespace) -> list[str]:
    """Return the names of the columns."""
    from truebleu.engines.streams import open_reader

    return list(open_reader(_paths(options)).schema.names)


def _paths(options: Namespace) -> list[str]:
    """Return the tables as they were given: their names may hold ``key=value``."""
    return [path.text for path in options.systems]


def _job(
    metrics: Sequence[Metric], hypothesis: str, options: Namespace, groups: Sequence[str] = ()
) -> Job:
    """Return what counts all metrics in one read; a metric alone may be one of sentences."""
    # Slow to load, and only tables need them.
    from truebleu.engines.job import Counting, Job
    from truebleu.metrics.several import Several

    one = len(metrics) == 1
    counting = Counting(metrics[0] if one else Several(metrics), _nulls(options))
    observed: Any = Observed() if one else [Observed() for _ in metrics]
    return Job(hypothesis, options.reference_columns, groups, metric=counting, observed=observed)


def _checked(job: Job, metrics: Sequence[Metric], counted: Sequence[Stats]) -> list[list[Stats]]:
    """Return the statistics of each metric; warn about what was observed."""
    split = getattr(job.metric, "split", None)
    found = (
        [list(each) for each in zip(*map(split, counted), strict=True)] if split else [[*counted]]
    )
    seen: Any = job.observed if split else [job.observed]
    for metric, each, several in zip(metrics, seen, found, strict=True):
        metric._check_observed(each, job.hypothesis, b"".join(stats.data for stats in several))
    return found


def _rows(metrics: Sequence[Metric], hypothesis: str, options: Namespace, bar: Bar) -> list[Stats]:
    """Count one column of hypotheses, a row per segment, for each metric."""
    from truebleu.engines.arrow import count_rows

    job = _job(metrics, hypothesis, options)
    counted, _ = count_rows(
        _reader(job, options, bar, corpus=False), job, thread_count(options.threads)
    )
    if not len(counted):
        raise EmptyInputError("there are no rows to score")
    return [each for [each] in _checked(job, metrics, [counted])]


def _reader(job: Job, options: Namespace, bar: Bar, *, corpus: bool) -> Stream:
    """Open the columns of a job."""
    from truebleu.engines.files import Wanted, open_files

    wanted = Wanted(job.texts, job.groups, no_header=options.no_header)
    reader = open_files(_paths(options), wanted, bar.update)
    job.check(reader.schema.names, corpus=corpus)
    return reader


def _groups(
    metrics: Sequence[Metric],
    hypothesis: str,
    groups: list[str],
    options: Namespace,
    bar: Bar,
    *,
    each: bool,
) -> list[tuple[Label, tuple[Stats, ...], int]]:
    """Count one column of hypotheses; return each group, its statistics, and its size."""
    if each:
        rows = _rows(metrics, hypothesis, options, bar)
        return [((), tuple(rows), len(rows[0]))]
    from truebleu.engines.arrow import partial_sums

    job = _job(metrics, hypothesis, options, groups)
    sums = partial_sums(_reader(job, options, bar, corpus=True), job, thread_count(options.threads))
    if not len(sums):
        raise EmptyInputError("there are no rows to score" + ", and so no groups" * bool(groups))
    sums = sums.sort_by([(name, "ascending") for name in groups]) if groups else sums
    numbers = zip(*(sums[name].to_pylist() for name in (*job.sums, *job.ends)), strict=True)
    counted = _checked(job, metrics, [job.stats(row[:-2], *row[-2:]) for row in numbers])
    labels = zip(*(_cells(sums[name]) for name in groups), strict=True) if groups else [()]
    sizes = sums[job.segments].to_pylist()
    return list(zip(labels, zip(*counted, strict=True), sizes, strict=True))


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
