"""The token view: a text in pieces, the marks of each, and how HTML shows them, without scripts."""

from __future__ import annotations

from truebleu.display.blocks import Cell
from truebleu.display.text import visible
from truebleu.display.words import english
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from truebleu.display.words import Words

# There are marks for so many levels of matches.
LEVELS = 4

STATES = {
    "clipped": "clipped",
    "missing": "no match",
    "match": "match",
    "substitution": "substitution",
    "deletion": "deletion",
    "insertion": "insertion",
    "shift": "shift",
}
"""What a piece can be besides part of a match of some order; its name, and the words for it."""


class Piece(Record):
    """A stretch of a text that is marked alike; without order and states, it has no mark.

    Its order is the highest of the matches that it is part of, 0 if there is none; the level says
    how dark it is, from 1 to 4: by default the order, where orders above 4 look like 4.
    """

    text: str
    order: int
    states: tuple[str, ...]
    level: int

    def __init__(
        self, text: str, order: int = 0, states: tuple[str, ...] = (), level: int | None = None
    ) -> None:
        level = min(order, LEVELS) if level is None else level
        self._fill(text=text, order=order, states=states, level=level)

    @property
    def kinds(self) -> list[str]:
        """The names of its marks: ``level1`` to ``level4``, and its states."""
        return [f"level{self.level}", *self.states] if self.level else [*self.states]

    def described(self, say: Words) -> str:
        """Say its marks in words."""
        match = [say("match of order {order}", order=self.order)] if self.order else []
        return ", ".join([*match, *(say(STATES[state]) for state in self.states)])


class MarkedText(Cell):
    """The joined texts of pieces; a line of a block that can show how each of them counts."""

    pieces: Sequence[Piece]
    say: Words

    def __init__(self, pieces: Iterable[Piece], say: Words = english) -> None:
        listed = tuple(pieces)
        super().__init__("".join(piece.text for piece in listed), "marked")
        self._fill(pieces=listed, say=say)


def paragraph(line: MarkedText) -> str:
    """Write a text in which each marked piece is an element, in the direction of its letters."""
    inside = "".join(_element(piece, line.say) for piece in line.pieces)
    inside = inside if line.text else f"<em>{line.say('empty')}</em>"
    return f'<p class="text" dir="auto">{inside}</p>'


def legend(lines: Sequence[MarkedText]) -> str:
    """Write what the marks in some texts mean; nothing if there are none."""
    say = lines[0].say if lines else english
    pieces = [piece for line in lines for piece in line.pieces]
    found = {kind for piece in pieces for kind in piece.kinds}
    orders: dict[str, list[int]] = {f"level{level}": [] for level in range(1, LEVELS + 1)}
    for piece in pieces:
        if piece.level:
            orders[f"level{piece.level}"].append(piece.order)
    words = {}
    for level, several in orders.items():
        if several:
            low, high = min(several), max(several)
            to = " to {highest}" if low < high else ""
            words[level] = say("match of order {order}" + to, order=low, highest=high)
    items = [
        f'<span class="tok {kind}">{said}</span>'
        for kind, said in (words | {state: say(name) for state, name in STATES.items()}).items()
        if kind in found
    ]
    return f'<p class="legend">{" ".join(items)}</p>' if items else ""


def stylesheet() -> str:
    """Return the look of marks, which the report shares."""
    from pathlib import Path

    return (Path(__file__).parent / "tokens.css").read_text("utf-8")


def _element(piece: Piece, say: Words) -> str:
    from html import escape  # Its table of entities would cost every command 2 ms.

    text = escape(visible(piece.text))
    if not piece.kinds:
        return text
    return f'<span class="tok {" ".join(piece.kinds)}" title="{piece.described(say)}">{text}</span>'
