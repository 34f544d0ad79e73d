"""How far two metrics agree about segments: Pearson's r and Kendall's tau."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from truebleu.display.formatting import decimals
from truebleu.display.shown import Result

Floats = NDArray[np.float64]


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

    @classmethod
    def of(cls, one: str, other: str, first: Floats, second: Floats) -> Correlation:
        """Correlate finite numbers of two arrays (systems, segments), in which higher is better."""
        from truebleu.meta_evaluation.judged import Outputs, Scores
        from truebleu.meta_evaluation.measures import MEASURES

        known = np.isfinite(first) & np.isfinite(second)
        outputs = Outputs(np.where(known, first, np.nan))
        scores = Scores(np.where(known, second, np.nan))

        def measured(name: str) -> float | None:
            value = MEASURES[name].value(outputs, scores)
            return None if np.isnan(value) else value

        return cls(
            one=one,
            other=other,
            pearson_by_item=measured("pearson:item"),
            kendall_by_item=measured("kendall:item"),
            pearson_by_system=measured("pearson:system"),
            kendall_by_system=measured("kendall:system"),
            pearson_pooled=measured("pearson"),
            kendall_pooled=measured("kendall"),
            scores=int(known.sum()),
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
