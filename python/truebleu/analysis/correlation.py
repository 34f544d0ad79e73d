"""How far two metrics agree about segments: Pearson's r and Kendall's tau."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from truebleu.display.formatting import decimals
from truebleu.display.shown import Result

Floats = NDArray[np.float64]

_GROUPINGS = {"by_item": ":item", "by_system": ":system", "pooled": ""}

# Samples, and how often they may say all together that an output is in one.
_LEAST, _MOST, _MOST_WEIGHTS = 100, 1000, 1 << 24


class Correlation(Result):
    """How far two metrics agree about segments, grouped by item and by system.

    By item: the correlation over the systems, averaged over the segments. It asks whether the
    metrics agree about which system translated a segment better. By system: the correlation over
    the segments, averaged over the systems. It asks whether they agree about which segments a
    system translated well. All scores pooled mix the two with the difference between the
    systems. Where a correlation is undefined, because one metric has equal scores, the segment or
    system is left out of the average.

    It is positive where the metrics agree about what is better: scores of which lower is better are
    negated first.

    >>> import truebleu
    >>> references = ["a b c d e", "f g h i j", "k l m n o"] * 40
    >>> good, bad = ["a b c d e", "f g h i j", "k l m n x"] * 40, ["a b c d x"] * 120
    >>> made = truebleu.report({"good": good, "bad": bad}, references, metrics=["bleu", "ter"])
    >>> round(made.correlations[0].pearson_by_item, 6)
    1.0

    Attributes
    ----------
    one, other : str
        The names of the metrics.
    pearson_by_item, kendall_by_item : float or None
        Pearson's r and Kendall's tau-b, which corrects for ties; None if undefined for all
        segments, as for a single system.
    pearson_by_system, kendall_by_system : float or None
        The same by system; None if undefined for all systems.
    pearson_pooled, kendall_pooled : float or None
        Those of all scores.
    scores : int
        How many outputs, of all systems together, have a score under both metrics.
    intervals : dict of str to tuple of two floats, or None
        The confidence interval of each of the six, such as ``intervals["pearson_pooled"]``:
        percentiles of 1,000 bootstrap samples of segments or documents, or of at least 100 if there
        are more than 16,000 outputs; None if most samples have no value. Empty if the report has
        no intervals, or only one segment or document.
    """

    one: str
    other: str
    pearson_by_item: float | None
    kendall_by_item: float | None
    pearson_by_system: float | None
    kendall_by_system: float | None
    pearson_pooled: float | None
    kendall_pooled: float | None
    scores: int
    intervals: Mapping[str, tuple[float, float] | None]

    @classmethod
    def of(
        cls,
        one: str,
        other: str,
        first: Floats,
        second: Floats,
        *,
        documents: Sequence[Hashable] | None = None,
        level: float | None = None,
    ) -> Correlation:
        """Correlate finite numbers of two arrays (systems, segments), in which higher is better.

        Intervals have this confidence level; without one, there are none.
        """
        from truebleu.meta_evaluation.judged import Outputs, Scores
        from truebleu.meta_evaluation.measures import MEASURES
        from truebleu.meta_evaluation.samples import interval_of, samples, units_of
        from truebleu.significance.design import SEED

        known = np.isfinite(first) & np.isfinite(second)
        outputs = Outputs(np.where(known, first, np.nan))
        scores = Scores(np.where(known, second, np.nan))

        measures = {
            f"{kind}_{suffix}": MEASURES[kind + grouping]
            for kind in ("pearson", "kendall")
            for suffix, grouping in _GROUPINGS.items()
        }
        values = {name: each.value(outputs, scores) for name, each in measures.items()}
        intervals: dict[str, tuple[float, float] | None] = {}
        units = units_of(outputs.segments, documents)
        if level is not None and units.any():
            number = min(_MOST, max(_LEAST, _MOST_WEIGHTS // known.size))
            found = [
                [each.values(outputs, scores, weights) for each in measures.values()]
                for weights in samples(units, number, SEED)
            ]
            for name, drawn in zip(measures, np.concatenate(found, axis=1), strict=True):
                intervals[name] = interval_of(drawn, 1 - level)
        return cls(
            one=one,
            other=other,
            scores=int(known.sum()),
            intervals=MappingProxyType(intervals),
            **{name: None if np.isnan(value) else value for name, value in values.items()},
        )

    def __repr__(self) -> str:
        def shown(value: float | None) -> str:
            return "undefined" if value is None else decimals(value, ".3f")

        return (
            f"<Correlation of {self.one} and {self.other}: by item "
            f"Pearson {shown(self.pearson_by_item)}, Kendall {shown(self.kendall_by_item)}; by "
            f"system Pearson {shown(self.pearson_by_system)}, "
            f"Kendall {shown(self.kendall_by_system)}; pooled "
            f"Pearson {shown(self.pearson_pooled)}, Kendall {shown(self.kendall_pooled)}>"
        )
