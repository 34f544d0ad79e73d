"""sacreBLEU's tokenizer ``ko-mecab``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import MecabTokenizer


class TokenizerKoMecab(MecabTokenizer):
    """Korean words, as MeCab finds them; it has to be installed."""

    def __init__(self) -> None:
        super().__init__("ko-mecab")
