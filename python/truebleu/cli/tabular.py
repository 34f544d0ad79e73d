"""``truebleu score --hypothesis``: the BLEU of columns of tables."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.cli.progress import Bar
from truebleu.errors import SettingsError
from truebleu.inputs.checks import check_corpus

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from argparse import Namespace

    from truebleu.cli.output import Label
    from truebleu.metrics.bleu import Bleu
    from truebleu.metrics.stats import BleuStats


def count(bleu: Bleu, options: Namespace) -> tuple[Label, list[Label], list[BleuStats]]:
    """Count the columns that the options name, for each group.

    Returns
    -------
    tuple
        What tells the scores apart: the header and a row for each; and the statistics of each, a
        row per segment if there are to be intervals.

    Raises
    ------
    SettingsError
        If intervals of groups are asked for.
    OSError, TruebleuError
        If a file or a column cannot be read.
    """
    # DuckDB is slow to load, and only tables need it.
    from truebleu.engines.rows import Plan
    from truebleu.engines.tables import Tables

    groups = options.group_by.split(",") if options.group_by else []
    if groups and options.confidence:
        raise SettingsError("--confidence goes without --group-by: choose one group by --where")
    named = len(options.hypotheses) > 1 or not groups
    labels: list[Label] = []
    counted: list[BleuStats] = []
    bar = Bar("counting")
    try:
        with Tables(options.systems, options.threads, bar.update) as tables:
            for hypothesis in options.hypotheses:
                observed = Observed()
                columns = (hypothesis, options.reference_columns, groups)
                plan = Plan(*columns, bleu=bleu, observed=observed)
                if options.confidence:
                    found: dict[tuple[object, ...], BleuStats] = {
                        (): tables.stats(plan, options.where)
                    }
                else:
                    found = tables.sums(plan, options.where)
                check_corpus(observed, bleu.tokenizer_name, bleu.unicode_form, hypothesis)
                for group, stats in found.items():
                    labels.append((hypothesis, *group) if named else group)
                    counted.append(stats)
    finally:
        bar.close()
    return ("system", *groups) if named else tuple(groups), labels, counted
