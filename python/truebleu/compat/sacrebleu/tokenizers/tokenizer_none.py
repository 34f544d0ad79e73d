"""sacreBLEU's tokenizer ``none``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer


class NoneTokenizer(NativeTokenizer):
    """No tokenizer: the text is returned as it is."""

    def __init__(self) -> None:
        super().__init__("none")
