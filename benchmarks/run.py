"""Measure, print the table, record it, and put it into the documentation.

Run by ``make bench``.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu._core import SIMD

from benchmarks import chart, floors
from benchmarks.data import ROOT
from benchmarks.definitions import everything
from benchmarks.measure import Result

if TYPE_CHECKING:
    from collections.abc import Iterable

OTHERS = re.compile(
    "(?i), (sacrebleu|bleuscore|nltk|fast-?bleu|fastchrf|wc -w|the plain core)"
    "|resident memory$|the file$"
)
"""The names of what the page shows: against another program, or a size."""

_BEGIN, _END = "<!-- benchmark:begin -->\n", "<!-- benchmark:end -->"


def environment() -> str:
    """Describe what the figures were measured on."""
    packages = (
        *("truebleu", "sacrebleu", "nltk", "bleuscore", "numpy"),
        *("pyarrow", "polars", "duckdb", "pyspark"),
    )
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    system = f"{platform.system()} {platform.machine()}, {cpu}"
    return f"{system} ({SIMD}), Python {platform.python_version()}; {versions}"


def three_digits(figure: float) -> str:
    """Write a figure with three digits, and a large one without an exponent."""
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"


def table(results: Iterable[Result]) -> str:
    """Write all results, with their floors, as a Markdown table."""
    lines = [
        "| what, against what | truebleu | other | ratio or figure | floor |",
        "|---|---:|---:|---:|---:|",
    ]
    known = floors.read()
    for result in results:
        floor = known[result.name].floor if result.name in known else ""
        lines.append(
            f"| {result.name} | {result.ours} | {result.theirs} | {three_digits(result.figure)} "
            f"| {floor}{' (worse)' if floors.falls(result, known) else ''} |"
        )
    return "\n".join(lines) + "\n"


def published(results: Iterable[tuple[str, str, str, float]]) -> str:
    """Write the table of the page: what is measured against another program, and memory.

    Parameters
    ----------
    results : iterable of tuple
        The name, both times, and their ratio.
    """
    lines = ["| what, against what | truebleu | other | ratio |", "|---|---:|---:|---:|"]
    for name, ours, theirs, figure in results:
        if OTHERS.search(name):
            ratio = three_digits(figure) if theirs else ""
            lines.append(f"| {name} | {ours} | {theirs} | {ratio} |")
    return "\n".join(lines) + "\n"


def record(results: list[Result]) -> None:
    """Keep the figures by date, with the environment beside them."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    folder = ROOT / "benchmarks" / "record"
    with (folder / f"{today}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Result._fields)
        writer.writerows(results)
    (folder / f"{today}.txt").write_text(environment() + "\n\n" + table(results), "utf-8")
    floors.add(results, today)
    chart.PLACE.write_text(chart.draw(*chart.last_record()), "utf-8")
    source = f"\nMeasured on {today} by `make bench`: {environment()}.\n"
    path = ROOT / "docs" / "benchmarks.md"
    before, begin, rest = path.read_text("utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    shown = published(each[:4] for each in results)
    path.write_text(before + begin + shown + source + end + after, "utf-8")


def main() -> None:
    """Measure everything and record it, unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each measurement (9)")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    results = []
    for result in everything(options.runs):
        results.append(result)
        print(f"{result.name}: {result.figure:.4g}", flush=True)
    print("\n" + table(results))
    known = floors.read()
    if not options.no_record:
        record(results)
    worse = [result.name for result in results if floors.falls(result, known)]
    if worse:
        sys.exit("worse than their floors in benchmarks/floors.csv:\n" + "\n".join(worse))


if __name__ == "__main__":
    main()
