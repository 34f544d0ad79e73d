"""Populations of segments, with known scores, from which test sets are drawn.

A population has the rows of statistics of two systems for real segments, and a weight for each
segment. Its scores are those of the weighted sums of rows.
"""

from __future__ import annotations

import csv
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from truebleu import Bleu

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ROOT = Path(__file__).resolve().parent.parent
BLEU = Bleu()

# WMT outputs and rows; the tests read them at the same place.
DATA = Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))

# Rows of statistics for real documents of unequal lengths; none of the texts.
WMT24 = DATA / "wmt24_rows"


class Population(NamedTuple):
    """Rows of two systems, shape (segments, fields) each, and the weights of segments.

    `documents` has the number of the document of each segment, if it is known. Segments of a
    document have the same weight.
    """

    first: Ints
    second: Ints
    weights: Floats
    documents: Ints | None = None

    def scores(self) -> tuple[float, float]:
        """Return the scores of the two systems on the whole population."""
        return score(self.first, self.weights), score(self.second, self.weights)


def score(rows: Ints, weights: Floats) -> float:
    """Score the weighted sum of rows by the formula of BLEU, without smoothing."""
    sums = weights @ rows
    precisions = sums[2:6] / sums[6:10]
    penalty = min(1.0, np.exp(1 - sums[1] / sums[0]))
    return float(100 * penalty * np.exp(np.log(precisions).mean()))


def lines(path: Path) -> list[str]:
    """Read the lines of a file."""
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def texts() -> tuple[list[str], list[str], list[str]]:
    """Return the outputs of two systems and the references: of WMT, or of the examples."""
    wmt = DATA / "newstest2021" / "en-de"
    systems = sorted(wmt.glob("sys.*.txt"))
    if systems:
        return lines(systems[2]), lines(systems[5]), lines(wmt / "ref.refA.txt")
    examples = ROOT / "examples"
    names = ("system-strong.en", "system-medium.en", "reference-a.en")
    first, second, reference = (lines(examples / name) for name in names)
    return first, second, reference


def rows_of(hypotheses: list[str], references: list[str]) -> Ints:
    """Count every segment."""
    return np.asarray(BLEU.stats(hypotheses, references).to_numpy(), np.int64)


def real() -> Population:
    """Return the segments as they are."""
    first, second, references = texts()
    rows = rows_of(first, references), rows_of(second, references)
    return Population(*rows, np.ones(len(references)))


@cache
def wmt24(pair: str) -> tuple[dict[str, Ints], Ints]:
    """Read the rows of each system of WMT24, and number the documents of segments."""
    path = WMT24 / f"{pair}.bleu.tsv"
    rows: dict[str, list[list[int]]] = {}
    labels: dict[str, list[str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for system, document, _, *counts in list(csv.reader(file, delimiter="\t"))[1:]:
            rows.setdefault(system, []).append(list(map(int, counts)))
            labels.setdefault(system, []).append(document)
    _, documents = np.unique(next(iter(labels.values())), return_inverse=True)
    return {name: np.array(each, np.int64) for name, each in rows.items()}, documents


def of_documents(pair: str, one: str, other: str) -> Population:
    """Return two systems of WMT24, with the documents that they translated."""
    rows, documents = wmt24(pair)
    return Population(rows[one], rows[other], np.ones(len(documents)), documents)


def of_equal_systems() -> Population:
    """Reweight segments until both systems have the same score; their outputs differ."""
    return of_difference(0.0)


def of_difference(effect: float) -> Population:
    """Reweight segments until the first system is better by `effect`."""
    return _with_difference(real(), effect)


def _short_and_long(share: float) -> Population:
    """Cut a share of the words of one system, and repeat as many of the other; equal scores."""
    first, second, references = texts()
    random = np.random.default_rng(0)

    def some(text: str) -> int:
        count = len(text.split())
        return min(int(random.binomial(count, share)), count - 1)

    short = [" ".join(text.split()[: len(text.split()) - some(text)]) for text in first]
    long = [" ".join([text, *text.split()[: some(text)]]) for text in second]
    rows = rows_of(short, references), rows_of(long, references)
    return _with_difference(Population(*rows, np.ones(len(references))), 0.0)


def a_little_short_and_long() -> Population:
    """Make systems of equal score whose length ratios are about 0.96 and 1.01."""
    return _short_and_long(0.02)


def much_too_short_and_long() -> Population:
    """Make systems of equal score whose length ratios are about 0.7 and 1.3."""
    return _short_and_long(0.3)


def near_one_hundred() -> Population:
    """Replace most outputs by the reference."""
    first, second, references = texts()
    copied = [text if index % 25 else first[index] for index, text in enumerate(references)]
    other = [text if index % 25 else second[index] for index, text in enumerate(references)]
    rows = rows_of(copied, references), rows_of(other, references)
    return Population(*rows, np.ones(len(references)))


def near_zero() -> Population:
    """Score most outputs against the reference of another segment."""
    first, second, references = texts()
    shifted = references[7:] + references[:7]
    mixed = [own if index % 20 == 0 else shifted[index] for index, own in enumerate(references)]
    rows = rows_of(first, mixed), rows_of(second, mixed)
    return Population(*rows, np.ones(len(references)))


def few_decide() -> Population:
    """Make one segment of 200 thirty times as long as it is, and wrong."""
    first, second, references = texts()
    long = [" ".join([text] * (30 if index % 200 == 0 else 1)) for index, text in enumerate(first)]
    rows = rows_of(long, references), rows_of(second, references)
    return Population(*rows, np.ones(len(references)))


def at_the_kink() -> Population:
    """Reweight segments until the first system is exactly as long as its references."""
    population = real()
    gaps = (population.first[:, 0] - population.first[:, 1]).astype(float)
    return population._replace(weights=_tilted(gaps, lambda weights: float(weights @ gaps)))


def equal(population: Population) -> Population:
    """Reweight segments, or documents if they are known, until both scores are the same."""
    return _with_difference(population, 0.0)


def _with_difference(population: Population, effect: float) -> Population:
    if population.documents is not None:
        systems = population.first, population.second
        rows = [_summed(each, population.documents) for each in systems]
        summed = Population(rows[0], rows[1], np.ones(len(rows[0])))
        weights = _with_difference(summed, effect).weights
        return population._replace(weights=weights[population.documents])
    first, second = population.first, population.second
    whole = score(first, population.weights) - score(second, population.weights)
    # What leaving out each segment changes.
    influence = np.empty(len(first))
    for index in range(len(first)):
        weights = population.weights.copy()
        weights[index] = 0
        influence[index] = whole - (score(first, weights) - score(second, weights))
    scale = influence / np.abs(influence).max()
    return population._replace(
        weights=_tilted(
            scale, lambda weights: score(first, weights) - score(second, weights) - effect
        )
    )


def _tilted(direction: Floats, gap: Callable[[Floats], float]) -> Floats:
    """Return weights ``exp(t * direction)`` for which the gap, which grows with t, is 0."""
    unit = direction / direction.std()
    low, high = -3.0, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if gap(np.exp(middle * unit)) > 0 else (middle, high)
    return np.asarray(np.exp(low * unit))


def _summed(rows: Ints, documents: Ints) -> Ints:
    sums = np.zeros((documents.max() + 1, rows.shape[1]), np.int64)
    np.add.at(sums, documents, rows)
    return sums


class Drawn(NamedTuple):
    """Rows of two systems, and the number of the unit that each was drawn with."""

    first: Ints
    second: Ints
    units: Ints


def draw(
    population: Population,
    random: np.random.Generator,
    count: int,
    *,
    documents: bool = False,
) -> Drawn:
    """Draw segments, or `count` documents, with replacement."""
    shares = population.weights
    places = [np.array([index]) for index in range(len(shares))]
    if documents:
        assert population.documents is not None
        numbers = population.documents
        places = [np.flatnonzero(numbers == number) for number in range(numbers.max() + 1)]
        shares = np.array([population.weights[each[0]] for each in places])
    chosen = random.choice(len(places), count, p=shares / shares.sum())
    indices = np.concatenate([places[unit] for unit in chosen])
    units = np.repeat(np.arange(len(chosen)), [len(places[unit]) for unit in chosen])
    return Drawn(population.first[indices], population.second[indices], units)


def exchanged(drawn: Drawn, random: np.random.Generator) -> Drawn:
    """Swap the systems at random in each unit: they are interchangeable."""
    first, second, units = drawn
    swap = (random.random(units[-1] + 1) < 0.5)[units, None]
    return drawn._replace(first=np.where(swap, second, first), second=np.where(swap, first, second))


def run_of(pair: tuple[Ints, Ints], share: float, random: np.random.Generator) -> Ints:
    """Make a run of a system: of each segment the output of one or the other, by chance."""
    first, second = pair
    return np.where(random.random((len(first), 1)) < share, first, second)


def mostly_equal(drawn: Drawn, random: np.random.Generator, share: float) -> Drawn:
    """Make the systems equal in all but a share of segments."""
    differ = random.random((len(drawn.first), 1)) < share
    return drawn._replace(second=np.where(differ, drawn.second, drawn.first))
