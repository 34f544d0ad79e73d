"""What all engines share: columns to statistics, statistics to scores."""

from __future__ import annotations

import re

from truebleu import errors
from truebleu.errors import (
    EmptyInputError,
    InputError,
    InputTypeError,
    MissingExtraError,
    UnknownNameError,
)
from truebleu.inputs import arrow
from truebleu.metrics.storage import KEY, check_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from truebleu._core import Observed
    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

# How a traceback ends if the exception is one of this package.
_OWN_EXCEPTION = re.compile(r"\btruebleu\.(\w+Error): (.*)")


def missing(library: str, extra: str) -> MissingExtraError:
    """Return an error that names the extra to install."""
    return MissingExtraError(f"this needs {library}: pip install 'truebleu[{extra}]'")


def own_exception(text: str) -> errors.TruebleuError | None:
    """Find an exception of this package in the error message of another process."""
    found = _OWN_EXCEPTION.search(text)
    kind = getattr(errors, found[1], None) if found else None
    return kind(found[2].strip()) if found and kind else None


def stats_of_sums(metric: Metric, sums: Sequence[Any], fewest: int, most: int) -> Stats:
    """Make statistics of one row; raises InputError if it does not fit, or no text can have it."""
    try:
        data = b"".join(int(number).to_bytes(8, "little", signed=True) for number in sums)
    except OverflowError:
        raise overflow() from None
    metric.stats_type.check_rows(data, metric.fields, metric.counting_key)
    return metric.stats_type(data, metric, fewest, most)


def overflow() -> InputError:
    """Return an error about a sum that is too large."""
    return InputError("a sum of statistics does not fit into int64: add up fewer rows at a time")


def null(name: str) -> InputTypeError:
    """Return an error about a hypothesis that is null."""
    return InputTypeError(
        f"column {name!r} has nulls; every hypothesis must be a string (if it is empty, '')"
    )


def no_reference(names: Sequence[str]) -> EmptyInputError:
    """Return an error about a row that is null in all these columns of references."""
    return EmptyInputError(
        f"a row has no reference: {' and '.join(map(repr, names))} "
        f"{'are all' if len(names) > 1 else 'is'} null there"
    )


def count(
    metric: Metric,
    hypotheses: Any,
    references: Sequence[Any],
    names: Sequence[str],
    *,
    each: bool = True,
    threads: int = 1,
    observed: Observed | None = None,
) -> tuple[bytes, int, int]:
    """Count columns, or pieces of them.

    Parameters
    ----------
    metric : Metric
    hypotheses : column of str, at least one row
    references : sequence of columns of str or of lists of str
    names : sequence of str
        What messages call the columns, hypotheses first. They give no row numbers, because a
        piece of a column does not know where it begins.
    each : bool
        Return one row of statistics per segment, or their sum.
    threads : int
    observed : Observed, optional
        Collects what warnings are about.

    Returns
    -------
    tuple
        Rows as little-endian int64, and the fewest and the most references of a segment.

    Raises
    ------
    InputTypeError
        If something is not a column of strings, or a hypothesis is null.
    EmptyInputError
        If a row has no reference.
    """
    texts, *several = (
        arrow.read(column, f"column {name!r}")
        for column, name in zip([hypotheses, *references], names, strict=True)
    )
    if texts.first_null is not None:
        raise null(names[0])
    try:
        return metric.count_rows(texts, None, several, threads, each=each, observed=observed)
    except EmptyInputError:
        raise no_reference(names[1:]) from None


def by_field(metric: Metric, data: bytes) -> NDArray[np.int64]:
    """Turn rows into columns: an array of shape (fields, rows), contiguous for each field."""
    import numpy as np

    return np.ascontiguousarray(np.frombuffer(data, "<i8").reshape(-1, metric.row_width).T)


def stored_columns(metric: Metric, available: Iterable[str]) -> tuple[str, ...]:
    """Return the columns in which statistics are stored: the fields and ``key``.

    Raises
    ------
    UnknownNameError
        If one of them is missing.
    """
    known = list(available)
    for name in (*metric.fields, KEY):
        if name not in known:
            raise UnknownNameError(
                f"there is no column {name!r}; statistics are stored in the columns "
                f"{', '.join(metric.fields)} and {KEY}"
            )
    return (*metric.fields, KEY)


def column_scores(metric: Metric, columns: Sequence[Any], *keys: Any) -> NDArray[np.float64]:
    """Score each row of stored statistics, or of their sums, as a corpus.

    Parameters
    ----------
    metric : Metric
    columns : sequence of columns, one for each field
    *keys : columns
        What was stored as ``key``; for sums, the smallest and the largest key.

    Raises
    ------
    StatsMismatchError
        If they were counted under other settings.
    InputError
        If they are not whole numbers, or no text can have them.
    """
    for column in keys:
        check_keys(column, metric.counting_key)
    return scores(metric.for_corpora, metric.stats_type.from_columns(columns, metric).data)


def sentence_scores(
    metric: Metric,
    hypotheses: Any,
    references: Sequence[Any],
    names: Sequence[str],
    threads: int = 1,
) -> NDArray[np.float64]:
    """Score every segment; parameters and errors are those of :func:`count`."""
    data = b""
    if len(hypotheses):
        data, _, _ = count(metric, hypotheses, references, names, threads=threads)
    return scores(metric.for_segments, data)


def scores(metric: Metric, data: bytes) -> NDArray[np.float64]:
    """Score each row."""
    import numpy as np

    # A metric in Python need not expect a table without rows.
    return np.frombuffer(metric.row_scores(data) if data else b"", "<f8").astype(np.float64)
