"""The base class of sacreBLEU's tokenizers."""

from __future__ import annotations

from truebleu.compat.described import Described
from truebleu.compat.sacrebleu.watched import Watched


class BaseTokenizer(Described, metaclass=Watched):
    """The base class of custom tokenizers."""

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        raise NotImplementedError
