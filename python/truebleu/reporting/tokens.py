"""All texts of a report as the tokens that were compared, quickly."""

from __future__ import annotations

from itertools import chain

from truebleu._core import Lines
from truebleu.errors import InputTypeError
from truebleu.inputs import token_ids
from truebleu.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metrics.bleu.metric import Bleu

    Column = list[str | None]


class Split(Record):
    """Columns of texts, and the tokens of each text as one string.

    The separator between two tokens is one character that is in no token. None stands for a
    reference of a segment that has fewer than others. Of statistics there are no tokens, and the
    only column has the names of the segments.
    """

    separator: str
    texts: list[Column]
    tokens: list[Column]

    def lengths(self, column: int) -> list[int]:
        """Return the number of tokens of each text of a column; 0 for one that is missing."""
        separator = self.separator
        return [text.count(separator) + 1 if text else 0 for text in self.tokens[column]]


def split(bleu: Bleu, columns: Sequence[Sequence[Any]], threads: int) -> Split:
    """Split texts, of which None is missing, or name the tokens of those that are tokens."""
    tokenization = bleu._counter.tokenization
    if tokenization.kind in ("native", "library"):
        texts = [list(column) for column in columns]
        joined = [_joined(bleu, column, threads) for column in texts]
        return Split(separator=" ", texts=texts, tokens=joined)
    function = bleu._counter.tokens if tokenization.kind == "function" else None
    names = _Names()
    lists = [
        [None if t is None else names.of(function(t) if function else t) for t in column]
        for column in columns
    ]
    tokens, separator = _with_separator(lists)
    if function is not None:
        texts = [list(column) for column in columns]
        return Split(separator=separator, texts=texts, tokens=tokens)
    readable: list[Column] = [[None if t is None else " ".join(t) for t in c] for c in lists]
    return Split(separator=separator, texts=readable, tokens=tokens)


def _joined(bleu: Bleu, texts: Column, threads: int) -> Column:
    """Let the core split a column at once, and what is not one line of a file by itself."""
    simple = ["" if text is None or _is_special(text) else text for text in texts]
    lines = Lines()
    # Only the first byte-order mark of a file is not part of the text.
    lines.push(("\ufeff" + "\n".join(simple) + "\n").encode())
    lines.finish()
    ready = bleu._counter.prepared(lines, len(simple), threads)
    tokens = bleu._core.tokenize_lines(ready, threads).decode().split("\n")
    joined: Column = []
    for text, line in zip(texts, tokens, strict=False):
        if text is None:
            joined.append(None)
        else:
            joined.append(" ".join(bleu._counter.tokens(text)) if _is_special(text) else line)
    return joined


def _is_special(text: str) -> bool:
    """Whether a text is more than one line, or cannot be written as UTF-8."""
    if "\n" in text or "\r" in text:
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _with_separator(lists: list[list[list[str] | None]]) -> tuple[list[Column], str]:
    """Join tokens with the first printable character that is in none of them."""
    every = chain.from_iterable(tokens for column in lists for tokens in column if tokens)
    used = set(chain.from_iterable(every))
    separator = next(c for c in map(chr, chain([32], range(33, 0xD800))) if c not in used)
    return [
        [None if tokens is None else separator.join(tokens) for tokens in column]
        for column in lists
    ], separator


class _Names(dict[object, str]):
    """Names for tokens of any type: different tokens have different names, and none is empty."""

    def __init__(self) -> None:
        super().__init__()
        self._used: set[str] = set()

    def of(self, tokens: Iterable[object]) -> list[str]:
        """Name the tokens of a text."""
        try:
            return [self[token] for token in tokens]
        except TypeError as error:
            raise InputTypeError(
                f"tokens cannot be compared ({error}); tokens are strings, numbers, or anything "
                "hashable"
            ) from error

    def __missing__(self, token: object) -> str:
        plain = str(token) or '""'
        name = plain
        number = 2
        while name in self._used:
            name = f"{plain} ({number})"
            number += 1
        self._used.add(name)
        self[token] = name
        return name


def columns_of(bleu: Bleu, references: Iterable[Any]) -> list[list[Any]]:
    """Turn the references of each segment into columns, None where there is one fewer."""
    if bleu.takes_tokens:
        several = [token_ids.references_of(each, "references") for each in references]
    else:
        several = [
            [each] if isinstance(each, str) else [text for text in each if text is not None]
            for each in references
        ]
    most = max(map(len, several))
    return [
        [each[number] if number < len(each) else None for each in several] for number in range(most)
    ]
