"""What is said in several languages: in English as the code has it, in others as a table does."""

from __future__ import annotations

from truebleu.display import formatting

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence
    from typing import Literal

    Language = Literal["en", "ko"]

LANGUAGES = ("en", "ko")

_COUNTED = r"([\d,]+) ([a-z -]+?)s?"
# Places for values: those called `said` have sentences, and others no colon.
_PLACE = r"\\{([a-z]\w*)\\}"


class Words:
    """Says things in a language. Without a table, the language is English."""

    def __init__(self, table: Mapping[str, str] | None = None) -> None:
        self.table = table or {}
        self._known: list[tuple[re.Pattern[str], str]] = []

    def __call__(self, text: str, /, **values: object) -> str:
        """Say it, with values in their places."""
        return (self.table[text] if self.table else text).format(**values)

    def count(self, number: int, noun: str) -> str:
        """Write a number of things."""
        counted = self.table.get(f"{{number}} {noun}s")
        if counted is None:
            return formatting.count(number, noun)
        return counted.format(number=f"{number:,}")

    def listed(self, names: Sequence[str]) -> str:
        """Write names as a list: ``a``, ``a and b``, ``a, b and c``."""
        *start, last = names
        return self("{start} and {last}", start=", ".join(start), last=last) if start else last

    def again(self, text: str) -> str:
        """Say what was said in English; what is not in the table stays as it is."""
        if not self.table or text in self.table:
            return self.table.get(text, text)
        counted = _counted(text)
        if counted and (own := self.table.get(f"{{number}} {counted[2]}s")):
            return own.format(number=counted[1])
        for pattern, own in self._patterns():
            if found := pattern.fullmatch(text):
                values = found.groupdict()
                for name, value in values.items():
                    if name.startswith("said") or _counted(value):
                        values[name] = self.again(value)
                return own.format(**values)
        return text

    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """Return what texts with values look like, those with the most own letters first."""
        if self._known:
            return self._known
        import re

        escaped = {text: re.escape(text) for text in self.table}
        several = [text for text in escaped if re.search(_PLACE, escaped[text])]
        several.sort(key=lambda text: -len(re.sub(_PLACE, "", escaped[text])))
        # The start of a sentence may be in the middle of another.
        how = re.DOTALL | re.IGNORECASE
        self._known = [
            (re.compile(re.sub(_PLACE, _group, escaped[text]), how), self.table[text])
            for text in several
        ]
        return self._known


def _counted(text: str) -> re.Match[str] | None:
    import re

    return re.fullmatch(_COUNTED, text)


def _group(place: re.Match[str]) -> str:
    character = "." if place[1].startswith("said") else "(?!: )."
    return f"(?P<{place[1]}>(?:{character})+?)"


english = Words()
_loaded = {"en": english}


def words_in(language: Language) -> Words:
    """Return what says things in a language."""
    if language not in _loaded:
        import json
        from pathlib import Path

        table = Path(__file__).with_name("korean.json")
        _loaded[language] = Words(json.loads(table.read_text("utf-8")))
    return _loaded[language]
