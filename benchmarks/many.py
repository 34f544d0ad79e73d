"""Many against many: matrices and Self-BLEU, compared with loops and with fast-bleu."""

from __future__ import annotations

import itertools
import random
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import truebleu

from benchmarks import data
from benchmarks.measure import Result, faster, in_turn, show

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_WEIGHTS = (0.25, 0.25, 0.25, 0.25)


def matrix(systems: list[Path], reference: Path, runs: int, size: int = 1000) -> Iterator[Result]:
    """Score every one of some sentences against every one of others."""
    import fast_bleu
    from sacrebleu.metrics import BLEU

    hypotheses, references = data.lines(systems[0])[:size], data.lines(reference)[:size]
    scores = truebleu.pairwise(hypotheses, references, threads=1)
    generator = random.Random(1)
    pairs = [(generator.randrange(size), generator.randrange(size)) for _ in range(2000)]

    def sacrebleu() -> list[float]:
        # Sentences repeat here as they do in the whole matrix, so its cache of lines helps it.
        score = BLEU(effective_order=True).sentence_score
        return [score(hypotheses[i], [references[j]]).score for i, j in pairs]

    assert [scores[i, j] for i, j in pairs] == [min(100.0, score) for score in sacrebleu()]
    one, slow = in_turn(
        [lambda: truebleu.pairwise(hypotheses, references, threads=1), sacrebleu], [runs, 2]
    )
    name = f"pairwise, {size:,} x {size:,}, 1 thread, sacreBLEU's sentence_score"
    yield faster(name, one, slow * size * size / len(pairs))

    split = [text.split() for text in hypotheses]
    few = references[:20]

    def fast() -> list[list[float]]:
        return [
            fast_bleu.BLEU([text.split()], {"4": _WEIGHTS}).get_score(split)["4"] for text in few
        ]

    def ours() -> NDArray[np.float64]:
        return truebleu.pairwise(
            hypotheses, references, tokenizer="none", smoothing="method1", effective_order=False
        )

    columns = ours()[:, : len(few)].T
    assert np.allclose(columns, 100 * np.array(fast()), atol=1e-9)
    one, slow = in_turn([ours, fast], [runs, runs])
    name = f"pairwise, {size:,} x {size:,}, all threads, fast-bleu"
    yield faster(name, one, slow * size / len(few))


def diversity(systems: list[Path], runs: int, largest: int = 1_000_000) -> Iterator[Result]:
    """Score each text against all others."""
    from fast_bleu import SelfBLEU

    lines = [line for system in systems for line in data.lines(system)]
    texts = lines[:20_000]
    split = [text.split() for text in texts]

    def ours() -> list[float]:
        return list(truebleu.self_bleu(texts, tokenizer="none").scores / 100)

    def fast() -> list[float]:
        return list(SelfBLEU(split, {"4": _WEIGHTS}).get_score()["4"])

    few = truebleu.self_bleu(texts[:500], tokenizer="none").scores / 100
    theirs = SelfBLEU(split[:500], {"4": _WEIGHTS}).get_score()["4"]
    # Short texts count as having n-grams that match nothing, in NLTK and here.
    assert np.allclose(few, theirs, atol=1e-9)
    one, slow = in_turn([ours, fast], [runs, 1])
    yield faster(f"self_bleu, {len(texts):,} texts, fast-bleu", one, slow)

    generator = random.Random(1)
    # New texts instead of the same ones over and over: the words of a line in another order.
    many = [
        " ".join(generator.sample(words, len(words)))
        for words in (lines[index % len(lines)].split() for index in range(largest))
    ]
    times = []
    for count in (largest // 4, largest // 2, largest):
        call = partial(truebleu.self_bleu, many[:count], tokenizer="none")
        times += in_turn([call], [1])
    growth = max(after / before for before, after in itertools.pairwise(times))
    name = f"self_bleu, {largest:,} texts, half as many"
    yield Result(name, show(times[2]), show(times[1]), growth, "less")


def ids(system: Path, reference: Path, runs: int) -> Iterator[Result]:
    """Score sentences as token ids and as text."""
    hypotheses, references = data.lines(system), data.lines(reference)
    numbers: dict[str, int] = {}

    def ragged(lines: list[str]) -> truebleu.Ragged:
        rows = [[numbers.setdefault(word, len(numbers)) for word in line.split()] for line in lines]
        values = np.array([number for row in rows for number in row])
        return truebleu.Ragged(values, np.cumsum([0, *map(len, rows)]))

    hypothesis_ids, reference_ids = ragged(hypotheses), ragged(references)
    text = truebleu.Bleu(effective_order=True)
    plain = truebleu.Bleu(tokenizer="none", effective_order=True)
    tokens = truebleu.Bleu(tokenizer="pretokenized", effective_order=True)
    assert (
        plain.segments(hypotheses, references, threads=1)
        == tokens.segments(hypothesis_ids, reference_ids, threads=1)
    ).all()
    fast, slow = in_turn(
        [
            lambda: tokens.segments(hypothesis_ids, reference_ids, threads=1),
            lambda: text.segments(hypotheses, references, threads=1),
        ],
        [4 * runs, 4 * runs],
    )
    yield faster(f"sentences, {len(hypotheses):,} as ids, as text", fast, slow)
