"""Where the benchmarks get their text."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def wmt_folder() -> Path:
    """Return the folder of WMT outputs: TRUEBLEU_DATA, or ``../shared/data``."""
    return Path(os.environ.get("TRUEBLEU_DATA", ROOT.parent / "shared" / "data"))


def newstest2017() -> tuple[list[Path], Path]:
    """Return the sixteen systems of newstest2017 en-de and their reference.

    Raises
    ------
    FileNotFoundError
        If they are not there; they are not ours to ship.
    """
    folder = wmt_folder() / "newstest2017" / "en-de"
    systems = sorted(folder.glob("sys.*.txt"))
    if not systems:
        raise FileNotFoundError(f"{folder} has no system outputs; set TRUEBLEU_DATA")
    return systems, folder / "ref.refA.txt"


def lines(path: Path) -> list[str]:
    """Read a file as a list of fresh strings."""
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def many_pairs(systems: list[Path], reference: Path) -> tuple[list[str], list[str]]:
    """Return all systems, twice, each beside the reference; no string is shared."""
    hypotheses: list[str] = []
    references: list[str] = []
    for system in systems * 2:
        hypotheses += lines(system)
        references += lines(reference)
    return hypotheses, references
