"""Score files in the layout of mt-metrics-eval v2."""

from __future__ import annotations

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from truebleu.metrics.base import Metric
    from truebleu.metrics.stats import Stats
    from truebleu.test_sets.metrics_eval import Documents

LEVELS = ("sys", "domain", "doc", "seg")
"""What a score file has scores of: systems, domains, documents or segments."""

GROUPED = ("domain", "doc")
"""The levels at which segments are put together as the file of documents says."""


def score_path(folder: Path, pair: str, name: str, references: str, level: str) -> Path:
    """Return the path of a score file.

    Parameters
    ----------
    folder : Path
        Where test sets have ``metric-scores``.
    pair : str
        The language pair.
    name : str
        What the metric is called.
    references : str
        The names of the references that it uses, joined by ``.``.
    level : str
        One of :data:`LEVELS`.
    """
    return folder / "metric-scores" / pair / f"{name}-{references}.{level}.score"


def score_lines(
    metric: Metric, systems: Mapping[str, Stats], level: str, documents: Documents | None
) -> list[str]:
    """Score systems at a level, and write a line for each score.

    A score is never rounded. If lower is better, it is negated, because programs that read these
    files take a higher score for the better one.

    Parameters
    ----------
    metric : Metric
    systems : mapping of str to Stats
        A row per segment, by system.
    level : {"sys", "domain", "doc", "seg"}
    documents : Documents, optional
        Needed for ``domain`` and ``doc``.

    Returns
    -------
    list of str
        The name of the system and the score, separated by a tab; at level ``domain``, the name of
        the domain before them.
    """
    places: dict[str, int] = {}
    groups: list[int] = []
    if documents is not None and level in GROUPED:
        of_segments = documents.domains if level == "domain" else documents.documents
        names = sorted(set(of_segments)) if level == "domain" else dict.fromkeys(of_segments)
        places = {name: place for place, name in enumerate(names)}
        groups = [places[name] for name in of_segments]
    labels = [f"{name}\t" for name in places] if level == "domain" else None
    lines: list[str] = []
    for system, rows in systems.items():
        scorer, units = metric.for_corpora, rows
        if groups:
            units = rows.sums(groups, len(places))
        elif level == "sys":
            units = rows.sum()
        else:
            scorer = metric.for_segments
        scores = memoryview(scorer.row_scores(units.data)).cast("d")
        sign = 1.0 if metric.higher_is_better else -1.0
        for place, score in enumerate(scores):
            # A negated zero is 0.0, not -0.0.
            lines.append(f"{labels[place] if labels else ''}{system}\t{sign * score + 0.0!r}\n")
    return lines
