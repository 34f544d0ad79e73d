"""What is said in several languages: in English as the code has it, in others as a table does."""

from __future__ import annotations

from truebleu.display import formatting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Words:
    """Says things in a language. Without a table, the language is English."""

    def __init__(self, table: Mapping[str, str] | None = None) -> None:
        self._table = table

    def __call__(self, text: str, /, **values: object) -> str:
        """Say it, with values in their places."""
        return (self._table[text] if self._table else text).format(**values)

    def count(self, number: int, noun: str) -> str:
        """Write a number of things."""
        if not self._table:
            return formatting.count(number, noun)
        return self._table[f"{{number}} {noun}s"].format(number=f"{number:,}")


english = Words()
