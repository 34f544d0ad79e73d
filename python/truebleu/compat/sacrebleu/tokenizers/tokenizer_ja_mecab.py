"""sacreBLEU's tokenizer ``ja-mecab``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import MecabTokenizer


class TokenizerJaMecab(MecabTokenizer):
    """Japanese words, as MeCab finds them; it has to be installed."""

    def __init__(self) -> None:
        super().__init__("ja-mecab")
