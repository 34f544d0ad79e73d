"""Where the benchmarks get their text."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def wmt_folder() -> Path:
    """Return the folder of WMT outputs: TRUEBLEU_DATA, or ``../shared/data``."""
    return Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))


def systems(name: str, pair: str) -> tuple[list[Path], Path]:
    """Return the systems of a shared task and their first reference.

    Raises
    ------
    FileNotFoundError
        If they are not there; they are not ours to ship.
    """
    folder = wmt_folder() / name / pair
    found = sorted(folder.glob("sys.*.txt"))
    if not found:
        raise FileNotFoundError(f"{folder} has no system outputs; set TRUEBLEU_DATA")
    return found, folder / "ref.refA.txt"


def lines(path: Path) -> list[str]:
    """Read a file as a list of fresh strings."""
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def many_pairs(systems: list[Path], reference: Path, times: int = 2) -> tuple[list[str], list[str]]:
    """Return all systems, several times, each beside the reference; no string is shared."""
    hypotheses: list[str] = []
    references: list[str] = []
    for system in systems * times:
        hypotheses += lines(system)
        references += lines(reference)
    return hypotheses, references
