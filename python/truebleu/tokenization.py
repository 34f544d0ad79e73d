"""What to split text with: a name, a function, or nothing."""

from __future__ import annotations

from truebleu import _core
from truebleu.errors import InputTypeError, UnknownNameError

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Callable

    Tokenizer = str | Callable[[str], list[str]] | None

PRETOKENIZED = "pretokenized"
"""The name under which input that is already tokens goes into a signature."""


def resolve(
    tokenizer: Tokenizer,
) -> tuple[str, str | None, Callable[[str], list[str]] | None]:
    """Find out what a tokenizer setting means.

    Parameters
    ----------
    tokenizer : str, callable or None
        A name from the registry, a function from a str to a list of str, or None if the
        input is tokens already.

    Returns
    -------
    tuple
        The name for the signature; the name in the core, if the tokenizer runs there; the
        function, if it is somebody else's.

    Raises
    ------
    UnknownNameError
        If there is no tokenizer of that name.
    InputTypeError
        If it is neither a str nor callable nor None.
    """
    if tokenizer is None:
        return PRETOKENIZED, None, None
    if isinstance(tokenizer, str):
        if tokenizer not in _core.TOKENIZERS:
            raise UnknownNameError(
                f"tokenizer {tokenizer!r} is unknown; choose one of "
                f"{', '.join(_core.TOKENIZERS)}, a function, or None for tokens"
            )
        return tokenizer, tokenizer, None
    if callable(tokenizer):
        return _name_of(tokenizer), None, tokenizer
    raise InputTypeError(
        f"tokenizer is of type {type(tokenizer).__name__}; give a name, a function, or None"
    )


def _name_of(function: Callable[[str], list[str]]) -> str:
    """Name a function so that a reader of the signature can find it."""
    described = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(described, "__module__", None) or "builtins"
    name = f"{module}.{described.__qualname__}"
    # What separates the fields of a signature must not occur in one.
    return name.replace("|", "_").replace(":", "_")
