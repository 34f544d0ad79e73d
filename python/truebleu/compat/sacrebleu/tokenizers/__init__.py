"""sacreBLEU's tokenizers under its names: modules with a class each."""

from __future__ import annotations

import sys
from types import ModuleType

from truebleu.metrics.bleu import Bleu

# For each name the module and the class that sacreBLEU has it in.
TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
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


class BaseTokenizer:
    """What users derive tokenizers of their own from."""

    def signature(self) -> str:
        """Return what goes into a signature."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Return the line with a space between two tokens."""
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """A tokenizer of truebleu, as a function from text to text."""

    def __init__(self, name: str) -> None:
        """Find it."""
        self.name = name
        self._bleu = Bleu(tokenizer=name)

    def signature(self) -> str:
        """Return its name with versions."""
        return self._bleu.tokenizer_name

    def __call__(self, line: str) -> str:
        """Put a space between two tokens."""
        if self.name == "none":
            return line
        if self.name == "char":
            return " ".join(line)  # White space is characters, too.
        return self._bleu._counting.bare_tokens(line)


def _class(name: str, class_name: str, module: str) -> type[NativeTokenizer]:
    def make(self: NativeTokenizer) -> None:
        NativeTokenizer.__init__(self, name)

    members = {"__init__": make, "__doc__": f"``{name}``.", "__module__": module}
    return type(class_name, (NativeTokenizer,), members)


def _module(name: str) -> ModuleType:
    """Return one of the modules, empty at first."""
    full = f"{__name__}.{name}"
    module = sys.modules.setdefault(full, ModuleType(full, "One of sacreBLEU's tokenizers."))
    globals()[name] = module
    return module


def _publish() -> None:
    """Make a module of each, so that ``from ....tokenizer_13a import Tokenizer13a`` works."""
    _module("tokenizer_base").__dict__["BaseTokenizer"] = BaseTokenizer
    for name, path in TOKENIZERS.items():
        module_name, class_name = path.split(".")
        module = _module(module_name)
        setattr(module, class_name, _class(name, class_name, module.__name__))


_publish()
