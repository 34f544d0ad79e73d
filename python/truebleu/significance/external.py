"""The argument ``scores=``: segment scores that were computed elsewhere, checked and counted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from truebleu.display import formatting
from truebleu.display.shown import Result
from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    SettingsError,
    UnknownNameError,
    wrong_type,
)
from truebleu.inputs import frames
from truebleu.inputs.sequences import check_name
from truebleu.metrics.segment_scores import SegmentScores
from truebleu.metrics.settings import flag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metrics import Stats

    # The scores of each system, one per segment.
    OfSystems = Mapping[str, Iterable[float | None]]


class GivenScores(Result, init=False):
    """Segment scores of systems that were computed elsewhere, under one metric, for ``scores=``.

    Where higher scores are better, a dict of systems does as well.

    >>> import truebleu
    >>> errors = {"A": [0.0, 1.0, 5.0] * 40, "B": [1.0, 1.0, 6.0] * 40}
    >>> scores = {"MQM": truebleu.GivenScores(errors, lower_is_better=True)}
    >>> truebleu.compare(errors, scores=scores)["MQM"].pair("A", "B").significant
    True

    Parameters
    ----------
    values : mapping of str to iterable of float
        The scores of each system, one per segment; None where there is none.
    lower_is_better : bool, default False
        Whether a lower score is better.
    """

    __module__ = "truebleu"

    values: OfSystems
    lower_is_better: bool

    def __init__(self, values: OfSystems, *, lower_is_better: bool = False) -> None:
        _check_systems("the values of GivenScores", values)
        self._fill(values=values, lower_is_better=flag("lower_is_better", lower_is_better))


# Scores from here on, such as 84.3 of 100, are shown with two decimals, and smaller ones with four.
_LARGE = 10


class ExternalScores:
    """Segment scores of some systems, by the metrics that they are of."""

    def __init__(
        self,
        scores: Mapping[str, OfSystems | GivenScores],
        computed: Iterable[str],
        columns: Iterable[tuple[str, Any]] = (),
    ) -> None:
        """Read the scores, whose names must differ from those of metrics that are computed here.

        Their rows are those of the `columns`.
        """
        of_metrics = given_scores(scores)
        named = (
            frames.named(each.values, name, f"{name} of ") for name, each in of_metrics.items()
        )
        frames.check_indexes([*columns, *chain(*named)])
        self.metrics: dict[str, SegmentScores] = {}
        self._counted: dict[str, dict[str, Stats]] = {}
        for name, given in of_metrics.items():
            metric = SegmentScores(name, lower_is_better=given.lower_is_better)
            self._counted[name] = _counted(metric, given.values)
            self.metrics[name] = _with_decimals(metric, self._counted[name])
        refuse_taken(self.metrics, computed)

    @property
    def segments(self) -> int:
        """How many segments the first scores are of."""
        of_systems = next(iter(self._counted.values()))
        return len(next(iter(of_systems.values())))

    def counted(self, systems: Sequence[str], segments: int) -> dict[str, dict[str, Stats]]:
        """Return the statistics of all systems, in this order, for the name of each metric."""
        return {
            name: _checked(name, counted, systems, segments)
            for name, counted in self._counted.items()
        }


def given_scores(scores: Any) -> dict[str, GivenScores]:
    """Return the scores by the names of their metrics; refuse what is none."""
    if not isinstance(scores, Mapping):
        example = "{'COMET': {'system A': [0.81, ...], 'system B': [0.79, ...]}}"
        raise wrong_type("scores", scores, f"a dict is needed, such as {example}")
    if not scores:
        raise SettingsError("scores is empty; leave it out, or name at least one metric")
    found = {}
    for name, given in scores.items():
        check_name(name, "metric")
        if not isinstance(given, GivenScores):
            _check_systems(f"the scores of {name}", given)
            given = GivenScores(given)  # noqa: PLW2901
        found[name] = given
    return found


def _check_systems(what: str, scores: object) -> None:
    """Refuse scores under a metric that are not those of systems by name."""
    if not isinstance(scores, Mapping):
        raise InputTypeError(
            f"{what} are of type {type(scores).__name__}; a dict of systems and their scores is "
            "needed"
        )


def refuse_taken(given: Iterable[str], computed: Iterable[str]) -> None:
    """Refuse scores that are named like others, or like a metric that is computed here."""
    taken: dict[str, str] = {name.lower(): f"{name} is computed here" for name in computed}
    for name in given:
        keys = dict.fromkeys((str(name).lower(), SegmentScores(name).identifier))
        for key in keys:
            if key in taken:
                raise SettingsError(
                    f"scores of {name} need another name, such as '{name} (elsewhere)': "
                    f"{taken[key]}"
                )
        taken |= dict.fromkeys(keys, f"{name} is among the scores already")


def _counted(metric: SegmentScores, scores: Any) -> dict[str, Stats]:
    """Read the scores of each system, once."""
    name = metric.name
    if not scores:
        raise InputError(f"the scores of {name} are those of no system")
    return {
        str(system): metric.from_scores(each, f"{name} of {system}")
        for system, each in scores.items()
    }


def _with_decimals(metric: SegmentScores, counted: dict[str, Stats]) -> SegmentScores:
    """Return the metric with as many decimals as people need to see differences."""
    import numpy as np

    rows = b"".join(stats.data for stats in counted.values())
    points = np.abs(np.frombuffer(metric._row_scores(rows), "<f8"))
    large = bool(np.any(points >= _LARGE))
    settings = metric.settings() | {"decimals": 2 if large else 4}
    return SegmentScores(**settings)


def _checked(
    name: str, counted: dict[str, Stats], systems: Sequence[str], segments: int
) -> dict[str, Stats]:
    """Return the scores of some systems in their order, one for each segment."""
    if set(counted) != set(systems):
        raise UnknownNameError(
            f"the scores of {name} are those of {', '.join(counted)}, but the systems are "
            f"{', '.join(systems)}: each system needs scores, and no other"
        )
    for system, stats in counted.items():
        if len(stats) != segments:
            raise LengthMismatchError(
                f"{name} of {system} has {formatting.count(len(stats), 'score')} for "
                f"{formatting.count(segments, 'segment')}; one score per segment is needed, or None"
            )
    counted = {system: counted[system] for system in systems}
    check_missing(name, counted)
    return counted


def check_missing(name: str, counted: Mapping[str, Stats]) -> None:
    """Refuse segments that have a score for some systems only."""
    import numpy as np

    known = {
        system: np.atleast_1d(stats.to_numpy().any(axis=1)) for system, stats in counted.items()
    }
    partly = np.any(list(known.values()), axis=0) & ~np.all(list(known.values()), axis=0)
    if partly.any():
        segment = int(partly.argmax())
        having = [system for system, each in known.items() if each[segment]]
        lacking = [system for system, each in known.items() if not each[segment]]
        raise InputError(
            f"segment {segment + 1:,} has a {name} score for {', '.join(having)} but not for "
            f"{', '.join(lacking)} ({formatting.count(int(partly.sum()), 'such segment')}): "
            "systems must be compared on the same segments; give None to all systems for these"
        )
    if not any(each.any() for each in known.values()):
        raise InputError(f"no segment has a {name} score")
