"""All texts of a report as the tokens that were compared, quickly."""

from __future__ import annotations

from itertools import chain

from truebleu._core import Lines
from truebleu.inputs import token_ids
from truebleu.metrics import lines

TYPE_CHECKING = False  # Importing typing would cost more than all the rest.
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from truebleu.metrics.bleu import Bleu

    Column = list[str | None]


class Split:
    """Columns of texts, and the tokens of each text as one string.

    Attributes
    ----------
    texts : list of list of str or None
        The columns as people read them; None where a segment has fewer references than others.
    tokens : list of list of str or None
        The same columns: the tokens of each text, with `separator` between two.
    separator : str
        One character that is in no token.
    """

    def __init__(self, texts: list[Column], tokens: list[Column], separator: str) -> None:
        """Keep the columns."""
        self.separator = separator
        self.texts = texts
        self.tokens = tokens


def split(bleu: Bleu, columns: Sequence[Sequence[Any]], threads: int) -> Split:
    """Split columns of texts, or name the tokens of columns that are tokens already.

    Parameters
    ----------
    bleu : Bleu
        Whose tokenizer it is.
    columns : sequence of sequence
        Texts, or sequences of tokens; None for a text that is missing.
    threads : int

    Returns
    -------
    Split
    """
    tokenization = bleu._counting.tokenization
    if tokenization.native is not None or tokenization.library is not None:
        texts = [list(column) for column in columns]
        return Split(texts, [_joined(bleu, column, threads) for column in texts], " ")
    if tokenization.function is not None:
        texts = [list(column) for column in columns]
        own = bleu._counting.tokens
        lists = [[None if t is None else own(t) for t in column] for column in texts]
        return Split(texts, *_with_separator(lists))
    names = _Names()
    lists = [[None if t is None else [names[token] for token in t] for t in c] for c in columns]
    readable: list[Column] = [[None if t is None else " ".join(t) for t in c] for c in lists]
    return Split(readable, *_with_separator(lists))


def _joined(bleu: Bleu, texts: Column, threads: int) -> Column:
    """Let the core split a column at once; what is no line of a file, one by one."""
    simple = ["" if text is None or _is_special(text) else text for text in texts]
    found = Lines()
    # Only the first byte-order mark is none of the text.
    found.push(("\ufeff" + "\n".join(simple) + "\n").encode())
    found.finish()
    ready = lines.prepared(bleu, found, len(simple), threads)
    tokens = lines.tokens(bleu, ready, threads).decode().split("\n")
    joined: Column = []
    for text, line in zip(texts, tokens, strict=False):
        if text is None:
            joined.append(None)
        else:
            joined.append(" ".join(bleu._counting.tokens(text)) if _is_special(text) else line)
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
    """Names for tokens of any type: different tokens have different names."""

    def __init__(self) -> None:
        super().__init__()
        self._used: set[str] = set()

    def __missing__(self, token: object) -> str:
        name = str(token)
        number = 2
        while name in self._used:
            name = f"{token} ({number})"
            number += 1
        self._used.add(name)
        self[token] = name
        return name


def columns_of(bleu: Bleu, references: Iterable[Any]) -> list[list[Any]]:
    """Turn the references of each segment into columns, None where there is one fewer.

    Parameters
    ----------
    bleu : Bleu
    references : iterable
        Segment-major, checked.
    """
    if bleu._counting.tokenization.name == "pretokenized":
        several = [token_ids.references_of(own, "references") for own in references]
    else:
        several = [
            [own] if isinstance(own, str) else [text for text in own if text is not None]
            for own in references
        ]
    most = max(map(len, several))
    return [
        [own[number] if number < len(own) else None for own in several] for number in range(most)
    ]
