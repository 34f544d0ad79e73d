"""Measure how often tests reject and intervals cover, record it, and put it into the documentation.

Run by ``make campaign``, which then fuzzes; takes some minutes by itself.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign import recorded
from campaign.populations import ROOT
from campaign.rates import SCENARIOS, Rates, Scenario, found_share, measure

_BEGIN, _END = "<!-- rates:begin -->\n", "<!-- rates:end -->"


# What 95% intervals must cover wherever the documentation does not warn.
LEAST_COVERAGE = 0.93

# Differences that test sets are planned for.
EFFECTS = (0.5, 1.0, 2.0)


def plans(found: list[tuple[int, float]]) -> str:
    """Write how often differences were found in test sets planned for them, as a table."""
    lines = ["| difference | segments planned | found |", "|---:|---:|---:|"]
    for effect, (size, share) in zip(EFFECTS, found, strict=True):
        lines.append(f"| {effect:g} | {size:,} | {100 * share:.1f} |")
    return "\n".join(lines) + "\n"


def table(measured: list[tuple[Scenario, Rates]]) -> str:
    """Write the rates as a Markdown table."""
    lines = [
        "| test sets | segments | randomization rejects | bootstrap rejects | the interval of the "
        "difference covers | the interval of a score covers |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for scenario, rates in measured:
        rejections = ["", ""]
        if scenario.equal:
            rejections = [
                " / ".join(f"{100 * share:.1f}" for share in each)
                for each in (rates.randomization, rates.bootstrap)
            ]
        covered = [f"{100 * share:.1f}" for share in (rates.difference, rates.system)]
        cells = [scenario.name, f"{scenario.segments:,}", *rejections, *covered]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def record(measured: list[tuple[Scenario, Rates]], planned: list[tuple[int, float]]) -> None:
    """Keep the rates by date, and write the table into the documentation."""
    found = [[scenario.name, scenario.segments, *rates] for scenario, rates in measured]
    found += [
        [f"planned for a difference of {effect:g}", size, share]
        for effect, (size, share) in zip(EFFECTS, planned, strict=True)
    ]
    today = recorded.record("significance", ["scenario", "segments", *Rates._fields], found)
    repeats = measured[0][1].repeats
    source = f"\nMeasured on {today} by `make campaign`, {repeats:,} test sets each.\n"
    page = ROOT / "docs" / "significance.md"
    text = page.read_text("utf-8")
    for name, written in (("rates", table(measured) + source), ("plans", plans(planned))):
        before, begin, rest = text.partition(f"<!-- {name}:begin -->\n")
        _, end, after = rest.partition(f"<!-- {name}:end -->\n")
        text = before + begin + written + end + after
    page.write_text(text, "utf-8")


def main() -> None:
    """Measure all scenarios, on all processors, and record them unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3000, help="test sets of each scenario")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        rates = list(pool.map(partial(measure, repeats=options.repeats), SCENARIOS))
        planned = list(pool.map(partial(found_share, repeats=options.repeats // 3), EFFECTS))
    measured = list(zip(SCENARIOS, rates, strict=True))
    print(table(measured) + "\n" + plans(planned))
    if not options.no_record:
        record(measured, planned)
    failed = [
        f"{scenario.name}, {scenario.segments} segments"
        for scenario, found in measured
        if not scenario.warned and min(found.difference, found.system) < LEAST_COVERAGE
    ]
    if failed:
        sys.exit(f"95% intervals cover less than {LEAST_COVERAGE:.0%}: {'; '.join(failed)}")


if __name__ == "__main__":
    main()
