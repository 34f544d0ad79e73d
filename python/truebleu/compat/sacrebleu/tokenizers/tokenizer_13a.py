"""sacreBLEU's tokenizer ``13a``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp as TokenizerRegexp


class Tokenizer13a(NativeTokenizer):
    """The tokenizer of mteval-v13a."""

    def __init__(self) -> None:
        super().__init__("13a")
