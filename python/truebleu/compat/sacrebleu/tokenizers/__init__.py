"""sacreBLEU's tokenizers: classes in modules with the same names."""

from __future__ import annotations

import sys
from types import ModuleType

from truebleu.metrics.bleu.metric import Bleu

# The module and the class of each tokenizer in sacreBLEU.
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
    """The base class of custom tokenizers."""

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        raise NotImplementedError


class NativeTokenizer(BaseTokenizer):
    """One of truebleu's tokenizers, as a function from text to text."""

    def __init__(self, name: str) -> None:
        """Load the tokenizer of this name."""
        self.name = name
        self._bleu = Bleu(tokenizer=name)  # type: ignore[arg-type]  # Bleu checks the name.

    def signature(self) -> str:
        """Return the name in signatures, with versions."""
        return self._bleu.tokenizer_name

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        if self.name == "none":
            return line
        if self.name == "char":
            return " ".join(line)  # White-space characters are tokens, too.
        return self._bleu.counter.bare_tokens(line)


def _class(name: str, class_name: str, module: str) -> type[NativeTokenizer]:
    def initialize(self: NativeTokenizer) -> None:
        NativeTokenizer.__init__(self, name)

    members = {"__init__": initialize, "__doc__": f"Tokenizer ``{name}``.", "__module__": module}
    return type(class_name, (NativeTokenizer,), members)


def _module(name: str) -> ModuleType:
    """Return the submodule of this name; create it if necessary."""
    full_name = f"{__name__}.{name}"
    new = ModuleType(full_name, "A module of sacreBLEU's tokenizers.")
    module = sys.modules.setdefault(full_name, new)
    globals()[name] = module
    return module


def _publish() -> None:
    """Create all submodules, so that ``from ....tokenizer_13a import Tokenizer13a`` works."""
    _module("tokenizer_base").__dict__["BaseTokenizer"] = BaseTokenizer
    for name, path in TOKENIZERS.items():
        module_name, class_name = path.split(".")
        module = _module(module_name)
        setattr(module, class_name, _class(name, class_name, module.__name__))


_publish()
