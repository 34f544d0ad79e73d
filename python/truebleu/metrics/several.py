"""Several metrics: results by their names, and metrics that are counted together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from truebleu.errors import SettingsError, WarnOnce
from truebleu.metrics.metric import Metric
from truebleu.metrics.registry import METRICS, metrics_of
from truebleu.metrics.stats import Stats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    from truebleu._core import Observed
    from truebleu.metrics.corpora import Corpora, Counted
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score

    ResultT_co = TypeVar("ResultT_co", covariant=True)


class Several(Metric):
    """Metrics of which each text is read once, and whose rows stand side by side.

    A field is called as in ``bleu_hyp_len``.
    """

    __slots__ = ("parts",)
    parts: tuple[Metric, ...]

    def __init__(self, metrics: Iterable[Metric | MetricName]) -> None:
        parts = tuple(metrics_of(metrics).values())
        if any(each.segment_only for each in parts):
            raise SettingsError("one of the metrics is only defined for one segment: leave it out")
        self._fill(parts=parts)

    @property
    def identifier(self) -> str:  # type: ignore[override]
        """Those of all."""
        return "_".join(each.identifier for each in self.parts)

    @property
    def fields(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of all, each after the identifier of its metric."""
        return tuple(f"{each.identifier}_{name}" for each in self.parts for name in each.fields)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.parts,)

    @property
    def counting_key(self) -> str:
        """The keys of all."""
        return " ".join(each.counting_key for each in self.parts)

    def _rows_of(self, corpora: Corpora, *, each: bool) -> Sequence[Counted]:
        # All read the same text, so one of them observes it.
        rest = corpora.unobserved()
        found = [
            metric._rows_of(rest if number else corpora, each=each)
            for number, metric in enumerate(self.parts)
        ]
        return [self._beside(of_system) for of_system in zip(*found, strict=True)]

    def _beside(self, counted: Sequence[Counted]) -> Counted:
        """Put the rows of all metrics side by side."""
        tables = [
            np.frombuffer(rows, "<i8").reshape(-1, len(each.fields))
            for each, (rows, *_) in zip(self.parts, counted, strict=True)
        ]
        return np.hstack(tables).tobytes(), *counted[0][1:]

    def _check_observed(self, observed: Observed, name: str | None, *_: Any) -> None:
        with WarnOnce():
            for metric in self.parts:
                metric._check_observed(observed, name, b"")

    def _row_scores(self, rows: bytes, *, segment: bool = False) -> bytes:
        names = ", ".join(each.name for each in self.parts)
        raise SettingsError(
            f"{names}: several metrics at once are for the functions corpus_score and stats; call "
            "this for each of them"
        )

    def split(self, stats: Stats) -> list[Stats]:
        """Return the statistics of each metric."""
        ends = np.cumsum([len(each.fields) for each in self.parts])[:-1]
        tables = np.split(stats.to_numpy(), ends, axis=1)
        return [
            Stats(table.astype("<i8").tobytes(), each, stats.fewest, stats.most)
            for each, table in zip(self.parts, tables, strict=True)
        ]

    def by_name(self, stats: Stats) -> dict[str, Score]:
        """Score the sum of rows by each metric; by its name."""
        rows = self.split(stats.sum())
        return {each.name: each.score(row) for each, row in zip(self.parts, rows, strict=True)}


# It is no public name of the package.
Several.__module__ = __name__


class ByMetric(Mapping[str, "ResultT_co"]):
    """A mapping from the names of metrics to results."""

    @property
    def _by_name(self) -> Mapping[str, ResultT_co]:
        """The results by the metric's name for display."""
        raise NotImplementedError

    def __getitem__(self, metric: str) -> ResultT_co:
        """Return the result under a metric, called ``chrF2++`` or ``chrf++``."""
        known = self._by_name.get(metric)
        if known is None and metric in METRICS:
            known = self._by_name.get(METRICS[metric]().name)
        if known is None:
            raise KeyError(f"there is no metric {metric!r}; there are {', '.join(self)}")
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)
