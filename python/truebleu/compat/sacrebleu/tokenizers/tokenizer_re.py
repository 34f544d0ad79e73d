"""The rules that sacreBLEU's tokenizers ``13a`` and ``zh`` end with."""

from __future__ import annotations

import re

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerRegexp(BaseTokenizer):
    """The rules of mteval-v13a for Western languages, without those for markup."""

    def __init__(self) -> None:
        """Compile the rules: patterns and replacements, applied one after the other."""
        self._re = [
            # All of ASCII that is neither alphanumeric nor one of ' , - .
            (re.compile(r"([ -&(-+/:-@\[-`{-~])"), r" \1 "),
            # A period or comma stays in a number.
            (re.compile(r"([^0-9])([,.])"), r"\1 \2 "),
            (re.compile(r"([,.])([^0-9])"), r" \1 \2"),
            # A hyphen is split off the end of a number.
            (re.compile(r"([0-9])(-)"), r"\1 \2 "),
        ]

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        return "re"

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, separated by spaces."""
        for pattern, replacement in self._re:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())
