"""Corpora and statistics that are drawn at random, for tests of significance."""

from random import Random

import numpy as np
from truebleu import Bleu, Stats

WORDS = ["the", "a", "cat", "dog", "sat", "lay", "on", "mat", "rug"]
BLEU = Bleu()


def corpus(seed, segments, systems, noise=0.3):
    """Draw references and what systems make of them, each a bit worse than the one before."""
    random = Random(seed)
    references = [
        " ".join(random.choice(WORDS) for _ in range(random.randint(4, 12)))
        for _ in range(segments)
    ]

    def corrupt(text, rate):
        return " ".join(
            random.choice(WORDS) if random.random() < rate else word for word in text.split()
        )

    return {
        name: [corrupt(text, noise * (1 + index / 4)) for text in references]
        for index, name in enumerate(systems)
    }, references


def rows(random, count, ease=0.7):
    """Draw rows of statistics of segments."""
    length = random.integers(8, 30, count)
    matches = [random.binomial(length, ease)]
    for _ in range(3):
        matches.append(random.binomial(matches[-1], 0.7))
    totals = [length - order for order in range(4)]
    columns = [length, length + random.integers(-2, 3, count)]
    return np.column_stack([*columns, *np.minimum(matches, totals), *totals])


def stats_of(table):
    return Stats.from_numpy(table, BLEU)


def in_documents(seed, documents, size, spread=0.2, names="ab"):
    """Draw statistics of systems on documents, each with a difficulty of its own."""
    random = np.random.default_rng(seed)
    ease = np.repeat(random.uniform(0.6 - spread, 0.6 + spread, documents), size)
    systems = {}
    for name in names:
        matches = [random.binomial(20, np.clip(ease + random.normal(0, 0.05, len(ease)), 0, 1))]
        for _ in range(3):
            matches.append(random.binomial(matches[-1], 0.8))
        totals = [np.full(len(ease), 20 - order) for order in range(4)]
        lengths = [np.full(len(ease), 20)] * 2
        systems[name] = stats_of(np.column_stack([*lengths, *np.minimum(matches, totals), *totals]))
    return systems
