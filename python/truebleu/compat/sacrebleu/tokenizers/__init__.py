"""sacreBLEU's tokenizers under its names: modules with a class each."""

from __future__ import annotations

import sys
from types import ModuleType

from truebleu.bleu import Bleu

# For each name the module and the class that sacreBLEU has it in.
TOKENIZERS = {
    "none": "tokenizer_base.BaseTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


class NativeTokenizer:
    """A tokenizer of the core, as a function from text to text."""

    def __init__(self, name: str) -> None:
        """Find it."""
        self.name = name
        self._bleu = Bleu(tokenizer=name)

    def signature(self) -> str:
        """Return its name with versions."""
        return self._bleu.tokenizer_name

    def __call__(self, line: str) -> str:
        """Put a space between two tokens."""
        return line if self.name == "none" else " ".join(self._bleu._counting.tokens(line))


def _class(name: str, class_name: str) -> type[NativeTokenizer]:
    def make(self: NativeTokenizer) -> None:
        NativeTokenizer.__init__(self, name)

    return type(class_name, (NativeTokenizer,), {"__init__": make, "__doc__": f"``{name}``."})


def _publish() -> None:
    """Make a module of each, so that ``from ....tokenizer_13a import Tokenizer13a`` works."""
    for name, path in TOKENIZERS.items():
        module_name, class_name = path.split(".")
        full = f"{__name__}.{module_name}"
        module = sys.modules.setdefault(full, ModuleType(full, "One of sacreBLEU's tokenizers."))
        setattr(module, class_name, _class(name, class_name))
        globals()[module_name] = module


_publish()
