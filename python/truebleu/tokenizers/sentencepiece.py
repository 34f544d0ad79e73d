"""Pieces of SentencePiece models, by their name or path."""

from __future__ import annotations

from truebleu.errors import ModelError
from truebleu.tokenizers.base import OWN_MODEL, missing_extra, unreadable

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from truebleu.tokenizers.base import LibraryTokenizer


# Texts between two looks at Ctrl-C.
_CHUNK = 1 << 13


class SentencePiece:
    """The pieces of a SentencePiece model.

    Parameters
    ----------
    name : str
        Of the tokenizer.
    path : Path
        Of the model.
    signature : str
        What goes into a signature.
    """

    def __init__(self, name: str, path: Path, signature: str) -> None:
        """Load the model; see the class."""
        self._name = name
        self._model = load_model(path)
        self.signature = signature

    def text(self, text: str) -> str:
        """Return the pieces of a text, white space in them included."""
        self._blame([text])
        return " ".join(self._model.encode(text, out_type=str))

    def join(self, texts: list[str], threads: int) -> list[str]:
        """Return the tokens of each text, one space between two."""
        joined: list[str] = []
        for start in range(0, len(texts), _CHUNK):
            chunk = texts[start : start + _CHUNK]
            try:
                every = self._model.encode(chunk, out_type=str, num_threads=threads)
            except (RuntimeError, TypeError, UnicodeError):
                self._blame(chunk)
                raise
            joined += [" ".join(" ".join(pieces).split()) for pieces in every]
        return joined

    def _blame(self, texts: list[str]) -> None:
        for text in texts:
            if any("\ud800" <= c <= "\udfff" for c in text):
                raise unreadable(self._name, text)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens of a text, each with the characters it came from."""
        self._blame([text])
        mapping = self._model.encode(text.rstrip(), return_type="offset_mapping")
        pairs = zip(mapping["pieces"], mapping["offsets"], strict=True)
        return [(token, start, end) for piece, (start, end) in pairs for token in piece.split()]


def named_model(name: str) -> LibraryTokenizer:
    """Load a model that has a name; fetch it first if need be."""
    from truebleu.tokenizers.models import fetched

    _sentencepiece()  # Rather before a download than after it.
    name = "flores101" if name == "spm" else name  # As in sacreBLEU.
    return SentencePiece(name, fetched(name, MODELS[name], load_model), name)


def own_model(name: str) -> LibraryTokenizer:
    """Load the model at the path behind ``spm:``."""
    from pathlib import Path

    from truebleu.tokenizers.models import sha256

    _sentencepiece()
    path = Path(name.removeprefix(OWN_MODEL))
    try:
        signature = f"spm-{sha256(path)[:12]}"
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from error
    return SentencePiece(name, path, signature)


def _sentencepiece() -> Any:
    try:
        import sentencepiece
    except ImportError as error:
        raise missing_extra("this tokenizer", "spm") from error
    return sentencepiece


def load_model(path: Path) -> Any:
    """Load a SentencePiece model.

    Raises
    ------
    ModelError
        If the file is none.
    """
    try:
        return _sentencepiece().SentencePieceProcessor(model_file=str(path))
    except (RuntimeError, OSError) as error:
        raise ModelError(f"{path} is not a SentencePiece model") from error


MODELS = {
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}
"""Where the SentencePiece models are that have a name."""


def key_of(name: str) -> object:
    """Tell a model from another one at the same path by what is in it."""
    from pathlib import Path

    from truebleu.tokenizers.models import sha256

    try:
        return name, sha256(Path(name.removeprefix(OWN_MODEL)))
    except OSError:
        return name
