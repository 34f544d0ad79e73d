"""sacreBLEU's tokenizer ``ja-mecab``."""

from __future__ import annotations

from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, NativeTokenizer

__all__ = ["BaseTokenizer", "TokenizerJaMecab"]


class TokenizerJaMecab(NativeTokenizer):
    """Japanese words, as MeCab finds them; it has to be installed."""

    def __init__(self) -> None:
        """Load MeCab and its dictionary."""
        super().__init__("ja-mecab")

    @property
    def tagger(self) -> Any:
        """MeCab's tagger, one for each thread."""
        return self._library.tagger()
