"""What explanations say: in English as their code has it, in Korean as the table has it."""

from __future__ import annotations

from truebleu.display import formatting
from truebleu.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    Language = Literal["en", "ko"]

LANGUAGES = ("en", "ko")


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


def words_of(language: str) -> Words:
    """Return the words of a language."""
    if language not in LANGUAGES:
        raise SettingsError(f"language must be 'en' or 'ko', not {language!r}")
    if language == "en":
        return english
    from truebleu.display.korean import KOREAN

    return Words(KOREAN)
