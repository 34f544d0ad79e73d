"""Score files in the layout of mt-metrics-eval v2."""

from __future__ import annotations

from truebleu.display.formatting import count
from truebleu.errors import EmptyInputError, InputError
from truebleu.inputs.lines import checked_path, read_lines
from truebleu.record import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from truebleu.meta_evaluation.metrics_eval import Documents
    from truebleu.metrics import Metric, Stats

LEVELS = ("sys", "domain", "doc", "seg")
"""What a score file has scores of: systems, domains, documents or segments."""

GROUPED = ("domain", "doc")
"""The levels at which segments are put together as the file of documents says."""


def read_segment_scores(path: str | PathLike[str]) -> dict[str, list[float | None]]:
    """Read segment scores in the layout of mt-metrics-eval: a file named ``.seg.score``.

    Each line has the name of a system, a tab and a score, in the order of the segments. The lines
    of a system follow each other. ``None`` is a missing score.

    Parameters
    ----------
    path : str or path-like
        Compressed or not, as :func:`truebleu.read_lines` takes it. A file for a single system may
        have nothing but a score on each line.

    Returns
    -------
    dict of str to list
        The scores of each system, None where one is missing. A system without a name is called
        ``""``.

    Raises
    ------
    InputError
        If a line is not like this, a score is not a finite number, the lines of a system do not
        follow each other, or systems differ in their number of scores; the message has the line.
    EmptyInputError
        If the file has no lines.
    OSError, EncodingError, MissingExtraError
        As :func:`truebleu.read_lines`.

    Examples
    --------
    >>> from truebleu.meta import read_segment_scores
    >>> ratings = read_segment_scores("examples/ratings.seg.score")
    >>> ratings["system-strong"][:3]
    [67.0, 67.0, 85.0]
    """
    name = checked_path(path)
    lines = read_lines(name, as_text=True)
    if not lines:
        raise EmptyInputError(f"{name} has no lines: there are no scores")
    named = "\t" in lines[0]
    scores: dict[str, list[float | None]] = {}
    last: str | None = None
    for number, line in enumerate(lines, 1):
        where = f"{name}, line {number:,}"
        system, tab, text = line.rpartition("\t")
        if bool(tab) != named or "\t" in system or (named and not system):
            expected = "the name of a system, a tab and a score" if named else "a score alone"
            raise InputError(
                f"{where} is {shortened(repr(line))}; {expected} is needed, as on the first line"
            )
        if system != last and system in scores:
            raise InputError(
                f"{where}: {system} again, after lines of {last}; the lines of a system must "
                "follow each other, each system once"
            )
        last = system
        scores.setdefault(system, []).append(score_of(text, where))
    _check_lengths(scores, name)
    return scores


def read_named_scores(path: str | PathLike[str]) -> dict[str, list[float | None]]:
    """Read scores as :func:`read_segment_scores` does, but refuse scores alone."""
    scores = read_segment_scores(path)
    if "" in scores:
        raise InputError(
            f"{checked_path(path)} has scores alone; the name of a system and a tab are needed "
            "before each"
        )
    return scores


def score_of(text: str, where: str) -> float | None:
    """Read a score; None is one that is missing."""
    from math import isfinite

    if text == "None":
        return None
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not isfinite(score) or "_" in text:
        raise InputError(
            f"{where}: the score is {shortened(repr(text))}; a finite number is needed, or None if "
            "it is missing"
        )
    return score


def _check_lengths(scores: Mapping[str, Sequence[float | None]], name: str) -> None:
    first, *others = scores
    for system in others:
        if len(scores[system]) != len(scores[first]):
            raise InputError(
                f"{name}: {system} has {count(len(scores[system]), 'score')}, but {first} has "
                f"{len(scores[first]):,}; one score per segment is needed, or None"
            )


def score_path(folder: Path, pair: str, name: str, references: str, level: str) -> Path:
    """Return the path of the score file of a metric, with the names of its references joined."""
    return folder / "metric-scores" / pair / f"{name}-{references}.{level}.score"


def score_lines(
    metric: Metric, systems: Mapping[str, Stats], level: str, documents: Documents | None
) -> list[str]:
    """Score systems at a level, and write a line for each score.

    A score is never rounded. If lower is better, it is negated, because programs that read these
    files take a higher score for the better one. A line has the name of the system and the score,
    at level ``domain`` the name of the domain before them, separated by tabs.
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
        units = rows
        if groups:
            units = rows.sums(groups, len(places))
        elif level == "sys":
            units = rows.sum()
        segment = not groups and level != "sys"
        scores = memoryview(metric._row_scores(units.data, segment=segment)).cast("d")
        sign = 1.0 if metric.higher_is_better else -1.0
        for place, score in enumerate(scores):
            # A negated zero is 0.0, not -0.0.
            lines.append(f"{labels[place] if labels else ''}{system}\t{sign * score + 0.0!r}\n")
    return lines
