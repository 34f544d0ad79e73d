"""The base classes of sacreBLEU's tokenizers, and of those that truebleu has, too."""

from __future__ import annotations

from typing import Any

from truebleu.compat import faithful
from truebleu.compat.described import Described
from truebleu.compat.errors import NotTextError
from truebleu.compat.watched import Watched
from truebleu.errors import InputError
from truebleu.metrics.bleu.metric import Bleu


class BaseTokenizer(Described, metaclass=Watched):
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
        if not isinstance(line, str):
            raise NotTextError(f"the line is of type {type(line).__name__}; a str is needed")
        try:
            return self._bleu._counter.bare_tokens(line)
        except InputError as error:
            text, end, _ = line.partition("\0")
            if not end:
                raise
            faithful.accept("sacreBLEU", error)
            # To MeCab, it ends the line.
            return self._bleu._counter.bare_tokens(text)

    @property
    def _library(self) -> Any:
        """What splits the text if the core does not."""
        return self._bleu._counter.tokenization.library


class MecabTokenizer(NativeTokenizer):
    """Words, as MeCab finds them."""

    @property
    def tagger(self) -> Any:
        """MeCab's tagger, one for each thread."""
        return self._library.tagger()


_CALL = NativeTokenizer.__call__


def is_native(tokenizer: object) -> bool:
    """Return whether truebleu splits text like this tokenizer; a subclass may split differently."""
    return isinstance(tokenizer, NativeTokenizer) and type(tokenizer).__call__ is _CALL
