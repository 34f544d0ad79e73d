"""Results that are printed, and shown in a notebook, as a table of their fields."""

from __future__ import annotations

from truebleu.record import Record, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.display.blocks import Block

# Characters of a field in a table.
_MOST = 400


class Result(Record):
    """A value that is printed, and shown in a notebook, as a table of its fields."""

    __slots__ = ()

    def __str__(self) -> str:
        """Write the fields as a table."""
        from truebleu.display import text

        return text.plain([self._table()]).removesuffix("\n")

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        from truebleu.display import markup

        return markup.html([self._table()])

    def _table(self) -> Block:
        from truebleu.display.blocks import Block

        rows = [("", (name, brief(getattr(self, name), _MOST))) for name in self._fields]
        return Block(type(self).__name__, header=("field", "value"), rows=rows, align="ll")
