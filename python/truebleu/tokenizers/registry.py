"""Every tokenizer by name, and what a ``tokenizer=`` setting means."""

from __future__ import annotations

from _thread import allocate_lock

from truebleu._core import TOKENIZERS
from truebleu.errors import InputTypeError, UnknownNameError, wrong_type
from truebleu.record import Record
from truebleu.suggestions import unknown_tokenizer
from truebleu.tokenizers.base import OWN_MODEL
from truebleu.tokenizers.mecab import japanese, korean
from truebleu.tokenizers.sentencepiece import SentencePiece, digest_of, load_named, load_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from truebleu.tokenizers.base import LibraryTokenizer

    TokenizerName = (
        Literal["13a", "intl", "zh", "zh-fixed", "char", "none", "words", "moses", "spaces"]
        | Literal["mteval-v13a", "mteval-v13a-lc", "mteval-v13a-intl"]
        | Literal["mteval-v14", "mteval-v14-intl", "tensor2tensor", "keras"]
        | Literal["ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K", "spm"]
        | Literal["pretokenized"]
    )
    Tokenizer = TokenizerName | SentencePiece | Callable[[str], list[str]]
    Kind = Literal["native", "library", "function", "pretokenized"]

PRETOKENIZED: Literal["pretokenized"] = "pretokenized"
"""The tokenizer of input that is already tokens."""

LIBRARIES: dict[str, Callable[[str], LibraryTokenizer]] = {
    "ja-mecab": japanese,
    "ko-mecab": korean,
    **dict.fromkeys(["flores101", "flores200", "spBLEU-1K", "spm"], load_named),
}
"""The functions that load the tokenizers of other libraries."""

NAMES = (*TOKENIZERS, *LIBRARIES)
"""The names of all tokenizers that split text."""

BY_LANGUAGE: dict[str, TokenizerName] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""The tokenizers that sacreBLEU chooses for test sets in some languages; ``13a`` for all others."""


class Tokenization(Record):
    """What a tokenizer setting means.

    The kind says what splits the text: the Rust core, a library that we know, or a function of the
    user; or that the input is tokens already. Signatures have the name, by which the core knows a
    native tokenizer, too.
    """

    kind: Kind
    name: str
    library: LibraryTokenizer | None = None
    function: Callable[[str], list[str]] | None = None

    @property
    def unicode(self) -> str | None:
        """The version of Unicode that the tokens depend on, if they do."""
        return TOKENIZERS[self.name] if self.kind == "native" else None


# What needs no library.
_READY = {
    **{name: Tokenization(kind="native", name=name) for name in TOKENIZERS},
    PRETOKENIZED: Tokenization(kind=PRETOKENIZED, name=PRETOKENIZED),
}


def resolve(tokenizer: Tokenizer) -> Tokenization:
    """Find out what a tokenizer setting means, or refuse it."""
    if isinstance(tokenizer, str):
        if tokenizer in _READY:
            return _READY[tokenizer]
        if tokenizer not in LIBRARIES:
            raise _unknown(tokenizer)
    if isinstance(tokenizer, str | SentencePiece):
        library = load(tokenizer)
        return Tokenization(kind="library", name=library.signature, library=library)
    if callable(tokenizer):
        return Tokenization(kind="function", name=_name_of(tokenizer), function=tokenizer)
    if tokenizer is None:
        raise InputTypeError(
            "tokenizer is None, which means '13a' in sacreBLEU; give '13a', or 'pretokenized' for "
            "input that is already tokens"
        )
    raise wrong_type(
        "tokenizer", tokenizer, "a name, a SentencePiece model or a function is needed"
    )


def from_option(text: str) -> Tokenizer:
    """Return the tokenizer that an option of a command names, or ``spm:`` and a path."""
    if text.startswith(OWN_MODEL):
        return SentencePiece(text.removeprefix(OWN_MODEL))
    if text in NAMES:
        name: TokenizerName = text  # type: ignore[assignment]
        return name
    hint = "; for tokens separated by spaces choose none" if text == PRETOKENIZED else ""
    raise unknown_tokenizer(text, NAMES, f", or {OWN_MODEL}PATH for a SentencePiece model{hint}")


def _unknown(name: str) -> UnknownNameError:
    if name.startswith(OWN_MODEL):
        path = name.removeprefix(OWN_MODEL)
        return UnknownNameError(
            f"tokenizer {name!r} is unknown; in Python, give a SentencePiece model as "
            f"truebleu.SentencePiece({path!r})"
        )
    more = (
        f", or give SentencePiece(path), a function, or {PRETOKENIZED!r} for input that is already "
        "tokens"
    )
    return unknown_tokenizer(name, NAMES, more)


_lock = allocate_lock()
loaded: dict[object, LibraryTokenizer] = {}


def load(tokenizer: str | SentencePiece) -> LibraryTokenizer:
    """Load a tokenizer of another library once, and a model again if its file has changed."""
    with _lock:
        if isinstance(tokenizer, str):
            if tokenizer not in loaded:
                loaded[tokenizer] = LIBRARIES[tokenizer](tokenizer)
            return loaded[tokenizer]
        digest = digest_of(tokenizer)
        if (tokenizer, digest) not in loaded:
            loaded[tokenizer, digest] = load_own(tokenizer, digest)
        return loaded[tokenizer, digest]


def from_signature(name: str) -> str:
    """Return the tokenizer setting that has this name in a signature, or raise ValueError."""
    for known in ("ja-mecab", "ko-mecab"):
        # The versions of MeCab and of the dictionary follow.
        if name.startswith(f"{known}-"):
            return known
    if name not in NAMES and name.startswith("spm-"):
        raise ValueError(
            "the tokenizer is a SentencePiece model, known only by its SHA-256; make the Bleu with "
            "tokenizer=SentencePiece(path)"
        )
    if name not in NAMES and "." in name:
        raise ValueError("the tokenizer is a function; make the Bleu with that function")
    return name


def _name_of(function: Callable[[str], list[str]]) -> str:
    """Name a function so that a reader of the signature can find it."""
    described = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(described, "__module__", None) or "builtins"
    name = f"{module}.{described.__qualname__}"
    # What separates the fields of a signature must not occur in one.
    return name.replace("|", "_").replace(":", "_")
