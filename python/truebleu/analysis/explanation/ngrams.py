"""The n-grams of a sequence of tokens."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Ngram = tuple[Any, ...]


def ngrams(tokens: Sequence[Any], order: int) -> list[Ngram]:
    """List the n-grams of a sequence of tokens."""
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]
