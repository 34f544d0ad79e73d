"""sacreBLEU's tokenizer of TER, computed by the core."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from truebleu._core import Engine, tercom
from truebleu.compat.errors import NotTextError
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

_engine = lru_cache(16)(Engine.ter)


class TercomTokenizer(BaseTokenizer):
    """The tokenizer of Tercom, from text to text; see :class:`truebleu.Ter` for its settings."""

    # What `asian_support` splits off or removes, as regular expressions.
    ASIAN_PUNCT = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
    FULL_WIDTH_PUNCT = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def _settings(self) -> dict[str, bool]:
        return {
            "normalized": bool(self._normalized),
            "no_punct": bool(self._no_punct),
            "asian_support": bool(self._asian_support),
            "case_sensitive": bool(self._case_sensitive),
        }

    def engine(self) -> Engine:
        """Return an engine that counts edits under these settings."""
        return _engine(**self._settings())

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        return "tercom"

    def __call__(self, sent: Any) -> str:
        """Return the tokens of a line, separated by spaces."""
        if not sent:
            return ""
        if not isinstance(sent, str):
            raise NotTextError(f"{sent!r} is of type {type(sent).__name__}; a str is needed")
        return tercom(sent, **self._settings())


TOKENIZE = TercomTokenizer.__call__
"""What the core replaces."""
