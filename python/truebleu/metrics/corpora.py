"""The texts that a metric counts, in whatever form they are given."""

from __future__ import annotations

from truebleu._core import Observed
from truebleu.errors import InputTypeError, LengthMismatchError
from truebleu.inputs.checks import BATCHES, HYPOTHESES
from truebleu.inputs.numbers import thread_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from truebleu._core import Lines

    # Rows as little-endian int64, and the smallest and largest number of references of a segment.
    Counted = tuple[bytes, int, int]


class Corpora:
    """The texts of one or several systems, and the references that they share.

    `references` are those of each segment; `streams`, instead, are whole translations. With
    `lines`, systems and references are files that are being read, of which so many lines are
    counted. What has a name is looked at, and warned about: the name of a system, or None for one
    of many batches. Callers that count in pieces pass what has `observed` each system instead, and
    warn at the end.
    """

    __slots__ = ("lines", "names", "observed", "references", "streams", "systems", "threads")

    def __init__(
        self,
        systems: Sequence[Any],
        references: Any,
        streams: Any = None,
        threads: int | None = None,
        *,
        lines: int | None = None,
        names: Sequence[str | None] = (),
        observed: Sequence[Observed] = (),
    ) -> None:
        self.systems, self.references, self.streams = systems, references, streams
        self.threads, self.lines, self.names = thread_count(threads), lines, names
        self.observed = observed or [Observed() for _ in names]

    @classmethod
    def batch(cls, hypotheses: Any, *corpus: Any) -> Corpora:
        """Return one of many batches, of which some are looked at."""
        observed = BATCHES.next()
        seen = [] if observed is None else [observed]
        return cls([hypotheses], *corpus, names=[None for _ in seen], observed=seen)

    def one_by_one(self, count: Callable[..., Counted]) -> list[Counted]:
        """Count each system, given its texts, references, streams, and what observes it."""
        references, streams = self.references, self.streams
        if self.lines is not None:
            references, streams = None, [lines.texts(self.lines) for lines in self.references]
        counted = []
        for number, system in enumerate(self.systems):
            name = self.names[number] if self.names else None
            observed = self.observed[number] if self.observed else None
            texts = system if self.lines is None else system.texts(self.lines)
            try:
                counted.append(count(texts, references, streams, observed))
            except (InputTypeError, LengthMismatchError) as error:
                if name in (None, HYPOTHESES):
                    raise
                raise type(error)(f"{name}: {error}") from error
        return counted

    def unobserved(self) -> Corpora:
        """Return the same, which nothing looks at."""
        corpus = self.systems, self.references, self.streams, self.threads
        return Corpora(*corpus, lines=self.lines)

    def converted(self, convert: Callable[[Lines, int], Lines]) -> Corpora:
        """Return the same with other lines of each file, which nothing looks at."""
        count = self.lines or 0
        systems, references = (
            [convert(lines, count) for lines in files] for files in (self.systems, self.references)
        )
        return Corpora(systems, references, None, self.threads, lines=self.lines)
