"""Outputs with gold scores, and the scores that metrics give them."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

import numpy as np

from truebleu.display.formatting import count
from truebleu.errors import (
    InputError,
    InputTypeError,
    LengthMismatchError,
    UnknownNameError,
    written,
)
from truebleu.inputs.sequences import check_name
from truebleu.metrics.segment_scores import checked_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.metrics.metric import Metric
    from truebleu.metrics.stats import Stats

    Floats = NDArray[np.float64]

# Powers of two that sums of squares, and of products with other scores, stay within.
_MODERATE = 300


class Scores:
    """The scores of one metric, or of people: higher is better.

    `segments` has shape (systems, segments), and NaN where there is none. The scores of the
    systems are their averages, unless they are given or the metric computes them from `rows`.
    """

    def __init__(
        self,
        segments: Floats,
        metric: Metric | None = None,
        rows: Any = None,
        systems: Floats | None = None,
    ) -> None:
        self.segments = segments
        self.systems = systems
        self._metric = metric
        self._rows = rows

    @classmethod
    def counted(cls, metric: Metric, systems: Mapping[str, Stats]) -> Scores:
        """Return the scores under a metric that is computed here."""
        sign = 1.0 if metric.higher_is_better else -1.0
        rows = np.stack([np.atleast_2d(stats.to_numpy()) for stats in systems.values()])
        scores = np.stack([_scored(metric, stats.data, segment=True) for stats in systems.values()])
        return cls(sign * scores, metric, rows)

    def of_systems(self, weights: Floats) -> Floats:
        """Return the score of each system, of shape (samples, systems).

        Weights, of shape (samples, segments), are how often a sample contains each segment.
        """
        if self.systems is not None:
            return np.tile(self.systems, (len(weights), 1))
        if self._metric is None or self._rows is None:
            known = np.isfinite(self.segments)
            with np.errstate(invalid="ignore"):
                sums = weights @ np.where(known, self.segments, 0.0).T
                return np.asarray(sums / (weights @ known.T), np.float64)
        sign = 1.0 if self._metric.higher_is_better else -1.0
        # Whole numbers below 2**53, so that sums of floats are exact.
        sums = np.einsum("bn,knf->bkf", weights, self._rows.astype(np.float64), optimize=True)
        data = np.ascontiguousarray(sums.reshape(-1, sums.shape[2])).astype("<i8").tobytes()
        scores = _scored(self._metric, data, segment=False)
        return sign * scores.reshape(len(weights), -1)


def _scored(metric: Metric, rows: bytes, *, segment: bool) -> Floats:
    return np.frombuffer(metric._row_scores(rows, segment=segment), "<f8").astype(np.float64)


class Outputs:
    """The outputs of some systems that people judged."""

    def __init__(self, gold: Floats, systems: Floats | None = None) -> None:
        self.gold = Scores(gold, systems=systems)
        self.known: NDArray[np.bool_] = np.isfinite(gold)
        self.systems, self.segments = gold.shape

    def groups(self, grouping: str) -> tuple[NDArray[np.intp], list[int]]:
        """Return the places of judged outputs, group by group, and the sizes of the groups."""
        places = np.arange(self.known.size).reshape(self.known.shape)
        if grouping == "item":
            return places.T[self.known.T], self.known.sum(axis=0).tolist()
        sizes = self.known.sum(axis=1).tolist()
        return places[self.known], sizes if grouping == "system" else [sum(sizes)]


def gold_table(given: Any) -> tuple[list[str], Floats]:
    """Return the systems that have some gold score, and their scores as :func:`table` does."""
    rows = _rows("gold", given)
    judged = [system for system, row in rows.items() if np.isfinite(row).any()]
    if not judged:
        raise InputError("gold has no score")
    if len(judged) < 2:
        raise InputError(f"gold has {count(len(judged), 'judged system')}; at least 2 are needed")
    return judged, _stacked("gold", {system: rows[system] for system in judged})


def _rows(name: str, given: Any, systems: Sequence[str] | None = None) -> dict[str, Floats]:
    """Return the scores of each system, or of these."""
    if not isinstance(given, Mapping):
        raise InputTypeError(
            f"the scores of {name} are of type {type(given).__name__}; a dict of systems and their "
            "scores is needed, such as {'system A': [0.0, -1.0, None, ...]}"
        )
    for system in given:
        check_name(system, "system")
    missing = [system for system in systems or () if system not in given]
    if missing:
        raise UnknownNameError(
            f"{name} has no scores of {', '.join(missing)}, which gold has; it has those of "
            f"{', '.join(system or 'a system without a name' for system in given) or 'none'}"
        )
    return {
        system: checked_scores(given[system], f"{name} of {system}", inf)
        for system in systems or given
    }


def table(name: str, scores: Any, systems: list[str], segments: int) -> Floats:
    """Return scores as a table of shape (systems, segments), NaN where one is missing."""
    return _stacked(name, _rows(name, scores, systems), segments)


def _stacked(name: str, rows: dict[str, Floats], segments: int | None = None) -> Floats:
    """Return rows of equal length, scaled if necessary.

    Measures do not depend on the scale, so sums and squares are made finite.
    """
    for system, row in rows.items():
        segments = len(row) if segments is None else segments
        if len(row) != segments:
            raise LengthMismatchError(
                f"{name} of {system} has {count(len(row), 'score')}, but gold has "
                f"{count(segments, 'segment')}; one score per segment is needed"
            )
    scores = np.array(list(rows.values()))
    largest = np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
    exponent = int(np.frexp(largest)[1])
    return np.ldexp(scores, -exponent) if abs(exponent) > _MODERATE else scores


def system_table(name: str, scores: Any, systems: list[str]) -> Floats:
    """Return the score of each system."""
    if not isinstance(scores, Mapping):
        raise InputTypeError(
            f"{name} has scores of type {type(scores).__name__}; a dict of systems and their "
            "scores is needed"
        )
    return table(name, {system: [score] for system, score in scores.items()}, systems, 1)[:, 0]


def check_complete(name: str, scores: Floats, outputs: Outputs, systems: list[str]) -> None:
    """Refuse a metric that has no score for an output that people judged."""
    lacking = np.argwhere(outputs.known & ~np.isfinite(scores))
    if len(lacking):
        system, segment = lacking[0].tolist()
        raise InputError(
            f"{name} has no score for segment {segment + 1:,} of {systems[system]}, which people "
            f"judged ({count(len(lacking), 'such output')}): metrics are measured on the same "
            "outputs; leave the metric out, or give None to these outputs in gold"
        )


def list_of_names(parameter: str, given: Any, example: str) -> list[str]:
    """Return a list of names; an error shows the `example`."""
    if isinstance(given, str | type) or not hasattr(given, "__iter__"):
        raise InputTypeError(
            f"{parameter} is {written(given)}; a list of names is needed, such as "
            f"[{(given if isinstance(given, str) else example)!r}]"
        )
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            raise InputTypeError(
                f"{parameter} has {written(name)}; names are of type str, such as {example!r}"
            )
    return names
