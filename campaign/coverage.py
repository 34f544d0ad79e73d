"""Measure which lines of the core the fuzz targets run, on the corpora that they have collected.

The targets are built once more, with counters for each line. Needs `llvm-profdata` and `llvm-cov`
of the compiler's version: `apt-get install llvm-22`.

    python campaign/coverage.py
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from campaign.populations import ROOT
from campaign.recorded import record

TARGETS = (
    *("lines", "tokenizers", "counting", "columns", "edits", "rows"),
    *("corpora", "agreement"),
)
SOURCES = ROOT / "crates" / "core" / "src"


def tool(name: str, version: str) -> str:
    """Return a tool of LLVM that reads what this version of the compiler has written."""
    found = shutil.which(f"{name}-{version}") or f"/usr/lib/llvm-{version}/bin/{name}"
    if not Path(found).exists():
        sys.exit(f"{name} of LLVM {version} is missing: apt-get install llvm-{version}")
    return found


def by_folder(files: list[dict[str, object]]) -> dict[str, tuple[int, int]]:
    """Add up, for each folder of the core, its lines and those that were run."""
    sums: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for file in files:
        path = Path(str(file["filename"])).resolve()
        if path.is_relative_to(SOURCES):
            lines = file["summary"]["lines"]  # type: ignore[index]
            for key in (path.relative_to(SOURCES).parent.as_posix(), "all"):
                total, covered = sums[key]
                sums[key] = total + lines["count"], covered + lines["covered"]
    return dict(sorted(sums.items(), key=lambda each: (each[0] == "all", each[0])))


def main() -> None:
    """Build, run, measure, print, and record it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=ROOT / "fuzz" / "corpus")
    parser.add_argument("--target", type=Path, default=ROOT / "fuzz" / "target" / "coverage")
    options = parser.parse_args()
    said = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = re.findall(r"host: (\S+)", said)[0]
    version = re.findall(r"LLVM version: (\d+)", said)[0]
    profdata, cov = tool("llvm-profdata", version), tool("llvm-cov", version)
    environment = {
        **os.environ,
        "CARGO_TARGET_DIR": str(options.target),
        "RUSTFLAGS": "-Cinstrument-coverage",
    }
    build = ["cargo", "build", "--quiet", "--release", "--target", host]
    subprocess.run(build, cwd=ROOT / "fuzz", env=environment, check=True)
    binaries = [str(options.target / host / "release" / name) for name in TARGETS]
    with TemporaryDirectory() as folder:
        for name, binary in zip(TARGETS, binaries, strict=True):
            counted = {**os.environ, "LLVM_PROFILE_FILE": f"{folder}/{name}.profraw"}
            command = [binary, "-runs=0", "-verbosity=0", str(options.corpus / name)]
            subprocess.run(command, env=counted, cwd=folder, check=True)
        merged = f"{folder}/all.profdata"
        raw = [f"{folder}/{name}.profraw" for name in TARGETS]
        subprocess.run([profdata, "merge", "-sparse", *raw, "-o", merged], check=True)
        objects = [word for binary in binaries[1:] for word in ("-object", binary)]
        export = [cov, "export", "-summary-only", f"-instr-profile={merged}", binaries[0], *objects]
        done = subprocess.run(export, capture_output=True, text=True, check=True)
    rows = []
    for key, (total, covered) in by_folder(json.loads(done.stdout)["data"][0]["files"]).items():
        rows.append([key, total, covered])
        print(f"{key}: {covered:,} of {total:,} lines ({covered / total:.1%})")
    record("coverage", ["folder of crates/core/src", "lines", "run"], rows)


if __name__ == "__main__":
    main()
