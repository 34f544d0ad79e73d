"""The token view: marked texts as HTML, without scripts."""

from __future__ import annotations

from truebleu.display.text import visible
from truebleu.display.tokens.marks import LEVELS, STATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from truebleu.display.tokens.marks import MarkedText, Piece


def paragraph(line: MarkedText) -> str:
    """Write a text in which each marked piece is an element.

    Its direction is that of the first letter that has one.
    """
    inside = "".join(map(_element, line.pieces)) if line else "<em>empty</em>"
    return f'<p class="text" dir="auto">{inside}</p>'


def legend(lines: Iterable[MarkedText]) -> str:
    """Write what the marks in some texts mean; nothing if there are none."""
    pieces = [piece for line in lines for piece in line.pieces]
    found = {kind for piece in pieces for kind in piece.kinds}
    orders: dict[str, list[int]] = {f"level{level}": [] for level in range(1, LEVELS + 1)}
    for piece in pieces:
        if piece.level:
            orders[f"level{piece.level}"].append(piece.order)
    words = {
        level: f"match of order {min(several)}"
        + (f" to {max(several)}" if min(several) < max(several) else "")
        for level, several in orders.items()
        if several
    }
    items = [
        f'<span class="tok {kind}">{said}</span>'
        for kind, said in (words | STATES).items()
        if kind in found
    ]
    return f'<p class="legend">{" ".join(items)}</p>' if items else ""


def stylesheet() -> str:
    """Return the look of marks, which the report shares."""
    from pathlib import Path

    return (Path(__file__).parent / "tokens.css").read_text("utf-8")


def _element(piece: Piece) -> str:
    from html import escape  # Its table of entities would cost every command 2 ms.

    text = escape(visible(piece.text))
    if not piece.kinds:
        return text
    return f'<span class="tok {" ".join(piece.kinds)}" title="{piece.described}">{text}</span>'
