"""``--scores``: files of segment scores that were computed elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence

from truebleu.cli.parsing import Command, Namespace
from truebleu.errors import SettingsError, UnknownNameError
from truebleu.intake.given import Given
from truebleu.meta_evaluation.score_files import read_segment_scores
from truebleu.significance.external import GivenScores

# The scores of each system, one per segment.
OfSystems = dict[str, list[float | None]]


def add_scores(command: Command) -> None:
    group = command.add_argument_group("settings of external scores")
    group.add_argument(
        "--scores",
        action="extend",
        nargs="+",
        metavar="NAME=FILE",
        missing="--scores adds a metric to those that are computed from it",
        help="segment scores of other metrics, such as COMET=comet.seg.score, or where lower is "
        "better, MQM-=mqm.seg.score; each line has a system, a tab and a score, as in "
        "mt-metrics-eval; for one system, the score alone is enough; None is a missing score",
    )


def score_files(given: Sequence[str], option: str = "") -> dict[str, tuple[str, bool]]:
    """Return files of scores by the names of their metrics, and if lower is better.

    They are given as ``NAME=FILE``, or ``NAME-=FILE`` if lower scores are better.
    """
    files: dict[str, tuple[str, bool]] = {}
    for each in given:
        name, equals, path = each.partition("=")
        is_lower = name.endswith("-")
        name = name.removesuffix("-")
        if not (name and equals and path):
            is_file = not name or not equals
            example = f"COMET={path or name}" if is_file else f"{each}comet.seg.score"
            raise SettingsError(f"{option}{each}: NAME=FILE is needed, such as {example}")
        if name in files:
            raise SettingsError(f"{option}{name} is given twice")
        files[name] = path, is_lower
    return files


def read_scores(options: Namespace, given: Given) -> dict[str, GivenScores]:
    """Read the scores that the options name, under the names of the systems."""
    return {
        name: GivenScores(
            _named_as_systems(read_segment_scores(path), path, given), lower_is_better=is_lower
        )
        for name, (path, is_lower) in score_files(options.scores or (), "--scores ").items()
    }


def _named_as_systems(scores: OfSystems, path: str, given: Given) -> OfSystems:
    """Give the systems of a file the names that the command uses."""
    names = given.names
    if [*scores] == [""]:
        if len(names) > 1:
            raise UnknownNameError(
                f"{path} has one score per line and no systems, but there are {len(names)} "
                f"systems, {', '.join(names)}: put the name of the system and a tab before each "
                "score"
            )
        return {names[0]: scores[""]}
    found: OfSystems = {}
    used: set[str] = set()
    for place, name in enumerate(names):
        aliases = [name]
        if given.columns is None and given.saved is None:
            aliases += _names_of_file(given.systems[place])
        named = next((alias for alias in aliases if alias in scores), None)
        if named is not None and named not in used:
            used.add(named)
            found[name] = scores[named]
    if len(found) < len(names) or len(used) < len(scores):
        raise UnknownNameError(
            f"{path} has scores of {', '.join(scores)}, but the systems are {', '.join(names)}: "
            "each system needs scores, and no other; NAME=FILE names a system as the scores do"
        )
    return found


def _names_of_file(path: str) -> list[str]:
    """Return what a system may be called after its file: with all suffixes, then with fewer."""
    name = os.path.basename(path)  # noqa: PTH119  # pathlib is slow to load.
    names = [name]
    while "." in name.lstrip("."):
        name = name.rpartition(".")[0]
        names.append(name)
    return names
