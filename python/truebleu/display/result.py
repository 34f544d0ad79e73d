"""Results that a notebook shows as a table of their fields."""

from __future__ import annotations

from truebleu.record import Record, brief

# Characters of a field in a table.
_MOST = 400


class Result(Record):
    """A value that a notebook shows as a table of its fields."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        from truebleu.display import markup
        from truebleu.display.blocks import Block

        rows = [("", (name, brief(getattr(self, name), _MOST))) for name in self._fields]
        table = Block(type(self).__name__, header=("field", "value"), rows=rows, align="ll")
        return markup.html([table])
