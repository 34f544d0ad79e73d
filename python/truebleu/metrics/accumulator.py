"""Scoring a corpus batch by batch."""

from __future__ import annotations

from _thread import allocate_lock

from truebleu.errors import EmptyInputError, InputTypeError, StatsMismatchError
from truebleu.metrics.corpora import Corpora
from truebleu.metrics.registry import metric_of
from truebleu.record import Generic, added_attributes
from truebleu.suggestions import add_hints, check_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, Never, overload

    from truebleu.inputs.ragged import Ragged
    from truebleu.metrics.bleu.score import BleuScore
    from truebleu.metrics.chrf.score import ChrfScore
    from truebleu.metrics.metric import Metric, ScoreT_co
    from truebleu.metrics.registry import MetricName
    from truebleu.metrics.stats import Stats
    from truebleu.metrics.ter.score import TerScore


class Accumulator(Generic["ScoreT_co"]):
    """Scores a corpus batch by batch, in constant memory.

    Accumulators of the same metric can be merged, for example those of several processes. Threads
    may share one.

    Parameters
    ----------
    metric : Metric or str, default "bleu"
        The metric, or its name.

    Examples
    --------
    >>> from truebleu import Accumulator
    >>> running, other = Accumulator("chrf"), Accumulator("chrf")
    >>> for batch in (["One two three four."], ["Five six seven eight."]):
    ...     running.add(batch, batch)
    >>> other.add(["Nine"], ["Ten"])
    >>> round(running.score(), 2)
    100.0
    >>> running.merge(other)
    >>> round(running.score(), 2)
    97.75
    """

    __module__ = "truebleu"

    if TYPE_CHECKING:

        @overload
        def __init__(self: Accumulator[BleuScore], metric: Literal["bleu"] = ...) -> None: ...
        @overload
        def __init__(self: Accumulator[ChrfScore], metric: Literal["chrf", "chrf++"]) -> None: ...
        @overload
        def __init__(self: Accumulator[TerScore], metric: Literal["ter"]) -> None: ...
        @overload
        def __init__(self: Accumulator[Any], metric: MetricName) -> None: ...
        @overload
        def __init__(self, metric: Metric[ScoreT_co]) -> None: ...

    def __init__(self, metric: Any = "bleu") -> None:
        self._metric: Metric[Any] = metric_of(metric, {})
        self._stats: Stats | None = None
        self._lock = allocate_lock()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes, but not the lock: each copy has its own."""
        attributes = added_attributes(self, Accumulator) or {}
        del attributes["_lock"]
        return attributes

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self._lock = allocate_lock()
        for name, value in attributes.items():
            setattr(self, name, value)

    @property
    def metric(self) -> Metric[ScoreT_co]:
        """The metric."""
        return self._metric

    @property
    def stats(self) -> Stats | None:
        """The sum of the rows so far; None before the first batch."""
        return self._stats

    def add(
        self,
        hypotheses: Iterable[Any] | Ragged,
        references: Iterable[Any] | Ragged | None = None,
        *,
        reference_streams: Iterable[Iterable[Any]] | None = None,
        threads: int | None = None,
        **unknown: Never,
    ) -> None:
        """Add a batch; parameters and errors are those of :meth:`Metric.corpus`."""
        check_arguments(unknown, Accumulator.add)
        corpora = Corpora.batch(hypotheses, references, reference_streams, threads)
        [batch] = self._metric._count(corpora, each=False)
        self._add(batch)

    def _add(self, batch: Stats) -> None:
        with self._lock:
            self._stats = batch if self._stats is None else self._stats + batch

    def merge(self, other: Accumulator[Any]) -> None:
        """Add everything that has been added to another accumulator, which stays as it is.

        Parameters
        ----------
        other : Accumulator

        Raises
        ------
        StatsMismatchError
            If the two have different metrics.
        InputTypeError
            If it is no accumulator.
        """
        if not isinstance(other, Accumulator):
            raise InputTypeError(f"other is of type {type(other).__name__}, not Accumulator")
        if other.metric != self._metric:
            raise StatsMismatchError(
                f"this accumulator is one of {self._metric!r}, the other of {other.metric!r}"
            )
        # Read once, without its lock: two may be merged into each other at the same time.
        batch = other.stats
        if batch is not None:
            self._add(batch)

    def score(self) -> ScoreT_co:
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
        score: ScoreT_co = self._metric.score(self._stats)
        return score

    def __str__(self) -> str:
        return repr(self)[len(f"<{type(self).__name__}: ") : -1]

    def __repr__(self) -> str:
        shown = f"{self._metric.name}, empty" if self._stats is None else str(self.score())
        return f"<{type(self).__name__}: {shown}>"

    def _repr_html_(self) -> str:
        from truebleu.display import markup
        from truebleu.display.blocks import Block

        if self._stats is None:
            return markup.html([Block(lines=[repr(self)])])
        return str(self.score().to_html())


add_hints(Accumulator)
