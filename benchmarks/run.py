"""Measure, print the table, record it, and put it into the documentation.

Run by ``make bench``.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from truebleu._core import SIMD

from benchmarks.data import ROOT
from benchmarks.definitions import everything
from benchmarks.measure import Result

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADLINES = {
    "96,128 pairs, 1 thread, sacreBLEU": ("BLEU of 96,128 segments, 1 thread", "sacreBLEU"),
    "sentence_bleu, a call, sacreBLEU's sentence_score": ("BLEU of one sentence", "sacreBLEU"),
    "chrF++, 48,064 pairs, 1 thread, sacreBLEU": (
        "chrF++ of 48,064 segments, 1 thread",
        "sacreBLEU",
    ),
    "TER, newstest2021 en-de, 1,002 pairs, 1 thread, sacreBLEU": (
        "TER of 1,002 segments, 1 thread",
        "sacreBLEU",
    ),
    "9 systems, 2 references, 1,000 x bootstrap, 1 thread, sacreBLEU": (
        "9 systems compared by 1,000 bootstrap samples, 1 thread",
        "sacreBLEU",
    ),
}
"""The figures that the README shows: what was measured, and the other tool, in words for it."""

_BEGIN, _END = "<!-- benchmark:begin -->\n", "<!-- benchmark:end -->"


def environment() -> str:
    """Describe what the figures were measured on."""
    packages = (
        *("truebleu", "sacrebleu", "nltk", "bleuscore", "numpy"),
        *("pyarrow", "polars", "duckdb", "pyspark", "altair"),
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


def table(results: list[Result]) -> str:
    """Write the results as a Markdown table."""
    lines = [
        "| what, against what | truebleu | other | ratio or figure | target |",
        "|---|---:|---:|---:|---:|",
    ]
    for result in results:
        target = result.target if result.met else f"{result.target} (missed)"
        lines.append(
            f"| {result.name} | {result.ours} | {result.theirs} | {three_digits(result.figure)} "
            f"| {target} |"
        )
    return "\n".join(lines) + "\n"


def short_table(results: Iterable[tuple[str, str, str, float]]) -> str:
    """Write the table of the README: how many times longer another tool takes.

    Parameters
    ----------
    results : iterable of tuple
        The name, both times, and their ratio; those that the README does not show are left out.
    """
    lines = [
        "| what | truebleu | other tool | its time | times as fast |",
        "|---|---:|---|---:|---:|",
    ]
    for name, ours, theirs, figure in results:
        if name in HEADLINES:
            what, other = HEADLINES[name]
            lines.append(f"| {what} | {ours} | {other} | {theirs} | {three_digits(figure)} |")
    return "\n".join(lines) + "\n"


def record(results: list[Result]) -> None:
    """Keep the figures by date, with the environment beside them."""
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    folder = ROOT / "benchmarks" / "record"
    with (folder / f"{today}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Result._fields)
        writer.writerows(results)
    (folder / f"{today}.txt").write_text(environment() + "\n\n" + table(results), "utf-8")
    source = f"\nMeasured on {today} by `make bench`: {environment()}.\n"
    more = f"[All {len(results)} figures, with their targets](docs/benchmarks.md)\n"
    for name, shown, note in (
        ("README.md", short_table(each[:4] for each in results), source + more),
        ("docs/benchmarks.md", table(results), source),
    ):
        path = ROOT / name
        before, begin, rest = path.read_text("utf-8").partition(_BEGIN)
        _, end, after = rest.partition(_END)
        path.write_text(before + begin + shown + note + end + after, "utf-8")


def main() -> None:
    """Measure everything and record it, unless told not to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each measurement (9)")
    parser.add_argument("--no-record", action="store_true", help="only print")
    options = parser.parse_args()
    results = []
    for result in everything(options.runs):
        results.append(result)
        print(f"{result.name}: {result.figure:.4g} (target {result.target})", flush=True)
    print("\n" + table(results))
    if not options.no_record:
        record(results)


if __name__ == "__main__":
    main()
