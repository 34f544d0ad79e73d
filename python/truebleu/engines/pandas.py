"""BLEU of data frames of pandas: columns in Arrow's layout are read where they are."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.errors import EmptyInputError
from truebleu.inputs.arrow import is_column
from truebleu.metrics.bleu import Bleu
from truebleu.metrics.stats import BleuStats
from truebleu.metrics.threads import thread_count

try:
    import pandas as pd
except ImportError as error:
    raise rows.missing("pandas", "pandas") from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

__all__ = ["corpus_bleu", "sentence_bleu", "stats"]


def corpus_bleu(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore | pd.DataFrame:
    """Score a data frame, or its groups.

    Parameters
    ----------
    frame : DataFrame
    hypothesis : str
        The column of the hypotheses.
    references : str or iterable of str
        The columns of the references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        The columns that tell groups apart.
    threads : int, optional
        All processors by default.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    BleuScore, or DataFrame if there are groups
        A row for each group, which is its index: ``bleu``, ``segments``, the statistics, and
        ``key``, which stands for the settings they were counted under.

    Raises
    ------
    UnknownNameError
        If a column is not there.
    InputTypeError
        If a column holds something else than text, or a hypothesis is missing.
    EmptyInputError
        If there are no rows, or a row has no reference.

    Examples
    --------
    >>> import pandas as pd
    >>> from truebleu.engines.pandas import corpus_bleu
    >>> frame = pd.DataFrame({"mt": ["a b c d e", "f g h i j"], "ref": ["a b c d x", "f g h i j"]})
    >>> print(corpus_bleu(frame, "mt", "ref"))
    BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)
    """
    plan = rows.Plan(hypothesis, references, group_by, bleu=Bleu(**settings))
    plan.check(frame.columns)
    counted = _count(frame, plan, threads)
    if not plan.groups:
        return plan.bleu.score(counted)
    keys = [frame[name] for name in plan.groups]
    groups = frame.groupby(keys, dropna=False, observed=True)
    sizes = groups.size()
    sums = counted.sums(groups.ngroup().to_numpy("i8"), len(sizes))
    found = _table(sums, plan, sizes.index)
    found.insert(0, rows.SCORE, rows.scores(plan.bleu, sums.data))
    found.insert(1, rows.SEGMENTS, sizes.to_numpy())
    return found


def sentence_bleu(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> pd.Series:
    """Score every row by itself, as :func:`truebleu.sentence_bleu` does.

    Parameters and errors are those of :func:`corpus_bleu`.

    Returns
    -------
    Series of float64
        From 0 to 100, with the index of the frame.
    """
    plan = rows.Plan(hypothesis, references, bleu=rows.for_sentences(settings))
    plan.check(frame.columns, corpus=False)
    found = rows.scores(plan.bleu, _count(frame, plan, threads).data)
    return pd.Series(found, index=frame.index, name=rows.SCORE)


def stats(
    frame: pd.DataFrame,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    threads: int | None = None,
    **settings: Unpack[BleuSettings],
) -> pd.DataFrame:
    """Count every row.

    Parameters and errors are those of :func:`corpus_bleu`.

    Returns
    -------
    DataFrame of int64
        ``hyp_len``, ``ref_len``, ``match_1``, ..., ``total_1``, ...: columns that add up, with the
        index of the frame; and ``key``, by which :meth:`truebleu.BleuStats.from_table` knows the
        settings they were counted under.
    """
    plan = rows.Plan(hypothesis, references, bleu=Bleu(**settings))
    plan.check(frame.columns, corpus=False)
    return _table(_count(frame, plan, threads), plan, frame.index)


def _count(frame: pd.DataFrame, plan: rows.Plan, threads: int | None) -> BleuStats:
    """Count the rows."""
    if not len(frame):
        raise EmptyInputError("there are no rows to score")
    own, *others = (frame[name] for name in plan.texts)
    threads = thread_count(threads)
    if all(map(is_column, (own, *others))):
        counted, fewest, most = rows.count(plan.bleu, own, others, plan.texts, threads=threads)
        return BleuStats(counted, plan.bleu, fewest, most)
    if own.isna().any():
        raise rows.null(plan.hypothesis)
    several = zip(*(map(_listed, column.tolist()) for column in others), strict=True)
    references = [list(chain.from_iterable(row)) for row in several]
    return plan.bleu.stats(own.tolist(), references, threads=threads)


def _listed(item: object) -> list[object]:
    """Return what a cell holds: a reference, several, or, as None or NaN, none."""
    if isinstance(item, str):
        return [item]
    if isinstance(item, Iterable):
        return list(item)
    return [] if pd.isna(item) else [item]


def _table(counted: BleuStats, plan: rows.Plan, index: pd.Index) -> pd.DataFrame:
    fields = rows.by_field(plan.bleu, counted.data)
    table = dict(zip(plan.fields, fields, strict=True))
    return pd.DataFrame({**table, rows.KEY: plan.key}, index=index)
