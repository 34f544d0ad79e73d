"""What all engines share: which columns to score, from columns to rows, and from rows to scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from truebleu import errors
from truebleu._core import Observed
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    MissingExtraError,
    SettingsError,
    UnknownNameError,
    written,
)
from truebleu.inputs import arrow
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import metric_of
from truebleu.metrics.settings import one_of
from truebleu.metrics.stats import Stats
from truebleu.metrics.storage import KEY, check_columns, check_keys, packed, stored_key
from truebleu.metrics.storage import overflow as overflow  # noqa: PLC0414  # For the engines.
from truebleu.suggestions import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Any, Literal

    from numpy.typing import NDArray

    from truebleu.metrics import BleuSettings, Metric, MetricName

    Texts = str | Iterable[str]
    Nulls = Literal["error", "empty", "skip"]
    # One metric, or, for corpus scores and statistics, several.
    Metrics = Metric | MetricName | Sequence[Metric | MetricName] | None
    # For each row, that of its statistics, or None if it was skipped. None: every row has its own.
    Places = list[int | None] | None

    class Options(BleuSettings, total=False):
        """What :func:`chosen_metric` chooses from, and what becomes of nulls."""

        metric: Metrics
        nulls: Nulls

    class Threads(Options, total=False):
        """The same, and a number of threads."""

        threads: int | None


# What becomes of a row whose hypothesis is null, or which has no reference.
_NULLS = ("error", "empty", "skip")

# How a traceback ends if the exception is one of this package.
_OWN_EXCEPTION = re.compile(r"\btruebleu\.(?:errors\.)?(\w+Error): (.*)")


def chosen_metric(metric: Metrics, settings: Mapping[str, Any]) -> Metric:
    """Return the metric to score with, if its results can be columns."""
    if isinstance(metric, Sequence) and not isinstance(metric, str):
        from truebleu.metrics.several import Several

        if settings:
            raise SettingsError(f"metric cannot be combined with {', '.join(settings)}")
        return Several(metric)
    found = metric_of(metric, settings)
    check_names(found)
    return found


class Counting(NamedTuple):
    """How texts are counted."""

    metric: Metric
    nulls: Nulls


def chosen_counting(metric: Metrics, settings: Mapping[str, Any], nulls: Nulls) -> Counting:
    """Return the metric to count with, and what becomes of nulls."""
    one_of(_NULLS)("nulls", nulls)
    return Counting(chosen_metric(metric, settings), nulls)


def countings(metric: Metrics, settings: Mapping[str, Any], nulls: Nulls) -> list[Counting]:
    """Return how to count under each of several metrics."""
    chosen = chosen_counting(metric, settings, nulls).metric
    return [Counting(each, nulls) for each in getattr(chosen, "parts", (chosen,))]


def check_names(metric: Metric) -> None:
    """Refuse a metric whose columns differ at most in case, which Spark and SQL ignore."""
    taken = {KEY, metric.identifier.casefold()}
    for field in metric.fields:
        if field.casefold() in taken:
            raise SettingsError(
                f"field {field!r} of {type(metric).__name__} clashes with another of its result "
                "columns; rename it"
            )
        taken.add(field.casefold())


def as_names(names: str | Iterable[str] | None, what: str) -> tuple[str, ...]:
    """Return one name or several as a tuple."""
    if isinstance(names, str):
        return (names,)
    if names is not None and not isinstance(names, Iterable):
        raise InputTypeError(
            f"{what} is of type {type(names).__name__}; a name, or several, is needed"
        )
    found = () if names is None else tuple(names)
    for name in found:
        if not isinstance(name, str):
            raise InputTypeError(
                f"{what} {written(name)} is of type {type(name).__name__}; a name, as a str, is "
                "needed"
            )
    return found


def check_type(given: Any, kinds: type | tuple[type, ...], what: str, needed: str) -> None:
    """Refuse what is not the table, or the connection, of an engine."""
    if not isinstance(given, kinds):
        raise InputTypeError(f"{what} is of type {type(given).__name__}; {needed} is needed")


def sql_name(prefix: str, metric: Metric) -> str:
    """Return how the names of the functions of a metric begin in SQL."""
    check_type(prefix, str, "prefix", "a str")
    name = f"{prefix}{metric.identifier}"
    if not name.isidentifier():
        raise SettingsError(
            f"prefix is {prefix!r}; letters, digits and _ are needed, as {name!r} begins the "
            "names of the functions"
        )
    return name


class Job:
    """The columns to score, and the metric. It can be sent to other processes."""

    def __init__(
        self,
        hypothesis: str,
        references: str | Iterable[str],
        group_by: str | Iterable[str] | None = None,
        *,
        metric: Metric | Counting,
    ) -> None:
        self.counting = metric if isinstance(metric, Counting) else Counting(metric, "error")
        self.metric = metric = self.counting.metric
        check_names(metric)
        # What collects what warnings are about, in this process only.
        self.observed: Observed | None = None
        [self.hypothesis] = as_names([hypothesis], "hypothesis")
        self.references = as_names(references, "references")
        self.groups = as_names(group_by, "group_by")
        # The columns of results; names such as `segments` get a _ if the metric has such a field.
        self.fields = metric.fields
        self.key = stored_key(metric.counting_key)
        several: tuple[Metric, ...] | None = getattr(metric, "parts", None)
        # Each metric with the column of its scores, and those of its statistics.
        self.scored = [
            (each, [f"{each.identifier}_{field}" if several else field for field in each.fields])
            for each in several or (metric,)
        ]
        self.scores = tuple(each.identifier for each, _ in self.scored)
        self.segments = _unused("segments", (*self.fields, *self.scores))
        if not self.references:
            raise SettingsError("references is empty: the name of at least one column is needed")
        for name in self.groups:
            if name in (*self.scores, *self.sums):
                raise clash(name)
            if self.groups.count(name) > 1:
                raise SettingsError(f"column {name!r} is given twice; leave one out")
        self.fewest, self.most = (
            _unused(f"{end}_references", self.results) for end in ("fewest", "most")
        )
        # The largest key of several rows; the smallest is in the column of the key.
        self.last_key = _unused("last_key", self.results)

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns of text."""
        return (self.hypothesis, *self.references)

    @property
    def columns(self) -> list[str]:
        """The columns of text and of groups, each once."""
        return list(dict.fromkeys((*self.texts, *self.groups)))

    @property
    def sums(self) -> tuple[str, ...]:
        """The columns to add up."""
        return (*self.fields, self.segments)

    @property
    def ends(self) -> tuple[str, str]:
        """The columns to take the minimum and the maximum of."""
        return (self.fewest, self.most)

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of scored groups."""
        return (*self.groups, *self.scores, self.segments, *self.fields, KEY)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Observe text that is counted in this process, and then warn of what is odd about it."""
        self.observed = Observed()
        yield
        self.metric._check_observed(self.observed, self.hypothesis, b"")

    def check(
        self,
        available: Iterable[str],
        *,
        corpus: bool = True,
        ignore_case: bool = False,
    ) -> None:
        """Refuse missing columns, clashing names and, for a `corpus`, rows that do not add up."""
        results = self.results[len(self.groups) :]
        for name in self.groups:
            if name in results or (ignore_case and name.casefold() in map(str.casefold, results)):
                raise clash(name)
        check_known(self.columns, available)
        if corpus:
            self.metric._check_addable()

    def stats(self, row: Sequence[Any], fewest: int, most: int) -> Stats:
        """Make statistics of the sum of all rows, given as :attr:`sums`; there is at least one."""
        if not row or row[-1] == 0:
            raise EmptyInputError("there are no rows to score")
        if None in row:
            raise overflow()
        data = packed(map(int, row[:-1]))
        Stats.check_rows(data, self.fields, self.metric.counting_key)
        return Stats(data, self.metric, fewest, most)

    def total(self, stats: Stats) -> Any:
        """Score all rows: a score, or of several metrics a dict of them by name."""
        by_name = getattr(self.metric, "by_name", None)
        return by_name(stats) if by_name else self.metric.score(stats)


def check_known(names: Iterable[str], available: Iterable[str]) -> None:
    """Refuse columns that are missing, or are there twice."""
    known = list(available)
    for name in names:
        if name not in known:
            columns = (
                f"; the columns are {', '.join(map(str, known))}" if known else ", nor any other"
            )
            raise UnknownNameError(
                f"there is no column {name!r}{columns}{did_you_mean(name, map(str, known))}"
            )
        if known.count(name) > 1:
            raise InputError(f"{known.count(name)} columns are called {name!r}; rename all but one")


def _unused(name: str, names: Iterable[str]) -> str:
    """Return a name that no column of these has, whatever its case."""
    taken = {each.casefold() for each in names}
    while name.casefold() in taken:
        name += "_"
    return name


def clash(name: str) -> SettingsError:
    """Return an error about a column that is called as one of the result."""
    return SettingsError(f"column {name!r} clashes with a result column; rename it")


def missing(library: str, extra: str) -> MissingExtraError:
    """Return an error that names the extra to install."""
    return MissingExtraError(f"this needs {library}: pip install 'truebleu[{extra}]'")


def own_exception(text: str) -> errors.TruebleuError | None:
    """Find an exception of this package in the error message of another process."""
    found = _OWN_EXCEPTION.search(text)
    kind = getattr(errors, found[1], None) if found else None
    return kind(found[2].strip()) if found and kind else None


def no_hypothesis(name: str) -> InputTypeError:
    """Return an error about a hypothesis that is null."""
    return InputTypeError(
        f"column {name!r} has nulls; every hypothesis must be a string (if it is empty, ''), "
        "unless such rows are left out, as nulls='skip' does (truebleu score --missing skip)"
    )


def no_reference(names: Sequence[str], found: Sequence[bool]) -> EmptyInputError:
    """Return an error about rows that are null in all these columns of references.

    What is `found` says of each row whether it has a reference.
    """
    return EmptyInputError(
        f"{found.count(False):,} of {len(found):,} rows read together have no reference, "
        f"first row {found.index(False) + 1:,}: {' and '.join(map(repr, names))} "
        f"{'are all' if len(names) > 1 else 'is'} null there; leave "
        "such rows out, as nulls='skip' does (truebleu score --missing skip)"
    )


def count_columns(
    counting: Counting,
    hypotheses: Any,
    references: Sequence[Any],
    names: Sequence[str],
    *,
    each: bool = True,
    threads: int = 1,
    observed: Observed | None = None,
) -> tuple[Stats, Places]:
    """Count columns, or pieces of them: a row of statistics for `each` row, or their sum.

    Unless the caller has `observed` what is odd about the text, a process is warned of it once.
    """
    metric, nulls = counting
    if not len(hypotheses):
        return Stats(b"", metric, -1, -1), None
    texts, *several = (
        arrow.read(column, f"column {name!r}")
        for column, name in zip([hypotheses, *references], names, strict=True)
    )

    def count(*corpus: Any) -> Stats:
        texts, *others = *corpus, threads
        if observed is None:
            given = Corpora.batch(texts, *others)
        else:
            given = Corpora([texts], *others, observed=[observed])
        [stats] = metric._count(given, each=each)
        return stats

    tokens = metric.takes_tokens
    unequal = any(len(each) != len(texts) for each in several)
    if unequal or (not tokens and texts.first_null is None):
        try:
            return count(texts, None, several), None
        except EmptyInputError:
            if nulls == "error":
                cells = zip(*(each.texts() for each in several), strict=True)
                raise no_reference(names[1:], [bool(present(row)) for row in cells]) from None
    # In the texts of a column of lists, null and [] are the same.
    columns = (
        list(map(arrow.as_list, [hypotheses, *references], names))
        if tokens
        else [each.texts() for each in (texts, *several)]
    )
    rows = _rows(columns, names, tokens=tokens, checked=nulls == "error")
    places = None
    if nulls == "skip":
        places, kept = [], 0
        for text, found in rows:
            skipped = text is None or not found
            places.append(None if skipped else kept)
            kept += not skipped
        rows = [row for row, place in zip(rows, places, strict=True) if place is not None]
    if not rows:
        return Stats(b"", metric, -1, -1), places
    empty: Any = [] if tokens else ""
    corpus = [row[0] or empty for row in rows], [row[1] or [empty] for row in rows]
    return count(*corpus, None), places


def _rows(
    columns: Sequence[Sequence[Any]], names: Sequence[str], *, tokens: bool, checked: bool
) -> list[tuple[Any, list[Any]]]:
    """Return the hypothesis and the references of each row; a list of tokens is one text."""
    rows = [
        (text, present([cell] for cell in cells) if tokens else present(cells))
        for text, *cells in zip(*columns, strict=True)
    ]
    if checked and any(text is None for text, _ in rows):
        raise no_hypothesis(names[0])
    if checked and not all(found for _, found in rows):
        raise no_reference(names[1:], [bool(found) for _, found in rows])
    return rows


def present(cells: Iterable[Any]) -> list[Any]:
    """Return the texts in cells of one row: of texts, and of lists of texts."""
    several = (cell if isinstance(cell, list) else [cell] for cell in cells)
    return [text for each in several for text in each if text is not None]


def joined_places(parts: Sequence[tuple[Stats, Places]]) -> Places:
    """Join the places of pieces of columns, of which each row has its statistics."""
    if all(places is None for _, places in parts):
        return None
    found: list[int | None] = []
    start = 0
    for rows, places in parts:
        numbers = range(len(rows)) if places is None else places
        found += (place if place is None else start + place for place in numbers)
        start += len(rows)
    return found


def by_field(rows: Stats) -> dict[str, NDArray[np.int64]]:
    """Turn rows into columns, contiguous for each field."""
    columns = np.ascontiguousarray(np.frombuffer(rows.data, "<i8").reshape(-1, rows.width).T)
    return dict(zip(rows.fields, columns, strict=True))


def stored_columns(metric: Metric, available: Container[str]) -> tuple[str, ...]:
    """Return the columns in which statistics are stored, if they are there: fields and ``key``."""
    check_columns(metric.fields, available)
    return (*metric.fields, KEY)


def column_scores(metric: Metric, columns: Sequence[Any], *keys: Any) -> NDArray[np.float64]:
    """Score each row of stored statistics, or of their sums, as a corpus.

    `keys` was stored as ``key``, or, for sums, is the smallest and the largest key.
    """
    for column in keys:
        check_keys(column, metric.counting_key)
    return scores_of_rows(metric, Stats.from_columns(columns, metric).data)


def segment_scores(
    counting: Counting, hypotheses: Any, references: Sequence[Any], names: Sequence[str]
) -> tuple[NDArray[np.float64], Places]:
    """Score every segment."""
    rows, places = count_columns(counting, hypotheses, references, names)
    return scores_of_rows(counting.metric, rows.data, segment=True), places


def scores_of_rows(metric: Metric, data: bytes, *, segment: bool = False) -> NDArray[np.float64]:
    """Score each row, of a single `segment` or else of a sum."""
    # A metric in Python need not expect a table without rows.
    return np.frombuffer(metric._row_scores(data, segment=segment) if data else b"", "<f8").astype(
        np.float64
    )
