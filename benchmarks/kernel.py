"""What the core does on one thread: the Rust benchmark, for each level of the processor."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from truebleu._core import SIMD

from benchmarks.data import ROOT
from benchmarks.measure import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

LEVELS = ("avx512", "avx2", "baseline")
"""All levels, the highest first."""


def available() -> tuple[str, ...]:
    """Return the levels that this processor has, the highest first."""
    return LEVELS[LEVELS.index(SIMD) :]


def stages() -> Iterator[Result]:
    """Run ``cargo bench``, whose lines are figures, some of them ratios."""
    for level in available():
        finished = subprocess.run(
            ["cargo", "bench", "--quiet", "-p", "truebleu-core", "--bench", "kernel"],
            cwd=ROOT,
            env={**os.environ, "TRUEBLEU_SIMD": level},
            check=True,
            capture_output=True,
            text=True,
        )
        first, *lines = finished.stdout.splitlines()
        assert first == f"# {level}"
        for line in lines:
            name, figure, unit = line.split("\t")
            number = float(figure.split()[0])
            kind = "less" if unit == "x" else ""
            yield Result(f"core, {level}: {name}", figure, "", number, kind)
