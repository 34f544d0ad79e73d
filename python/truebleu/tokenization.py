"""What to split text with: a name, a function, or nothing."""

from __future__ import annotations

from truebleu import _core
from truebleu.errors import InputTypeError, UnknownNameError
from truebleu.foreign import FOREIGN, OWN_MODEL, load
from truebleu.frozen import Frozen

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    from truebleu.foreign import Foreign

    Tokenizer = str | Callable[[str], list[str]] | None

PRETOKENIZED = "pretokenized"
"""The name under which input that is already tokens goes into a signature."""

NAMES = (*_core.TOKENIZERS, *FOREIGN)
"""The names of all tokenizers."""


class Tokenization(Frozen):
    """What a tokenizer setting means.

    Parameters
    ----------
    name : str
        For the signature.
    native : str, optional
        The name in the core, if the tokenizer runs there.
    foreign : Foreign, optional
        The tokenizer, if it is a library that we know.
    function : callable, optional
        The tokenizer, if it is a function of the user. Without any of them the input is tokens.
    """

    __slots__ = ("foreign", "function", "name", "native", "unicode")
    foreign: Foreign | None
    function: Callable[[str], list[str]] | None
    name: str
    native: str | None
    unicode: str | None

    def __init__(
        self,
        name: str,
        native: str | None = None,
        foreign: Foreign | None = None,
        function: Callable[[str], list[str]] | None = None,
    ) -> None:
        """Keep what was found; see the class."""
        values = {
            "foreign": foreign,
            "function": function,
            "name": name,
            "native": native,
            # The version of Unicode that the tokens depend on, if they do.
            "unicode": _core.TOKENIZERS[native] if native is not None else None,
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
        if tokenizer in _core.TOKENIZERS:
            return Tokenization(tokenizer, native=tokenizer)
        if tokenizer in FOREIGN or tokenizer.startswith(OWN_MODEL):
            foreign = load(tokenizer)
            return Tokenization(foreign.signature, foreign=foreign)
        raise UnknownNameError(
            f"tokenizer {tokenizer!r} is unknown; choose one of {', '.join(NAMES)}, "
            f"{OWN_MODEL}PATH for a SentencePiece model, a function, or None for tokens"
        )
    if callable(tokenizer):
        return Tokenization(_name_of(tokenizer), function=tokenizer)
    raise InputTypeError(
        f"tokenizer is of type {type(tokenizer).__name__}; give a name, a function, or None"
    )


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
