"""Counting text in the core: lists of str, Arrow columns and lines of files, for any metric."""

from __future__ import annotations

from truebleu._core import Observed, add_rows
from truebleu.errors import InputError
from truebleu.inputs import arrow, checks, sequences
from truebleu.metrics.threads import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from truebleu._core import Engine, Texts

    # Rows as little-endian int64, and the smallest and largest number of references of a segment.
    Counted = tuple[bytes, int, int]


def count(
    engine: Engine,
    hypotheses: Any,
    references: Any,
    streams: Any,
    threads: int,
    *,
    each: bool,
    observed: Observed | None = None,
    higher_is_better: bool | None = None,
) -> Counted:
    """Count a corpus.

    Parameters
    ----------
    engine : Engine
    hypotheses, references, streams
        As in :meth:`truebleu.Metric.count_rows`.
    threads : int
    each : bool
        Whether to return one row per segment, or their sum.
    observed : Observed, optional
        Collects observations about the text.
    higher_is_better : bool, optional
        Warn if a corpus with as many references as segments has a better score when transposed,
        where a higher score, or a lower one, is better. Default: do not.

    Returns
    -------
    tuple
        As :meth:`truebleu.Metric.count_rows` returns it.
    """
    columns = arrow.corpus(hypotheses, references, streams)
    if columns is not None:
        counted = engine.count_columns(*columns, threads, each, observed)
        if counted[1] == 0:
            raise sequences.missing(arrow.first_missing(columns[1]))
        return counted
    hypotheses, references = sequences.segments(hypotheses, references, streams)
    observers = [] if observed is None else [observed]
    try:
        [counted] = engine.count([hypotheses], references, threads, each, observers)
    except TypeError:
        references = sequences.checked_text(hypotheses, references)
        [counted] = engine.count([hypotheses], references, threads, each, observers)
    if counted[1] == 0:
        sequences.blame(hypotheses, references)
    if higher_is_better is not None and checks.is_square(references):
        by_stream = list(zip(*references, strict=True))
        [transposed] = engine.count([hypotheses], by_stream, threads, False, [])
        checks.check_layout(
            _score_of_sum(engine, counted[0]),
            _score_of_sum(engine, transposed[0]),
            len(hypotheses),
            streams=streams is not None,
            higher_is_better=higher_is_better,
        )
    return counted


def _score_of_sum(engine: Engine, rows: bytes) -> float:
    [score] = memoryview(engine.score_rows(add_rows(rows, engine.fields))).cast("d")
    return score


def count_together(
    engine: Engine,
    systems: Mapping[str, Any],
    references: Any,
    streams: Any,
    threads: int | None,
) -> tuple[list[Counted], list[Observed]] | None:
    """Count several systems, and read the references only once.

    Parameters
    ----------
    engine : Engine
    systems, references, streams, threads
        As in :meth:`truebleu.Metric.count_together`.

    Returns
    -------
    tuple of two lists, or None
        For each system, what :func:`count` returns, and what was observed. None unless this is text
        in lists, and nothing is wrong with it. Then each system must be counted by itself, which
        says what is wrong.
    """
    lists = list(systems.values())
    given = [*lists, *(streams if isinstance(streams, list) else [references])]
    if not all(type(each) is list for each in given):
        return None
    observed = [Observed() for _ in lists]
    try:
        _, references = sequences.segments(lists[0], references, streams)
        counted = engine.count(lists, references, thread_count(threads), True, observed)
    except (InputError, TypeError):
        return None
    missing = counted[0][1] == 0
    if missing or checks.is_square(references) or len(set(map(len, lists))) > 1:
        return None
    return counted, observed


def load(loaded: Texts, engine: Engine, texts: list[Any], name: str) -> int:
    """Load a column of texts into the core, to be matched with others.

    Parameters
    ----------
    loaded : Texts
        Where they are appended.
    engine : Engine
    texts : list
    name : str
        The name of the column in messages.

    Returns
    -------
    int
        The number of texts.

    Raises
    ------
    InputTypeError
        If an item is not a str.
    """
    try:
        loaded.push(engine, texts)
    except TypeError:
        for index, text in enumerate(texts):
            sequences.check_text(text, f"{name}[{index}]")
        raise
    return len(texts)
