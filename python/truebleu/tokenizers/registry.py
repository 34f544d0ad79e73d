"""Every tokenizer by name, and what a tokenizer setting means: a name, a function, or tokens."""

from __future__ import annotations

from _thread import allocate_lock

from truebleu._core import TOKENIZERS
from truebleu.errors import InputTypeError, UnknownNameError
from truebleu.record import Frozen
from truebleu.tokenizers.base import OWN_MODEL
from truebleu.tokenizers.mecab import japanese, korean
from truebleu.tokenizers.sentencepiece import key_of, named_model, own_model

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    from truebleu.tokenizers.base import LibraryTokenizer

    Tokenizer = str | Callable[[str], list[str]] | None

PRETOKENIZED = "pretokenized"
"""The name under which input that is already tokens goes into a signature."""

LIBRARIES: dict[str, Callable[[str], LibraryTokenizer]] = {
    "ja-mecab": japanese,
    "ko-mecab": korean,
    **dict.fromkeys(["flores101", "flores200", "spBLEU-1K", "spm"], named_model),
}
"""What makes the tokenizer of each name that is another library."""

NAMES = (*TOKENIZERS, *LIBRARIES)
"""The names of all tokenizers."""


class Tokenization(Frozen):
    """What a tokenizer setting means.

    Parameters
    ----------
    name : str
        For the signature.
    native : str, optional
        The name in the core, if the tokenizer runs there.
    library : LibraryTokenizer, optional
        The tokenizer, if it is a library that we know.
    function : callable, optional
        The tokenizer, if it is a function of the user. Without any of them the input is tokens.
    """

    __slots__ = ("function", "library", "name", "native", "unicode")
    library: LibraryTokenizer | None
    function: Callable[[str], list[str]] | None
    name: str
    native: str | None
    unicode: str | None

    def __init__(
        self,
        name: str,
        native: str | None = None,
        library: LibraryTokenizer | None = None,
        function: Callable[[str], list[str]] | None = None,
    ) -> None:
        """Keep what was found; see the class."""
        values = {
            "library": library,
            "function": function,
            "name": name,
            "native": native,
            # The version of Unicode that the tokens depend on, if they do.
            "unicode": TOKENIZERS[native] if native is not None else None,
        }
        for attribute, value in values.items():
            object.__setattr__(self, attribute, value)


def resolve(tokenizer: Tokenizer) -> Tokenization:
    """Find out what a tokenizer setting means.

    Parameters
    ----------
    tokenizer : str, callable or None
        A name from the registry, ``spm:`` and the path of a SentencePiece model, a function from
        a str to a list of str, or None if the input is tokens already.

    Returns
    -------
    Tokenization

    Raises
    ------
    UnknownNameError
        If there is no tokenizer of that name.
    InputTypeError
        If it is neither a str nor callable nor None.
    MissingExtraError, ModelError, SettingsError
        If it needs a library, a model or a dictionary that cannot be had.
    """
    if tokenizer is None:
        return Tokenization(PRETOKENIZED)
    if isinstance(tokenizer, str):
        if tokenizer in TOKENIZERS:
            return Tokenization(tokenizer, native=tokenizer)
        if tokenizer in LIBRARIES or tokenizer.startswith(OWN_MODEL):
            library = load(tokenizer)
            return Tokenization(library.signature, library=library)
        raise UnknownNameError(
            f"tokenizer {tokenizer!r} is unknown; choose one of {', '.join(NAMES)}, "
            f"{OWN_MODEL}PATH for a SentencePiece model, a function, or None for tokens"
        )
    if callable(tokenizer):
        return Tokenization(_name_of(tokenizer), function=tokenizer)
    raise InputTypeError(
        f"tokenizer is of type {type(tokenizer).__name__}; give a name, a function, or None"
    )


_lock = allocate_lock()
_loaded: dict[object, LibraryTokenizer] = {}


def load(name: str) -> LibraryTokenizer:
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
        key = key_of(name) if name.startswith(OWN_MODEL) else name
        if key not in _loaded:
            _loaded[key] = LIBRARIES.get(name, own_model)(name)
        return _loaded[key]


def from_signature(name: str) -> str | None:
    """Return the tokenizer setting that has this name in a signature, ours or sacreBLEU's.

    Raises
    ------
    ValueError
        If a signature cannot say which one it is.
    """
    if name == PRETOKENIZED:
        return None
    for known in ("ja-mecab", "ko-mecab"):
        # The versions of MeCab and of the dictionary follow.
        if name.startswith(f"{known}-"):
            return known
    if name not in NAMES and name.startswith("spm-"):
        raise ValueError(
            "the tokenizer is a SentencePiece model that is known by its SHA-256; make the Bleu "
            f"with tokenizer='{OWN_MODEL}PATH'"
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
