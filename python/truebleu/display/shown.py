"""Results that show themselves."""

from __future__ import annotations

from truebleu.display import markup, text
from truebleu.display.result import Result
from truebleu.record import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.display.blocks import Block


class Shown(Result):
    """A result that shows itself as text, as Markdown, and in a notebook."""

    __slots__ = ()

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Write it as Markdown."""
        return markup.markdown(self.blocks())

    def to_html(self) -> str:
        """Write it as HTML."""
        return markup.html(self.blocks())

    def __repr__(self) -> str:
        """Show the score, if it is about one, or the fields."""
        if "score" not in self._fields:
            return super().__repr__()
        return shortened(f"<{type(self).__name__}: {getattr(self, 'score')}>")  # noqa: B009

    def __str__(self) -> str:
        """Write it as text."""
        return text.plain(self.blocks()).removesuffix("\n")

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        return self.to_html()
