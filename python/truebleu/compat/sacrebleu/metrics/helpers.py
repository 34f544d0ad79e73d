"""N-grams of words and characters."""

from __future__ import annotations

from collections import Counter


def extract_all_word_ngrams(
    line: str, min_order: int, max_order: int
) -> tuple[Counter[tuple[str, ...]], int]:
    """Count the words of a line, and its n-grams of a range of orders."""
    tokens = line.split()
    counts: Counter[tuple[str, ...]] = Counter()
    for order in range(min_order, max_order + 1):
        starts = range(len(tokens) - order + 1)
        counts.update(tuple(tokens[start : start + order]) for start in starts)
    return counts, len(tokens)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """Count the n-grams of one order, their words joined by spaces."""
    return Counter(" ".join(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Count the character n-grams of one order."""
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def extract_all_char_ngrams(
    line: str, max_order: int, include_whitespace: bool = False
) -> list[Counter[str]]:
    """Count the character n-grams of each order up to `max_order`."""
    text = line if include_whitespace else "".join(line.split())
    return [
        Counter(text[start : start + order] for start in range(len(text) - order + 1))
        for order in range(1, max_order + 1)
    ]
