"""Measure how often tests reject and intervals cover, record it, and put it into the documentation.

Run by ``make campaign``, which then fuzzes; takes some minutes by itself.
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
    SCENARIOS,
    Planned,
    Rates,
    Scenario,
    found_share,
    measure,
    order_in_file,
)

_BEGIN, _END = "<!-- rates:begin -->\n", "<!-- rates:end -->"


# What 95% intervals must cover wherever the documentation does not warn.
LEAST_COVERAGE = 0.93

# Differences that test sets are planned for, and the segments of the pilots.
PLANS = [(effect, pilot) for pilot in (100, 1000) for effect in (0.5, 1.0, 2.0)]


def plans(found: list[Planned]) -> str:
    """Write how often differences were found in test sets planned for them, as a table."""
    lines = [
        "| difference | segments of the pilot | segments planned (10th to 90th percentile) "
        "| found |",
        "|---:|---:|---:|---:|",
    ]
    for (effect, pilot), each in zip(PLANS, found, strict=True):
        planned = f"{each.low:,} to {each.high:,}"
        lines.append(f"| {effect:g} | {pilot:,} | {planned} | {100 * each.found:.1f} |")
    return "\n".join(lines) + "\n"


def table(measured: list[tuple[Scenario, Rates]]) -> str:
    """Write the rates as a Markdown table."""
    lines = [
        "| test sets | drawn | resampled | randomization rejects | bootstrap rejects "
        "| sacreBLEU's bootstrap rejects | the interval of the difference covers "
        "| the interval of a score covers | warned of dependence |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for scenario, rates in measured:
        rejections = [""] * 3
        if scenario.equal:
            rejections = [
                "" if each is None else " / ".join(f"{100 * share:.1f}" for share in each)
                for each in (rates.randomization, rates.bootstrap, rates.sacrebleu)
            ]
        shares = [
            "" if share is None else f"{100 * share:.1f}"
            for share in (rates.difference, rates.system, rates.dependence)
        ]
        cells = [*scenario.written, *rejections, *shares]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def record(measured: list[tuple[Scenario, Rates]], planned: list[Planned]) -> None:
    """Keep the rates by date, and write the table into the documentation."""
    found = [[*scenario.written, *rates] for scenario, rates in measured]
    header = ["scenario", "drawn", "resampled", *Rates._fields]
    today = recorded.record("significance", header, found)
    recorded.record(
        "plans",
        ["difference", "pilot", *Planned._fields],
        [[*plan, *each] for plan, each in zip(PLANS, planned, strict=True)],
    )
    recorded.record("order", ["influence on", "p"], order_in_file())
    repeats = sorted({rates.repeats for _, rates in measured}, reverse=True)
    errors = [f"{100 * sqrt(0.05 * 0.95 / each):.1f}" for each in repeats]
    source = (
        f"\nMeasured on {today} by `make campaign`, {' or '.join(f'{each:,}' for each in repeats)} "
        f"test sets each: the standard error of a rate near 5% or 95% is {' or '.join(errors)} "
        "points.\n"
    )
    page = ROOT / "docs" / "significance.md"
    text = page.read_text("utf-8")
    for name, written in (("rates", table(measured) + source), ("plans", plans(planned))):
        before, begin, rest = text.partition(f"<!-- {name}:begin -->\n")
        _, end, after = rest.partition(f"<!-- {name}:end -->\n")
        text = before + begin + written + end + after
    page.write_text(text, "utf-8")


def _measure(number: int, repeats: int) -> Rates:
    """Measure a scenario; what makes its population cannot be sent to another process."""
    return measure(SCENARIOS[number], repeats)


def main() -> None:
    """Measure all scenarios, on all processors, and record them unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3000, help="test sets of each scenario")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    if not (options.no_record or WMT24.is_dir()):
        sys.exit(f"{WMT24} is missing, so the record would lack real documents: use --no-record")
    numbers = range(len(SCENARIOS))
    with ProcessPoolExecutor() as pool:
        rates = list(pool.map(partial(_measure, repeats=options.repeats), numbers))
        planned = list(
            pool.map(partial(found_share, repeats=options.repeats // 3), *zip(*PLANS, strict=True))
        )
    measured = list(zip(SCENARIOS, rates, strict=True))
    print(table(measured) + "\n" + plans(planned))
    if not options.no_record:
        record(measured, planned)
    failed = [
        ", ".join(scenario.written)
        for scenario, found in measured
        if not scenario.warned and min(found.difference, found.system) < LEAST_COVERAGE
    ]
    if failed:
        sys.exit(f"95% intervals cover less than {LEAST_COVERAGE:.0%}: {'; '.join(failed)}")


if __name__ == "__main__":
    main()
