"""sacreBLEU's tokenizer ``char``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerChar(NativeTokenizer):
    """Every character is a token."""

    def __init__(self) -> None:
        super().__init__("char")
