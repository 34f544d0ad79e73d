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

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.data import ROOT
from benchmarks.definitions import everything
from benchmarks.measure import Result

_MARKED = re.compile(r"(<!-- benchmark:begin -->\n).*?(<!-- benchmark:end -->)", re.DOTALL)


def environment() -> str:
    """Describe what the figures were measured on."""
    packages = ("truebleu", "sacrebleu", "nltk", "bleuscore", "numpy")
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
    return f"{system}, Python {platform.python_version()}; {versions}"


def table(results: list[Result]) -> str:
    """Write the results as a Markdown table."""
    lines = [
        "| what, against what | truebleu | other | ratio or figure | target |",
        "|---|---:|---:|---:|---:|",
    ]
    for result in results:
        target = result.target if result.met else f"{result.target} (missed)"
        lines.append(
            f"| {result.name} | {result.ours} | {result.theirs} | {result.figure:.3g} | {target} |"
        )
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
    block = f"{table(results)}\nMeasured on {today} by `make bench`: {environment()}.\n"
    for name in ("README.md", "docs/benchmarks.md"):
        path = ROOT / name
        path.write_text(
            _MARKED.sub(lambda match: match[1] + block + match[2], path.read_text("utf-8")), "utf-8"
        )


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
