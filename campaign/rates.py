"""How often tests reject and intervals cover: one scenario after another."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from truebleu import BleuStats, compare, sample_size

from campaign import populations
from campaign.populations import BLEU, DOCUMENT, Population

if TYPE_CHECKING:
    from collections.abc import Callable

    from truebleu import Interval

    from campaign.populations import Ints

    Drawn = tuple[Ints, Ints]

# Enough for rates; the ends of intervals jitter by 0.03.
TRIALS = 1_999


TESTS: tuple[Literal["approximate-randomization"], Literal["bootstrap"]] = (
    "approximate-randomization",
    "bootstrap",
)


class Scenario(NamedTuple):
    """What is drawn, and how it is compared.

    Attributes
    ----------
    name : str
    population : callable
        Makes the population.
    segments : int
        Segments of each test set.
    change : callable, optional
        Changes what is drawn, such as by swapping systems.
    documents : bool
        Whether documents are drawn, and resampled.
    as_segments : bool
        Whether documents are drawn, but segments resampled.
    equal : bool
        Whether the systems have the same score, so that rejections are false alarms.
    warned : bool
        Whether the documentation says that this is unreliable.
    """

    name: str
    population: Callable[[], Population]
    segments: int
    change: Callable[[Drawn, np.random.Generator], Drawn] | None = None
    documents: bool = False
    as_segments: bool = False
    equal: bool = True
    warned: bool = False


def swap(drawn: Drawn, random: np.random.Generator) -> Drawn:
    """Swap systems in each segment."""
    return populations.exchanged(drawn, random)


def swap_documents(drawn: Drawn, random: np.random.Generator) -> Drawn:
    """Swap systems in each document."""
    return populations.exchanged(drawn, random, DOCUMENT)


def tenth(drawn: Drawn, random: np.random.Generator) -> Drawn:
    """Let a tenth of the segments differ, and swap systems there."""
    return populations.exchanged(populations.mostly_equal(drawn, random, 0.1), random)


REAL, EQUAL = populations.real, populations.of_equal_systems

SCENARIOS = [
    *(Scenario("interchangeable systems", REAL, count, swap) for count in (50, 200, 1000)),
    *(Scenario("equal BLEU, different outputs", EQUAL, count) for count in (50, 200, 1000)),
    Scenario(
        "equal BLEU, length ratios 0.96, 1.01",
        populations.a_little_short_and_long,
        1000,
        warned=True,
    ),
    Scenario(
        "equal BLEU, length ratios 0.7, 1.3",
        populations.much_too_short_and_long,
        1000,
        warned=True,
    ),
    *(Scenario("a tenth of segments differ", REAL, count, tenth) for count in (50, 200, 1000)),
    Scenario("length ratio 1.00", populations.at_the_kink, 1000, swap),
    Scenario("BLEU near 100", populations.near_one_hundred, 200, swap, warned=True),
    Scenario("BLEU near 0", populations.near_zero, 50, swap, warned=True),
    Scenario("BLEU near 0", populations.near_zero, 200, swap, warned=True),
    Scenario("few segments decide", populations.few_decide, 1000, equal=False, warned=True),
    Scenario("14 documents", REAL, 196, swap_documents, documents=True, warned=True),
    Scenario("71 documents", REAL, 994, swap_documents, documents=True),
    Scenario("71 documents as segments", REAL, 994, as_segments=True, equal=False, warned=True),
]


@cache
def population_of(make: Callable[[], Population]) -> Population:
    """Make a population once."""
    return make()


class Rates(NamedTuple):
    """Shares of the repeats of a scenario, from 0 to 1.

    Attributes
    ----------
    randomization, bootstrap : tuple of float
        Rejections at 5% and at 1%.
    difference, system : float
        Intervals that hold the difference, and the score of the first system.
    """

    randomization: tuple[float, float]
    bootstrap: tuple[float, float]
    difference: float
    system: float
    repeats: int


def truth(scenario: Scenario) -> tuple[float, float]:
    """Return the difference of the systems on the population, and the score of the first."""
    population = population_of(scenario.population)
    first, second = population.scores()
    if scenario.change is None:
        return first - second, first
    # Each output is that of the one or the other system, with equal chances.
    mixed = population.first + population.second
    if scenario.change is tenth:
        mixed = 19 * population.first + population.second
    return 0.0, populations.score(mixed, population.weights)


def measure(scenario: Scenario, repeats: int, seed: int = 1) -> Rates:
    """Draw test sets, compare the systems on each, and count."""
    random = np.random.default_rng(seed)
    population = population_of(scenario.population)
    true_difference, true_score = truth(scenario)
    p_values = np.empty((repeats, 2))
    held = np.empty((repeats, 2), bool)
    in_documents = scenario.documents or scenario.as_segments
    for repeat in range(repeats):
        drawn = populations.draw(population, random, scenario.segments, documents=in_documents)
        if scenario.change is not None:
            drawn = scenario.change(drawn, random)
        stats = {
            name: BleuStats.from_numpy(rows, BLEU) for name, rows in zip("AB", drawn, strict=True)
        }
        documents = None
        if scenario.documents:
            documents = [index // DOCUMENT for index in range(len(drawn[0]))]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [
                compare(
                    stats,
                    documents=documents,
                    test=test,
                    n_trials=TRIALS,
                    n_resamples=None if test == "approximate-randomization" else TRIALS,
                    seed=repeat,
                    threads=1,
                )
                for test in TESTS
            ]
        p_values[repeat] = [each.pair("A", "B").p_value for each in found]
        held[repeat] = (
            _holds(found[1].pair("A", "B").interval, true_difference),
            _holds(found[1].systems["A"].interval, true_score),
        )
    rejected = [(p_values <= level).mean(axis=0) for level in (0.05, 0.01)]
    return Rates(
        randomization=(float(rejected[0][0]), float(rejected[1][0])),
        bootstrap=(float(rejected[0][1]), float(rejected[1][1])),
        difference=float(held[:, 0].mean()),
        system=float(held[:, 1].mean()),
        repeats=repeats,
    )


def found_share(effect: float, repeats: int, seed: int = 1) -> tuple[int, float]:
    """Plan a test set for a difference of `effect`, and count how often a test finds it.

    Returns
    -------
    size : int
        The number of segments that is planned.
    share : float
        The share of test sets of this size, from 0 to 1, in which a difference of this size is
        significant; 0.8 is planned.
    """
    population = with_difference(effect)
    random = np.random.default_rng(seed)
    pilot = (
        BleuStats.from_numpy(rows, BLEU) for rows in populations.draw(population, random, 1000)
    )
    size = sample_size(*pilot, effect=effect)
    found = 0
    for repeat in range(repeats):
        drawn = populations.draw(population, random, size)
        stats = {
            name: BleuStats.from_numpy(rows, BLEU) for name, rows in zip("AB", drawn, strict=True)
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compared = compare(
                stats, test="bootstrap", n_trials=TRIALS, n_resamples=None, seed=repeat, threads=1
            )
        found += compared.pair("A", "B").p_value <= 0.05
    return size, found / repeats


@cache
def with_difference(effect: float) -> Population:
    """Make a population in which the first system is better by `effect`."""
    return populations.of_difference(effect)


def _holds(interval: Interval | None, value: float) -> bool:
    return interval is not None and interval.low <= value <= interval.high
