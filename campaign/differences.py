"""Compare random cases with sacreBLEU, by the million: rows and scores of BLEU, chrF and TER.

A case is a segment with its references. Cases come in parts, each a corpus under one choice of
settings, drawn from a seed and the number of the part. So a campaign can be cut into runs, and
each part can be repeated by itself. Ends at the first difference.

    python campaign/differences.py bleu=1000000 chrf=1000000 ter=10000
    python campaign/differences.py chrf=1000 --start 4711
"""

from __future__ import annotations

import argparse
import functools
import math
import operator
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import sacrebleu
from sacrebleu.metrics import bleu as sacrebleu_module
from truebleu import Bleu, Chrf, SettingsWarning, Ter
from truebleu.metrics.ter.score import UNITS

from campaign import cases

if TYPE_CHECKING:
    from collections.abc import Callable

# Segments of a part.
SIZE = 50

# Numbers of references for which sacreBLEU's mean length of the references is exact.
EXACT = (1, 2, 4)


class Difference(NamedTuple):
    """Where the two packages differ."""

    metric: str
    part: int
    settings: dict[str, Any]
    case: Any
    found: Any
    expected: Any

    def __str__(self) -> str:
        """Show how to see it again."""
        return (
            f"{self.metric} differs in part {self.part}\n  settings: {self.settings}\n"
            f"  case: {self.case!a}\n  found: {self.found}\n  expected: {self.expected}"
        )


class Comparison(NamedTuple):
    """How a metric is compared.

    Attributes
    ----------
    settings : callable
        Draws the settings.
    segment : callable
        Draws a segment.
    rows : callable
        Returns the rows of truebleu and of sacreBLEU, and the two scores of the corpus.
    """

    settings: Callable[[Random], dict[str, Any]]
    segment: Callable[[Random], cases.Segment]
    rows: Callable[..., tuple[list[Any], list[Any], float, float]]


def known_case(texts: list[str], chosen: dict[str, Any]) -> dict[str, Any]:
    """Turn lowercasing off if a character is unknown to Python, whose Unicode may be older."""
    lowercases = chosen.get("lowercase") or chosen.get("case_sensitive") is False
    if not lowercases or all(map(str.isascii, texts)):
        return chosen
    off = {"lowercase": False} if "lowercase" in chosen else {"case_sensitive": True}
    return chosen | off


def bleu_rows(
    hypotheses: list[str], references: list[list[str]], chosen: dict[str, Any]
) -> tuple[list[Any], list[Any], float, float]:
    """Score with BLEU."""
    names = {"tokenizer": "tokenize", "smoothing": "smooth_method", "max_order": "max_ngram_order"}
    settings = {names.get(name, name): value for name, value in chosen.items()}
    ours, theirs = Bleu(**chosen), sacrebleu.BLEU(force=True, **settings)
    stats = ours.stats(hypotheses, references)
    expected = theirs._extract_corpus_statistics(hypotheses, cases.streams(references))
    found, wanted = ours.score(stats).score, theirs._aggregate_and_compute(expected).score
    # A perfect score is exactly that, and none is larger.
    wanted = min(wanted, 100.0)
    if found == 100 and math.isclose(found, wanted, rel_tol=1e-12):
        wanted = found
    return stats.to_numpy().tolist(), [list(map(int, row)) for row in expected], found, wanted


def chrf_rows(
    hypotheses: list[str], references: list[list[str]], chosen: dict[str, Any]
) -> tuple[list[Any], list[Any], float, float]:
    """Score with chrF."""
    ours, theirs = Chrf(**chosen), sacrebleu.CHRF(**chosen)
    stats = ours.stats(hypotheses, references)
    expected = theirs._extract_corpus_statistics(hypotheses, cases.streams(references))
    wanted = theirs._aggregate_and_compute(expected).score
    return stats.to_numpy().tolist(), expected, ours.score(stats).score, wanted


def ter_rows(
    hypotheses: list[str], references: list[list[str]], chosen: dict[str, Any]
) -> tuple[list[Any], list[Any], float, float]:
    """Score with TER; with 3 references or 5, the last digits of scores are rounded there."""
    ours, theirs = Ter(**chosen), sacrebleu.TER(**chosen)
    stats = ours.stats(hypotheses, references)
    found = [[sum(row[:4]), row[4] / UNITS] for row in stats.to_numpy().tolist()]
    expected = theirs._extract_corpus_statistics(hypotheses, cases.streams(references))
    score, wanted = ours.score(stats).score, theirs._aggregate_and_compute(expected).score
    exact = all(len(several) in EXACT for several in references)
    if not exact and math.isclose(score, wanted, rel_tol=1e-13):
        wanted = score
    return found, expected, score, wanted


COMPARISONS = {
    "bleu": Comparison(cases.bleu_settings, cases.segment, bleu_rows),
    "chrf": Comparison(cases.chrf_settings, cases.segment, chrf_rows),
    "ter": Comparison(
        cases.ter_settings,
        lambda random: (cases.segment if random.random() < 0.5 else cases.shifts)(random),
        ter_rows,
    ),
}


def compare_part(job: tuple[str, int, int]) -> Difference | None:
    """Compare one part: its metric, its number and the seed of the campaign."""
    metric, part, seed = job
    random = Random(f"{seed} {metric} {part}")
    draw_settings, draw_segment, score = COMPARISONS[metric]
    hypotheses, references = cases.corpus(random, SIZE, draw_segment)
    texts = [*hypotheses, *(text for several in references for text in several)]
    chosen = known_case(texts, draw_settings(random))

    def add(numbers: Any) -> Any:
        return functools.reduce(operator.add, numbers, 0)

    # From Python 3.12 on, sum compensates for rounding errors, which moves sacreBLEU's last bit.
    with mock.patch.object(sacrebleu_module, "sum", add, create=True):
        rows, expected, found, wanted = score(hypotheses, references, chosen)
    for number, (row, other) in enumerate(zip(rows, expected, strict=True)):
        if row != other:
            case = hypotheses[number], references[number]
            return Difference(metric, part, chosen, case, row, other)
    if found != wanted:
        return Difference(metric, part, chosen, (hypotheses, references), found, wanted)
    return None


def ignore_warnings() -> None:
    """Let cases be as odd as they like."""
    warnings.simplefilter("ignore", SettingsWarning)


def run(metric: str, count: int, start: int, seed: int, jobs: int | None) -> Difference | None:
    """Compare so many cases on several processors; print how far it came."""
    parts = range(start, start + math.ceil(count / SIZE))
    began = shown = time.monotonic()
    done = 0
    with ProcessPoolExecutor(jobs, initializer=ignore_warnings) as pool:
        work = ((metric, part, seed) for part in parts)
        for found in pool.map(compare_part, work, chunksize=1 if metric == "ter" else 20):
            if found is not None:
                pool.shutdown(cancel_futures=True)
                return found
            done += 1
            if time.monotonic() > shown + 60:
                shown = time.monotonic()
                print(f"{metric}: {done * SIZE:,} cases", flush=True)
    print(
        f"{metric}: {done * SIZE:,} cases in parts {parts[0]:,} to {parts[-1]:,}, seed {seed}: "
        f"no difference ({time.monotonic() - began:.0f} s)",
        flush=True,
    )
    return None


def sizes(text: str) -> tuple[str, int]:
    """Read ``metric=cases``."""
    metric, _, count = text.partition("=")
    if metric not in COMPARISONS or not count.isdigit() or not int(count):
        raise argparse.ArgumentTypeError(
            f"{text!r}; one of {', '.join(COMPARISONS)} and a number of cases is needed, as in "
            "chrf=1000"
        )
    return metric, int(count)


def main() -> None:
    """Compare as many cases as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = [("bleu", 10**7), ("chrf", 10**7), ("ter", 10**5)]
    shown = " ".join(f"{metric}={count}" for metric, count in default)
    parser.add_argument(
        "cases", nargs="*", type=sizes, default=default, help=f"metric=cases; default: {shown}"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the campaign; default: 1")
    parser.add_argument("--start", type=int, default=0, help="the first part; default: 0")
    parser.add_argument("--jobs", type=int, help="processes; default: one per processor")
    options = parser.parse_args()
    for metric, count in options.cases:
        difference = run(metric, count, options.start, options.seed, options.jobs)
        if difference is not None:
            sys.exit(str(difference))


if __name__ == "__main__":
    main()
