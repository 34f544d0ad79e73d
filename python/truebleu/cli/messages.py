"""What the library says about settings, in the words of the command line."""

from __future__ import annotations

import re

from truebleu.cli.bleu_options import option_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

_SETTING = re.compile(r"\b(set )?(\w+)=('[^']*'|True)")


def with_options(message: str, options: Namespace) -> str:
    """Write each setting that a message names as the option of the command.

    ``set tokenizer='zh'`` becomes ``use --tokenizer zh``. A setting without an option stays.

    Parameters
    ----------
    message : str
    options : Namespace
        Those of the command.
    """

    def option(match: re.Match[str]) -> str:
        verb, name, value = match.groups()
        known = [each for each in (name, f"chrf_{name}", f"ter_{name}") if each in options]
        if not known:
            return match[0]
        written = option_name(known[0])
        if value != "True":
            written += f" {value[1:-1]}"
        return f"use {written}" if verb else written

    return _SETTING.sub(option, message)
