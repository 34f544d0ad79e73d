"""``--scores``: files of segment scores that were computed elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence

from truebleu.cli.parameters import Namespace
from truebleu.cli.parsing import Command
from truebleu.errors import SettingsError, UnknownNameError
from truebleu.intake.given import Given
from truebleu.meta_evaluation.score_files import read_segment_scores
from truebleu.metrics.metric import Metric
from truebleu.significance.external import ExternalScores, GivenScores

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


def score_files(options: Namespace) -> dict[str, tuple[str, bool]]:
    """Return the files of ``--scores`` by the names of their metrics, and if lower is better."""
    files: dict[str, tuple[str, bool]] = {}
    for given in options.scores or ():
        name, path, is_lower = named_file(given, "--scores ")
        if name in files:
            raise SettingsError(f"--scores {name} is given twice")
        files[name] = path, is_lower
    return files


def named_file(given: str, option: str = "") -> tuple[str, str, bool]:
    """Split ``NAME=FILE``, or ``NAME-=FILE`` if lower scores are better."""
    name, equals, path = given.partition("=")
    is_lower = name.endswith("-")
    name = name.removesuffix("-")
    if not (name and equals and path):
        example = f"COMET={path or name}" if not name or not equals else f"{given}comet.seg.score"
        raise SettingsError(f"{option}{given}: NAME=FILE is needed, such as {example}")
    return name, path, is_lower


def external_from(
    options: Namespace, computed: Sequence[Metric], given: Given
) -> ExternalScores | None:
    """Read the scores that the options name, if any; their names are not those of `computed`."""
    scores = read_scores(options, given)
    if scores is None:
        return None
    return ExternalScores(scores, [metric.name for metric in computed])


def read_scores(options: Namespace, given: Given) -> dict[str, GivenScores] | None:
    """Read the scores that the options name, if any, under the names of the systems."""
    files = score_files(options)
    if not files:
        return None
    return {
        name: GivenScores(
            _named_as_systems(read_segment_scores(path), path, given), lower_is_better=is_lower
        )
        for name, (path, is_lower) in files.items()
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
