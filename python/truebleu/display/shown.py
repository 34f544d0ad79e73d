"""Results that show themselves: as text, as Markdown, and in a notebook."""

from __future__ import annotations

from truebleu.record import Record, brief, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from truebleu.display.blocks import Block

# Characters of a field in a table.
_MOST = 400


class Result(Record):
    """A value that is printed, and shown in a notebook, as a table of its fields."""

    __slots__ = ()

    def __str__(self) -> str:
        from truebleu.display import text

        return text.plain([self._table()]).removesuffix("\n")

    def _repr_html_(self) -> str:
        from truebleu.display import markup

        return markup.html([self._table()])

    def _table(self) -> Block:
        from truebleu.display.blocks import Block

        rows = [("", (name, brief(getattr(self, name), _MOST))) for name in self._fields]
        return Block(type(self).__name__, header=("field", "value"), rows=rows, align="ll")


class Written:
    """What can be written in several formats."""

    __slots__ = ()

    def to_markdown(self) -> str:
        """Write it as Markdown."""
        from truebleu.display import markup

        return markup.markdown(self._written())

    def to_html(self) -> str:
        """Write it as HTML."""
        from truebleu.display import markup

        return markup.html(self._written())

    def to_latex(self, label: str = "") -> str:
        r"""Write it as LaTeX, for a document with ``\usepackage{booktabs}``.

        With a label, tables are floats, and the document needs the package graphicx, too.
        """
        from truebleu.display import markup

        return markup.latex(self._written(), label)

    def to_csv(self) -> str:
        """Write its tables as comma-separated values, with an empty line between two."""
        from truebleu.display import formats

        return formats.comma_separated(self._tables())

    def _written(self) -> list[Block]:
        """Return what is written in these formats."""
        raise NotImplementedError

    def _tables(self) -> list[Block]:
        """Return the blocks whose tables programs read."""
        return self._written()


class Shown(Result, Written):
    """A result that shows itself as text, as Markdown, and in a notebook."""

    __slots__ = ()

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        raise NotImplementedError

    def _written(self) -> list[Block]:
        return self.blocks()

    def __repr__(self) -> str:
        if "score" not in self._fields:
            return super().__repr__()
        return shortened(f"<{type(self).__name__}: {getattr(self, 'score')}>")  # noqa: B009

    def __str__(self) -> str:
        from truebleu.display import text

        return text.plain(self.blocks()).removesuffix("\n")

    def _repr_html_(self) -> str:
        return self.to_html()
