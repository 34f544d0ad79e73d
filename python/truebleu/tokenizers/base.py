"""What the tokenizers of other libraries have in common."""

from __future__ import annotations

from truebleu.errors import InputError, MissingExtraError, SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class LibraryTokenizer(Protocol):
        """A tokenizer of another library."""

        @property
        def signature(self) -> str:
            """The tokenizer in signatures, with the versions that its tokens depend on."""

        def join(self, texts: list[str], threads: int) -> list[str]:
            """Return the tokens of each text, separated by whitespace."""

        def spans(self, text: str) -> list[tuple[str, int, int]]:
            """Return the tokens of a text, each with the characters it was made from."""


def unreadable(name: str, text: str) -> InputError:
    """Say that a tokenizer cannot read a text."""
    return InputError(
        f"{name} cannot read {text[:40]!r}: null characters and lone surrogates are not accepted"
    )


def aligned(name: str, text: str, tokens: list[str]) -> list[tuple[str, int, int]]:
    """Find where tokens start and end in their text, with only whitespace between them."""
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


def missing_extra(name: str, extra: str) -> MissingExtraError:
    """Say which packages a tokenizer needs."""
    return MissingExtraError(
        f"{name} needs packages that are not installed: pip install 'truebleu[{extra}]'"
    )


OWN_MODEL = "spm:"
"""What precedes the path of a SentencePiece model on the command line."""
