"""A text in pieces, and the marks of each: data, whatever the format."""

from __future__ import annotations

from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Self

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
    """A stretch of a text that is marked alike.

    Attributes
    ----------
    text : str
    order : int
        The highest order of the matches that it is part of; 0 if there is none.
    level : int
        How dark it is, from 1 to 4. Default: the order; orders above 4 look like 4.
    states : tuple of str
        Any of :data:`STATES`. A piece without an order and states has no mark, such as the space
        between two tokens.
    """

    __slots__ = ("level", "order", "states", "text")
    text: str
    order: int
    states: tuple[str, ...]
    level: int

    def __init__(
        self, text: str, order: int = 0, states: tuple[str, ...] = (), level: int | None = None
    ) -> None:
        """Keep the parts."""
        level = min(order, LEVELS) if level is None else level
        self._fill(text=text, order=order, states=states, level=level)

    @property
    def kinds(self) -> list[str]:
        """The names of its marks: ``level1`` to ``level4``, and its states."""
        return [f"level{self.level}", *self.states] if self.level else [*self.states]

    @property
    def described(self) -> str:
        """Its marks in words."""
        match = [f"match of order {self.order}"] if self.order else []
        return ", ".join([*match, *(STATES[state] for state in self.states)])


class MarkedText(str):
    """A line of a block that shows how its pieces count, where the format can do so.

    As a str it is the text alone, for all other formats.

    Attributes
    ----------
    pieces : sequence of Piece
        Their texts, joined, are the line.
    """

    __slots__ = ("pieces",)
    pieces: Sequence[Piece]

    def __new__(cls, pieces: Iterable[Piece]) -> Self:
        """Join the pieces."""
        listed = tuple(pieces)
        line = super().__new__(cls, "".join(piece.text for piece in listed))
        line.pieces = listed
        return line

    @classmethod
    def of_tokens(cls, tokens: Iterable[Piece]) -> Self:
        """Join tokens with a space between two."""
        spaced: list[Piece] = []
        for token in tokens:
            spaced += [Piece(" "), token] if spaced else [token]
        return cls(spaced)
