"""Tokenizers that are SentencePiece models: those with a name, and any other by its path."""

from __future__ import annotations

import os

from truebleu.display.shown import Result
from truebleu.errors import DownloadError, ModelError, wrong_type
from truebleu.tokenizers.base import missing_extra, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from truebleu.tokenizers.base import LibraryTokenizer


# Texts between two looks at Ctrl-C.
_CHUNK = 1 << 13


class SentencePiece(Result):
    """A SentencePiece model of your own as a tokenizer.

    Models that have a name, such as ``flores200``, need none of this: the name is enough.

    Parameters
    ----------
    path : str or os.PathLike
        The model file, as ``spm_train`` writes it. It is read when a :class:`truebleu.Bleu` is
        made; signatures name its SHA-256, not its path.

    Raises
    ------
    InputTypeError
        If `path` is not a path.

    Examples
    --------
    >>> tokenizer = SentencePiece("wmt.model")  # To be used as Bleu(tokenizer=tokenizer).
    >>> tokenizer
    SentencePiece('wmt.model')
    """

    __module__ = "truebleu"

    __slots__ = ("path",)
    path: str

    def __init__(self, path: str | os.PathLike[str]) -> None:
        plain = os.fspath(path) if isinstance(path, os.PathLike) else path
        if not isinstance(plain, str):
            raise wrong_type(
                "the path of a SentencePiece model", plain, "a str or a pathlib.Path is needed"
            )
        self._fill(path=plain)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"SentencePiece({self.path!r})"


class _Pieces(dict[int, str]):
    """The pieces of a model by ID, as they are asked for: to make each str anew takes longer."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self._model = model

    def __missing__(self, number: int) -> str:
        if number == self._model.unk_id():
            raise KeyError(number)
        piece: str = self._model.id_to_piece(number)
        self[number] = piece
        return piece


class SentencePieceModel:
    """A SentencePiece model that has been loaded; messages and signatures name it."""

    def __init__(self, name: str, path: str | Path, signature: str) -> None:
        self._name = name
        self.model = load_model(path)
        self._pieces = _Pieces(self.model)
        self.signature = signature

    def join(self, texts: list[str], threads: int) -> list[str]:
        """Return the tokens of each text, separated by whitespace."""
        joined: list[str] = []
        for start in range(0, len(texts), _CHUNK):
            chunk = texts[start : start + _CHUNK]
            try:
                found = [self._known(ids) for ids in self._encode(chunk, int, threads)]
                # Only here, a piece is not known by its ID: an unknown one is what was in the text.
                others = [text for text, known in zip(chunk, found, strict=True) if known is None]
                left = map(" ".join, self._encode(others, str, threads))
            except (RuntimeError, TypeError, UnicodeError):
                self._check(chunk)
                raise
            joined += [next(left) if known is None else known for known in found]
        return joined

    def _encode(self, texts: list[str], kind: type, threads: int) -> list[Any]:
        every: list[Any] = self.model.encode(texts, out_type=kind, num_threads=threads)
        return every

    def _known(self, ids: list[int]) -> str | None:
        """Return the pieces with these IDs, or None if one is unknown."""
        try:
            return " ".join(map(self._pieces.__getitem__, ids))
        except KeyError:
            return None

    def _check(self, texts: list[str]) -> None:
        """Refuse lone surrogates, which SentencePiece cannot read."""
        for text in texts:
            if any("\ud800" <= c <= "\udfff" for c in text):
                raise unreadable(self._name, text)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens of a text, each with the characters it was made from."""
        self._check([text])
        mapping = self.model.encode(text.rstrip(), return_type="offset_mapping")
        pairs = zip(mapping["pieces"], mapping["offsets"], strict=True)
        return [(token, start, end) for piece, (start, end) in pairs for token in piece.split()]


def load_named(name: str) -> LibraryTokenizer:
    """Load a model that has a name; download it first if necessary."""
    _sentencepiece()  # A missing package is better noticed before a download than after it.
    name = "flores101" if name == "spm" else name  # As in sacreBLEU.
    return SentencePieceModel(name, model_path(name, MODELS[name], load_model), name)


def model_path(name: str, url: str, check: Callable[[Path], object]) -> Path:
    """Return the file of a model; download it first if it is not there.

    The first download is trusted, because no checksums have been published, and its checksum is
    recorded; TRUEBLEU_REQUIRE_CHECKSUM refuses it. `check` raises ModelError if a file is not a
    model.
    """
    from truebleu.downloads.fetch import Download, fetched
    from truebleu.downloads.places import cache_folder

    path = cache_folder() / "models" / f"{name}.model"
    try:
        return fetched(Download(name=name, urls=(url,)), path, check=check)
    except DownloadError as error:
        raise ModelError(str(error)) from error


def digest_of(model: SentencePiece) -> str:
    """Return the SHA-256 of a model file in hexadecimal digits."""
    from pathlib import Path

    from truebleu.downloads.digests import digests_of

    _sentencepiece()
    try:
        return digests_of(Path(model.path)).sha256
    except OSError as error:
        raise ModelError(f"{model.path}: {error.strerror}") from error


def load_own(model: SentencePiece, digest: str) -> LibraryTokenizer:
    """Load a model by its path; signatures have the first digits of its SHA-256."""
    return SentencePieceModel(model.path, model.path, f"spm-{digest[:12]}")


def _sentencepiece() -> Any:
    try:
        import sentencepiece
    except ImportError as error:
        raise missing_extra("this tokenizer", "spm") from error
    return sentencepiece


def load_model(path: str | Path) -> Any:
    """Load a SentencePiece model, or raise ModelError."""
    try:
        return _sentencepiece().SentencePieceProcessor(model_file=str(path))
    except (RuntimeError, OSError) as error:
        raise ModelError(f"{path} is not a SentencePiece model") from error


MODELS = {
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}
"""The SentencePiece models that have a name, and where to download them."""
