"""sacreBLEU's tokenizer ``zh``."""

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp as TokenizerRegexp

# Ranges of characters, each with its ends. Two of them were meant as five-digit code points, but
# say four digits and one more character.
_UCODE_RANGES = [
    ("\u3400", "\u4db5"),
    ("\u4e00", "\u9fa5"),
    ("\u9fa6", "\u9fbb"),
    ("\uf900", "\ufa2d"),
    ("\ufa30", "\ufa6a"),
    ("\ufa70", "\ufad9"),
    ("\u2000" + "0", "\u2a6d" + "6"),
    ("\u2f80" + "0", "\u2fa1" + "d"),
    ("\uff00", "\uffef"),
    ("\u2e80", "\u2eff"),
    ("\u3000", "\u303f"),
    ("\u31c0", "\u31ef"),
    ("\u2f00", "\u2fdf"),
    ("\u2ff0", "\u2fff"),
    ("\u3100", "\u312f"),
    ("\u31a0", "\u31bf"),
    ("\ufe10", "\ufe1f"),
    ("\ufe30", "\ufe4f"),
    ("\u2600", "\u26ff"),
    ("\u2700", "\u27bf"),
    ("\u3200", "\u32ff"),
    ("\u3300", "\u33ff"),
]


class TokenizerZh(NativeTokenizer):
    """Chinese characters one by one, other text as in ``13a``."""

    def __init__(self) -> None:
        super().__init__("zh")

    @staticmethod
    def _is_chinese_char(uchar: str) -> bool:
        return any(start <= uchar <= end for start, end in _UCODE_RANGES)
