"""sacreBLEU's tokenizer ``none``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, NativeTokenizer

__all__ = ["BaseTokenizer", "NoneTokenizer"]


class NoneTokenizer(NativeTokenizer):
    """No tokenizer: the text is returned as it is."""

    def __init__(self) -> None:
        super().__init__("none")
