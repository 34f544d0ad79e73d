"""The n-grams of a corpus pair by pair, for rules of other tools that Chrf has no setting for."""

from __future__ import annotations

import numpy as np

from truebleu._core import Engine
from truebleu.inputs.numbers import thread_count
from truebleu.metrics import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from truebleu.metrics.chrf.metric import Chrf

    Counts = NDArray[np.int64]


class Pairs:
    """The n-grams of each hypothesis and each of its references, in the order of segments.

    Counts have the shape (pairs, orders), with orders of characters before those of words; `counts`
    has those of hypotheses, references and both in a third dimension.
    `skipped` says where the reference has no n-gram of an order: sacreBLEU ignores the hypothesis
    there. With `only_spaces`, U+0020 and whitespace at both ends are removed, not all whitespace.
    """

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        chrf: Chrf,
        *,
        only_spaces: bool = False,
        threads: int | None = None,
    ) -> None:
        texts: Sequence[str] = hypotheses
        targets: Sequence[Any] = references
        self.segments = np.arange(len(references))
        if max(map(len, references), default=1) > 1:
            self.segments = self.segments.repeat(list(map(len, references)))
            texts = [texts[segment] for segment in self.segments.tolist()]
            targets = [text for several in references for text in several]
        engine = Engine.chrf(
            char_order=chrf.char_order,
            word_order=chrf.word_order,
            squared_beta=0.0,
            lowercase=chrf.lowercase,
            whitespace=None if only_spaces else chrf.whitespace,
            eps_smoothing=False,
            unicode_form=chrf.unicode_form,
        )
        counts = _count(engine, texts, targets, threads)
        # A reference that has some orders lacks the highest ones.
        highest = counts[:, [chrf.char_order - 1, -1], 1]
        incomplete = np.flatnonzero((highest == 0).any(axis=1))
        if len(incomplete):
            # A text compared with itself has the n-grams that sacreBLEU ignores, too.
            again = [texts[pair] for pair in incomplete.tolist()]
            counts = counts.copy()
            counts[incomplete, :, 0] = _count(engine, again, again, threads)[:, :, 1]
        self.counts: Counts = counts

    hypotheses = property(lambda self: self.counts[:, :, 0])
    references = property(lambda self: self.counts[:, :, 1])
    matches = property(lambda self: self.counts[:, :, 2])
    skipped = property(lambda self: self.references == 0)

    def only(self, places: Sequence[int]) -> Pairs:
        """Return the pairs with the references at these places of every segment."""
        starts = np.searchsorted(self.segments, self.segments)
        return self.take(np.flatnonzero(np.isin(np.arange(len(starts)) - starts, places)))

    def take(self, indices: NDArray[np.intp]) -> Pairs:
        """Return some of the pairs."""
        taken = object.__new__(type(self))
        for name, values in vars(self).items():
            setattr(taken, name, values[indices])
        return taken

    def best(self, scores: NDArray[np.floating]) -> NDArray[np.intp]:
        """Return for each segment the pair with the highest score; of equal ones, the first."""
        if (np.diff(self.segments) > 0).all():
            return np.arange(len(self.segments))
        # Sorted by segment, then from the highest score to the lowest; the sort is stable.
        order = np.lexsort((-scores, self.segments))
        _, first = np.unique(self.segments[order], return_index=True)
        chosen: NDArray[np.intp] = order[first]
        return chosen


def _count(
    engine: Engine, texts: Sequence[str], targets: Sequence[Any], threads: int | None
) -> Counts:
    """Count pairs in the core; return an array of shape (pairs, orders, 3)."""
    rows, _, _ = core.count(engine, texts, targets, None, thread_count(threads), each=True)
    return np.frombuffer(rows, "<i8").reshape(len(texts), -1, 3)
