"""The definition of BLEU, to be checked against the paper line by line.

Papineni et al. (2002), https://aclanthology.org/P02-1040. Counts are whole numbers and precisions
are fractions; nothing is rounded before the logarithms at the end. There is no smoothing: an
order without a match makes the score 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import NamedTuple

Tokens = Sequence[Hashable]


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    """Count the sequences of `order` tokens."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped_count(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Count matches, each n-gram at most as often as one reference has it (section 2.1)."""
    of_references = [ngrams(reference, order) for reference in references]
    return sum(
        min(count, max(counts[ngram] for counts in of_references))
        for ngram, count in ngrams(hypothesis, order).items()
    )


def reference_length(hypothesis: Tokens, references: Sequence[Tokens], rule: str) -> int:
    """Choose among the lengths of the references (section 2.2.2: the closest)."""
    lengths = [len(reference) for reference in references]
    match rule:
        case "closest":
            return min(lengths, key=lambda length: (abs(length - len(hypothesis)), length))
        case "closest-first":
            return min(lengths, key=lambda length: abs(length - len(hypothesis)))
        case "shortest":
            return min(lengths)
        case "longest":
            return max(lengths)
        case "average":
            return sum(lengths) // len(lengths)
    raise ValueError(rule)


def brevity_penalty(hyp_len: int, ref_len: int) -> float:
    """Penalise a corpus that is shorter than its references (section 2.3)."""
    if hyp_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / hyp_len) if hyp_len else 0.0


class Result(NamedTuple):
    """A score as a fraction of 1, and what it is made of."""

    score: float
    counts: tuple[int, ...]
    totals: tuple[int, ...]
    precisions: tuple[Fraction, ...]
    brevity_penalty: float
    hyp_len: int
    ref_len: int


def corpus_bleu(
    hypotheses: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    max_order: int = 4,
    weights: Sequence[float] | None = None,
    rule: str = "closest",
) -> Result:
    """Score a corpus: sums first, ratios then, ``BP * exp(sum(w_n * log(p_n)))`` last."""
    segments = list(zip(hypotheses, references, strict=True))
    orders = range(1, max_order + 1)
    counts = tuple(sum(clipped_count(*segment, order) for segment in segments) for order in orders)
    totals = tuple(sum(ngrams(hyp, order).total() for hyp in hypotheses) for order in orders)
    hyp_len = sum(len(hypothesis) for hypothesis in hypotheses)
    ref_len = sum(reference_length(*segment, rule) for segment in segments)
    penalty = brevity_penalty(hyp_len, ref_len)
    # An order without any n-gram has no matches either: 0 of 1 instead of 0 of 0.
    precisions = tuple(Fraction(m, max(1, n)) for m, n in zip(counts, totals, strict=True))
    weighted = zip(weights or [1 / max_order] * max_order, precisions, strict=True)
    used = [(weight, precision) for weight, precision in weighted if weight > 0]
    score = 0.0
    if all(precision > 0 for _, precision in used):
        score = penalty * math.exp(math.fsum(weight * math.log(p) for weight, p in used))
    return Result(score, counts, totals, precisions, penalty, hyp_len, ref_len)
