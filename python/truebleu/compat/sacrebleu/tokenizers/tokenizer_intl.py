"""sacreBLEU's tokenizer ``intl``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class TokenizerV14International(NativeTokenizer):
    """The international tokenizer of mteval-v14."""

    def __init__(self) -> None:
        super().__init__("intl")
