"""Headings, sentences and tables as text, coloured text, Markdown and HTML.

What is shown is data: whatever is in a token shows as itself.
"""

from __future__ import annotations

from truebleu.frozen import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_COLOURS = {"good": "32", "clipped": "33", "bad": "31", "": ""}
_HTML_COLOURS = {"good": "#15602a", "clipped": "#7a5200", "bad": "#a3181f", "": "inherit"}


class Block(Frozen):
    """A heading, some lines, and a table; each may be missing.

    Parameters
    ----------
    heading : str
    lines : sequence of str
    header : sequence of str
        Of the table.
    rows : sequence of (str, sequence of str)
        A style (``good``, ``clipped``, ``bad`` or none) and the cells.
    """

    __slots__ = ("header", "heading", "lines", "rows")
    header: Sequence[str]
    heading: str
    lines: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]

    def __init__(
        self,
        heading: str,
        lines: Sequence[str] = (),
        header: Sequence[str] = (),
        rows: Sequence[tuple[str, Sequence[str]]] = (),
    ) -> None:
        """Keep the parts."""
        values = {"header": header, "heading": heading, "lines": lines, "rows": rows}
        for name, value in values.items():
            object.__setattr__(self, name, value)


class Shown(Frozen):
    """A result that shows itself in every format."""

    __slots__ = ()

    def blocks(self) -> list[Block]:
        """Return what there is to show, for every format."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """Write it as Markdown."""
        return markdown(self.blocks())

    def to_html(self) -> str:
        """Write it as HTML."""
        return html(self.blocks())

    def __str__(self) -> str:
        """Write it as text."""
        return text(self.blocks()).removesuffix("\n")

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        return self.to_html()


def text(blocks: Sequence[Block]) -> str:
    """Write blocks for a terminal without colours, or a file."""
    return _plain(blocks, lambda line, _: line)


def coloured(blocks: Sequence[Block]) -> str:
    """Write blocks for a terminal."""

    def paint(line: str, style: str) -> str:
        code = "1" if style == "heading" else _COLOURS[style]
        return f"\x1b[{code}m{line}\x1b[0m" if code else line

    return _plain(blocks, paint)


def _plain(blocks: Sequence[Block], paint: Callable[[str, str], str]) -> str:
    out = []
    for block in blocks:
        out.append(paint(_visible(block.heading), "heading"))
        out += [f"  {_visible(line)}" for line in block.lines]
        if not block.rows:
            continue
        rows = [("", block.header), *block.rows]
        cells = [(style, [_visible(cell) for cell in row]) for style, row in rows]
        columns = list(zip(*(row for _, row in cells), strict=True))
        widths = [max(map(_columns, column)) for column in columns]
        for style, row in cells:
            gaps = [" " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=True)]
            rest = [gap + cell for gap, cell in zip(gaps[1:], row[1:], strict=True)]
            line = "  ".join([row[0] + gaps[0], *rest]).rstrip()
            out.append("  " + paint(line, style))
    return "".join(f"{line}\n" for line in out)


def _columns(line: str) -> int:
    """Count the columns of a terminal that a line takes: East Asian letters take two."""
    if line.isascii():
        return len(line)
    from unicodedata import combining, east_asian_width

    return sum(1 + (east_asian_width(c) in "WF") for c in line if not combining(c))


def _visible(line: str) -> str:
    """Show characters that would move the cursor or turn the writing direction as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def markdown(blocks: Sequence[Block]) -> str:
    """Write blocks as Markdown."""
    out: list[str] = []
    for block in blocks:
        out += [f"### {_marked(block.heading)}", ""]
        for line in block.lines:
            out += [_marked(line), ""]
        if block.rows:
            out.append(f"| {' | '.join(map(_marked, block.header))} |")
            out.append("|---|" + "---:|" * (len(block.header) - 1))
            out += [f"| {' | '.join(map(_marked, row))} |" for _, row in block.rows]
            out.append("")
    return "\n".join(out)


_MARKUP = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#&~"})


def _marked(line: str) -> str:
    return _visible(line).translate(_MARKUP)


def html(blocks: Sequence[Block]) -> str:
    """Write blocks as HTML, to be shown in a page or a notebook."""
    from html import escape

    out = ["<div>"]
    for block in blocks:
        out.append(f"<h4>{escape(_visible(block.heading))}</h4>")
        out += [f"<p>{escape(_visible(line))}</p>" for line in block.lines]
        if block.rows:
            header = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in block.header)
            out.append(f"<table><thead><tr>{header}</tr></thead><tbody>")
            for style, row in block.rows:
                cells = "".join(f"<td>{escape(_visible(cell))}</td>" for cell in row)
                out.append(f'<tr style="color:{_HTML_COLOURS[style]}">{cells}</tr>')
            out.append("</tbody></table>")
    return "".join([*out, "</div>"])
