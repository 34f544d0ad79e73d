"""Measure how often tests reject and intervals cover, record it, and put it into the documentation.

Run by ``make campaign``, which then fuzzes; takes half an hour on two processors by itself.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign import recorded
from campaign.populations import ROOT, WMT24
from campaign.rates import (
    RUNS,
    SCENARIOS,
    SETS,
    UNPAIRED,
    Rates,
    Scenario,
    Several,
    measure,
    of_runs,
    of_sets,
    of_unpaired,
    order_in_file,
    shown_share,
)

_BEGIN, _END = "<!-- rates:begin -->\n", "<!-- rates:end -->"


# What 95% intervals must cover wherever the documentation does not warn.
LEAST_COVERAGE = 0.93


def table(measured: list[tuple[Scenario, Rates]]) -> str:
    """Write the rates as a Markdown table."""
    lines = [
        "| test sets | drawn | resampled | test rejects | sacreBLEU's bootstrap rejects "
        "| at most 0 worse: shown | the interval of the difference covers "
        "| the interval of a score covers | said to be dependent |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for scenario, rates in measured:
        rejections = [""] * 3
        if scenario.equal:
            rejections = [
                "" if each is None else " / ".join(f"{100 * share:.1f}" for share in each)
                for each in (rates.rejected, rates.sacrebleu)
            ]
            rejections.append(f"{100 * rates.not_worse:.1f}")
        shares = [
            "" if share is None else f"{100 * share:.1f}"
            for share in (rates.difference, rates.system, rates.dependence)
        ]
        cells = [*scenario.written, *rejections, *shares]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


# Of a system that is worse by so much, with this margin and so many segments.
MARGINS = [(worse, 1.0, segments) for segments in (200, 1000) for worse in (1.0, 0.5, 0.0)]


def several(found: list[tuple[str, Several]]) -> str:
    """Write the rates of runs and of averages over sets as a table."""
    lines = [
        "| systems | test rejects | at most 0 worse: shown | the interval of the difference covers "
        "| the interval of a score covers | variance between runs |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, each in found:
        rejected = " / ".join(f"{100 * share:.1f}" for share in each.rejected)
        shares = " | ".join(
            f"{100 * share:.1f}" for share in (each.not_worse, each.difference, each.system)
        )
        between = f"{each.between:.0%}" if "runs" in name else ""
        lines.append(f"| {name} | {rejected} | {shares} | {between} |")
    return "\n".join(lines) + "\n"


def margins(found: list[tuple[float, float]]) -> str:
    """Write how often statements on a margin are shown as a table."""
    lines = [
        "| difference | margin | segments | at most so much worse: shown | equivalence: shown |",
        "|---:|---:|---:|---:|---:|",
    ]
    for (worse, margin, segments), shown in zip(MARGINS, found, strict=True):
        shares = " | ".join(f"{100 * share:.1f}" for share in shown)
        lines.append(f"| {0 - worse:g} | {margin:g} | {segments:,} | {shares} |")
    return "\n".join(lines) + "\n"


def record(
    measured: list[tuple[Scenario, Rates]],
    of_several: list[tuple[str, Several]],
    shown: list[tuple[float, float]],
) -> None:
    """Keep the rates by date, and write the tables into the documentation."""
    found = [[*scenario.written, *rates] for scenario, rates in measured]
    header = ["scenario", "drawn", "resampled", *Rates._fields]
    today = recorded.record("significance", header, found)
    recorded.record("several", ["systems", *Several._fields], [[n, *e] for n, e in of_several])
    recorded.record(
        "margins",
        ["difference", "margin", "segments", "not worse", "equivalent"],
        [[*case, *each] for case, each in zip(MARGINS, shown, strict=True)],
    )
    recorded.record("order", ["influence on", "p"], order_in_file())
    repeats = sorted({rates.repeats for _, rates in measured}, reverse=True)
    errors = [f"{100 * _error(each):.1f}" for each in repeats]
    source = (
        f"\nMeasured on {today} by `make campaign`, {' or '.join(f'{each:,}' for each in repeats)} "
        f"test sets each: the standard error of a rate near 5% or 95% is {' or '.join(errors)} "
        "points.\n"
    )
    page = ROOT / "campaign" / "README.md"
    text = page.read_text("utf-8")
    for name, written in (
        ("rates", table(measured) + source),
        ("several", several(of_several)),
        ("margins", margins(shown)),
    ):
        before, begin, rest = text.partition(f"<!-- {name}:begin -->\n")
        _, end, after = rest.partition(f"<!-- {name}:end -->\n")
        text = before + begin + written + end + after
    page.write_text(text, "utf-8")


def _error(repeats: int) -> float:
    """Return the standard error of a rate near 5% or 95%."""
    return sqrt(0.05 * 0.95 / repeats)


def _measure(number: int, repeats: int) -> Rates:
    """Measure a scenario; what makes its population cannot be sent to another process."""
    return measure(SCENARIOS[number], repeats)


def _of_unpaired(case: tuple[int, bool]) -> str:
    """Say what two corpora that share no segments are."""
    number, documents = case
    what = "documents of en-hi" if documents else "segments"
    return f"unpaired: {number} and {2 * number} {what}, one system"


def main() -> None:
    """Measure all scenarios, on all processors, and record them unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000, help="test sets of each scenario")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    if not (options.no_record or WMT24.is_dir()):
        sys.exit(f"{WMT24} is missing, so the record would lack real documents: use --no-record")
    numbers = range(len(SCENARIOS))
    with ProcessPoolExecutor() as pool:
        rates = list(pool.map(partial(_measure, repeats=options.repeats), numbers))
        repeats = options.repeats // 3
        runs = pool.map(partial(of_runs, repeats=repeats), RUNS)
        sets = pool.map(partial(of_sets, repeats=repeats), SETS)
        unpaired = pool.map(partial(of_unpaired, repeats=options.repeats), UNPAIRED)
        of_several = [
            *zip([case.written for case in RUNS], runs, strict=True),
            *zip(SETS, sets, strict=True),
            *zip(map(_of_unpaired, UNPAIRED), unpaired, strict=True),
        ]
        shown = list(pool.map(partial(shown_share, repeats=repeats), *zip(*MARGINS, strict=True)))
    measured = list(zip(SCENARIOS, rates, strict=True))
    print("\n".join([table(measured), several(of_several), margins(shown)]))
    if not options.no_record:
        record(measured, of_several, shown)
    failed = [
        ", ".join(scenario.written)
        for scenario, found in measured
        if not scenario.warned
        and min(found.difference, found.system) < LEAST_COVERAGE - 2 * _error(found.repeats)
    ]
    if failed:
        sys.exit(f"95% intervals cover less than {LEAST_COVERAGE:.0%}: {'; '.join(failed)}")


if __name__ == "__main__":
    main()
