"""How often tests of the difference of two scores reject: level and power, cell after cell.

Twelve scenarios, each under BLEU, chrF and TER: test sets are drawn with replacement from the rows
of real systems, whose outputs are interchangeable or have the same score on the whole population.
The same pairs with a real difference show the power. Run ``python campaign/levels.py``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu import Bleu, Chrf, Ter
from truebleu._core import MOST_PERMUTED
from truebleu.significance.resampling import Resampler, Swapping

from campaign import populations, recorded
from campaign.populations import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from campaign.populations import Floats

# Swaps of each test: p-values are multiples of 0.5%.
TRIALS = 199

# A difference to be found, in standard errors of a test set.
EFFECT = 2.2


class Formula(NamedTuple):
    """A score of sums of rows, and its gradient: the last axis has the fields of a row."""

    score: Callable[[Floats], Floats]
    gradient: Callable[[Floats], Floats]


def _bleu(sums: Floats) -> Floats:
    logs = np.log(sums[..., 2:6] / sums[..., 6:10]).mean(axis=-1)
    return np.asarray(100 * np.exp(logs + np.minimum(0, 1 - sums[..., 1] / sums[..., 0])))


def _bleu_gradient(sums: Floats) -> Floats:
    length, reference = sums[..., 0], sums[..., 1]
    short = length < reference
    parts = [short * reference / length**2, -1.0 * short / length]
    parts += [0.25 / sums[..., column] for column in range(2, 6)]
    parts += [-0.25 / sums[..., column] for column in range(6, 10)]
    return np.asarray(_bleu(sums)[..., None] * np.stack(parts, axis=-1))


def _chrf(sums: Floats) -> Floats:
    matched = sums[..., 2::3]
    precision = (matched / sums[..., 0::3]).mean(axis=-1)
    recall = (matched / sums[..., 1::3]).mean(axis=-1)
    return np.asarray(100 * 5 * precision * recall / (4 * precision + recall))


def _chrf_gradient(sums: Floats) -> Floats:
    own, reference, matched = (sums[..., part::3] for part in range(3))
    orders = own.shape[-1]
    precision = (matched / own).mean(axis=-1)
    recall = (matched / reference).mean(axis=-1)
    squared = (4 * precision + recall) ** 2
    by_precision = (500 * recall**2 / squared / orders)[..., None]
    by_recall = (2000 * precision**2 / squared / orders)[..., None]
    found = np.empty(sums.shape)
    found[..., 0::3] = -by_precision * matched / own**2
    found[..., 1::3] = -by_recall * matched / reference**2
    found[..., 2::3] = by_precision / own + by_recall / reference
    return found


def _ter(sums: Floats) -> Floats:
    return np.asarray(100 * sums[..., :4].sum(axis=-1) / sums[..., 4])


def _ter_gradient(sums: Floats) -> Floats:
    edits, length = sums[..., :4].sum(axis=-1), sums[..., 4]
    return np.stack([*[100 / length] * 4, -100 * edits / length**2], axis=-1)


METRICS = {"BLEU": Bleu(), "chrF": Chrf(), "TER": Ter()}
FORMULAS = {
    "BLEU": Formula(_bleu, _bleu_gradient),
    "chrF": Formula(_chrf, _chrf_gradient),
    "TER": Formula(_ter, _ter_gradient),
}


class Units(NamedTuple):
    """Rows of two systems for each unit that can be drawn, and the weights of units."""

    first: Floats
    second: Floats
    weights: Floats


class Wmt24(NamedTuple):
    """Two systems of WMT24: real documents, or their segments."""

    pair: str
    one: str
    other: str
    documents: bool = True

    def units(self, metric: str) -> Units:
        """Return the rows of each unit."""
        path = populations.WMT24 / f"{self.pair}.{metric.lower()}.tsv"
        rows: dict[str, list[list[int]]] = {}
        documents: dict[str, list[str]] = {}
        with path.open(encoding="utf-8", newline="") as file:
            for system, document, _, *counts in list(csv.reader(file, delimiter="\t"))[1:]:
                rows.setdefault(system, []).append(list(map(int, counts)))
                documents.setdefault(system, []).append(document)
        found = [np.array(rows[name], np.float64) for name in (self.one, self.other)]
        if self.documents:
            _, numbers = np.unique(documents[self.one], return_inverse=True)
            members = numbers == np.arange(numbers.max() + 1)[:, None]
            found = [members @ each for each in found]
        return Units(found[0], found[1], np.ones(len(found[0])))


class Lengths(NamedTuple):
    """Two systems of newstest2021 whose outputs are cut or prolonged to these length ratios."""

    one: float
    other: float

    def units(self, metric: str) -> Units:
        """Return the rows of each segment."""
        *outputs, references = populations.texts()
        factors = (self.one, self.other)
        changed = [of_length(*each, references) for each in zip(outputs, factors, strict=True)]
        counted = [METRICS[metric].stats(each, references) for each in changed]
        rows = [each.to_numpy().astype(np.float64) for each in counted]
        return Units(rows[0], rows[1], np.ones(len(references)))


def of_length(outputs: list[str], ratio: float, references: list[str]) -> list[str]:
    """Drop words at the end of outputs, or repeat those at the start, up to BLEU's length ratio."""
    share, changed = 0.0, outputs
    for _ in range(5):
        lengths = populations.rows_of(changed, references)[:, :2].sum(axis=0)
        share += ratio - lengths[0] / lengths[1]
        random = np.random.default_rng(0)
        changed = []
        for text in map(str.split, outputs):
            number = int(random.binomial(len(text), abs(share)))
            kept = text[: max(1, len(text) - number)] if share < 0 else text + text[:number]
            changed.append(" ".join(kept))
    return changed


class Scenario(NamedTuple):
    """Which systems are compared, on how many units, and whether their outputs are exchanged.

    If they are not interchangeable, units are reweighted until both systems have the same score.
    """

    systems: Wmt24 | Lengths
    number: int
    interchangeable: bool

    @property
    def written(self) -> tuple[str, str]:
        """What is drawn, and how many units."""
        kind = "interchangeable" if self.interchangeable else "equal scores"
        if isinstance(self.systems, Lengths):
            name = f"en-de, length ratios {self.systems.one:.2f}, {self.systems.other:.2f}"
            return f"{name}, {kind}", f"{self.number} segments"
        pair, one, other, documents = self.systems
        drawn = "documents" if documents else "segments"
        return f"{pair}: {one}, {other}, {kind}", f"{self.number} {drawn}"


SCENARIOS = [
    Scenario(Wmt24("en-is", "AMI", "ONLINE-B"), 15, interchangeable=True),
    Scenario(Wmt24("en-hi", "ONLINE-A", "IOL-Research"), 30, interchangeable=True),
    Scenario(Wmt24("en-is", "AMI", "GPT-4"), 170, interchangeable=True),
    Scenario(Lengths(0.97, 1.03), 200, interchangeable=True),
    Scenario(Lengths(1.0, 1.0), 1000, interchangeable=True),
    Scenario(Wmt24("en-hi", "ONLINE-A", "IOL-Research"), 15, interchangeable=False),
    Scenario(Wmt24("en-is", "AMI", "ONLINE-B"), 30, interchangeable=False),
    Scenario(Wmt24("en-hi", "ONLINE-A", "IOL-Research"), 170, interchangeable=False),
    Scenario(Lengths(0.97, 1.03), 200, interchangeable=False),
    Scenario(Lengths(0.99, 1.01), 1000, interchangeable=False),
    Scenario(Lengths(0.97, 1.03), 1000, interchangeable=False),
    Scenario(
        # One is much too short and the other too long: 0.70 and 1.10.
        Wmt24("en-hi", "IKUN", "Mistral-Large", documents=False),
        1000,
        interchangeable=False,
    ),
]


@cache
def population(systems: Wmt24 | Lengths, metric: str) -> Units:
    """Return the units of two systems, all with the same weight."""
    return systems.units(metric)


def influences(units: Units, formula: Formula) -> Floats:
    """Return how much each unit changes the difference, if the mean row is that of all."""
    means = [units.weights @ rows / units.weights.sum() for rows in units[:2]]
    gradients = [formula.gradient(mean) for mean in means]
    return np.asarray(units.first @ gradients[0] - units.second @ gradients[1])


def standard_error(units: Units, formula: Formula, count: int) -> float:
    """Return the standard error of the difference on test sets of so many units."""
    shares = units.weights / units.weights.sum()
    return float(np.sqrt(shares @ influences(units, formula) ** 2 / count))


def with_difference(units: Units, formula: Formula, effect: float) -> Units:
    """Reweight units until the first score is higher than the second by `effect`."""
    scale = influences(units, formula)

    def gap(weights: Floats) -> float:
        one, other = (formula.score(weights @ rows) for rows in units[:2])
        return float(one - other - effect)

    weights = populations._tilted(scale, gap)
    if abs(gap(weights)) > 1e-6:
        raise ValueError("no weights make such a difference")
    return units._replace(weights=weights)


class Swaps(NamedTuple):
    """Two systems on a test set, and random swaps of its units: 1 where a unit is swapped."""

    first: Floats
    second: Floats
    swapped: Floats
    metric: str

    @property
    def formula(self) -> Formula:
        """The formula of the metric."""
        return FORMULAS[self.metric]

    def sums(self) -> tuple[Floats, Floats]:
        """Return the sums of both systems: as observed, and after each swap."""
        gap = self.second - self.first
        moved = np.concatenate([np.zeros((1, gap.shape[1])), self.swapped @ gap.astype("f4")])
        return self.first.sum(axis=0) + moved, self.second.sum(axis=0) - moved


def p_value(statistics: Floats) -> float:
    """Return the p-value of the first of these, by their absolute values."""
    sizes = np.abs(statistics)
    return float(np.count_nonzero(sizes >= sizes[0] * (1 - 1e-9)) / len(sizes))


def plain(swaps: Swaps) -> float:
    """Test the difference of scores."""
    one, other = swaps.sums()
    return p_value(swaps.formula.score(one) - swaps.formula.score(other))


def studentized(swaps: Swaps) -> float:
    """Test the difference of scores over its standard error by the delta method.

    The difference varies with the products of the gradients of both scores and the rows of each
    unit, so the variance is a form of sums of products of fields. After swaps, the mean row of a
    unit is what it was, and half the difference of its rows changes its sign.
    """
    one, other = swaps.sums()
    difference = swaps.formula.score(one) - swaps.formula.score(other)
    of_one, of_other = swaps.formula.gradient(one), swaps.formula.gradient(other)
    mean, half = (of_one + of_other) / 2, (of_one - of_other) / 2
    gap, sum_ = swaps.first - swaps.second, swaps.first + swaps.second
    products = (gap[:, :, None] * sum_[:, None, :]).reshape(len(gap), -1)
    signs = np.concatenate([np.ones((1, len(gap)), "f4"), 1 - 2 * swaps.swapped])
    mixed = (signs @ products.astype("f4")).reshape(-1, gap.shape[1], gap.shape[1])
    variance = np.einsum("ij,jk,ik->i", mean, gap.T @ gap, mean)
    variance += np.einsum("ij,jk,ik->i", half, sum_.T @ sum_, half)
    variance += 2 * (mean[:, None, :] @ mixed @ half[:, :, None])[:, 0, 0]
    return p_value(difference / np.sqrt(np.maximum(variance, 1e-12)))


def of_package(swaps: Swaps) -> float:
    """Test the difference as :func:`truebleu.compare` does."""
    tables = [each.astype(np.int64) for each in swaps[:2]]
    resampler = Resampler(tables, METRICS[swaps.metric], 1)
    swapping = Swapping(resampler)
    if resampler.differ(0, 1).sum() <= MOST_PERMUTED:
        found, ways = swapping.permute(0, 1)
        return found / ways
    [found] = swapping.randomize([(0, 1)], range(TRIALS))
    return (found + 1) / (TRIALS + 1)


TESTS: dict[str, Callable[[Swaps], float]] = {"plain": plain, "package": of_package}


def measure(
    scenario: Scenario, metric: str, repeats: int, *, power: bool = False, seed: int = 1
) -> dict[str, float]:
    """Return how often each test rejects at 5%, of so many test sets."""
    formula = FORMULAS[metric]
    units = population(scenario.systems, metric)
    if power:
        # In the direction of the difference that there is.
        one, other = (formula.score(rows.sum(axis=0)) for rows in units[:2])
        effect = EFFECT * standard_error(units, formula, scenario.number)
        units = with_difference(units, formula, effect if one > other else -effect)
    elif not scenario.interchangeable:
        units = with_difference(units, formula, 0.0)
    random = np.random.default_rng(seed)
    shares = units.weights / units.weights.sum()
    rejected = dict.fromkeys(TESTS, 0)
    for _ in range(repeats):
        drawn = random.choice(len(shares), scenario.number, p=shares)
        first, second = units.first[drawn], units.second[drawn]
        if scenario.interchangeable and not power:
            exchanged = random.random((scenario.number, 1)) < 0.5
            first, second = (
                np.where(exchanged, second, first),
                np.where(exchanged, first, second),
            )
        bits = np.frombuffer(random.bytes(TRIALS * -(-scenario.number // 8)), np.uint8)
        bits = np.unpackbits(bits.reshape(TRIALS, -1), axis=1)[:, : scenario.number]
        swapped = bits.astype("f4")
        swaps = Swaps(first, second, swapped, metric)
        for name, test in TESTS.items():
            rejected[name] += test(swaps) <= 0.05
    return {name: count / repeats for name, count in rejected.items()}


def table(rows: list[list[str]]) -> str:
    """Write recorded rates as a Markdown table: in percent, of both kinds of each cell."""
    lines = [
        "| systems | drawn | metric | rows swapped: level | level | rows swapped: power | power |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    cells: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for kind, *named, plain_rate, rate, _ in rows:
        percent = [f"{100 * float(each):.1f}" for each in (plain_rate, rate)]
        cells.setdefault(tuple(named), {})[kind] = percent
    for cell, rates in cells.items():
        both = [each for kind in ("level", "power") for each in rates.get(kind, [""] * 2)]
        lines.append(f"| {' | '.join([*cell, *both])} |")
    return "\n".join(lines) + "\n"


def document() -> None:
    """Put the table of the last record into the documentation."""
    page = ROOT / "campaign" / "README.md"
    before, begin, rest = page.read_text("utf-8").partition("<!-- levels:begin -->\n")
    _, end, after = rest.partition("<!-- levels:end -->\n")
    written = table(recorded.rows_of("levels"))
    page.write_text(before + begin + written + end + after, "utf-8")


def main() -> None:
    """Measure all cells, print each, and record them unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=4000, help="test sets of each cell")
    parser.add_argument("--no-record", action="store_true", help="only print")
    parser.add_argument("--metrics", nargs="+", default=list(METRICS), choices=list(METRICS))
    parser.add_argument("--kinds", nargs="+", default=["level", "power"])
    parser.add_argument("--full", action="store_true", help="also test in the full form, slowly")
    options = parser.parse_args()
    if options.full:
        TESTS["studentized"] = studentized
    rows = []
    for kind in options.kinds:
        for scenario in SCENARIOS:
            for metric in options.metrics:
                start = time.perf_counter()
                found = measure(scenario, metric, options.repeats, power=kind == "power")
                rows.append([kind, *scenario.written, metric, *found.values(), options.repeats])
                print(*rows[-1], f"{time.perf_counter() - start:.0f} s", sep="\t", flush=True)
                if not (options.no_record or options.full):
                    header = ["kind", "scenario", "drawn", "metric", *TESTS, "repeats"]
                    recorded.record("levels", header, rows)
                    document()


if __name__ == "__main__":
    main()
