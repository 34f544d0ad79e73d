"""sacreBLEU's tokenizers that are SentencePiece models."""

from __future__ import annotations

from typing import Any

from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as BaseTokenizer
from truebleu.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer
from truebleu.compat.sacrebleu.utils import SACREBLEU_DIR as SACREBLEU_DIR
from truebleu.compat.sacrebleu.utils import download_file as download_file
from truebleu.compat.sacrebleu.utils import sacrelogger as sacrelogger
from truebleu.tokenizers.sentencepiece import MODELS

SPM_MODELS = {
    key: {"url": MODELS[name], "signature": name}
    for key, name in {"spm": "flores101", **{name: name for name in MODELS}}.items()
}


class TokenizerSPM(NativeTokenizer):
    """The pieces of a SentencePiece model, which is downloaded when it is first used."""

    def __init__(self, key: str = "spm") -> None:
        if key == "spm":
            sacrelogger.warning(
                "Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future."
            )
        super().__init__(SPM_MODELS[key]["signature"])

    @property
    def sp(self) -> Any:
        """The model, as a ``sentencepiece.SentencePieceProcessor``."""
        return self._library.model


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801  # As in sacreBLEU.
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
