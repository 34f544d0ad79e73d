"""What people count as matches and as n-grams, where BLEU clips."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import islice
from operator import add, or_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CLIPPING = {
    "none": ("unclipped", "all"),
    "sets": ("once", "distinct"),
    "set of matches": ("once", "all"),
    "sum of references": ("summed", "all"),
    "distinct": ("clipped", "distinct"),
    "best reference": ("best", "all"),
    "recall": ("clipped", "of references"),
    "last left out": ("without last", "all but last"),
    "tails": ("with tails", "all with tails"),
    "mean of references": ("of each", "once for each"),
    "words": ("clipped", "words"),
    "counts of references": ("in references", "all"),
    "sets and recall": ("once", "distinct of references"),
}
"""The counts that are divided, as :func:`counted_otherwise` names them."""


def counted_otherwise(
    split: Callable[[str], list[str]], hypothesis: str, references: list[str | None]
) -> list[dict[str, int]]:
    """Count matches and n-grams of four orders in the ways of :data:`CLIPPING`."""
    tokens = split(hypothesis)
    others = [split(text) for text in references if text is not None]
    counts = []
    for order in range(1, 5):
        own, *several = (Counter(_grams(each, order)) for each in (tokens, *others))
        most = reduce(or_, several)
        once = own.keys() & most.keys()
        found = {
            "unclipped": sum(own[gram] for gram in once),
            "clipped": (own & most).total(),
            "once": len(once),
            "summed": (own & reduce(add, several)).total(),
            "best": max((own & each).total() for each in several),
            "all": own.total(),
            "distinct": len(own),
            "of references": most.total(),
            "of each": sum((own & each).total() for each in several),
            "once for each": own.total() * len(several),
            "words": len(tokens),
            "in references": sum(most[gram] for gram in own),
            "distinct of references": len(most),
        }
        longer, *others_longer = (
            counter + Counter(map(tuple, _tails(each, order)))
            for counter, each in zip((own, *several), (tokens, *others), strict=True)
        )
        found["with tails"] = (longer & reduce(or_, others_longer)).total()
        found["all with tails"] = longer.total()
        for counter, each in zip((own, *several), (tokens, *others), strict=True):
            counter.subtract(islice(_grams(each[-order:], order), 1))
        found["without last"] = (own & reduce(or_, several)).total()
        found["all but last"] = own.total()
        counts.append(found)
    return counts


def _tails(tokens: list[str], order: int) -> Iterator[list[str]]:
    """Yield what is left at the end of a text, shorter than an n-gram."""
    return (tokens[-left:] for left in range(1, min(order, len(tokens) + 1)))


def _grams(tokens: list[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(tokens[start:] for start in range(order)), strict=False)
