"""Measure which lines of the core the fuzz targets run, on the corpora that they have collected.

The targets are built once more, with counters for each line, and run at each level of the
processor. Needs `llvm-profdata` and `llvm-cov`
of the compiler's version: `apt-get install llvm-22`.

    python campaign/coverage.py
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.populations import ROOT
from campaign.recorded import record

TARGETS = (
    *("lines", "tokenizers", "counting", "columns", "edits", "rows"),
    *("corpora", "agreement"),
)
LEVELS = ("baseline", "avx2", "avx512")
SOURCES = ROOT / "crates" / "core" / "src"


def tool(name: str, version: str) -> str:
    """Return a tool of LLVM that reads what this version of the compiler has written."""
    found = shutil.which(f"{name}-{version}") or f"/usr/lib/llvm-{version}/bin/{name}"
    if not Path(found).exists():
        sys.exit(f"{name} of LLVM {version} is missing: apt-get install llvm-{version}")
    return found


def lines_run(report: str) -> dict[tuple[str, int], bool]:
    """Return the lines of the core in a report of `llvm-cov export`, and whether they were run."""
    lines, path = {}, ""
    for kind, _, text in (each.partition(":") for each in report.splitlines()):
        if kind == "SF":
            path = text
        elif kind == "DA" and Path(path).is_relative_to(SOURCES):
            line, times = text.split(",")[:2]
            lines[Path(path).relative_to(SOURCES).as_posix(), int(line)] = int(times) > 0
    return lines


def main() -> None:
    """Build, run, measure, print, and record it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=ROOT / "fuzz" / "corpus")
    parser.add_argument("--target", type=Path, default=ROOT / "fuzz" / "target" / "coverage")
    parser.add_argument("--missed", action="store_true", help="list the lines that no target runs")
    options = parser.parse_args()
    said = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = re.findall(r"host: (\S+)", said)[0]
    version = re.findall(r"LLVM version: (\d+)", said)[0]
    profdata, cov = tool("llvm-profdata", version), tool("llvm-cov", version)
    flags = "-Cinstrument-coverage"
    environment = {**os.environ, "CARGO_TARGET_DIR": str(options.target), "RUSTFLAGS": flags}
    build = ["cargo", "build", "--quiet", "--release", "--target", host]
    subprocess.run(build, cwd=ROOT / "fuzz", env=environment, check=True)
    run: dict[tuple[str, int], bool] = {}
    for name in TARGETS:
        binary = str(options.target / host / "release" / name)
        with TemporaryDirectory() as folder:
            for level in LEVELS:
                counted = {"LLVM_PROFILE_FILE": f"{folder}/{level}.profraw", "TRUEBLEU_SIMD": level}
                command = [binary, "-runs=0", "-verbosity=0", str(options.corpus / name)]
                subprocess.run(command, env={**os.environ, **counted}, cwd=folder, check=True)
            raw, merged = [f"{folder}/{level}.profraw" for level in LEVELS], f"{folder}/merged"
            subprocess.run([profdata, "merge", "-sparse", *raw, "-o", merged], check=True)
            # One target at a time: a generic function may differ from one to the next.
            export = [cov, "export", "-format=lcov", f"-instr-profile={merged}", binary]
            report = subprocess.run(export, capture_output=True, text=True, check=True).stdout
        for place, was_run in lines_run(report).items():
            run[place] = was_run or run.get(place, False)
    sums: dict[str, Counter[bool]] = defaultdict(Counter)
    for (path, line), was_run in sorted(run.items()):
        for key in (path.rpartition("/")[0] or ".", "all"):
            sums[key][was_run] += 1
        if options.missed and not was_run:
            print(f"{path}:{line}")
    rows = []
    for key, counts in sorted(sums.items(), key=lambda each: (each[0] == "all", each[0])):
        rows.append([key, counts.total(), counts[True]])
        print(f"{key}: {counts[True]:,} of {counts.total():,} lines", end=" ")
        print(f"({counts[True] / counts.total():.1%})")
    record("coverage", ["folder of crates/core/src", "lines", "run"], rows)


if __name__ == "__main__":
    main()
