"""``truebleu score --hypothesis-column``: the scores of columns of tables."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.cli.progress import Bar
from truebleu.errors import SettingsError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace

    from truebleu.metrics.base import Metric
    from truebleu.metrics.stats import Stats

    Label = tuple[object, ...]


def count(metric: Metric, options: Namespace) -> tuple[Label, list[Label], list[Stats]]:
    """Count the columns that the options name, for each group.

    Returns
    -------
    tuple
        The headers and the cells of what each score is of: the system, the group, or both; and the
        statistics of each, one row per segment if intervals are wanted.

    Raises
    ------
    SettingsError
        If intervals of groups are wanted.
    OSError, TruebleuError
        If a file or a column cannot be read.
    """
    # DuckDB is slow to load, and only tables need it.
    from truebleu.engines.job import Job
    from truebleu.engines.tables import Tables

    groups = options.group_by.split(",") if options.group_by else []
    if groups and options.confidence:
        raise SettingsError("--confidence goes without --group-by: choose one group by --where")
    metric.check_addable()
    named = len(options.hypotheses) > 1 or not groups
    labels: list[Label] = []
    counted: list[Stats] = []
    bar = Bar("counting")
    try:
        with Tables(options.systems, options.threads, bar.update) as tables:
            for hypothesis in options.hypotheses:
                observed = Observed()
                columns = (hypothesis, options.reference_columns, groups)
                job = Job(*columns, metric=metric, observed=observed)
                found: dict[Label, Stats]
                if options.confidence:
                    found = {(): tables.stats(job, options.where)}
                else:
                    found = tables.sums(job, options.where)
                metric.check_observed(observed, hypothesis)
                for group, stats in found.items():
                    labels.append((hypothesis, *group) if named else group)
                    counted.append(stats)
    finally:
        bar.close()
    return ("system", *groups) if named else tuple(groups), labels, counted
