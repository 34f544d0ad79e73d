"""Results under several metrics, by the name of the metric."""

from __future__ import annotations

from collections.abc import Mapping

from truebleu.metrics.registry import METRICS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import TypeVar

    ResultT_co = TypeVar("ResultT_co", covariant=True)


class ByMetric(Mapping[str, "ResultT_co"]):
    """A mapping from the names of metrics to results."""

    @property
    def _by_name(self) -> Mapping[str, ResultT_co]:
        """The results by the metric's name for display."""
        raise NotImplementedError

    def __getitem__(self, metric: str) -> ResultT_co:
        """Return the result under a metric.

        Its name is as in scores, such as ``chrF2++``, or as in ``metrics=``, such as ``chrf++``.
        """
        known = self._by_name.get(metric)
        if known is None and metric in METRICS:
            known = self._by_name.get(METRICS[metric]().name)
        if known is None:
            raise KeyError(f"there is no metric {metric!r}; there are {', '.join(self)}")
        return known

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the metrics."""
        return iter(self._by_name)

    def __len__(self) -> int:
        """Return the number of metrics."""
        return len(self._by_name)
