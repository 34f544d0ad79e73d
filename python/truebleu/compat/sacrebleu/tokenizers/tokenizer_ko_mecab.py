"""sacreBLEU's tokenizer ``ko-mecab``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, MecabTokenizer

__all__ = ["BaseTokenizer", "TokenizerKoMecab"]


class TokenizerKoMecab(MecabTokenizer):
    """Korean words, as MeCab finds them; it has to be installed."""

    def __init__(self) -> None:
        super().__init__("ko-mecab")
