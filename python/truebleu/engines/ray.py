"""BLEU of data sets of Ray Data. Needs ``truebleu[ray]``, on the workers too.

Each block is counted where it is, and Ray adds up rows of statistics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truebleu.engines import rows
from truebleu.errors import EmptyInputError
from truebleu.metrics.bleu import Bleu

try:
    import pyarrow as pa
    from ray.data.aggregate import Max, Min, Sum
    from ray.exceptions import RayError
except ImportError as error:
    raise rows.missing("Ray Data and pyarrow", "ray") from error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ray.data import Dataset
    from ray.data.aggregate import AggregateFn
    from typing_extensions import Unpack

    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.settings import BleuSettings

__all__ = ["corpus_bleu", "sentence_bleu"]

_ENDS = {rows.FEWEST: Min, rows.MOST: Max}

# Arrow's sums of int64 wrap, those of such numbers do not.
_WIDE = pa.decimal128(38)


def corpus_bleu(
    dataset: Dataset,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    group_by: str | Iterable[str] | None = None,
    **settings: Unpack[BleuSettings],
) -> BleuScore | Dataset:
    """Score a data set, or its groups.

    The result does not depend on the blocks.

    Parameters
    ----------
    dataset : Dataset
    hypothesis : str
        The column of the hypotheses.
    references : str or iterable of str
        The columns of the references: strings, or lists of strings.
    group_by : str or iterable of str, optional
        The columns that tell groups apart.
    **settings
        The settings of :class:`truebleu.Bleu`.

    Returns
    -------
    BleuScore, or Dataset if there are groups
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
    What is wrong with the rows of groups comes as Ray's ``UserCodeException`` when they are asked
    for, with our own message in it.
    """
    plan = rows.Plan(hypothesis, references, group_by, bleu=Bleu(**settings))
    plan.check(_names(dataset))

    def count(block: pa.Table) -> pa.Table:
        from truebleu.engines.arrow import partial_sums

        return _cast(partial_sums(block.to_batches(), plan, schema=block.schema), plan, _WIDE)

    def score(sums: pa.Table) -> pa.Table:
        from truebleu.engines.arrow import score_sums

        try:
            sums = _cast(sums, plan, pa.int64())
        except pa.ArrowInvalid:
            raise rows.overflow() from None
        return score_sums(sums, plan)

    counted = dataset.select_columns(list(dict.fromkeys((*plan.texts, *plan.groups)))).map_batches(
        count, batch_format="pyarrow", batch_size=None
    )
    joins = _joins(plan)
    if plan.groups:
        sums = counted.groupby(list(plan.groups)).aggregate(*joins)
        return sums.map_batches(score, batch_format="pyarrow", batch_size=None)
    try:
        found = counted.aggregate(*joins)
    except RayError as error:
        raise (rows.ours(str(error)) or error) from error
    if found is None or found[rows.SEGMENTS] is None:
        raise EmptyInputError("there are no rows to score")
    rows.check_keys(plan.bleu, [found[rows.KEY], found[plan.last_key]])
    *row, fewest, most = (found[name] for name in (*plan.sums, *_ENDS))
    return plan.bleu.score(plan.stats(row, fewest, most))


def _joins(plan: rows.Plan) -> list[AggregateFn]:
    """Return what joins the sums of blocks."""
    names = (*plan.sums, *_ENDS)
    return [
        *(_ENDS.get(name, Sum)(name, alias_name=name) for name in names),
        Min(rows.KEY, alias_name=rows.KEY),
        Max(rows.KEY, alias_name=plan.last_key),
    ]


def _cast(sums: pa.Table, plan: rows.Plan, kind: pa.DataType) -> pa.Table:
    """Give the sums another type."""
    names = sums.schema.names
    fields = [pa.field(name, kind) if name in plan.sums else sums.field(name) for name in names]
    return sums.cast(pa.schema(fields))


def sentence_bleu(
    dataset: Dataset,
    hypothesis: str,
    references: str | Iterable[str],
    *,
    column: str = rows.SCORE,
    **settings: Unpack[BleuSettings],
) -> Dataset:
    """Score every row by itself, as :func:`truebleu.sentence_bleu` does.

    Parameters
    ----------
    dataset, hypothesis, references, **settings
        As for :func:`corpus_bleu`, and so are the errors.
    column : str
        Where the scores go.

    Returns
    -------
    Dataset
        With a column of scores from 0 to 100.
    """
    plan = rows.Plan(hypothesis, references, bleu=rows.for_sentences(settings))
    plan.check(_names(dataset), corpus=False)

    def score(block: pa.Table) -> pa.Table:
        own, *others = (block[name] for name in plan.texts)
        found = rows.sentence_scores(plan.bleu, own, others, plan.texts)
        return block.append_column(column, pa.array(found))

    return dataset.map_batches(score, batch_format="pyarrow", batch_size=None)


def _names(dataset: Dataset) -> list[str]:
    schema = dataset.schema()
    if schema is None:
        raise EmptyInputError("there are no rows to score")
    return list(schema.names)
