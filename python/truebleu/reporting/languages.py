"""The languages of the texts, for fonts, hyphenation and screen readers: given, or guessed."""

from __future__ import annotations

import re
from itertools import islice

from truebleu.errors import InputTypeError, SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Scripts that tell the language, or else are one themselves: "und" is an undetermined language.
_SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "ko": "\u1100-\u11ff\uac00-\ud7af",
    "zh": "\u3400-\u9fff\U00020000-\U0002ffff",
    "he": "\u0590-\u05ff",
    "th": "\u0e00-\u0e7f",
    "el": "\u0370-\u03ff",
    "hy": "\u0530-\u058f",
    "ka": "\u10a0-\u10ff",
    "und-Arab": "\u0600-\u077f",
    "und-Cyrl": "\u0400-\u052f",
    "und-Deva": "\u0900-\u097f",
}

# How many texts a guess is made from, and how many characters of each.
_TEXTS, _CHARACTERS = 200, 500

# Kana are this share of Japanese letters at least, the others being Chinese.
_KANA = 0.1

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def checked(tag: str | None, name: str) -> str | None:
    """Return a language tag as given; raise InputTypeError or SettingsError if it is none."""
    if tag is None:
        return None
    if not isinstance(tag, str):
        raise InputTypeError(f"{name} is of type {type(tag).__name__}; a str is needed")
    if not _TAG.fullmatch(tag):
        raise SettingsError(f"{name} is {tag!r}; a language tag is needed, such as 'de' or 'zh-TW'")
    return tag


def guess(texts: Iterable[str | None]) -> str:
    """Guess a language tag from the script; empty if that, such as the Latin one, does not tell."""
    sample = "".join((text or "")[:_CHARACTERS] for text in islice(texts, _TEXTS))
    letters = sum(map(str.isalpha, sample))
    found = {
        tag: len(re.findall(f"[{characters}]", sample)) for tag, characters in _SCRIPTS.items()
    }
    if found["ja"] >= _KANA * max(1, letters):
        return "ja"
    best = max(found, key=lambda tag: found[tag])
    return best if 2 * found[best] > letters else ""
