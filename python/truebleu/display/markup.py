"""Blocks as Markdown, HTML and LaTeX."""

from __future__ import annotations

import re
from types import MappingProxyType

from truebleu.display import forest, tokens
from truebleu.display.blocks import kind_of, said_once, signed, text_of, without_leads
from truebleu.display.formatting import MINUS, with_minus
from truebleu.display.text import visible, width
from truebleu.errors import wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from truebleu.display.blocks import Block, Line


def markdown(blocks: Sequence[Block]) -> str:
    """Write blocks as Markdown."""
    out: list[str] = []
    for block in without_leads(said_once(blocks)):
        if block.heading:
            out += [f"### {_markdown_text(block.heading)}", ""]
        for line in block.lines:
            out += [_markdown_line(line), ""]
        if block.rows:
            sides = ("---" if side == "l" else "---:" for side in block.align)
            # There are no lines across a table.
            rows = (signed(row, block.align) for _, row in block.rows if row)
            cells = [map(_markdown_cell, row) for row in rows]
            out.append(f"| {' | '.join(map(_markdown_text, block.header))} |")
            out.append(f"|{'|'.join(sides)}|")
            out += [f"| {' | '.join(row)} |" for row in cells]
            out.append("")
    return "\n".join(out)


_MARKDOWN_SPECIAL = frozenset("\\`*_[]<>|#&~")


def _markdown_text(text: str) -> str:
    text = visible(text)
    out = []
    for place, c in enumerate(text):
        # An underscore inside a word is no markup.
        in_word = text[place - 1 : place].isalnum() and text[place + 1 : place + 2].isalnum()
        out.append(f"\\{c}" if c in _MARKDOWN_SPECIAL and not (c == "_" and in_word) else c)
    return "".join(out)


def _markdown_cell(cell: Line) -> str:
    text = _markdown_text(text_of(cell))
    return f"**{text}**" if kind_of(cell) == "best" else text


def _markdown_line(line: Line) -> str:
    if kind_of(line) != "code":
        return _markdown_text(text_of(line))
    code = visible(text_of(line))
    return f"`` {code} ``" if "`" in code else f"`{code}`"


# Tables with so many columns need no frame.
_NARROW = 4

_SIDES = {"l": "left", "r": "right"}


def html(blocks: Sequence[Block]) -> str:
    """Write blocks as HTML, to be shown in a page or a notebook."""
    marked = [
        line for block in blocks for line in block.lines if isinstance(line, tokens.MarkedText)
    ]
    figure = any(block.intervals and not block.folded for block in blocks)
    out = [opening(figure=figure), tokens.legend(marked)]
    for block in said_once(blocks):
        if block.folded:
            out.append(f"<details><summary>{_html_text(_capital(block.heading))}</summary>")
        elif block.heading:
            out.append(f"<h4>{_html_text(_capital(block.heading))}</h4>")
        # What explains a drawing stands below it.
        below = [
            text_of(line)
            for line in block.lines
            if kind_of(line) == "note" and block.intervals and not block.folded
        ]
        for line in block.lines:
            if isinstance(line, tokens.MarkedText):
                out.append(tokens.paragraph(line))
            elif kind_of(line) != "note" or not below:
                text = text_of(line)
                said = with_minus(_capital(text) if kind_of(line) == "note" else text)
                is_code = kind_of(line) == "code"
                shown = f"<code>{_html_text(text)}</code>" if is_code else _html_text(said)
                lead = ' class="lead"' if kind_of(line) == "lead" else ""
                out.append(f"<p{lead}>{shown}</p>")
        out += _html_table(block, framed=figure)
        if below:
            note = "; ".join([_capital(below[0]), *map(with_minus, below[1:])])
            stop = "" if note.endswith((".", "?")) else "."
            out.append(f'<p class="note">{_html_text(note)}{stop}</p>')
        out += ["</details>"] * block.folded
    return "".join([*out, "</div>"])


def _capital(text: str) -> str:
    """Begin a heading or an explanation as a sentence, unless that begins with a name."""
    first = text.partition(" ")[0].rstrip(",")
    named = ":" in first or not first.isalpha() or not first.islower() or len(first) == 1
    return text if named else text[0].upper() + text[1:]


def _html_text(line: str) -> str:
    from html import escape  # Its table of entities would cost every command 2 ms.

    return escape(visible(line))


def _html_table(block: Block, *, framed: bool) -> Iterator[str]:
    if not block.rows:
        return
    table = html_table(block)
    if not ((block.intervals and not block.folded) or (framed and len(block.header) > _NARROW)):
        yield table
        return
    name = _html_text(block.heading)
    yield f'<div class="frame" role="region" aria-label="{name}" tabindex="0">{table}</div>'


def html_table(block: Block, heads: Mapping[str, str] = MappingProxyType({})) -> str:
    """Write the table of a block; `heads` are headers that are marked up already."""
    # The style sheet aligns the first column to the left, and the others to the right.
    usual = "l" + "r" * len(block.header)
    sides = [
        "" if side == default else f' class="{_SIDES[side]}"'
        for side, default in zip(block.align, usual, strict=False)
    ]
    drawn = {
        number: forest.column(
            block.intervals[name], _html_text(name), differences=name == block.differences
        )
        for number, name in enumerate(block.header)
        if name in block.intervals and not block.folded
    }

    def joined(cells: Iterable[str], tag: str) -> str:
        """Draw beside a cell."""
        figures = {n: f'<{tag} class="forest">{next(each)}</{tag}>' for n, each in drawn.items()}
        return "".join(f"{each}{figures.get(n, '')}" for n, each in enumerate(cells))

    header = joined(
        (
            f'<th scope="col"{side}>{heads.get(cell) or _html_text(cell)}</th>'
            for side, cell in zip(sides, block.header, strict=True)
        ),
        "th",
    )
    out = [f"<table{' class=systems' * bool(drawn)}><thead><tr>{header}</tr></thead><tbody>"]
    for style, row in block.rows:
        if not row:
            columns = len(block.header) + len(drawn)
            out.append(f'<tr class="rule"><td colspan="{columns}"><hr></td></tr>')
            continue
        cells = joined(map(_html_cell, signed(row, block.align), sides), "td")
        out.append(f'<tr class="{style}">{cells}</tr>' if style else f"<tr>{cells}</tr>")
    return "".join([*out, "</tbody></table>"])


def _html_cell(cell: Line, side: str) -> str:
    text = _html_text(text_of(cell))
    if kind_of(cell) == "name":
        return f'<th scope="row"><bdi>{text}</bdi></th>'
    return f"<td{side}><b>{text}</b></td>" if kind_of(cell) == "best" else f"<td{side}>{text}</td>"


def opening(*, figure: bool = False) -> str:
    """Begin what is shown in a page or a notebook; ``</div>`` ends it."""
    return f'<div class="truebleu"><style>{stylesheet(figure=figure)}</style>'


def stylesheet(*, figure: bool = False) -> str:
    """Return the look of everything that is shown as HTML, and of tables with drawings."""
    from pathlib import Path

    look, drawings = (
        (Path(__file__).parent / name).read_text("utf-8") for name in ("look.css", "figure.css")
    )
    return look + tokens.stylesheet() + drawings * figure


def isolated_in(names: Sequence[str]) -> Callable[[str], str]:
    """Return what keeps names that are written from the right from turning what is around them."""
    from unicodedata import bidirectional

    turning = [
        re.escape(visible(name))
        for name in sorted(names, key=len, reverse=True)
        if not {"R", "AL"}.isdisjoint(map(bidirectional, name))
    ]
    if not turning:
        return lambda text: text
    pattern = re.compile("|".join(turning))
    # Text that is marked up stays so.
    return lambda text: type(text)(pattern.sub("\u2068\\g<0>\u2069", text))


def script(folder: Path, names: Iterable[str]) -> str:
    """Join modules of JavaScript, in a scope of their own: without addresses none can import."""
    modules = [(folder / f"{name}.js").read_text("utf-8") for name in names]
    joined = re.sub(r"(?m)^import [^;]*;\n|^export ", "", "".join(modules))
    return f'(() => {{\n"use strict";\n{joined}}})();'


def hashed(text: str) -> str:
    """Return how the policy of a page allows a script or a style sheet."""
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def latex(blocks: Sequence[Block], label: str = "") -> str:
    r"""Write blocks for a document with ``\usepackage{booktabs}``.

    With a label, tables are floats, which need ``graphicx``, too: the first of them has the label
    ``tab:compare``, the next ``tab:compare-2``, and lines of a table, and those of the blocks
    behind the last table about the same, are its caption. Without, each is a bare ``tabular``, and
    these lines are comments.
    """
    if not isinstance(label, str):
        raise wrong_type("label", label, "a str is needed")
    blocks = [*without_leads(blocks)]
    last = {block.about: number for number, block in enumerate(blocks) if block.rows}
    notes = [
        block
        for number, block in enumerate(blocks)
        if not block.rows and block.about in last and number > last[block.about]
    ]
    out: list[str] = []
    tables = 0
    for block in blocks:
        if block.rows and label:
            tables += 1
            number = f"-{tables}" if tables > 1 else ""
            out += _float(block, _lines_about(block.about, notes), f"{label}{number}")
        elif block.rows:
            said = (block.heading, *map(text_of, block.lines))
            out += [*map(_comment, filter(None, said)), *_tabular(block)]
        elif any(block is note for note in notes):
            out += [] if label else map(_comment, map(text_of, block.lines))
        else:
            if block.heading:
                out.append(rf"\paragraph{{{_sentence(block.heading)}}}")
            for line in block.lines:
                out += [latex_text(text_of(line)), ""]
    if any(_CJK in line for line in out):
        out.insert(0, _DEFINED_CJK)
    return "".join(f"{line}\n" for line in out)


def _lines_about(what: str, notes: Iterable[Block]) -> list[Line]:
    """Return the lines that a table about something needs: its own, and those about all."""
    return [
        line
        for note in notes
        if not (what and note.about) or note.about == what
        for line in note.lines
    ]


def _tabular(block: Block) -> list[str]:
    rows = [_latex_row(row, block.align) if row else r"\midrule" for _, row in block.rows]
    return [
        rf"\begin{{tabular}}{{{block.align}}}",
        *(r"\toprule", _latex_row(block.header, ""), r"\midrule", *rows, r"\bottomrule"),
        r"\end{tabular}",
    ]


def _latex_row(row: Sequence[Line], align: str) -> str:
    texts = map(latex_text, map(text_of, signed(row, align)))
    cells = [
        rf"\textbf{{{text}}}" if kind_of(cell) == "best" else text
        for cell, text in zip(row, texts, strict=True)
    ]
    # A bracket or a star at its beginning would belong to the command above.
    written = " & ".join(cells) + r" \\"
    return "{}" * written.startswith(("[", "*")) + written


# Characters of a table that a column of a page with two has room for.
_COLUMN = 45


def _float(block: Block, notes: Sequence[Line], label: str) -> list[str]:
    """Write a table as wide as its place at most: that of a page with two columns, if needed."""
    said = [line for line in (block.heading, *block.lines) if line]
    caption = " ".join(map(_sentence, (*said, *notes)))
    table = [map(text_of, row) for row in block.table()]
    widths = [max(map(width, cells)) for cells in zip(*table, strict=True)]
    name = "table*" if sum(widths) + 2 * len(widths) > _COLUMN else "table"
    return [
        rf"\begin{{{name}}}",
        r"\centering\sloppy",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        *_tabular(block),
        "}",
        *([rf"\caption{{{caption}}}"] if caption else []),
        rf"\label{{{label}}}",
        rf"\end{{{name}}}",
    ]


def _comment(line: str) -> str:
    return f"% {visible(line)}"


def _sentence(line: Line) -> str:
    text = latex_text(text_of(line))
    if kind_of(line) == "code":
        return text
    end = "" if text.endswith((".", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


_LATEX_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        # A signature is long and has no spaces.
        "|": r"\textbar\allowbreak{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        MINUS: "$-$",
        "≤": r"$\le$",
        "†": r"\textdagger{}",
        "∞": r"$\infty$",
        "≥": r"$\ge$",
        **{c: rf"\textsuperscript{{{digit}}}" for digit, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
        **{c: f"\\{c}" for c in "&%$#_{}"},
        "\0": "{}",
    }
)


# Chinese, Japanese and Korean need fonts of their own, unless LaTeX is of the kind that reads
# Unicode; others have a package for them.
_CJK = r"\truebleucjk{"
_DEFINED_CJK = (
    r"\DeclareRobustCommand{\truebleucjk}[2]{\ifdefined\Umathcode#2\else"
    r"\begin{CJK}{UTF8}{#1}#2\end{CJK}\fi}% \usepackage{CJKutf8}"
)
_CJK_LETTERS = "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+"
_HANGUL = ("\uac00", "\ud7a3")


# Between two of these, or behind ? or !, LaTeX writes a dash, a quotation mark, or what begins a
# question in Spanish.
_LIGATURES = r"(?<=([-`',]))(?=\1)|(?<=[?!])(?=`)"


def latex_text(text: str) -> str:
    """Write text so that LaTeX shows it as it is."""
    written = re.sub(_LIGATURES, "\0", visible(text)).translate(_LATEX_SPECIAL)
    return re.sub(_CJK_LETTERS, _in_cjk, written)


def _in_cjk(letters: re.Match[str]) -> str:
    is_korean = any(_HANGUL[0] <= c <= _HANGUL[1] for c in letters[0])
    return rf"{_CJK}{'mj' if is_korean else 'gbsn'}}}{{{letters[0]}}}"
