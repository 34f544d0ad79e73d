"""The texts that a metric counts, in whatever form they are given."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from truebleu._core import Lines


class Corpora:
    """The texts of one or several systems, and the references that they share.

    `references` are those of each segment; `streams`, instead, are whole translations. With
    `lines`, systems and references are files that are being read, of which so many lines are
    counted. If they are `checked`, the metric warns of references that are probably transposed.
    """

    __slots__ = ("checked", "lines", "references", "streams", "systems", "threads")

    def __init__(
        self,
        systems: Sequence[Any],
        references: Any,
        streams: Any,
        threads: int,
        *,
        lines: int | None = None,
        checked: bool = False,
    ) -> None:
        self.systems, self.references, self.streams = systems, references, streams
        self.threads, self.lines, self.checked = threads, lines, checked

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the texts of each system, its references and its streams."""
        if self.lines is None:
            yield from ((system, self.references, self.streams) for system in self.systems)
            return
        streams = [lines.texts(self.lines) for lines in self.references]
        yield from ((lines.texts(self.lines), None, streams) for lines in self.systems)

    def converted(self, convert: Callable[[Lines, int], Lines]) -> Corpora:
        """Return the same with other lines of each file."""
        count = self.lines or 0
        systems, references = (
            [convert(lines, count) for lines in files] for files in (self.systems, self.references)
        )
        return Corpora(systems, references, None, self.threads, lines=self.lines)
