"""How often tests reject and intervals cover: one scenario after another."""

from __future__ import annotations

import warnings
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sacrebleu.significance import _compute_p_value
from truebleu import Stats, compare, compare_runs, compare_sets, compare_unpaired
from truebleu._core import Units

from campaign import populations
from campaign.populations import BLEU, Drawn, Population

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from truebleu import Comparison
    from truebleu.significance.pair import Interval

    from campaign.populations import Floats, Ints

# Enough for rates; the ends of intervals jitter by 0.03.
TRIALS = 1_999


class Scenario(NamedTuple):
    """What is drawn, and how it is compared.

    Attributes
    ----------
    name : str
    population : callable
        Makes the population.
    number : int
        Segments of each test set, or documents.
    change : callable, optional
        Changes what is drawn, such as by swapping systems in each unit that is drawn.
    units : str
        What is drawn and resampled: ``segments`` or ``documents``. Of ``as segments`` and ``as
        auto``, documents are drawn, and their IDs are not given.
    equal : bool
        Whether the systems have the same score, so that rejections are false alarms.
    warned : bool
        Whether the documentation says that this is unreliable.
    sacrebleu : bool
        Whether sacreBLEU's paired bootstrap is measured, too.
    """

    name: str
    population: Callable[[], Population]
    number: int
    change: Callable[[Drawn, np.random.Generator], Drawn] | None = None
    units: str = "segments"
    equal: bool = True
    warned: bool = False
    sacrebleu: bool = False

    @property
    def written(self) -> tuple[str, str, str]:
        """What is drawn, how many, and what is resampled."""
        drawn = "segments" if self.units == "segments" else "documents"
        resampled = self.units.removeprefix("as ")
        return self.name, f"{self.number:,} {drawn}", resampled


def swap(drawn: Drawn, random: np.random.Generator) -> Drawn:
    """Swap systems in each unit."""
    return populations.exchanged(drawn, random)


def tenth(drawn: Drawn, random: np.random.Generator) -> Drawn:
    """Let a tenth of the segments differ, and swap systems there."""
    return populations.exchanged(populations.mostly_equal(drawn, random, 0.1), random)


REAL, EQUAL = populations.real, populations.of_equal_systems

# Of the systems of WMT24, those with the best score, the second, and the worst.
BY_SCORE = {"en-hi": ("ONLINE-A", "IOL-Research", "IKUN"), "en-is": ("AMI", "ONLINE-B", "GPT-4")}

SCENARIOS = [
    *(
        Scenario("interchangeable systems", REAL, count, swap, sacrebleu=True)
        for count in (50, 200, 1000)
    ),
    *(
        Scenario("equal BLEU, different outputs", EQUAL, count, sacrebleu=True)
        for count in (50, 200, 1000)
    ),
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
]


def of_wmt24() -> Iterator[Scenario]:
    """Yield scenarios of real segments and documents, if their rows are there."""
    if not populations.WMT24.is_dir():
        return

    def unequal() -> Population:
        found = populations.of_documents("en-hi", "IKUN", "Mistral-Large")
        return populations.equal(found._replace(documents=None))

    yield Scenario("equal BLEU, length ratios 0.73, 1.11", unequal, 1000, warned=True)
    for pair, (best, second, worst) in BY_SCORE.items():
        systems = partial(populations.of_documents, pair, best, second)

        def equal(systems: Callable[[], Population] = systems) -> Population:
            return populations.equal(systems())

        far = partial(populations.of_documents, pair, best, worst)
        close = Scenario(
            f"{pair}: {best} and {second} interchangeable", systems, 170, swap, "documents"
        )
        for count in (12, 15, 20, 30, 40, 60, 100):
            yield close._replace(number=count, warned=count < 60)
        apart = f"{pair}: {best} and {worst} interchangeable"
        for scenario in (
            close,
            close._replace(
                name=f"{pair}: {best} and {second}, equal BLEU", population=equal
            )._replace(change=None),
            close._replace(name=apart, population=far),
        ):
            yield scenario
            yield scenario._replace(units="as segments", warned=True)
            yield scenario._replace(units="as auto", warned=True)
        yield close._replace(number=60, units="as auto", warned=True)


SCENARIOS += of_wmt24()


@cache
def population_of(make: Callable[[], Population]) -> Population:
    """Make a population once."""
    return make()


class Rates(NamedTuple):
    """Shares of the repeats of a scenario, from 0 to 1.

    Attributes
    ----------
    rejected, sacrebleu : tuple of float
        Rejections at 5% and at 1%; by sacreBLEU's paired bootstrap only if it is measured.
    not_worse : float
        How often a margin of 0 is shown at 5%.
    difference, system : float
        Intervals that hold the difference, and the score of the first system.
    dependence : float or None
        Test sets of which a note says that segments depend on their neighbors; None unless
        segments are resampled.
    """

    rejected: tuple[float, float]
    sacrebleu: tuple[float, float] | None
    not_worse: float
    difference: float
    system: float
    dependence: float | None
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


def measure(scenario: Scenario, repeats: int, seed: int = 1, trials: int = TRIALS) -> Rates:
    """Draw test sets, compare the systems on each, and count."""
    random = np.random.default_rng(seed)
    population = population_of(scenario.population)
    true_difference, true_score = truth(scenario)
    p_values = np.empty((repeats, 3))
    held = np.empty((repeats, 2), bool)
    dependent = 0
    units = scenario.units
    for repeat in range(repeats):
        drawn = populations.draw(population, random, scenario.number, documents=units != "segments")
        if scenario.change is not None:
            drawn = scenario.change(drawn, random)
        stats = _stats(drawn)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = compare(
                stats,
                units=given_units(units, drawn.units),
                n_resamples=trials,
                margin=0,
                seed=repeat,
                threads=1,
            )
        dependent += any("alike (permutation test" in note for note in found.notes)
        pair = found.pair("A", "B")
        p_values[repeat] = pair.p_value, pair.p_not_worse, 1
        if scenario.sacrebleu:
            p_values[repeat, 2] = _by_sacrebleu(stats, repeat)
        held[repeat] = (
            _holds(pair.interval, true_difference),
            _holds(found.systems["A"].interval, true_score),
        )
    at_5, at_1 = ((p_values <= level).mean(axis=0).tolist() for level in (0.05, 0.01))
    return Rates(
        rejected=(at_5[0], at_1[0]),
        sacrebleu=(at_5[2], at_1[2]) if scenario.sacrebleu else None,
        not_worse=at_5[1],
        difference=float(held[:, 0].mean()),
        system=float(held[:, 1].mean()),
        dependence=dependent / repeats if units in ("segments", "as segments") else None,
        repeats=repeats,
    )


def given_units(units: str, documents: Ints | None) -> Any:
    """Return the units that a test is given."""
    if units == "documents":
        return documents
    return "auto" if units == "as auto" else "segments"


def _by_sacrebleu(stats: dict[str, Stats], seed: int) -> float:
    """Return the p-value of sacreBLEU's paired bootstrap, with samples of the core."""
    units = Units([each.to_numpy().tobytes() for each in stats.values()], 10)
    samples = units.bootstrap(BLEU._core, seed, 0, TRIALS, 1)
    first, second = np.frombuffer(samples, "<f8").reshape(-1, 2).T
    gaps = np.abs(second - first)
    one, other = (BLEU.score(each).score for each in stats.values())
    return float(_compute_p_value(gaps - gaps.mean(), abs(one - other)))


def shown_share(
    difference: float, margin: float, segments: int, repeats: int
) -> tuple[float, float]:
    """Return how often non-inferiority and equivalence are shown, at 5%.

    The first system of the population is worse by `difference`; if that is the `margin`, both are
    false.
    """
    population = with_difference(-difference)
    random = np.random.default_rng(1)
    shown = np.empty((repeats, 2), bool)
    for repeat in range(repeats):
        drawn = _stats(populations.draw(population, random, segments))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            [pair] = compare(
                drawn,
                units="segments",
                margin=margin,
                n_resamples=TRIALS,
                seed=repeat,
                threads=1,
            ).pairs
        p_values = pair.p_not_worse, pair.p_equivalent
        shown[repeat] = [p is not None and p <= 0.05 for p in p_values]
    not_worse, equivalent = shown.mean(axis=0).tolist()
    return not_worse, equivalent


class Several(NamedTuple):
    """How often tests of runs, or of the average of sets, reject at 5% and 1%, and what 95% cover.

    `not_worse` is how often a margin of 0 is shown at 5%, `difference` and `system` the coverage of
    intervals, `between` the mean share of the variance of differences that is said to be between
    runs; all from 0 to 1.
    """

    rejected: tuple[float, float]
    not_worse: float
    difference: float
    system: float
    between: float
    repeats: int


class OfRuns(NamedTuple):
    """Runs of two systems of WMT24, in documents: mixtures of the outputs of two systems each.

    The share of the first of the two is drawn for each run, from 0.5 - `spread` to 0.5 + `spread`.
    Systems are `interchangeable` mixtures of the same two, or have equal scores and are others. Of
    the segments, a share is `varying` from run to run; the others are those of all runs.
    """

    pair: str
    interchangeable: bool
    spread: float
    runs: tuple[int, int] = (5, 5)
    varying: float = 1.0

    @property
    def written(self) -> str:
        """What it is, in words."""
        kind = "interchangeable" if self.interchangeable else "equal BLEU"
        varied = f"shares ±{self.spread:g}" if self.varying == 1 else f"{self.varying:.0%} vary"
        return f"{self.pair}: {kind}, {self.runs[0]} runs against {self.runs[1]}, {varied}"


RUNS = [
    OfRuns(pair, interchangeable, spread)
    for pair in (BY_SCORE if populations.WMT24.is_dir() else ())
    for interchangeable in (True, False)
    for spread in ((0.05, 0.3) if interchangeable else (0.02, 0.1))
]
RUNS += [case._replace(spread=0.0, varying=0.02) for case in RUNS[2::4]]


@cache
def _mixtures(case: OfRuns) -> tuple[list[tuple[Ints, Ints]], Population, list[float]]:
    """Return what runs of each system are mixed of, weights of documents, and true mean scores."""
    rows, documents = populations.wmt24(case.pair)
    even = np.ones(len(documents))
    a, b, c, d = sorted(rows, key=lambda name: -populations.score(rows[name], even))
    mixed = [(rows[a], rows[b])] * 2 if case.interchangeable else [(rows[a], rows[c])]
    mixed += [] if case.interchangeable else [(rows[b], rows[d])]
    sums = [one + other for one, other in mixed]
    population = Population(sums[0], sums[1], even, documents)
    if not case.interchangeable:
        population = populations.equal(population)
    shares = np.linspace(0.5 - case.spread, 0.5 + case.spread, 101)
    true = [
        float(
            np.mean(
                [
                    populations.score(share * one + (1 - share) * other, population.weights)
                    for share in shares
                ]
            )
        )
        for one, other in mixed
    ]
    return mixed, population, true


def of_runs(case: OfRuns, repeats: int, seed: int = 1, trials: int = TRIALS) -> Several:
    """Draw documents and runs, compare the systems, and count."""
    random = np.random.default_rng(seed)
    mixed, population, true = _mixtures(case)
    assert population.documents is not None
    found = []
    for repeat in range(repeats):
        drawn = populations.draw(
            population._replace(first=np.arange(len(population.weights))),
            random,
            population.documents.max() + 1,
            documents=True,
        )
        systems = {}
        for name, outputs, count in zip("AB", mixed, case.runs, strict=True):
            parts = outputs[0][drawn.first], outputs[1][drawn.first]
            shares = random.uniform(0.5 - case.spread, 0.5 + case.spread, count)
            of_all = populations.run_of(parts, 0.5, random)
            runs = (populations.run_of(parts, share, random) for share in shares)
            systems[name] = [
                Stats.from_numpy(
                    np.where(random.random((len(run), 1)) < case.varying, run, of_all), BLEU
                )
                for run in runs
            ]
        compared = compare_runs(
            systems, units=drawn.units, n_resamples=trials, margin=0, seed=repeat, threads=1
        )
        found.append(_outcome(compared, true[0] - true[1], true[0]))
    return _several(found)


def _outcome(compared: Comparison, difference: float, score: float) -> tuple[float, ...]:
    pair = compared.pair("A", "B")
    held = _holds(pair.interval, difference), _holds(compared.systems["A"].interval, score)
    return pair.p_value, (pair.p_not_worse or 0.0) <= 0.05, *held, pair.between_runs or 0.0


def _several(found: list[tuple[float, ...]]) -> Several:
    values = np.array(found)
    at_5, at_1 = ((values[:, 0] <= level).mean() for level in (0.05, 0.01))
    rest = dict(zip(Several._fields[1:], values[:, 1:].mean(axis=0).tolist(), strict=False))
    return Several((float(at_5), float(at_1)), **rest, repeats=len(found))


SETS = [
    f"both pairs, {kind}"
    for kind in ("interchangeable", "equal BLEU")
    if populations.WMT24.is_dir()
]


def of_sets(case: str, repeats: int, seed: int = 1, trials: int = TRIALS) -> Several:
    """Draw documents of two languages, compare systems on both, and count for the average."""
    random = np.random.default_rng(seed)
    equal = case == "both pairs, equal BLEU"
    made = []
    for pair, (best, second, _) in BY_SCORE.items():
        population = populations.of_documents(pair, best, second)
        made.append((pair, populations.equal(population) if equal else population))
    scores = [
        each.scores()[0] if equal else populations.score(each.first + each.second, each.weights)
        for _, each in made
    ]
    gaps = [each.scores()[0] - each.scores()[1] if equal else 0.0 for _, each in made]
    found = []
    for repeat in range(repeats):
        sets, documents = {}, {}
        for pair, population in made:
            assert population.documents is not None
            count = population.documents.max() + 1
            drawn = populations.draw(population, random, count, documents=True)
            drawn = drawn if equal else swap(drawn, random)
            sets[pair], documents[pair] = (_stats(drawn), None), drawn.units
        average = compare_sets(
            sets,
            units=documents,
            n_resamples=trials,
            margin=0,
            seed=repeat,
            threads=1,
        ).average
        assert average is not None
        found.append(_outcome(average, float(np.mean(gaps)), float(np.mean(scores))))
    return _several(found)


UNPAIRED = [(15, True), (40, True), (170, True), (50, False), (200, False), (1000, False)]
"""How many documents of WMT24 (en-hi), or segments, two corpora have that share none."""


def of_unpaired(case: tuple[int, bool], repeats: int, seed: int = 1) -> Several:
    """Draw two corpora of one system, the second twice as large, compare them, and count."""
    number, documents = case
    random = np.random.default_rng(seed)
    best, second, _ = BY_SCORE["en-hi"]
    population = populations.real()
    if documents:
        population = populations.of_documents("en-hi", best, second)
    score = population.scores()[0]
    found = []
    for repeat in range(repeats):
        several, units = {}, {}
        for name, count in (("A", number), ("B", 2 * number)):
            drawn = populations.draw(population, random, count, documents=documents)
            several[name] = Stats.from_numpy(drawn.first, BLEU)
            units[name] = drawn.units
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compared = compare_unpaired(
                several, units=units if documents else "segments", margin=0, seed=repeat
            )
        found.append(_outcome(compared, 0.0, score))
    return _several(found)


def _stats(drawn: Drawn) -> dict[str, Stats]:
    rows = {"A": drawn.first, "B": drawn.second}
    return {name: Stats.from_numpy(each, BLEU) for name, each in rows.items()}


def order_in_file(permutations: int = 999) -> Iterator[tuple[str, float]]:
    """Yield whether neighboring segments influence scores, and differences, alike.

    The statistic is the sum of the autocorrelations 1 to 10 of the influences of segments, in the
    order of the file; its p-value is that of permutations of the segments.
    """
    for pair in BY_SCORE if populations.WMT24.is_dir() else ():
        rows, *_ = populations.wmt24(pair)
        influence = {
            name: np.asarray(BLEU.scores(each.sum(axis=0) - each)) for name, each in rows.items()
        }
        for name, of_system in influence.items():
            yield f"{pair}, {name}", _order_p(of_system, permutations)
        for one, other in combinations(influence, 2):
            gap = influence[one] - influence[other]
            yield f"{pair}, {one} - {other}", _order_p(gap, permutations)


def _order_p(influence: Floats, permutations: int) -> float:
    random = np.random.default_rng(1)
    gaps = influence - influence.mean()

    def alike(gaps: Floats) -> float:
        return float(sum(gaps[lag:] @ gaps[:-lag] for lag in range(1, 11)))

    observed = alike(gaps)
    extreme = sum(alike(random.permutation(gaps)) >= observed for _ in range(permutations))
    return (extreme + 1) / (permutations + 1)


@cache
def with_difference(effect: float) -> Population:
    """Make a population in which the first system is better by `effect`."""
    return populations.of_difference(effect)


def _holds(interval: Interval | None, value: float) -> bool:
    return interval is not None and interval.low <= value <= interval.high
