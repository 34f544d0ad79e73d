"""Scoring a corpus batch by batch."""

from __future__ import annotations

from truebleu.errors import EmptyInputError
from truebleu.metrics.registry import metric_of

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from truebleu.metrics.base import Metric
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.score import Score
    from truebleu.metrics.stats import Stats


class Accumulator:
    """Scores a corpus batch by batch, in constant memory.

    Parameters
    ----------
    metric : Metric or str, default "bleu"
        The metric, or its name.

    Examples
    --------
    >>> from truebleu import Accumulator, Bleu
    >>> running = Accumulator(Bleu())
    >>> for batch in (["One two three four."], ["Five six seven eight."]):
    ...     running.add(batch, batch)
    >>> running.score().score
    100.0
    """

    __module__ = "truebleu"

    def __init__(self, metric: Metric | MetricName = "bleu") -> None:
        """Start with an empty corpus."""
        self._metric = metric_of(metric, {})
        self._stats: Stats | None = None

    @property
    def stats(self) -> Stats | None:
        """The sum of the rows so far; None before the first batch."""
        return self._stats

    def add(
        self,
        hypotheses: Iterable[Any],
        references: Iterable[Any] | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
    ) -> None:
        """Add a batch; parameters and errors are those of :meth:`Metric.corpus`."""
        batch = self._metric.count_stats(hypotheses, references, reference_streams, threads).sum()
        self._stats = batch if self._stats is None else self._stats + batch

    def score(self) -> Score:
        """Score all batches so far.

        Returns
        -------
        Score

        Raises
        ------
        EmptyInputError
            If no batch has been added.
        """
        if self._stats is None:
            raise EmptyInputError("nothing has been added yet")
        return self._metric.score(self._stats)
