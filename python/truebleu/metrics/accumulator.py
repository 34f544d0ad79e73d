"""The score of a corpus that comes in batches."""

from __future__ import annotations

from truebleu.errors import EmptyInputError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from truebleu.metrics.bleu import Bleu
    from truebleu.metrics.score import BleuScore
    from truebleu.metrics.stats import BleuStats


class BleuAccumulator:
    """The score of a corpus that comes in batches; memory does not grow.

    Examples
    --------
    >>> from truebleu import Bleu, BleuAccumulator
    >>> running = BleuAccumulator(Bleu())
    >>> for batch in (["One two three four."], ["Five six seven eight."]):
    ...     running.add(batch, batch)
    >>> running.score().score
    100.0
    """

    def __init__(self, bleu: Bleu) -> None:
        """Begin with nothing."""
        self._bleu = bleu
        self._stats: BleuStats | None = None

    @property
    def stats(self) -> BleuStats | None:
        """The sum so far; None before the first batch."""
        return self._stats

    def add(self, hypotheses: Iterable[Any], references: Iterable[Any]) -> None:
        """Add a batch; parameters and errors are those of :meth:`Bleu.corpus`."""
        batch = self._bleu.count(hypotheses, references, check=None).sum()
        self._stats = batch if self._stats is None else self._stats + batch

    def score(self) -> BleuScore:
        """Score what has been added so far.

        Raises
        ------
        EmptyInputError
            If nothing has been added.
        """
        if self._stats is None:
            raise EmptyInputError("nothing has been added yet")
        return self._bleu.score(self._stats)
