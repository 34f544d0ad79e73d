"""Headings, sentences and tables as text, coloured text, Markdown and HTML.

What is shown is data: whatever is in a token shows as itself.
"""

from __future__ import annotations

from truebleu.record import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_COLOURS = {"good": "32", "clipped": "33", "bad": "31", "": ""}

# A line across the table.
RULE: tuple[str, Sequence[str]] = ("rule", ())


class Block(Frozen):
    """A heading, some lines, and a table; each may be missing.

    Parameters
    ----------
    heading : str
    lines : sequence of str
    header : sequence of str
        Of the table.
    rows : sequence of (str, sequence of str)
        A style (``good``, ``clipped``, ``bad`` or none) and the cells; :data:`RULE` is a line
        between two rows, where the format has such lines.
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


def tsv(blocks: Sequence[Block]) -> str:
    """Write the tables as tab-separated values, an empty line between two."""
    tables = [
        "".join("\t".join(map(_one_cell, row)) + "\n" for row in _rows(block))
        for block in blocks
        if block.rows
    ]
    return "\n".join(tables)


def _one_cell(cell: str) -> str:
    return cell.translate({9: " ", 10: " ", 13: " "})


def latex(blocks: Sequence[Block]) -> str:
    r"""Write the tables for a document with ``\usepackage{booktabs}``; the rest is the caption."""
    said = [line for block in blocks if not block.rows for line in block.lines]
    out = []
    for block in blocks:
        if not block.rows:
            continue
        rows = [
            r"\midrule" if not row else " & ".join(map(latex_text, row)) + r" \\"
            for _, row in block.rows
        ]
        header = " & ".join(map(latex_text, block.header)) + r" \\"
        columns = "l" + "r" * (len(block.header) - 1)
        sentences = [line[:1].upper() + line[1:] for line in (block.heading, *block.lines)]
        caption = ". ".join(map(latex_text, [*sentences, *said]))
        out += [
            r"\begin{table}",
            rf"\begin{{tabular}}{{{columns}}}",
            *(r"\toprule", header, r"\midrule", *rows, r"\bottomrule"),
            r"\end{tabular}",
            rf"\caption{{{caption}.}}",
            r"\end{table}",
        ]
    return "".join(f"{line}\n" for line in out)


_LATEX_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        # A signature is long and has no spaces.
        "|": r"\textbar\allowbreak{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "≤": r"$\le$",
        **{c: f"\\{c}" for c in "&%$#_{}"},
    }
)


def latex_text(text: str) -> str:
    """Write text so that LaTeX shows it as it is."""
    return text.translate(_LATEX_SPECIAL)


def _rows(block: Block) -> list[Sequence[str]]:
    """Return the rows that have cells, the header first."""
    return [block.header, *(row for _, row in block.rows if row)]


def _plain(blocks: Sequence[Block], paint: Callable[[str, str], str]) -> str:
    out = []
    for block in blocks:
        out.append(paint(visible(block.heading), "heading"))
        out += [f"  {visible(line)}" for line in block.lines]
        if not block.rows:
            continue
        columns = zip(*_rows(block), strict=True)
        widths = [max(_columns(visible(cell)) for cell in column) for column in columns]
        for style, cells in [("", block.header), *block.rows]:
            if not cells:
                out.append("  " + "-" * (sum(widths) + 2 * len(widths) - 2))
                continue
            row = [visible(cell) for cell in cells]
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


def visible(line: str) -> str:
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
            rule = ["---"] * len(block.header)
            cells = [list(map(_marked, row)) or rule for _, row in block.rows]
            out += [f"| {' | '.join(row)} |" for row in cells]
            out.append("")
    return "\n".join(out)


_MARKUP = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#&~"})


def _marked(line: str) -> str:
    return visible(line).translate(_MARKUP)


def opening() -> str:
    """Begin what is shown in a page or a notebook; ``</div>`` ends it."""
    return f'<div class="truebleu"><style>{stylesheet()}</style>'


def stylesheet() -> str:
    """Return the look of everything that is shown as HTML."""
    from pathlib import Path

    return (Path(__file__).parent / "look.css").read_text("utf-8")


def html(blocks: Sequence[Block]) -> str:
    """Write blocks as HTML, to be shown in a page or a notebook."""
    from html import escape

    out = [opening()]
    for block in blocks:
        out.append(f"<h4>{escape(visible(block.heading))}</h4>")
        out += [f"<p>{escape(visible(line))}</p>" for line in block.lines]
        if block.rows:
            header = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in block.header)
            out.append(f"<table><thead><tr>{header}</tr></thead><tbody>")
            for style, row in block.rows:
                if not row:
                    out.append(f'<tr class="rule"><td colspan="{len(block.header)}"><hr></td></tr>')
                    continue
                cells = "".join(f"<td>{escape(visible(cell))}</td>" for cell in row)
                out.append(f'<tr class="{style}">{cells}</tr>' if style else f"<tr>{cells}</tr>")
            out.append("</tbody></table>")
    return "".join([*out, "</div>"])
